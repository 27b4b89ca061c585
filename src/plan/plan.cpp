// SPDX-License-Identifier: BSD-3-Clause
// Plan: the tasks of a composition; its schedules, with programs for both directions and the memory
// and messages to run them.
#include "sixstep/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "exchange/exchange.hpp"
#include "exchange/turn.hpp"
#include "local/caches.hpp"
#include "plan/bluestein.hpp"
#include "plan/composition.hpp"
#include "plan/half_complex.hpp"
#include "plan/in_place.hpp"
#include "plan/match.hpp"
#include "plan/program.hpp"
#include "plan/schedule.hpp"
#include "plan/sweep.hpp"
#include "plan/zero_imaginary.hpp"
#include "runtime/memory.hpp"
#include "runtime/mpi.hpp"
#include "runtime/node.hpp"
#include "runtime/threads.hpp"

namespace sixstep {

namespace {

/// A fingerprint of what all ranks must give alike (FNV-1a).
class Fingerprint {
 public:
  template <class T>
  Fingerprint& add(T value) {
    auto bits = static_cast<std::uint64_t>(value);
    for (int byte = 0; byte < 8; ++byte, bits >>= 8)
      hash_ = (hash_ ^ (bits & 0xff)) * 0x100000001b3ull;
    return *this;
  }
  Fingerprint& add(Layout const& layout) {
    add(layout.axes()).add(layout.ranks()).add(layout.grid().size());
    for (Index extent : layout.shape()) add(extent);
    for (int axis : layout.order()) add(axis);
    for (int parts : layout.grid()) add(parts);
    for (Distribution distribution : layout.distribution()) add(distribution);
    for (int rank = 0; layout.grid().empty() && rank < layout.ranks(); ++rank)
      for (Range const& range : layout.box(rank).ranges) add(range.lo).add(range.hi);
    return *this;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ull;
};

/// What executions are for: seconds are counted for each apart.
enum class Purpose { forward, backward, setup };
constexpr std::size_t purposes = 3;

constexpr std::size_t alignment = 64;

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

/// One direction of a schedule: its programs for all arrays, with everything that running them
/// needs.
template <class Real>
class Engine {
 public:
  using Exchanges = std::vector<std::unique_ptr<exchange::Exchange>>;

  /// `programs` for arrays {in_place, in_segments}: {no, no}, {yes, no}, {no, yes}, {yes, yes};
  /// empty ones for arrays that there never are.
  Engine(std::vector<plan::Program> programs, plan::Kernels<Real>& kernels,
         std::vector<Exchanges> exchanges) {
    for (std::size_t number = 0; number < programs.size(); ++number) {
      variants_.push_back({std::move(programs[number]), std::move(exchanges[number]), {}, {}});
      for (std::vector<double>& seconds : variants_.back().seconds)
        seconds.resize(variants_.back().program.steps.size());
      for (plan::Step const& step : variants_.back().program.steps) {
        auto const* sweep = std::get_if<plan::Sweep>(&step);
        if (!sweep) continue;
        variants_.back().runners.emplace_back(*sweep, kernels);
        thread_bytes_ = std::max(thread_bytes_, variants_.back().runners.back().scratch_bytes());
      }
    }
    while (first_ + 1 < variants_.size() && program().buffers.empty()) ++first_;
    last_ = first_;
  }

  plan::Program const& program() const { return variants_[first_].program; }
  std::size_t thread_bytes() const { return thread_bytes_; }
  /// Memory lent to an execution.
  struct Space {
    std::array<Real*, plan::work_arrays> work;
    std::byte* scratch;  // thread_bytes() for each thread
    int threads;
  };

  void run(Real* in, Real* out, bool in_segments, Space const& space, plan::Mode<Real> const& mode,
           Purpose purpose) {
    last_ = (in == out ? 1u : 0u) + (in_segments ? 2u : 0u);
    Variant& variant = variants_[last_];
    plan::Program const& program = variant.program;
    auto const at = [&](plan::Buffer buffer) {
      return buffer == plan::Buffer::input    ? in
             : buffer == plan::Buffer::output ? out
                                              : space.work[static_cast<std::size_t>(buffer)];
    };
    if (in == out && program.buffers[0] != plan::Buffer::output)
      std::copy_n(in, program.input_reals(), at(program.buffers[0]));
    std::size_t runner = 0, exchange = 0;
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
      double const begin = MPI_Wtime();
      Real* const source = at(program.buffers[i]);
      Real* const target = at(program.buffers[i + 1]);
      std::visit(match{[&](plan::Sweep const&) {
                         variant.runners[runner++].run(source, target, mode, space.threads,
                                                       space.scratch);
                       },
                       [&](plan::Move const&) {
                         exchange::Exchange& strategy = *variant.exchanges[exchange++];
                         for (int chunk = 0; chunk < strategy.chunks(); ++chunk)
                           strategy.begin(chunk, source, target);
                         for (int chunk = 0; chunk < strategy.chunks(); ++chunk)
                           strategy.finish(chunk);
                       }},
                 program.steps[i]);
      variant.seconds[static_cast<std::size_t>(purpose)][i] += MPI_Wtime() - begin;
    }
  }

