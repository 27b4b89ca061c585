// SPDX-License-Identifier: BSD-3-Clause
// FFTW-MPI's calls and ours side by side, row by row of docs/from-others.md: the numbers agree.
#include <fftw3-mpi.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <memory>
#include <vector>

#include "sixstep/sixstep.hpp"

namespace {

using sixstep::Box;
using sixstep::gather_boxes;
using sixstep::Index;
using sixstep::Kind;
using sixstep::Layout;
using sixstep::Order;
using sixstep::Plan;
using sixstep::Redistribution;
using sixstep::Shape;
using sixstep::TuningLevel;
using Complex = std::complex<double>;

MPI_Comm const comm = MPI_COMM_WORLD;
int ranks = 0, rank = 0;
bool all_agree = true;

/// A value for each index of an axis, and for each point of an array.
double value(Index index) { return std::sin(1.0 + 0.7 * static_cast<double>(index * index % 101)); }
Complex value(Shape const& point) {
  double real = 1, imaginary = 0.5;
  for (int axis = 0; axis < point.size(); ++axis) {
    real = 0.5 * real + value(point[axis] + 11 * axis);
    imaginary = 0.3 * imaginary - value(3 * point[axis] + axis);
  }
  return {real, imaginary};
}

std::size_t at(Index i) { return static_cast<std::size_t>(i); }
Complex* as_complex(fftw_complex* array) { return reinterpret_cast<Complex*>(array); }

/// Memory of FFTW's.
template <class T>
struct Memory {
  explicit Memory(ptrdiff_t count) : data(static_cast<T*>(fftw_malloc(sizeof(T) * at(count + 1)))) {
    std::fill_n(data, count, T{});
  }
  ~Memory() { fftw_free(data); }
  Memory(Memory const&) = delete;
  fftw_complex* complex() { return reinterpret_cast<fftw_complex*>(data); }
  T* data;
};

template <class T>
struct Part {
  static T of(Complex z) { return z; }
};
template <>
struct Part<double> {
  static double of(Complex z) { return z.real(); }
};

/// Sets this rank's part of an array to value(point).
template <class T>
void fill(T* array, Layout const& layout) {
  sixstep::for_each(layout, rank, 1,
                    [&](Shape const& point, Index i) { array[i] = Part<T>::of(value(point)); });
}

/// Compares an array of ours with FFTW's, which lies otherwise, and says how far they are apart.
template <class T>
void compare(char const* row, Layout const& ours, T const* mine, Layout const& theirs,
             T const* reference) {
  Redistribution<T> moves(ours, theirs, comm);
  std::vector<T> moved(at(moves.to_size()) + 1);
  moves.forward(mine, moved.data());
  double sizes[2] = {0, 0};  // the largest difference and the largest number
  sixstep::for_each(theirs, rank, 1, [&](Shape const&, Index i) {
    sizes[0] = std::max(sizes[0], std::abs(moved[at(i)] - reference[i]));
    sizes[1] = std::max(sizes[1], std::abs(reference[i]));
  });
  MPI_Allreduce(MPI_IN_PLACE, sizes, 2, MPI_DOUBLE, MPI_MAX, comm);
  bool const agrees = sizes[0] <= 1e-13 * sizes[1] && sizes[1] > 0;
  all_agree = all_agree && agrees;
  if (rank == 0 && !agrees)
    std::printf("%s: numbers as large as %g differ by %g\n", row, sizes[1], sizes[0]);
}

/// The layout of rows that begin at `start`, as FFTW dealt them out, along an axis.
Layout dealt_out(Shape const& shape, int axis, ptrdiff_t rows, ptrdiff_t start,
                 Order const& order = {}) {
  Box box;
  for (Index extent : shape) box.ranges.push_back({0, extent});
  box.ranges[axis] = {start, start + rows};
  return gather_boxes(shape, box, comm, order);
}

/// All that is done with arrays of three axes.
struct ThreeAxes {
  ptrdiff_t n0, n1, n2;
  Shape shape{n0, n1, n2};
  Layout slab = Layout::slab({n0, n1, n2}, ranks);
  ptrdiff_t local_n0 = 0, local_0_start = 0, local_n1 = 0, local_1_start = 0;
  ptrdiff_t alloc_local = fftw_mpi_local_size_3d_transposed(
      n0, n1, n2, comm, &local_n0, &local_0_start, &local_n1, &local_1_start);
  Layout rows = dealt_out(shape, 0, local_n0, local_0_start);  // FFTW's
  Layout columns = dealt_out(shape, 1, local_n1, local_1_start, {1, 0, 2});

