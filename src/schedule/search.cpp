// SPDX-License-Identifier: BSD-3-Clause
// The search by shortest path: the nodes are placements, the edges exchanges, and on arriving at a
// node every axis that is whole there is transformed.
//
// Some axes are crossed when they are transformed: that of r2c, whose n reals become n/2 + 1
// complex numbers, and those of which fewer modes are kept. For each set of crossed axes there is a
// layer of nodes. Where a node has such an axis whole, it has a twin in the next layer; when the
// search arrives, it crosses over to it. A c2c axis waits until the numbers are complex.
#include "schedule/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <utility>

#include "local/numbers/factor.hpp"
#include "redistribution/redistribution.hpp"

namespace sixstep::schedule {

namespace {

using layout::Piece;
using layout::Pieces;
using layout::same_boxes;
using layout::View;

/// The axes along which the two grids number the ranks differently.
int axes_regrouped(Layout const& from, Layout const& to) {
  if (from.grid().size() != to.grid().size()) return 0;
  int regrouped = 0;
  int from_stride = 1, to_stride = 1;
  for (int axis = from.grid().size() - 1; axis >= 0; --axis) {
    int const parts = from.grid()[axis];
    if (parts != to.grid()[axis] || (parts > 1 && from_stride != to_stride)) ++regrouped;
    from_stride *= parts;
    to_stride *= to.grid()[axis];
  }
  return regrouped;
}

/// A node of the search: a placement that the array may have between exchanges.
struct Node {
  layout::Placement placement;
  Mask whole = 0;                         // axes that can be transformed here
  Index fullest = 0;                      // points on the rank that holds most
  int busiest = 0;                        // that rank
  bool may_end = false;                   // the transform may stop here
  bool users = false;                     // laid out by the user, memory order included
  Mask layer = 0;                         // axes that have been crossed
  std::map<int, std::size_t> twins = {};  // by axis: the node that crossing it leads to
};

Node make_node(layout::Placement const& placement, Mask layer, bool may_end) {
  Node node{placement, 0, 0, busiest_rank(placement.layout), may_end};
  node.layer = layer;
  node.fullest = placement.layout.local_size(node.busiest);
  if (placement.is_boxes())
    for (int axis = 0; axis < placement.view.shape.size(); ++axis)
      if (placement.whole(axis)) node.whole |= bit(axis);
  return node;
}

/// All ways to deal out ranks to the working axes in the order of the input's grid. Its numbers of
/// ranks move to other axes, and join where there are more numbers than axes to split.
struct Grids {
  PerAxis<int> factors;
  PerAxis<int> most_parts;
  int joins_left;
  std::size_t most;
  Grid current;
  std::vector<Grid> found;

