// SPDX-License-Identifier: BSD-3-Clause
// Pictures: a script with its data goes to gnuplot, or to a file.
#include "gnuplot.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sixstep/error.hpp"

namespace sixstep::cli {

namespace {

bool is_png(std::string const& file) { return file.ends_with(".png"); }

bool has_gnuplot() { return std::system("command -v gnuplot >/dev/null") == 0; }

std::string terminal_of(std::string const& png) {
  return "set terminal pngcairo size 900,620\nset output " + quoted_for_gnuplot(png) + '\n';
}

}  // namespace

std::string quoted_for_gnuplot(std::string const& words) {
  std::string found = "'";
  for (char const letter : words)  // it would take what follows a line's end for a command
    found += letter == '\'' ? "''" : std::string(1, letter == '\n' ? ' ' : letter);
  return found + '\'';
}

void require_drawable(std::string const& file) {
  require(is_png(file) || file.ends_with(".gp"), "--plot: a file named .png or .gp is needed, ",
          file, " was given");
  require(!is_png(file) || has_gnuplot(),
          "--plot: gnuplot is needed, it is not there (Debian's package gnuplot-nox); a .gp file "
          "needs none");
  bool const is_new = !std::filesystem::exists(file);
  require(std::ofstream(file, std::ios::app).good(), "--plot ", file, ": cannot be written");
  if (is_new) std::filesystem::remove(file);
}

void draw_script(std::string const& script, std::string const& file) {
  if (!is_png(file)) {
    std::ofstream out(file);
    out << terminal_of(std::filesystem::path(file).replace_extension("png")) << script
        << std::flush;
    return require(out.good(), "--plot ", file, ": cannot be written");
  }
  std::string const all = terminal_of(file) + script;
  std::signal(SIGPIPE, SIG_IGN);  // gnuplot may end before it has read all
  std::FILE* const gnuplot = popen("gnuplot", "w");
  require(gnuplot != nullptr, "--plot: gnuplot cannot be started");
  std::fwrite(all.data(), 1, all.size(), gnuplot);
  require(pclose(gnuplot) == 0, "--plot ", file, ": gnuplot has failed");
}

}  // namespace sixstep::cli
