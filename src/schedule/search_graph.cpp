// SPDX-License-Identifier: BSD-3-Clause
// The graph of the search: nodes of the user's layouts, of grids, and their twins.
#include "schedule/search_graph.hpp"

#include <algorithm>

#include "schedule/grids.hpp"
#include "schedule/users_axes.hpp"

namespace sixstep::schedule {

SearchGraph::SearchGraph(Problem const& problem, Choices const& choices, Frame const& frame,
                         OutputRules const& rules)
    : problem_(problem),
      frame_(frame),
      rules_(rules),
      numbers_(numbers_of(problem)),
      layers_(layers()) {
  add_users_nodes();
  PerAxis<int> const users_parts = users_most_parts(frame);
  Grid const first = first_grid(problem.input, users_parts);
  std::vector<Grid> const users_grids = end_grids(first, users_parts, choices);
  bool const in_users_axes = frame.shape.size() == problem.input.axes();
  auto const grids = in_users_axes ? users_grids : grids_of(first, frame.most_parts, choices);
  for (Mask const layer : layers_)
    for (Grid const& grid : grids)
      add_grid(layout::place(Layout::grid(shape_in(layer), grid), number_in(layer)), layer);
  if (!in_users_axes && !problem.output)
    for (Grid const& grid : users_grids)
      add_grid({Layout::grid(output_shape(problem), grid), frame.output_view, numbers_.output},
               last_layer());
  for (Mask const layer : layers_) add_twins(layer);
}

/// All possible sets of crossed axes, each after its subsets.
std::vector<Mask> SearchGraph::layers() const {
  Mask const all = frame_.crossing(), real = frame_.real_axis < 0 ? 0 : bit(frame_.real_axis);
  Mask complex = 0;
  for (int axis = 0; axis < frame_.shape.size(); ++axis)
    if (frame_.kinds[axis] == Kind::c2c) complex |= bit(axis);
  std::vector<Mask> found;
  Mask layer = 0;
  do {
    if (real == 0 || (layer & real) || !(layer & complex)) found.push_back(layer);
    layer = (layer - all) & all;  // the next subset
  } while (layer != 0);
  return found;
}

Shape SearchGraph::shape_in(Mask layer) const {
  Shape shape = frame_.shape;
  for (int axis = 0; axis < shape.size(); ++axis)
    if (layer & bit(axis)) shape[axis] = frame_.spectral[axis];
  return shape;
}

layout::Number SearchGraph::number_in(Mask layer) const {
  return frame_.real_axis >= 0 && (layer & bit(frame_.real_axis)) ? numbers_.output
                                                                  : numbers_.input;
}

Fft SearchGraph::fft(int axis, Mask layer) const {
  return {.axis = axis,
          .kind = frame_.kinds[axis],
          .length = frame_.lengths[axis],
          .before = {frame_.shape[axis], number_in(layer)},
          .after = {frame_.spectral[axis], number_in(layer | (bit(axis) & last_layer()))},
          .first = frame_.first[axis],
          .splits = (frame_.splits & bit(axis)) != 0};
}

/// The placement of the same array in another layer. Axes that change are whole.
layout::Placement SearchGraph::moved(layout::Placement there, Mask from, Mask to) const {
  Shape const shape = shape_in(to);
  for (int axis = 0; axis < shape.size(); ++axis)
    if ((from ^ to) & bit(axis)) there = there.with_extent(axis, shape[axis]);
  there.number = number_in(to);
  return there;
}

/// Adds nodes for the input and the output. If no output is given, its node is what crossings
/// make of the input, where that is possible.
void SearchGraph::add_users_nodes() {
  layout::Placement input{problem_.input, frame_.input_view, numbers_.input};
  if (problem_.padded) {
    input.row = 2 * coefficients(Kind::r2c, frame_.lengths[frame_.real_axis]);
    input.row_axis = real_axis_of(problem_);
  }
  input.own_strides = problem_.input_strides;
  add_users(input, 0, false);
  if (problem_.output) {
    output_ = {*problem_.output, frame_.output_view, numbers_.output};
    output_.own_strides = problem_.output_strides;
  } else {
    if (last_layer() & ~nodes_[0].whole) return;
    output_ = moved(input.dense(), 0, last_layer());
    output_.view = frame_.output_view;
  }
  bool const is_end = problem_.output || may_end(output_);
  if (last_layer() == 0 && layout::same_boxes(nodes_[0].placement, output_)) {
    nodes_[0].may_end = is_end;
    end_node_ = 0;
  } else {
    end_node_ = nodes_.size();
    add_users(output_, last_layer(), is_end);
  }
  // Nodes from which crossings alone lead to the output.
  Mask const whole = nodes_[end_node_].whole;
  for (Mask const layer : layers_)
    if (layer != last_layer() && (last_layer() & ~layer & ~whole) == 0)
      add_users(moved(output_, last_layer(), layer), layer, false);
}

void SearchGraph::add_users(layout::Placement const& placement, Mask layer, bool may_end) {
  nodes_.push_back(make_node(placement, layer, may_end));
  nodes_.back().users = true;
}

bool SearchGraph::has_layer(Mask layer) const {
  return std::find(layers_.begin(), layers_.end(), layer) != layers_.end();
}

/// Grids over the user's axes, in the order of the input's grid. Even grids are added if none of
/// these may be an end.
std::vector<Grid> SearchGraph::end_grids(Grid const& first, PerAxis<int> const& most_parts,
                                         Choices const& choices) const {
  std::vector<Grid> grids = grids_of(first, most_parts, choices);
  if (problem_.output || problem_.is_inner) return grids;
  bool const some_end = std::any_of(grids.begin(), grids.end(), [&](Grid const& grid) {
    return may_end({Layout::grid(output_shape(problem_), grid), frame_.output_view});
  });
  if (!some_end)
    for (Grid const& grid : even_grids(problem_, most_parts, rules_.most_points))
      grids.push_back(grid);
  return grids;
}

bool SearchGraph::in_users_axes(layout::Placement const& placement) const {
  return placement.layout.axes() == problem_.input.axes();
}

/// Whether an output that the plan chooses may have this placement.
bool SearchGraph::may_end(layout::Placement const& placement) const {
  if (problem_.output) return false;
  // An input that is crossed in place keeps its own digits, not those of the output.
  if (in_users_axes(placement) ? !(placement.view == frame_.output_view) : !rules_.in_digits)
    return false;
  int const kept = problem_.kept_whole;
  if (kept >= 0 && !placement.whole(frame_.input_view.digits[kept][0])) return false;
  return placement.layout.largest_local_size() <= rules_.most_points;
}

void SearchGraph::add_grid(layout::Placement const& placement, Mask layer) {
  bool const is_end = end_node_ < nodes_.size() && nodes_[end_node_].layer == layer &&
                      nodes_[end_node_].may_end &&
                      layout::same_boxes(nodes_[end_node_].placement, placement);
  if (is_end) return;
  nodes_.push_back(make_node(placement, layer, layer == last_layer() && may_end(placement)));
}

/// Adds the twins of a layer's nodes, which they become when an axis is crossed.
void SearchGraph::add_twins(Mask layer) {
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    for (int axis = 0; nodes_[i].layer == layer && axis < frame_.shape.size(); ++axis)
      if (may_cross(axis) && (nodes_[i].whole & ~layer & bit(axis)) && has_layer(layer | bit(axis)))
        nodes_[i].twins[axis] = twin(nodes_[i], axis);
}

std::size_t SearchGraph::twin(SearchNode const& node, int axis) {
  Mask const layer = node.layer | bit(axis);
  layout::Placement const after = moved(node.placement, node.layer, layer);
  bool const users = node.users;
  for (std::size_t twin = 0; twin < nodes_.size(); ++twin)
    if (nodes_[twin].layer == layer && layout::same_boxes(nodes_[twin].placement, after))
      return twin;
  nodes_.push_back(make_node(after, layer, layer == last_layer() && may_end(after)));
  nodes_.back().users = users;
  return nodes_.size() - 1;
}

}  // namespace sixstep::schedule
