// SPDX-License-Identifier: BSD-3-Clause
// The machine on which a plan is priced.
#pragma once

#include <string>

#include "model/machine.hpp"
#include "runtime/communicator.hpp"
#include "sixstep/options.hpp"

namespace sixstep::runners {

/// The machine that `file` describes, for the ranks of a node and the threads of a plan. An empty
/// name means the file that was measured here. Rank 0 reads it and sends it to all ranks.
/// Collective. Throws Error, on all ranks,
/// - if there is no such file, or it cannot be read;
/// - if it describes ranks that work on devices, and those of the plan do not, or the reverse.
model::Machine machine_of(std::string const& file, Options const& options,
                          mpi::Communicator const& comm);

}  // namespace sixstep::runners
