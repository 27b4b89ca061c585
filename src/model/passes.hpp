// SPDX-License-Identifier: BSD-3-Clause
// What prices need to know of the passes of a sweep: how they reach memory, their flops, the rate
// of their kernels, and the tables that they read.
#pragma once

#include "model/machine.hpp"
#include "program/program.hpp"

namespace sixstep::model {

/// Whether the columns along `axis` and the rest of a window of the sweep lie in one run of memory.
bool lie_together(layout::Pieces const& pieces, int axis, program::Sweep const& sweep);

/// Whether columns along `axis` are contiguous.
bool has_rows(layout::Pieces const& pieces, int axis);

/// The flops of all columns, each as long as its transform.
double flops_of(program::Pass const& pass);

/// The rate of the kernels for a pass.
Curve Rates::*rate_of(program::Pass const& pass);

/// The reals of tables that a sweep reads: those of operations, and, if there is one, that by which
/// the pass that ends the program multiplies complex numbers.
double table_reals(program::Sweep const& sweep, bool ends_with_table);

}  // namespace sixstep::model