  double communication_seconds(Purpose purpose) const {
    double sum = 0;
    for (Variant const& variant : variants_)
      for (std::size_t i = 0; i < variant.program.steps.size(); ++i)
        if (std::holds_alternative<plan::Move>(variant.program.steps[i]))
          sum += variant.seconds[static_cast<std::size_t>(purpose)][i];
    return sum;
  }

  std::vector<typename Plan<Real>::Part> breakdown(plan::Schedule const& schedule,
                                                   Purpose purpose) const {
    Variant const& variant = variants_[last_];
    std::vector<double> const& seconds = variant.seconds[static_cast<std::size_t>(purpose)];
    std::map<std::size_t, typename Plan<Real>::Part> parts;  // all blocks together
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      plan::Step const& step = variant.program.steps[i];
      auto& part = parts[variant.program.shown_as[i]];
      if (part.what.empty()) part.what = plan::name(step, schedule);
      part.seconds += seconds[i];
      part.bytes += static_cast<double>(plan::bytes_of(step, schedule.real_bytes));
    }
    std::vector<typename Plan<Real>::Part> list;
    for (auto& [number, part] : parts) list.push_back(std::move(part));
    return list;
  }

 private:
  struct Variant {
    plan::Program program;
    Exchanges exchanges;
    std::vector<plan::SweepRunner<Real>> runners;
    std::array<std::vector<double>, purposes> seconds;  // of each step, in all runs
  };

  std::vector<Variant> variants_;
  std::size_t first_ = 0;  // that is not empty
  std::size_t last_ = 0;   // that was run
  std::size_t thread_bytes_ = 0;
};

/// Which arrays a schedule may meet: two, the same for input and output, and allocate()'s.
struct Meets {
  bool two = false;
  bool in_place = false;
  bool allocated = false;
};

/// A schedule, ready to run on the ranks of a communicator, which outlives it.
template <class Real>
class Scheduled {
 public:
  using Part = typename Plan<Real>::Part;

  /// Collective. Errors: memory that cannot be had. `options` has the number of threads.
  Scheduled(plan::Schedule schedule, mpi::Communicator const& comm, Options const& options,
            Meets const& meets)
      : comm_(comm),
        options_(options),
        meets_(meets),
        schedule_(std::move(schedule)),
        threads_(options.threads),
        kernels_(options.local) {
    find_ways();
    Programs programs = compile();
    set_work_offsets(programs);
    if (!ways_.empty()) {
      share_memory();
      programs = compile();  // now it is known how far apart segments are, or that there are none
      set_work_offsets(programs);
    }
    make_groups();
    auto forward_exchanges = make_exchanges(programs.forward, false);
    auto backward_exchanges = make_exchanges(programs.backward, true);
    mpi::together(comm_, [&] {
      forward_.emplace(std::move(programs.forward), kernels_, std::move(forward_exchanges));
      backward_.emplace(std::move(programs.backward), kernels_, std::move(backward_exchanges));
      if (!options.own_workspace) return;
      std::size_t const apart = memory_ ? work_offsets_.back() : 0;
      owned_ = sixstep::allocate(workspace_bytes() - apart);
      workspace_ = owned_.get();
    });
  }

  void execute(Real const* in, Real* out, bool backward, Real factor, Purpose purpose) {
    Engine<Real>& engine = backward ? *backward_ : *forward_;
    std::byte* const work = memory_ ? memory_->segment() : workspace_;
    std::byte* const scratch = memory_ ? workspace_ : workspace_ + work_offsets_.back();
    bool const in_segments = memory_ && meet(in, out);
    typename Engine<Real>::Space space{{}, scratch, threads_};
    for (std::size_t i = 0; i < space.work.size(); ++i)
      space.work[i] = reinterpret_cast<Real*>(work + work_offsets_[i]);
    engine.run(const_cast<Real*>(in), out, in_segments, space, {backward, factor}, purpose);
    if (memory_) memory_->arrive();    // this rank reads no more of the others' memory
    if (in_segments) memory_->wait();  // nor do they of its arrays
  }

  /// An array for input, output or both.
  std::shared_ptr<void> allocate_array() {
    std::size_t const slot = memory_ ? free_slot() : most_slots;
    std::shared_ptr<void> array;
    mpi::together(comm_, [&] {
      if (slot < most_slots) {
        slots_->at(slot) = true;
        array = std::shared_ptr<void>(
            slots_begin() + slot * slot_bytes_,
            [memory = memory_, slots = slots_, slot, bytes = slot_bytes_](void* memory_of_slot) {
              slots->at(slot) = false;
              memory->give_back(memory_of_slot, bytes);
            });
      } else {
        array = std::shared_ptr<std::byte[]>(sixstep::allocate(array_bytes()));
      }
    });
    arrays_shared_ = arrays_shared_ || memory_;
    return array;
  }

  std::size_t workspace_bytes() const {
    std::size_t const scratch = std::max(forward_->thread_bytes(), backward_->thread_bytes());
    return work_offsets_.back() + scratch * static_cast<std::size_t>(threads_) + alignment;
  }

  /// workspace_bytes() of memory, aligned, if this has none of its own.
  void lend(std::byte* memory) { workspace_ = memory; }

  std::string run_words() const {
    return text(exchange_words(), ", ", threads_, threads_ == 1 ? " thread" : " threads",
                " per rank, kernels: ", local::kernels_of<Real>(options_.local));
  }

