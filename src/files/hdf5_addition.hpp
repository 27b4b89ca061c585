// SPDX-License-Identifier: BSD-3-Clause
// A dataset that one rank adds to an HDF5 file, or puts in the place of another one, while all
// ranks write its elements. Knows nothing about MPI.
//
// The elements lie in the file in one run, so they are written like those of any other file. HDF5
// itself is used by a single rank: no rank waits in it for another one that has failed.
#pragma once

#include <string>

#include "base/descriptor.hpp"
#include "files/hdf5_objects.hpp"

namespace sixstep::files::hdf5 {

/// Which dataset, and in which file.
struct Place {
  std::string const& path;  // what messages call the file
  std::string const& file;  // where it is
  std::string const& name;  // canonical
};

/// Cuts a file to the length that it had, unless keep() was called.
class Length {
 public:
  explicit Length(int descriptor);
  ~Length();
  Length(Length const&) = delete;
  Length& operator=(Length const&) = delete;

  Index before() const { return before_; }
  void keep() { is_kept_ = true; }

 private:
  int descriptor_;
  Index before_;
  bool is_kept_ = false;
};

/// A dataset that nobody finds until link() is called: the file has what it had. Without link(),
/// and if a program ends before, it is as if nothing had happened.
class Addition {
 public:
  enum class To { new_file, old_file };

  /// Finds a place for the elements and reserves it on the disk. A new file is there, and empty. Of
  /// several processes that add to an old file one does so at a time, others wait for a while.
  ///
  /// Errors: no HDF5 file; another object than a dataset in the place of the dataset, or than
  /// groups above it; no room on the disk.
  Addition(Place const& place, To to, Shape const& shape, ElementType type);

  /// Where the elements are to be written: bytes from the beginning of the file.
  Index offset() const { return offset_; }
  /// The elements are there. Gives the dataset its name, in the place of the one that has it, and
  /// closes the file. Errors: what the system says, or HDF5.
  void link();

 private:
  void open(std::string const& file, To to);
  void reserve_room(Index bytes);
  void give_back_reserve();
  void swap();
  void require_done(bool is_done) const;

  std::string path_;
  std::string name_;
  std::string failed_;  // begins messages
  Descriptor descriptor_;
  Length length_;
  Handle file_;
  Handle dataset_;
  Index offset_ = 0;
  bool is_replaced_ = false;
};

}  // namespace sixstep::files::hdf5