  void place(int factor, int first_axis) {
    if (found.size() == most) return;
    if (factor == factors.size()) {
      found.push_back(current);
      return;
    }
    for (int axis = first_axis; axis < current.size(); ++axis) {
      bool const joins = current[axis] > 1;
      if (joins && joins_left == 0) continue;
      if (factors[factor] > most_parts[axis] / current[axis]) continue;
      joins_left -= joins ? 1 : 0;
      current[axis] *= factors[factor];
      place(factor + 1, axis);
      current[axis] /= factors[factor];
      joins_left += joins ? 1 : 0;
    }
  }
};

/// The most parts that the axes of the user's array may have in grids that the plan chooses.
PerAxis<int> users_most_parts(Frame const& frame) {
  PerAxis<int> parts;
  for (PerAxis<int> const& digits : frame.input_view.digits)
    parts.push_back(frame.most_parts[digits[0]]);
  return parts;
}

/// The input's grid. For a list of boxes, a near-square grid over two axes that the plan may split.
Grid first_grid(Layout const& input, PerAxis<int> const& users_most_parts) {
  if (!input.grid().empty()) return input.grid();
  Shape splittable;
  for (int axis = 0; axis < input.axes(); ++axis)
    if (users_most_parts[axis] > 1) splittable.push_back(input.shape()[axis]);
  return splittable.empty()
             ? Grid{}
             : choose_grid(splittable, input.ranks(), std::min(2, splittable.size()));
}

/// Grids over working axes that may have at most `most_parts` parts.
std::vector<Grid> grids_of(Grid const& first, PerAxis<int> const& most_parts,
                           Choices const& choices) {
  PerAxis<int> factors;
  for (int parts : first)
    if (parts > 1) factors.push_back(parts);
  auto const splittable = static_cast<int>(
      std::count_if(most_parts.begin(), most_parts.end(), [](int parts) { return parts > 1; }));
  int const joins =
      choices.regrid ? factors.size() : std::max(0, factors.size() - (splittable - 1));
  Grids grids{factors,
              most_parts,
              joins,
              static_cast<std::size_t>(choices.tuning.most_grids),
              Grid(most_parts.size(), 1),
              {}};
  grids.place(0, 0);
  return grids.found;
}

/// The shortest path through one frame's placements.
class Search {
 public:
  Search(Problem const& problem, Choices const& choices, Frame const& frame, Ends const& ends)
      : problem_(problem),
        machine_(choices.machine),
        tuning_(choices.tuning),
        frame_(frame),
        ends_(ends) {
    numbers_ = numbers_of(problem.kinds);
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

  /// The schedule; its seconds are infinite if there is none.
  Schedule run() {
    explore();
    Schedule made;
    made.shape = frame_.shape;
    made.real_bytes = problem_.real_bytes;
    made.seconds = best_seconds_;
    made.fullest = std::numeric_limits<Index>::max();
    if (std::isfinite(best_seconds_)) write(made);
    return made;
  }

 private:
  using State = std::pair<std::size_t, Mask>;  // node, and the axes transformed so far
  struct Arrival {
    double seconds = std::numeric_limits<double>::infinity();
    State from{};
    bool is_start = false;
    std::size_t node = 0;  // before crossing over
  };

  /// All possible sets of crossed axes, each after its subsets.
  std::vector<Mask> layers() const {
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
  Mask last_layer() const { return layers_.back(); }
  bool may_cross(int axis) const { return (last_layer() & bit(axis)) != 0; }
  Shape shape_in(Mask layer) const {
    Shape shape = frame_.shape;
    for (int axis = 0; axis < shape.size(); ++axis)
      if (layer & bit(axis)) shape[axis] = frame_.spectral[axis];
    return shape;
  }
  layout::Number number_in(Mask layer) const {
    return frame_.real_axis >= 0 && (layer & bit(frame_.real_axis)) ? numbers_.output
                                                                    : numbers_.input;
  }
  /// The Fft along an axis for an array of this layer.
  Fft fft(int axis, Mask layer) const {
    return {axis,
            frame_.kinds[axis],
            {frame_.shape[axis], number_in(layer)},
            {frame_.spectral[axis], number_in(layer | (bit(axis) & last_layer()))}};
  }
  /// The placement of the same array in another layer. Axes that change are whole.
  Placement moved(layout::Placement there, Mask from, Mask to) const {
    Shape const shape = shape_in(to);
    for (int axis = 0; axis < shape.size(); ++axis)
      if ((from ^ to) & bit(axis)) there = there.with_extent(axis, shape[axis]);
    there.number = number_in(to);
    return there;
  }
  Node const& end_node() const { return nodes_[end_node_]; }

  /// Adds nodes for the input and the output. If no output is given, its node is what crossings
  /// make of the input, where that is possible.
  void add_users_nodes() {
    layout::Placement input{problem_.input, frame_.input_view, numbers_.input};
    if (problem_.padded) {
      input.row = 2 * coefficients(Kind::r2c, frame_.shape[frame_.real_axis]);
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
    Mask const whole = end_node().whole;
    for (Mask const layer : layers_)
      if (layer != last_layer() && (last_layer() & ~layer & ~whole) == 0)
        add_users(moved(output_, last_layer(), layer), layer, false);
  }

  void add_users(layout::Placement const& placement, Mask layer, bool may_end) {
    nodes_.push_back(make_node(placement, layer, may_end));
    nodes_.back().users = true;
  }

  bool has_layer(Mask layer) const {
    return std::find(layers_.begin(), layers_.end(), layer) != layers_.end();
  }

  /// Grids over the user's axes, in the order of the input's grid. Even grids are added if none of
  /// these may be an end.
  std::vector<Grid> end_grids(Grid const& first, PerAxis<int> const& most_parts,
                              Choices const& choices) const {
    std::vector<Grid> grids = grids_of(first, most_parts, choices);
    if (problem_.output || problem_.is_inner) return grids;
    bool const some_end = std::any_of(grids.begin(), grids.end(), [&](Grid const& grid) {
      return may_end({Layout::grid(output_shape(problem_), grid), frame_.output_view});
    });
    if (!some_end)
      for (Grid const& grid : even_grids(problem_, most_parts, ends_.most_points))
        grids.push_back(grid);
    return grids;
  }

  bool in_users_axes(layout::Placement const& placement) const {
    return placement.layout.axes() == problem_.input.axes();
  }

  /// Whether an output that the plan chooses may have this placement.
  bool may_end(layout::Placement const& placement) const {
    if (problem_.output) return false;
    // An input that is crossed in place keeps its own digits, not those of the output.
    if (in_users_axes(placement) ? !(placement.view == frame_.output_view) : !ends_.in_digits)
      return false;
    int const kept = problem_.kept_whole;
    if (kept >= 0 && !placement.whole(frame_.input_view.digits[kept][0])) return false;
    return placement.layout.largest_local_size() <= ends_.most_points;
  }

  void add_grid(layout::Placement const& placement, Mask layer) {
    bool const is_end = end_node_ < nodes_.size() && end_node().layer == layer &&
                        end_node().may_end && layout::same_boxes(end_node().placement, placement);
    if (is_end) return;
    nodes_.push_back(make_node(placement, layer, layer == last_layer() && may_end(placement)));
  }

  /// Adds the twins of a layer's nodes, which they become when an axis is crossed.
  void add_twins(Mask layer) {
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (int axis = 0; nodes_[i].layer == layer && axis < frame_.shape.size(); ++axis)
        if (may_cross(axis) && (nodes_[i].whole & ~layer & bit(axis)) &&
            has_layer(layer | bit(axis)))
          nodes_[i].twins[axis] = twin(nodes_[i], axis);
  }
  std::size_t twin(Node const& node, int axis) {
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

  /// Transforms all axes that can be transformed at `node` after `done`, and adds the cost to
  /// `seconds`. The node becomes its twin where an axis is crossed.
  Mask transform_here(std::size_t& node, Mask done, double& seconds) const {
    for (bool more = true; more;) {
      more = false;
      for (int axis = 0; axis < frame_.shape.size(); ++axis) {
        Node const& here = nodes_[node];
        if (!(frame_.todo & here.whole & ~done & bit(axis)) || !ready(here, axis, done)) continue;
        done |= bit(axis);
        seconds += fft_seconds(here, axis);
        if (may_cross(axis)) node = here.twins.at(axis);
        more = true;
      }
    }
    return done;
  }

  /// A fast digit waits for its slow one, and c2c for complex numbers.
  bool ready(Node const& here, int axis, Mask done) const {
    if (frame_.kinds[axis] == Kind::c2c && here.placement.number == layout::Number::real)
      return false;
    return std::all_of(frame_.twiddles.begin(), frame_.twiddles.end(),
                       [&](Twiddle const& t) { return t.other != axis || (done & bit(t.axis)); });
  }

  double bytes_of(Node const& node) const {
    return static_cast<double>(problem_.real_bytes * layout::reals_of(node.placement.number));
  }

  double fft_seconds(Node const& node, int axis) const {
    double const n = static_cast<double>(frame_.shape[axis]);
    double const points = static_cast<double>(node.fullest);
    double const columns = points / n;
    double const idle =
        std::max(1.0, static_cast<double>(tuning_.fast_columns) / std::max(columns, 1.0));
    double const spill = frame_.shape[axis] > tuning_.long_axis_points ? 2.0 : 1.0;
    double const flops = (local::is_smooth(frame_.shape[axis]) ? 1 : tuning_.convolved_work) * 2.5 *
                         static_cast<double>(layout::reals_of(node.placement.number)) *
                         std::log2(n);
    return points * (flops * idle / machine_.kernel_flops_per_s +
                     2 * spill * bytes_of(node) / machine_.memory_Bps);
  }

  /// The traffic of one rank: the ranks that it exchanges with, and the points that it sends or
  /// receives.
  struct Traffic {
    double messages = 0;
    double points = 0;
  };
  /// The traffic of the points that `rank` has in `here` and not in `there`.
  static Traffic traffic(layout::Placement const& here, layout::Placement const& there, int rank) {
    layout::Pieces const kept = there.pieces(rank);
    Traffic sum;
    for (layout::Piece const& piece : here.pieces(rank)) {
      sum.messages += static_cast<double>(there.ranks_meeting(piece.box).size());
      sum.points += static_cast<double>(piece.box.volume());
      for (layout::Piece const& own : kept)
        sum.points -= static_cast<double>(intersect(piece.box, own.box).volume());
    }
    return sum;
  }

  /// Seconds of the rank that sends most or of the one that receives most, whichever takes longer.
  double exchange_seconds(Node const& from, Node const& to) const {
    Traffic const sent = traffic(from.placement, to.placement, from.busiest);
    Traffic const received = traffic(to.placement, from.placement, to.busiest);
    double const messages = std::max(sent.messages, received.messages);
    double const moving = std::max(sent.points, received.points);
    double const points = static_cast<double>(std::max(from.fullest, to.fullest));
    // If two ways cost the same, the one that regroups ranks along fewer axes wins.
    double const regrouping =
        1e-3 * machine_.latency_s * axes_regrouped(from.placement.layout, to.placement.layout);
    return messages * machine_.latency_s + regrouping +
           bytes_of(from) * (moving / machine_.bandwidth_Bps + 2 * points / machine_.memory_Bps);
  }

  void explore() {
    using Entry = std::pair<double, State>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    std::map<std::pair<std::size_t, std::size_t>, double> edges;
    auto const arrive = [&](std::size_t node, Mask done, Arrival arrival) {
      arrival.node = node;
      Mask const then = transform_here(node, done, arrival.seconds);
      Arrival& best = arrivals_[{node, then}];
      if (arrival.seconds >= best.seconds) return;
      best = arrival;
      queue.push({arrival.seconds, {node, then}});
    };
    arrive(0, 0, {0, {}, true});
    while (!queue.empty()) {
      auto const [so_far, state] = queue.top();
      queue.pop();
      if (so_far > arrivals_[state].seconds) continue;
      auto const [here, finished] = state;
      if (finished == frame_.todo && nodes_[here].may_end) {
        best_seconds_ = so_far;
        end_ = state;
        return;
      }
      for (std::size_t next = 0; next < nodes_.size(); ++next) {
        if (next == here || nodes_[next].layer != nodes_[here].layer) continue;
        auto const [edge, is_new] = edges.try_emplace({here, next}, 0.0);
        if (is_new) edge->second = exchange_seconds(nodes_[here], nodes_[next]);
        arrive(next, finished, {so_far + edge->second, state});
      }
    }
  }

  /// Turns the path into stages, and gives the placements on it the memory order that suits them.
  void write(Schedule& made) {
    std::vector<State> path{end_};
    while (!arrivals_[path.back()].is_start) path.push_back(arrivals_[path.back()].from);
    std::reverse(path.begin(), path.end());

    layout::Placement here = nodes_[0].placement;
    made.input = here;
    here = here.dense();
    made.fullest = 0;
    Mask done = 0;
    for (std::size_t i = 0; i < path.size(); ++i) {
      Mask const axes = path[i].second & ~done;
      done = path[i].second;
      bool const is_last = i + 1 == path.size();
      made.fullest = std::max(made.fullest, arrived(path[i]).fullest);
      Mask const split_next = is_last ? 0 : ~arrived(path[i + 1]).whole;
      write_ffts(made, here, done & ~axes, axes, split_next);
      if (is_last) break;
      Node const& node = arrived(path[i + 1]);
      bool const ends = i + 2 == path.size();
      layout::Placement next =
          ends && path[i + 1].first == end_node_ ? node.placement : node.placement.dense();
      if (!node.users)
        next.layout = next.layout.with_order(
            ends && problem_.lies == Output::natural_axes
                ? problem_.input.order()
                : order_of(next, arrival_order(arrived(path[i]).whole, node.whole)));
      made.stages.push_back(Exchange{here, next});
      here = next;
    }
    made.output = end_.first == end_node_ ? output_ : in_users_axes(here) ? here : present(here);
  }

  Node const& arrived(State const& state) const { return nodes_[arrivals_.at(state).node]; }

  /// Writes the Ffts of `axes` at one placement, which they may change. The axis that is fastest in
  /// memory comes first, because its rows are contiguous. The one that the next exchange splits
  /// comes last, because its pass can store into the messages.
  void write_ffts(Schedule& made, layout::Placement& here, Mask done, Mask axes,
                  Mask split_next) const {
    Mask layer = done & last_layer();
    std::vector<int> sequence;
    Shape const strides = working_strides(here);
    for (int axis = 0; axis < frame_.shape.size(); ++axis)
      if (axes & bit(axis)) sequence.push_back(axis);
    std::stable_sort(sequence.begin(), sequence.end(), [&](int a, int b) {
      auto const key = [&](int axis) {
        return std::pair(bool(split_next & bit(axis)), strides[axis]);
      };
      return key(a) < key(b);
    });
    for (Twiddle const& t : frame_.twiddles) {  // a slow digit comes before its fast one
      auto const slow = std::find(sequence.begin(), sequence.end(), t.axis);
      auto const fast = std::find(sequence.begin(), sequence.end(), t.other);
      if (slow != sequence.end() && fast < slow) std::rotate(fast, slow, slow + 1);
    }
    // An r2c comes before all c2c.
    auto const real = std::find(sequence.begin(), sequence.end(), frame_.real_axis);
    auto const complex = std::find_if(sequence.begin(), real,
                                      [&](int axis) { return frame_.kinds[axis] == Kind::c2c; });
    if (real != sequence.end() && complex < real) std::rotate(complex, real, real + 1);
    for (int axis : sequence) {
      Fft const one = fft(axis, layer);
      made.stages.push_back(one);
      here = one.from(here);
      layer |= bit(axis) & last_layer();
      for (Twiddle const& t : frame_.twiddles)
        if (t.axis == axis) made.stages.push_back(t);
    }
  }

  static Shape working_strides(layout::Placement const& placement) {
    layout::Pieces const pieces = placement.pieces(busiest_rank(placement.layout));
    return pieces.empty() ? Shape(placement.view.shape.size(), 0) : pieces[0].strides;
  }

  /// Axes that become whole lie slowest: then arriving messages follow each other as in the array.
  /// An axis that is kept whole stays where it is in the input, before or behind all others.
  Order arrival_order(Mask whole_before, Mask whole_after) const {
    Mask slowest = 0, fastest = 0;
    if (int const kept = problem_.kept_whole; kept >= 0)
      (problem_.input.order()[0] == kept ? slowest : fastest) |=
          bit(frame_.input_view.digits[kept][0]);
    Mask const gathered = whole_after & ~whole_before & ~slowest & ~fastest;
    Order order;
    for (Mask const mask : {slowest, gathered, ~(slowest | gathered | fastest), fastest})
      for (int axis = 0; axis < frame_.shape.size(); ++axis)
        if (mask & bit(axis)) order.push_back(axis);
    return order;
  }

  /// An order of working axes as an order of the layout's axes. An axis that is viewed as two takes
  /// the position of the first of its digits.
  Order order_of(layout::Placement const& placement, Order const& working) const {
    if (placement.layout.axes() == working.size()) return working;
    Order order;
    for (int axis : working)
      for (int user = 0; user < placement.layout.axes(); ++user) {
        PerAxis<int> const& digits = placement.view.digits[user];
        bool const is_there = std::find(digits.begin(), digits.end(), axis) != digits.end();
        if (is_there && std::find(order.begin(), order.end(), user) == order.end())
          order.push_back(user);
      }
    return order;
  }

  /// A placement in working axes as the user sees it. The digits of a split axis are in the order
  /// in which they make up the index k = k2 N1 + k1.
  Placement present(layout::Placement const& here) const {
    PerAxis<int> shown;  // working axes as the user sees them
    for (PerAxis<int> const& digits : frame_.output_view.digits)
      for (int digit : digits) shown.push_back(digit);
    Shape shape;
    Grid grid;
    Order order;
    layout::View view{here.view.shape, {}};
    for (int axis : shown) {
      shape.push_back(here.view.shape[axis]);
      grid.push_back(here.layout.grid()[axis]);
      view.digits.push_back({axis});
    }
    for (int axis : here.layout.order()) {
      auto const place = std::find(shown.begin(), shown.end(), axis);
      if (place != shown.end()) order.push_back(static_cast<int>(place - shown.begin()));
    }
    layout::Placement presented{Layout::grid(shape, grid, {}, order), view, here.number};
    if (presented.layout.ranks() == here.layout.ranks() && layout::same_boxes(presented, here))
      return presented;
    Deals const& working = *Deals::of(here.layout);
    Deals deals;
    for (int axis : shown) deals.axes.push_back(working.axes[axis]);
    for (int axis = 0; axis < here.layout.axes(); ++axis)
      if (std::find(shown.begin(), shown.end(), axis) == shown.end())
        deals.idle.push_back(working.axes[axis]);
    return {deals.boxes(here.layout.ranks(), order), view, here.number};
  }

  Problem const& problem_;
  Machine machine_;
  Tuning tuning_;
  Frame const& frame_;
  Ends const& ends_;
  Numbers numbers_;
  std::vector<Mask> layers_ = layers();
  std::vector<Node> nodes_;  // the input; the output, if it differs; intermediate grids; twins
  layout::Placement output_;
  std::size_t end_node_ = std::numeric_limits<std::size_t>::max();  // of the output; out of range
                                                                    // if none
  std::map<State, Arrival> arrivals_;
  double best_seconds_ = std::numeric_limits<double>::infinity();
  State end_{};
};

}  // namespace

Schedule search(Problem const& problem, Choices const& choices, Frame const& frame,
                Ends const& ends) {
  return Search(problem, choices, frame, ends).run();
}

}  // namespace sixstep::schedule
