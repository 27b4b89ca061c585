// SPDX-License-Identifier: BSD-3-Clause
// The code of docs/tutorial.md, docs/one-node.md and docs/from-others.md: making and executing
// plans.
//
//   mpiexec -n 2 plans
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sixstep/serial.hpp>
#include <sixstep/sixstep.hpp>
#include <vector>

namespace {

using sixstep::Index;

// The largest |a - b|.
template <class Real>
double difference(std::vector<std::complex<Real>> const& a,
                  std::vector<std::complex<Real>> const& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, static_cast<double>(std::abs(a[i] - b[i])));
  return largest;
}

double there_and_back(MPI_Comm comm, int ranks, int rank) {
  // [layout]
  sixstep::Shape const shape{64, 60, 50};                  // slowest axis first
  auto const input = sixstep::Layout::slab(shape, ranks);  // 64 planes, split over the ranks
  // [layout]
  // [plan]
  sixstep::Plan<double> plan(input, comm);            // cheapest output layout
  sixstep::Plan<double> natural(input, input, comm);  // ... or your own
  if (rank == 0) std::puts(plan.describe().c_str());
  // [plan]
  // [arrays]
  std::vector<std::complex<double>> field(plan.input_size()), spectrum(plan.output_size());
  sixstep::for_each(plan.input_box(), plan.input_strides(),
                    [&](sixstep::Shape const& point, Index i) {  // its global indices; its offset
                      field[i] = std::cos(static_cast<double>(point[0] + 2 * point[2]));
                    });
  // [arrays]
  auto const before = field;
  // [execute]
  plan.forward(field.data(), spectrum.data());
  plan.backward(spectrum.data(), field.data(), sixstep::Scale::by_n);  // the field again
  // [execute]
  double error = difference(field, before);
  // [in_place]
  std::vector<std::complex<double>> array(plan.in_place_size());
  std::copy(field.begin(), field.end(), array.begin());
  plan.forward(array.data(), array.data());
  plan.backward(array.data(), array.data(), sixstep::Scale::by_n);
  // [in_place]
  array.resize(field.size());
  error = std::max(error, difference(array, before));
  // [workspace]
  sixstep::Plan<double> lean(input, comm, {.own_workspace = false});
  std::unique_ptr<void, decltype(&std::free)> const memory(
      std::aligned_alloc(64, lean.workspace_bytes()), &std::free);
  lean.set_workspace(memory.get(), lean.workspace_bytes());
  // [workspace]
  lean.forward(field.data(), spectrum.data());
  lean.backward(spectrum.data(), field.data(), sixstep::Scale::by_n);
  return std::max(error, difference(field, before));
}

double with_options(MPI_Comm comm, int ranks) {
  auto const input = sixstep::Layout::pencil({16, 40, 30}, ranks);
  // [options]
  sixstep::Plan<float> plan(
      input, comm, {.axes = {1, 2}, .exchange = sixstep::Exchange::pairwise, .threads = 2});
  // [options]
  std::vector<std::complex<float>> planes(plan.input_size(), 1.0f), modes(plan.output_size());
  auto const before = planes;
  plan.forward(planes.data(), modes.data());
  plan.backward(modes.data(), planes.data(), sixstep::Scale::by_n);
  return difference(planes, before);
}

// A member plan is empty until a plan is assigned to it.
struct Solver {
  sixstep::Plan<double> plan;
  bool ready() const { return bool(plan); }
};

double members(MPI_Comm comm, int ranks) {
  Solver solver;
  if (solver.ready()) return 1;
  solver.plan = sixstep::Plan<double>(sixstep::Layout::slab({8, 8}, ranks), comm);
  return solver.ready() ? 0 : 1;
}

double shared(MPI_Comm comm, int ranks) {
  auto const layout = sixstep::Layout::slab({32, 30, 28}, ranks);
  // [allocate]
  sixstep::Plan<double> plan(layout, layout, comm);
  std::shared_ptr<std::complex<double>[]> const field = plan.allocate();  // collective
  std::shared_ptr<std::complex<double>[]> const spectrum = plan.allocate();
  std::fill_n(field.get(), plan.input_size(), 1.0);
  plan.forward(field.get(), spectrum.get());  // no work array, no copy between the ranks of a node
  // [allocate]
  plan.backward(spectrum.get(), field.get(), sixstep::Scale::by_n);
  double error = 0;
  for (Index i = 0; i < plan.input_size(); ++i) error = std::max(error, std::abs(field[i] - 1.0));
  return error;
}

// FFTW's guru interface: ten transforms of 12 x 16, each of them every fifth element of an array.
double strided() {
  std::vector<std::complex<double>> in(10 * 12 * 16 * 5, 1.0), out(10 * 12 * 16);
  // [strides]
  // fftw_iodim64 dims[] = {{12, 80, 16}, {16, 5, 1}}, batch[] = {{10, 960, 192}};
  // fftw_plan_guru64_dft(2, dims, 1, batch, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
  sixstep::SerialPlan<double> plan({10, 12, 16}, {.axes = {1, 2},  // axis 0 is the batch
                                                  .input_strides = {960, 80, 5},
                                                  .output_strides = {192, 16, 1}});
  plan.forward(in.data(), out.data());
  // [strides]
  double error = 0;
  for (std::size_t i = 0; i < out.size(); ++i)
    error = std::max(error, std::abs(out[i] - (i % 192 == 0 ? 192.0 : 0.0)));
  return error;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double errors[] = {there_and_back(MPI_COMM_WORLD, ranks, rank),
                     with_options(MPI_COMM_WORLD, ranks), members(MPI_COMM_WORLD, ranks),
                     shared(MPI_COMM_WORLD, ranks), strided()};
  MPI_Allreduce(MPI_IN_PLACE, errors, 5, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return errors[0] < 1e-13 && errors[1] < 1e-5 && errors[2] == 0 && errors[3] < 1e-13 &&
                 errors[4] < 1e-10
             ? 0
             : 1;
}