  void size() {
    ptrdiff_t const least = fftw_mpi_local_size_3d(n0, n1, n2, comm, &local_n0, &local_0_start);
    all_agree = all_agree && least <= alloc_local;
    Layout const layout = Layout::slab({n0, n1, n2}, ranks);
    // FFTW's blocks are the same where the ranks divide the planes.
    sixstep::Range const planes = layout.box(rank).ranges[0];
    if (n0 % ranks == 0)
      all_agree = all_agree && planes.lo == local_0_start && planes.count() == local_n0;
  }

  void complex() {
    fftw_complex* const in = fftw_alloc_complex(at(alloc_local + 1));
    fftw_complex* const out = fftw_alloc_complex(at(alloc_local + 1));
    fftw_plan theirs = fftw_mpi_plan_dft_3d(n0, n1, n2, in, out, comm, FFTW_FORWARD, FFTW_ESTIMATE);
    fill(as_complex(in), rows);
    fftw_execute(theirs);
    auto plan = Plan<double>(slab, slab, comm);
    auto const field = plan.allocate(), spectrum = plan.allocate();
    fill(field.get(), slab);
    plan.forward(field.get(), spectrum.get());
    compare("fftw_mpi_plan_dft_3d", slab, spectrum.get(), rows, as_complex(out));

    Plan<double> same(rows, rows, comm);  // in FFTW's blocks, and any other arrays
    std::vector<Complex> mine(at(same.input_size() + 1)), result(at(same.output_size() + 1));
    fill(mine.data(), rows);
    same.forward(mine.data(), result.data());
    compare("block0", rows, result.data(), rows, as_complex(out));
    fill(as_complex(in), rows);
    fftw_mpi_execute_dft(theirs, in, out);
    compare("fftw_mpi_execute_dft", rows, result.data(), rows, as_complex(out));
    fftw_destroy_plan(theirs);
    options(in, out);
    fftw_free(in);
    fftw_free(out);
  }

  /// The same transform with what can be chosen.
  void options(fftw_complex* in, fftw_complex* out) {
    constexpr int n = 2;
    fftw_plan_with_nthreads(n);
    unsigned const flags = n0 == 7 ? FFTW_MEASURE : FFTW_ESTIMATE;  // which takes a while
    fftw_plan theirs =
        fftw_mpi_plan_dft_3d(n0, n1, n2, in, out, comm, FFTW_FORWARD, flags | FFTW_DESTROY_INPUT);
    fftw_plan_with_nthreads(1);
    fill(as_complex(in), rows);
    fftw_execute(theirs);
    fftw_destroy_plan(theirs);
    sixstep::Options const threads{.threads = n}, careless{.preserve_input = false};
    sixstep::Options tuned{.tuning = TuningLevel::quick};
    tuned.tuning_seconds = 0.1;
    for (sixstep::Options const& chosen : {threads, careless, n0 == 7 ? tuned : threads}) {
      Plan<double> plan(slab, slab, comm, chosen);
      auto const field = plan.allocate(), spectrum = plan.allocate();
      fill(field.get(), slab);
      plan.forward(field.get(), spectrum.get());
      compare("fftw_plan_with_nthreads, FFTW_DESTROY_INPUT, FFTW_MEASURE", slab, spectrum.get(),
              rows, as_complex(out));
    }
  }

