// SPDX-License-Identifier: BSD-3-Clause
// Pointwise work as a device does it: a list of changes, each of which is one trip through memory.
// Knows nothing about devices.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sixstep/index.hpp"

namespace sixstep::formulas {

/// An array of a task. `table` is that of the change. `scratch` has
/// Pointwise::change_scratch_bytes(), and keeps nothing between tasks.
enum class Array { source, other, target, scratch, table };

/// Elements at equal distances, which count elements of this array.
struct ChangeSide {
  Array array;
  Index first = 0;
  Index step = 1;
};

/// Complex numbers in the host's memory, in the plan's precision.
struct ChangeTable {
  void const* begin = nullptr;
  std::size_t bytes = 0;
};

/// Elements that are read, changed and stored, each without regard to the others:
///   to[i] = factor from[i] table[first_in_table + i], to which `adds` adds what to[i] was.
/// They are complex numbers, or reals where a side says so. A table that is a side itself
/// multiplies nothing.
struct Change {
  Index count;
  std::optional<ChangeSide> from = {};  // empty: zeros
  ChangeSide to;
  bool from_reals = false;
  bool to_reals = false;
  double factor = 1;
  bool conjugates = false;  // what is read
  bool adds = false;
  ChangeTable table = {};  // empty: 1
  Index first_in_table = 0;
  bool conjugates_table = false;
};
using Changes = std::vector<Change>;

}  // namespace sixstep::formulas
