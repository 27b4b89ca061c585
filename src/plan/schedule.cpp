// SPDX-License-Identifier: BSD-3-Clause
// Schedules by shortest path: the nodes are placements, the edges exchanges, and on arriving at a
// node every axis that is whole there is transformed.
//
// A 1-D transform of N = N1 N2 points is a 2-D one with a twiddle (Bailey's six-step, 1990), with
// j = N2 j1 + j2 and k = k1 + N1 k2:
//   X[k1 + N1 k2] = sum_j2 w_N2^(j2 k2) [ w_N^(j2 k1) sum_j1 w_N1^(j1 k1) x[N2 j1 + j2] ].
// Working axis `slow` is j1 and then k1, working axis `fast` is j2 and then k2; so the digits of
// the input's view are (slow, fast) and those of the output's view are (fast, slow).
#include "plan/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <utility>

#include "exchange/redistribution.hpp"
#include "plan/match.hpp"

namespace sixstep::plan {

namespace {

using exchange::Piece;
using exchange::Pieces;
using exchange::View;
using Mask = std::uint32_t;  // of working axes

constexpr Index long_axis = 8192;       // from here on a view as two axes is considered
constexpr std::size_t most_bases = 16;  // pairs (N1, N2) considered for an axis
constexpr std::size_t most_grids = 128;
constexpr double worth_a_split = 0.9;  // of the time without
constexpr Index fast_columns = 8;      // fewer columns than this leave vector lanes idle

Mask bit(int axis) { return Mask{1} << axis; }

/// N = slow * fast, one of the user's axes.
struct Basis {
  int axis;
  Index slow;
  Index fast;
};

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

/// A problem in one choice of working axes.
struct Frame {
  Shape shape;
  View input_view;
  View output_view;
  Mask todo = 0;                  // working axes to transform
  std::vector<Twiddle> twiddles;  // axis = slow digit, which comes first; other = fast digit
};

Frame make_frame(Shape const& shape, std::vector<int> const& axes,
                 std::vector<Basis> const& bases) {
  Frame frame;
  for (int axis = 0; axis < shape.size(); ++axis) {
    auto const basis =
        std::find_if(bases.begin(), bases.end(), [&](Basis const& b) { return b.axis == axis; });
    int const first = frame.shape.size();
    bool const wanted = std::find(axes.begin(), axes.end(), axis) != axes.end();
    if (basis == bases.end()) {
      frame.shape.push_back(shape[axis]);
      frame.input_view.digits.push_back({first});
      frame.output_view.digits.push_back({first});
      if (wanted && shape[axis] > 1) frame.todo |= bit(first);
    } else {
      frame.shape.push_back(basis->slow);
      frame.shape.push_back(basis->fast);
      frame.input_view.digits.push_back({first, first + 1});
      frame.output_view.digits.push_back({first + 1, first});
      if (basis->slow > 1) frame.todo |= bit(first);
      if (basis->fast > 1) frame.todo |= bit(first + 1);
      if (basis->slow > 1 && basis->fast > 1) frame.twiddles.push_back({first, first + 1});
    }
  }
  frame.input_view.shape = frame.output_view.shape = frame.shape;
  return frame;
}

/// A place to be: where the array may lie between exchanges.
struct Node {
  Placement placement;
  Mask whole = 0;        // axes that can be transformed here
  Index fullest = 0;     // points on the rank that holds most
  int busiest = 0;       // that rank
  bool may_end = false;  // the transform may stop here
};

int busiest_rank(Layout const& layout) {
  if (!layout.grid().empty()) return 0;  // the longer blocks come first
  int busiest = 0;
  for (int rank = 1; rank < layout.ranks(); ++rank)
    if (layout.local_size(rank) > layout.local_size(busiest)) busiest = rank;
  return busiest;
}

Node make_node(Placement const& placement, bool may_end) {
  Node node{placement, 0, 0, busiest_rank(placement.layout), may_end};
  node.fullest = placement.layout.local_size(node.busiest);
  if (placement.is_boxes())
    for (int axis = 0; axis < placement.view.shape.size(); ++axis)
      if (placement.whole(axis)) node.whole |= bit(axis);
  return node;
}

/// Whether the two place every point on the same rank, each rank's part being one box.
bool same_boxes(Placement const& a, Placement const& b) {
  bool const same_grids = !a.layout.grid().empty() && a.layout.grid() == b.layout.grid() &&
                          a.layout.distribution() == b.layout.distribution();
  if (same_grids && a.view.digits == b.view.digits && a.view.shape == b.view.shape &&
      a.view.shape.size() == a.layout.axes())
    return true;
  for (int rank = 0; rank < a.layout.ranks(); ++rank) {
    Pieces const mine = a.pieces(rank), theirs = b.pieces(rank);
    if (mine.size() > 1 || mine.size() != theirs.size()) return false;
    if (!mine.empty() && !(mine[0].box == theirs[0].box)) return false;
  }
  return true;
}

/// All ways to deal ranks out to the working axes that keep the order of the input's grid: the
/// numbers of ranks move to other axes, and join where there are more of them than axes to split.
struct Grids {
  PerAxis<int> factors;
  int axes;
  int joins_left;
  Grid current;
  std::vector<Grid> found;