  plan::Schedule const& schedule() const { return schedule_; }
  plan::Program const& program(bool backward) const {
    return (backward ? *backward_ : *forward_).program();
  }
  double communication_seconds(Purpose purpose) const {
    return forward_->communication_seconds(purpose) + backward_->communication_seconds(purpose);
  }
  std::vector<Part> breakdown(bool backward, Purpose purpose) const {
    return backward ? backward_->breakdown(plan::reverse(schedule_), purpose)
                    : forward_->breakdown(schedule_, purpose);
  }

  plan::Limits limits(bool in_reverse) const {
    plan::Limits limits{.cache_bytes = local::caches().second, .threads = threads_};
    limits.last_cache_bytes = std::max(limits.cache_bytes, local::caches().third / 8);
    constexpr int most_blocks = 16;
    if (options_.low_memory) limits.blocks = most_blocks;
    if (ways_.empty()) return limits;
    limits.ways = ways_;
    limits.node = node_.node_of();
    limits.segment = node_.place_of();
    constexpr Index far_apart = Index{1} << 40;
    limits.segment_bytes = memory_ ? static_cast<Index>(memory_->segment_bytes()) : far_apart;
    return in_reverse ? plan::reversed(limits) : limits;
  }

 private:
  static constexpr std::size_t page = std::size_t{1} << 21;
  static constexpr std::size_t most_slots = 4;

  /// Numbered as Engine numbers programs.
  plan::Arrays arrays(int number) const {
    return {number % 2 == 1, number / 2 == 1, options_.preserve_input};
  }

  bool may_meet(plan::Arrays const& these) const {
    return (these.in_place ? meets_.in_place : meets_.two) &&
           (meets_.allocated || !these.in_segments);
  }

  struct Programs {
    std::vector<plan::Program> forward, backward;
  };

  Programs compile() const {
    Programs programs;
    mpi::together(comm_, [&] {
      plan::Schedule const reversed = plan::reverse(schedule_);
      for (int number = 0; number < (ways_.empty() ? 2 : 4); ++number) {
        if (!may_meet(arrays(number))) {
          programs.forward.emplace_back();
          programs.backward.emplace_back();
          continue;
        }
        programs.forward.push_back(
            plan::compile(schedule_, comm_.rank(), limits(false), arrays(number)));
        programs.backward.push_back(
            plan::compile(reversed, comm_.rank(), limits(true), arrays(number)));
      }
    });
    return programs;
  }

  /// Finds out where each work array begins, and where the last ends: they are as large as the
  /// programs of this rank need them; in memory that others read, as any rank does.
  void set_work_offsets(Programs const& programs) {
    std::array<Index, plan::work_arrays> most{};
    for (auto const* direction : {&programs.forward, &programs.backward})
      for (plan::Program const& program : *direction)
        for (std::size_t i = 0; i < most.size(); ++i)
          most[i] = std::max(most[i], program.work_reals[i]);
    if (!ways_.empty())
      MPI_Allreduce(MPI_IN_PLACE, most.data(), plan::work_arrays, MPI_INT64_T, MPI_MAX, comm_);
    for (std::size_t i = 0; i < most.size(); ++i)
      work_offsets_[i + 1] =
          work_offsets_[i] + aligned(static_cast<std::size_t>(most[i]) * sizeof(Real));
  }

  // Memory in common.

  /// Finds out which exchanges stay on a node, and which go from node to node.
  void find_ways() {
    if (options_.exchange != Exchange::shared || comm_.size() == 1 || !options_.own_workspace)
      return;
    node_ = Node(comm_);
    std::vector<int> ways;
    for (plan::Stage const& stage : schedule_.stages)
      if (auto const* move = std::get_if<plan::Exchange>(&stage))
        ways.push_back(static_cast<int>(way_of(*move)));
    int largest_node = node_.size();
    MPI_Allreduce(MPI_IN_PLACE, &largest_node, 1, MPI_INT, MPI_MAX, comm_);
    static_assert(plan::Way::messages < plan::Way::by_nodes &&
                  plan::Way::by_nodes < plan::Way::in_memory);
    MPI_Allreduce(MPI_IN_PLACE, ways.data(), mpi::narrow(static_cast<Index>(ways.size())), MPI_INT,
                  MPI_MIN, comm_);
    bool const all_messages = std::all_of(ways.begin(), ways.end(), [](int way) {
      return static_cast<plan::Way>(way) == plan::Way::messages;
    });
    if (largest_node == 1 || all_messages) return;
    for (int way : ways) ways_.push_back(static_cast<plan::Way>(way));
  }

  /// What suits this rank. Messages between nodes are gathered while their number is what costs.
  plan::Way way_of(plan::Exchange const& move) const {
    constexpr Index large_message_bytes = 1 << 16;
    std::vector<int> const group = exchange::group_of(move.from, move.to, comm_.rank());
    std::vector<int> const& nodes = node_.node_of();
    if (std::all_of(group.begin(), group.end(),
                    [&](int rank) { return nodes[at(rank)] == nodes[at(comm_.rank())]; }))
      return plan::Way::in_memory;
    Index const bytes =
        move.from.memory_size(comm_.rank()) * schedule_.bytes_of(plan::Number::complex);
    Index const message_bytes = bytes / static_cast<Index>(group.size());
    return message_bytes < large_message_bytes ? plan::Way::by_nodes : plan::Way::messages;
  }

