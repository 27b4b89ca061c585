// SPDX-License-Identifier: BSD-3-Clause
// Where the elements of a message lie, by the definition of its rows.
#pragma once

#include "redistribution/redistribution.hpp"

namespace sixstep::exchange {

/// Where element i of a message lies in its buffer.
inline Index offset_in(redistribution::Message const& message, Index i) {
  Index offset = message.offset, inner = message.count;
  for (Row const& row : message.rows) {
    inner /= row.count;
    offset += i / inner * row.stride;
    i %= inner;
  }
  return offset + i;
}

}  // namespace sixstep::exchange
