// SPDX-License-Identifier: BSD-3-Clause
// A file that all ranks write under a temporary name beside its final path.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>

#include "base/new_file.hpp"
#include "sixstep/index.hpp"

namespace sixstep::files {

/// Throws Error on all ranks if rank 0 cannot make a new file of this path, or if the path is the
/// file `input`. Changes nothing. Collective.
void require_writable(std::string const& path, std::string const& input, MPI_Comm comm);

/// A NewFile of rank 0 that all ranks write under its temporary name. Errors are thrown on all
/// ranks.
class CollectiveNewFile {
 public:
  /// Creates an empty temporary file and reserves `bytes` on the disk for it. Collective.
  CollectiveNewFile(std::string const& path, MPI_Comm comm, Index bytes = 0);

  /// The temporary file, on all ranks.
  std::string const& name() const { return name_; }
  /// Appends bytes. Rank 0 alone calls it.
  void write(std::string_view bytes) { file_->write(bytes); }
  /// Gives the temporary file its final path. Collective.
  void keep();

 private:
  MPI_Comm comm_;
  std::optional<NewFile> file_;  // on rank 0
  std::string name_;
};

}  // namespace sixstep::files
