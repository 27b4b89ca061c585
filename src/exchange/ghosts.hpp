// SPDX-License-Identifier: BSD-3-Clause
// Exchanges of ghosts: who has the points around a rank's box, and messages between the two.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/mpi.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/ranks.hpp"

namespace sixstep::exchange {

/// Points that one rank has and another has as ghosts, by their indices on either side: those of an
/// image beyond an edge are shifted by whole extents.
struct Image {
  Box there;  // in the box that they are of
  Box here;   // around the box that they are ghosts of
};

/// What `rank` has as ghosts that `owner` has in its box, in a fixed order. Pure.
std::vector<Image> images(Layout const& layout, PerAxis<Boundary> const& boundaries, int rank,
                          int owner);

class GhostExchange {
 public:
  /// Errors, the same on every rank: not one boundary an axis; a cyclic axis with ghosts.
  GhostExchange(Layout const& layout, PerAxis<Boundary> const& boundaries,
                mpi::Communicator const& comm, std::size_t element_bytes);

  /// Collective.
  void run(void* array);

 private:
  /// Elements that lie one behind the other along the fastest axis, of rows that are as long.
  struct Rows {
    std::vector<std::size_t> begins;  // in bytes
    std::size_t bytes;                // of each
  };
  struct Message {
    int partner;
    std::vector<Rows> parts;
    std::size_t bytes = 0;
  };

  void append(std::vector<Message>& messages, int partner, std::vector<Box> const& boxes);
  Rows rows_of(Box const& box) const;

  mpi::Communicator const& comm_;
  mpi::Tags tags_;
  Layout layout_;
  std::size_t element_bytes_;
  std::vector<Message> sends_;
  std::vector<Message> receives_;
  std::vector<std::byte> packed_;  // all messages, those that are sent first
};

}  // namespace sixstep::exchange
