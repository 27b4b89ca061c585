// SPDX-License-Identifier: BSD-3-Clause
// Computes roots of unity: one by Taylor series in double-double, many by products of two.
#include "local/numbers/roots.hpp"

#include <array>

#include "local/numbers/double_double.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

using Wide = __int128;

// pi / 4 to 107 bits.
constexpr DoubleDouble quarter_pi{0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};

// 1 / k!, with enough terms for 106 bits up to an angle of pi / 4.
constexpr int terms = 29;
std::array<DoubleDouble, terms> const& inverse_factorials() {
  static std::array<DoubleDouble, terms> const table = [] {
    std::array<DoubleDouble, terms> values;
    values[0] = {1, 0};
    for (std::size_t k = 1; k < terms; ++k)
      values[k] = values[k - 1] / DoubleDouble{static_cast<double>(k), 0};
    return values;
  }();
  return table;
}

// (x^start / start! - x^(start + 2) / (start + 2)! + ...) / x^start, as a polynomial in `square`.
DoubleDouble alternating_series(DoubleDouble square, int start) {
  std::array<DoubleDouble, terms> const& inverse = inverse_factorials();
  int k = (terms - 1 - start) / 2 * 2 + start;
  DoubleDouble sum = inverse[static_cast<std::size_t>(k)];
  for (k -= 2; k >= start; k -= 2) sum = inverse[static_cast<std::size_t>(k)] - square * sum;
  return sum;
}

Index reduced(Index k, Index n) {
  Index const rest = k % n;
  return rest < 0 ? rest + n : rest;
}

/// Whether one part of w_n^k is zero, 0 <= k < n; a product would leave about 1e-33 there.
bool is_on_axis(Index k, Index n) {
  return (n % 2 == 0 && k == n / 2) || (n % 4 == 0 && (k == n / 4 || k == n / 4 + n / 2));
}

}  // namespace

WideComplex wide_root(Index k, Index n) {
  require(n >= 1, "roots of unity: the order is ", n, ", it must be positive");
  // The angle is (octant + rest / n) pi / 4. Odd octants are measured backwards from their end.
  Wide const eighths = static_cast<Wide>(reduced(k, n)) * 8;
  int const octant = static_cast<int>(eighths / n);
  Index const rest = static_cast<Index>(eighths - static_cast<Wide>(octant) * n);
  Index const part = octant % 2 == 0 ? rest : n - rest;

  DoubleDouble const angle = quarter_pi * (wide_integer(part) / wide_integer(n));
  DoubleDouble const square = angle * angle;
  DoubleDouble const cosine = alternating_series(square, 0);
  DoubleDouble const sine = angle * alternating_series(square, 1);

  // exp(-i angle): the sine of the whole angle has a minus sign.
  switch (octant) {
    case 0:
      return {cosine, -sine};
    case 1:
      return {sine, -cosine};
    case 2:
      return {-sine, -cosine};
    case 3:
      return {-cosine, -sine};
    case 4:
      return {-cosine, sine};
    case 5:
      return {-sine, cosine};
    case 6:
      return {sine, cosine};
    default:
      return {cosine, sine};
  }
}

template <class Real>
std::complex<Real> root(Index k, Index n) {
  return rounded<Real>(wide_root(k, n));
}

namespace {

/// w_n^(k step), 0 <= k < count. A series costs twenty times what a product does, so it is used
/// where k is a power of two; another root is the product of those of its bits, which loses a bit
/// or two.
std::vector<WideComplex> roots_of_steps(Index count, Index step, Index n) {
  std::vector<WideComplex> roots;
  for (Index k = 0; k < count; ++k) {
    Index const lowest = k & -k;
    bool const is_product = k != lowest && !is_on_axis(k * step, n);
    roots.push_back(is_product ? roots[static_cast<std::size_t>(k - lowest)] *
                                     roots[static_cast<std::size_t>(lowest)]
                               : wide_root(k * step, n));
  }
  return roots;
}

}  // namespace

Roots::Roots(Index n) : n_(n) {
  require(n >= 1, "roots of unity: the order is ", n, ", it must be positive");
  while (Index{1} << shift_ < n >> shift_) ++shift_;
  fine_ = roots_of_steps(Index{1} << shift_, 1, n);
  coarse_ = roots_of_steps(((n - 1) >> shift_) + 1, Index{1} << shift_, n);
}

WideComplex Roots::wide(Index k) const {
  if (k >= n_) k %= n_;
  Index const block = k >> shift_;
  Index const rest = k - (block << shift_);
  if (rest == 0) return coarse_[static_cast<std::size_t>(block)];
  if (is_on_axis(k, n_)) return wide_root(k, n_);
  return coarse_[static_cast<std::size_t>(block)] * fine_[static_cast<std::size_t>(rest)];
}

template <class Real>
std::complex<Real> Roots::at(Index k) const {
  return rounded<Real>(wide(k));
}

template std::complex<float> root(Index, Index);
template std::complex<double> root(Index, Index);
template std::complex<float> Roots::at(Index) const;
template std::complex<double> Roots::at(Index) const;

}  // namespace sixstep::local
