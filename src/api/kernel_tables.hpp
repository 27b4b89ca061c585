// SPDX-License-Identifier: BSD-3-Clause
// Tables from which kernels are made: a Green's function at the entries of a domain's axes.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "api/open_domain.hpp"
#include "runtime/communicator.hpp"
#include "sixstep/layout.hpp"

namespace sixstep {

/// A function of a place along each axis.
using KernelFunction = std::function<double(PerAxis<double> const&)>;

/// Values of the Green's function, times the volume of a cell, at distances and waves.
class KernelTable {
 public:
  virtual ~KernelTable() = default;
  /// The values of this entry along the first axis and of all others along the other axes, the last
  /// one fastest.
  virtual std::vector<double> row(Index entry) const = 0;
};

/// The values of a function at the places of entries; row() throws Error if one is infinite or no
/// number. The domain must outlive the table, here and below.
std::unique_ptr<KernelTable> function_table(OpenDomain const& domain, KernelFunction function);
/// The laplacian's function, integrated over the cells around points.
std::unique_ptr<KernelTable> integrated_table(OpenDomain const& domain);
/// `numbers` are this rank's part of a table in the layout `from`. `parts` are lists of boxes, one
/// a rank, of the entries that ranks need; each rank fetches its own. Collective.
std::unique_ptr<KernelTable> fetched_table(Layout const& from, double const* numbers,
                                           std::vector<std::vector<Box>> const& parts,
                                           mpi::Communicator const& comm);

}  // namespace sixstep