  void place(int factor, int first_axis) {
    if (found.size() == most_grids) return;
    if (factor == factors.size()) {
      found.push_back(current);
      return;
    }
    for (int axis = first_axis; axis < axes; ++axis) {
      bool const joins = current[axis] > 1;
      if (joins && joins_left == 0) continue;
      joins_left -= joins ? 1 : 0;
      current[axis] *= factors[factor];
      place(factor + 1, axis);
      current[axis] /= factors[factor];
      joins_left += joins ? 1 : 0;
    }
  }
};

std::vector<Grid> intermediate_grids(Layout const& input, Frame const& frame, bool regrid) {
  int const axes = frame.shape.size();
  Grid const start = input.grid().empty()
                         ? choose_grid(input.shape(), input.ranks(), std::min(2, input.axes()))
                         : input.grid();
  PerAxis<int> factors;
  for (int parts : start)
    if (parts > 1) factors.push_back(parts);
  int const joins = regrid ? factors.size() : std::max(0, factors.size() - (axes - 1));
  Grids grids{factors, axes, joins, Grid(axes, 1), {}};
  grids.place(0, 0);
  return grids.found;
}

/// The shortest path through one frame's placements.
class Search {
 public:
  Search(Problem const& problem, Choices const& choices, Frame const& frame)
      : problem_(problem), machine_(choices.machine), frame_(frame) {
    nodes_.push_back(make_node({problem.input, frame.input_view}, false));
    Placement const output{problem.output.value_or(problem.input), frame.output_view};
    output_is_input_ = same_boxes(nodes_[0].placement, output);
    if (output_is_input_)
      nodes_[0].may_end = true;
    else
      nodes_.push_back(make_node(output, true));
    output_ = output;
    for (Grid const& grid : intermediate_grids(problem.input, frame, choices.regrid)) {
      Placement const placement = exchange::place(Layout::grid(frame.shape, grid));
      bool const is_end =
          nodes_[end_node()].may_end && same_boxes(nodes_[end_node()].placement, placement);
      if (!is_end) nodes_.push_back(make_node(placement, !problem.output));
    }
  }

  /// The program; its seconds are infinite if there is none.
  Schedule run() {
    explore();
    Schedule program;
    program.shape = frame_.shape;
    program.element_bytes = problem_.element_bytes;
    program.seconds = best_seconds_;
    program.fullest = std::numeric_limits<Index>::max();
    if (std::isfinite(best_seconds_)) write(program);
    return program;
  }

 private:
  using State = std::pair<std::size_t, Mask>;  // where, and what has been transformed
  struct Arrival {
    double seconds = std::numeric_limits<double>::infinity();
    State from{};
    bool is_start = false;
  };

  /// Everything that can be transformed at `node` after `done`; its cost is added to `seconds`.
  Mask transform_here(Node const& node, Mask done, double& seconds) const {
    for (bool more = true; more;) {
      more = false;
      for (int axis = 0; axis < frame_.shape.size(); ++axis) {
        if (!(frame_.todo & node.whole & ~done & bit(axis)) || !ready(axis, done)) continue;
        done |= bit(axis);
        seconds += fft_seconds(node, axis);
        more = true;
      }
    }
    return done;
  }

  /// A fast digit waits for its slow one.
  bool ready(int axis, Mask done) const {
    return std::all_of(frame_.twiddles.begin(), frame_.twiddles.end(),
                       [&](Twiddle const& t) { return t.other != axis || (done & bit(t.axis)); });
  }

