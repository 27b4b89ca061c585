// SPDX-License-Identifier: BSD-3-Clause
// The signal that tests of convolutions in the C interface convolve, and arrays that hold it.
#pragma once

#include <mpi.h>

#include <type_traits>

#include "c_handles.hpp"
#include "oracles/fourier.hpp"
#include "sixstep.h"

namespace sixstep::c_convolutions {

using namespace c_handles;
using oracle::at;
using oracle::Exact;

/// Values of the signal: no two axes are alike.
inline Exact signal_at(Shape const& j, bool are_reals) {
  Exact const value(static_cast<long double>((3 * j[0] + 5 * j[1]) % 7),
                    static_cast<long double>((j[0] * j[1]) % 5));
  return are_reals ? value.real() : value;
}

inline Owned<sixstep_layout> slab(Shape const& shape, int axis = 0) {
  return made<sixstep_layout>(sixstep_layout_slab, shape.size(), shape.begin(), all(), axis);
}

template <class Element>
void set(Element& element, Exact const& value) {
  if constexpr (std::is_floating_point_v<Element>)
    element = static_cast<Element>(value.real());
  else
    element = Element(value);
}

}  // namespace sixstep::c_convolutions
