// SPDX-License-Identifier: BSD-3-Clause
// Blocks of an axis, and the room that they take.
#include "mpi_sizes.hpp"

#include <algorithm>

namespace sixstep::fftw {

Index block_length(Index n, Index given, int ranks) {
  return given > 0 ? given : (n + ranks - 1) / ranks;
}

Slice slice(Index n, Index block, int rank) {
  Index const start = block * rank;
  return start >= n ? Slice{} : Slice{std::min(block, n - start), start};
}

bool holds_all(Index n, Index block, int ranks) {
  return block > 0 && (n + block - 1) / block <= ranks;
}

Index room(std::span<Index const> n, Index howmany, Index block0, Index block1, int ranks) {
  Index all = 1;
  for (Index const extent : n) all *= extent;
  Index most = 1;
  Index const blocks[] = {block0, block1};
  for (std::size_t axis = 0; axis < std::min<std::size_t>(n.size(), 2); ++axis)
    for (Index const given : {Index{0}, blocks[axis]})
      most = std::max(most, std::min(block_length(n[axis], given, ranks), n[axis]) *
                                (n[axis] == 0 ? 0 : all / n[axis]));
  return most * howmany;
}

}  // namespace sixstep::fftw
