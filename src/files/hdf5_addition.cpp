// SPDX-License-Identifier: BSD-3-Clause
// A dataset that one rank adds to an HDF5 file.
#include "files/hdf5_addition.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "files/room.hpp"

namespace sixstep::files::hdf5 {

namespace {

/// Bytes that HDF5 writes besides the elements: headers, and a group that grows.
constexpr Index most_metadata_bytes = Index{1} << 20;

Index length_of(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 ? Index{status.st_size} : 0;
}

/// Waits until no other process of this library adds to the file. It locks a byte beyond the end of
/// any file, because MPI-IO and HDF5 lock the bytes that they write on some file systems.
void lock_for_addition(std::string const& failed, int descriptor) {
#ifdef F_OFD_SETLK
  struct flock byte {};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = std::numeric_limits<off_t>::max() - 1;
  byte.l_len = 1;
  // It counts pauses instead of time: on a machine that is slow, the other process is slow too.
  constexpr std::chrono::milliseconds pause{20}, most_patience{300'000};
  for (std::chrono::milliseconds waited{0};
       ::fcntl(descriptor, F_OFD_SETLK, &byte) != 0 && (errno == EAGAIN || errno == EACCES);
       waited += pause) {
    require(waited < most_patience, failed, ": another process has been writing into the file for ",
            most_patience.count() / 1000, " s");
    std::this_thread::sleep_for(pause);
  }
#else
  static_cast<void>(failed), static_cast<void>(descriptor);
#endif
}

/// Returns the descriptor when no other process adds to its file.
int own(std::string const& failed, int descriptor, Addition::To to) {
  require(descriptor >= 0, failed, ": ", std::strerror(errno));
  if (to == Addition::To::old_file) lock_for_addition(failed, descriptor);
  return descriptor;
}

/// Turns off HDF5's own locks: they last as long as the file is open, and MPI-IO would wait for
/// them on network file systems.
Handle unlocked() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
#if H5_VERSION_GE(1, 10, 7) && !(H5_VERS_MAJOR == 1 && H5_VERS_MINOR == 12 && H5_VERS_RELEASE == 0)
  H5Pset_file_locking(access, false, true);
#endif
  return access;
}

/// Throws unless a dataset of this name can be written. Returns whether there is one.
bool is_replaceable(hid_t file, std::string const& failed, std::string const& name) {
  bool is_new = false;
  for_each_group(name, [&](std::string const& group) {
    Link const link = link_of(file, group);
    Link const found = link == Link::soft ? behind(file, group) : link;
    is_new = link == Link::none;
    require(is_new || found == Link::group, failed, ": '", group, "' is ",
            to_string(found == Link::none ? link : found), ", a group is needed there");
    return !is_new;
  });
  Link const found = is_new ? Link::none : link_of(file, name);
  require(found == Link::none || found == Link::dataset, failed, ": it is ", to_string(found),
          "; only a dataset can be replaced");
  return found == Link::dataset;
}

Handle to_link() {
  Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  H5Pset_char_encoding(links, H5T_CSET_UTF8);
  return links;
}

/// The offset that HDF5 counts from: the bytes of the user block before its own.
Index base_of(hid_t file) {
  hsize_t bytes = 0;
  Handle const creation(H5Fget_create_plist(file), H5Pclose);
  return H5Pget_userblock(creation, &bytes) < 0 ? 0 : static_cast<Index>(bytes);
}

/// Gives the blocks of free space inside a file back to the disk, if the file system can do that.
/// The file keeps its length. HDF5 forgets which space is free when it closes a file.
void give_back_room(hid_t file, int descriptor) {
#ifdef FALLOC_FL_PUNCH_HOLE
  auto const count = H5Fget_free_sections(file, H5FD_MEM_DEFAULT, 0, nullptr);
  if (count <= 0) return;
  std::vector<H5F_sect_info_t> sections(static_cast<std::size_t>(count));
  auto const found = H5Fget_free_sections(file, H5FD_MEM_DEFAULT, sections.size(), sections.data());
  if (found != count) return;
  for (H5F_sect_info_t const& section : sections)
    ::fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                base_of(file) + static_cast<off_t>(section.addr), static_cast<off_t>(section.size));
#else
  static_cast<void>(file), static_cast<void>(descriptor);
#endif
}

}  // namespace

