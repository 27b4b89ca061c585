// SPDX-License-Identifier: BSD-3-Clause
// Pictures, which gnuplot draws.
#pragma once

#include <string>

namespace sixstep::cli {

/// The words as a string of gnuplot's, in single quotes: nothing in them is a command.
std::string quoted_for_gnuplot(std::string const& words);

/// Errors, about --plot: a name that ends neither in .png nor in .gp; a file that cannot be
/// written; a .png without gnuplot.
void require_drawable(std::string const& file);

/// What a script plots, as a .png, or the script itself, a .gp. Errors: gnuplot fails; a file that
/// cannot be written.
void draw_script(std::string const& script, std::string const& file);

}  // namespace sixstep::cli
