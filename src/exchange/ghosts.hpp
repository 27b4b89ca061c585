// SPDX-License-Identifier: BSD-3-Clause
// Exchanges of ghosts: who has the points around a rank's box, and messages between the two.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/mpi.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/ranks.hpp"

namespace sixstep::exchange {

/// Points of one rank that are ghosts of another, by their indices on either side. Indices of an
/// image beyond an edge are shifted by whole extents.
struct Image {
  Box there;  // in the box that owns them
  Box here;   // around the box that they are ghosts of
};

/// The ghosts of `rank` that lie in the box of `owner`, in a fixed order. Pure.
std::vector<Image> images(Layout const& layout, PerAxis<Boundary> const& boundaries, int rank,
                          int owner);

class GhostExchange {
 public:
  /// Throws Error, the same on every rank,
  /// - if there is not one boundary for each axis;
  /// - if a cyclic axis has ghosts.
  GhostExchange(Layout const& layout, PerAxis<Boundary> const& boundaries,
                mpi::Communicator const& comm, std::size_t element_bytes);

  /// Collective.
  void run(void* array);

 private:
  /// Rows of equal length, each contiguous along the fastest axis.
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
  std::vector<std::byte> packed_;  // all messages, sent ones first
};

}  // namespace sixstep::exchange
