// SPDX-License-Identifier: BSD-3-Clause
// Words that users give on the command line, in the environment or in files. Numbers are read
// strictly, and messages show words in a form that does no harm to a terminal.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "sixstep/error.hpp"

namespace sixstep {

/// All of `word` as a number in decimal digits. Empty for anything else, such as blanks, a sign
/// "+", "0x10", "nan", "inf", or a number that the type cannot hold.
template <class Number>
std::optional<Number> read_number(std::string_view word) {
  Number value{};
  char const* const end = word.data() + word.size();
  auto const [stop, failure] = std::from_chars(word.data(), end, value);
  if (failure != std::errc() || stop != end) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>)
    if (!std::isfinite(value)) return std::nullopt;
  return value;
}

/// The words with control characters written as \x1b, except line feeds and tabs, because a
/// terminal would obey them. UTF-8 has further ones, U+0080 to U+009F.
inline std::string printable(std::string_view words) {
  constexpr char digits[] = "0123456789abcdef";
  std::string found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    auto const byte = static_cast<unsigned char>(words[i]);
    auto const next = static_cast<unsigned char>(i + 1 < words.size() ? words[i + 1] : 0);
    bool const stays = byte == '\n' || byte == '\t';
    bool const of_utf8 = byte == 0xc2 && next >= 0x80 && next < 0xa0;
    if ((byte < 0x20 && !stays) || byte == 0x7f || of_utf8)
      found += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
    else
      found += words[i];
  }
  return found;
}

/// Runs `action`. Its errors then begin with their subject, such as "--json ".
template <class Action>
void naming(std::string const& subject, Action const& action) {
  try {
    action();
  } catch (Error const& error) {
    throw Error(subject + error.what(), error.code());
  }
}

/// The words for a message; the middle is left out if they have more than `most` bytes.
inline std::string shortened(std::string_view words, std::size_t most = 200) {
  if (words.size() <= most) return std::string(words);
  auto const is_inside = [&](std::size_t at) {  // of a UTF-8 character
    return at < words.size() && (static_cast<unsigned char>(words[at]) & 0xc0) == 0x80;
  };
  std::size_t head = most / 2, tail = words.size() - most / 2;
  while (head > 0 && is_inside(head)) --head;
  while (is_inside(tail)) ++tail;
  return text(words.substr(0, head), " [", tail - head, " bytes left out] ", words.substr(tail));
}

}  // namespace sixstep
