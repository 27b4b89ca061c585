// SPDX-License-Identifier: BSD-3-Clause
// The search by shortest path: the nodes are those of the graph (search_graph.hpp), the edges are
// exchanges, and on arriving at a node every axis that is whole there is transformed.
//
// A c2c axis waits until the numbers are complex, and one that grows may wait for another node
// (Choices::growing_waits).
#include "schedule/search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <utility>

#include "schedule/costs.hpp"
#include "schedule/search_graph.hpp"
#include "schedule/users_axes.hpp"

namespace sixstep::schedule {

namespace {

/// Axes that become whole lie slowest: then arriving messages follow each other as in the array.
/// An axis that is kept whole stays where it is in the input, before or behind all others.
Order arrival_order(Problem const& problem, Frame const& frame, Mask whole_before,
                    Mask whole_after) {
  Mask slowest = 0, fastest = 0;
  if (int const kept = problem.kept_whole; kept >= 0)
    (problem.input.order()[0] == kept ? slowest : fastest) |= bit(frame.input_view.digits[kept][0]);
  Mask const gathered = whole_after & ~whole_before & ~slowest & ~fastest;
  Order order;
  for (Mask const mask : {slowest, gathered, ~(slowest | gathered | fastest), fastest})
    for (int axis = 0; axis < frame.shape.size(); ++axis)
      if (mask & bit(axis)) order.push_back(axis);
  return order;
}

/// The shortest path through one frame's placements.
class Search {
 public:
  Search(Problem const& problem, Choices const& choices, Frame const& frame,
         OutputRules const& rules)
      : problem_(problem),
        costs_{problem.real_bytes, choices.rates, choices.tuning},
        frame_(frame),
        may_wait_(choices.growing_waits ? frame.growing() : 0),
        graph_(problem, choices, frame, rules) {}

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

  /// Transforms all axes that can be transformed at `node` after `done`, but those that wait, and
  /// adds the cost to `seconds`. The node becomes its twin where an axis is crossed.
  Mask transform_here(std::size_t& node, Mask done, Mask waits, double& seconds) const {
    for (bool more = true; more;) {
      more = false;
      for (int axis = 0; axis < frame_.shape.size(); ++axis) {
        SearchNode const& here = graph_.node(node);
        if (!(frame_.todo & here.whole & ~done & ~waits & bit(axis)) || !ready(here, axis, done))
          continue;
        done |= bit(axis);
        seconds += costs_.fft_seconds(here, frame_.shape[axis], frame_.lengths[axis]);
        if (graph_.may_cross(axis)) node = here.twins.at(axis);
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
      Mask const may_wait = may_wait_ & graph_.node(node).whole & ~done;
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
      if (finished == frame_.todo && graph_.node(here).may_end) {
        best_seconds_ = so_far;
        end_ = state;
        return;
      }
      for (std::size_t next = 0; next < graph_.size(); ++next) {
        if (next == here || graph_.node(next).layer != graph_.node(here).layer) continue;
        auto const [edge, is_new] = edges.try_emplace({here, next}, 0.0);
        if (is_new) edge->second = costs_.exchange_seconds(graph_.node(here), graph_.node(next));
        arrive(next, finished, {so_far + edge->second, state});
      }
    }
  }

  /// Turns the path into stages, and gives the placements on it the memory order that suits them.
  void write(Schedule& made) {
    std::vector<State> path{end_};
    while (!arrivals_[path.back()].is_start) path.push_back(arrivals_[path.back()].from);
    std::reverse(path.begin(), path.end());

    layout::Placement here = graph_.node(0).placement;
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
          ends && path[i + 1].first == graph_.end_node() ? node.placement : node.placement.dense();
      if (!node.users)
        next.layout = next.layout.with_order(
            ends && problem_.lies == Output::natural_axes
                ? problem_.input.order()
                : order_of(next,
                           arrival_order(problem_, frame_, arrived(path[i]).whole, node.whole)));
      made.stages.push_back(Transpose{here, next});
      here = next;
    }
    made.output = end_.first == graph_.end_node() ? graph_.output()
                  : graph_.in_users_axes(here)    ? here
                                                  : present(here, frame_.output_view);
  }

  SearchNode const& arrived(State const& state) const {
    return graph_.node(arrivals_.at(state).node);
  }

  /// Writes the Ffts of `axes` at one placement, which they may change. The axis that is fastest in
  /// memory comes first, because its rows are contiguous. The one that the next exchange splits
  /// comes last, because its pass can store into the messages.
  void write_ffts(Schedule& made, layout::Placement& here, Mask done, Mask axes,
                  Mask split_next) const {
    Mask layer = done & graph_.last_layer();
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
      Fft const one = graph_.fft(axis, layer);
      made.stages.push_back(one);
      here = one.from(here);
      layer |= bit(axis) & graph_.last_layer();
      for (Twiddle const& t : frame_.twiddles)
        if (t.axis == axis) made.stages.push_back(t);
    }
  }

  Problem const& problem_;
  Costs costs_;
  Frame const& frame_;
  Mask may_wait_;
  SearchGraph graph_;
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
