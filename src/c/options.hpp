// SPDX-License-Identifier: BSD-3-Clause
// Options from C.
#pragma once

#include "sixstep.h"
#include "sixstep/options.hpp"

namespace sixstep::c {

/// Those that are given, and the defaults of those that the caller's header did not have; NULL: all
/// defaults. Errors: a size that no header had; too many axes; numbers that no name stands for.
Options options_of(sixstep_options const* given);

}  // namespace sixstep::c
