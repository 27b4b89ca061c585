// SPDX-License-Identifier: BSD-3-Clause
// Options for C.
#pragma once

#include "sixstep.h"
#include "sixstep/operator.hpp"
#include "sixstep/options.hpp"

namespace sixstep::c {

/// The given options, with defaults for members that the caller's header lacks; all defaults if
/// NULL. Throws Error
/// - if no header had this size;
/// - if there are too many axes;
/// - if a number stands for no name.
Options options_of(sixstep_options const* given);

/// The same for an operator.
OperatorOptions operator_options_of(sixstep_operator_options const* given);

}  // namespace sixstep::c