  double fft_seconds(Node const& node, int axis) const {
    double const n = static_cast<double>(frame_.shape[axis]);
    double const points = static_cast<double>(node.fullest);
    double const columns = points / n;
    double const idle = columns < fast_columns ? fast_columns / std::max(columns, 1.0) : 1.0;
    double const spill = frame_.shape[axis] > long_axis ? 2.0 : 1.0;
    return points * (5 * std::log2(n) * idle / machine_.kernel_flops_per_s +
                     2 * spill * problem_.element_bytes / machine_.memory_Bps);
  }

  double exchange_seconds(Node const& from, Node const& to) const {
    Pieces const held = from.placement.pieces(from.busiest);
    Pieces const kept = to.placement.pieces(from.busiest);
    double messages = 0;
    double points = static_cast<double>(std::max(from.fullest, to.fullest));
    double moving = points;
    for (Piece const& piece : held) {
      messages += static_cast<double>(to.placement.ranks_meeting(piece.box).size());
      for (Piece const& own : kept)
        moving -= static_cast<double>(intersect(piece.box, own.box).volume());
    }
    // Of two ways that cost the same, the one that regroups ranks along fewer axes.
    double const regrouping =
        1e-3 * machine_.latency_s * axes_regrouped(from.placement.layout, to.placement.layout);
    return messages * machine_.latency_s + regrouping +
           problem_.element_bytes *
               (moving / machine_.bandwidth_Bps + 2 * points / machine_.memory_Bps);
  }

  void explore() {
    using Entry = std::pair<double, State>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    std::map<std::pair<std::size_t, std::size_t>, double> edges;
    auto const arrive = [&](State state, double seconds, State from, bool is_start) {
      Arrival& arrival = arrivals_[state];
      if (seconds >= arrival.seconds) return;
      arrival = {seconds, from, is_start};
      queue.push({seconds, state});
    };
    double seconds = 0;
    Mask const done = transform_here(nodes_[0], 0, seconds);
    arrive({0, done}, seconds, {}, true);
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
        if (next == here) continue;
        auto const [edge, is_new] = edges.try_emplace({here, next}, 0.0);
        if (is_new) edge->second = exchange_seconds(nodes_[here], nodes_[next]);
        double after = so_far + edge->second;
        Mask const then = transform_here(nodes_[next], finished, after);
        arrive({next, then}, after, state, false);
      }
    }
  }

  /// Turns the path into stages, and gives the placements on it the memory order that suits them.
  void write(Schedule& program) {
    std::vector<State> path{end_};
    while (!arrivals_[path.back()].is_start) path.push_back(arrivals_[path.back()].from);
    std::reverse(path.begin(), path.end());

    Placement here = nodes_[0].placement;
    program.input = here;
    program.fullest = 0;
    Mask done = 0;
    for (std::size_t i = 0; i < path.size(); ++i) {
      program.fullest = std::max(program.fullest, nodes_[path[i].first].fullest);
      Mask const split_next = i + 1 < path.size() ? ~nodes_[path[i + 1].first].whole : 0;
      write_ffts(program, here, path[i].second & ~done, split_next);
      done = path[i].second;
      if (i + 1 == path.size()) break;
      Placement next = nodes_[path[i + 1].first].placement;
      if (!is_users(path[i + 1].first))
        next.layout = next.layout.with_order(
            arrival_order(nodes_[path[i].first].whole, nodes_[path[i + 1].first].whole));
      program.stages.push_back(Exchange{here, next});
      here = next;
    }
    program.output = end_.first == end_node() ? output_ : present(here);
  }

  std::size_t end_node() const { return output_is_input_ ? 0 : 1; }
  bool is_users(std::size_t node) const { return node <= end_node(); }

  /// The Ffts of `axes` at one placement: fastest axis in memory first, since its rows are
  /// contiguous, and last the one that the next exchange splits, since its pass can store into the
  /// messages.
  void write_ffts(Schedule& program, Placement const& here, Mask axes, Mask split_next) const {
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
    for (int axis : sequence) {
      program.stages.push_back(Fft{axis});
      for (Twiddle const& t : frame_.twiddles)
        if (t.axis == axis) program.stages.push_back(t);
    }
  }

  static Shape working_strides(Placement const& placement) {
    Pieces const pieces = placement.pieces(busiest_rank(placement.layout));
    return pieces.empty() ? Shape(placement.view.shape.size(), 0) : pieces[0].strides;
  }

