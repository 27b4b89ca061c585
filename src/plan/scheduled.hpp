// SPDX-License-Identifier: BSD-3-Clause
// A schedule, ready to run: programs for both directions and all arrays, the memory and the
// messages that they need.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exchange/exchange.hpp"
#include "local/caches.hpp"
#include "plan/engine.hpp"
#include "plan/program.hpp"
#include "plan/schedule.hpp"
#include "runtime/memory.hpp"
#include "runtime/mpi.hpp"
#include "runtime/node.hpp"

namespace sixstep {

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

}  // namespace sixstep
