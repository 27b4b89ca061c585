// SPDX-License-Identifier: BSD-3-Clause
// Measures a machine on the ranks of a communicator: the figures of a machine file.
#pragma once

#include <functional>
#include <string>

#include "device/backend.hpp"
#include "model/machine.hpp"
#include "runtime/mpi.hpp"

namespace sixstep::measure {

/// Called with the name of each step before it is measured; below, the number of steps.
using Steps = std::function<void(std::string const&)>;
inline constexpr int steps = 5, steps_of_device = 6;

/// All of a machine but its name and source, measured in about `seconds` with `threads` threads for
/// each rank. The notes say what cannot be measured on these ranks. Collective; the same result on
/// all ranks. Throws Error if there is not enough memory, and the errors of Node.
model::Machine machine(mpi::Communicator const& comm, int threads, double seconds,
                       Steps const& step);

/// Measures a machine whose ranks work on a device. Their messages are staged in the host's memory.
model::Machine machine(mpi::Communicator const& comm, device::Backend& backend, double seconds,
                       Steps const& step);

}  // namespace sixstep::measure
