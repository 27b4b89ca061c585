// SPDX-License-Identifier: BSD-3-Clause
// The search by shortest path: the nodes are placements, the edges exchanges, and on arriving at a
// node every axis that is whole there is transformed.
//
// Some axes are crossed when they are transformed: that of r2c, whose n reals become n/2 + 1
// complex numbers, and those of which fewer modes are kept. For each set of crossed axes there is a
// layer of nodes. Where a node has such an axis whole, it has a twin in the next layer; when the
// search arrives, it crosses over to it. A c2c axis waits until the numbers are complex, and one
// that grows may wait for another node (Choices::growing_waits).
#include "schedule/search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <utility>

#include "schedule/costs.hpp"
#include "schedule/grids.hpp"
#include "schedule/users_axes.hpp"

namespace sixstep::schedule {

namespace {

/// The shortest path through one frame's placements.
class Search {
 public:
  Search(Problem const& problem, Choices const& choices, Frame const& frame,
         OutputRules const& rules)
      : problem_(problem),
        costs_{problem.real_bytes, choices.rates, choices.tuning},
        frame_(frame),
        rules_(rules),
        may_wait_(choices.growing_waits ? frame.growing() : 0) {
    numbers_ = numbers_of(problem);
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
    return {.axis = axis,
            .kind = frame_.kinds[axis],
            .length = frame_.lengths[axis],
            .before = {frame_.shape[axis], number_in(layer)},
            .after = {frame_.spectral[axis], number_in(layer | (bit(axis) & last_layer()))},
            .first = frame_.first[axis],
            .splits = (frame_.splits & bit(axis)) != 0};
  }
  /// The placement of the same array in another layer. Axes that change are whole.
  Placement moved(layout::Placement there, Mask from, Mask to) const {
    Shape const shape = shape_in(to);
    for (int axis = 0; axis < shape.size(); ++axis)
      if ((from ^ to) & bit(axis)) there = there.with_extent(axis, shape[axis]);
    there.number = number_in(to);
    return there;
  }
  SearchNode const& end_node() const { return nodes_[end_node_]; }

