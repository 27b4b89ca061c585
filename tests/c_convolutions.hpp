// SPDX-License-Identifier: BSD-3-Clause
// What tests of convolutions in the C interface share.
#pragma once

#include "c_handles.hpp"
#include "sixstep.h"
#include "sixstep/layout.hpp"

namespace sixstep::c_convolutions {

using namespace c_handles;

inline Owned<sixstep_layout> slab(Shape const& shape, int axis = 0) {
  return made<sixstep_layout>(sixstep_layout_slab, shape.size(), shape.begin(), all(), axis);
}

}  // namespace sixstep::c_convolutions
