// SPDX-License-Identifier: BSD-3-Clause
// How scattered columns are transformed on a GPU: tiles, radices, and the order of results.
#include <algorithm>

#include "cuda/scattered.hpp"

namespace sixstep::device {

Tile Tile::of(Index n, int real_bytes, Index width) {
  Index const pitch = width | 1;
  return {width, pitch, static_cast<std::size_t>(n * pitch * 2 * real_bytes)};
}

Tile Tile::wanted(Index n, int real_bytes, std::size_t most_bytes) {
  constexpr Index row_bytes = 128;
  constexpr Index least_row_bytes = 32;
  Index width = row_bytes / (2 * real_bytes);
  Tile tile = of(n, real_bytes, width);
  while (width * 2 * real_bytes > least_row_bytes && tile.bytes > most_bytes / 3)
    tile = of(n, real_bytes, width /= 2);
  return tile;
}

ScatteredRecipe ScatteredRecipe::of(Index n, int real_bytes, std::size_t most_bytes) {
  ScatteredRecipe made;
  made.n = n;
  if (n < 2 || Tile::wanted(n, real_bytes, most_bytes).bytes > most_bytes) return made;
  Index rest = n;
  for (int radix : {7, 5, 3, 8, 4, 2})
    for (; rest % radix == 0; rest /= radix) {
      if (made.passes == most_passes) return {n};
      made.radices[made.passes++] = radix;
    }
  if (rest != 1) return {n};
  // 8 2 is 4 4.
  if (made.passes >= 2 && made.radices[made.passes - 1] == 2 && made.radices[made.passes - 2] == 8)
    made.radices[made.passes - 1] = made.radices[made.passes - 2] = 4;
  std::sort(made.radices, made.radices + made.passes, [](int a, int b) { return a > b; });
  return made;
}

std::vector<std::uint32_t> ScatteredRecipe::order() const {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(n));
  for (Index row = 0; row < n; ++row) {
    Index rest = row, place = 0, stride = n;
    for (int pass = 0; pass < passes; ++pass) {
      stride /= radices[pass];
      place += rest % radices[pass] * stride;
      rest /= radices[pass];
    }
    order[static_cast<std::size_t>(row)] = static_cast<std::uint32_t>(place);
  }
  return order;
}

}  // namespace sixstep::device
