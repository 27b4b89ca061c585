// SPDX-License-Identifier: BSD-3-Clause
// The objects behind the handles of the C interface. Each stores how its maker counts axes, so that
// messages about it count the same way.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "layout/counting.hpp"
#include "sixstep.h"
#include "sixstep/layout.hpp"
#include "sixstep/plan.hpp"
#include "sixstep/redistribution.hpp"

struct sixstep_layout {
  sixstep::Layout layout;
  std::string words = {};
  sixstep::Counting counts = sixstep::counting();
};

struct sixstep_plan {
  std::variant<sixstep::Plan<double>, sixstep::Plan<float>> plan;
  bool real_input = false;
  bool real_output = false;
  int rank = 0;
  std::string words = {};
  std::vector<sixstep::Part> parts = {};  // own the words of `steps`
  std::vector<sixstep_step> steps = {};
  sixstep::Counting counts = sixstep::counting();
};

struct sixstep_redistribution {
  sixstep::ByteRedistribution redistribution;
  std::string words = {};
  sixstep::Counting counts = sixstep::counting();
};

namespace sixstep::c {

/// sixstep_plan_create(), except that `adjust` may change the options, or throw, before they are
/// used.
int create_plan(int precision, sixstep_layout const* input, sixstep_layout const* output,
                MPI_Comm comm, sixstep_options const* options, sixstep_plan** plan,
                std::function<void(Options&)> const& adjust);

/// The box of `rank` in a layout whose local array has these strides.
sixstep_part part_of(Layout const& layout, int rank, Shape const& strides);

}  // namespace sixstep::c
