// SPDX-License-Identifier: BSD-3-Clause
// The words for this processor and this MPI, under which wisdom is kept.
#pragma once

#include <string>

namespace sixstep::tuner {

std::string processor_words();
std::string mpi_words();

/// Reports what was wrong with a file; called on rank 0. Repeated words are reported once.
void report(std::string const& words);

}  // namespace sixstep::tuner
