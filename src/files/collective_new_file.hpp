// SPDX-License-Identifier: BSD-3-Clause
// A file that all ranks write under a temporary name beside the one it becomes.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>

#include "base/new_file.hpp"
#include "sixstep/index.hpp"

namespace sixstep::files {

/// Throws on all ranks unless rank 0 can make a new file of this path, and the path leads to
/// another file than `input`. Changes nothing. Collective.
void require_writable(std::string const& path, std::string const& input, MPI_Comm comm);

/// A NewFile of rank 0 that all ranks write by its temporary name. Errors are thrown on all ranks.
class CollectiveNewFile {
 public:
  /// Creates an empty temporary file, `bytes` of the disk reserved for it. Collective.
  CollectiveNewFile(std::string const& path, MPI_Comm comm, Index bytes = 0);

  /// The temporary file, on all ranks.
  std::string const& name() const { return name_; }
  /// Writes on rank 0, which calls it alone.
  void write(std::string_view bytes) { file_->write(bytes); }
  /// The temporary file becomes the file of the path. Collective.
  void keep();

 private:
  MPI_Comm comm_;
  std::optional<NewFile> file_;  // on rank 0
  std::string name_;
};

}  // namespace sixstep::files