  /// Gets memory for the work arrays of all ranks of the node, and for arrays of the user; without
  /// it, messages do.
  void share_memory() {
    Index slot = static_cast<Index>(array_bytes());
    MPI_Allreduce(MPI_IN_PLACE, &slot, 1, MPI_INT64_T, MPI_MAX, comm_);
    slot_bytes_ = (static_cast<std::size_t>(slot) + page - 1) / page * page;
    slots_offset_ = (work_offsets_.back() + page - 1) / page * page;
    std::string message;
    try {
      memory_ = std::make_shared<NodeMemory>(node_, slots_offset_ + most_slots * slot_bytes_);
    } catch (std::exception const& error) {
      message = error.what();
    }
    try {
      mpi::agree(comm_, message);
      slots_ = std::make_shared<std::array<bool, most_slots>>();
    } catch (Error const& error) {
      memory_.reset();
      ways_.clear();
      not_shared_ = error.what();
    }
  }

  static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }
  std::byte* slots_begin() const { return memory_->segment() + slots_offset_; }

  /// Of an array that is large enough for input and output.
  std::size_t array_bytes() const {
    auto const reals = [&](exchange::Placement const& placement, plan::Number number) {
      return placement.memory_size(comm_.rank()) * plan::reals_of(number);
    };
    Index const most = std::max(reals(schedule_.input, schedule_.input_number),
                                reals(schedule_.output, schedule_.output_number));
    return static_cast<std::size_t>(most + 1) * sizeof(Real);
  }

  /// The first slot that is free on all ranks.
  std::size_t free_slot() const {
    std::array<int, most_slots> used;
    std::copy(slots_->begin(), slots_->end(), used.begin());
    MPI_Allreduce(MPI_IN_PLACE, used.data(), most_slots, MPI_INT, MPI_MAX, comm_);
    return static_cast<std::size_t>(std::find(used.begin(), used.end(), 0) - used.begin());
  }

  /// 1 + the slot that an array is; 0 if it is none.
  std::uint64_t slot_of(void const* array) const {
    std::ptrdiff_t const offset = static_cast<std::byte const*>(array) - slots_begin();
    auto const unit = static_cast<std::ptrdiff_t>(slot_bytes_);
    if (offset < 0 || offset % unit != 0 || offset / unit >= std::ptrdiff_t{most_slots}) return 0;
    return static_cast<std::uint64_t>(offset / unit) + 1;
  }

  /// Waits until the memory of this node's ranks is free for a new execution. Whether all gave
  /// arrays that they have in common.
  bool meet(void const* in, void const* out) {
    std::uint64_t const slots =
        slot_of(in) == 0 || slot_of(out) == 0 ? 0 : slot_of(in) * (most_slots + 1) + slot_of(out);
    if (arrays_shared_) memory_->arrive(slots);
    return memory_->wait() && slots != 0;
  }

  std::string exchange_words() const {
    if (options_.exchange == Exchange::pairwise) return "pairwise exchange";
    if (options_.exchange == Exchange::collective || comm_.size() == 1)
      return "collective exchange";
    if (!not_shared_.empty()) return "collective exchange (" + not_shared_ + ")";
    if (!options_.own_workspace) return "collective exchange (the workspace is not shared)";
    if (memory_) return text("memory shared by the ", node_.size(), " ranks of a node");
    return node_.size() == 1 ? "collective exchange (each rank has a node of its own)"
                             : "collective exchange (messages between nodes are large)";
  }

  /// For each exchange the ranks that take part with this one, and a communicator of them if they
  /// are neither all nor this one alone. The way back has the same groups in reverse.
  struct Group {
    std::vector<int> ranks;
    mpi::Communicator comm;
  };

  void make_groups() {
    if (options_.exchange == Exchange::pairwise) return;
    for (plan::Stage const& stage : schedule_.stages) {
      auto const* move = std::get_if<plan::Exchange>(&stage);
      if (!move) continue;
      Group group;
      if (ways_.empty()) group.ranks = exchange::group_of(move->from, move->to, comm_.rank());
      if (!group.ranks.empty() && static_cast<int>(group.ranks.size()) < comm_.size())
        group.comm = comm_.split(group.ranks.front());
      groups_.push_back(std::move(group));
    }
  }

  using Exchanges = typename Engine<Real>::Exchanges;

  std::vector<Exchanges> make_exchanges(std::vector<plan::Program> const& programs,
                                        bool in_reverse) {
    std::vector<Exchanges> made;
    for (plan::Program const& program : programs) {
      made.emplace_back();
      for (plan::Step const& step : program.steps)
        if (auto const* move = std::get_if<plan::Move>(&step))
          made.back().push_back(make_exchange(*move, in_reverse));
    }
    return made;
  }

