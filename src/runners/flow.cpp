// SPDX-License-Identifier: BSD-3-Clause
// Flow: windows as sets of bits; a step knows which are done, an exchange which have arrived and
// which have been sent.
#include "runners/flow.hpp"

#include <algorithm>
#include <bit>

#include "base/match.hpp"

namespace sixstep::runners {

namespace {

using exchange::all_windows;
using redistribution::bit;
using Strategy = std::unique_ptr<exchange::Strategy>;

constexpr redistribution::Windows first(int windows) {
  return windows >= redistribution::most_windows ? exchange::all_windows
                                                 : redistribution::bit(windows) - 1;
}
constexpr bool contains(redistribution::Windows all, redistribution::Windows some) {
  return (some & ~all) == 0;
}

}  // namespace

Flow::Flow(program::Program const& program, std::vector<StepRunner> const& runners,
           std::size_t thread_bytes, Patience const& patience, DeviceQueue const& device)
    : program_(program),
      runners_(runners),
      thread_bytes_(thread_bytes),
      patience_(patience),
      device_(device),
      states_(program.steps.size()) {
  for (std::size_t i = 0; i < states_.size(); ++i)
    if (auto const* sweep = std::get_if<program::Sweep>(&program_.steps[i].work))
      states_[i].windows.resize(static_cast<std::size_t>(sweep->cut_windows()));
  for (Queued& place : queued_)
    if (device_.queue) {
      place.begin = device_.backend->make_event();
      place.end = device_.backend->make_event();
    }
}

Index Flow::extent(std::size_t step) const {
  if (auto const* const on_device = std::get_if<DeviceStep>(&runners_[step]))
    return on_device->sweep.extent();
  return std::get<sweep::SweepRunner>(runners_[step]).extent();
}

/// On a device a part is a whole window.
Index Flow::part_counts(std::size_t step) const {
  if (device_.queue) return std::max<Index>(extent(step), 1);
  return std::get<sweep::SweepRunner>(runners_[step]).window();
}

void Flow::begin(Execution const& execution, bool with_tokens) {
  execution_.emplace(execution);
  with_tokens_ = with_tokens;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    program::Step const& step = program_.steps[i];
    State& state = states_[i];
    state.done = state.left = state.dealt = state.packed = state.vacated = 0;
    state.token = 0;
    state.is_sending = false;
    state.starves = true;
    state.seconds = 0;
    state.allowed = 0;
    if (auto const* strategy = std::get_if<Strategy>(&runners_[i])) {
      (*strategy)->begin(execution.at(step.source), execution.at(step.target));
      continue;
    }
    Index const all = extent(i);
    auto const windows = static_cast<Index>(state.windows.size());
    state.all = first(static_cast<int>(windows));
    for (Index window = 0; window < windows; ++window)
      state.windows[static_cast<std::size_t>(window)] = {all * window / windows,
                                                         all * (window + 1) / windows, 0};
  }
  under_way_ = false;
  finished_ = false;
  note_end();
}

/// Windows whose input is complete.
redistribution::Windows Flow::fed(std::size_t step) const {
  if (step == 0) return exchange::all_windows;
  State const& before = states_[step - 1];
  return is_sweep(step - 1) ? before.done | ~before.all : before.done;
}

/// The step `behind` reads this step's target: returns its windows that no longer do.
redistribution::Windows Flow::vacated(std::size_t step) const {
  std::optional<std::size_t> const& behind = program_.steps[step].behind;
  return behind ? states_[*behind].left : exchange::all_windows;
}

/// Whether every step that must end as a whole before this one has ended.
bool Flow::is_open(std::size_t step) const {
  std::vector<std::size_t> const& before = program_.steps[step].after_all_of;
  return std::all_of(before.begin(), before.end(),
                     [&](std::size_t other) { return has_left(other); });
}

/// Whether a step no longer needs anything of its source.
bool Flow::has_left(std::size_t step) const {
  State const& state = states_[step];
  return contains(state.left, is_sweep(step) ? state.all : exchange::all_windows);
}

/// Windows that may run and have parts that nobody has taken.
redistribution::Windows Flow::ready(std::size_t step) const {
  State const& state = states_[step];
  if (!is_open(step)) return 0;
  redistribution::Windows found = fed(step) & state.all & ~state.dealt;
  auto const& after = std::get<program::Sweep>(program_.steps[step].work).after;
  if (found == 0 || after.empty()) return found;
  redistribution::Windows const free = vacated(step);
  for (int window = 0; window < static_cast<int>(after.size()); ++window)
    if (!contains(free, after[static_cast<std::size_t>(window)]))
      found &= ~redistribution::bit(window);
  return found;
}

