// SPDX-License-Identifier: BSD-3-Clause
// The graph of the search: the placements that an array may have between exchanges.
//
// Some axes are crossed when they are transformed: that of r2c, whose n reals become n/2 + 1
// complex numbers, and those of which fewer modes are kept. For each set of crossed axes there is a
// layer of nodes. Where a node has such an axis whole, it has a twin in the next layer; when the
// search arrives, it crosses over to it. Knows nothing about prices.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "schedule/costs.hpp"
#include "schedule/frame.hpp"
#include "schedule/output_rules.hpp"
#include "schedule/schedule.hpp"

namespace sixstep::schedule {

/// The nodes of one frame. The first is the input.
class SearchGraph {
 public:
  /// Refers to problem, frame and rules.
  SearchGraph(Problem const& problem, Choices const& choices, Frame const& frame,
              OutputRules const& rules);

  std::size_t size() const { return nodes_.size(); }
  SearchNode const& node(std::size_t number) const { return nodes_[number]; }
  /// The node of the output, and its placement; out of range if the output is open.
  std::size_t end_node() const { return end_node_; }
  layout::Placement const& output() const { return output_; }

  /// All axes that are ever crossed.
  Mask last_layer() const { return layers_.back(); }
  bool may_cross(int axis) const { return (last_layer() & bit(axis)) != 0; }
  /// The Fft along an axis for an array of this layer.
  Fft fft(int axis, Mask layer) const;
  bool in_users_axes(layout::Placement const& placement) const;

 private:
  std::vector<Mask> layers() const;
  bool has_layer(Mask layer) const;
  Shape shape_in(Mask layer) const;
  layout::Number number_in(Mask layer) const;
  layout::Placement moved(layout::Placement there, Mask from, Mask to) const;
  bool may_end(layout::Placement const& placement) const;
  std::vector<Grid> end_grids(Grid const& first, PerAxis<int> const& most_parts,
                              Choices const& choices) const;
  void add_users_nodes();
  void add_users(layout::Placement const& placement, Mask layer, bool may_end);
  void add_grid(layout::Placement const& placement, Mask layer);
  void add_twins(Mask layer);
  std::size_t twin(SearchNode const& node, int axis);

  Problem const& problem_;
  Frame const& frame_;
  OutputRules const& rules_;
  Numbers numbers_;
  std::vector<Mask> layers_;
  std::vector<SearchNode> nodes_;  // the input; the output, if it differs; grids between; twins
  layout::Placement output_;
  std::size_t end_node_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace sixstep::schedule
