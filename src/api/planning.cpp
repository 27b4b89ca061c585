// SPDX-License-Identifier: BSD-3-Clause
// From what a user asks for to a runner: checks, fields, tuning, composition.
#include "api/planning.hpp"

#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "api/alike.hpp"
#include "base/progress.hpp"
#include "device/backend.hpp"
#include "formulas/room.hpp"
#include "layout/fields.hpp"
#include "local/transform.hpp"
#include "redistribution/redistribution.hpp"
#include "runtime/threads.hpp"

namespace sixstep {

namespace {

void require_alike(Layout const& input, std::optional<Layout> const& output, Options const& options,
                   int real_bytes, mpi::Communicator const& comm) {
  AlikeArguments arguments;
  arguments.add("precision", std::string(real_bytes == sizeof(float) ? "single" : "double"));
  arguments.add("input", input).add("output", output);
  for_each_option(options, [&](std::string_view name, auto const& value) {
    if (must_be_same(name)) arguments.add(std::string(name), value);
  });
  arguments.require(comm);
}

/// Throws Error if other options do not go with Options::reproducible.
void require_reproducible(Options const& options) {
  require(options.local == Local::own, "reproducible: sixstep's own kernels are needed, local is ",
          [&] { return to_string(options.local); });
  require(options.wire.tolerance == 0,
          "reproducible: messages that carry all bits are needed, wire is ",
          options.wire.tolerance);
  require(!schedule::keeps_columns(options),
          "reproducible: a plan without a sphere or columns is needed, one with them was given");
  require(options.device == Device::none, "reproducible: the host is needed, device is ",
          [&] { return to_string(options.device); });
}

void check(Layout const& input, std::optional<Layout> const& output, mpi::Communicator const& comm,
           Options const& options, int real_bytes) {
  mpi::together(comm, [&] {
    require(input.ranks() == comm.size(), "input: a layout for the ", comm.size(),
            " ranks of comm is needed, it is for ", input.ranks());
    require(!output || output->ranks() == comm.size(), "output: a layout for the ", comm.size(),
            " ranks of comm is needed, it is for ", output ? output->ranks() : 0);
    for_each_option(options, [&]<class Value>(std::string_view name, Value const& value) {
      if constexpr (Named<Value>)
        require(
            has_name(value), name, ": ", names_in_words<Value>(), " is needed, ",
            [&] { return to_string(value); }, " was given");
    });
    require(options.threads >= 0, "threads: 0 or more are needed, ", options.threads,
            " were given");
    require(options.windows >= 0 && options.windows <= redistribution::most_windows,
            "windows: 0 (by message size) to ", redistribution::most_windows, " are needed, ",
            options.windows, " were given");
    require(options.gpu >= -1, "gpu: -1 (by the rank's number on its node) or more is needed, ",
            options.gpu, " was given");
    require(options.tuning_seconds > 0, "tuning_seconds: a number above 0 is needed, ",
            options.tuning_seconds, " was given");
    require(options.fields >= 1, "fields: 1 or more are needed, ", options.fields, " were given");
    if (options.reproducible != Bits::none) require_reproducible(options);
    require(
        !schedule::keeps_columns(options) || options.device == Device::none,
        "device: plans with a sphere or columns run on the host, ",
        [&] { return to_string(options.device); }, " was given");
    require(
        options.verify == Verify::none || options.device == Device::none,
        "verify: plans on the host can be verified, device ",
        [&] { return to_string(options.device); }, " was given");
    require(options.wire.tolerance >= 0 && options.wire.tolerance < 1,
            "wire: a tolerance from 0 (messages carry all bits) to below 1 is needed, ",
            options.wire.tolerance, " was given");
    require(
        options.wire.tolerance == 0 || options.device == Device::none,
        "wire: plans on the host can shorten messages, device ",
        [&] { return to_string(options.device); }, " was given");
    require(options.pipelines >= 0, "pipelines: 0 or more are needed, ", options.pipelines,
            " were given");
    // Throws if the library cannot be loaded.
    real_bytes == sizeof(float) ? local::kernels_of<float>(options.local)
                                : local::kernels_of<double>(options.local);
  });
  require_alike(input, output, options, real_bytes, comm);
}

/// The problem of all fields at once.
schedule::Problem of_fields(schedule::Problem one, Options const& options) {
  if (options.fields == 1) return one;
  require(one.input.axes() < max_axes, "fields: a layout of at most ", max_axes - 1,
          " axes is possible for several fields, the input has ", one.input.axes());
  Storage const storage = options.interleaved ? Storage::interleaved : Storage::blocks;
  one.input = with_fields(one.input, options.fields, storage);
  if (one.output) one.output = with_fields(*one.output, options.fields, storage);
  one.kept_whole = one.input.axes() - 1;
  return one;
}

}  // namespace

tuner::Design design_of(Layout const& input, std::optional<Layout> const& output,
                        Options const& options, int real_bytes) {
  std::optional<layout::Number> moves;
  if (!options.transform) moves = layout::Number::complex;
  schedule::Choices choices{.regrid = options.regrid,
                            .split_untransformed = options.split_untransformed,
                            .low_memory = options.low_memory};
  choices.tuning.bits = options.reproducible;
  if (options.device != Device::none) {  // a device transposes no squares, and suits long columns
    choices.low_memory = false;
    choices.tuning.long_axis_points = std::numeric_limits<Index>::max();
  }
  schedule::Problem const problem{.input = input,
                                  .output = output,
                                  .axes = options.axes,
                                  .kinds = options.kinds,
                                  .lengths = options.lengths,
                                  .modes = options.modes,
                                  .sphere = options.sphere,
                                  .columns = options.columns,
                                  .padded = options.padded,
                                  .real_bytes = real_bytes,
                                  .moves = moves,
                                  .twiddle = options.twiddle,
                                  .lies = options.output};
  return {problem, options, choices};
}

tuner::Design with_fields_axis(tuner::Design design, Layout const& layout) {
  schedule::Problem& problem = design.problem;
  if (design.options.fields > 1) return design;  // tuned() adds it
  if (problem.axes.empty())
    for (int axis = 0; axis < layout.axes(); ++axis) problem.axes.push_back(axis);
  Storage const storage = design.options.interleaved ? Storage::interleaved : Storage::blocks;
  problem.input = with_fields(layout, 1, storage);
  if (problem.output) problem.output = with_fields(*problem.output, 1, storage);
  problem.kept_whole = layout.axes();
  return design;
}

void require_sides(std::vector<double> const& sides, int axes) {
  require(sides.empty() || static_cast<int>(sides.size()) == axes, "sides: one for each of the ",
          axes, " axes of the layout is needed, ", sides.size(), " were given");
  for (double side : sides)
    require(std::isfinite(side) && side > 0, "sides: lengths above 0 are needed, ", side,
            " was given");
}

void require_number(runners::CompositionRunner const& runner, layout::Number given,
                    std::string_view what) {
  auto const word = [](layout::Number number) {
    return number == layout::Number::real ? "Real" : "Complex";
  };
  layout::Number const needed = runner.input().number;
  require(given == needed, "in, out: this ", what, " has ", word(needed), " arrays, apply(",
          word(given), " const*, ", word(given), "*) was called");
}

tuner::Outcome tuned(tuner::ToTune wanted, mpi::Communicator const& comm) {
  schedule::Problem& problem = wanted.design.problem;
  Options& options = wanted.design.options;
  check(problem.input, problem.output, comm, options, problem.real_bytes);
  // Wrong kinds or axes are reported before anything is tried.
  mpi::together(comm, [&] { problem = of_fields(schedule::checked(problem), options); });
  int const fair = fair_threads(comm);
  if (options.threads == 0) options.threads = fair;
  auto const report = [](tuner::Report const& race) {
    tell_progress(text("tuning, race ", race.races), race.share);
  };
  return tuner::tune(wanted, comm, {.report = report});
}

namespace {

/// The transform of a plan, or those between the operations of a composition.
std::vector<runners::CheckedTransform> to_check(tuner::Design const& design,
                                                formulas::Composition const& composition,
                                                int rank) {
  std::vector<runners::CheckedTransform> made;
  for (formulas::Checkable const& each : composition.checkable)
    made.push_back({.check = {each.problem, each.points, each.coefficients, 0, rank},
                    .direction = each.to_points ? Direction::backward : Direction::forward,
                    .undoes = each.undoes});
  if (made.empty())
    made.push_back({.check = {design.problem, composition.input, composition.output,
                              design.options.wire.tolerance, rank}});
  return made;
}

}  // namespace

std::unique_ptr<runners::CompositionRunner> make_runner(tuner::Design const& wanted,
                                                        mpi::Communicator comm) {
  require(!wanted.compose || wanted.options.wire.tolerance == 0,
          "wire: plans can shorten messages; operators, convolutions and maps cannot, as what they "
          "multiply by decides how far errors grow");
  device::look_for_devices();
  tuner::Outcome const outcome = tuned({wanted}, comm);
  tuner::Design const& design = outcome.design;
  formulas::Composition composition;
  std::vector<runners::CheckedTransform> checked;
  mpi::together(comm, [&] {
    composition =
        design.compose ? design.compose(design) : formulas::compose(design.problem, design.choices);
    formulas::require_room(composition, {});
    if (design.options.verify != Verify::none) checked = to_check(design, composition, comm.rank());
  });
  auto runner = std::make_unique<runners::CompositionRunner>(
      std::move(composition), std::move(comm), design.options, wanted.problem.real_bytes,
      design.choices.tuning);
  if (!checked.empty()) runner->verify_by(std::move(checked));
  if (!outcome.measured.empty()) runner->add_note(outcome.measured);
  if (!outcome.level.empty())
    runner->add_note(text("tuned     ", tuner::to_words(outcome.settings), ": ", outcome.level,
                          outcome.was_kept ? " search, earlier" : " search"));
  return runner;
}

}  // namespace sixstep
