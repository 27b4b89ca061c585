// SPDX-License-Identifier: BSD-3-Clause
// What a job makes: a plan, an operator, a map or a convolution. Each is made, prepared before an
// execution and called in its own way; all else is the same.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sixstep/convolution.hpp"
#include "sixstep/device.hpp"
#include "sixstep/map.hpp"
#include "sixstep/open_poisson.hpp"
#include "sixstep/operator.hpp"

#include "comm.hpp"
#include "free_space.hpp"
#include "kept_waves.hpp"
#include "problem.hpp"
#include "reference.hpp"
#include "side.hpp"
#include "solver_reference.hpp"
#include "tested_device.hpp"

namespace soak {

using sixstep::Convolution;
using sixstep::Map;
using sixstep::Operator;
using sixstep::Plan;

template <class Thing>
using Tag = std::type_identity<Thing>;

/// What is known of the two arrays of a job before it is made.
struct Ends {
  std::optional<Layout> input, output;  // layouts, where the job tells them
  bool is_real_input = false, is_real_output = false;
  Index input_row = 0, output_row = 0;  // of padded rows
};
inline Ends ends_of(Job const& job, int ranks) {
  Ends ends;
  bool const is_real = is_real_input(job);
  if (job.output) ends.output = layout_of(*job.output, output_shape_of(job), ranks);
  if (job.make == Make::map) {
    ends.input = ends.output;
    if (job.solver.results_in)
      ends.output = layout_of(*job.solver.results_in, result_shape(job), ranks);
    ends.is_real_input = ends.is_real_output = is_real_output(job);
    return ends;
  }
  ends.input = layout_of(job.input, job.shape, ranks);
  ends.is_real_input = is_real;
  ends.is_real_output = job.make == Make::plan ? is_real_output(job) : is_real;
  ends.input_row = padded_row(job);
  if ((job.make == Make::op || job.make == Make::open_poisson) && !job.output) {
    ends.output = ends.input;
    ends.output_row = ends.input_row;
  }
  return ends;
}

// Plans.

/// Arrays are allocated there, whichever ranks a plan is of.
inline int gpu_of_process() {
  static int const gpu = sixstep::take_gpu(rank_in(MPI_COMM_WORLD));
  return gpu;
}

/// The job's options, for the GPU of this process.
inline sixstep::Options options_here(Job const& job) {
  sixstep::Options options = job.options;
  if (options.device == Device::cuda) options.gpu = gpu_of_process();
  return options;
}

template <class Real>
Plan<Real> make(Tag<Plan<Real>>, Job const& job, MPI_Comm comm) {
  sixstep::Options const options = options_here(job);
  Ends const ends = ends_of(job, size_of(comm));
  if (!ends.output) return Plan<Real>(*ends.input, comm, options);
  return Plan<Real>(*ends.input, *ends.output, comm, options);
}

/// Calls the overload for such elements.
template <class Real>
void call(Plan<Real>& plan, Real const* in, Real* out, Ends const& ends, Execution const& one) {
  using Complex = std::complex<Real>;
  auto const* const complex_in = reinterpret_cast<Complex const*>(in);
  auto* const complex_out = reinterpret_cast<Complex*>(out);
  bool const forward = one.direction == Direction::forward;
  bool const real_in = forward ? ends.is_real_input : ends.is_real_output;
  bool const real_out = forward ? ends.is_real_output : ends.is_real_input;
  if (real_in && real_out)
    plan.execute(in, out, one.direction, one.scale);
  else if (real_in)
    plan.execute(in, complex_out, one.scale);
  else if (real_out)
    plan.execute(complex_in, out, one.scale);
  else
    plan.execute(complex_in, complex_out, one.direction, one.scale);
}

template <class Real>
void prepare(Plan<Real>&, Job const&, MPI_Comm, std::uint64_t, int) {}

/// The numbers in the box of a packed array's elements, as the plan tells their waves; empty if it
/// is not packed. An element that belongs to no coefficient has -1. Collective.
template <class Real>
std::vector<Index> packing_of(Plan<Real> const& plan, Job const& job, MPI_Comm comm) {
  if (!is_packed(job)) return {};
  std::vector<AxisKind> const kinds = kinds_of(job);
  Shape const box = result_shape(job);
  std::vector<Index> numbers(static_cast<std::size_t>(plan.output().shape()[0]));
  sixstep::for_each(plan.output(), rank_in(comm), [&](Shape const& element, Index) {
    auto const waves = plan.wavenumber(element);
    Index number = 0;
    Shape coefficient(box.size(), 0);
    for (AxisKind const& one : kinds)
      coefficient[one.axis] = coefficient_of(one.kind, one.modes, waves[one.axis]);
    for (int axis = 0; axis < box.size(); ++axis) {
      bool const is_there = coefficient[axis] >= 0 && coefficient[axis] < box[axis];
      number = is_there && number >= 0 ? number * box[axis] + coefficient[axis] : -1;
    }
    numbers[static_cast<std::size_t>(element[0])] = number;
  });
  MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_INT64_T,
                MPI_SUM, comm);
  return numbers;
}

