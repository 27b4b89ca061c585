// SPDX-License-Identifier: BSD-3-Clause
// Files without names: how processes make, find and map them.
#include "runtime/unnamed_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <string>
#include <utility>

#include "sixstep/error.hpp"

namespace sixstep {

namespace {

std::uint64_t new_mark() {
  std::random_device random;
  std::uint64_t mark = 0;
  while (mark == 0) mark = (std::uint64_t{random()} << 32) ^ random();
  return mark;
}

bool has_mark(int file, std::uint64_t wanted) {
  std::uint64_t mark = 0;
  return file >= 0 && pread(file, &mark, sizeof mark, 0) == sizeof mark && mark == wanted;
}

}  // namespace

std::size_t limit_of_process(decltype(RLIMIT_AS) of) {
  rlimit found{};
  return getrlimit(of, &found) == 0 ? found.rlim_cur : RLIM_INFINITY;
}

UnnamedFile UnnamedFile::make(std::size_t bytes) {
  require(bytes <= limit_of_process(RLIMIT_FSIZE),
          "memory that ranks share cannot be made: it takes a file of ", bytes,
          " bytes, which ulimit -f does not allow");
  UnnamedFile made;
  made.file_ = std::make_unique<Descriptor>(memfd_create("sixstep", MFD_CLOEXEC));
  made.address_ = {getpid(), *made.file_, new_mark()};
  std::uint64_t const mark = made.mark();
  bool const is_made = *made.file_ >= 0 && made.grow(bytes) &&
                       pwrite(*made.file_, &mark, sizeof mark, 0) == sizeof mark;
  require(is_made, "memory that ranks share cannot be made: ", std::strerror(errno));
  return made;
}

UnnamedFile UnnamedFile::open(Address const& address) {
  std::string const path = text("/proc/", address.process, "/fd/", address.descriptor);
  UnnamedFile found;
  found.file_ = std::make_unique<Descriptor>(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  found.address_ = {getpid(), *found.file_, address.mark};
  bool const is_file = *found.file_ >= 0;
  require(found.is_open(), "memory of another rank cannot be opened: ",
          is_file ? "it runs in another PID namespace" : std::strerror(errno));
  return found;
}

UnnamedFile& UnnamedFile::operator=(UnnamedFile&& other) noexcept {
  close();
  file_ = std::move(other.file_);
  address_ = other.address_;
  return *this;
}

void UnnamedFile::close() {
  if (file_ && !is_open()) file_->release();
  file_.reset();
}

bool UnnamedFile::is_open() const { return file_ && has_mark(*file_, mark()); }

bool UnnamedFile::grow(std::size_t bytes) const {
  return bytes <= limit_of_process(RLIMIT_FSIZE) &&
         ftruncate(*file_, static_cast<off_t>(bytes)) == 0;
}

bool UnnamedFile::map_as(int kind, std::byte* place, std::size_t offset, std::size_t bytes) const {
  bool const is_mapped =
      mmap(place, bytes, PROT_READ | PROT_WRITE, kind | MAP_NORESERVE | MAP_FIXED, *file_,
           static_cast<off_t>(offset)) != MAP_FAILED;
#ifdef MADV_HUGEPAGE
  // It has an effect if the system supports it for shared memory.
  if (is_mapped) madvise(place, bytes, MADV_HUGEPAGE);
#endif
  return is_mapped;
}

bool UnnamedFile::map(std::byte* place, std::size_t offset, std::size_t bytes) const {
  return map_as(MAP_SHARED, place, offset, bytes);
}

bool UnnamedFile::map_privately(std::byte* place, std::size_t offset, std::size_t bytes) const {
  return map_as(MAP_PRIVATE, place, offset, bytes);
}

Addresses::Addresses(std::size_t bytes) : all_bytes_(bytes + huge_page) {
  void* const found =
      mmap(nullptr, all_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  require(found != MAP_FAILED, "memory that ranks share cannot be mapped: ", std::strerror(errno));
  all_ = static_cast<std::byte*>(found);
  std::size_t const address = reinterpret_cast<std::uintptr_t>(all_);
  begin_ = all_ + (round_to_huge_pages(address) - address);
}

Addresses::Addresses(Addresses&& other) noexcept { *this = std::move(other); }

Addresses& Addresses::operator=(Addresses&& other) noexcept {
  std::swap(all_, other.all_);
  std::swap(all_bytes_, other.all_bytes_);
  std::swap(begin_, other.begin_);
  return *this;
}

Addresses::~Addresses() {
  if (all_ != nullptr) munmap(all_, all_bytes_);
}

}  // namespace sixstep
