// SPDX-License-Identifier: BSD-3-Clause
// A file of one run of a test.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "ranks.hpp"

/// The name of a file of this run, the same on all ranks. The file is removed with the object.
/// Collective.
class OwnFile {
 public:
  explicit OwnFile(std::string const& subject) {
    int process = getpid();
    MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
    name_ = testing::TempDir() + "sixstep-" + subject + "-" + std::to_string(process) + ".json";
  }
  ~OwnFile() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (ranks::rank() == 0) std::remove(name_.c_str());
  }
  OwnFile(OwnFile const&) = delete;
  OwnFile& operator=(OwnFile const&) = delete;

  std::string const& name() const { return name_; }

 private:
  std::string name_;
};
