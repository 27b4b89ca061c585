// SPDX-License-Identifier: BSD-3-Clause
// Programs in words: the lines that describe() is made of.
#pragma once

#include <string>

#include "program/program.hpp"

namespace sixstep::program {

/// "1.5 MiB".
std::string bytes_in_words(Index count);

/// A layout, reals or not, padded or not; with the end of the line.
std::string end_in_words(layout::Placement const& end);

/// What `rank` does, a line each for passes and exchanges.
std::string steps_in_words(schedule::Schedule const& schedule, int rank, Program const& program);

/// "total     1 exchange, 2 passes over memory", with the end of the line.
std::string total_in_words(int exchanges, int passes);

}  // namespace sixstep::program
