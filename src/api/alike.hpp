// SPDX-License-Identifier: BSD-3-Clause
// Arguments that all ranks must give alike: fingerprints to compare, and words for messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "layout/fingerprint.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/layout.hpp"

namespace sixstep {

/// A value in the words of messages.
template <class Value>
std::string in_words(Value const& value) {
  if constexpr (std::is_same_v<Value, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_same_v<Value, std::string>) {
    return "'" + value + "'";
  } else if constexpr (std::is_same_v<Value, Distribution>) {
    return value == Distribution::block ? "block" : "cyclic";
  } else if constexpr (requires { to_string(value); }) {
    return to_string(value);
  } else if constexpr (requires { value.size(); }) {
    constexpr int most = 24;
    int count = 0;
    std::string words;
    for (auto const& each : value)
      if (++count <= most) words += text(count == 1 ? "[" : ", ", in_words(each));
    return count > most ? text(words, ", ... ", count, " in all]")
                        : (count == 0 ? "[" : words) + "]";
  } else if constexpr (std::is_enum_v<Value>) {
    return text("value ", static_cast<int>(value));
  } else {
    return text(value);
  }
}

/// Whether all ranks must give an option the same value.
inline bool must_be_same(std::string_view option) { return option != "threads" && option != "gpu"; }

/// The arguments of a collective call.
class AlikeArguments {
 public:
  template <class Value>
  AlikeArguments& add(std::string argument, Value const& value, std::string part = {}) {
    layout::Fingerprint fingerprint;
    if constexpr (requires { value.begin(); })
      fingerprint.add_all(value);
    else
      fingerprint.add(value);
    entries_.push_back({std::move(argument), std::move(part), fingerprint.value(),
                        [value] { return in_words(value); }});
    return *this;
  }
  /// A layout, property by property.
  AlikeArguments& add(std::string const& argument, Layout const& layout) {
    add(argument, layout.shape(), "shape");
    add(argument, layout.ranks(), "number of ranks");
    add(argument, layout.order(), "memory order");
    add(argument, layout.grid(), "grid of ranks");
    add(argument, layout.distribution(), "distribution");
    entries_.push_back({argument, "layout", layout::Fingerprint().add(layout).value(),
                        [layout] { return layout.describe(); }});
    return *this;
  }
  /// A layout that may be left open.
  AlikeArguments& add(std::string const& argument, std::optional<Layout> const& layout) {
    bool const is_given = layout.has_value();
    entries_.push_back({argument, "", layout::Fingerprint().add(is_given).value(),
                        [is_given] { return std::string(is_given ? "a layout" : "none"); }});
    return is_given ? add(argument, *layout) : *this;
  }

  /// Words that messages repeat as they are.
  AlikeArguments& add_words(std::string argument, std::string const& words) {
    entries_.push_back({std::move(argument), "", layout::Fingerprint().add(words).value(),
                        [words] { return words; }});
    return *this;
  }

  /// Throws Error on every rank if ranks gave different values for an argument. Collective.
  void require(mpi::Comm const& comm) const { mpi::require_alike(comm, entries_); }
  /// Like require(), after mpi::begin() has found that ranks differ, which may be in other things.
  void find_difference(mpi::Comm const& comm) const { mpi::find_difference(comm, entries_); }

 private:
  std::vector<mpi::Alike> entries_;
};

}  // namespace sixstep
