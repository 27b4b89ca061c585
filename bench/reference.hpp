// SPDX-License-Identifier: BSD-3-Clause
// A transform of any length in long double, to measure others by. It shares nothing with the
// library, and is written to be believed rather than to be fast: mixed radix in recursion over the
// smallest prime factor, long primes by Bluestein's convolution.
#pragma once

#include <cmath>
#include <complex>
#include <vector>

#include "sixstep/layout.hpp"

namespace sixstep::bench {

class Reference {
 public:
  using Complex = std::complex<long double>;
  using Vector = std::vector<Complex>;

  explicit Reference(Index n) : n_(n) {
    for (Index k = 0; k < n; ++k) roots_.push_back(root(k, n));
  }

  /// y[k] = sum_j x[j] exp(-2 pi i jk/n).
  Vector operator()(Vector const& x) const {
    Vector y(x.size());
    transform(x.data(), 1, y.data(), n_);
    return y;
  }

 private:
  static constexpr Index longest_prime_by_definition = 100;

  static Complex root(Index k, Index n) {
    constexpr long double turn = 6.283185307179586476925286766559005768L;
    // The angle is at most half a turn: its rounding is what limits the root.
    auto const part = static_cast<long double>(2 * k > n ? k - n : k);
    return std::polar(1.0L, -turn * part / static_cast<long double>(n));
  }

  static Complex product(Complex const& a, Complex const& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

  static Index smallest_factor(Index n) {
    for (Index p = 2; p * p <= n; ++p)
      if (n % p == 0) return p;
    return n;
  }

  Complex power(Index k, Index n) const {
    return roots_[static_cast<std::size_t>(k % n * (n_ / n))];
  }

  // x has stride `stride`, y is dense.
  void transform(Complex const* x, Index stride, Complex* y, Index n) const {
    if (n == 1) {
      y[0] = x[0];
      return;
    }
    Index const p = smallest_factor(n);
    if (p == n && n > longest_prime_by_definition) {
      convolve(x, stride, y, n);
      return;
    }
    // j = p j2 + j1, k = k1 + (n/p) k2: X[k] = sum_j1 w_n^(j1 k) sum_j2 w_(n/p)^(j2 k1) x[j]
    Index const m = n / p;
    for (Index j1 = 0; j1 < p; ++j1) transform(x + j1 * stride, stride * p, y + j1 * m, m);
    Vector parts(static_cast<std::size_t>(p));
    for (Index k1 = 0; k1 < m; ++k1) {
      for (Index j1 = 0; j1 < p; ++j1)
        parts[static_cast<std::size_t>(j1)] = product(y[j1 * m + k1], power(j1 * k1, n));
      for (Index k2 = 0; k2 < p; ++k2) {
        Complex sum = 0;
        for (Index j1 = 0; j1 < p; ++j1)
          sum += product(parts[static_cast<std::size_t>(j1)], power(j1 * k2, p));
        y[k2 * m + k1] = sum;
      }
    }
  }

  // jk = (j^2 + k^2 - (k-j)^2)/2: X[k] = v[k] sum_j (x[j] v[j]) conj(v[k-j]), v[j] = w_2n^(j^2)
  static void convolve(Complex const* x, Index stride, Complex* y, Index n) {
    Index length = 1;
    while (length < 2 * n) length *= 2;
    Reference const fourier(length);
    Vector chirp(static_cast<std::size_t>(n));
    Vector signal(static_cast<std::size_t>(length));
    Vector filter(static_cast<std::size_t>(length));
    for (Index j = 0; j < n; ++j) {
      auto const at = static_cast<std::size_t>(j);
      chirp[at] = root(j * j % (2 * n), 2 * n);
      signal[at] = product(x[j * stride], chirp[at]);
      filter[at] = std::conj(chirp[at]);
      if (j > 0) filter[static_cast<std::size_t>(length - j)] = filter[at];
    }
    Vector const a = fourier(signal);
    Vector const b = fourier(filter);
    // Backward by conjugating before and after.
    for (std::size_t k = 0; k < a.size(); ++k) signal[k] = std::conj(product(a[k], b[k]));
    Vector const c = fourier(signal);
    for (Index k = 0; k < n; ++k) {
      auto const at = static_cast<std::size_t>(k);
      y[k] = product(std::conj(c[at]), chirp[at]) / static_cast<long double>(length);
    }
  }

  Index n_;
  Vector roots_;
};

}  // namespace sixstep::bench
