// SPDX-License-Identifier: BSD-3-Clause
#include "api/kernel_tables.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "api/greens.hpp"
#include "layout/counting.hpp"
#include "sixstep/indices.hpp"
#include "sixstep/redistribution.hpp"

namespace sixstep {

namespace {

/// Calls visit(entries along the axes but the first) in the order of a row with these extents.
template <class Visit>
void for_each_in_row(Shape const& extents, Visit const& visit) {
  Box box;
  for (int axis = 1; axis < extents.size(); ++axis) box.ranges.push_back({0, extents[axis]});
  if (box.axes() == 0) return visit(Shape{});
  Shape strides(box.axes(), 1);
  for (int axis = box.axes() - 2; axis >= 0; --axis)
    strides[axis] = strides[axis + 1] * box.ranges[axis + 1].count();
  for_each(box, strides, [&](Shape const& point, Index) { visit(point); });
}

/// The values of a function at the places of entries.
class FunctionTable : public KernelTable {
 public:
  FunctionTable(OpenDomain const& domain, KernelFunction function)
      : domain_(domain), function_(std::move(function)) {}

  std::vector<double> row(Index entry) const override {
    std::vector<double> values;
    auto const& axes = domain_.axes;
    PerAxis<double> x(static_cast<int>(axes.size()), axes[0].at(entry));
    for_each_in_row(domain_.entries(), [&](Shape const& point) {
      for (int i = 1; i < x.size(); ++i) x[i] = axes[static_cast<std::size_t>(i)].at(point[i - 1]);
      values.push_back(function_(x));
      require(
          std::isfinite(values.back()), "function: finite numbers are needed, at (",
          [&] { return list(x, ", "); }, ") it is ", values.back());
    });
    return values;
  }

 private:
  OpenDomain const& domain_;
  KernelFunction function_;
};

/// The Green's function integrated over the cells around points.
class IntegratedTable : public KernelTable {
 public:
  explicit IntegratedTable(OpenDomain const& domain) : domain_(domain) {}

  std::vector<double> row(Index entry) const override {
    TableAxis const& first = domain_.axes[0];
    if (!first.is_open) return cells_at(first.at(entry));
    std::vector<double> values = cells_at(first.at(entry) + first.step / 2);
    std::vector<double> const below = cells_at(first.at(entry) - first.step / 2);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= below[i];
    return values;
  }

 private:
  /// Integrals at this place along the first axis and over cells of the other open axes.
  std::vector<double> cells_at(double place) const {
    Shape corners = domain_.entries();
    auto const& axes = domain_.axes;
    for (int i = 1; i < corners.size(); ++i)
      if (axes[static_cast<std::size_t>(i)].is_open) ++corners[i];
    std::vector<double> values;
    PerAxis<double> x(corners.size(), place);
    for_each_in_row(corners, [&](Shape const& point) {
      for (int i = 1; i < x.size(); ++i) {
        TableAxis const& axis = axes[static_cast<std::size_t>(i)];
        x[i] = axis.at(point[i - 1]) - (axis.is_open ? axis.step / 2 : 0);
      }
      values.push_back(greens::integral(domain_.distances(x), domain_.wave(x)));
    });
    for (int i = 1; i < x.size(); ++i)
      if (axes[static_cast<std::size_t>(i)].is_open) values = differences(values, corners, i);
    return values;
  }

  /// The differences of neighbours along an axis, which then has a point less.
  static std::vector<double> differences(std::vector<double> const& from, Shape& extents,
                                         int axis) {
    Index inner = 1, outer = 1;
    for (int i = axis + 1; i < extents.size(); ++i) inner *= extents[i];
    for (int i = 1; i < axis; ++i) outer *= extents[i];
    Index const count = extents[axis]--;
    std::vector<double> made;
    for (Index o = 0; o < outer; ++o)
      for (Index k = 0; k + 1 < count; ++k)
        for (Index i = 0; i < inner; ++i) {
          auto const at = static_cast<std::size_t>((o * count + k) * inner + i);
          made.push_back(from[at + static_cast<std::size_t>(inner)] - from[at]);
        }
    return made;
  }

  OpenDomain const& domain_;
};

/// A table of which each rank has fetched its rows.
class FetchedTable : public KernelTable {
 public:
  FetchedTable(Layout const& from, double const* numbers,
               std::vector<std::vector<Box>> const& parts, mpi::Communicator const& comm) {
    double const nothing = 0;
    for (std::vector<Box> const& boxes : parts) {
      Redistribution<double> fetch(from, Layout::boxes(from.shape(), boxes), comm);
      RowBlock& block = blocks_.emplace_back();
      block.rows = boxes[static_cast<std::size_t>(comm.rank())].ranges[0];
      block.values.resize(static_cast<std::size_t>(std::max<Index>(1, fetch.to_size())));
      fetch.forward(numbers ? numbers : &nothing, block.values.data());
    }
  }

  std::vector<double> row(Index entry) const override {
    for (RowBlock const& block : blocks_) {
      if (entry < block.rows.lo || entry >= block.rows.hi) continue;
      auto const size = static_cast<std::ptrdiff_t>(block.values.size()) / block.rows.count();
      auto const begin = block.values.begin() + (entry - block.rows.lo) * size;
      return {begin, begin + size};
    }
    throw Error("internal: a row of another rank", ErrorCode::internal);
  }

 private:
  struct RowBlock {
    Range rows;
    std::vector<double> values;
  };

  std::vector<RowBlock> blocks_;
};

}  // namespace

std::unique_ptr<KernelTable> function_table(OpenDomain const& domain, KernelFunction function) {
  return std::make_unique<FunctionTable>(domain, std::move(function));
}

std::unique_ptr<KernelTable> integrated_table(OpenDomain const& domain) {
  return std::make_unique<IntegratedTable>(domain);
}

std::unique_ptr<KernelTable> fetched_table(Layout const& from, double const* numbers,
                                           std::vector<std::vector<Box>> const& parts,
                                           mpi::Communicator const& comm) {
  return std::make_unique<FetchedTable>(from, numbers, parts, comm);
}

}  // namespace sixstep
