// SPDX-License-Identifier: BSD-3-Clause
// The processor and the MPI at hand, in words that wisdom is kept under.
#pragma once

#include <string>

namespace sixstep::tuner {

std::string processor_words();
std::string mpi_words();

/// On rank 0, once for each: what was wrong with a file.
void report(std::string const& words);

}  // namespace sixstep::tuner