/// Whether the exchange behind a step starves.
bool Flow::feeds_starving(std::size_t step) const {
  return step + 1 < states_.size() && !is_sweep(step + 1) && states_[step + 1].starves;
}

std::optional<Flow::Slice> Flow::take(Turns turns) {
  std::lock_guard const lock(state_mutex_);
  for (std::size_t step = states_.size(); step-- > 0;)
    if (is_sweep(step) && feeds_starving(step))
      if (std::optional<Slice> const part = take_of(step, turns)) return part;
  for (std::size_t step = 0; step < states_.size(); ++step)
    if (is_sweep(step))
      if (std::optional<Slice> const part = take_of(step, turns)) return part;
  return std::nullopt;
}

std::optional<Flow::Slice> Flow::take_of(std::size_t step, Turns turns) {
  State& state = states_[step];
  for (redistribution::Windows left = ready(step); left != 0; left &= left - 1) {
    int const window = std::countr_zero(left);
    if (window % turns.divisor != turns.remainder) continue;
    Progress& progress = state.windows[static_cast<std::size_t>(window)];
    Index const parts = part_counts(step);
    Index const next = progress.next + execution_->space.threads * parts;
    Slice const part{step, window, progress.next, std::min(progress.next + parts, progress.hi),
                     next < progress.hi ? next : extent(step)};
    progress.next = part.hi;
    ++progress.running;
    if (part.hi == progress.hi) state.dealt |= redistribution::bit(window);
    return part;
  }
  return std::nullopt;
}

bool Flow::run_next(int thread, Turns turns) {
  Queued* const place = device_.queue ? free_place() : nullptr;
  if (device_.queue && !place) return false;
  std::optional<Slice> const part = take(turns);
  if (!part) return false;
  if (place) {
    put(*part, *place);
    return true;
  }
  Nanoseconds const begin = now();  // not MPI_Wtime(): any thread may come here
  ++running_;
  run(*part, thread);
  --running_;
  end(*part, static_cast<double>(now() - begin) * 1e-9);
  return true;
}

void Flow::run(Slice const& part, int thread) const {
  program::Step const& step = program_.steps[part.step];
  auto const& runner = std::get<sweep::SweepRunner>(runners_[part.step]);
  Trace::Span const span(labels_.pass(part.step, runner, part.hi - part.lo), thread,
                         {.window = part.window, .part = part.lo / runner.window()});
  execution_->run(step, runner, part.lo, part.hi, part.next,
                  execution_->space.scratch + static_cast<std::size_t>(thread) * thread_bytes_);
}

/// One thread alone puts parts into the queue.
Flow::Queued* Flow::free_place() {
  std::lock_guard const lock(state_mutex_);
  for (Queued& place : queued_)
    if (!place.part) return &place;
  return nullptr;
}

void Flow::put(Slice const& part, Queued& place) {
  program::Step const& step = program_.steps[part.step];
  place.since = now();
  ++running_;
  device::Queue& queue = **device_.queue;
  queue.record(*place.begin);
  std::get<DeviceStep>(runners_[part.step])
      .sweep.put(queue, part.lo, part.hi, execution_->on_device(step.source),
                 execution_->on_device(step.target), execution_->mode, execution_->space.scratch,
                 device_.block_bytes);
  queue.record(*place.end);
  std::lock_guard const lock(state_mutex_);
  place.part = part;
}

/// Notes which parts in the device's queue have ended.
void Flow::see_what_has_ended() {
  for (Queued& place : queued_) {
    std::optional<Slice> ended;
    {
      std::lock_guard const lock(state_mutex_);
      if (!place.part || !place.end->has_come()) continue;
      ended = place.part;
    }
    if (labels_.is_on()) {
      auto const& sweep = std::get<DeviceStep>(runners_[ended->step]).sweep;
      Trace::Label const label = labels_.pass(ended->step, sweep, ended->hi - ended->lo);
      label.trace->record(label, place.since, {.window = ended->window});
    }
    double const seconds = place.end->seconds_since(*place.begin);
    {
      std::lock_guard const lock(state_mutex_);
      place.part.reset();
    }
    --running_;
    end(*ended, seconds);
  }
}

void Flow::end(Slice const& part, double seconds) {
  std::lock_guard const lock(state_mutex_);
  State& state = states_[part.step];
  state.seconds += seconds / execution_->space.threads;
  bool const is_last = --state.windows[static_cast<std::size_t>(part.window)].running == 0;
  if (!is_last || (state.dealt & redistribution::bit(part.window)) == 0) return;
  state.done |= redistribution::bit(part.window);
  state.left = state.done;
  note_end();
}

