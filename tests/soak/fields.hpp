// SPDX-License-Identifier: BSD-3-Clause
// Words of a job that have a value: KEY=VALUE.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "problem.hpp"
#include "sixstep/error.hpp"
#include "tokens.hpp"

namespace soak {

/// A few names, and numbers for what has none.
template <class Value>
struct Names {
  std::vector<std::string> names;

  std::string of(Value value) const {
    auto const place = static_cast<std::size_t>(value);
    return place < names.size() ? names[place] : sixstep::text(static_cast<int>(value));
  }
  Value named(std::string const& word) const {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == word) return static_cast<Value>(i);
    return static_cast<Value>(number<int>(word));
  }
};

inline std::string const scale_letters = "1ns";

/// The place of a letter; errors name `what`.
template <class Value>
Value by_letter(std::string const& letters, char letter, std::string const& what) {
  std::size_t const place = letters.find(letter);
  sixstep::require(place != std::string::npos, "\"", what, "\": one of ", letters,
                   " is needed, not ", letter);
  return static_cast<Value>(place);
}

template <class Value>
char letter_of(std::string const& letters, Value value) {
  return letters[static_cast<std::size_t>(value)];
}

struct Field {
  std::string key;
  std::function<void(Job&, std::string const&)> read;
  std::function<std::string(Job const&)> value;  // empty: the word is left out
};

inline Shape read_shape(std::string const& word) { return Shape(numbers<Index>(word, 'x')); }

template <class Value>
std::vector<Value> read_names(Names<Value> const& names, std::string const& word) {
  std::vector<Value> values;
  for (std::string const& part : split(word, '.')) values.push_back(names.named(part));
  return values;
}

template <class Value>
std::string word_of(Names<Value> const& names, std::vector<Value> const& values) {
  std::vector<std::string> words;
  for (Value const value : values) words.push_back(names.of(value));
  return joined(words, ".");
}

inline std::string unless(bool usual, std::string const& word) { return usual ? "" : word; }

/// The words of operators, maps, convolutions and Poisson's equation.
std::vector<Field> solver_fields();

}  // namespace soak
