// SPDX-License-Identifier: BSD-3-Clause
// Numbers on the command line: what is none, or out of bounds, is refused in words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <type_traits>

#include "base/words.hpp"

namespace sixstep::cli {

/// More are a mistake; libgomp dies of some 100,000 threads.
inline constexpr int most_threads = 4096, most_repeats = 1000000;

/// For CLI::Option::transform(): a number from `least` to `most`; a whole one in decimal digits,
/// and nothing else.
template <class Number>
CLI::Validator number_in(Number least, Number most) {
  auto const read = [least, most](std::string& word) {
    constexpr bool whole = std::is_integral_v<Number>;
    auto const value = read_number<Number>(word);
    // A whole number that the type cannot hold is one, too.
    auto const first_digit = static_cast<std::size_t>(word.starts_with('-') ? 1 : 0);
    bool const beyond = whole && !value && word.size() > first_digit &&
                        word.find_first_not_of("0123456789", first_digit) == std::string::npos;
    if (!value && !beyond)
      return text("a ", whole ? "whole " : "", "number is needed, '", shortened(word),
                  "' was given");
    if (beyond ? first_digit == 1 : *value < least)
      return text(least, " or more are needed, ", shortened(word), " was given");
    if (beyond || *value > most)
      return text("at most ", most, " are possible, ", shortened(word), " was given");
    if (whole) word = text(*value);  // CLI11 would take 010 for 8
    return std::string();
  };
  return {read, ""};
}

/// For CLI::Option::check(): a number above 0.
inline CLI::Validator positive_number() {
  auto const read = [](std::string const& word) {
    auto const value = read_number<double>(word);
    if (value && *value > 0) return std::string();
    return text("a number above 0 is needed, '", shortened(word), "' was given");
  };
  return {read, ""};
}

}  // namespace sixstep::cli
