// SPDX-License-Identifier: BSD-3-Clause
// The documents' example of a redistribution: cells of any type from slabs to pencils and back.
//
//   mpiexec -n 4 redistribution
#include <cstdio>
#include <sixstep/sixstep.hpp>
#include <vector>

namespace {

using sixstep::Index;
using sixstep::Layout;
using sixstep::Shape;

struct Cell {
  double density;
  int species;
};

// The cell at a point.
Cell cell(Shape const& at) {
  return {static_cast<double>(at[0]), static_cast<int>(100 * at[1] + at[2])};
}

// The number of this rank's cells that differ from cell().
int wrong_cells(Layout const& layout, int rank, Cell const* cells) {
  int wrong = 0;
  sixstep::for_each(layout, rank, [&](Shape const& at, Index i) {
    Cell const right = cell(at);
    wrong += cells[i].density != right.density || cells[i].species != right.species;
  });
  return wrong;
}

int move_cells(MPI_Comm comm, int rank, int ranks) {
  int wrong = 0;
  // [redistribution]
  Layout const slabs = Layout::slab({48, 50, 52}, ranks);
  Layout const pencils = Layout::pencil({48, 50, 52}, ranks).with_order({2, 1, 0});
  sixstep::Redistribution<Cell> moves(slabs, pencils, comm);
  auto const here = moves.allocate(), there = moves.allocate();
  sixstep::for_each(slabs, rank, [&](Shape const& at, Index i) { here[i] = cell(at); });
  moves.forward(here.get(), there.get());
  wrong += wrong_cells(pencils, rank, there.get());
  moves.backward(there.get(), here.get());
  wrong += wrong_cells(slabs, rank, here.get());
  // [redistribution]
  if (rank == 0) std::printf("%s\n", moves.describe().c_str());
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int wrong = move_cells(MPI_COMM_WORLD, rank, ranks);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%d cells are wrong\n", wrong);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
