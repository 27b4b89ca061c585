// SPDX-License-Identifier: BSD-3-Clause
// Programs in words: the lines that describe() is made of.
#pragma once

#include <string>

#include "program/program.hpp"

namespace sixstep::program {

/// "1.5 MiB".
std::string bytes_in_words(Index count);

/// A placement as a line: its layout, number, padding and strides.
std::string end_in_words(layout::Placement const& end);

/// The steps of `rank`, one line for each pass and each exchange.
std::string steps_in_words(schedule::Schedule const& schedule, int rank, Program const& program);

/// "total     1 exchange, 2 passes over memory", with the end of the line.
std::string total_in_words(int exchanges, int passes);

/// Says why the program has its exchanges and passes.
std::string reasons_in_words(schedule::Schedule const& schedule, Program const& program);

}  // namespace sixstep::program