bool Flow::progress() {
  std::unique_lock const lock(messages_mutex_, std::try_to_lock);
  if (!lock) return false;
  if (device_.queue) see_what_has_ended();
  bool under_way = false;
  for (std::size_t step = 0; step < states_.size(); ++step)
    if (std::holds_alternative<Strategy>(runners_[step])) under_way |= let_go(step);
  under_way_.store(under_way, std::memory_order_release);
  return true;
}

/// Lets an exchange go on as far as it may. Returns whether messages are under way that need no
/// further pass of this rank.
bool Flow::let_go(std::size_t step) {
  exchange::Strategy& strategy = *std::get<Strategy>(runners_[step]);
  State& state = states_[step];
  redistribution::Windows packed = 0, free = 0;
  {
    std::lock_guard const lock(state_mutex_);
    if (is_through(state) || !is_open(step)) return false;
    packed = fed(step);
    free = vacated(step);
    bool const is_sent =
        (state.packed & redistribution::bit(state.token)) != 0 && !strategy.sending();
    if (is_sent && state.token + 1 < redistribution::most_windows) ++state.token;
  }
  redistribution::Windows const allowed = with_tokens_ ? packed & first(state.token + 1) : packed;
  if (allowed != state.packed || free != state.vacated) {
    state.packed = allowed;
    state.vacated = free;
    strategy.allow(allowed, free);
  }
  strategy.progress();
  if (labels_.is_on()) record_arrival(step, strategy.arrived() & ~state.done);
  std::lock_guard const lock(state_mutex_);
  redistribution::Windows const arrived = strategy.arrived(), sent = strategy.sent();
  state.is_sending = strategy.sending();
  state.starves = strategy.starves();
  if (arrived != state.done || sent != state.left) {
    state.done = arrived;
    state.left = sent;
    note_end();
  }
  return state.is_sending || (packed == exchange::all_windows && arrived != exchange::all_windows);
}

/// In a trace, a window of an exchange begins when the first window may be sent, and ends when it
/// has arrived.
void Flow::record_arrival(std::size_t step, redistribution::Windows arrived) {
  State& state = states_[step];
  if (state.allowed == 0) state.allowed = now();
  Trace::Label const label = labels_.step(step);
  int const windows = std::get<program::Move>(program_.steps[step].work).cuts.behind.windows;
  for (redistribution::Windows left = arrived & first(windows); left != 0; left &= left - 1)
    label.trace->record(label, state.allowed, {.window = std::countr_zero(left)});
}

bool Flow::is_through(State const& state) {
  return (state.done & state.left) == exchange::all_windows;
}

bool Flow::is_turn_of(Turns turns) const {
  std::lock_guard const lock(state_mutex_);
  for (std::size_t step = 0; step < states_.size(); ++step) {
    State const& state = states_[step];
    if (!std::holds_alternative<Strategy>(runners_[step]) || is_through(state)) continue;
    if (state.token % turns.divisor == turns.remainder &&
        (fed(step) & redistribution::bit(state.token)) != 0)
      return true;
  }
  return false;
}

std::string Flow::waiting_for() {
  std::lock_guard const lock(messages_mutex_);
  for (StepRunner const& runner : runners_)
    if (auto const* strategy = std::get_if<Strategy>(&runner))
      if (std::string words = (*strategy)->waiting_for(); !words.empty()) return words;
  return "messages that other ranks have not announced";
}

void Flow::add_seconds(std::vector<double>& seconds, double wall_s) const {
  double uncovered_s = wall_s;
  int exchanges = 0;
  for (std::size_t step = 0; step < states_.size(); ++step) {
    seconds[step] += states_[step].seconds;
    uncovered_s -= states_[step].seconds;
    if (std::holds_alternative<Strategy>(runners_[step])) ++exchanges;
  }
  for (std::size_t step = 0; step < states_.size(); ++step)
    if (std::holds_alternative<Strategy>(runners_[step]))
      seconds[step] += std::max(0.0, uncovered_s) / exchanges;
}

/// Called when something has ended: other parts may be ready, or the flow has finished.
void Flow::note_end() {
  bool all = true;
  for (std::size_t step = 0; step < states_.size(); ++step) {
    State const& state = states_[step];
    all = all && (is_sweep(step) ? state.done == state.all : is_through(state));
  }
  changes_.fetch_add(1, std::memory_order_release);
  if (all) finished_.store(true, std::memory_order_release);
}

}  // namespace sixstep::runners
