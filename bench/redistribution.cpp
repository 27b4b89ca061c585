// SPDX-License-Identifier: BSD-3-Clause
// Redistributions alone: against MPI_Alltoallw with derived types, and a transposition in place
// against FFTW's.
//
//   mpiexec -n 2 redistribution
//
// Every result is compared with the global indices before anything is timed.
#include <CLI/CLI.hpp>
#include <complex>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness.hpp"
#include "node/rounds.hpp"
#include "ranks.hpp"
#include "sixstep/redistribution.hpp"
#ifdef SIXSTEP_HAVE_FFTW_MPI
#include <fftw3-mpi.h>
#endif

namespace sixstep::bench {
namespace {

/// Calls visit(number of the point, offset) for all points that a rank holds.
void for_each_point(Layout const& layout, int rank,
                    std::function<void(Index, Index)> const& visit) {
  Box const box = layout.box(rank);
  Shape const strides = layout.strides(rank), shape = layout.shape();
  for (Index i = box.ranges[0].lo; i < box.ranges[0].hi; ++i)
    for (Index j = box.ranges[1].lo; j < box.ranges[1].hi; ++j)
      for (Index k = box.ranges[2].lo; k < box.ranges[2].hi; ++k)
        visit((i * shape[1] + j) * shape[2] + k, (i - box.ranges[0].lo) * strides[0] +
                                                     (j - box.ranges[1].lo) * strides[1] +
                                                     (k - box.ranges[2].lo) * strides[2]);
}

template <class T>
void fill(T* array, Layout const& layout, int rank) {
  for_each_point(layout, rank, [&](Index number, Index offset) {
    array[offset] = static_cast<T>(static_cast<double>(number));
  });
}

/// Errors, on all ranks: an element that is not where it should be.
template <class T>
void check(T const* array, Layout const& layout, MPI_Comm comm, std::string const& who) {
  int wrong = 0;
  for_each_point(layout, cli::rank_of(comm), [&](Index number, Index offset) {
    if (array[offset] != static_cast<T>(static_cast<double>(number))) wrong = 1;
  });
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, comm);
  require(wrong == 0, who, ": an element is in the wrong place");
}

/// MPI_Alltoallw, every message a derived type: a subarray, or nested vectors where the memory is
/// in another order than C's.
class Alltoallw {
 public:
  using T = std::complex<double>;

  Alltoallw(Layout const& from, Layout const& to, MPI_Comm comm) : comm_(comm) {
    int const rank = cli::rank_of(comm);
    for (int other = 0; other < cli::ranks_of(comm); ++other) {
      add(send_, from, rank, intersect(from.box(rank), to.box(other)));
      add(receive_, to, rank, intersect(to.box(rank), from.box(other)));
    }
  }
  ~Alltoallw() {
    for (End* end : {&send_, &receive_})
      for (MPI_Datatype& type : end->types) MPI_Type_free(&type);
  }
  Alltoallw(Alltoallw const&) = delete;

  void run(T const* in, T* out) const {
    MPI_Alltoallw(in, send_.counts.data(), send_.offsets.data(), send_.types.data(), out,
                  receive_.counts.data(), receive_.offsets.data(), receive_.types.data(), comm_);
  }

 private:
  struct End {
    std::vector<int> counts, offsets;
    std::vector<MPI_Datatype> types;
  };

  static void add(End& end, Layout const& layout, int rank, Box const& part) {
    Box const box = layout.box(rank);
    Shape const strides = layout.strides(rank);
    int sizes[3], counts[3], starts[3];
    MPI_Aint offset = 0;
    for (int axis = 0; axis < 3; ++axis) {
      sizes[axis] = static_cast<int>(box.ranges[axis].count());
      counts[axis] = static_cast<int>(part.ranges[axis].count());
      starts[axis] = static_cast<int>(part.ranges[axis].lo - box.ranges[axis].lo);
      offset += starts[axis] * strides[axis] * MPI_Aint{sizeof(T)};
    }
    MPI_Datatype type;
    if (part.empty()) {
      MPI_Type_contiguous(1, MPI_C_DOUBLE_COMPLEX, &type);
    } else if (layout.order() == c_order(3)) {
      MPI_Type_create_subarray(3, sizes, counts, starts, MPI_ORDER_C, MPI_C_DOUBLE_COMPLEX, &type);
    } else {
      MPI_Datatype nested = MPI_C_DOUBLE_COMPLEX;
      for (int axis = 2; axis >= 0; --axis) {
        MPI_Datatype longer;
        MPI_Type_create_hvector(counts[axis], 1, strides[axis] * MPI_Aint{sizeof(T)}, nested,
                                &longer);
        if (nested != MPI_C_DOUBLE_COMPLEX) MPI_Type_free(&nested);
        nested = longer;
      }
      int const one = 1;
      MPI_Type_create_hindexed(1, &one, &offset, nested, &type);
      MPI_Type_free(&nested);
    }
    MPI_Type_commit(&type);
    end.types.push_back(type);
    end.counts.push_back(part.empty() ? 0 : 1);
    end.offsets.push_back(0);
  }

