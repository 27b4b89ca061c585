// SPDX-License-Identifier: BSD-3-Clause
// What is printed: complaints, which no control character of a user's word may reach the terminal
// with, and whether all that was printed has been written.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "base/words.hpp"

namespace sixstep::cli {

/// One line, or a few, on stderr, after the program's name.
inline void complain(std::string const& words, char const* program = "sixstep") {
  constexpr std::size_t most = 4000;
  std::fprintf(stderr, "%s: %s\n", program, printable(shortened(words, most)).c_str());
}

/// On stdout, without a control character.
inline void print(std::string const& words) { std::fputs(printable(words).c_str(), stdout); }

/// JSON on several lines. Bytes that are no UTF-8, as names of files may have, are replaced by
/// U+FFFD.
inline std::string to_lines(nlohmann::ordered_json const& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

/// Throws Error unless all that was printed on stdout has been written.
inline void require_printed() {
  errno = 0;
  bool const is_written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  require(is_written, "stdout: cannot be written",
          errno != 0 ? text(": ", std::strerror(errno)) : "");
}

}  // namespace sixstep::cli
