// SPDX-License-Identifier: BSD-3-Clause
// Running a schedule: the media of its exchanges, then programs, memory, and runners.
#include "runners/schedule_runner.hpp"

#include <algorithm>
#include <utility>

#include "base/match.hpp"
#include "exchange/short_bundles.hpp"
#include "runners/conditions_of.hpp"

namespace sixstep::runners {

ScheduleRunner::ScheduleRunner(schedule::Schedule schedule, program::Meets const& meets,
                               Grounds const& grounds)
    : comm_(grounds.comm),
      site_(grounds.site),
      device_(grounds.site.device()),
      options_(grounds.options),
      meets_(meets),
      findings_(grounds.findings),
      schedule_(std::move(schedule)),
      node_(comm_.size() > 1 ? Node(comm_) : Node()) {
  options_.preserve_input = options_.preserve_input || !meets.overwrites;
  kernels_ = sweep::Kernels(options_.local, grounds.tuning,
                            local::third_sharers(std::max(node_.size(), 1)));
  decide(grounds);
  compile();
  if (decision_.shares_memory()) share_memory();
  make_channels();
  take_tags();
  make_runners();
}

/// Collective.
void ScheduleRunner::decide(Grounds const& grounds) {
  decision::Conditions conditions = conditions_of(node_, grounds.tuning);
  conditions.rounding = grounds.rounding;
  conditions.exchanges_in_queue = sends_in_queue();
  conditions.stages_in_common = device_ && device_->stages_in_common();
  decision_ = decision::decide(
      schedule_, options_, conditions,
      agreed(comm_, decision::allowed_by(comm_.rank(), schedule_, options_, conditions)));
}

/// Collective.
void ScheduleRunner::make_channels() {
  exchange::MakeStrategy* const by_pairs = exchange::by_pairs(decision_.messages);
  channels_ = by_pairs ? exchange::Channels::pairwise(comm_, by_pairs)
                       : exchange::Channels::collective(schedule_.ends(), decision_.limits.media,
                                                        comm_, windows() > 1);
}

bool ScheduleRunner::sends_messages() const {
  return comm_.size() > 1 && schedule_.exchanges() > 0 &&
         (!decision_.shares_memory() ||
          decision::has(decision_.limits.media, redistribution::Medium::messages));
}

ProgramDevice ScheduleRunner::on_device() const {
  if (!device_) return {};
  bool const has_work_arrays = work_offsets_.back() > 0;
  return {device_kernels_.get(), &device_->queue(),
          device_->bounds(std::ranges::max(array_bytes()), has_work_arrays), device_->peers(),
          &comm_};
}

/// Takes as many tags as any strategy needs; hops among nodes need one each. Collective.
void ScheduleRunner::take_tags() {
  if (comm_.size() == 1) return;
  constexpr Index hops = 2;
  Index const tags = redistribution::TagRange::count(schedule_.exchanges(), windows());
  tags_ = comm_.take_tags(mpi::narrow(std::max(hops, tags)));
}

/// The most messages that are under way to a rank at a time. They are few, so that those needed
/// first do not wait behind others, but enough to keep the network busy until the next progress().
int ScheduleRunner::in_flight(program::Move const& move) const {
  Index largest = 1;
  for (redistribution::Message const& message : move.moves->send.messages)
    largest = std::max(largest, move.bytes_sent(message, schedule_.real_bytes));
  Tuning const& tuning = decision_.limits.tuning;
  Index const bytes = drivers::watches(decision_.driver.driver) ? tuning.watched_bytes_in_flight
                                                                : tuning.bytes_in_flight;
  return static_cast<int>(std::max<Index>(tuning.fewest_in_flight, bytes / largest));
}

/// Collective.
void ScheduleRunner::compile() {
  mpi::together(comm_, [&] {
    auto const arrays = meets_.arrays(decision_.shares_memory(), options_.preserve_input);
    trips_ = {Trip{schedule_, limits()}, Trip{schedule::reverse(schedule_), limits().reversed()}};
    for (Trip& trip : trips_) {
      if (!(&trip == &trips_[0] ? meets_.forward : meets_.backward)) continue;
      trip.programs = program::compile(trip.schedule, comm_.rank(), trip.limits, arrays);
    }
    numberings_.clear();
    for (int i = 0; i < schedule_.operations(); ++i)
      numberings_.push_back(program::numberings(trips_[0].programs, i));
  });
  set_work_offsets();
}

/// Finds where each work array begins, and where the last ends. They are as large as the programs
/// of this rank need, or, in memory that others read, as large as those of any rank need.
/// Collective.
void ScheduleRunner::set_work_offsets() {
  std::array<Index, program::work_arrays> most{};
  for (Trip const& trip : trips_)
    for (program::Program const& program : trip.programs)
      for (std::size_t i = 0; i < most.size(); ++i)
        most[i] = std::max(most[i], program.work_reals[i]);
  if (decision_.shares_memory())
    mpi::reduce_to_all(comm_, most.data(), program::work_arrays, MPI_INT64_T, MPI_MAX);
  for (std::size_t i = 0; i < most.size(); ++i)
    work_offsets_[i + 1] =
        work_offsets_[i] + aligned(static_cast<std::size_t>(most[i] * schedule_.real_bytes));
}

/// Allocates memory for the work arrays of all ranks of the node. If there is none, exchanges go by
/// messages. Collective.
void ScheduleRunner::share_memory() {
  std::ranges::copy(array_bytes(), shared_array_bytes_.begin());
  mpi::reduce_to_all(comm_, shared_array_bytes_.data(), 2, MPI_UINT64_T, MPI_MAX);
  std::string message;
  try {
    memory_ = site_.common(node_, comm_, work_offsets_.back());
  } catch (std::exception const& error) {
    message = error.what();
  }
  try {
    mpi::agree(comm_, message);
  } catch (Error const& error) {
    not_shared_ = error.what();
    memory_.reset();
    decision_ = decision_.without_memory();
    return compile();
  }
  memory_->destroy_with_others(comm_);
  if (memory_->segment_bytes() == 0) return;
  Index const segment_reals =
      static_cast<Index>(memory_->segment_bytes()) / Index{schedule_.real_bytes};
  for (Trip& trip : trips_)
    for (program::Program& program : trip.programs) program::bind_segments(program, segment_reals);
}

ScheduleRunner::~ScheduleRunner() {
  try {
    site_.finish();
  } catch (Error const&) {
    // The device has failed, and an execution has reported it. Every later call fails too.
  }
}

/// Strategies are made last, when no rank can fail alone any more. Collective.
void ScheduleRunner::make_runners() {
  if (sends_in_queue() && sends_messages()) device_->meet_peers();
  mpi::together(comm_, [&] {
    if (device_) device_kernels_ = std::make_unique<device::DeviceKernels>(device_->backend());
    if (windows() > 1 && decision_.driver.driver == Driver::thread)
      progress_threads_ = drivers::ProgressThreads::of_process();
    for (Trip& there : trips_) {
      for (program::Program& program : there.programs)
        there.runners.emplace_back(std::move(program), kernels_, schedule_.real_bytes,
                                   Drive{decision_.driver.driver, options_.pipelines,
                                         progress_threads_.get(), comm_.patience()},
                                   on_device());
      there.programs.clear();
    }
    if (!options_.own_workspace) return;
    std::size_t const apart = memory_ ? work_offsets_.back() : 0;
    owned_ = site_.allocate(workspace_bytes() - apart);
    workspace_ = owned_.get();
  });
  if (device_ && sends_messages())
    staging_ = device_->staging_buffers(node_, programs(), schedule_.real_bytes);
  for (bool backward : {false, true})
    for (ProgramRunner& runner : trip(backward).runners)
      runner.exchange_by(make_strategies(runner.program(), backward));
  if (options_.verify == Verify::all) compare_handovers();
}

/// Collective.
void ScheduleRunner::compare_handovers() {
  constexpr int windows = 1;
  Index const tags = redistribution::TagRange::count(std::max(schedule_.exchanges(), 1), windows);
  if (comm_.size() > 1) handover_tags_ = comm_.take_tags(mpi::narrow(tags));
  mpi::together(comm_, [&] {
    for (Trip& there : trips_)
      for (ProgramRunner& runner : there.runners)
        runner.compare_handovers(
            {comm_, {handover_tags_.first(), windows}, there.schedule, findings_});
  });
}

std::vector<program::Program const*> ScheduleRunner::programs() const {
  std::vector<program::Program const*> all;
  for (Trip const& there : trips_)
    for (ProgramRunner const& runner : there.runners) all.push_back(&runner.program());
  return all;
}

ProgramRunner::Strategies ScheduleRunner::make_strategies(program::Program const& program,
                                                          bool backward) {
  ProgramRunner::Strategies made;
  auto const append = [&](program::Move const& move, program::Buffer source) {
    std::string const name = program::name(move, schedule_);
    if (device_ && device_->peers() && move.way.medium == redistribution::Medium::messages)
      return;  // in queues
    if (move.way.medium == redistribution::Medium::in_memory) {
      made.push_back(exchange::make_shared(memory_->node(), name));
      return;
    }
    MPI_Datatype const element = move.number() == layout::Number::real
                                     ? mpi::real_type(schedule_.real_bytes)
                                     : mpi::complex_type(schedule_.real_bytes);
    if (move.way.medium == redistribution::Medium::by_nodes) {
      exchange::Hops const hops{comm_, element, move.moves->hops, {name}, tags_.first()};
      made.push_back(move.form.shortens()
                         ? exchange::make_short_by_nodes(memory_->node(), hops, shortening(move))
                         : site_.carried_by_nodes(*memory_, hops));
      return;
    }
    int const number = static_cast<int>(move.exchange);
    exchange::Traffic const traffic{
        .comm = comm_,
        .element = element,
        .sends = move.moves->send.messages,
        .receives = move.moves->receive.messages,
        .cuts = move.cuts,
        .into_rows = move.way.in_array.receive,
        .number = backward ? schedule_.exchanges() - 1 - number : number,
        .tags = {tags_.first(), windows()},
        .in_flight = in_flight(move),
        .names = {name}};
    bool const is_kept = source == program::Buffer::input && !program.arrays.in_place &&
                         program.arrays.preserve_input;
    made.push_back(carried(traffic, move, !is_kept));
  };
  for (program::Step const& step : program.steps)
    std::visit(
        match{[](program::Sweep const&) {},
              [&](program::Move const& move) { append(move, step.source); },
              [&](program::Meeting const&) {
                made.push_back(exchange::make_shared(memory_->node(), "a meeting of the node"));
              }},
        step.work);
  return made;
}

exchange::Shortening ScheduleRunner::shortening(program::Move const& move) const {
  return {.form = move.form,
          .real_bytes = schedule_.real_bytes,
          .element_reals = layout::reals_of(move.number()),
          .near = move.near,
          .threads = threads()};
}

/// `may_overwrite`: whether nobody needs what is sent afterwards.
std::unique_ptr<exchange::Strategy> ScheduleRunner::carried(exchange::Traffic const& traffic,
                                                            program::Move const& move,
                                                            bool may_overwrite) const {
  if (!move.form.shortens()) return site_.carried(channels_, traffic, move, staging_.get());
  exchange::Shortening how = shortening(move);
  how.may_overwrite_source = may_overwrite;
  return exchange::make_shortened(
      site_.carried(channels_, exchange::in_bytes(traffic, how), move, staging_.get()), traffic,
      how);
}

void ScheduleRunner::execute(void const* in, void* out, Call const& call) {
  std::byte* const segment = memory_ ? memory_->segment() : nullptr;
  std::byte* const work = segment ? segment : workspace_;
  std::byte* scratch = segment ? workspace_ : workspace_ + work_offsets_.back();
  std::size_t const unit = site_.alignment();
  scratch += (unit - reinterpret_cast<std::uintptr_t>(scratch) % unit) % unit;
  Reached const common = memory_ ? meet(in, out, call.backward) : Reached{};
  bool const in_segments = common.word != 0;
  program::Arrays const these{in == out, in_segments, options_.preserve_input};
  Trip& there = trip(call.backward);
  auto const found = std::find_if(there.runners.begin(), there.runners.end(),
                                  [&](auto const& r) { return r.program().arrays == these; });
  // A rank without elements may pass any pointers, so any runner will do.
  there.last =
      found == there.runners.end() ? 0 : static_cast<std::size_t>(found - there.runners.begin());
  Workspace space{{}, scratch, threads(), call.idle};
  if (memory_) space.shifts = memory_->shifts();
  if (in_segments) {
    space.input_shifts = memory_->shifts(in);
    space.output_shifts = memory_->shifts(out);
    in = common.in.get();
    out = common.out.get();
  }
  for (std::size_t i = 0; i < space.work.size(); ++i) space.work[i] = work + work_offsets_[i];
  there.runners[there.last].run(in, out, space,
                                {call.backward != call.conjugate, call.factor, call.back,
                                 call.table, call.operations, call.point_tables},
                                call.purpose, call.returns_early && !memory_);
  if (memory_) memory_->node().arrive();  // this rank reads no more of the others' memory
  if (in_segments) wait_for_node("the end of an execution");  // nor do the others of its arrays
}

void ScheduleRunner::note_end() {
  for (Trip& there : trips_)
    for (ProgramRunner& runner : there.runners) runner.note_end();
}

/// Waits until the memory of this node's ranks is free for a new execution. Returns how all of them
/// reach these arrays; the word is 0 if they do not.
Reached ScheduleRunner::meet(void const* in, void const* out, bool backward) {
  constexpr char const* name = "the begin of an execution";
  if (!meets_.allocated) {
    wait_for_node(name);
    return {};
  }
  auto const [input_bytes, output_bytes] = shared_array_bytes_;
  NodeMemory::Array const first{in, backward ? output_bytes : input_bytes},
      second{out, backward ? input_bytes : output_bytes};
  Reached const found = memory_->reach(first, second);
  memory_->node().arrive(found.word);
  bool const is_alike = wait_for_node(name);
  if (is_offered(memory_->node())) return memory_->adopt(first, second);
  return is_alike ? found : Reached{};
}

bool ScheduleRunner::wait_for_node(std::string_view name) {
  Trace::Span const span(meeting_, 0);
  return memory_->node().wait(name);
}

/// The bytes of this rank's input and output, never 0.
std::array<std::size_t, 2> ScheduleRunner::array_bytes() const {
  auto const bytes = [&](layout::Placement const& placement) {
    return static_cast<std::size_t>(std::max<Index>(placement.reals(comm_.rank()), 1) *
                                    schedule_.real_bytes);
  };
  return {bytes(schedule_.input), bytes(schedule_.output)};
}

std::shared_ptr<void> ScheduleRunner::allocate_array() {
  // Where the output is complex, an odd number of reals would end within its last element.
  auto const whole = [&](std::array<std::size_t, 2> const& bytes) {
    auto const unit = static_cast<std::size_t>(2 * schedule_.real_bytes);
    return (std::ranges::max(bytes) + unit - 1) / unit * unit;
  };
  std::shared_ptr<void> array;
  if (memory_) array = memory_->allocate(whole(shared_array_bytes_));
  mpi::together(comm_, [&] {
    if (!array) array = site_.allocate(whole(array_bytes()));
  });
  return array;
}

std::size_t ScheduleRunner::workspace_bytes() const {
  std::size_t thread_bytes = 0;
  for (Trip const& trip : trips_)
    for (ProgramRunner const& runner : trip.runners)
      thread_bytes = std::max(thread_bytes, runner.thread_bytes());
  return work_offsets_.back() + thread_bytes * static_cast<std::size_t>(threads()) +
         site_.alignment();
}

program::Program const& ScheduleRunner::program(bool backward) const {
  return trip(backward).runners.front().program();
}

}  // namespace sixstep::runners
