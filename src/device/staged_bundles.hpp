// SPDX-License-Identifier: BSD-3-Clause
// Messages between nodes that a rank carries for its node, from and to memory of devices: they are
// packed in pinned memory of the host.
#pragma once

#include <memory>

#include "device/backend.hpp"
#include "device/common_memory.hpp"
#include "exchange/strategy.hpp"

namespace sixstep::device {

/// Works like exchange::make_by_nodes(), where `memory`, which outlives the exchange, is that of
/// devices.
/// Errors: there is not enough pinned memory.
std::unique_ptr<exchange::Strategy> make_staged_by_nodes(Backend& backend, CommonMemory& memory,
                                                         exchange::Hops const& hops);

}  // namespace sixstep::device
