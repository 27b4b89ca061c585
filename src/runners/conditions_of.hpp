// SPDX-License-Identifier: BSD-3-Clause
// Conditions of this job, for decisions: its nodes, caches and MPI.
#pragma once

#include "decision/decision.hpp"
#include "runtime/node.hpp"

namespace sixstep::runners {

decision::Mpi mpi_of_job();

/// The conditions of this rank. `node` is empty where no other rank matters.
decision::Conditions conditions_of(Node const& node, Tuning const& tuning);

/// Reduces what each rank of `comm` allows to what all allow. Collective.
decision::Allowed agreed(mpi::Communicator const& comm, decision::Allowed allowed);

}  // namespace sixstep::runners
