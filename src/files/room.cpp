// SPDX-License-Identifier: BSD-3-Clause
// Reserves room on the disk before anything is written.
#include "files/room.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sixstep::files {

namespace {

/// The system ends a process that exceeds this limit.
void require_in_limit(std::string const& path, Index bytes) {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  require(static_cast<rlim_t>(bytes) <= limit.rlim_cur, path, ": a file of ", bytes,
          " bytes cannot be written: the limit of this process (ulimit -f) is ", limit.rlim_cur);
}

void require_done(int error, std::string const& path, Index bytes) {
  require(error == 0, path, ": ", bytes, " bytes cannot be written: ", std::strerror(error));
}

/// Makes the file at least this long.
int lengthen(int descriptor, Index bytes) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return errno;
  if (status.st_size >= bytes) return 0;
  return ::ftruncate(descriptor, bytes) == 0 ? 0 : errno;
}

}  // namespace

void reserve(std::string const& path, int descriptor, Range const& bytes) {
  if (bytes.count() == 0) return;
  require_in_limit(path, bytes.hi);
#ifdef __linux__
  if (::fallocate(descriptor, 0, bytes.lo, bytes.count()) != 0 && errno != EOPNOTSUPP &&
      errno != ENOSYS)
    require_done(errno, path, bytes.count());
#endif
  require_done(lengthen(descriptor, bytes.hi), path, bytes.hi);
}

void reserve_by_writing(std::string const& path, int descriptor, Range const& bytes) {
  if (bytes.count() == 0) return;
  require_in_limit(path, bytes.hi);
#ifdef __linux__
  require_done(::posix_fallocate(descriptor, bytes.lo, bytes.count()), path, bytes.count());
#else
  require_done(lengthen(descriptor, bytes.hi), path, bytes.hi);
#endif
}

}  // namespace sixstep::files
