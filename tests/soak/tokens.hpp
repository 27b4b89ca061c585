// SPDX-License-Identifier: BSD-3-Clause
// Numbers and lists in words.
#pragma once

#include <charconv>
#include <string>
#include <system_error>
#include <vector>

#include "sixstep/error.hpp"
#include "sixstep/layout.hpp"

namespace soak {

/// Errors: what is no number.
template <class Number = sixstep::Index>
Number number(std::string const& word) {
  Number value{};
  char const* const end = word.data() + word.size();
  auto const [stop, error] = std::from_chars(word.data(), end, value);
  sixstep::require(error == std::errc() && stop == end, "\"", word, "\" is not a number");
  return value;
}

/// The parts between separators; at least one, which may be empty.
inline std::vector<std::string> split(std::string const& word, char separator) {
  std::vector<std::string> parts(1);
  for (char c : word)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

template <class Container>
std::string joined(Container const& values, char const* separator) {
  std::string all;
  for (auto const& value : values) {
    if (&value != &*values.begin()) all += separator;
    all += sixstep::text(value);
  }
  return all;
}

template <class Number>
std::vector<Number> numbers(std::string const& word, char separator) {
  std::vector<Number> found;
  for (std::string const& part : split(word, separator)) found.push_back(number<Number>(part));
  return found;
}

}  // namespace soak
