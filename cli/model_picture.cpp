// SPDX-License-Identifier: BSD-3-Clause
// A picture of times over ranks: a gnuplot script with its data.
#include "model_picture.hpp"

#include <algorithm>
#include <limits>
#include <sstream>

#include "gnuplot.hpp"
#include "sixstep/error.hpp"

namespace sixstep::cli {
namespace {

std::string colour_of(std::string const& layout) {
  return layout == "slab" ? "#3b6fb6" : layout == "pencil" ? "#b2182b" : "#1b9e77";
}

/// The points with values above 0, which a logarithmic axis can show.
struct Extent {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;

  void hold(double value) {
    if (!(value > 0)) return;
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

std::ostream& operator<<(std::ostream& out, Extent const& extent) {
  constexpr double margin = 1.3;
  return out << '[' << extent.least / margin << ':' << extent.most * margin << ']';
}

void write_axes(Picture const& picture, std::ostream& script) {
  Extent ranks, seconds;
  for (Series const& series : picture.series)
    for (Series::Point const& point : series.points) {
      if (point.seconds > 0) ranks.hold(point.ranks);
      for (double const value : {point.seconds, point.communication_s}) seconds.hold(value);
    }
  require(seconds.most > 0, "--plot: there is nothing to draw, as all transforms take 0 s");
  std::string below = quoted_for_gnuplot("ranks");
  for (std::string const& source : picture.sources)
    below += R"( . "\n" . )" + quoted_for_gnuplot("published: " + source);
  script << "set title " << quoted_for_gnuplot(picture.title) << " noenhanced\n"
         << "set logscale x 2\nset logscale y\nset xrange " << ranks << "\nset yrange " << seconds
         << "\nset xlabel " << below << " noenhanced\nset ylabel 'seconds'\n"
         << "set format y '10^{%T}'\nset grid linecolor '#e0e0e0'\nset key bottom left\n";
}

void write_data(std::vector<Series> const& all, std::ostream& script) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    script << "$data" << i << " << EOD\n";
    for (Series::Point const& point : all[i].points)
      script << point.ranks << ' ' << point.seconds << ' ' << point.communication_s << '\n';
    script << "EOD\n";
  }
}

void write_plot(std::vector<Series> const& all, std::ostream& script) {
  script << "plot ";
  for (std::size_t i = 0; i < all.size(); ++i) {
    Series const& series = all[i];
    std::string const colour = "linecolor '" + colour_of(series.layout) + "'";
    bool const marks = series.was_published;
    script << "$data" << i << " using 1:2 with " << (marks ? "points pointtype 7 " : "lines ")
           << colour << " title "
           << quoted_for_gnuplot(series.layout + (marks ? ", published" : "")) << ", $data" << i
           << " using 1:3 with " << (marks ? "points pointtype 6 " : "lines dashtype 3 ") << colour
           << " notitle, ";
  }
  script << "NaN with lines dashtype 3 linecolor '#8a8a8a' title 'its communication'\n";
}

}  // namespace

void draw(Picture const& picture, std::string const& file) {
  std::ostringstream script;
  write_axes(picture, script);
  write_data(picture.series, script);
  write_plot(picture.series, script);
  draw_script(script.str(), file);
}

}  // namespace sixstep::cli
