// SPDX-License-Identifier: BSD-3-Clause
// Options for C, from this version of the header or an older one.
#include "c/options.hpp"

#include <cstring>
#include <vector>

#include "c/guarded.hpp"
#include "c/handles.hpp"

namespace sixstep::c {

namespace {

/// Completes options of an older header, which have fewer members.
sixstep_options complete(sixstep_options const& given) {
  sixstep_options options = SIXSTEP_OPTIONS;
  constexpr std::size_t least = offsetof(sixstep_options, trace) + sizeof(char const*);
  require(given.size >= least && given.size <= sizeof options, "options: a size from ", least,
          " to ", sizeof options, " is needed, ", given.size,
          " was given; begin with SIXSTEP_OPTIONS of this library's sixstep.h");
  std::memcpy(&options, &given, given.size);
  return options;
}

/// The members behind `plan`, which begin where it ends in the caller's header. The result's `plan`
/// is not set. `name` is the macro that options begin with.
template <class Extended>
Extended behind_plan(Extended const& given, char const* name) {
  auto const* const behind = reinterpret_cast<std::byte const*>(&given) + given.plan.size;
  Extended from;
  std::size_t const needed = sizeof from - sizeof from.plan;
  std::memcpy(&from.size, behind, sizeof from.size);
  require(from.size - given.plan.size == needed, "options: a size of ", given.plan.size + needed,
          " is needed, ", from.size, " was given; begin with ", name,
          " of this library's sixstep.h");
  std::memcpy(reinterpret_cast<std::byte*>(&from) + sizeof from.plan, behind, needed);
  return from;
}

template <class T>
std::vector<T> list(int count, T const (&values)[SIXSTEP_MAX_AXES], char const* name) {
  require(count >= 0 && count <= SIXSTEP_MAX_AXES, name, "_count: 0 to ", SIXSTEP_MAX_AXES,
          " are possible, ", count, " was given");
  return {values, values + count};
}

template <class Value>
std::vector<Value> enumerators(int count, int const (&numbers)[SIXSTEP_MAX_AXES],
                               char const* name) {
  std::vector<Value> values;
  for (int const number : list(count, numbers, name))
    values.push_back(enumerated<Value>(number, name));
  return values;
}

}  // namespace

Options options_of(sixstep_options const* given) {
  if (given == nullptr) return {};
  sixstep_options const from = complete(*given);
  Options options;
  options.axes = list(from.axes_count, from.axes, "axes");
  options.kinds = enumerators<Kind>(from.kinds_count, from.kinds, "kinds");
  options.lengths = list(from.lengths_count, from.lengths, "lengths");
  options.modes = list(from.modes_count, from.modes, "modes");
  options.sphere = list(from.sphere_count, from.sphere, "sphere");
  require(from.columns_count >= 0 && (from.columns_count == 0 || from.columns != nullptr),
          "columns_count: 0 or more numbers, and where they are, are needed, ", from.columns_count,
          " was given", from.columns == nullptr ? " without `columns`" : "");
  options.columns.assign(from.columns, from.columns + from.columns_count);
  options.transform = from.transform != 0;
  options.padded = from.padded != 0;
  options.fields = from.fields;
  options.interleaved = from.interleaved != 0;
  options.preserve_input = from.preserve_input != 0;
  options.low_memory = from.low_memory != 0;
  options.exchange = enumerated<Exchange>(from.exchange, "exchange");
  options.threads = from.threads;
  options.windows = from.windows;
  options.driver = enumerated<Driver>(from.driver, "driver");
  options.pipelines = from.pipelines;
  options.regrid = from.regrid != 0;
  options.split_untransformed = from.split_untransformed != 0;
  options.own_workspace = from.own_workspace != 0;
  options.local = enumerated<Local>(from.local, "local");
  options.reproducible = enumerated<Bits>(from.reproducible, "reproducible");
  options.verify = enumerated<Verify>(from.verify, "verify");
  options.tuning = enumerated<TuningLevel>(from.tuning, "tuning");
  options.tuning_seconds = from.tuning_seconds;
  if (from.trace != nullptr) options.trace = from.trace;
  options.twiddle = from.twiddle;
  options.device = enumerated<Device>(from.device, "device");
  options.gpu = from.gpu;
  options.wire.tolerance = from.wire;
  options.output = enumerated<Output>(from.output, "output");
  return options;
}

OperatorOptions operator_options_of(sixstep_operator_options const* given) {
  if (given == nullptr) return {};
  OperatorOptions options{options_of(&given->plan)};
  auto const from = behind_plan(*given, "SIXSTEP_OPERATOR_OPTIONS");
  options.sides = list(from.sides_count, from.sides, "sides");
  options.kept = from.kept != 0;
  return options;
}

std::optional<OperatorResult> operator_result_of(sixstep_operator_options const* given) {
  if (given == nullptr) return std::nullopt;
  auto const from = behind_plan(*given, "SIXSTEP_OPERATOR_OPTIONS");
  require(from.result != nullptr || (from.result_lengths_count == 0 && from.first_count == 0),
          "result: a layout is needed with its lengths or first points");
  if (from.result == nullptr) return std::nullopt;
  return OperatorResult{from.result->layout,
                        list(from.result_lengths_count, from.result_lengths, "result_lengths"),
                        list(from.first_count, from.first, "first")};
}

MapOptions map_options_of(sixstep_map_options const* given) {
  if (given == nullptr) return {};
  MapOptions options{options_of(&given->plan)};
  auto const from = behind_plan(*given, "SIXSTEP_MAP_OPTIONS");
  options.sides = list(from.sides_count, from.sides, "sides");
  options.backward = enumerated(from.backward, Scale::by_sqrt_n, "backward");
  options.forward = enumerated(from.forward, Scale::by_sqrt_n, "forward");
  options.batch = from.batch;
  if (from.results != nullptr) options.results = from.results->layout;
  return options;
}

PoissonOptions poisson_options_of(sixstep_poisson_options const* given) {
  if (given == nullptr) return {};
  PoissonOptions options{{options_of(&given->plan)}};
  auto const from = behind_plan(*given, "SIXSTEP_POISSON_OPTIONS");
  options.sides = list(from.sides_count, from.sides, "sides");
  options.kept = from.kept != 0;
  options.walls = enumerators<Walls>(from.walls_count, from.walls, "walls");
  if (from.points_count != 0)
    options.points = enumerators<Points>(from.points_count, from.points, "points");
  options.accuracy = from.accuracy;
  options.mean = from.mean;
  return options;
}

ConvolutionOptions convolution_options_of(sixstep_convolution_options const* given) {
  if (given == nullptr) return {};
  ConvolutionOptions options{options_of(&given->plan)};
  auto const from = behind_plan(*given, "SIXSTEP_CONVOLUTION_OPTIONS");
  options.mode = enumerated<ConvolutionMode>(from.mode, "mode");
  options.correlate = from.correlate != 0;
  options.even = from.even != 0;
  return options;
}

OpenPoissonOptions open_poisson_options_of(sixstep_open_poisson_options const* given) {
  if (given == nullptr) return {};
  OpenPoissonOptions options;
  static_cast<Options&>(options) = options_of(&given->plan);
  auto const from = behind_plan(*given, "SIXSTEP_OPEN_POISSON_OPTIONS");
  if (from.spacing_count != 0) options.spacing = list(from.spacing_count, from.spacing, "spacing");
  options.greens_function = enumerated<GreensFunction>(from.greens_function, "greens_function");
  options.walls = enumerators<Walls>(from.walls_count, from.walls, "walls");
  if (from.points_count != 0)
    options.points = enumerators<Points>(from.points_count, from.points, "points");
  options.shift = list(from.shift_count, from.shift, "shift");
  options.space = enumerated<GreensSpace>(from.space, "space");
  if (from.function != nullptr)
    options.function = [from](PerAxis<double> const& x) {
      double value = 0;
      int const code = from.function(from.context, x.size(), x.begin(), &value);
      require(code == 0, "function: it returned ", code, ", 0 is needed");
      return value;
    };
  if (from.numbers_layout != nullptr)
    options.numbers = {from.numbers_layout->layout, from.numbers, from.numbers_size};
  return options;
}

}  // namespace sixstep::c
