// SPDX-License-Identifier: BSD-3-Clause
// Measuring a device: its memory, its transforms, and copies between it and the host.
#pragma once

#include "device/backend.hpp"
#include "measure/team.hpp"
#include "model/machine.hpp"

namespace sixstep::measure {

// All of these of a rank, while all work, in so many seconds, about. Collective. Errors: memory
// that cannot be had.

/// Copies from array to array, of rows and of columns that a pass brings together.
model::Memory memory(Team const& team, device::Backend& backend, double seconds);
/// Of as many columns as its cache holds.
model::Rates gflops(Team const& team, device::Backend& backend, int real_bytes, double seconds);
/// Out of it and into it at the same time, each.
double staged_bytes_per_s(Team const& team, device::Backend& backend, double seconds);

}  // namespace sixstep::measure
