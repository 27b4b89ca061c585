// SPDX-License-Identifier: BSD-3-Clause
// The table of dials.
#include "tuner/dials.hpp"

#include <algorithm>

#include "base/words.hpp"

namespace sixstep::tuner {

namespace {

template <auto member>
Index number(Tuning const& tuning) {
  return tuning.*member;
}

template <auto member>
void set_number(Tuning& tuning, Index value) {
  tuning.*member = value;
}

/// The denominator of a part of a cache.
template <auto member>
Index parts(Tuning const& tuning) {
  return (tuning.*member).denominator / (tuning.*member).numerator;
}

template <auto member>
void set_parts(Tuning& tuning, Index value) {
  tuning.*member = {1, value};
}

constexpr Index line = 64, page = 4096, most_parts = 4096;

}  // namespace

std::vector<Dial> const& dials() {
  static std::vector<Dial> const table = {
      {"third_bytes", false, Index{1} << 18, Index{1} << 32, page, number<&Tuning::third_bytes>,
       set_number<&Tuning::third_bytes>},
      {"second_window_parts", false, 1, 64, 1, parts<&Tuning::window_of_second>,
       set_parts<&Tuning::window_of_second>},
      {"strip_row_bytes", false, line, page, line, number<&Tuning::strip_row_bytes>,
       set_number<&Tuning::strip_row_bytes>},
      {"fetched_bytes", false, line, Index{1} << 18, line, number<&Tuning::fetched_bytes>,
       set_number<&Tuning::fetched_bytes>},
      {"streamed_cache_parts", false, 1, most_parts, 1, parts<&Tuning::streamed_of_third>,
       set_parts<&Tuning::streamed_of_third>},
      {"staged_cache_parts", false, 1, most_parts, 1, parts<&Tuning::staged_of_third>,
       set_parts<&Tuning::staged_of_third>},
      {"least_window_message_bytes", true, line, Index{1} << 24, 1,
       number<&Tuning::least_window_message_bytes>,
       set_number<&Tuning::least_window_message_bytes>},
  };
  return table;
}

Dial const& dial(std::string const& name) {
  auto const found = std::find_if(dials().begin(), dials().end(),
                                  [&](Dial const& each) { return each.name == name; });
  require(found != dials().end(), "calibration: there is no number ", shortened(name));
  return *found;
}

Tuning with_dials(Tuning tuning, Settings const& values, bool of_messages) {
  for (auto const& [name, word] : values) {
    Dial const& each = dial(name);
    require(each.of_messages == of_messages, "calibration: ", name, " depends on the ",
            each.of_messages ? "network" : "processor", ", not on the ",
            of_messages ? "network" : "processor");
    auto const value = read_number<Index>(word);
    require(value && *value >= each.least && *value <= each.most && *value % each.unit == 0,
            "calibration: ", name, ": a whole number from ", each.least, " to ", each.most,
            each.unit > 1 ? text(", a multiple of ", each.unit, ",") : "", " is needed, '",
            shortened(word), "' was given");
    each.set(tuning, *value);
  }
  return tuning;
}

}  // namespace sixstep::tuner
