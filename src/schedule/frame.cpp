// SPDX-License-Identifier: BSD-3-Clause
// Frames: decides which axes to view as two, and how.
#include "schedule/frame.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "layout/deals.hpp"
#include "local/numbers/primes.hpp"
#include "local/numbers/reproducible.hpp"

namespace sixstep::schedule {

namespace {

/// N = slow * fast, one of the user's axes.
struct Basis {
  int axis;
  Index slow;
  Index fast;
};

bool is_transformed(Problem const& problem, int axis) {
  return std::find(problem.axes.begin(), problem.axes.end(), axis) != problem.axes.end();
}

/// Whether the highest mode along the place-th of the axes stands for waves of either sign.
bool splits(Problem const& problem, std::size_t place) {
  Index const modes = problem.modes[place];
  return problem.splits && !is_r2r(problem.kinds[place]) && modes % 2 == 0 &&
         modes < problem.lengths[place];
}

/// The most parts that one of the user's axes may have in grids that the plan chooses. An axis that
/// is not transformed gets no more parts than the user's layouts have.
int most_parts(Problem const& problem, Choices const& choices, int axis) {
  if (axis == problem.never_split) return 1;
  int const ranks = problem.input.ranks();
  bool const may_be_split = choices.split_untransformed || is_transformed(problem, axis) ||
                            problem.input.shape()[axis] == 1;
  if (may_be_split) return ranks;
  auto const parts = [&](Layout const& layout) {
    return layout.whole(axis) ? 1 : layout.grid().empty() ? ranks : layout.grid()[axis];
  };
  return std::max(parts(problem.input), problem.output ? parts(*problem.output) : 1);
}

Frame make_frame(Problem const& problem, Choices const& choices, std::vector<Basis> const& bases) {
  Shape const& shape = problem.input.shape();
  Frame frame;
  for (int axis = 0; axis < shape.size(); ++axis) {
    auto const basis =
        std::find_if(bases.begin(), bases.end(), [&](Basis const& b) { return b.axis == axis; });
    int const first = frame.shape.size();
    auto const wanted = std::find(problem.axes.begin(), problem.axes.end(), axis);
    frame.most_parts.push_back(most_parts(problem, choices, axis));
    auto const place = static_cast<std::size_t>(wanted - problem.axes.begin());
    if (basis == bases.end()) {
      bool const is_wanted = wanted != problem.axes.end();
      Kind const kind = is_wanted ? problem.kinds[place] : Kind::c2c;
      if (kind == Kind::r2c) frame.real_axis = first;
      frame.kinds.push_back(kind);
      frame.shape.push_back(shape[axis]);
      frame.spectral.push_back(is_wanted ? coefficients(kind, problem.modes[place]) : shape[axis]);
      frame.lengths.push_back(is_wanted ? problem.lengths[place] : shape[axis]);
      frame.first.push_back(is_wanted ? problem.first[place] : 0);
      frame.input_view.digits.push_back({first});
      frame.output_view.digits.push_back({first});
      // A c2c of one point does nothing; any other kind does something.
      bool const idle = kind == Kind::c2c && frame.lengths[first] == 1;
      if (is_wanted && !idle) frame.todo |= bit(first);
      if (is_wanted && splits(problem, place)) frame.splits |= bit(first);
    } else {
      frame.most_parts.push_back(frame.most_parts.back());
      frame.kinds.push_back(Kind::c2c);
      frame.kinds.push_back(Kind::c2c);
      for (Shape* each : {&frame.shape, &frame.spectral, &frame.lengths}) {
        each->push_back(basis->slow);
        each->push_back(basis->fast);
      }
      for (int digit = 0; digit < 2; ++digit) frame.first.push_back(0);
      frame.input_view.digits.push_back({first, first + 1});
      frame.output_view.digits.push_back({first + 1, first});
      if (basis->slow > 1) frame.todo |= bit(first);
      if (basis->fast > 1) frame.todo |= bit(first + 1);
      if (basis->slow > 1 && basis->fast > 1) frame.twiddles.push_back({first, first + 1});
    }
  }
  if (problem.twiddle >= 0)
    frame.twiddles.push_back(
        {frame.input_view.digits[problem.axes[0]][0], frame.input_view.digits[problem.twiddle][0]});
  // The transform back of an operator multiplies by its scale, also to a single point.
  if (frame.todo == 0 && problem.splits && !problem.axes.empty())
    frame.todo = bit(frame.input_view.digits[problem.axes[0]][0]);
  frame.input_view.shape = frame.shape;
  frame.output_view.shape = frame.spectral;
  return frame;
}

/// The ways to write the extent of `axis` as slow * fast, nearest to square first, and last the one
/// that fits a cyclic layout of `parts` parts (0: none).
std::vector<Basis> bases_of(Shape const& shape, int axis, int parts, std::size_t most_bases) {
  Index const n = shape[axis];
  std::vector<Index> slow = local::divisors(n);
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

/// The smallest factor of n that is at least its square root.
Index larger_factor(Index n) {
  std::vector<Index> const factors = local::divisors(n);
  return factors[factors.size() / 2];
}

/// The axes that are viewed as two if results are to be reproducible: long ones, and a shorter one
/// that is transformed alone, since ranks could not share it.
std::vector<Basis> reproducible_bases(Problem const& problem) {
  std::vector<Basis> bases;
  if (problem.twiddle >= 0 || problem.plain) return bases;
  Shape const& shape = problem.input.shape();
  auto const transformed = std::count_if(problem.axes.begin(), problem.axes.end(),
                                         [&](int axis) { return shape[axis] > 1; });
  Index const most =
      transformed == 1 ? local::longest_reproducible : local::longest_reproducible_axis;
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    Index const n = shape[problem.axes[i]];
    if (n <= most || problem.kinds[i] != Kind::c2c || !is_whole(problem, i)) continue;
    Index const slow = n / larger_factor(n);
    if (slow >= local::shortest_reproducible_level)
      bases.push_back({problem.axes[i], slow, n / slow});
  }
  return bases;
}

}  // namespace

Mask Frame::crossing() const {
  Mask found = 0;
  for (int axis = 0; axis < shape.size(); ++axis)
    if (axis == real_axis || spectral[axis] != shape[axis]) found |= bit(axis);
  return found;
}

Mask Frame::growing() const {
  Mask found = 0;
  for (int axis = 0; axis < shape.size(); ++axis)
    if (axis != real_axis && spectral[axis] > shape[axis]) found |= bit(axis);
  return found;
}

Frame plain_frame(Problem const& problem, Choices const& choices) {
  return make_frame(problem, choices, {});
}

Frame reproducible_frame(Problem const& problem, Choices const& choices) {
  Frame frame = make_frame(problem, choices, reproducible_bases(problem));
  PerAxis<int> order;
  if (frame.real_axis >= 0) order.push_back(frame.real_axis);
  for (int axis = problem.input.axes() - 1; axis >= 0; --axis)
    for (int digit : frame.input_view.digits[axis])  // the slow one comes before the fast one
      if (digit != frame.real_axis) order.push_back(digit);
  frame.before = PerAxis<Mask>(frame.shape.size(), 0);
  Mask done = 0;
  for (int axis : order) {
    frame.before[axis] = done & frame.todo;
    done |= bit(axis);
  }
  return frame;
}

std::vector<int> untransformed(Problem const& problem) {
  Shape const& shape = problem.input.shape();
  std::vector<int> axes;
  for (int axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] > 1 && !is_transformed(problem, axis) && axis != problem.never_split)
      axes.push_back(axis);
  std::stable_sort(axes.begin(), axes.end(), [&](int a, int b) { return shape[a] > shape[b]; });
  return axes;
}

