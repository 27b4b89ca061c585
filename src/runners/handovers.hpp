// SPDX-License-Identifier: BSD-3-Clause
// Comparing the bits that steps of a program leave in memory with those that later steps read.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "exchange/strategy.hpp"
#include "runners/flow.hpp"
#include "sweep/tally.hpp"
#include "verify/handovers.hpp"

namespace sixstep::runners {

/// Findings of comparisons on this rank in an execution.
struct Findings {
  Index compared = 0;  // parcels that this rank has read
  std::string damage;  // the first one with other bits, in words; empty: there is none
  // Two executions have the same input: whether some elements had other bits in the first one, and
  // the step of this rank that wrote other bits first though it had read the same ones.
  bool has_changed = false;
  std::string change;
  bool is_second = false;
  Index execution = 0;                     // its number
  bool compares_bits = false;              // somebody adds to these
  sweep::BeforeAdding before_adding = {};  // tests change bits there

  /// Begins an execution; `second`: of the input of the one before.
  void begin(bool second) {
    compared = 0;
    damage.clear();
    has_changed = false;
    change.clear();
    is_second = second;
    ++execution;
  }
};

/// The handovers of a program, which are compared after each run.
class Handovers {
 public:
  struct Site {
    mpi::Comm comm;
    redistribution::TagRange tags;  // of a window for each exchange
    schedule::Schedule const& schedule;
    Findings& findings;
  };

  /// Lets the sweeps add up what they read and write. The program, its runners and the site's
  /// objects outlive the handovers. Local.
  Handovers(program::Program const& program, std::vector<StepRunner>& runners, int real_bytes,
            Site const& site);

  /// Whether steps must run one after the other, as elements are complete between two of them only.
  bool need_turns() const { return need_turns_; }

  void begin();
  /// Adds up what a move finds, or leaves, where no sweep has done so.
  void before(std::size_t step, Execution const& execution);
  void after(std::size_t step, Execution const& execution);
  /// Compares the sums of all ranks. Collective.
  void compare();

 private:
  struct Compared {
    verify::Handover what;
    sweep::Tally written, read;
    std::string name;
    std::unique_ptr<exchange::Strategy> exchange;  // of sums; null: the elements stay on this rank,
                                                   // or messages round them
    std::vector<std::uint64_t> sent, received;
    std::string writer;                       // the step that has written
    std::vector<std::uint64_t> wrote_before;  // the sums of the execution before, if this is a
    std::vector<std::uint64_t> read_before;   // second one
  };

  Compared make(verify::Handover const& what, int real_bytes, Site const& site) const;
  void note_change();

  program::Program const& program_;
  int rank_ = 0;
  Findings& findings_;
  bool need_turns_ = false;
  Index ran_in_ = -1;                                 // the last execution; 0: the setup
  bool runs_often_ = false;                           // in an execution
  bool knows_before_ = false;                         // the sums of the execution before
  std::vector<std::unique_ptr<Compared>> handovers_;  // tallies stay where they are
};

}  // namespace sixstep::runners
