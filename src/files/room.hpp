// SPDX-License-Identifier: BSD-3-Clause
// Room on the disk that is reserved before anything is written, so that a full disk is told of
// then: some MPI libraries do not notice it when they write, and HDF5 loses the file.
#pragma once

#include <string>

#include "sixstep/layout.hpp"

namespace sixstep::files {

/// Makes the file of `descriptor` as long as `bytes` says and reserves these on the disk, where the
/// file system can do so. Errors, which begin with `path`: a full disk, a quota, a limit of the
/// process.
void reserve(std::string const& path, int descriptor, Range const& bytes);

/// The same for a few bytes and any file system: where it cannot reserve them, zeros are written
/// into those that nothing has been written into.
void reserve_by_writing(std::string const& path, int descriptor, Range const& bytes);

}  // namespace sixstep::files
