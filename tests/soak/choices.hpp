// SPDX-License-Identifier: BSD-3-Clause
// Random choices of which jobs of all kinds are made.
#pragma once

#include <cstddef>
#include <vector>

#include "cases.hpp"
#include "problem.hpp"
#include "run.hpp"

namespace soak {

template <class Value>
Value one_of(cases::Random& random, std::vector<Value> const& values) {
  return values[static_cast<std::size_t>(random.between(0, static_cast<int>(values.size()) - 1))];
}

/// A prime, a smooth number, m s^2 or any length at all.
Index long_extent(cases::Random& random, int ranks, Index longest);
Shape random_shape(cases::Random& random, int ranks);
Sharing random_sharing(cases::Random& random, Shape const& shape, int ranks);

void choose_kinds(cases::Random& random, Job& job);
/// Transforms longer than their points, along some axes.
void choose_lengths(cases::Random& random, Job& job);
/// Fewer modes than points, along some axes.
void choose_modes(cases::Random& random, Job& job);
/// A sphere or columns of waves, where the axes can have them.
void choose_waves(cases::Random& random, Job& job);
/// The input, which may be padded, and the output of a plan, unless that is packed.
void choose_layouts(cases::Random& random, Job& job, int ranks);
void choose_options(cases::Random& random, Job& job, Machine const& machine);

/// The r2c axis; -1 if there is none.
int real_axis(Job const& job);

}  // namespace soak
