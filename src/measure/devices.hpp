// SPDX-License-Identifier: BSD-3-Clause
// Measures a device: its memory, its transforms, and copies between it and the host.
#pragma once

#include "device/backend.hpp"
#include "measure/team.hpp"
#include "model/machine.hpp"

namespace sixstep::measure {

// Figures for one rank while all ranks work. Each call takes about `seconds`: a slow device does
// without the larger arrays, and does each work twice at least. Arrays take at most 256 MiB for
// each rank, or four times the device's cache. Collective. All throw Error if there is not enough
// memory.

/// Copies from array to array, of rows, and of columns that a pass makes contiguous.
model::Memory memory(Team const& team, device::Backend& backend, double seconds);
/// Transforms of as many columns as a quarter of the device's cache holds at most.
model::Rates gflops(Team const& team, device::Backend& backend, int real_bytes, double seconds);
/// Bytes per second in each direction, with copies out and in at the same time.
double staged_bytes_per_s(Team const& team, device::Backend& backend, double seconds);

}  // namespace sixstep::measure