  void transposed() {
    Memory<Complex> in(alloc_local), out(alloc_local), back(alloc_local);
    fill(in.data, rows);
    std::vector<Complex> field(at(slab.local_size(rank)) + 1);
    fill(field.data(), slab);
    // [transposed_out]
    // FFTW: fftw_mpi_plan_dft_3d(n0, n1, n2, in, out, comm, FFTW_FORWARD, FFTW_MPI_TRANSPOSED_OUT)
    Layout const transposed = Layout::slab(shape, ranks, 1).with_order({1, 0, 2});
    Plan<double> plan(slab, transposed, comm);
    // [transposed_out]
    fftw_plan forward = fftw_mpi_plan_dft_3d(n0, n1, n2, in.complex(), out.complex(), comm,
                                             FFTW_FORWARD, FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_OUT);
    fftw_execute(forward);
    std::vector<Complex> spectrum(at(plan.output_size()) + 1);
    plan.forward(field.data(), spectrum.data());
    compare("FFTW_MPI_TRANSPOSED_OUT", plan.output(), spectrum.data(), columns, out.data);
    // As numbers lie in memory, not only point by point.
    if (n1 % ranks == 0) all_agree = all_agree && lie_alike(spectrum.data(), out.data);

    fftw_plan backward =
        fftw_mpi_plan_dft_3d(n0, n1, n2, out.complex(), back.complex(), comm, FFTW_BACKWARD,
                             FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_IN);
    fftw_execute(backward);
    plan.backward(spectrum.data(), field.data());
    compare("FFTW_MPI_TRANSPOSED_IN", slab, field.data(), rows, back.data);
    Plan<double> from_transposed(transposed, slab, comm);
    from_transposed.execute(spectrum.data(), field.data(), sixstep::Direction::forward,
                            sixstep::Sign::plus);
    compare("FFTW_MPI_TRANSPOSED_IN, as the input", slab, field.data(), rows, back.data);
    fftw_destroy_plan(forward);
    fftw_destroy_plan(backward);
  }

  bool lie_alike(Complex const* mine, Complex const* theirs) const {
    bool alike = true;
    for (Index i = 0; i < local_n1 * n0 * n2; ++i)
      alike = alike && std::abs(mine[i] - theirs[i]) <= 1e-12 * static_cast<double>(n0 * n1 * n2);
    return alike;
  }

  void real() {
    ptrdiff_t const half = n2 / 2 + 1;
    Layout const padded = rows.with_ghosts({0, 0, 0}, {0, 0, 2 * half - n2});
    Layout const half_rows = dealt_out({n0, n1, half}, 0, local_n0, local_0_start);
    Memory<Complex> array(alloc_local);
    auto* const in = reinterpret_cast<double*>(array.data);
    fftw_plan plan_of_fftw =
        fftw_mpi_plan_dft_r2c_3d(n0, n1, n2, in, array.complex(), comm, FFTW_ESTIMATE);
    fill(in, padded);
    fftw_execute(plan_of_fftw);
    fftw_destroy_plan(plan_of_fftw);

    Layout const half_slab = Layout::slab({n0, n1, half}, ranks);
    Plan<double> plan(slab, half_slab, comm, {.kinds = {Kind::r2c}, .padded = true});
    auto const both = plan.allocate();
    auto* const field = reinterpret_cast<double*>(both.get());
    fill(field, slab.with_ghosts({0, 0, 0}, {0, 0, 2 * half - n2}));
    plan.forward(field, both.get());
    compare("fftw_mpi_plan_dft_r2c_3d", half_slab, both.get(), half_rows, array.data);
  }

  void cosines() {
    Memory<double> in(2 * alloc_local), out(2 * alloc_local);
    fill(in.data, rows);
    fftw_plan plan_of_fftw = fftw_mpi_plan_r2r_3d(n0, n1, n2, in.data, out.data, comm, FFTW_REDFT10,
                                                  FFTW_REDFT10, FFTW_REDFT10, FFTW_ESTIMATE);
    fftw_execute(plan_of_fftw);
    fftw_destroy_plan(plan_of_fftw);
    Plan<double> plan(slab, slab, comm, {.kinds = {Kind::dct2}});
    std::vector<double> field(at(plan.input_size()) + 1), spectrum(field);
    fill(field.data(), slab);
    plan.forward(field.data(), spectrum.data());
    compare("FFTW_REDFT10", slab, spectrum.data(), rows, out.data);
  }

