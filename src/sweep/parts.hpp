// SPDX-License-Identifier: BSD-3-Clause
// Cosine and sine transforms of complex numbers are computed as those of their parts.
#pragma once

#include "program/program.hpp"

namespace sixstep::sweep {

/// The pass over the real and imaginary parts, which lie along one more axis.
inline program::Pass of_parts(program::Pass pass) {
  for (layout::Pieces* pieces : {&pass.source, &pass.target}) {
    layout::Pieces parts;
    for (layout::Piece piece : *pieces) {
      piece.offset *= 2;
      for (Index& stride : piece.strides) stride *= 2;
      piece.box.ranges.push_back({0, 2, 1});
      piece.strides.push_back(1);
      parts.push_back(piece);
    }
    *pieces = std::move(parts);
  }
  pass.box.ranges.push_back({0, 2, 1});
  pass.target_box.ranges.push_back({0, 2, 1});
  pass.source_number = pass.target_number = layout::Number::real;
  return pass;
}

}  // namespace sixstep::sweep
