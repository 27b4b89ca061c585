// SPDX-License-Identifier: BSD-3-Clause
// Operations at points that are done twice, so that wrong numbers are found where they are made.
#pragma once

#include <cstddef>
#include <mutex>

#include "program/points.hpp"
#include "runners/handovers.hpp"

namespace sixstep::runners {

/// An operation that is done a second time for each part of a block, from a copy of the values, and
/// whose results must have the same bits both times.
class CheckedPoints : public program::OnPoints {
 public:
  /// The elements at a point before the operation and behind it, and the bytes of each.
  struct Fields {
    Index before, behind;
    Index element_bytes;
    int real_bytes;
  };
  /// Damage on `rank` is noted in `findings`, which outlives this, as does the operation.
  CheckedPoints(program::OnPoints const& operation, Fields const& fields, Findings& findings,
                int rank)
      : operation_(operation), fields_(fields), findings_(findings), rank_(rank) {}

  program::PointTables tables() const override { return operation_.tables(); }
  void apply(program::PointBlock const& block) const override;

 private:
  void apply_part(program::PointBlock const& part, std::byte* memory) const;
  bool is_same(std::byte const* results, std::byte const* wanted, Index count) const;

  program::OnPoints const& operation_;
  Fields fields_;
  Findings& findings_;
  int rank_;
  mutable std::mutex mutex_;  // of the findings
};

}  // namespace sixstep::runners
