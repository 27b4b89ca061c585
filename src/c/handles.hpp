// SPDX-License-Identifier: BSD-3-Clause
// What is behind the handles of the C interface.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "sixstep.h"
#include "sixstep/layout.hpp"
#include "sixstep/plan.hpp"
#include "sixstep/redistribution.hpp"

struct sixstep_layout {
  sixstep::Layout layout;
  std::string words = {};
};

struct sixstep_plan {
  std::variant<sixstep::Plan<double>, sixstep::Plan<float>> plan;
  bool real_input = false;
  bool real_output = false;
  int rank = 0;
  std::string words = {};
  std::vector<sixstep::Part> parts = {};  // whose words those of `steps` are
  std::vector<sixstep_step> steps = {};
};

struct sixstep_redistribution {
  sixstep::ByteRedistribution redistribution;
  std::string words = {};
};

namespace sixstep::c {

/// What `rank` holds of a layout whose array has these strides.
sixstep_part part_of(Layout const& layout, int rank, Shape const& strides);

}  // namespace sixstep::c
