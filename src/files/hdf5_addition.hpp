// SPDX-License-Identifier: BSD-3-Clause
// A dataset that one rank adds to an HDF5 file, or puts in place of another, while all ranks write
// its elements. Knows nothing about MPI.
//
// The elements are contiguous in the file, so they are written like those of any other file. A
// single rank uses HDF5 itself, so no rank waits in HDF5 for another one that has failed.
#pragma once

#include <string>

#include "base/descriptor.hpp"
#include "files/hdf5_objects.hpp"

namespace sixstep::files::hdf5 {

/// A dataset and its file.
struct Place {
  std::string const& path;  // the file's name in messages
  std::string const& file;  // the file that is opened
  std::string const& name;  // canonical
};

/// Cuts a file to its old length unless keep() was called.
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

/// A dataset without a name until link() is called. If link() is not called, or the program ends
/// before it, the file keeps its old content.
class Addition {
 public:
  enum class To { new_file, old_file };

  /// Finds a place for the elements and reserves it on the disk. A new file must exist and be
  /// empty. If several processes add to an old file, one does so at a time, and the others wait for
  /// a while.
  ///
  /// Throws Error
  /// - if the file is no HDF5 file;
  /// - if `name` is an object other than a dataset, or one above it is not a group;
  /// - if the disk has no room.
  Addition(Place const& place, To to, Shape const& shape, ElementType type);

  /// The offset in the file, in bytes, at which the elements must be written.
  Index offset() const { return offset_; }
  /// Call it when the elements are written. Gives the dataset its name, in place of the one that
  /// has it, and closes the file. Throws Error if the system or HDF5 fails.
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