  /// Adds nodes for the input and the output. If no output is given, its node is what crossings
  /// make of the input, where that is possible.
  void add_users_nodes() {
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
      for (Grid const& grid : even_grids(problem_, most_parts, rules_.most_points))
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
    if (in_users_axes(placement) ? !(placement.view == frame_.output_view) : !rules_.in_digits)
      return false;
    int const kept = problem_.kept_whole;
    if (kept >= 0 && !placement.whole(frame_.input_view.digits[kept][0])) return false;
    return placement.layout.largest_local_size() <= rules_.most_points;
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
  std::size_t twin(SearchNode const& node, int axis) {
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

  /// Transforms all axes that can be transformed at `node` after `done`, but those that wait, and
  /// adds the cost to `seconds`. The node becomes its twin where an axis is crossed.
  Mask transform_here(std::size_t& node, Mask done, Mask waits, double& seconds) const {
    for (bool more = true; more;) {
      more = false;
      for (int axis = 0; axis < frame_.shape.size(); ++axis) {
        SearchNode const& here = nodes_[node];
        if (!(frame_.todo & here.whole & ~done & ~waits & bit(axis)) || !ready(here, axis, done))
          continue;
        done |= bit(axis);
        seconds += costs_.fft_seconds(here, frame_.shape[axis], frame_.lengths[axis]);
        if (may_cross(axis)) node = here.twins.at(axis);
        more = true;
      }
    }
    return done;
  }

  /// A fast digit waits for its slow one, c2c for complex numbers, and any axis for those before
  /// it.
  bool ready(SearchNode const& here, int axis, Mask done) const {
    if (!frame_.before.empty() && (frame_.before[axis] & ~done)) return false;
    if (frame_.kinds[axis] == Kind::c2c && here.placement.number == layout::Number::real)
      return false;
    return std::all_of(frame_.twiddles.begin(), frame_.twiddles.end(),
                       [&](Twiddle const& t) { return t.other != axis || (done & bit(t.axis)); });
  }

  void explore() {
    using Entry = std::pair<double, State>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    std::map<std::pair<std::size_t, std::size_t>, double> edges;
    auto const arrive_while = [&](Mask waits, std::size_t node, Mask done, Arrival arrival) {
      arrival.node = node;
      Mask const then = transform_here(node, done, waits, arrival.seconds);
      Arrival& best = arrivals_[{node, then}];
      if (arrival.seconds >= best.seconds) return;
      best = arrival;
      queue.push({arrival.seconds, {node, then}});
    };
    auto const arrive = [&](std::size_t node, Mask done, Arrival const& arrival) {
      Mask const may_wait = may_wait_ & nodes_[node].whole & ~done;
      Mask waits = 0;
      do {
        arrive_while(waits, node, done, arrival);
        waits = (waits - may_wait) & may_wait;  // the next subset
      } while (waits != 0);
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
        if (is_new) edge->second = costs_.exchange_seconds(nodes_[here], nodes_[next]);
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
      SearchNode const& node = arrived(path[i + 1]);
      bool const ends = i + 2 == path.size();
      layout::Placement next =
          ends && path[i + 1].first == end_node_ ? node.placement : node.placement.dense();
      if (!node.users)
        next.layout = next.layout.with_order(
            ends && problem_.lies == Output::natural_axes
                ? problem_.input.order()
                : order_of(next, arrival_order(arrived(path[i]).whole, node.whole)));
      made.stages.push_back(Transpose{here, next});
      here = next;
    }
    made.output = end_.first == end_node_ ? output_
                  : in_users_axes(here)   ? here
                                          : present(here, frame_.output_view);
  }

  SearchNode const& arrived(State const& state) const { return nodes_[arrivals_.at(state).node]; }

  /// Writes the Ffts of `axes` at one placement, which they may change. The axis that is fastest in
  /// memory comes first, because its rows are contiguous. The one that the next exchange splits
  /// comes last, because its pass can store into the messages.
  void write_ffts(Schedule& made, layout::Placement& here, Mask done, Mask axes,
                  Mask split_next) const {
    Mask layer = done & last_layer();
    std::vector<int> sequence;
    layout::Pieces const pieces = here.pieces(busiest_rank(here.layout));
    Shape const strides = pieces.empty() ? Shape(here.view.shape.size(), 0) : pieces[0].strides;
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
    if (!frame_.before.empty())
      std::sort(sequence.begin(), sequence.end(), [&](int a, int b) {
        return std::popcount(frame_.before[a]) < std::popcount(frame_.before[b]);
      });
    for (int axis : sequence) {
      Fft const one = fft(axis, layer);
      made.stages.push_back(one);
      here = one.from(here);
      layer |= bit(axis) & last_layer();
      for (Twiddle const& t : frame_.twiddles)
        if (t.axis == axis) made.stages.push_back(t);
    }
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

  Problem const& problem_;
  Costs costs_;
  Frame const& frame_;
  OutputRules const& rules_;
  Mask may_wait_;
  Numbers numbers_;
  std::vector<Mask> layers_ = layers();
  std::vector<SearchNode>
      nodes_;  // the input; the output, if it differs; intermediate grids; twins
  layout::Placement output_;
  std::size_t end_node_ = std::numeric_limits<std::size_t>::max();  // of the output; out of range
                                                                    // if none
  std::map<State, Arrival> arrivals_;
  double best_seconds_ = std::numeric_limits<double>::infinity();
  State end_{};
};

}  // namespace

Schedule search(Problem const& problem, Choices const& choices, Frame const& frame,
                OutputRules const& rules) {
  return Search(problem, choices, frame, rules).run();
}

}  // namespace sixstep::schedule
