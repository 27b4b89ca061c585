// SPDX-License-Identifier: BSD-3-Clause
// Pictures that gnuplot draws.
#pragma once

#include <string>

namespace sixstep::cli {

/// The words as a gnuplot string in single quotes, where nothing is a command.
std::string quoted_for_gnuplot(std::string const& words);

/// Checks the file of --plot. Errors: its name ends neither in .png nor in .gp; it cannot be
/// written; a .png where gnuplot is missing.
void require_drawable(std::string const& file);

/// Writes the picture of a script (.png), or the script itself (.gp). Errors: gnuplot fails; the
/// file cannot be written.
void draw_script(std::string const& script, std::string const& file);

}  // namespace sixstep::cli
