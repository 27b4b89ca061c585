// SPDX-License-Identifier: BSD-3-Clause
// A Tuning in which some numbers are not the default.
#pragma once

#include <type_traits>

#include "tuning.hpp"

/// `tuning` with `value` as its number `which`: tuned(&Tuning::tile_groups, 4).
template <class Part, class Number>
sixstep::Tuning tuned(Number Part::*which, std::type_identity_t<Number> value,
                      sixstep::Tuning tuning = {}) {
  tuning.*which = value;
  return tuning;
}