  std::unique_ptr<exchange::Exchange> make_exchange(plan::Move const& move, bool in_reverse) {
    if (move.way == plan::Way::in_memory) return exchange::make_shared(*memory_);
    bool const of_reals = move.number == plan::Number::real;
    exchange::Traffic traffic{
        comm_.get(), of_reals ? mpi::real_type<Real>() : mpi::complex_type<Real>(), {}};
    traffic.chunks.push_back({move.moves.send.messages, move.moves.receive.messages});
    if (move.way == plan::Way::by_nodes) return exchange::make_by_nodes(*memory_, traffic);
    if (options_.exchange == Exchange::pairwise) return exchange::make_pairwise(traffic);
    Group const& group = groups_[in_reverse ? groups_.size() - 1 - move.exchange : move.exchange];
    if (group.comm.get() != MPI_COMM_NULL) {
      traffic.comm = group.comm.get();
      for (auto* messages : {&traffic.chunks[0].sends, &traffic.chunks[0].receives})
        for (exchange::Message& message : *messages)
          message.rank = static_cast<int>(
              std::lower_bound(group.ranks.begin(), group.ranks.end(), message.rank) -
              group.ranks.begin());
    }
    return exchange::make_collective(traffic);
  }

  mpi::Communicator const& comm_;
  Options options_;
  Meets meets_;
  plan::Schedule schedule_;
  int threads_;
  Node node_;
  std::vector<plan::Way> ways_;         // of each exchange; empty: all by messages
  std::shared_ptr<NodeMemory> memory_;  // of the work arrays, then of the slots for allocate()
  std::string not_shared_;              // why there is none
  std::size_t slots_offset_ = 0;
  std::size_t slot_bytes_ = 0;
  std::shared_ptr<std::array<bool, most_slots>> slots_;  // which are in use
  bool arrays_shared_ = false;                           // allocate() has been called
  std::vector<Group> groups_;
  plan::Kernels<Real> kernels_;
  std::optional<Engine<Real>> forward_;
  std::optional<Engine<Real>> backward_;
  Memory owned_;
  std::byte* workspace_ = nullptr;  // work arrays, if they are not in memory_, and scratch
  std::array<std::size_t, plan::work_arrays + 1> work_offsets_{};
};

template <class Real>
class Plan<Real>::State {
 public:
  State(Layout const& input, std::optional<Layout> const& output, MPI_Comm user_comm,
        Options const& options)
      : comm_(mpi::Communicator::duplicate(user_comm)), options_(options) {
    check(input, output);
    mpi::together(comm_, [&] {
      composition_ = plan::compose({input, output, options.axes, options.kinds, options.padded,
                                    static_cast<int>(sizeof(Real))},
                                   {.regrid = options.regrid, .low_memory = options.low_memory});
    });
    int const fair = fair_threads(comm_);
    if (options.threads == 0) options_.threads = fair;
    // Tasks read what earlier ones have read.
    if (!composition_.is_schedule()) options_.preserve_input = true;
    for (std::size_t i = 0; i < composition_.schedules.size(); ++i)
      schedules_.push_back(
          std::make_unique<Scheduled<Real>>(composition_.schedules[i], comm_, options_, meets(i)));
    mpi::together(comm_, [&] {
      make_tables();
      set_slot_offsets();
      set_scratch_bytes();
    });
    set_up();
  }

  Layout const& input() const { return composition_.input.layout; }
  Layout const& output() const { return composition_.output.layout; }

  /// One side of the transform on this rank.
  struct End {
    plan::Number number;
    Index points;

    Index reals() const { return points * plan::reals_of(number); }
  };
  End input_end() const {
    return {composition_.input_number, composition_.input.memory_size(comm_.rank())};
  }
  End output_end() const {
    return {composition_.output_number, composition_.output.memory_size(comm_.rank())};
  }

  /// What a call gives and takes.
  struct Call {
    plan::Number in;
    plan::Number out;
    Direction direction;
    Scale scale;
  };

  void execute(void const* in, void* out, Call const& call) {
    bool const backward = call.direction == Direction::backward;
    End const from = backward ? output_end() : input_end();
    End const to = backward ? input_end() : output_end();
    if (call.in != from.number || call.out != to.number) refuse(call);
    require(in || from.points == 0, "in: an array of ", from.points,
            " elements is needed, null was given");
    require(out || to.points == 0, "out: an array of ", to.points,
            " elements is needed, null was given");
    require(arrays_, "workspace: ", workspace_bytes(),
            " bytes are needed; lend them with set_workspace()");
    double const n = composition_.points;
    double const factor = call.scale == Scale::none   ? 1
                          : call.scale == Scale::by_n ? 1 / n
                                                      : 1 / std::sqrt(n);
    Purpose const purpose = backward ? Purpose::backward : Purpose::forward;
    run(purpose, static_cast<Real const*>(in), static_cast<Real*>(out), factor);
  }

  /// An array for input, output or both.
  std::shared_ptr<void> allocate_array() {
    if (composition_.is_schedule()) return schedules_.front()->allocate_array();
    std::shared_ptr<void> array;
    mpi::together(comm_, [&] {
      Index const most = std::max(input_end().reals(), output_end().reals());
      array = std::shared_ptr<std::byte[]>(
          sixstep::allocate(static_cast<std::size_t>(most + 1) * sizeof(Real)));
    });
    return array;
  }

  std::size_t workspace_bytes() const {
    std::size_t all = 0, most = 0;
    for (auto const& schedule : schedules_) {
      all += schedule->workspace_bytes();
      most = std::max(most, schedule->workspace_bytes());
    }
    // Tasks take turns: lent memory is scratch of one and the workspace of another.
    return slot_offsets_.back() +
           (options_.own_workspace ? all + scratch_bytes_ : std::max(most, scratch_bytes_));
  }

