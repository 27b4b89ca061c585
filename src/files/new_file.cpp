// SPDX-License-Identifier: BSD-3-Clause
// A file that is written beside the one it becomes.
#include "files/new_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "runtime/mpi.hpp"

namespace sixstep::files {

namespace fs = std::filesystem;

namespace {

std::string reason() { return std::strerror(errno); }

void require_writable_here(std::string const& path, std::string const& input) {
  std::error_code ignored;
  require(!path.empty(), "'': cannot be written: no name was given");
  bool const existed = fs::exists(path, ignored);
  if (existed) {
    require(!fs::equivalent(path, input, ignored),
            path + ": the output would overwrite the input; name another file");
    require(fs::is_regular_file(path, ignored), path + ": not a file");
  }
  int const descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT, 0666);
  require(descriptor >= 0, path, ": cannot be written: ", reason());
  ::close(descriptor);
  if (!existed) fs::remove(fs::canonical(path, ignored), ignored);  // a link stays
}

/// What links lead to, whether it is there or not.
fs::path behind_links(fs::path path) {
  constexpr int most_links = 40;  // as Linux follows
  std::error_code ignored;
  for (int links = 0; links < most_links && fs::is_symlink(path, ignored); ++links)
    path = path.parent_path() / fs::read_symlink(path, ignored);
  return path;
}

}  // namespace

void require_writable(std::string const& path, std::string const& input, MPI_Comm comm) {
  mpi::together(comm, [&] {
    if (mpi::rank_of(comm) == 0) require_writable_here(path, input);
  });
}

NewFile::NewFile(std::string const& path, MPI_Comm comm) : path_(path), comm_(comm) {
  if (mpi::rank_of(comm) == 0) {
    target_ = behind_links(path).string();
    name_ = target_ + ".new";
  }
  name_ = mpi::broadcast(comm, name_);
  mpi::together(comm, [&] {
    if (mpi::rank_of(comm) != 0) return;
    std::error_code failure;
    fs::remove(name_, failure);  // what a run that was killed has left
    require(!failure, path_, ": cannot be written: ", name_, ": ", failure.message());
  });
}

NewFile::~NewFile() {
  std::error_code ignored;
  if (mpi::rank_of(comm_) == 0 && !target_.empty()) fs::remove(name_, ignored);
}

void NewFile::keep() {
  mpi::together(comm_, [&] {
    if (mpi::rank_of(comm_) != 0) return;
    int const descriptor = ::open(name_.c_str(), O_RDONLY);
    bool const synced = descriptor >= 0 && ::fsync(descriptor) == 0;
    std::string const why = reason();
    if (descriptor >= 0) ::close(descriptor);
    require(synced, path_, ": cannot be written: ", why);
    std::error_code failure;
    fs::rename(name_, target_, failure);
    require(!failure, path_, ": cannot be written: ", failure.message());
    target_.clear();
  });
}

}  // namespace sixstep::files
