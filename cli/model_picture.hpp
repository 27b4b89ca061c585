// SPDX-License-Identifier: BSD-3-Clause
// A picture, drawn by gnuplot, of times over numbers of ranks.
#pragma once

#include <string>
#include <vector>

namespace sixstep::cli {

/// A line of the picture, or a set of marks.
struct Series {
  struct Point {
    double ranks;
    double seconds;
    double communication_s;  // part of the seconds; 0: none, or unknown
  };
  std::string layout;  // slab, pencil or brick
  std::vector<Point> points;
  bool was_published = false;  // drawn as marks
};

struct Picture {
  std::string title;
  std::vector<Series> series;
  std::vector<std::string> sources;  // of the published times
};

/// Draws time and communication over ranks, with logarithmic axes, as a .png or as a gnuplot script
/// (.gp). Errors: all times are 0; gnuplot fails; the file cannot be written.
void draw(Picture const& picture, std::string const& file);

}  // namespace sixstep::cli