/// The order of a map is that of a plan of its points with the same options.
template <class Real>
std::vector<Index> packing_of(Map<Real> const&, Job const& job, MPI_Comm comm) {
  if (!is_packed(job)) return {};
  sixstep::Options options = job.options;
  options.own_workspace = true;
  return packing_of(Plan<Real>(layout_of(job.input, job.shape, size_of(comm)), comm, options), job,
                    comm);
}

template <class Thing>
std::vector<Index> packing_of(Thing const&, Job const&, MPI_Comm) {
  return {};
}

// Solvers.

/// A rank's part of the numbers of a symbol for the coefficients, in slabs along one of the axes.
template <class Real>
class ArrayOfNumbers {
 public:
  ArrayOfNumbers(Job const& job, int variant, MPI_Comm comm)
      : layout_(sixstep::Layout::slab(coefficients_shape(job), size_of(comm),
                                      variant % job.shape.size())) {
    solver_oracle::Numbers const numbers = numbers_of(job, variant);
    std::vector<AxisKind> const kinds = kinds_of(job);
    are_real_ = job.solver.real || std::all_of(kinds.begin(), kinds.end(), [](AxisKind const& one) {
                  return is_r2r(one.kind);
                });
    auto const reals = static_cast<std::size_t>(are_real_ ? 1 : 2);
    reals_.resize(static_cast<std::size_t>(layout_.local_size(rank_in(comm))) * reals);
    sixstep::for_each(layout_, rank_in(comm), [&](Shape const& k, Index place) {
      std::complex<Real> const number(numbers.mean(k, 0, 0));
      Real* const there = reals_.data() + static_cast<std::size_t>(place) * reals;
      there[0] = number.real();
      if (!are_real_) there[1] = number.imag();
    });
  }

  sixstep::Symbol symbol() const {
    if (are_real_) return sixstep::Symbol::array(layout_, reals_.data());
    return sixstep::Symbol::array(layout_,
                                  reinterpret_cast<std::complex<Real> const*>(reals_.data()));
  }

 private:
  Layout layout_;
  bool are_real_;
  std::vector<Real> reals_;
};

/// Calls use(symbol) for the symbol of a variant; those of an odd number are never arrays.
template <class Real, class Use>
auto with_symbol(Job const& job, int variant, MPI_Comm comm, Use const& use) {
  int const rows = job.solver.results.empty() ? 0 : job.solver.results[0];
  if (job.solver.array && rows == 0 && variant % 2 == 0)
    return use(ArrayOfNumbers<Real>(job, variant, comm).symbol());
  return use(numbers_of(job, variant).symbol(rows, job.options.fields));
}