  void set_workspace(void* memory, std::size_t bytes) {
    require(!options_.own_workspace,
            "workspace: this plan has its own; make it with own_workspace = false to lend memory");
    require(memory != nullptr && bytes >= workspace_bytes(), "workspace: ", workspace_bytes(),
            " bytes are needed, ", memory ? text(bytes) : "a null pointer",
            memory ? " were" : " was", " given");
    require(reinterpret_cast<std::uintptr_t>(memory) % alignment == 0,
            "workspace: memory aligned to ", alignment, " bytes is needed");
    lend(static_cast<std::byte*>(memory));
  }

  std::string describe() const {
    std::vector<plan::Limits> limits;
    for (auto const& schedule : schedules_) limits.push_back(schedule->limits(false));
    return text(plan::describe(composition_, limits, options_.preserve_input), "\nrun       ",
                schedules_.front()->run_words());
  }

  int passes() const {
    int sum = 0;
    for (plan::Task const& task : composition_.forward)
      sum +=
          std::visit(match{[&](plan::Run const& run) {
                             return schedules_[run.schedule]->program(run.backward).sweeps();
                           },
                           [](plan::Apply const&) { return 1; },
                           [](plan::Turn const& turn) { return turn.square.ranks == 1 ? 1 : 0; }},
                     task.what);
    return sum;
  }
  int exchanges() const { return composition_.exchanges(); }
  int threads() const { return options_.threads; }

  double communication_seconds() const {
    double sum = 0;
    for (auto const& schedule : schedules_)
      for (Purpose purpose : {Purpose::forward, Purpose::backward})
        sum += schedule->communication_seconds(purpose);
    for (Purpose purpose : {Purpose::forward, Purpose::backward})
      for (std::size_t i = 0; i < tasks_of(purpose).size(); ++i) {
        auto const* turn = std::get_if<plan::Turn>(&tasks_of(purpose)[i].what);
        if (turn && turn->square.ranks > 1) sum += seconds_of(purpose)[i];
      }
    return sum;
  }

  std::vector<Part> breakdown(Direction direction) const {
    bool const backward = direction == Direction::backward;
    Purpose const purpose = backward ? Purpose::backward : Purpose::forward;
    std::vector<plan::Task> const& tasks = tasks_of(purpose);
    std::vector<Part> parts;
    for (std::size_t i = 0; i < tasks.size(); ++i)
      std::visit(match{[&](plan::Run const& run) {
                         auto const more =
                             schedules_[run.schedule]->breakdown(run.backward, purpose);
                         parts.insert(parts.end(), more.begin(), more.end());
                       },
                       [&](plan::Apply const& apply) {
                         parts.push_back({plan::name(apply.map), seconds_of(purpose)[i],
                                          bytes_of(tasks[i], backward)});
                       },
                       [&](plan::Turn const& turn) {
                         parts.push_back({plan::name(turn), seconds_of(purpose)[i],
                                          bytes_of(tasks[i], backward)});
                       }},
                 tasks[i].what);
    return parts;
  }

 private:
  Meets meets(std::size_t schedule) const {
    Meets meets{.allocated = composition_.is_schedule()};
    for (Purpose purpose : {Purpose::forward, Purpose::backward, Purpose::setup})
      for (plan::Task const& task : tasks_of(purpose)) {
        auto const* run = std::get_if<plan::Run>(&task.what);
        if (!run || run->schedule != schedule) continue;
        // The user may give one array for both.
        bool const of_user = task.source < plan::first_work && task.target < plan::first_work;
        meets.in_place = meets.in_place || task.source == task.target || of_user;
        meets.two = meets.two || task.source != task.target;
      }
    return meets;
  }

  void check(Layout const& input, std::optional<Layout> const& output) const {
    mpi::together(comm_, [&] {
      require(input.ranks() == comm_.size(), "input: a layout for the ", comm_.size(),
              " ranks of comm is needed, it is for ", input.ranks());
      require(!output || output->ranks() == comm_.size(), "output: a layout for the ", comm_.size(),
              " ranks of comm is needed, it is for ", output ? output->ranks() : 0);
      require(options_.threads >= 0, "threads: 0 or more are needed, ", options_.threads,
              " were given");
      require(options_.exchange == Exchange::shared || options_.exchange == Exchange::collective ||
                  options_.exchange == Exchange::pairwise,
              "exchange: shared, collective or pairwise is needed, value ",
              static_cast<int>(options_.exchange), " was given");
      local::kernels_of<Real>(options_.local);  // throws if they are not there
    });
    Fingerprint fingerprint;
    fingerprint.add(input).add(output.has_value());
    if (output) fingerprint.add(*output);
    for (int axis : options_.axes) fingerprint.add(axis);
    fingerprint.add(options_.axes.size()).add(options_.kinds.size()).add(options_.padded);
    for (Kind kind : options_.kinds) fingerprint.add(kind);
    fingerprint.add(options_.exchange).add(options_.regrid).add(options_.local).add(sizeof(Real));
    fingerprint.add(options_.preserve_input).add(options_.own_workspace).add(options_.low_memory);
    mpi::require_same(
        comm_, fingerprint.value(),
        "input, output, options: all ranks must give the same layouts, axes, kinds, "
        "padding, exchange, regrid, local, preserve_input, own_workspace, low_memory and "
        "precision; they differ");
  }

