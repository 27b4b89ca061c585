// SPDX-License-Identifier: BSD-3-Clause
// Green's functions as kernels of a convolution.
//
// Along open axes a kernel has values at distances, along the others at waves. It is even along
// open axes that are not shifted, and along periodic axes, so a table has distances or waves of 0
// and more alone: its octant. Rank by rank and row by row the table is made or fetched, and
// mirrored to the elements of the kernel.
#pragma once

#include <vector>

#include "api/open_domain.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/open_poisson.hpp"

namespace sixstep {

/// A rank's array of the kernel in a slab along the first of the domain's axes. Collective; throws
/// Error on every rank if the function of the caller's throws on one.
std::vector<double> kernel_of(Layout const& kernel, OpenDomain const& domain,
                              OpenPoissonOptions const& options, MPI_Comm comm);

}  // namespace sixstep
