// SPDX-License-Identifier: BSD-3-Clause
// Exchanges among nodes whose messages have their reals in short form.
#pragma once

#include <memory>

#include "exchange/shortened.hpp"

namespace sixstep::exchange {

/// Works like make_by_nodes(), with messages that are shortened in each hop.
std::unique_ptr<Strategy> make_short_by_nodes(NodeMemory& memory, Hops const& hops,
                                              Shortening const& how);

}  // namespace sixstep::exchange
