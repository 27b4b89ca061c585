// SPDX-License-Identifier: BSD-3-Clause
// Exchanges of arrays on a device, by strategies that know only memory of the host.
#pragma once

#include <cstddef>
#include <memory>

#include "device/backend.hpp"
#include "device/staging.hpp"
#include "exchange/strategy.hpp"

namespace sixstep::device {

/// The part of an exchange that goes by messages.
exchange::Traffic by_messages(exchange::Traffic traffic, StagingBuffer const& buffer);

/// Data goes through pinned memory of the host: windows are copied there when they are packed, and
/// copied to the device when they have arrived. Ranks of the node that have the memory in common
/// copy from each other's. `inner` sends what goes to other ranks; it must be made from
/// by_messages(traffic, buffer). Messages from a rank to itself are copied on the device. `buffer`
/// outlives the strategy.
std::unique_ptr<exchange::Strategy> make_staged(device::Backend& backend,
                                                std::unique_ptr<exchange::Strategy> inner,
                                                exchange::Traffic const& traffic,
                                                StagingBuffer const& buffer);

}  // namespace sixstep::device
