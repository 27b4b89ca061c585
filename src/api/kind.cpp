// SPDX-License-Identifier: BSD-3-Clause
// The kinds of transform: inverses, sizes.
#include "sixstep/kind.hpp"

namespace sixstep {

bool is_r2r(Kind kind) { return kind != Kind::c2c && kind != Kind::r2c; }

Kind inverse(Kind kind) {
  switch (kind) {
    case Kind::dct2:
      return Kind::dct3;
    case Kind::dct3:
      return Kind::dct2;
    case Kind::dst2:
      return Kind::dst3;
    case Kind::dst3:
      return Kind::dst2;
    default:
      return kind;
  }
}

Index logical_size(Kind kind, Index n) {
  if (!is_r2r(kind)) return n;
  return 2 * (kind == Kind::dct1 ? n - 1 : kind == Kind::dst1 ? n + 1 : n);
}

}  // namespace sixstep
