// SPDX-License-Identifier: BSD-3-Clause
// Butterflies: transforms of few points in the registers of a GPU's thread.
#pragma once

#include "device/works.hpp"

namespace sixstep::device {

template <class Real>
__device__ Pair<Real> sum(Pair<Real> const& a, Pair<Real> const& b) {
  return {a.re + b.re, a.im + b.im};
}
template <class Real>
__device__ Pair<Real> difference(Pair<Real> const& a, Pair<Real> const& b) {
  return {a.re - b.re, a.im - b.im};
}
/// -i a
template <class Real>
__device__ Pair<Real> turned(Pair<Real> const& a) {
  return {a.im, -a.re};
}

/// The forward transform of R elements, in place.
template <int R, class Real>
struct Butterfly {
  /// Odd R: y_k = x_0 + sum_j cos(2 pi jk/R) (x_j + x_(R-j)) - i sin(2 pi jk/R) (x_j - x_(R-j)).
  static __device__ void run(Pair<Real> (&x)[R]) {
    constexpr int half = (R - 1) / 2;
    Pair<Real> sums[half], differences[half], first = x[0];
#pragma unroll
    for (int j = 0; j < half; ++j) {
      sums[j] = sum(x[j + 1], x[R - 1 - j]);
      differences[j] = turned(difference(x[j + 1], x[R - 1 - j]));
      first = sum(first, sums[j]);
    }
#pragma unroll
    for (int k = 1; k <= half; ++k) {
      Pair<Real> even = x[0], odd{0, 0};
#pragma unroll
      for (int j = 1; j <= half; ++j) {
        int const turns = j * k % R;
        Real const cosine = cos_of(turns), sine = sin_of(turns);
        even.re += cosine * sums[j - 1].re;
        even.im += cosine * sums[j - 1].im;
        odd.re += sine * differences[j - 1].re;
        odd.im += sine * differences[j - 1].im;
      }
      x[k] = sum(even, odd);
      x[R - k] = difference(even, odd);
    }
    x[0] = first;
  }

 private:
  static __device__ Real cos_of(int k) {
    constexpr double of3[] = {1, -0.5};
    constexpr double of5[] = {1, 0.30901699437494742410, -0.80901699437494742410};
    constexpr double of7[] = {1, 0.62348980185873353053, -0.22252093395631440429,
                              -0.90096886790241912624};
    int const folded = 2 * k > R ? R - k : k;
    return static_cast<Real>(R == 3 ? of3[folded % 2] : R == 5 ? of5[folded % 3] : of7[folded % 4]);
  }
  static __device__ Real sin_of(int k) {
    constexpr double of3[] = {0, 0.86602540378443864676};
    constexpr double of5[] = {0, 0.95105651629515357212, 0.58778525229247312917};
    constexpr double of7[] = {0, 0.78183148246802980871, 0.97492791218182360702,
                              0.43388373911755812048};
    int const folded = 2 * k > R ? R - k : k;
    double const sine = R == 3 ? of3[folded % 2] : R == 5 ? of5[folded % 3] : of7[folded % 4];
    return static_cast<Real>(2 * k > R ? -sine : sine);
  }
};

template <class Real>
struct Butterfly<2, Real> {
  static __device__ void run(Pair<Real> (&x)[2]) {
    Pair<Real> const a = x[0];
    x[0] = sum(a, x[1]);
    x[1] = difference(a, x[1]);
  }
};

template <class Real>
struct Butterfly<4, Real> {
  static __device__ void run(Pair<Real> (&x)[4]) {
    Pair<Real> const a = sum(x[0], x[2]), b = difference(x[0], x[2]);
    Pair<Real> const c = sum(x[1], x[3]), d = turned(difference(x[1], x[3]));
    x[0] = sum(a, c);
    x[1] = sum(b, d);
    x[2] = difference(a, c);
    x[3] = difference(b, d);
  }
};

template <class Real>
struct Butterfly<8, Real> {
  static __device__ void run(Pair<Real> (&x)[8]) {
    Pair<Real> even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
    Butterfly<4, Real>::run(even);
    Butterfly<4, Real>::run(odd);
    constexpr auto root = static_cast<Real>(0.70710678118654752440);
    odd[1] = {root * (odd[1].re + odd[1].im), root * (odd[1].im - odd[1].re)};
    odd[2] = turned(odd[2]);
    odd[3] = {root * (odd[3].im - odd[3].re), -root * (odd[3].re + odd[3].im)};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      x[k] = sum(even[k], odd[k]);
      x[k + 4] = difference(even[k], odd[k]);
    }
  }
};

}  // namespace sixstep::device