  /// Throws an Error that names the call which this plan needs.
  [[noreturn]] void refuse(Call const& call) const {
    auto const arguments = [](plan::Number in, plan::Number out) {
      auto const word = [](plan::Number number) {
        return number == plan::Number::real ? "Real" : "Complex";
      };
      return text("(", word(in), " const*, ", word(out), "*)");
    };
    plan::Number const input = composition_.input_number, output = composition_.output_number;
    bool const is_backward = call.direction == Direction::backward;
    char const* const what = input != output               ? "an r2c axis"
                             : input == plan::Number::real ? "real input and output"
                                                           : "complex input and output";
    throw Error(text("in, out: this plan has ", what, ", forward", arguments(input, output),
                     " and backward", arguments(output, input), " are possible; ",
                     is_backward ? "backward" : "forward", arguments(call.in, call.out),
                     " was called"));
  }

  std::vector<plan::Task> const& tasks_of(Purpose purpose) const {
    return purpose == Purpose::setup     ? composition_.setup
           : purpose == Purpose::forward ? composition_.forward
                                         : composition_.backward;
  }

  std::vector<double>& seconds_of(Purpose purpose) {
    return seconds_[static_cast<std::size_t>(purpose)];
  }
  std::vector<double> const& seconds_of(Purpose purpose) const {
    return seconds_[static_cast<std::size_t>(purpose)];
  }

  void make_tables() {
    for (plan::Formula const& formula : composition_.formulas)
      tables_.push_back(std::visit(match{[&](plan::Bluestein const& f) -> Table {
                                           return plan::Chirps<Real>(f, comm_.rank());
                                         },
                                         [&](plan::HalfComplex const& f) -> Table {
                                           return plan::Halves<Real>(f, comm_.rank());
                                         },
                                         [&](plan::ZeroImaginary const& f) -> Table {
                                           return plan::Widening<Real>(f, comm_.rank());
                                         },
                                         [&](plan::InPlace const& f) -> Table {
                                           return plan::Rows<Real>(f, comm_.rank(), options_.local);
                                         }},
                                   formula));
    for (Purpose purpose : {Purpose::forward, Purpose::backward, Purpose::setup})
      seconds_of(purpose).resize(tasks_of(purpose).size());
  }

  /// Work arrays are as large as the composition asks for, and as its schedules need.
  void set_slot_offsets() {
    std::vector<Index> reals(plan::first_work, 0);
    for (Layout const& layout : composition_.work)
      reals.push_back(2 * layout.local_size(comm_.rank()));
    for (Purpose purpose : {Purpose::forward, Purpose::backward, Purpose::setup})
      for (plan::Task const& task : tasks_of(purpose)) {
        auto const* run = std::get_if<plan::Run>(&task.what);
        if (!run) continue;
        plan::Program const& program = schedules_[run->schedule]->program(run->backward);
        reals[task.source] = std::max(reals[task.source], program.input_reals());
        reals[task.target] = std::max(reals[task.target], program.output_reals());
      }
    slot_offsets_ = {0};
    for (plan::Slot slot = plan::first_work; slot < composition_.slots(); ++slot)
      slot_offsets_.push_back(slot_offsets_.back() +
                              aligned(static_cast<std::size_t>(reals[slot]) * sizeof(Real)));
  }

  /// What tasks work in apart from schedules; one at a time.
  void set_scratch_bytes() {
    for (Table const& table : tables_)
      if (auto const* rows = std::get_if<plan::Rows<Real>>(&table))
        take_scratch(rows->scratch_bytes() * static_cast<std::size_t>(options_.threads));
    for (Purpose purpose : {Purpose::forward, Purpose::backward})
      for (plan::Task const& task : tasks_of(purpose))
        if (auto const* turn = std::get_if<plan::Turn>(&task.what))
          take_scratch(exchange::turn_bytes<Real>(turn->square, options_.threads));
  }
  void take_scratch(std::size_t bytes) { scratch_bytes_ = std::max(scratch_bytes_, bytes); }

  /// What a task reads and writes.
  double bytes_of(plan::Task const& task, bool backward) const {
    return static_cast<double>(bytes_of(task.source, backward) + bytes_of(task.target, backward));
  }

  std::size_t bytes_of(plan::Slot slot, bool backward) const {
    if (slot >= plan::first_work)
      return slot_offsets_[slot - plan::first_work + 1] - slot_offsets_[slot - plan::first_work];
    End const end = (slot == plan::given) == backward ? output_end() : input_end();
    return static_cast<std::size_t>(end.reals()) * sizeof(Real);
  }

  /// Gets the workspace, and runs the setup; in memory of its own if the workspace is to be lent.
  void set_up() {
    bool const lent = !options_.own_workspace;
    mpi::together(comm_, [&] {
      owned_ = sixstep::allocate(lent ? workspace_bytes() : slot_offsets_.back() + scratch_bytes_);
    });
    if (lent)
      lend(owned_.get());
    else
      arrays_ = owned_.get();
    run(Purpose::setup, nullptr, nullptr, 1);
    if (!lent) return;
    lend(nullptr);
    owned_.reset();
  }

  void lend(std::byte* memory) {
    arrays_ = memory;
    for (auto const& schedule : schedules_)
      schedule->lend(memory ? memory + slot_offsets_.back() : nullptr);
  }