Length::Length(int descriptor) : descriptor_(descriptor), before_(length_of(descriptor)) {}

Length::~Length() {
  bool const is_longer = !is_kept_ && length_of(descriptor_) > before_;
  if (is_longer && ::ftruncate(descriptor_, before_) != 0) return;  // a longer file does no harm
}

Addition::Addition(Place const& place, To to, Shape const& shape, ElementType type)
    : path_(place.path),
      name_(place.name),
      failed_(text(path_, ": '", name_, "' cannot be written")),
      descriptor_(::open(place.file.c_str(), O_RDWR | O_CLOEXEC)),
      length_(own(failed_, descriptor_, to)) {
  open(place.file, to);
  Handle const creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
  H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
  dataset_ = Handle(H5Dcreate_anon(file_, type_of(type), space_of(shape), creation, H5P_DEFAULT),
                    H5Dclose);
  require(dataset_ >= 0, failed_, ": ", reason());
  reserve_room(volume(shape) * bytes_of(type));
}

/// Checks first, with the file opened for reading, because HDF5 writes as soon as it may: a file
/// that is refused is not changed.
void Addition::open(std::string const& file, To to) {
  char const* const name = file.c_str();
  Handle const access = unlocked();
  auto const opened = [&](hid_t id) {
    require(id >= 0, path_, ": cannot be opened: ", reason());
    return Handle(id, H5Fclose);
  };
  if (to == To::new_file) {
    file_ = opened(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access));
    return;
  }
  is_replaced_ = is_replaceable(opened(H5Fopen(name, H5F_ACC_RDONLY, access)), failed_, name_);
  file_ = opened(H5Fopen(name, H5F_ACC_RDWR, access));
}

void Addition::require_done(bool is_done) const {
  if (!is_done) throw Error(text(failed_, ": ", std::strerror(errno)));
}

/// Reserves what HDF5 writes after the old end of the file: before the elements and after them.
void Addition::reserve_room(Index bytes) {
  haddr_t const offset = bytes > 0 ? H5Dget_offset(dataset_) : HADDR_UNDEF;
  require(bytes == 0 || offset != HADDR_UNDEF, failed_, ": ", reason());
  Index const begin = length_.before();
  Index const data = bytes > 0 ? static_cast<Index>(offset) : begin;
  Index const end = std::max(begin, data + bytes);
  if (data > begin) reserve_by_writing(failed_, descriptor_, {begin, data});
  reserve(failed_, descriptor_, {data, data + bytes});
  reserve_by_writing(failed_, descriptor_, {end, end + most_metadata_bytes});
  offset_ = data;
}

/// Cuts off what was reserved and not used.
void Addition::give_back_reserve() {
  haddr_t end = 0;
  if (H5Fget_eoa(file_, &end) < 0) return;
  require_done(::ftruncate(descriptor_, base_of(file_) + static_cast<Index>(end)) == 0);
}

/// Keeps the old dataset open, so that it gets its name back if the new one cannot have it.
void Addition::swap() {
  Handle const links = to_link();
  char const* const name = name_.c_str();
  Handle const old = is_replaced_ ? Handle(H5Oopen(file_, name, H5P_DEFAULT), H5Oclose) : Handle();
  bool const is_free = !is_replaced_ || (old >= 0 && H5Ldelete(file_, name, H5P_DEFAULT) >= 0);
  require(is_free, failed_, ": ", reason());
  if (H5Olink(dataset_, file_, name, links, H5P_DEFAULT) >= 0) return;
  std::string const why = reason();
  if (is_replaced_) H5Olink(old, file_, name, H5P_DEFAULT, H5P_DEFAULT);
  throw Error(text(failed_, ": ", why));
}

void Addition::link() {
  require_done(::fsync(descriptor_) == 0);  // the elements must be on disk before the name
  swap();
  length_.keep();
  bool const is_flushed = dataset_.close() >= 0 && H5Fflush(file_, H5F_SCOPE_LOCAL) >= 0;
  require(is_flushed, failed_, ": ", reason());
  give_back_reserve();
  require_done(::fsync(descriptor_) == 0);
  give_back_room(file_, descriptor_);
  bool const is_closed = file_.close() >= 0;
  require(is_closed, failed_, ": ", reason());
}

}  // namespace sixstep::files::hdf5
