// SPDX-License-Identifier: BSD-3-Clause
// Plan: what is asked for is checked, on all ranks alike, and then composed; calls are checked, and
// then run.
#include "sixstep/plan.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "exchange/redistribution.hpp"
#include "plan/composition_runner.hpp"
#include "plan/fingerprint.hpp"
#include "runtime/mpi.hpp"
#include "runtime/threads.hpp"
#include "tuner/tuner.hpp"

namespace sixstep {

namespace {

using plan::Number;

/// Of the options, threads alone may differ from rank to rank.
constexpr std::string_view may_differ = "threads";

plan::Fingerprint fingerprint_of(Layout const& input, std::optional<Layout> const& output,
                                 Options const& options, int real_bytes) {
  plan::Fingerprint fingerprint;
  fingerprint.add(input).add(output.has_value()).add(real_bytes);
  if (output) fingerprint.add(*output);
  for_each_option(options, [&](std::string_view name, auto const& value) {
    if (name != may_differ) fingerprint.add(value);
  });
  return fingerprint;
}

/// "all ranks must give the same layouts, axes, kinds, ..."
std::string same_on_all_ranks() {
  std::string names;
  Options const any;
  for_each_option(any, [&](std::string_view name, auto const&) {
    if (name != may_differ) names += text(name, ", ");
  });
  return text("input, output, options: all ranks must give the same layouts, ", names,
              "and precision; they differ");
}

void check(Layout const& input, std::optional<Layout> const& output, mpi::Communicator const& comm,
           Options const& options, int real_bytes) {
  mpi::together(comm, [&] {
    require(input.ranks() == comm.size(), "input: a layout for the ", comm.size(),
            " ranks of comm is needed, it is for ", input.ranks());
    require(!output || output->ranks() == comm.size(), "output: a layout for the ", comm.size(),
            " ranks of comm is needed, it is for ", output ? output->ranks() : 0);
    require(options.threads >= 0, "threads: 0 or more are needed, ", options.threads,
            " were given");
    require(options.exchange == Exchange::shared || options.exchange == Exchange::collective ||
                options.exchange == Exchange::pairwise ||
                options.exchange == Exchange::persistent || options.exchange == Exchange::one_sided,
            "exchange: shared, collective, pairwise, persistent or one_sided is needed, value ",
            static_cast<int>(options.exchange), " was given");
    require(options.windows >= 0 && options.windows <= exchange::most_windows,
            "windows: 0 (by message size) to ", exchange::most_windows, " are needed, ",
            options.windows, " were given");
    require(options.driver == Driver::between || options.driver == Driver::master ||
                options.driver == Driver::pipelines || options.driver == Driver::thread,
            "driver: between, master, pipelines or thread is needed, value ",
            static_cast<int>(options.driver), " was given");
    require(options.tuning == TuningLevel::model || options.tuning == TuningLevel::quick ||
                options.tuning == TuningLevel::exhaustive,
            "tuning: model, quick or exhaustive is needed, value ",
            static_cast<int>(options.tuning), " was given");
    require(options.tuning_seconds > 0, "tuning_seconds: a number above 0 is needed, ",
            options.tuning_seconds, " was given");
    require(options.pipelines >= 0, "pipelines: 0 or more are needed, ", options.pipelines,
            " were given");
    // Throws if the library cannot be loaded.
    real_bytes == sizeof(float) ? local::kernels_of<float>(options.local)
                                : local::kernels_of<double>(options.local);
  });
  mpi::require_same(comm, fingerprint_of(input, output, options, real_bytes).value(),
                    same_on_all_ranks());
}

/// The tables of a length beyond the machine's memory could take minutes, and all memory of others,
/// before they failed.
void require_room(plan::Composition const& composition) {
  for (plan::Schedule const& schedule : composition.schedules) {
    Index const bytes = schedule.fullest * schedule.bytes_of(schedule.input.number);
    if (bytes <= machine_bytes()) continue;
    throw Error(text("memory: a rank needs ", bytes,
                     " bytes for its part of the array, its machine has ", machine_bytes()),
                ErrorCode::memory);
  }
}

tuner::Recipe recipe_of(Layout const& input, std::optional<Layout> const& output,
                        Options const& options, int real_bytes) {
  std::optional<Number> moves;
  if (!options.transform) moves = Number::complex;
  return {{input, output, options.axes, options.kinds, options.padded, real_bytes, moves},
          options,
          {.regrid = options.regrid, .low_memory = options.low_memory}};
}

/// All checked, with what tuning has found. Collective.
tuner::Outcome tuned(tuner::Job job, mpi::Communicator const& comm) {
  plan::Problem const& problem = job.recipe.problem;
  Options& options = job.recipe.options;
  check(problem.input, problem.output, comm, options, problem.real_bytes);
  // Wrong kinds or axes are told before anything is tried.
  mpi::together(comm, [&] { plan::checked(problem); });
  int const fair = fair_threads(comm);
  if (options.threads == 0) options.threads = fair;
  return tuner::tune(job, comm);
}

std::unique_ptr<plan::CompositionRunner> make_runner(Layout const& input,
                                                     std::optional<Layout> const& output,
                                                     MPI_Comm user_comm, Options const& options,
                                                     int real_bytes) {
  mpi::Communicator comm = mpi::Communicator::duplicate(user_comm);
  tuner::Outcome const outcome = tuned({recipe_of(input, output, options, real_bytes)}, comm);
  tuner::Recipe const& recipe = outcome.recipe;
  plan::Composition composition;
  mpi::together(comm, [&] {
    composition = plan::compose(recipe.problem, recipe.choices);
    require_room(composition);
  });
  auto runner = std::make_unique<plan::CompositionRunner>(
      std::move(composition), std::move(comm), recipe.options, real_bytes, recipe.choices.tuning);
  if (!outcome.level.empty())
    runner->add_note(text("tuned     ", tuner::to_words(outcome.settings), ": ", outcome.level,
                          outcome.was_kept ? " search, earlier" : " search"));
  return runner;
}

std::string arguments(Number in, Number out) {
  auto const word = [](Number number) { return number == Number::real ? "Real" : "Complex"; };
  return text("(", word(in), " const*, ", word(out), "*)");
}

/// Throws an Error that names the calls which this plan answers, unless this is one of them.
void check_call(plan::CompositionRunner const& runner, Number in, Number out, Direction direction) {
  bool const backward = direction == Direction::backward;
  Number const input = runner.input().number, output = runner.output().number;
  if (in == (backward ? output : input) && out == (backward ? input : output)) return;
  char const* const what = input != output         ? "an r2c axis"
                           : input == Number::real ? "real input and output"
                                                   : "complex input and output";
  throw Error(text("in, out: this plan has ", what, ", forward", arguments(input, output),
                   " and backward", arguments(output, input), " are possible; ",
                   backward ? "backward" : "forward", arguments(in, out), " was called"));
}

}  // namespace

template <class Real>
Plan<Real>::Plan(Layout const& input, Layout const& output, MPI_Comm comm, Options const& options)
    : runner_(make_runner(input, output, comm, options, sizeof(Real))) {}

template <class Real>
Plan<Real>::Plan(Layout const& input, MPI_Comm comm, Options const& options)
    : runner_(make_runner(input, std::nullopt, comm, options, sizeof(Real))) {}

template <class Real>
Layout Plan<Real>::tuned_layout(Shape const& shape, MPI_Comm user_comm, Options const& options,
                                Output output) {
  mpi::Communicator const comm = mpi::Communicator::duplicate(user_comm);
  tuner::Job job;
  job.picks_grid = true;
  job.natural = output == Output::as_input;
  mpi::together(comm, [&] {
    bool const slabs_do = shape.size() < 3 || comm.size() <= shape[0];
    job.recipe =
        recipe_of(slabs_do ? Layout::slab(shape, comm.size()) : Layout::pencil(shape, comm.size()),
                  {}, options, sizeof(Real));
    plan::Problem& problem = job.recipe.problem;
    if (job.natural)
      problem.output = Layout::grid(plan::output_shape(problem), problem.input.grid());
  });
  return tuned(job, comm).recipe.problem.input;
}

template <class Real>
Plan<Real>::~Plan() = default;
template <class Real>
Plan<Real>::Plan(Plan&&) noexcept = default;
template <class Real>
Plan<Real>& Plan<Real>::operator=(Plan&&) noexcept = default;

template <class Real>
Layout const& Plan<Real>::input() const {
  return runner_->input().layout;
}

template <class Real>
Layout const& Plan<Real>::output() const {
  return runner_->output().layout;
}

template <class Real>
Index Plan<Real>::input_size() const {
  return runner_->input_reals() / plan::reals_of(runner_->input().number);
}

template <class Real>
Index Plan<Real>::output_size() const {
  return runner_->output_reals() / plan::reals_of(runner_->output().number);
}

template <class Real>
Index Plan<Real>::in_place_size() const {
  Index const unit = plan::reals_of(runner_->output().number);
  return (std::max(runner_->input_reals(), runner_->output_reals()) + unit - 1) / unit;
}

template <class Real>
void Plan<Real>::execute(Complex const* in, Complex* out, Direction direction, Scale scale) {
  check_call(*runner_, Number::complex, Number::complex, direction);
  runner_->execute(in, out, direction, scale);
}

template <class Real>
void Plan<Real>::execute(Complex const* in, Complex* out, Direction direction, Sign sign,
                         Scale scale) {
  check_call(*runner_, Number::complex, Number::complex, direction);
  bool const plus_by_direction = direction == Direction::backward;
  runner_->execute(in, out, direction, scale, (sign == Sign::plus) != plus_by_direction);
}

template <class Real>
void Plan<Real>::execute(Real const* in, Complex* out, Scale scale) {
  check_call(*runner_, Number::real, Number::complex, Direction::forward);
  runner_->execute(in, out, Direction::forward, scale);
}

template <class Real>
void Plan<Real>::execute(Complex const* in, Real* out, Scale scale) {
  check_call(*runner_, Number::complex, Number::real, Direction::backward);
  runner_->execute(in, out, Direction::backward, scale);
}

template <class Real>
void Plan<Real>::execute(Real const* in, Real* out, Direction direction, Scale scale) {
  check_call(*runner_, Number::real, Number::real, direction);
  runner_->execute(in, out, direction, scale);
}

template <class Real>
std::shared_ptr<void> Plan<Real>::allocate_bytes() {
  return runner_->allocate_array();
}

template <class Real>
std::size_t Plan<Real>::workspace_bytes() const {
  return runner_->workspace_bytes();
}

template <class Real>
void Plan<Real>::set_workspace(void* memory, std::size_t bytes) {
  runner_->set_workspace(memory, bytes);
}

template <class Real>
std::string Plan<Real>::describe() const {
  return runner_->describe();
}

template <class Real>
int Plan<Real>::passes() const {
  return runner_->passes();
}

template <class Real>
int Plan<Real>::exchanges() const {
  return runner_->exchanges();
}

template <class Real>
int Plan<Real>::threads() const {
  return runner_->threads();
}

template <class Real>
double Plan<Real>::communication_seconds() const {
  return runner_->communication_seconds();
}

template <class Real>
auto Plan<Real>::breakdown(Direction direction) const -> std::vector<Part> {
  return runner_->breakdown(direction);
}

template <class Real>
Prediction Plan<Real>::predict(std::string const& machine_file) const {
  return runner_->predict(machine_file);
}

template <class Real>
void Plan<Real>::write_trace() {
  runner_->write_trace();
}

template class Plan<float>;
template class Plan<double>;

}  // namespace sixstep
