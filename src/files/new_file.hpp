// SPDX-License-Identifier: BSD-3-Clause
// A file that is written beside the one it becomes: who looks there finds what was there before, or
// all of it.
#pragma once

#include <mpi.h>

#include <string>

namespace sixstep::files {

/// Throws on all ranks unless rank 0 can write a file of this path, different from `input`.
/// Leaves nothing behind. Collective.
void require_writable(std::string const& path, std::string const& input, MPI_Comm comm);

/// Until it is kept, it is none: it goes with the object.
class NewFile {
 public:
  /// Nothing is there yet. A link stays one, and leads to the new file then. Collective.
  NewFile(std::string const& path, MPI_Comm comm);
  ~NewFile();
  NewFile(NewFile const&) = delete;
  NewFile& operator=(NewFile const&) = delete;

  /// What is to be written, on all ranks.
  std::string const& name() const { return name_; }
  /// It becomes the file of the path, once all of it is on the disk. Collective; errors are thrown
  /// on all ranks.
  void keep();

 private:
  std::string path_;
  MPI_Comm comm_;
  std::string target_;  // on rank 0
  std::string name_;
};

}  // namespace sixstep::files
