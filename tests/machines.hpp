// SPDX-License-Identifier: BSD-3-Clause
// A machine that is made up, and a file of it.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "model/machine_file.hpp"
#include "ranks.hpp"
#include "sixstep/error.hpp"

namespace machines {

/// Of those that are taken for one, if SIXSTEP_NODE_RANKS is set.
inline int ranks_of_node() {
  char const* const word = std::getenv("SIXSTEP_NODE_RANKS");
  return std::min(ranks::count(), word ? std::atoi(word) : ranks::count());
}

/// Nothing costs anything but messages, whoever they are for, and meetings: a second.
inline sixstep::model::Machine made_up() {
  sixstep::model::Machine machine;
  machine.name = "made-up";
  machine.node_ranks = machine.node_cores = ranks_of_node();
  machine.network = {.latency_s = 1e-3,
                     .node_bytes_per_s = 1e9 * ranks_of_node(),
                     .rank_bytes_per_s = 1e9,
                     .shape = {}};
  machine.inside = {.latency_s = 1e-3, .rank_bytes_per_s = 1e9, .meeting_s = 1.0};
  return machine;
}

/// A file of this run, gone with the object. Collective; rank 0 alone writes it, which is who reads
/// it.
class MachineFile {
 public:
  explicit MachineFile(sixstep::model::Machine const& machine) {
    int process = getpid();
    MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
    name_ = testing::TempDir() + sixstep::text("sixstep-predict-", process, ".json");
    if (ranks::rank() == 0) sixstep::model::write_machine(machine, name_);
  }
  ~MachineFile() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (ranks::rank() == 0) std::remove(name_.c_str());
  }
  MachineFile(MachineFile const&) = delete;
  MachineFile& operator=(MachineFile const&) = delete;

  std::string const& name() const { return name_; }

 private:
  std::string name_;
};

}  // namespace machines
