// SPDX-License-Identifier: BSD-3-Clause
// Enumerations whose values have names. Each has one table, names_of(), right behind it; every
// reader, check and message takes the names from there.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace sixstep {

/// An enumeration for which `names_of(value)` is the array of all names, in the order of the
/// enumerators, which count from 0.
template <class Value>
concept Named = requires(Value value) {
  names_of(value).size();
};

/// All values of an enumeration, in the order of the enumerators.
template <Named Value>
constexpr auto make_all_values() {
  std::array<Value, names_of(Value{}).size()> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Value>(i);
  return values;
}
template <Named Value>
inline constexpr auto all_values = make_all_values<Value>();

/// Whether the value is one of the enumerators, and not another number.
template <Named Value>
constexpr bool has_name(Value value) {
  return static_cast<std::size_t>(value) < all_values<Value>.size();
}

/// The name of the enumerator; "value 7" for a number that has none.
template <Named Value>
std::string to_string(Value value) {
  if (!has_name(value)) return "value " + std::to_string(static_cast<int>(value));
  return names_of(value)[static_cast<std::size_t>(value)];
}

/// The value with this name; empty if there is none.
template <Named Value>
std::optional<Value> named(std::string_view name) {
  for (Value const value : all_values<Value>)
    if (names_of(value)[static_cast<std::size_t>(value)] == name) return value;
  return std::nullopt;
}

/// All names: "own, fftw or mkl", with this word before the last.
template <Named Value>
std::string names_in_words(std::string_view last = " or ") {
  std::string words;
  for (Value const value : all_values<Value>)
    words.append(words.empty()                       ? ""
                 : value == all_values<Value>.back() ? last
                                                     : ", ")
        .append(to_string(value));
  return words;
}

}  // namespace sixstep
#pragma GCC visibility pop