  /// Axes that become whole lie slowest: the messages that arrive then follow each other as the
  /// array.
  Order arrival_order(Mask whole_before, Mask whole_after) const {
    Order order;
    Mask const gathered = whole_after & ~whole_before;
    for (int axis = 0; axis < frame_.shape.size(); ++axis)
      if (gathered & bit(axis)) order.push_back(axis);
    for (int axis = 0; axis < frame_.shape.size(); ++axis)
      if (!(gathered & bit(axis))) order.push_back(axis);
    return order;
  }

  /// A placement in working axes as the user is told of it: the digits of a split axis in the order
  /// in which they make up the index k = k2 N1 + k1.
  Placement present(Placement const& here) const {
    PerAxis<int> shown;  // working axes as the user sees them
    for (PerAxis<int> const& digits : frame_.output_view.digits)
      for (int digit : digits) shown.push_back(digit);
    Shape shape;
    Grid grid;
    Order order;
    View view{frame_.shape, {}};
    for (int axis : shown) {
      shape.push_back(frame_.shape[axis]);
      grid.push_back(here.layout.grid()[axis]);
      view.digits.push_back({axis});
    }
    for (int axis : here.layout.order())
      order.push_back(
          static_cast<int>(std::find(shown.begin(), shown.end(), axis) - shown.begin()));
    Placement presented{Layout::grid(shape, grid, {}, order), view};
    if (same_boxes(presented, here)) return presented;
    std::vector<Box> boxes;
    for (int rank = 0; rank < here.layout.ranks(); ++rank) {
      Box const box = here.layout.box(rank);
      boxes.emplace_back();
      for (int axis : shown) boxes.back().ranges.push_back(box.ranges[axis]);
    }
    return {Layout::boxes(shape, boxes, order), view};
  }

  Problem const& problem_;
  Machine machine_;
  Frame const& frame_;
  std::vector<Node> nodes_;  // the input; the output, if it lies otherwise; intermediate grids
  Placement output_;
  bool output_is_input_ = false;
  std::map<State, Arrival> arrivals_;
  double best_seconds_ = std::numeric_limits<double>::infinity();
  State end_{};
};

// Which axes to view as two, and how.

std::vector<Index> divisors(Index n) {
  std::vector<Index> found{1};
  for (Index p = 2; n > 1; ++p) {
    if (p * p > n) p = n;
    std::size_t const before = found.size();
    for (Index power = p; n % p == 0; n /= p, power *= p)
      for (std::size_t i = 0; i < before; ++i) found.push_back(found[i] * power);
  }
  return found;
}

/// Ways to write the extent of `axis` as slow * fast: the nearest to square first, then the one
/// that fits a cyclic layout of `parts` parts (0: none).
std::vector<Basis> bases_of(Shape const& shape, int axis, int parts) {
  Index const n = shape[axis];
  std::vector<Index> slow = divisors(n);
  std::sort(slow.begin(), slow.end(), [&](Index a, Index b) {
    auto const skew = [&](Index s) { return std::max(s, n / s); };
    return std::pair(skew(a), a) < std::pair(skew(b), b);
  });
  if (slow.size() > most_bases) slow.resize(most_bases);
  if (parts > 1 && n % parts == 0) slow.push_back(n / parts);
  std::vector<Basis> bases;
  for (Index s : slow) bases.push_back({axis, s, n / s});
  return bases;
}

int cyclic_parts(Layout const& layout, int axis) {
  return layout.distribution()[axis] == Distribution::cyclic ? layout.grid()[axis] : 0;
}

/// The frames worth a search beside the user's own axes: all cyclic axes viewed as two at once (one
/// exchange is then enough), and an axis viewed as two in several ways where that fills idle ranks
/// or vector lanes.
std::vector<Frame> split_frames(Problem const& problem, bool ranks_idle) {
  Shape const& shape = problem.input.shape();
  std::vector<Frame> found;
  std::vector<Basis> cyclic;
  for (int axis : problem.axes) {
    if (shape[axis] <= 1) continue;
    int const parts = cyclic_parts(problem.input, axis);
    if (parts > 1 && shape[axis] % parts == 0) cyclic.push_back({axis, shape[axis] / parts, parts});
    Index const columns = problem.input.largest_local_size() / shape[axis];
    bool const few_long_columns =
        problem.input.whole(axis) && shape[axis] >= long_axis && columns < 4 * fast_columns;
    if (!ranks_idle && !few_long_columns && parts <= 1) continue;
    for (Basis const& basis : bases_of(shape, axis, parts))
      found.push_back(make_frame(shape, problem.axes, {basis}));
  }
  if (cyclic.size() > 1) found.push_back(make_frame(shape, problem.axes, cyclic));
  return found;
}

