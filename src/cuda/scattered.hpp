// SPDX-License-Identifier: BSD-3-Clause
// Transforms of scattered columns on a GPU, put into a stream.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "device/scattered.hpp"

namespace sixstep::device {

/// Columns of a tile, and its bytes. Rows of a tile lie an odd number of elements apart, so that
/// threads find rows, and columns, in different banks.
struct Tile {
  Index width, pitch;
  std::size_t bytes;

  static Tile of(Index n, int real_bytes, Index width);
  /// The widest tile of at most 128 bytes a row that leaves room for two others, or at least fits.
  static Tile wanted(Index n, int real_bytes, std::size_t most_bytes);
};

/// How a column of n points is transformed in the memory that the threads of a block share: by
/// radices in place, so that results lie in the order of reversed digits.
struct ScatteredRecipe {
  static constexpr int most_passes = 13;

  Index n = 1;
  int passes = 0;
  int radices[most_passes] = {};

  /// Without passes if no radices are there for n, or a block's memory of `most_bytes` has no room.
  static ScatteredRecipe of(Index n, int real_bytes, std::size_t most_bytes);
  /// The place of each row's result.
  std::vector<std::uint32_t> order() const;
};

/// The tables of a recipe in the device's memory.
struct ScatteredTables {
  void const* roots;  // exp(-2 pi i k / n) for all k < n, of the columns' precision
  std::uint32_t const* order;
};

/// Lets blocks of the current GPU share so many bytes. Needed once, before the first put().
cudaError_t allow_tiles(int real_bytes, std::size_t bytes);

/// Puts transforms into a stream of the current GPU, in launches of at most `most` columns, which
/// is below 2^31.
cudaError_t put(Scattered const& columns, ScatteredRecipe const& recipe,
                ScatteredTables const& tables, std::size_t most_bytes, cudaStream_t stream,
                Index most = Index{1} << 30);

}  // namespace sixstep::device
