// SPDX-License-Identifier: BSD-3-Clause
// What a rank says when it crashes, when MPI fails, or when a problem takes longer than is thought
// possible.
#pragma once

#include <string>

namespace soak {

/// From now on a crash prints `line`, and so does an alarm after `patience_s` seconds (0: none),
/// which then ends the program. The first rank is the first to lose patience.
void set_last_words(std::string const& line, int rank, unsigned patience_s);
/// An error of MPI prints them too. All communicators made from MPI_COMM_WORLD inherit that.
void set_last_words_of_mpi();
/// Nothing is said, and the alarm is off.
void clear_last_words();

}  // namespace soak
