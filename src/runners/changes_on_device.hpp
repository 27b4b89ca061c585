// SPDX-License-Identifier: BSD-3-Clause
// Pointwise work on a device: its changes, as copies in a queue.
#pragma once

#include <array>
#include <cstddef>

#include "device/site.hpp"
#include "formulas/changes.hpp"

namespace sixstep::runners {

/// The arrays of a task on a device, by formulas::Array, without `table`.
using ChangeArrays = std::array<void*, 4>;

/// Brings the tables of these changes to the device, unless they are there.
void place_tables(formulas::Changes const& changes, device::DeviceSite& site);
/// Puts the changes into the queue of a site that has their tables.
void put(formulas::Changes const& changes, ChangeArrays const& arrays, int real_bytes,
         device::DeviceSite& site);

}  // namespace sixstep::runners
