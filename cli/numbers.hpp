// SPDX-License-Identifier: BSD-3-Clause
// Numbers on the command line: words that are no number, or out of bounds, are refused.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <type_traits>

#include "base/words.hpp"

namespace sixstep::cli {

/// More threads are a mistake; libgomp crashes with about 100,000.
inline constexpr int most_threads = 4096, most_repeats = 1000000;

/// For CLI::Option::transform(): accepts a number from `least` to `most`, whole numbers only in
/// decimal digits.
template <class Number>
CLI::Validator number_in(Number least, Number most) {
  auto const read = [least, most](std::string& word) {
    constexpr bool whole = std::is_integral_v<Number>;
    auto const value = read_number<Number>(word);
    // A whole number that the type cannot hold is out of bounds, too.
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
    if (whole) word = text(*value);  // CLI11 would read 010 as 8
    return std::string();
  };
  return {read, ""};
}

/// For CLI::Option::check(): accepts a number above 0.
inline CLI::Validator positive_number() {
  auto const read = [](std::string const& word) {
    auto const value = read_number<double>(word);
    if (value && *value > 0) return std::string();
    return text("a number above 0 is needed, '", shortened(word), "' was given");
  };
  return {read, ""};
}

}  // namespace sixstep::cli
