// SPDX-License-Identifier: BSD-3-Clause
// Exchanges of arrays that are on a device, by strategies that know memory of the host alone.
#pragma once

#include <cstddef>
#include <memory>

#include "device/backend.hpp"
#include "exchange/strategy.hpp"

namespace sixstep::exchange {

/// What a staged exchange has on each side, in bytes.
struct Stage {
  std::size_t element_bytes;
  std::size_t send_bytes;
  std::size_t receive_bytes;
};

/// Messages go by pinned memory of the host: windows are copied there when they are packed, sent by
/// `inner`, which was made from the same traffic, and copied to the device when they have arrived.
std::unique_ptr<Strategy> make_staged(device::Backend& backend, std::unique_ptr<Strategy> inner,
                                      Traffic const& traffic, Stage const& stage);

/// MPI is given pointers to the device's memory.
std::unique_ptr<Strategy> make_on_device(device::Backend& backend, std::unique_ptr<Strategy> inner);

}  // namespace sixstep::exchange