  void run(Purpose purpose, Real const* in, Real* out, double factor) {
    std::vector<plan::Task> const& tasks = tasks_of(purpose);
    auto const at = [&](plan::Slot slot) {
      return slot == plan::given ? const_cast<Real*>(in)
             : slot == plan::result
                 ? out
                 : reinterpret_cast<Real*>(arrays_ + slot_offsets_[slot - plan::first_work]);
    };
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      plan::Task const& task = tasks[i];
      std::byte* const scratch = arrays_ + slot_offsets_.back();
      auto const scale = static_cast<Real>(task.scaled ? task.factor * factor : task.factor);
      double const begin = MPI_Wtime();
      std::visit(
          match{[&](plan::Run const& run) {
                  schedules_[run.schedule]->execute(at(task.source), at(task.target), run.backward,
                                                    scale, purpose);
                },
                [&](plan::Apply const& apply) {
                  plan::Operands<Real> const on{at(task.source), at(apply.other),  at(task.target),
                                                scale,           options_.threads, scratch};
                  std::visit([&](auto& table) { table.apply(apply.map, apply.backward, on); },
                             tables_[apply.formula]);
                },
                [&](plan::Turn const& turn) {
                  exchange::turn(
                      turn.square, comm_, reinterpret_cast<Complex const*>(at(task.source)),
                      reinterpret_cast<Complex*>(at(task.target)), options_.threads, scratch);
                }},
          task.what);
      seconds_of(purpose)[i] += MPI_Wtime() - begin;
    }
  }

  using Table =
      std::variant<plan::Chirps<Real>, plan::Halves<Real>, plan::Widening<Real>, plan::Rows<Real>>;

  mpi::Communicator comm_;
  Options options_;
  plan::Composition composition_;
  std::vector<std::unique_ptr<Scheduled<Real>>> schedules_;
  std::vector<Table> tables_;  // of each formula
  std::vector<std::size_t>
      slot_offsets_;               // of each work array between tasks, and where the last ends
  std::size_t scratch_bytes_ = 0;  // behind them
  Memory owned_;
  std::byte* arrays_ = nullptr;                        // work arrays, and scratch
  std::array<std::vector<double>, purposes> seconds_;  // of each task
};

template <class Real>
Plan<Real>::Plan(Layout const& input, Layout const& output, MPI_Comm comm, Options const& options)
    : state_(std::make_unique<State>(input, output, comm, options)) {}

template <class Real>
Plan<Real>::Plan(Layout const& input, MPI_Comm comm, Options const& options)
    : state_(std::make_unique<State>(input, std::nullopt, comm, options)) {}

template <class Real>
Plan<Real>::~Plan() = default;
template <class Real>
Plan<Real>::Plan(Plan&&) noexcept = default;
template <class Real>
Plan<Real>& Plan<Real>::operator=(Plan&&) noexcept = default;

template <class Real>
Layout const& Plan<Real>::input() const {
  return state_->input();
}

template <class Real>
Layout const& Plan<Real>::output() const {
  return state_->output();
}

template <class Real>
Index Plan<Real>::input_size() const {
  return state_->input_end().points;
}

template <class Real>
Index Plan<Real>::output_size() const {
  return state_->output_end().points;
}

template <class Real>
Index Plan<Real>::in_place_size() const {
  Index const unit = plan::reals_of(state_->output_end().number);
  return (std::max(state_->input_end().reals(), state_->output_end().reals()) + unit - 1) / unit;
}

template <class Real>
void Plan<Real>::execute(Complex const* in, Complex* out, Direction direction, Scale scale) {
  state_->execute(in, out, {plan::Number::complex, plan::Number::complex, direction, scale});
}

template <class Real>
void Plan<Real>::execute(Real const* in, Complex* out, Scale scale) {
  state_->execute(in, out, {plan::Number::real, plan::Number::complex, Direction::forward, scale});
}

template <class Real>
void Plan<Real>::execute(Complex const* in, Real* out, Scale scale) {
  state_->execute(in, out, {plan::Number::complex, plan::Number::real, Direction::backward, scale});
}

template <class Real>
void Plan<Real>::execute(Real const* in, Real* out, Direction direction, Scale scale) {
  state_->execute(in, out, {plan::Number::real, plan::Number::real, direction, scale});
}

template <class Real>
std::shared_ptr<void> Plan<Real>::allocate_bytes() {
  return state_->allocate_array();
}

template <class Real>
std::size_t Plan<Real>::workspace_bytes() const {
  return state_->workspace_bytes();
}

template <class Real>
void Plan<Real>::set_workspace(void* memory, std::size_t bytes) {
  state_->set_workspace(memory, bytes);
}

template <class Real>
std::string Plan<Real>::describe() const {
  return state_->describe();
}

template <class Real>
int Plan<Real>::passes() const {
  return state_->passes();
}

template <class Real>
int Plan<Real>::exchanges() const {
  return state_->exchanges();
}

template <class Real>
int Plan<Real>::threads() const {
  return state_->threads();
}

template <class Real>
double Plan<Real>::communication_seconds() const {
  return state_->communication_seconds();
}

template <class Real>
auto Plan<Real>::breakdown(Direction direction) const -> std::vector<Part> {
  return state_->breakdown(direction);
}

template class Plan<float>;
template class Plan<double>;

}  // namespace sixstep