  MPI_Comm comm_;
  End send_, receive_;
};

void report(std::string const& what, std::string const& rival, Trials const& trials,
            MPI_Comm comm) {
  if (cli::rank_of(comm) != 0) return;
  std::printf("%-28s sixstep %8.3f ms   %-22s %8.3f ms   ratio %.2f\n", what.c_str(),
              1e3 * median(trials[0]), rival.c_str(), 1e3 * median(trials[1]),
              median_ratio(trials[0], trials[1]));
  std::fflush(stdout);
}

void against_alltoallw(std::string const& what, Layout const& from, Layout const& to,
                       node::Patience const& patience, MPI_Comm comm) {
  using T = Alltoallw::T;
  int const rank = cli::rank_of(comm);
  Redistribution<T> ours(from, to, comm);
  auto const in = ours.allocate(), out = ours.allocate();
  fill(in.get(), from, rank);
  std::vector<T> their_in(in.get(), in.get() + ours.from_size()),
      their_out(static_cast<std::size_t>(ours.to_size()));
  Alltoallw const theirs(from, to, comm);
  ours.execute(in.get(), out.get());
  check(out.get(), to, comm, "sixstep");
  theirs.run(their_in.data(), their_out.data());
  check(their_out.data(), to, comm, "MPI_Alltoallw");
  Trials const trials = node::take_turns({[&] { ours.execute(in.get(), out.get()); },
                                          [&] { theirs.run(their_in.data(), their_out.data()); }},
                                         patience, comm);
  report(what, "MPI_Alltoallw", trials, comm);
}

#ifdef SIXSTEP_HAVE_FFTW_MPI
/// Each run transposes what the one before has left.
void against_fftw(node::Patience const& patience, MPI_Comm comm) {
  constexpr Index n = 256, tuple = 16;
  int const ranks = cli::ranks_of(comm), rank = cli::rank_of(comm);
  Shape const shape{n, n, tuple};
  auto const from = Layout::slab(shape, ranks);
  Layout const to = Layout::slab(shape, ranks, 1).with_order({1, 0, 2});
  Redistribution<double> ours(from, to, comm);
  auto const array = ours.allocate();

  fftw_mpi_init();
  std::ptrdiff_t rows, first_row, columns, first_column;
  std::ptrdiff_t const size = fftw_mpi_local_size_many_transposed(
      2, std::vector<std::ptrdiff_t>{n, n}.data(), tuple, FFTW_MPI_DEFAULT_BLOCK,
      FFTW_MPI_DEFAULT_BLOCK, comm, &rows, &first_row, &columns, &first_column);
  double* const theirs = fftw_alloc_real(static_cast<std::size_t>(size));
  fftw_plan const plan =
      fftw_mpi_plan_many_transpose(n, n, tuple, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                                   theirs, theirs, comm, FFTW_MEASURE);
  fill(array.get(), from, rank);
  fill(theirs, from, rank);
  ours.execute(array.get(), array.get());
  check(array.get(), to, comm, "sixstep");
  fftw_execute(plan);
  check(theirs, to, comm, "FFTW");
  Trials const trials = node::take_turns(
      {[&] { ours.execute(array.get(), array.get()); }, [&] { fftw_execute(plan); }}, patience,
      comm);
  report("256 x 256 x 16 in place", "FFTW (measured)", trials, comm);
  fftw_destroy_plan(plan);
  fftw_free(theirs);
}
#endif

void run(Index side, node::Patience const& patience, MPI_Comm comm) {
  int const ranks = cli::ranks_of(comm);
  Shape const shape(3, side);
  Grid pencil{1, 1, 1};
  for (int axis = 0; int const parts : choose_grid({side, side}, ranks, 2)) pencil[++axis] = parts;
  auto const slab = Layout::slab(shape, ranks), pencils = Layout::grid(shape, pencil);
  std::string const cube = text(side, "^3, ");
  against_alltoallw(cube + "slab to pencil", slab, pencils, patience, comm);
  against_alltoallw(cube + "and order zyx", slab, pencils.with_order({2, 1, 0}), patience, comm);
  against_alltoallw(cube + "order alone", slab, slab.with_order({2, 1, 0}), patience, comm);
#ifdef SIXSTEP_HAVE_FFTW_MPI
  against_fftw({3 * patience.rounds, patience.seconds}, comm);
#endif
}

}  // namespace
}  // namespace sixstep::bench

int main(int argc, char** argv) {
  CLI::App app{"Redistributions of complex doubles against MPI_Alltoallw, and FFTW's transposition",
               "redistribution"};
  sixstep::Index side = 256;
  sixstep::bench::node::Patience patience{.rounds = 11, .seconds = 1};
  app.add_option("--side", side, "of the cube");
  sixstep::bench::add_rounds(app, patience.rounds, "at least");
  sixstep::bench::add_seconds(app, patience.seconds, "at least, a case");
  return sixstep::bench::run_on_ranks(
      app, argc, argv, [&](MPI_Comm comm) { sixstep::bench::run(side, patience, comm); });
}
