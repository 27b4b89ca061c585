// SPDX-License-Identifier: BSD-3-Clause
// Does operations twice: a copy of the values, both results, and their comparison stay in cache.
#include "runners/checked_points.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "sixstep/error.hpp"

namespace sixstep::runners {

namespace {

/// Points of a part, fewer if they have many fields.
constexpr Index most_points = 256, most_elements = 1024;

/// Whether two reals have the same bits, or are both no numbers, whose bits processors choose.
template <class Real>
bool are_same(std::byte const* one, std::byte const* other, Index reals) {
  if (std::memcmp(one, other, static_cast<std::size_t>(reals) * sizeof(Real)) == 0) return true;
  for (Index i = 0; i < reals; ++i, one += sizeof(Real), other += sizeof(Real)) {
    if (std::memcmp(one, other, sizeof(Real)) == 0) continue;
    Real a, b;
    std::memcpy(&a, one, sizeof a);
    std::memcpy(&b, other, sizeof b);
    if (!(std::isnan(a) && std::isnan(b))) return false;
  }
  return true;
}

}  // namespace

void CheckedPoints::apply(program::PointBlock const& block) const {
  Index const fields = fields_.before + fields_.behind;
  Index const most = std::clamp<Index>(most_elements / fields, 1, most_points);
  thread_local std::vector<std::byte> memory;
  memory.resize(static_cast<std::size_t>(most * fields * fields_.element_bytes));
  for (Index row = 0; row < block.rows.count; ++row)
    for (Index i = 0; i < block.points.count; i += most) {
      program::PointBlock part = block;
      auto const moved = [&](program::PointBlock::Steps const& side) {
        return (row * side.row + i * side.point) * fields_.element_bytes;
      };
      part.source = static_cast<std::byte const*>(block.source) + moved(block.from);
      part.target = static_cast<std::byte*>(block.target) + moved(block.to);
      part.rows.count = 1;
      part.points.count = std::min(most, block.points.count - i);
      part.number += row * block.rows.number_step + i * block.points.number_step;
      part.index[block.rows.axis] += row * block.rows.index_step;
      part.index[block.points.axis] += i * block.points.index_step;
      apply_part(part, memory.data());
    }
}

/// A row of points. `memory` has room for their values and results.
void CheckedPoints::apply_part(program::PointBlock const& part, std::byte* memory) const {
  Index const count = part.points.count, bytes = fields_.element_bytes;
  auto const at = [&](void const* begin, program::PointBlock::Steps const& side, Index field,
                      Index point) {
    return static_cast<std::byte const*>(begin) + (field * side.field + point * side.point) * bytes;
  };
  std::byte* const results = memory + fields_.before * count * bytes;
  Index const from_once = part.from.point == 1 ? count : 1,
              to_once = part.to.point == 1 ? count : 1;
  for (Index field = 0; field < fields_.before; ++field)
    for (Index i = 0; i < count; i += from_once)
      std::memcpy(memory + (field * count + i) * bytes, at(part.source, part.from, field, i),
                  static_cast<std::size_t>(from_once * bytes));
  operation_.apply(part);
  if (findings_.before_adding)
    findings_.before_adding(sweep::End::written, part.target, {1, 1, bytes, 0, 0, 0});
  program::PointBlock again = part;
  again.source = memory;
  again.target = results;
  again.from = again.to = {1, count, count};
  operation_.apply(again);
  for (Index field = 0; field < fields_.behind; ++field)
    for (Index i = 0; i < count; i += to_once)
      if (!is_same(at(part.target, part.to, field, i), results + (field * count + i) * bytes,
                   to_once)) {
        std::lock_guard const lock(mutex_);
        findings_.damage = text("the operation at points: rank ", rank_,
                                " has computed other numbers than when it did it again");
        return;
      }
}

bool CheckedPoints::is_same(std::byte const* results, std::byte const* wanted, Index count) const {
  Index const reals = count * fields_.element_bytes / fields_.real_bytes;
  return fields_.real_bytes == sizeof(float) ? are_same<float>(results, wanted, reals)
                                             : are_same<double>(results, wanted, reals);
}

}  // namespace sixstep::runners
