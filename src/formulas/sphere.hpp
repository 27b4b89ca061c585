// SPDX-License-Identifier: BSD-3-Clause
// Plans with a sphere: columns within it are transformed, and their coefficients are packed.
#pragma once

#include "formulas/composition.hpp"

namespace sixstep::formulas {

/// Whether coefficients of a checked problem are packed: it has a sphere, and more than one axis.
bool is_packed(schedule::Problem const& problem);

/// The composition of a plan with a sphere. The output is an array of one axis (and that of the
/// fields): the coefficients within the sphere, column by column. Each rank has whole columns.
/// Throws Error
/// - if a layout of the output is given, or it is to lie as the input;
/// - if an axis is not transformed;
/// - as columns_of() does.
Composition compose_sphere(schedule::Problem const& problem, schedule::Choices const& choices);

/// Makes the first task of a composition, a run from columns to columns, one between the kept
/// coefficients of these.
void pack_ends(Composition& made, schedule::Problem const& problem,
               std::shared_ptr<schedule::Columns const> const& columns);

}  // namespace sixstep::formulas
