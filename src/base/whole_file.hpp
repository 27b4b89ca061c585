// SPDX-License-Identifier: BSD-3-Clause
// Small files, read as a whole. Knows nothing about MPI.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace sixstep {

/// The bytes of a file; empty if there is no file. Never waits, as reading a pipe would.
///
/// Throws Error, beginning with the path,
/// - if the file cannot be read or is not a regular file;
/// - if it has more than `most_bytes`.
std::optional<std::string> read_whole_file(std::string const& path, std::size_t most_bytes);

}  // namespace sixstep
