// SPDX-License-Identifier: BSD-3-Clause
// Passes that only reorder: they copy rectangles as runs of bytes that lie alike on both sides.
#include "sweep/copy_pass.hpp"

#include <algorithm>
#include <complex>
#include <cstring>
#include <type_traits>

#include "sweep/cells.hpp"
#include "sweep/multiply.hpp"

namespace sixstep::sweep {

using layout::Piece;

CopyPass::CopyPass(program::Pass const& pass, Index element_bytes) : element_bytes_(element_bytes) {
  if (pass.box.empty()) return;
  auto const in_bytes = [&](Shape strides) {
    for (Index& stride : strides) stride *= element_bytes;
    return strides;
  };
  for (layout::Piece const& from : pass.source) {
    for (layout::Piece const& to : pass.target) {
      layout::Piece const source = layout::restrict(from, to.box);
      if (source.box.empty()) continue;
      layout::Piece const target = layout::restrict(to, from.box);
      LocalPiece const local = localise(source, pass.box);
      rectangles_.push_back({local.start, local.step, local.extent, source.offset * element_bytes,
                             target.offset * element_bytes, in_bytes(source.strides),
                             in_bytes(target.strides)});
    }
  }
}

namespace {

/// Equal runs of bytes that are equally far apart.
struct Level {
  Index extent, source, target;  // strides in bytes
};

/// Runs of bytes in nested levels, the one that is fastest in the target first.
struct Nest {
  Index run;
  PerAxis<Level> levels = {};
};

/// Joins levels that continue each other without a gap on both sides, and a run with the level that
/// continues it.
Nest nest_of(PerAxis<Level> levels, Index element_bytes) {
  std::sort(levels.begin(), levels.end(),
            [](Level const& a, Level const& b) { return a.target < b.target; });
  Nest nest{element_bytes};
  for (Level const& level : levels) {
    if (nest.levels.empty() && level.source == nest.run && level.target == nest.run) {
      nest.run *= level.extent;
      continue;
    }
    if (!nest.levels.empty()) {
      Level& last = nest.levels[nest.levels.size() - 1];
      if (level.source == last.source * last.extent && level.target == last.target * last.extent) {
        last.extent *= level.extent;
        continue;
      }
    }
    nest.levels.push_back(level);
  }
  return nest;
}

/// Calls body(run); the runs in `known` are compile-time constants.
template <Index... known, class Body>
void with_run(Index run, Body const& body) {
  bool const is_known =
      ((run == known && (body(std::integral_constant<Index, known>()), true)) || ...);
  if (!is_known) body(run);
}

/// Copies two levels. If the source is faster along `rows`, tiles are a cache line wide on both
/// sides, so that few lines are needed at a time.
template <class Run>
void copy_rectangle(std::byte const* source, std::byte* target, Level const& rows,
                    Level const& columns, Run run) {
  constexpr Index line = 64;
  bool const turns = rows.source < columns.source;
  Index const height = turns ? std::max<Index>(line / run, 1) : 1;
  Index const width = turns ? height : columns.extent;
  for (Index i0 = 0; i0 < rows.extent; i0 += height)
    for (Index j0 = 0; j0 < columns.extent; j0 += width)
      for (Index i = i0; i < std::min(i0 + height, rows.extent); ++i)
        for (Index j = j0; j < std::min(j0 + width, columns.extent); ++j)
          std::memcpy(target + i * rows.target + j * columns.target,
                      source + i * rows.source + j * columns.source, static_cast<std::size_t>(run));
}

/// Calls body(offset in the source, offset in the target) for all counts of levels first, first +
/// 1, ...
template <class Body>
void for_each_from(int first, PerAxis<Level> const& levels, Body const& body) {
  PerAxis<Index> counts(levels.size(), 0);
  Index from = 0, to = 0;
  for (;;) {
    body(from, to);
    int at = first;
    for (; at < levels.size(); ++at) {
      Level const& level = levels[at];
      from += level.source, to += level.target;
      if (++counts[at] < level.extent) break;
      from -= counts[at] * level.source, to -= counts[at] * level.target;
      counts[at] = 0;
    }
    if (at >= levels.size()) return;
  }
}

void copy(std::byte const* source, std::byte* target, Nest nest) {
  PerAxis<Level>& levels = nest.levels;
  constexpr Level once{1, 0, 0};
  while (levels.size() < 2) levels.push_back(once);
  // The second level becomes the fastest in the source, unless the first is.
  auto const by_source = [](Level const& a, Level const& b) {
    return b.extent == 1 || a.source < b.source;
  };
  auto const fastest = std::min_element(levels.begin() + 1, levels.end(), by_source);
  std::rotate(levels.begin() + 1, fastest, fastest + 1);
  with_run<1, 2, 4, 8, 12, 16, 24, 32, 64, 128>(nest.run, [&](auto run) {
    for_each_from(2, levels, [&](Index from, Index to) {
      copy_rectangle(source + from, target + to, levels[1], levels[0], run);
    });
  });
}

/// Multiplies what `nest` has copied into `target` by the same places of a table.
template <class Real>
void multiply_by(std::byte* target, std::byte const* table, Nest const& nest) {
  using Complex = std::complex<Real>;
  for_each_from(0, nest.levels, [&](Index, Index to) {
    multiply(reinterpret_cast<Complex*>(target + to), reinterpret_cast<Complex const*>(table + to),
             {0, 1}, 1, nest.run / static_cast<Index>(sizeof(Complex)));
  });
}

}  // namespace

void CopyPass::run(void const* from, void* to, Region const& region, Mode const& mode,
                   std::byte*) const {
  for (Rectangle const& rectangle : rectangles_) {
    Shape lo, hi;
    region.clip(rectangle.start, rectangle.step, rectangle.extent, lo, hi);
    if (region.window.axis >= 0 && lo[region.window.axis] >= hi[region.window.axis]) continue;
    Index source_offset = rectangle.source_offset, target_offset = rectangle.target_offset;
    PerAxis<Level> levels;
    for (int axis = 0; axis < lo.size(); ++axis) {
      Index const source = rectangle.source_strides[axis], target = rectangle.target_strides[axis];
      source_offset += lo[axis] * source;
      target_offset += lo[axis] * target;
      if (hi[axis] - lo[axis] > 1) levels.push_back({hi[axis] - lo[axis], source, target});
    }
    Nest const nest = nest_of(levels, element_bytes_);
    std::byte* const target = static_cast<std::byte*>(to) + target_offset;
    copy(static_cast<std::byte const*>(from) + source_offset, target, nest);
    if (mode.table == nullptr) continue;
    auto const* const table = static_cast<std::byte const*>(mode.table) + target_offset;
    if (element_bytes_ == sizeof(std::complex<float>))
      multiply_by<float>(target, table, nest);
    else
      multiply_by<double>(target, table, nest);
  }
}

}  // namespace sixstep::sweep
