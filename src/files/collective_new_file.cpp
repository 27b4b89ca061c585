// SPDX-License-Identifier: BSD-3-Clause
// A file that all ranks write under a temporary name beside its final path.
#include "files/collective_new_file.hpp"

#include <filesystem>

#include "files/room.hpp"
#include "runtime/mpi.hpp"

namespace sixstep::files {

void require_writable(std::string const& path, std::string const& input, MPI_Comm comm) {
  mpi::together(comm, [&] {
    if (mpi::rank_of(comm) != 0) return;
    std::error_code ignored;
    require(!std::filesystem::equivalent(path, input, ignored), path,
            ": the output would overwrite the input; name another file");
    sixstep::require_writable(path);
  });
}

CollectiveNewFile::CollectiveNewFile(std::string const& path, MPI_Comm comm, Index bytes)
    : comm_(comm) {
  mpi::together(comm, [&] {
    if (mpi::rank_of(comm) != 0) return;
    file_.emplace(path);
    reserve(path, file_->descriptor(), {0, bytes});
    name_ = file_->name();
  });
  name_ = mpi::broadcast(comm, name_);
}

void CollectiveNewFile::keep() {
  mpi::together(comm_, [&] {
    if (file_) file_->keep();
  });
}

}  // namespace sixstep::files
