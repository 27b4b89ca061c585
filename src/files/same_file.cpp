// SPDX-License-Identifier: BSD-3-Clause
// Files that all ranks read: checked on each rank before MPI opens them.
#include "files/same_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/new_file.hpp"

namespace sixstep::files {

namespace {

constexpr std::size_t compared_bytes = 4096;

std::string reason() { return std::strerror(errno); }

}  // namespace

Index length_of(std::string const& path) {
  require_path(path, "read");
  struct stat status {};
  bool const is_there = ::stat(path.c_str(), &status) == 0;
  require(is_there, path, ": cannot be read: ", reason());
  require(!S_ISDIR(status.st_mode), path, ": cannot be read: it is a folder");
  require(S_ISREG(status.st_mode), path, ": cannot be read: it is not a regular file");
  return status.st_size;
}

std::string first_bytes(std::string const& path, std::size_t most) {
  length_of(path);  // throws for a pipe, which would be waited for
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  require(file.is_open(), path, ": cannot be opened: ", reason());
  std::string bytes(most, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  require(!file.bad(), path, ": cannot be read: ", reason());
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

void require_same_file(std::string const& path, mpi::Comm const& comm) {
  std::string mine;
  Index bytes = 0;
  int const rank = mpi::rank_of(comm);
  mpi::together(comm, [&] {
    try {
      mine = first_bytes(path, compared_bytes);
      bytes = length_of(path);
    } catch (Error const& error) {
      throw Error(rank == 0 ? error.what() : text(error.what(), " (on rank ", rank, ")"));
    }
  });
  std::string const theirs = mpi::broadcast(comm, mine);
  Index their_bytes = bytes;
  mpi::broadcast(comm, &their_bytes, sizeof their_bytes);
  mpi::together(comm, [&] {
    require(bytes == their_bytes, path, ": rank 0 finds ", their_bytes, " bytes, rank ", rank, " ",
            bytes, "; all ranks need the same file");
    require(mine == theirs, path, ": rank 0 and rank ", rank,
            " find files that differ; all ranks need the same file");
  });
}

void require_opens_for_writing(std::string const& path, std::string const& name,
                               mpi::Comm const& comm) {
  int const rank = mpi::rank_of(comm);
  mpi::together(comm, [&] {
    int const descriptor = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
    require(descriptor >= 0, path, ": cannot be written: rank ", rank,
            " cannot open the file that rank 0 has created: ", reason());
    ::close(descriptor);
  });
}

void require_length(std::string const& path, Index bytes, mpi::Comm const& comm) {
  mpi::together(comm, [&] {
    Index const found = length_of(path);
    require(found >= bytes, path, ": it became shorter while it was read: ", found,
            " bytes are left of ", bytes);
  });
}

}  // namespace sixstep::files
