// SPDX-License-Identifier: BSD-3-Clause
// Reserves room on the disk before anything is written, so that a full disk is reported then: some
// MPI libraries do not notice it when they write, and HDF5 loses the file.
#pragma once

#include <string>

#include "sixstep/layout.hpp"

namespace sixstep::files {

/// Makes the file at least bytes.hi long, and reserves `bytes` on the disk if the file system can
/// do that. Throws Error, beginning with `path`, if the disk is full or a quota or a limit of the
/// process is exceeded.
void reserve(std::string const& path, int descriptor, Range const& bytes);

/// reserve() for a few bytes on any file system: if it cannot reserve them, zeros are written into
/// those that are still unwritten.
void reserve_by_writing(std::string const& path, int descriptor, Range const& bytes);

}  // namespace sixstep::files
