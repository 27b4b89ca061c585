// SPDX-License-Identifier: BSD-3-Clause
// Tables of names and values for a terminal, and quantities in words.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "base/words.hpp"

namespace sixstep::cli {

/// Rows of a name and its value, in the order in which they are printed.
using Table = std::vector<std::pair<std::string, std::string>>;

/// Prints the rows on stdout, with values below each other, also values of several lines.
inline void print(Table const& table) {
  std::size_t width = 0;
  for (auto const& [name, value] : table) width = std::max(width, name.size());
  for (auto const& [name, value] : table) {
    std::string indented = value;
    while (!indented.empty() && indented.back() == '\n') indented.pop_back();
    std::string const margin(width + 2, ' ');
    for (auto at = indented.find('\n'); at != std::string::npos; at = indented.find('\n', at + 1))
      indented.insert(at + 1, margin);
    std::printf("%-*s  %s\n", static_cast<int>(width), printable(name).c_str(),
                printable(indented).c_str());
  }
}

/// `value` in a printf format, for example "%.4g".
inline std::string formatted(char const* format, double value) {
  std::array<char, 64> words{};
  std::snprintf(words.data(), words.size(), format, value);
  return words.data();
}

/// "1.5 GiB".
inline std::string bytes_text(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return formatted("%.4g ", bytes) + units[unit];
}

/// "1.234 ms".
inline std::string seconds_text(double seconds) {
  if (seconds >= 1) return formatted("%.4g s", seconds);
  if (seconds >= 1e-3) return formatted("%.4g ms", seconds * 1e3);
  return formatted("%.4g us", seconds * 1e6);
}

}  // namespace sixstep::cli
