// SPDX-License-Identifier: BSD-3-Clause
// Objects of a JSON file: the reader asks for every key of every object once, and refuses the keys
// that it did not ask for. Knows JSON and words, and nothing of what the keys mean but curves.
#pragma once

#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/words.hpp"
#include "model/machine.hpp"
#include "sixstep/error.hpp"

namespace sixstep::model {

using Json = nlohmann::ordered_json;

inline constexpr double no_limit = std::numeric_limits<double>::infinity();
inline constexpr int most_count = 1 << 20;  // of ranks, cores or nodes along an axis
inline constexpr int most_depth = 16;  // of nested values, because code that works on them recurses

/// The bounds of a number.
struct Bounds {
  double least = std::numeric_limits<double>::min();  // above 0
  double most = no_limit;
};

inline std::string to_words(Bounds const& bounds) {
  bool const is_above_zero = bounds.least == Bounds{}.least;
  return text(is_above_zero ? "above 0" : text("of at least ", bounds.least),
              bounds.most < no_limit ? text(", at most ", bounds.most) : "");
}

/// An object of the file.
class Fields {
 public:
  /// `path` is the place of the object in the file: "network.shape.".
  Fields(Json const& object, std::string file, std::string path)
      : object_(object), file_(std::move(file)), path_(std::move(path)) {
    if (!object_.is_object())
      refuse(path_.empty() ? "the file" : path_.substr(0, path_.size() - 1), "an object", object_);
  }

  double number(std::string const& key, Bounds const& bounds = {}) {
    return number(path_ + key, value(key), bounds);
  }

  int count(std::string const& key) {
    Json const& found = value(key);
    if (!found.is_number_integer() || found < 1 || found > most_count)
      refuse(path_ + key, text("a whole number from 1 to ", most_count), found);
    return found.get<int>();
  }

  std::string word(std::string const& key) {
    Json const& found = value(key);
    if (!found.is_string() || found.get<std::string>().empty())
      refuse(path_ + key, "a text", found);
    return found.get<std::string>();
  }

  std::vector<std::string> words(std::string const& key) {
    Json const& found = value(key);
    if (!found.is_array()) refuse(path_ + key, "a list of texts", found);
    for (Json const& line : found)
      if (!line.is_string()) refuse(path_ + key, "a list of texts", line);
    return found.get<std::vector<std::string>>();
  }

  /// A number, or one for each of some sizes.
  Curve curve(std::string const& key, Bounds const& bounds = {}) {
    Json const& found = value(key);
    if (!found.is_object()) return number(path_ + key, found, bounds);
    std::string const needed =
        "a number, or an object of numbers by bytes, as in {\"4096\": 2.5e9},";
    if (found.empty()) refuse(path_ + key, needed, found);
    return by_size(key, needed, bounds);
  }

  Curve rates(std::string const& key) {
    return by_size(key, "an object of GFLOP/s by length, as in {\"64\": 2.5},", {});
  }

  /// One of some words.
  std::string choice(std::string const& key, std::vector<std::string> const& possible) {
    std::string const found = word(key);
    std::string needed;
    for (std::string const& each : possible) {
      if (found == each) return found;
      needed += (needed.empty() ? "" : &each == &possible.back() ? " or " : ", ") + each;
    }
    refuse(path_ + key, needed, found);
  }

  std::vector<Index> extents(std::string const& key) {
    Json const& found = value(key);
    std::string const needed = "a list of extents, as in [256, 256],";
    if (!found.is_array() || found.empty()) refuse(path_ + key, needed, found);
    for (Json const& extent : found)
      if (!extent.is_number_integer() || extent < 1) refuse(path_ + key, needed, extent);
    return found.get<std::vector<Index>>();
  }

  Curve by_ranks(std::string const& key) {
    std::string const needed = "an object of numbers by ranks, as in {\"64\": 0.25},";
    Curve found = by_size(key, needed, {});
    if (found.empty()) refuse(path_ + key, needed, value(key));
    return found;
  }

  /// A list of objects.
  std::vector<Fields> list(std::string const& key) {
    Json const& found = value(key);
    if (!found.is_array()) refuse(path_ + key, "a list", found);
    std::vector<Fields> all;
    for (std::size_t i = 0; i < found.size(); ++i)
      all.emplace_back(found[i], file_, text(path_, key, '[', i, "]."));
    return all;
  }

  Fields fields(std::string const& key) { return {value(key), file_, path_ + key + '.'}; }
  /// A key that may be missing.
  bool has(std::string const& key) {
    asked_.insert(key);
    return object_.contains(key);
  }

  [[noreturn]] void refuse(std::string const& where, std::string const& needed,
                           Json const& given) const {
    std::string const words = given.dump(-1, ' ', false, Json::error_handler_t::replace);
    throw Error(text(file_, ": ", shortened(where), ": ", needed, " is needed, ", shortened(words),
                     " was given"));
  }

  /// Must be called after all keys have been asked for; refuses the others.
  void end() const {
    std::string known;
    for (std::string const& key : asked_) known += (known.empty() ? "" : ", ") + key;
    for (auto const& [key, ignored] : object_.items())
      require(asked_.count(key) > 0, file_, ": ", path_, shortened(key), ": there is no such key; ",
              known, " are possible");
  }

 private:
  double number(std::string const& where, Json const& found, Bounds const& bounds) const {
    if (!found.is_number() || !(found >= bounds.least && found <= bounds.most))
      refuse(where, "a number " + to_words(bounds), found);
    return found.get<double>();
  }

  Curve by_size(std::string const& key, std::string const& needed, Bounds const& bounds) {
    Json const& found = value(key);
    if (!found.is_object()) refuse(path_ + key, needed, found);
    Curve::Points points;
    for (auto const& [size, figure] : found.items()) {
      auto const read = read_number<Index>(size);
      // 064 would be a second value of 64.
      bool const is_size = read && *read >= 1 && std::to_string(*read) == size;
      if (!is_size) refuse(path_ + key, needed, size);
      points[*read] = number(path_ + key + '.' + size, figure, bounds);
    }
    return points;
  }

  Json const& value(std::string const& key) {
    require(has(key), file_, ": ", path_, key, ": a value is needed, there is none");
    return object_[key];
  }

  Json const& object_;
  std::string file_;
  std::string path_;
  std::set<std::string> asked_;
};

/// Refuses a second value of a key, because the parser would keep that one.
class Keys {
 public:
  explicit Keys(std::string const& file) : file_(file) {}

  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    require(depth <= most_depth, file_, ": JSON with at most ", most_depth,
            " nested levels is needed, it has more");
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key)
      require(keys_.back().insert(parsed.get<std::string>()).second, file_, ": ",
              shortened(parsed.get<std::string>()), ": one value is needed, two were given");
    return true;
  }

 private:
  std::string const& file_;
  std::vector<std::set<std::string>> keys_;
};

inline Json parsed(std::string const& words, std::string const& file) {
  try {
    return Json::parse(words, Keys(file));
  } catch (Json::exception const& error) {
    throw Error(text(file, ": JSON is needed: ", shortened(error.what(), 400)));
  }
}

}  // namespace sixstep::model