template <class Real>
Operator<Real> make(Tag<Operator<Real>>, Job const& job, MPI_Comm comm,
                    sixstep::Symbol const& symbol) {
  sixstep::OperatorOptions const options{options_here(job), sides_of(job), !job.solver.called};
  Ends const ends = ends_of(job, size_of(comm));
  if (!job.output) return Operator<Real>(*ends.input, comm, symbol, options);
  return Operator<Real>(*ends.input, {*ends.output, job.solver.back, job.solver.first}, comm,
                        symbol, options);
}

template <class Real>
Operator<Real> make(Tag<Operator<Real>> tag, Job const& job, MPI_Comm comm) {
  return with_symbol<Real>(
      job, 0, comm, [&](sixstep::Symbol const& symbol) { return make(tag, job, comm, symbol); });
}

template <class Real>
void prepare(Operator<Real>& op, Job const& job, MPI_Comm comm, std::uint64_t, int variant) {
  if (!job.solver.renewed) return;
  with_symbol<Real>(job, variant, comm, [&](sixstep::Symbol const& symbol) { op.renew(symbol); });
}

template <class Real>
Map<Real> make(Tag<Map<Real>>, Job const& job, MPI_Comm comm) {
  using Complex = std::complex<Real>;
  auto const [before, at_points, after] = map_results(job);
  auto const mixing = [&](int from, int to) -> sixstep::BatchFunction<Real> {
    if (is_real_output(job)) return solver_oracle::mixed<Real, Real>(numbers_of(job, 0), from, to);
    return solver_oracle::mixed<Real, Complex>(numbers_of(job, 0), from, to);
  };
  sixstep::MapFunctions<Real> functions;
  int const fields = before > 0 ? before : job.options.fields;
  if (before > 0) functions.before = {mixing(job.options.fields, before), before};
  if (is_real_input(job))
    functions.at_points = {solver_oracle::multiplied<Real>(fields, at_points), at_points};
  else
    functions.at_points = {solver_oracle::multiplied<Complex>(fields, at_points), at_points};
  if (after > 0) functions.after = {mixing(at_points, after), after};
  sixstep::MapOptions options{job.options, sides_of(job), job.solver.to_points,
                              job.solver.from_points, job.solver.batch};
  if (job.solver.results_in) options.results = *ends_of(job, size_of(comm)).output;
  Layout const points = layout_of(job.input, job.shape, size_of(comm));
  Ends const ends = ends_of(job, size_of(comm));
  if (!ends.input) return Map<Real>(points, comm, functions, options);
  return Map<Real>(points, *ends.input, comm, functions, options);
}

template <class Real>
void prepare(Map<Real>&, Job const&, MPI_Comm, std::uint64_t, int) {}

template <class Real>
Convolution<Real> make(Tag<Convolution<Real>>, Job const& job, MPI_Comm comm) {
  sixstep::ConvolutionOptions const options{job.options, job.solver.mode, job.solver.correlate,
                                            job.solver.even};
  Layout const kernel = layout_of(job.solver.kernel_in, job.solver.kernel, size_of(comm));
  Ends const ends = ends_of(job, size_of(comm));
  if (!ends.output) return Convolution<Real>(*ends.input, kernel, comm, options);
  return Convolution<Real>(*ends.input, kernel, *ends.output, comm, options);
}

template <class Real>
void prepare(Convolution<Real>& convolution, Job const& job, MPI_Comm comm, std::uint64_t seed,
             int) {
  bool const is_real = is_real_input(job);
  Side const side(layout_of(job.solver.kernel_in, job.solver.kernel, size_of(comm)), rank_in(comm),
                  {}, is_real);
  std::vector<std::complex<double>> whole;
  for (auto const& value : kernel_of(job, seed).values) whole.emplace_back(value);
  std::vector<Real> array(static_cast<std::size_t>(side.reals()));
  side.fill(array.data(), whole, 1);
  if (is_real)
    convolution.set_kernel(array.data());
  else
    convolution.set_kernel(reinterpret_cast<std::complex<Real> const*>(array.data()));
}

/// A solver in free space, with the calls of its convolution.
template <class Real>
class InFreeSpace {
 public:
  explicit InFreeSpace(sixstep::OpenPoisson<Real> solver) : solver_(std::move(solver)) {}

