// SPDX-License-Identifier: BSD-3-Clause
// Exchanges of arrays on a device, by strategies that know only memory of the host.
#pragma once

#include <cstddef>
#include <memory>

#include "device/backend.hpp"
#include "exchange/strategy.hpp"

namespace sixstep::device {

/// Pinned memory of the host for the messages of an exchange. Exchanges that are never under way at
/// the same time may share it.
struct PinnedBuffers {
  std::shared_ptr<std::byte> send;
  std::shared_ptr<std::byte> receive;
};

/// The part of an exchange that is not of a rank with itself.
exchange::Traffic among_others(exchange::Traffic traffic);

/// Messages go through pinned memory of the host: windows are copied there when they are packed,
/// sent by `inner`, and copied to the device when they have arrived. What a rank sends to itself is
/// copied on the device: `inner` must be made from among_others(traffic).
std::unique_ptr<exchange::Strategy> make_staged(device::Backend& backend,
                                                std::unique_ptr<exchange::Strategy> inner,
                                                exchange::Traffic const& traffic,
                                                PinnedBuffers const& stage,
                                                std::size_t element_bytes);

/// MPI is given pointers to the device's memory.
std::unique_ptr<exchange::Strategy> make_on_device(device::Backend& backend,
                                                   std::unique_ptr<exchange::Strategy> inner);

}  // namespace sixstep::device
