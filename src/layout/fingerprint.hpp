// SPDX-License-Identifier: BSD-3-Clause
// Fingerprints: numbers that tell whether values are equal.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "sixstep/layout.hpp"

namespace sixstep::layout {

/// The fingerprint of all values added, in their order (FNV-1a).
class Fingerprint {
 public:
  template <class T>
  Fingerprint& add(T value) {
    auto bits = static_cast<std::uint64_t>(value);
    for (int byte = 0; byte < 8; ++byte, bits >>= 8)
      hash_ = (hash_ ^ (bits & 0xff)) * 0x100000001b3ull;
    return *this;
  }
  Fingerprint& add(double value) { return add(std::bit_cast<std::uint64_t>(value)); }
  Fingerprint& add(Layout const& layout) {
    add(layout.axes()).add(layout.ranks()).add(layout.grid().size());
    for (Index extent : layout.shape()) add(extent);
    for (int axis : layout.order()) add(axis);
    for (int parts : layout.grid()) add(parts);
    for (int axis = 0; axis < layout.grid().size(); ++axis) add(layout.distribution()[axis]);
    for (int rank = 0; layout.grid().empty() && rank < layout.ranks(); ++rank)
      for (auto const& [lo, hi, step] : layout.box(rank).ranges) add(lo).add(hi).add(step);
    for (int rank = 0; layout.has_ghosts() && rank < layout.ranks(); ++rank)
      for (Shape const& width : {layout.ghosts(rank).before, layout.ghosts(rank).after})
        for (Index count : width) add(count);
    return *this;
  }
  template <class T>
  Fingerprint& add(std::vector<T> const& values) {
    return add_all(values);
  }
  Fingerprint& add(std::string const& words) { return add_all(words); }
  /// Adds the number of values, and each value.
  template <class Values>
  Fingerprint& add_all(Values const& values) {
    add(values.size());
    for (auto const& value : values) add(value);
    return *this;
  }

  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ull;
};

}  // namespace sixstep::layout