  void many() {
    constexpr int howmany = 3;
    ptrdiff_t const n[] = {n0, n1, n2};
    ptrdiff_t rows_here = 0, first = 0;
    ptrdiff_t const room =
        fftw_mpi_local_size_many(3, n, howmany, FFTW_MPI_DEFAULT_BLOCK, comm, &rows_here, &first);
    // The tuples as one more axis.
    Shape const tuples{n0, n1, n2, howmany};
    Layout const their_tuples = dealt_out(tuples, 0, rows_here, first);
    Memory<Complex> in(room), out(room);
    fill(in.data, their_tuples);
    fftw_plan plan_of_fftw =
        fftw_mpi_plan_many_dft(3, n, howmany, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                               in.complex(), out.complex(), comm, FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_execute(plan_of_fftw);
    fftw_destroy_plan(plan_of_fftw);
    Plan<double> plan(slab, slab, comm, {.fields = howmany, .interleaved = true});
    std::vector<Complex> field(at(plan.input_size()) + 1), spectrum(field);
    Layout const our_tuples = Layout::slab(tuples, ranks);
    fill(field.data(), our_tuples);
    plan.forward(field.data(), spectrum.data());
    compare("fftw_mpi_plan_many_dft", our_tuples, spectrum.data(), their_tuples, out.data);
  }
};

void transposes(ptrdiff_t n0, ptrdiff_t n1) {
  ptrdiff_t const n[] = {n0, n1};
  ptrdiff_t local_n0 = 0, local_0_start = 0, local_n1 = 0, local_1_start = 0;
  ptrdiff_t const room = fftw_mpi_local_size_many_transposed(
      2, n, 1, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK, comm, &local_n0, &local_0_start,
      &local_n1, &local_1_start);
  Layout const rows = dealt_out({n0, n1}, 0, local_n0, local_0_start);
  Layout const columns = dealt_out({n0, n1}, 1, local_n1, local_1_start, {1, 0});
  Memory<double> in(room), out(room);
  fill(in.data, rows);
  fftw_plan plan_of_fftw =
      fftw_mpi_plan_many_transpose(n0, n1, 1, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                                   in.data, out.data, comm, FFTW_ESTIMATE);
  fftw_execute(plan_of_fftw);
  fftw_destroy_plan(plan_of_fftw);
  Layout const from = Layout::slab({n0, n1}, ranks);
  Layout const to = Layout::slab({n0, n1}, ranks, 1).with_order({1, 0});
  Redistribution<double> moves(from, to, comm);
  std::vector<double> field(at(moves.from_size()) + 1);
  std::vector<double> turned(at(moves.to_size()) + 1);
  fill(field.data(), from);
  moves.forward(field.data(), turned.data());
  compare("fftw_mpi_plan_many_transpose", to, turned.data(), columns, out.data);
}

/// What plans say of themselves, and what is learned of them.
void words() {
  constexpr ptrdiff_t n0 = 8;
  Memory<Complex> array(2 * n0 * n0);
  {
    fftw_plan plan = fftw_mpi_plan_dft_2d(n0, n0, array.complex(), array.complex(), comm,
                                          FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_print_plan(plan);
    fftw_destroy_plan(plan);
    fftw_mpi_gather_wisdom(comm);
    fftw_mpi_broadcast_wisdom(comm);
  }
  Plan<double> plan(Layout::slab({n0, n0}, ranks), comm);
  all_agree = all_agree && !plan.describe().empty();
}

/// One long axis; FFTW deals its output out in other blocks than its input.
void one_axis(ptrdiff_t n0) {
  ptrdiff_t local_ni = 0, local_i_start = 0, local_no = 0, local_o_start = 0;
  ptrdiff_t const room = fftw_mpi_local_size_1d(n0, comm, FFTW_FORWARD, FFTW_ESTIMATE, &local_ni,
                                                &local_i_start, &local_no, &local_o_start);
  Layout const their_input = dealt_out({n0}, 0, local_ni, local_i_start);
  Layout const their_output = dealt_out({n0}, 0, local_no, local_o_start);
  Memory<Complex> in(room + n0), out(room + n0), scrambled(room + n0);
  fill(in.data, their_input);
  fftw_plan plan_of_fftw =
      fftw_mpi_plan_dft_1d(n0, in.complex(), out.complex(), comm, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(plan_of_fftw);
  fftw_destroy_plan(plan_of_fftw);
  Layout const line = Layout::slab({n0}, ranks);
  Plan<double> natural(line, line, comm);
  std::vector<Complex> field(at(natural.input_size()) + 1), spectrum(field);
  fill(field.data(), line);
  natural.forward(field.data(), spectrum.data());
  compare("fftw_mpi_plan_dft_1d", line, spectrum.data(), their_output, out.data);

  // Each in an order of its own, there and back: the field, n0 times as large.
  fill(in.data, their_input);
  fftw_plan there = fftw_mpi_plan_dft_1d(n0, in.complex(), scrambled.complex(), comm, FFTW_FORWARD,
                                         FFTW_ESTIMATE | FFTW_MPI_SCRAMBLED_OUT);
  fftw_plan back = fftw_mpi_plan_dft_1d(n0, scrambled.complex(), out.complex(), comm, FFTW_BACKWARD,
                                        FFTW_ESTIMATE | FFTW_MPI_SCRAMBLED_IN);
  bool const has_plans = there != nullptr && back != nullptr;  // not of every length
  if (has_plans) {
    fftw_execute(there);
    fftw_execute(back);
  }
  Plan<double> plan(line, comm);
  std::vector<Complex> digits(at(std::max(plan.output_size(), plan.input_size()) + 1));
  plan.forward(field.data(), digits.data());
  // Where plan.output() has the shape {N2, N1}, (k2, k1) is coefficient k2 N1 + k1.
  std::vector<Complex> all(at(n0));
  sixstep::for_each(plan.output(), rank, 1, [&](Shape const& k, Index i) {
    Index const number = k.size() == 1 ? k[0] : k[0] * plan.output().shape()[1] + k[1];
    all[at(number)] = digits[at(i)];
  });
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(2 * n0), MPI_DOUBLE, MPI_SUM, comm);
  for (Index i = 0; i < line.local_size(rank); ++i)
    digits[at(i)] = all[at(line.box(rank).ranges[0].lo + i)];
  compare("FFTW_MPI_SCRAMBLED_OUT", line, digits.data(), line, spectrum.data());
  plan.forward(field.data(), digits.data());
  plan.backward(digits.data(), spectrum.data());
  all_agree = all_agree && (has_plans || ranks == 1 || n0 != 144);
  if (has_plans)
    compare("FFTW_MPI_SCRAMBLED_OUT and back", line, spectrum.data(), their_input, out.data);
  if (there != nullptr) fftw_destroy_plan(there);
  if (back != nullptr) fftw_destroy_plan(back);
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  fftw_init_threads();
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  fftw_mpi_init();
  for (Shape const& shape : {Shape{8, 12, 6}, Shape{7, 5, 9}, Shape{9, 6, 5}, Shape{3, 10, 4}}) {
    ThreeAxes of{shape[0], shape[1], shape[2]};
    of.size();
    of.complex();
    of.transposed();
    of.real();
    of.cosines();
    of.many();
    transposes(shape[0], shape[1]);
  }
  for (ptrdiff_t n0 : {144, 150, 77}) one_axis(n0);
  words();
  fftw_mpi_cleanup();
  int agreed = all_agree ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &agreed, 1, MPI_INT, MPI_MIN, comm);
  MPI_Finalize();
  return agreed ? 0 : 1;
}
