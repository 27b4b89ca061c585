// SPDX-License-Identifier: BSD-3-Clause
// File descriptors that are closed with the object. Knows nothing about MPI.
#pragma once

#include <unistd.h>

namespace sixstep {

/// Closes a file descriptor, which is negative if the file could not be opened.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(Descriptor const&) = delete;
  Descriptor& operator=(Descriptor const&) = delete;

  operator int() const { return number_; }
  /// Leaves the file open.
  void release() { number_ = -1; }

 private:
  int number_;
};

}  // namespace sixstep
