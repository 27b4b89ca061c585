// SPDX-License-Identifier: BSD-3-Clause
// Whether a contender's results are right: a few of them, by the definition, in long double.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "contender.hpp"

namespace sixstep::bench {

using Exact = std::complex<long double>;

/// exp(2 pi i j m / n) for all j, from two tables of sqrt(n) entries.
class Wave {
 public:
  Wave(Index m, Index n) {
    while (block_ * block_ < n) block_ *= 2;
    for (Index j = 0; j < block_; ++j) fine_.push_back(root(j, m, n));
    for (Index j = 0; j < n; j += block_) coarse_.push_back(root(j, m, n));
  }
  Exact operator()(Index j) const {
    return coarse_[static_cast<std::size_t>(j / block_)] *
           fine_[static_cast<std::size_t>(j % block_)];
  }

 private:
  static Exact root(Index j, Index m, Index n) {
    constexpr long double turn = 6.283185307179586476925286766559005768L;
    auto const power = static_cast<long double>(static_cast<__int128>(j) * m % n);
    return std::polar(1.0L, turn * power / static_cast<long double>(n));
  }

  Index block_ = 1;
  std::vector<Exact> fine_;
  std::vector<Exact> coarse_;
};

/// The arrays of a problem, element by element.
template <class Real>
class Elements {
 public:
  Elements(Problem const& problem, void const* in, void const* out)
      : problem_(problem), in_(in), out_(out) {}

  /// Input k < n of transform c; of a spectrum of a real array the other half by its symmetry.
  Exact input(Index c, Index k) const {
    if (problem_.kind == Kind::c2r && k > problem_.n / 2)
      return std::conj(at(in_, problem_.in, c, problem_.n - k, false));
    return at(in_, problem_.in, c, k, takes_reals(problem_.kind));
  }
  Exact output(Index c, Index k) const {
    return at(out_, problem_.out, c, k, gives_reals(problem_.kind));
  }

 private:
  static Exact at(void const* array, Side const& side, Index c, Index k, bool real) {
    Index const place = c * side.distance + k * side.stride;
    if (real) return {static_cast<Real const*>(array)[place]};
    return Exact(static_cast<std::complex<Real> const*>(array)[place]);
  }

  Problem const& problem_;
  void const* in_;
  void const* out_;
};

/// The largest error of some results, over the size of a typical one.
template <class Real>
double error_of(Problem const& problem, void const* in, void const* out) {
  Elements<Real> const elements(problem, in, out);
  Index const n = problem.n;
  int const sign = problem.kind == Kind::c2r ? 1 : -1;
  Index const last = problem.kind == Kind::r2c ? n / 2 : n - 1;
  long double worst = 0;
  for (Index const k : {Index{1}, n / 3, last}) {
    bool const cosine = problem.kind == Kind::dct2;
    Wave const wave(sign * k, cosine ? 4 * n : n);
    for (Index const c : {Index{0}, problem.count / 2, problem.count - 1}) {
      Exact sum = 0;
      long double power = 0;
      for (Index j = 0; j < n; ++j) {
        Exact const value = elements.input(c, j);
        sum += value * (cosine ? 2 * wave(2 * j + 1).real() : wave(j));
        power += std::norm(value);
      }
      long double const error = std::abs(elements.output(c, k) - sum) / std::sqrt(power);
      if (!(error <= worst)) worst = error;  // a NaN is the worst of all
    }
  }
  return static_cast<double>(worst);
}

/// Far above the rounding of any of them, far below what a wrong transform gives.
template <class Real>
double tolerance(Index n) {
  return 16 * std::numeric_limits<Real>::epsilon() * (1 + std::log2(static_cast<double>(n)));
}

}  // namespace sixstep::bench
