// SPDX-License-Identifier: BSD-3-Clause
// Running a schedule, forward and backward: its programs for all kinds of arrays that it may be
// given, and the memory and the channels that they need.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory.hpp"
#include "decision/decision.hpp"
#include "device/site.hpp"
#include "exchange/channels.hpp"
#include "exchange/shortened.hpp"
#include "program/compile.hpp"
#include "runners/program_runner.hpp"
#include "runtime/node.hpp"
#include "runtime/trace.hpp"
#include "tuning.hpp"

namespace sixstep::runners {

/// How a schedule is executed.
struct Call {
  Purpose purpose;
  bool backward;
  bool conjugate;               // with the opposite sign in the exponent
  double factor;                // of the result
  double back = 1;              // of transforms that run against the direction of the schedule
  void const* table = nullptr;  // complex numbers that multiply the result, element by
                                // element, and lie like it where it runs
  bool returns_early = false;   // on a device: before its work is done
  program::OnPoints const* const* operations = nullptr;  // by their numbers in the schedule
  program::PointTables const* point_tables = nullptr;    // on a device, likewise
  IdleSeconds const* idle = nullptr;
};

/// The objects that all schedules of a plan share. They outlive the schedules.
struct Grounds {
  mpi::Communicator const& comm;
  device::Site& site;
  Options const& options;  // with the number of threads
  decision::Rounding const& rounding;
  Tuning const& tuning;
  Findings& findings;  // of all executions
};

/// A schedule, ready to run on the ranks of a communicator.
class ScheduleRunner {
 public:
  /// Collective. Errors: there is not enough memory.
  ScheduleRunner(schedule::Schedule schedule, program::Meets const& meets, Grounds const& grounds);
  /// Collective on a device while MPI runs.
  ~ScheduleRunner();

  void execute(void const* in, void* out, Call const& call);

  /// Called when the site has done all work.
  void note_end();

  /// Whether an execution that returns early waits for other ranks nevertheless.
  bool waits_for_ranks() const { return memory_ || (sends_messages() && !sends_in_queue()); }

  /// An array for input, output or both. Collective.
  std::shared_ptr<void> allocate_array();

  std::size_t workspace_bytes() const;
  /// Lends workspace_bytes() of aligned memory. Needed where Options::own_workspace is false.
  void lend(std::byte* memory) { workspace_ = memory; }

  schedule::Schedule const& schedule() const { return schedule_; }
  /// One of the programs of that direction.
  program::Program const& program(bool backward) const;
  /// How the programs number the points of an operation.
  std::vector<program::Numbering> const& numberings(std::size_t operation) const {
    return numberings_[operation];
  }
  /// The limits with which programs are compiled.
  program::Limits const& limits() const { return decision_.limits; }
  /// How ranks exchange, and with how many threads.
  std::string run_words() const;

  /// Lets all programs of a direction give the elements at one end to a tally; false if one cannot.
  bool give_end(bool backward, sweep::End end, EndTally& to) {
    auto& runners = trip(backward).runners;
    for (ProgramRunner const& runner : runners)
      if (!runner.gives_end(end, to.box())) return false;
    for (ProgramRunner& runner : runners) runner.give_end(end, to);
    return true;
  }

  /// Calls use(pass) for each pass of that direction with the operation of this number.
  template <class Use>
  void for_each_points(bool backward, int operation, Use const& use) {
    for (ProgramRunner& runner : trip(backward).runners) runner.for_each_points(operation, use);
  }

  /// Steps and meetings are recorded from now on.
  void trace_to(Trace& trace);

  double communication_seconds(Purpose purpose) const;
  /// The seconds and bytes of each step, for the kind of arrays that was executed last in that
  /// direction.
  std::vector<Part> breakdown(bool backward, Purpose purpose) const;
  /// The rounding of each exchange in the last execution in that direction, on this rank.
  std::vector<exchange::SumsOfHops> rounding(bool backward) const;

 private:
  /// One direction: a runner for each kind of arrays.
  struct Trip {
    schedule::Schedule schedule;
    program::Limits limits;
    std::vector<program::Program> programs = {};  // until there are runners
    std::deque<ProgramRunner> runners = {};       // a deque: they stay where they are
    std::size_t last = 0;                         // the runner that ran last
  };

  void decide(Grounds const& grounds);
  void make_channels();
  void take_tags();
  int in_flight(program::Move const& move) const;
  std::string windows_words() const;
  bool sends_messages() const;
  bool sends_in_queue() const { return device_ && device_->exchanges_in_queue(); }
  ProgramDevice on_device() const;
  std::vector<program::Program const*> programs() const;
  int windows() const { return decision_.limits.exchange_windows; }
  int threads() const { return site_.threads(options_.threads); }
  void compile();
  void set_work_offsets();
  void share_memory();
  void make_runners();
  void compare_handovers();
  ProgramRunner::Strategies make_strategies(program::Program const& program, bool backward);
  exchange::Shortening shortening(program::Move const& move) const;
  std::unique_ptr<exchange::Strategy> carried(exchange::Traffic const& traffic,
                                              program::Move const& move, bool may_overwrite) const;
  std::array<std::size_t, 2> array_bytes() const;
  Reached meet(void const* in, void const* out, bool backward);
  bool wait_for_node(std::string_view name);
  std::string exchange_words() const;
  std::string message_words() const;

  Trip& trip(bool backward) { return trips_[backward ? 1 : 0]; }
  Trip const& trip(bool backward) const { return trips_[backward ? 1 : 0]; }

  mpi::Communicator const& comm_;
  device::Site& site_;
  device::DeviceSite* device_;  // null: the host
  Options options_;
  program::Meets meets_;
  Findings& findings_;
  schedule::Schedule schedule_;
  Node node_;
  decision::Decision decision_;
  std::unique_ptr<device::CommonMemory> memory_;       // of the work arrays
  std::string not_shared_;                             // why there is no memory_
  std::array<std::uint64_t, 2> shared_array_bytes_{};  // of any rank's input and output
  exchange::Channels channels_;
  mpi::Tags tags_;           // of this schedule's messages
  mpi::Tags handover_tags_;  // of the sums over the bits in these, for Verify::all
  sweep::Kernels kernels_;
  std::unique_ptr<device::DeviceKernels> device_kernels_;
  std::unique_ptr<device::StagingBuffers> staging_;             // null: exchanges are not staged
  std::shared_ptr<drivers::ProgressThreads> progress_threads_;  // for Driver::thread
  std::array<Trip, 2> trips_;                                   // forward and backward
  std::vector<std::vector<program::Numbering>> numberings_;     // of each operation
  AnyMemory owned_;
  std::byte* workspace_ = nullptr;  // work arrays, if they are not in memory_, and scratch
  std::array<std::size_t, program::work_arrays + 1> work_offsets_{};
  Trace::Label meeting_;
};

}  // namespace sixstep::runners
