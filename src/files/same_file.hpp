// SPDX-License-Identifier: BSD-3-Clause
// Files that all ranks read. Each rank checks that it can open its file before MPI opens it,
// because MPI calls may wait for ever for a rank that cannot.
#pragma once

#include <string>

#include "runtime/mpi.hpp"

namespace sixstep::files {

/// Throws Error on all ranks unless every rank can open a file of this path and finds the length
/// and the first bytes that rank 0 finds. Collective.
void require_same_file(std::string const& path, mpi::Comm const& comm);

/// Throws Error on all ranks unless every rank can open the file `name` for writing. Messages call
/// it `path`. Collective.
void require_opens_for_writing(std::string const& path, std::string const& name,
                               mpi::Comm const& comm);

/// Throws Error on all ranks if a rank finds fewer than `bytes`. Call it after they have been read.
/// Collective.
void require_length(std::string const& path, Index bytes, mpi::Comm const& comm);

/// Length of a file. Throws Error if the system refuses it or it is no regular file.
Index length_of(std::string const& path);

/// The first bytes of a regular file, at most `most`. Throws as length_of() does.
std::string first_bytes(std::string const& path, std::size_t most);

}  // namespace sixstep::files
