// SPDX-License-Identifier: BSD-3-Clause
// Random operators, convolutions, solvers and maps, and the ways in which each may be computed: its
// bits should be the same in all.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "same_bits.hpp"
#include "sixstep/convolution.hpp"
#include "sixstep/map.hpp"
#include "sixstep/operator.hpp"
#include "sixstep/poisson.hpp"

namespace sixstep::reproducible_tasks {

using cases::Random;
using oracle::at;
using namespace same_bits;

/// What is computed.
struct Task {
  enum class What { by_product, by_function, by_matrix, by_array, convolution, poisson, map };
  What what = What::by_product;
  Shape shape;
  Shape result = {};
  std::vector<int> axes = {};
  std::vector<Kind> kinds = {};
  std::vector<Index> lengths = {}, modes = {};
  bool real = false;        // arrays of reals
  bool has_result = false;  // a layout of its own
  std::vector<Index> first = {}, lengths_back = {};
  ConvolutionMode mode = ConvolutionMode::full;
  bool correlate = false;
  Shape kernel = {};
};

/// How it is computed: all that must not matter.
struct Way {
  Layout input, result;
  Options options = {};
  bool kept = true;
  bool in_place = false;
  int node_ranks = 0;
  std::string isa = {};
};

inline std::string describe(Task const& task, Way const& way) {
  std::string words = text("task ", static_cast<int>(task.what), ", shape ", to_string(task.shape),
                           " to ", to_string(task.result), ", axes");
  for (std::size_t i = 0; i < task.axes.size(); ++i)
    words += text(" ", task.axes[i], " ", to_string(task.kinds[i]),
                  task.lengths.empty() ? "" : text(" of ", task.lengths[i]),
                  task.modes.empty() ? "" : text(" to ", task.modes[i]));
  return words + text("\ninput ", cases::describe(way.input), "\nresult ",
                      cases::describe(way.result), "\nthreads ", way.options.threads, ", windows ",
                      way.options.windows, ", kept ", way.kept, way.in_place ? ", in place" : "",
                      ", ", way.isa);
}

/// Calls body(place of a real in an array, its number in the whole array).
template <class Body>
void for_each_real(Layout const& layout, int rank, Index unit, Body const& body) {
  oracle::for_each_element(layout, rank, [&](Shape const& point, Index offset) {
    for (Index part = 0; part < unit; ++part)
      body(unit * offset + part, unit * oracle::number_of(layout.shape(), point) + part);
  });
}

/// A rank's part of an array of random reals.
template <class Real>
std::vector<Real> part_of(Layout const& layout, int rank, Index unit, std::uint64_t seed,
                          Index size) {
  std::vector<Real> made(at(size));
  for_each_real(layout, rank, unit,
                [&](Index place, Index number) { made[at(place)] = value<Real>(seed, number); });
  return made;
}

/// What the last computation did.
inline std::string words;

template <class Real, class Applied>
std::vector<std::optional<Real>> applied(Applied& op, Task const& task, Way const& way, int rank,
                                         std::uint64_t seed) {
  using Complex = std::complex<Real>;
  words = op.describe();
  Index const unit = task.real ? 1 : 2;
  std::vector<Real> in =
      part_of<Real>(op.input(), rank, unit, seed, std::max(op.in_place_size(), Index{1}) * unit);
  std::vector<Real> other(in.size());
  Real* const out = way.in_place ? in.data() : other.data();
  if (task.real)
    op.apply(in.data(), out);
  else
    op.apply(reinterpret_cast<Complex const*>(in.data()), reinterpret_cast<Complex*>(out));
  std::vector<std::optional<Real>> result(at(unit * oracle::points_of(op.output().shape())));
  for_each_real(op.output(), rank, unit,
                [&](Index place, Index number) { result[at(number)] = out[at(place)]; });
  return result;
}

/// The numbers of symbols; c2c along all axes may have any, else they are real.
inline bool has_complex_numbers(Task const& task) {
  return std::all_of(task.kinds.begin(), task.kinds.end(),
                     [](Kind kind) { return kind == Kind::c2c; });
}

inline std::complex<double> factor(double k, bool is_complex) {
  return {1 / (1.3 + k * k), is_complex ? k / (2.1 + k * k) : 0};
}

inline Symbol symbol_of(Task const& task) {
  bool const is_complex = has_complex_numbers(task);
  auto const numbers = is_complex ? Symbol::Numbers::complex : Symbol::Numbers::real;
  if (task.what == Task::What::by_product)
    return Symbol::same_product([is_complex](double k) { return factor(k, is_complex); }, numbers);
  auto const of = [is_complex](Wavevector const& k) {
    std::complex<double> sum = 0.7;
    for (double const each : k) sum += factor(each, is_complex) * (each + 3);
    return sum;
  };
  if (task.what == Task::What::by_matrix)
    return Symbol::matrix(
        1, 1, [of](Wavevector const& k, std::complex<double>* matrix) { matrix[0] = of(k); },
        numbers);
  return is_complex ? Symbol(of) : Symbol([of](Wavevector const& k) { return of(k).real(); });
}

inline OperatorOptions operator_options(Way const& way) {
  OperatorOptions options;
  static_cast<Options&>(options) = way.options;
  options.kept = way.kept;
  return options;
}

template <class Real>
std::vector<std::optional<Real>> by_operator(Task const& task, Way const& way, MPI_Comm comm,
                                             std::uint64_t seed) {
  OperatorResult const result{way.result, task.lengths_back, task.first};
  int const rank = ranks::rank_in(comm);
  std::vector<Real> numbers;
  std::optional<Symbol> symbol;
  if (task.what == Task::What::by_array) {
    Shape shape = task.shape;
    for (std::size_t i = 0; i < task.axes.size(); ++i) {
      Index length = task.lengths.empty() ? task.shape[task.axes[i]] : task.lengths[i];
      if (task.has_result) length = std::min(length, task.lengths_back[i]);
      Index const modes = task.modes.empty() ? length : task.modes[i];
      shape[task.axes[i]] = task.kinds[i] == Kind::r2c ? modes / 2 + 1 : modes;
    }
    Layout const there = Layout::slab(shape, ranks::size_of(comm));
    Index const unit = has_complex_numbers(task) ? 2 : 1;
    numbers = part_of<Real>(there, rank, unit, seed + 77, there.local_size(rank) * unit + 2);
    if (unit == 2)
      symbol = Symbol::array(there, reinterpret_cast<std::complex<Real> const*>(numbers.data()));
    else
      symbol = Symbol::array(there, static_cast<Real const*>(numbers.data()));
  } else {
    symbol = symbol_of(task);
  }
  OperatorOptions const options = operator_options(way);
  Operator<Real> op = task.has_result ? Operator<Real>(way.input, result, comm, *symbol, options)
                                      : Operator<Real>(way.input, comm, *symbol, options);
  return applied<Real>(op, task, way, rank, seed);
}

template <class Real>
std::vector<std::optional<Real>> by_convolution(Task const& task, Way const& way, MPI_Comm comm,
                                                std::uint64_t seed) {
  using Complex = std::complex<Real>;
  ConvolutionOptions options;
  static_cast<Options&>(options) = way.options;
  options.mode = task.mode;
  options.correlate = task.correlate;
  int const rank = ranks::rank_in(comm);
  Layout const kernel = Layout::slab(task.kernel, ranks::size_of(comm));
  Convolution<Real> op(way.input, kernel, way.result, comm, options);
  Index const unit = task.real ? 1 : 2;
  auto const numbers =
      part_of<Real>(kernel, rank, unit, seed + 5, kernel.local_size(rank) * unit + 2);
  if (task.real)
    op.set_kernel(numbers.data());
  else
    op.set_kernel(reinterpret_cast<Complex const*>(numbers.data()));
  return applied<Real>(op, task, way, rank, seed);
}

template <class Real>
std::vector<std::optional<Real>> by_poisson(Task const& task, Way const& way, MPI_Comm comm,
                                            std::uint64_t seed) {
  PoissonOptions options;
  static_cast<OperatorOptions&>(options) = operator_options(way);
  options.axes.clear();
  options.kinds.clear();
  Poisson<Real> poisson(way.input, comm, options);
  int const rank = ranks::rank_in(comm);
  auto& inverse = poisson.inverse();
  std::vector<Real> const in =
      part_of<Real>(inverse.input(), rank, 1, seed, inverse.input_size() + 1);
  std::vector<Real> out(in.size());
  poisson.solve(in.data(), out.data());
  std::vector<std::optional<Real>> result(at(oracle::points_of(task.shape)));
  for_each_real(inverse.output(), rank, 1,
                [&](Index place, Index number) { result[at(number)] = out[at(place)]; });
  return result;
}

template <class Real>
std::vector<std::optional<Real>> by_map(Task const& task, Way const& way, MPI_Comm comm,
                                        std::uint64_t seed) {
  using Complex = std::complex<Real>;
  auto const damp = [](Batch<Complex> const& batch) {
    for (Index i = 0; i < batch.count; ++i)
      batch.out[0][i] = batch.in[0][i] * static_cast<Real>(1 / (1 + batch.k[0][i] * batch.k[0][i]));
  };
  auto const square = [](auto const& batch) {
    for (Index i = 0; i < batch.count; ++i)
      batch.out[0][i] = batch.in[0][i] * std::abs(batch.in[0][i].real());
  };
  auto const square_reals = [](Batch<Real> const& batch) {
    for (Index i = 0; i < batch.count; ++i) batch.out[0][i] = batch.in[0][i] * batch.in[0][i];
  };
  MapFunctions<Real> functions;
  functions.before = {BatchFunction<Real>(damp), 1};
  bool const has_real = std::count(task.kinds.begin(), task.kinds.end(), Kind::r2c) > 0;
  if (has_real)
    functions.at_points = {BatchFunction<Real>(square_reals), 1};
  else
    functions.at_points = {
        BatchFunction<Real>([square](Batch<Complex> const& batch) { square(batch); }), 1};
  MapOptions options;
  static_cast<Options&>(options) = way.options;
  options.results = way.result;
  Map<Real> map(way.input, way.result, comm, functions, options);
  return applied<Real>(map, task, way, ranks::rank_in(comm), seed);
}

template <class Real>
std::vector<std::optional<Real>> computed(Task const& task, Way const& way, MPI_Comm comm,
                                          std::uint64_t seed) {
  set_environment(way.node_ranks, way.isa);
  switch (task.what) {
    case Task::What::convolution:
      return by_convolution<Real>(task, way, comm, seed);
    case Task::What::poisson:
      return by_poisson<Real>(task, way, comm, seed);
    case Task::What::map:
      return by_map<Real>(task, way, comm, seed);
    default:
      return by_operator<Real>(task, way, comm, seed);
  }
}

inline void choose_kinds(Random& random, Task& task) {
  task.kinds.assign(task.axes.size(), Kind::c2c);
  bool const may_have_cosines =
      task.what != Task::What::convolution && task.what != Task::What::map;
  int const mix = random.between(0, may_have_cosines ? 3 : 1);
  if (mix >= 2)
    for (std::size_t i = 0; i < task.kinds.size(); ++i)
      if (mix == 2 || random.once_in(2)) {
        auto const kind = static_cast<Kind>(
            random.between(static_cast<int>(Kind::dct1), static_cast<int>(Kind::dst4)));
        if (kind != Kind::dct1 || task.shape[task.axes[i]] > 1) task.kinds[i] = kind;
      }
  if (mix % 2 == 1) {
    auto const i = static_cast<std::size_t>(random.between(0, int(task.axes.size()) - 1));
    task.kinds[i] = Kind::r2c;
  }
  bool const has_r2c = std::count(task.kinds.begin(), task.kinds.end(), Kind::r2c) > 0;
  bool const has_c2c = std::count(task.kinds.begin(), task.kinds.end(), Kind::c2c) > 0;
  task.real = has_r2c || !has_c2c;
}

inline Shape random_shape(Random& random) {
  if (random.once_in(6)) {  // one long axis, perhaps beside a short one
    static constexpr Index longest[] = {8192, 9000, 12288, 16384, 17017, 20000};
    Shape shape{longest[random.between(0, 5)]};
    if (random.once_in(2)) shape.push_back(random.between(Index{1}, Index{3}));
    random.shuffle(shape);
    return shape;
  }
  return cases::random_shape(random, random.between(1, 4), 3000);
}

inline Task task_of(Random& random) {
  Task task{.what = static_cast<Task::What>(random.between(0, 6)), .shape = random_shape(random)};
  int const axes = task.shape.size();
  task.axes = cases::random_axes(random, axes);
  if (task.axes.empty() || task.what == Task::What::poisson)
    for (task.axes.clear(); static_cast<int>(task.axes.size()) < axes;)
      task.axes.push_back(static_cast<int>(task.axes.size()));
  choose_kinds(random, task);
  task.result = task.shape;
  if (task.what == Task::What::poisson) task.real = true;
  if (task.what == Task::What::map) {
    for (std::size_t i = 0; i < task.axes.size(); ++i)
      if (task.kinds[i] == Kind::r2c) task.result[task.axes[i]] = task.shape[task.axes[i]] / 2 + 1;
    task.real = false;
  }
  if (task.what == Task::What::convolution) {
    task.mode = static_cast<ConvolutionMode>(random.between(0, 3));
    task.correlate = random.once_in(2);
    task.kernel = task.shape;
    for (int const axis : task.axes)
      task.kernel[axis] = random.between(Index{1}, task.mode == ConvolutionMode::periodic
                                                       ? task.shape[axis]
                                                       : std::min<Index>(task.shape[axis], 50) + 3);
    ConvolutionOptions options;
    options.axes = task.axes;
    options.kinds = task.kinds;
    options.mode = task.mode;
    options.correlate = task.correlate;
    task.result = Convolution<double>::result_shape(task.shape, task.kernel, options);
  }
  if (task.what > Task::What::by_array) return task;
  bool const other_lengths = random.once_in(4), fewer = random.once_in(3);
  task.has_result = random.once_in(3);
  for (std::size_t i = 0; i < task.axes.size(); ++i) {
    Index const points = task.shape[task.axes[i]];
    Index const length = other_lengths ? points + random.between(Index{0}, points) : points;
    Index const back = !task.has_result || random.once_in(2)
                           ? length
                           : random.between(std::max(Index{2}, points / 2), 2 * points);
    if (other_lengths) task.lengths.push_back(length);
    if (fewer) task.modes.push_back(random.between(Index{1}, std::min(length, back)));
    if (!task.has_result) continue;
    task.lengths_back.push_back(back);
    task.first.push_back(random.between(Index{0}, back - 1));
    task.result[task.axes[i]] = random.between(Index{1}, back);
  }
  if (!task.has_result) task.result = task.shape;
  return task;
}

inline Options options_of(Task const& task) {
  return {.axes = task.axes,
          .kinds = task.kinds,
          .lengths = task.lengths,
          .modes = task.modes,
          .threads = 1,
          .reproducible = Bits::machine};
}

inline Way alone(Task const& task) {
  return {.input = Layout::slab(task.shape, 1),
          .result = Layout::slab(task.result, 1),
          .options = options_of(task)};
}

inline Way random_way(Random& random, Task const& task, int ranks,
                      std::vector<std::string> const& isas) {
  Way way{.input = cases::random_layout(random, task.shape, ranks),
          .result = cases::random_layout(random, task.result, ranks),
          .options = options_of(task)};
  Options& options = way.options;
  options.reproducible = random.once_in(2) ? Bits::machine : Bits::everywhere;
  options.preserve_input = random.once_in(2);
  options.exchange = all_exchanges[static_cast<std::size_t>(random.between(0, 4))];
  options.driver = all_drivers[static_cast<std::size_t>(random.between(0, 4))];
  options.threads = random.between(1, 3);
  options.windows = random.once_in(2) ? random.between(1, 5) : 0;
  options.regrid = random.once_in(4);
  options.split_untransformed = random.once_in(4);
  // A product that is called is rounded once, one that is kept factor by factor.
  way.kept = task.what == Task::What::by_product || !random.once_in(4);
  way.in_place = random.once_in(4);
  way.node_ranks = random.between(0, 3);
  way.isa = isas[static_cast<std::size_t>(random.between(0, static_cast<int>(isas.size()) - 1))];
  return way;
}

}  // namespace sixstep::reproducible_tasks
