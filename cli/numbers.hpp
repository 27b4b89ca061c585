// SPDX-License-Identifier: BSD-3-Clause
// Numbers on the command line: what is none, or out of bounds, is refused in words.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <string>
#include <type_traits>

#include "sixstep/error.hpp"

namespace sixstep::cli {

/// More are a mistake; libgomp dies of some 100,000 threads.
inline constexpr int most_threads = 4096, most_repeats = 1000000;

/// For CLI::Option::transform(): a number from `least` to `most`; a whole one in decimal digits,
/// and nothing else.
template <class Number>
CLI::Validator number_in(Number least, Number most) {
  auto const read = [least, most](std::string& word) {
    constexpr bool whole = std::is_integral_v<Number>;
    Number value{};
    char const* const end = word.data() + word.size();
    auto const [stop, failure] = std::from_chars(word.data(), end, value);
    if (failure == std::errc::invalid_argument || stop != end)
      return text("a ", whole ? "whole " : "", "number is needed, '", word, "' was given");
    bool const beyond = failure == std::errc::result_out_of_range;
    if (beyond ? word[0] == '-' : !(value >= least))
      return text(least, " or more are needed, ", word, " was given");
    if (beyond || value > most)
      return text("at most ", most, " are possible, ", word, " was given");
    if (whole) word = text(value);  // CLI11 would take 010 for 8
    return std::string();
  };
  return {read, ""};
}

}  // namespace sixstep::cli
