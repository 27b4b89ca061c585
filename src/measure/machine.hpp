// SPDX-License-Identifier: BSD-3-Clause
// Measuring a machine: what machine files hold, on the ranks that there are.
#pragma once

#include <functional>
#include <string>

#include "device/backend.hpp"
#include "model/machine.hpp"
#include "runtime/mpi.hpp"

namespace sixstep::measure {

/// What is measured one after the other, and how many such steps there are.
using Steps = std::function<void(std::string const&)>;
inline constexpr int steps = 5, steps_of_device = 6;

/// All but its name and source. It takes so many seconds, about; each rank works with so many
/// threads. What cannot be measured on these ranks is in the notes. Collective; the same on all
/// ranks. Errors: memory that cannot be had; those of Node.
model::Machine machine(mpi::Communicator const& comm, int threads, double seconds,
                       Steps const& step);

/// The same of ranks that work on a device, messages between which are staged in the host's memory.
model::Machine machine(mpi::Communicator const& comm, device::Backend& backend, double seconds,
                       Steps const& step);

}  // namespace sixstep::measure
