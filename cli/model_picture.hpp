// SPDX-License-Identifier: BSD-3-Clause
// A picture of times by ranks, which gnuplot draws.
#pragma once

#include <string>
#include <vector>

namespace sixstep::cli {

/// A line of the picture, or marks.
struct Series {
  struct Point {
    double ranks;
    double seconds;
    double communication_s;  // of them; 0: there is none, or it is not known
  };
  std::string layout;  // slab, pencil or brick
  std::vector<Point> points;
  bool was_published = false;  // marks
};

struct Picture {
  std::string title;
  std::vector<Series> series;
  std::vector<std::string> sources;  // of what was published
};

/// Time and its communication against ranks, both axes logarithmic: as a .png, or as what gnuplot
/// makes it of, a .gp. Errors: nothing takes time; gnuplot fails; a file that cannot be written.
void draw(Picture const& picture, std::string const& file);

}  // namespace sixstep::cli
