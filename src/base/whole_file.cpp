// SPDX-License-Identifier: BSD-3-Clause
// Small files, read as a whole.
#include "base/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/new_file.hpp"
#include "sixstep/error.hpp"

namespace sixstep {

namespace {

void require_read(bool is_done, std::string const& path) {
  require(is_done, path, ": cannot be read: ", std::strerror(errno));
}

std::string read_open_file(int descriptor, std::string const& path, std::size_t most_bytes) {
  struct stat status {};
  require_read(::fstat(descriptor, &status) == 0, path);
  require(S_ISREG(status.st_mode), path, ": cannot be read: it is not a regular file");
  auto const size = static_cast<std::size_t>(status.st_size);
  require(size <= most_bytes, path, ": cannot be read: it has ", size, " bytes, at most ",
          most_bytes, " are possible");
  std::string bytes(size, '\0');
  std::size_t have = 0;
  while (have < size) {
    auto const more = ::read(descriptor, bytes.data() + have, size - have);
    if (more < 0 && errno == EINTR) continue;
    require_read(more >= 0, path);
    if (more == 0) break;  // the file has become shorter
    have += static_cast<std::size_t>(more);
  }
  bytes.resize(have);
  return bytes;
}

}  // namespace

std::optional<std::string> read_whole_file(std::string const& path, std::size_t most_bytes) {
  require_path(path, "read");
  int const descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0 && errno == ENOENT) return std::nullopt;
  require_read(descriptor >= 0, path);
  try {
    std::string bytes = read_open_file(descriptor, path, most_bytes);
    ::close(descriptor);
    return bytes;
  } catch (...) {
    ::close(descriptor);
    throw;
  }
}

}  // namespace sixstep
