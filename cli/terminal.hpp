// SPDX-License-Identifier: BSD-3-Clause
// Output: complaints and words without control characters, and a check that all output was written.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "base/words.hpp"

namespace sixstep::cli {

/// Prints one line or a few on stderr, after the program's name.
inline void complain(std::string const& words, char const* program = "sixstep") {
  constexpr std::size_t most = 4000;
  std::fprintf(stderr, "%s: %s\n", program, printable(shortened(words, most)).c_str());
}

/// Prints words on stdout without their control characters.
inline void print(std::string const& words) { std::fputs(printable(words).c_str(), stdout); }

/// JSON on several lines. Bytes that are no UTF-8, for example in names of files, become U+FFFD.
inline std::string to_lines(nlohmann::ordered_json const& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

/// Throws Error unless all output on stdout has been written.
inline void require_printed() {
  errno = 0;
  bool const is_written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  require(is_written, "stdout: cannot be written",
          errno != 0 ? text(": ", std::strerror(errno)) : "");
}

}  // namespace sixstep::cli
