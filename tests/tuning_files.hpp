// SPDX-License-Identifier: BSD-3-Clause
// Wisdom of a test of several ranks.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "transforms.hpp"
#include "wisdom/wisdom_file.hpp"

namespace sixstep::tuning_files {

/// A wisdom file of this test's own, on rank 0; there is none at first.
class Tuning : public testing::Test {
 protected:
  Tuning() {
    int process = getpid();
    MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
    folder_ = std::filesystem::temp_directory_path() / text("sixstep-tuning-", process);
    setenv("SIXSTEP_WISDOM", file().c_str(), 1);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~Tuning() override {
    MPI_Barrier(MPI_COMM_WORLD);
    if (transforms::mine() == 0) std::filesystem::remove_all(folder_);
    setenv("SIXSTEP_WISDOM", "", 1);
  }

  std::filesystem::path file() const { return folder_ / "wisdom.json"; }

  /// What is kept, as rank 0 sees it; on the others nothing.
  std::vector<wisdom::Entry> kept() const {
    return transforms::mine() == 0 ? wisdom::entries_of(file()) : std::vector<wisdom::Entry>{};
  }

  /// On rank 0, what is kept of each problem becomes what `change` makes of it.
  template <class Change>
  void change(Change const& change_entry) const {
    for (wisdom::Entry entry : kept()) {
      change_entry(entry);
      EXPECT_EQ(wisdom::keep(file(), {entry}), "");
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  std::filesystem::path folder_;
};

inline bool same_on_all_ranks(std::string const& words) {
  int length = static_cast<int>(words.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::string first = words;
  first.resize(static_cast<std::size_t>(length));
  MPI_Bcast(first.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  return first == words;
}

}  // namespace sixstep::tuning_files