Frame with_idle_axis(Frame frame) {
  for (Shape* shape : {&frame.shape, &frame.spectral, &frame.lengths, &frame.input_view.shape,
                       &frame.output_view.shape})
    shape->push_back(1);
  frame.first.push_back(0);
  frame.kinds.push_back(Kind::c2c);
  if (!frame.before.empty()) frame.before.push_back(0);
  frame.most_parts.push_back(std::numeric_limits<int>::max());
  return frame;
}

std::vector<Frame> split_frames(Problem const& problem, bool ranks_idle, Choices const& choices) {
  Tuning const& tuning = choices.tuning;
  Shape const& shape = problem.input.shape();
  std::vector<Frame> found;
  if (problem.twiddle >= 0 || problem.plain) return found;
  std::vector<Basis> cyclic;
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    int const axis = problem.axes[i];
    if (shape[axis] <= 1 || problem.kinds[i] != Kind::c2c || !is_whole(problem, i)) continue;
    int const parts = cyclic_parts(problem.input, axis);
    if (parts > 1 && shape[axis] % parts == 0) cyclic.push_back({axis, shape[axis] / parts, parts});
    Index const columns = problem.input.largest_local_size() / shape[axis];
    bool const few_long_columns = problem.input.whole(axis) &&
                                  shape[axis] > tuning.long_axis_points &&
                                  columns < 4 * tuning.fast_columns;
    if (!ranks_idle && !few_long_columns && parts <= 1) continue;
    bool const given = choices.basis > 0 && shape[axis] % choices.basis == 0;
    for (Basis const& basis :
         given ? std::vector<Basis>{{axis, choices.basis, shape[axis] / choices.basis}}
               : bases_of(shape, axis, parts, static_cast<std::size_t>(tuning.most_bases)))
      found.push_back(make_frame(problem, choices, {basis}));
  }
  if (cyclic.size() > 1) found.push_back(make_frame(problem, choices, cyclic));
  return found;
}

}  // namespace sixstep::schedule
