// SPDX-License-Identifier: BSD-3-Clause
// The exchanges of a schedule: who takes part, and where the array may rest in common memory.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "layout/placement.hpp"
#include "schedule/schedule.hpp"

namespace sixstep::program {

/// The axes that are transformed before and behind an exchange, and those that never are.
struct Neighbours {
  std::optional<int> before, behind;
  PerAxis<int> untransformed;
};

class Exchanges {
 public:
  /// `schedule` outlives this.
  explicit Exchanges(schedule::Schedule const& schedule);

  bool empty() const { return exchanges_.empty(); }
  std::size_t size() const { return exchanges_.size(); }
  /// Whether the ways of all of them can be tried together: there are five of each.
  bool are_few() const {
    constexpr std::size_t most = 5;
    return size() <= most;
  }
  bool is_of_boxes(std::size_t i) const;
  /// How many ranks `rank` sends to in exchange i.
  std::size_t partners(std::size_t i, int rank) const;
  /// Where the array may rest in exchange i, if it rested at `before` in the one before. Rows of
  /// tiles have `tile_row_bytes`. The first of equal ones wins.
  std::vector<layout::Placement> rests(std::size_t i,
                                       std::optional<layout::Placement> const& before,
                                       Index tile_row_bytes) const;

 private:
  struct GlobalTranspose {
    schedule::Transpose const* transpose;
    Neighbours axes;
  };

  schedule::Schedule const& schedule_;
  std::vector<GlobalTranspose> exchanges_;
};

}  // namespace sixstep::program
