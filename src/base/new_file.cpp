// SPDX-License-Identifier: BSD-3-Clause
// A file that is written under a temporary name beside its final path.
#include "base/new_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <utility>

#include "sixstep/error.hpp"

namespace sixstep {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(std::string const& path, std::string const& why) {
  throw Error(text(path, ": cannot be written: ", why));
}

std::string reason() { return std::strerror(errno); }

/// Where the content for a path is written.
struct Place {
  std::string target;      // the path after symbolic links
  bool is_direct = false;  // cannot be replaced, so it is written to directly
  bool is_there = false;
};

/// Whether the path stands for an open file of a process, as the target of /dev/stdout does.
bool is_in_proc(fs::path const& path) {
  std::error_code ignored;
  return fs::weakly_canonical(path.parent_path(), ignored).string().starts_with("/proc/");
}

/// The path after symbolic links, whether a file is there or not.
fs::path behind_links(fs::path path) {
  constexpr int most_links = 40;  // the limit of Linux
  std::error_code ignored;
  for (int links = 0; links < most_links && !is_in_proc(path); ++links) {
    if (!fs::is_symlink(path, ignored)) break;
    path = path.parent_path() / fs::read_symlink(path, ignored);
  }
  return path;
}

Place place_of(std::string const& path, Target allowed) {
  require_path(path, "written");
  struct stat status {};
  bool const is_there = ::stat(path.c_str(), &status) == 0;
  if (!is_there && errno != ENOENT) refuse(path, reason());
  if (is_there && S_ISDIR(status.st_mode)) refuse(path, "it is a folder");
  fs::path const target = behind_links(path);
  bool const is_direct = (is_there && !S_ISREG(status.st_mode)) || is_in_proc(target);
  if (is_direct && allowed != Target::any) refuse(path, "it is not a regular file");
  return {target.string(), is_direct, is_there};
}

/// Opens a file that is written to directly. It does not wait for a process to read a pipe.
int open_direct(std::string const& path) {
  int const descriptor =
      ::open(path.c_str(), O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) refuse(path, reason());
  int const flags = ::fcntl(descriptor, F_GETFL);
  ::fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
  return descriptor;
}

/// A file without write permission must not be replaced, even if the permissions of its folder
/// allow that.
void require_permission(std::string const& path) {
  int const descriptor = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) refuse(path, reason());
  ::close(descriptor);
}

std::string random_name() {
  std::random_device random;
  std::array<char, 40> name{};
  std::snprintf(name.data(), name.size(), "sixstep-%08x%08x.tmp", random(), random());
  return name.data();
}

/// Gives a new file the owner, group and mode of the one it replaces. If the owner or the group
/// cannot be kept, it removes the rights that others would gain by that.
void take_over(int descriptor, std::string const& replaced) {
  struct stat status {};
  if (::stat(replaced.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  mode_t mode = status.st_mode & mode_t{07777};
  if (::fchown(descriptor, status.st_uid, status.st_gid) != 0) {
    mode &= mode_t{0777};
    if (::fchown(descriptor, static_cast<uid_t>(-1), status.st_gid) != 0)
      mode &= ~mode_t{070} | (mode & mode_t{07}) << 3;
  }
  ::fchmod(descriptor, mode);  // some file systems have no modes
}

/// Writes the folder to disk, so that a crash of the machine cannot bring the old file back. Some
/// file systems cannot do it.
void sync_folder(fs::path const& folder) {
  std::string const name = folder.empty() ? "." : folder.string();
  int const descriptor = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

void require_path(std::string const& path, char const* use) {
  require(!path.empty(), "'': cannot be ", use, ": no name was given");
  auto const zero = path.find('\0');
  require(zero == std::string::npos, "'", path.substr(0, zero), "\\0", path.substr(zero + 1),
          "': cannot be ", use, ": the path contains a zero byte");
}

void require_writable(std::string const& path, Target allowed) {
  Place const place = place_of(path, allowed);
  if (!place.is_direct)
    NewFile const trial(path);
  else if (::access(path.c_str(), W_OK) != 0)
    refuse(path, reason());
}

NewFile::NewFile(std::string const& path, Target allowed) : path_(path) {
  Place const place = place_of(path, allowed);
  target_ = place.target;
  if (place.is_direct) {
    descriptor_ = open_direct(path);
    return;
  }
  if (place.is_there) require_permission(path);
  // A file that replaces a private one is private from the beginning.
  mode_t const mode = place.is_there ? 0600 : 0666;
  constexpr int most_tries = 100;
  for (int tries = 0; tries < most_tries; ++tries) {
    name_ = (fs::path(target_).parent_path() / random_name()).string();
    descriptor_ = ::open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (descriptor_ >= 0 || errno != EEXIST) break;
  }
  if (descriptor_ < 0) refuse(path, reason());
}

NewFile::~NewFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!name_.empty()) ::unlink(name_.c_str());
}

void NewFile::require_done(bool is_done) const {
  if (!is_done) refuse(path_, reason());
}

void NewFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    auto const taken = ::write(descriptor_, bytes.data(), bytes.size());
    if (taken < 0 && errno == EINTR) continue;
    require_done(taken >= 0);
    bytes.remove_prefix(static_cast<std::size_t>(taken));
  }
}

void NewFile::keep() {
  if (!name_.empty()) {
    take_over(descriptor_, target_);
    require_done(::fsync(descriptor_) == 0);
    require_done(::rename(name_.c_str(), target_.c_str()) == 0);
    name_.clear();
    sync_folder(fs::path(target_).parent_path());
  }
  require_done(::close(std::exchange(descriptor_, -1)) == 0);
}

void replace_file(std::string const& path, std::string_view bytes, Target allowed) {
  NewFile file(path, allowed);
  file.write(bytes);
  file.keep();
}

}  // namespace sixstep
