// SPDX-License-Identifier: BSD-3-Clause
// Cosine and sine transforms as complex ones, which a device's library has.
#pragma once

#include "sixstep/error.hpp"
#include "sixstep/kind.hpp"

namespace sixstep::device {

/// y[k] = 2 sum_j x[j] cos or sin(pi (j + a)(k + b)/m) as a complex transform of 2m points, of
/// which those beyond the last are zero. Its input is multiplied by exp(-2 pi i j b/(2m)), its
/// output by exp(-2 pi i a (k + b)/(2m)), and y is the real or the imaginary part. Some terms count
/// half.
struct AsComplex {
  Index m;
  int a2, b2;  // twice a and b
  bool is_sine;
  Index halved[2];

  /// Both factors are powers of w_(8m).
  Index roots() const { return 8 * m; }
};
inline AsComplex as_complex(Kind kind, Index n) {
  switch (kind) {
    case Kind::dct1:
      return {n - 1, 0, 0, false, {0, n - 1}};
    case Kind::dct2:
      return {n, 1, 0, false, {-1, -1}};
    case Kind::dct3:
      return {n, 0, 1, false, {0, -1}};
    case Kind::dct4:
      return {n, 1, 1, false, {-1, -1}};
    case Kind::dst1:
      return {n + 1, 2, 2, true, {-1, -1}};
    case Kind::dst2:
      return {n, 1, 2, true, {-1, -1}};
    case Kind::dst3:
      return {n, 2, 1, true, {n - 1, -1}};
    case Kind::dst4:
      return {n, 1, 1, true, {-1, -1}};
    default:
      throw Error("internal: no cosine or sine transform", ErrorCode::internal);
  }
}

}  // namespace sixstep::device