  Layout const& input() { return of().input(); }
  Layout const& output() { return of().output(); }
  Index input_size() { return of().input_size(); }
  Index output_size() { return of().output_size(); }
  Index in_place_size() { return of().in_place_size(); }
  template <class T>
  std::shared_ptr<T[]> allocate() {
    return of().template allocate<T>();
  }
  std::size_t workspace_bytes() { return of().workspace_bytes(); }
  void set_workspace(void* memory, std::size_t bytes) { of().set_workspace(memory, bytes); }
  std::string describe() { return of().describe(); }
  int passes() { return of().passes(); }
  int exchanges() { return of().exchanges(); }
  int threads() { return of().threads(); }
  void breakdown() { of().breakdown(); }
  sixstep::OpenPoisson<Real>& solver() { return solver_; }

 private:
  Convolution<Real>& of() { return solver_.convolution(); }

  sixstep::OpenPoisson<Real> solver_;
};

/// Calls use() for the Green's function of a job.
template <class Use>
auto with_greens(Job const& job, MPI_Comm comm, std::uint64_t seed, int variant, Use const& use) {
  sixstep::Greens greens;
  std::vector<double> array;
  if (job.solver.greens == GreensBy::function) {
    greens.function = [=](PerAxis<double> const& x) { return greens_value(x, variant); };
    return use(greens);
  }
  greens.space = job.solver.greens == GreensBy::waves ? sixstep::GreensSpace::waves
                                                      : sixstep::GreensSpace::distances;
  if (equation_of(job).empty()) return use(greens);  // a mistake
  Whole<long double> const numbers = greens_numbers(job, seed);
  Layout const layout = layout_of(job.solver.kernel_in, numbers.shape, size_of(comm));
  Side const side(layout, rank_in(comm), {}, true);
  array.resize(static_cast<std::size_t>(side.reals()));
  side.fill(array.data(), {numbers.values.begin(), numbers.values.end()}, 1);
  greens.numbers = {layout, array.data(), side.reals()};
  return use(greens);
}

template <class Real>
InFreeSpace<Real> make(Tag<InFreeSpace<Real>>, Job const& job, MPI_Comm comm) {
  sixstep::OpenPoissonOptions options;
  static_cast<sixstep::Options&>(options) = job.options;
  options.walls = job.solver.walls;
  options.points = job.solver.points;
  options.spacing.clear();
  for (EquationAxis const& one : equation_of(job)) {
    options.spacing.push_back(one.spacing);
    if (!job.solver.shift.empty()) options.shift.push_back(one.shift * one.spacing);
  }
  if (options.spacing.empty()) options.spacing = {1};
  Layout const layout = layout_of(job.input, job.shape, size_of(comm));
  return with_greens(job, comm, 0, 0, [&](sixstep::Greens const& greens) {
    static_cast<sixstep::Greens&>(options) = greens;
    return InFreeSpace<Real>(sixstep::OpenPoisson<Real>(layout, comm, options));
  });
}

template <class Real>
void prepare(InFreeSpace<Real>& made, Job const& job, MPI_Comm comm, std::uint64_t seed,
             int variant) {
  bool const is_first = job.solver.greens == GreensBy::function && !job.solver.renewed;
  if (is_first) return;
  with_greens(job, comm, seed, job.solver.renewed ? variant : 0,
              [&](sixstep::Greens const& greens) { made.solver().renew(greens); });
}

template <class Real>
void call(InFreeSpace<Real>& made, Real const* in, Real* out, Ends const&, Execution const&) {
  made.solver().solve(in, out);
}

template <class Solver, class Real>
void call(Solver& solver, Real const* in, Real* out, Ends const& ends, Execution const&) {
  using Complex = std::complex<Real>;
  if (ends.is_real_input)
    solver.apply(in, out);
  else
    solver.apply(reinterpret_cast<Complex const*>(in), reinterpret_cast<Complex*>(out));
}

}  // namespace soak
