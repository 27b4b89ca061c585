// SPDX-License-Identifier: BSD-3-Clause
// The code of docs/layouts.md: layouts of every kind, on any number of ranks.
//
//   mpiexec -n 4 layouts
#include <cstdio>
#include <sixstep/sixstep.hpp>
#include <vector>

namespace {

using sixstep::Index;

// Whether the ranks hold as many points as the shape has.
bool holds_all(sixstep::Layout const& layout) {
  Index points = 0;
  for (int rank = 0; rank < layout.ranks(); ++rank) points += layout.local_size(rank);
  return points == sixstep::volume(layout.shape());
}

bool by_name(int ranks) {
  // [by_name]
  sixstep::Shape const shape{64, 60, 50};                         // slowest axis first
  auto const slab = sixstep::Layout::slab(shape, ranks);          // first axis split
  auto const pencil = sixstep::Layout::pencil(shape, ranks);      // first two, near square
  auto const brick = sixstep::Layout::brick(shape, ranks);        // all three, near cubic
  auto const grid = sixstep::Layout::grid(shape, {1, ranks, 1});  // ranks along each axis
  // [by_name]
  // [cyclic]
  using enum sixstep::Distribution;
  auto const dealt = sixstep::Layout::grid({1024}, {ranks}, {cyclic});  // i is on rank i mod ranks
  auto const mixed = sixstep::Layout::grid(shape, {1, ranks, 1}, {block, cyclic, block});
  // [cyclic]
  // [order]
  auto const fortran = slab.with_order({2, 1, 0});     // first axis contiguous in memory
  auto const named_anew = slab.transposed({2, 1, 0});  // NumPy's transpose: same memory
  // [order]
  return holds_all(slab) && holds_all(pencil) && holds_all(brick) && holds_all(grid) &&
         holds_all(dealt) && holds_all(mixed) && holds_all(fortran) &&
         named_anew.shape() == sixstep::Shape{50, 60, 64};
}

bool element(int ranks, int rank) {
  auto const layout = sixstep::Layout::pencil({8, 6, 5}, ranks);
  Index const size = layout.array_size(rank);
  std::vector<double> array(static_cast<std::size_t>(size));
  Index const i = layout.box(rank).ranges[0].lo, j = layout.box(rank).ranges[1].lo, k = 3;
  if (layout.box(rank).empty()) return true;
  // [element]
  sixstep::Box const box = layout.box(rank);
  sixstep::Shape const strides = layout.strides(rank);
  Index const at = layout.offset(rank) + (i - box.ranges[0].lo) * strides[0] +
                   (j - box.ranges[1].lo) * strides[1] + (k - box.ranges[2].lo) * strides[2];
  // [element]
  return at == 3;
}

// Each rank has its own planes, like a code that chooses its own boxes.
bool own_boxes(MPI_Comm comm, int ranks, int rank) {
  sixstep::Shape const shape{12, 10, 8};
  std::vector<sixstep::Box> boxes;
  for (int r = 0; r < ranks; ++r) boxes.push_back(sixstep::Layout::slab(shape, ranks, 2).box(r));
  sixstep::Box const my_box = boxes[static_cast<std::size_t>(rank)];
  // [boxes]
  auto const known = sixstep::Layout::boxes(shape, boxes);      // a box for each rank, same list
  auto const own = sixstep::gather_boxes(shape, my_box, comm);  // each rank passes its own
  // [boxes]
  // [ghosts]
  auto const halo = own.with_ghosts({1, 2, 2}, {1, 2, 2});  // before and after, along each axis
  std::vector<sixstep::Shape> extents, starts;              // one per rank
  for (int r = 0; r < ranks; ++r) {
    extents.push_back({16, 16, 16});
    starts.push_back({1, 2, 2});
  }
  auto const any = own.in_arrays(extents, starts);  // as MPI_Type_create_subarray has them
  // [ghosts]
  return known == own && any.array_size(rank) == 16 * 16 * 16 &&
         halo.array_size(rank) == (my_box.empty() ? 0 : 14 * 14 * (my_box.shape()[2] + 4));
}

bool lengths(int ranks) {
  // [lengths]
  Index const length = sixstep::good_size(1021);            // 1024
  Index const in_blocks = sixstep::good_size(1021, ranks);  // a multiple of ranks, too
  // [lengths]
  return length == 1024 && in_blocks >= 1021 && in_blocks % ranks == 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  bool const right = by_name(ranks) && element(ranks, rank) &&
                     own_boxes(MPI_COMM_WORLD, ranks, rank) && lengths(ranks);
  if (rank == 0) {
    // [print]
    for (auto const& layout :
         {sixstep::Layout::slab({64, 60, 50}, 4), sixstep::Layout::pencil({64, 60, 50}, 4),
          sixstep::Layout::brick({64, 60, 50}, 8)}) {
      std::printf("%s\n", layout.describe().c_str());
      std::printf("  rank 3 holds %s\n", sixstep::to_string(layout.box(3)).c_str());
    }
    // [print]
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
