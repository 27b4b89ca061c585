// SPDX-License-Identifier: BSD-3-Clause
// Exchanges of arrays on a device by an MPI that accepts pointers to the device's memory.
#pragma once

#include <memory>

#include "device/backend.hpp"
#include "exchange/strategy.hpp"

namespace sixstep::device {

/// MPI is given pointers to the device's memory.
std::unique_ptr<exchange::Strategy> make_on_device(device::Backend& backend,
                                                   std::unique_ptr<exchange::Strategy> inner);

}  // namespace sixstep::device