Problem checked(Problem problem) {
  Layout const& input = problem.input;
  require(input.axes() >= 1 && input.axes() <= max_axes, "input: a layout of 1 to ", max_axes,
          " axes is needed, it has ", input.axes());
  require(sixstep::volume(input.shape()) > 0,
          "input: every extent must be at least 1, the shape is ", to_string(input.shape()));
  if (problem.output) {
    require(problem.output->shape() == input.shape(), "output: the input's shape ",
            to_string(input.shape()), " is needed, ", to_string(problem.output->shape()),
            " was given");
    require(problem.output->ranks() == input.ranks(), "output: a layout for ", input.ranks(),
            " ranks is needed, as the input's, ", problem.output->ranks(), " were given");
  }
  std::set<int> named;
  for (int axis : problem.axes) {
    require(axis >= 0 && axis < input.axes(), "axes: 0 to ", input.axes() - 1, " are possible, ",
            axis, " was given");
    require(named.insert(axis).second, "axes: axis ", axis, " is named twice");
  }
  if (problem.axes.empty())
    for (int axis = 0; axis < input.axes(); ++axis) problem.axes.push_back(axis);
  return problem;
}

}  // namespace

int Schedule::exchanges() const {
  return static_cast<int>(std::count_if(stages.begin(), stages.end(), [](Stage const& stage) {
    return std::holds_alternative<Exchange>(stage);
  }));
}

double Schedule::transformed_points() const {
  double points = 1;
  for (Stage const& stage : stages)
    if (auto const* fft = std::get_if<Fft>(&stage)) points *= static_cast<double>(shape[fft->axis]);
  return points;
}

Schedule schedule(Problem const& given, Choices const& choices) {
  Problem const problem = checked(given);
  Shape const& shape = problem.input.shape();
  Schedule best = Search(problem, choices, make_frame(shape, problem.axes, {})).run();
  Index const ranks = problem.input.ranks();
  Index const even_share = (volume(shape) + ranks - 1) / ranks;
  bool const ranks_idle = best.fullest > 2 * even_share;
  for (Frame const& frame : split_frames(problem, ranks_idle)) {
    Schedule candidate = Search(problem, choices, frame).run();
    if (candidate.seconds < worth_a_split * best.seconds) best = std::move(candidate);
  }
  require(std::isfinite(best.seconds),
          "schedule: no way leads from the input to the output layout");
  return best;
}

Schedule reverse(Schedule const& forward) {
  Schedule backward = forward;
  std::swap(backward.input, backward.output);
  std::reverse(backward.stages.begin(), backward.stages.end());
  for (Stage& stage : backward.stages)
    if (auto* exchange = std::get_if<Exchange>(&stage)) std::swap(exchange->from, exchange->to);
  // A twiddle now stands before the Ffts that followed it. It commutes with exchanges and with Ffts
  // along other axes, so it moves back to the Fft along its other axis, whose pass can carry it.
  for (std::size_t i = 0; i < backward.stages.size(); ++i) {
    if (!std::holds_alternative<Twiddle>(backward.stages[i])) continue;
    int const other = std::get<Twiddle>(backward.stages[i]).other;
    for (std::size_t j = i; j > 0; --j) {
      auto const* fft = std::get_if<Fft>(&backward.stages[j - 1]);
      if (fft && fft->axis == other) break;
      std::swap(backward.stages[j], backward.stages[j - 1]);
    }
  }
  return backward;
}

std::string summary(Schedule const& schedule) {
  std::ostringstream out;
  char const* separator = "";
  for (Stage const& stage : schedule.stages) {
    out << ::std::exchange(separator, ", ");
    std::visit(match{[&](Fft const& f) { out << "fft " << schedule.shape[f.axis]; },
                     [&](Twiddle const&) { out << "twiddle"; },
                     [&](Exchange const&) { out << "exchange"; }},
               stage);
  }
  return out.str();
}

}  // namespace sixstep::plan
