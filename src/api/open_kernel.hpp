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
#include "runtime/communicator.hpp"
#include "sixstep/bits.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/open_poisson.hpp"

namespace sixstep {

/// A rank's array of the kernel, in a slab along the first of the domain's axes. `bits` is for the
/// transforms that it is made by. Collective. Throws Error on every rank if the caller's function
/// throws on one, one of its values or of the caller's numbers is infinite or no number, or there
/// is not a number for each place.
std::vector<double> kernel_of(Layout const& kernel, OpenDomain const& domain, Greens const& greens,
                              Bits bits, mpi::Communicator const& comm);

}  // namespace sixstep
