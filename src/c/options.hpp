// SPDX-License-Identifier: BSD-3-Clause
// Options for C.
#pragma once

#include <optional>

#include "sixstep.h"
#include "sixstep/convolution.hpp"
#include "sixstep/map.hpp"
#include "sixstep/open_poisson.hpp"
#include "sixstep/operator.hpp"
#include "sixstep/options.hpp"
#include "sixstep/poisson.hpp"

namespace sixstep::c {

/// The given options, with defaults for members that the caller's header lacks; all defaults if
/// NULL. Throws Error
/// - if no header had this size;
/// - if there are too many axes;
/// - if a number stands for no name.
Options options_of(sixstep_options const* given);

/// Options of an operator, a map, a solver, a convolution and a solver in free space, in that form.
OperatorOptions operator_options_of(sixstep_operator_options const* given);
MapOptions map_options_of(sixstep_map_options const* given);
PoissonOptions poisson_options_of(sixstep_poisson_options const* given);
ConvolutionOptions convolution_options_of(sixstep_convolution_options const* given);
OpenPoissonOptions open_poisson_options_of(sixstep_open_poisson_options const* given);

/// The result for which an operator's options ask; empty if they have no layout for it.
std::optional<OperatorResult> operator_result_of(sixstep_operator_options const* given);

}  // namespace sixstep::c
