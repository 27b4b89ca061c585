// SPDX-License-Identifier: BSD-3-Clause
// The check of a plan's result: the weights of both ends, and the bound of their sums' difference.
#include "verify/result_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "sixstep/error.hpp"
#include "verify/axis_pair.hpp"

namespace sixstep::verify {

namespace {

/// How many times its expected size a random sum of rounding errors may be.
constexpr double tail = 6;

std::vector<Axis> axes_of(schedule::Problem const& problem) {
  std::vector<Axis> axes;
  for (int axis = 0; axis < problem.input.axes(); ++axis)
    axes.push_back({{}, problem.input.shape()[axis]});
  for (std::size_t i = 0; i < problem.axes.size() && !problem.moves; ++i) {
    Axis& axis = axes[static_cast<std::size_t>(problem.axes[i])];
    axis.kind = problem.kinds[i];
    axis.length = problem.lengths[i];
    axis.modes = problem.modes[i];
    if (!problem.first.empty()) axis.first = problem.first[i];
    axis.splits = problem.splits && !is_r2r(*axis.kind);
  }
  return axes;
}

/// The axes of a layout. In an output that the plan has chosen, the digits of an axis are two.
std::vector<Digit> digits_of(layout::Placement const& end, layout::Placement const& input,
                             int axes) {
  bool const in_digits = end.layout.axes() > axes;
  std::vector<Digit> digits;
  for (int axis = 0; axis < axes; ++axis) {
    if (in_digits && input.view.digits[axis].size() == 2)
      digits.push_back({axis, end.layout.shape()[static_cast<int>(digits.size()) + 1]});
    digits.push_back({axis});
  }
  return digits;
}

/// The digits of an end's working axes, of which some may be idle.
std::vector<Digit> working_digits(layout::Placement const& end,
                                  std::vector<Digit> const& of_layout) {
  std::vector<Digit> digits(static_cast<std::size_t>(end.view.shape.size()), Digit{0, 0});
  for (int axis = 0; axis < end.layout.axes(); ++axis) {
    auto const [number, unit] = of_layout[static_cast<std::size_t>(axis)];
    Index step = unit;
    PerAxis<int> const& working = end.view.digits[axis];
    for (int i = working.size() - 1; i >= 0; --i) {
      digits[static_cast<std::size_t>(working[i])] = {number, step};
      step *= end.view.shape[working[i]];
    }
  }
  return digits;
}

/// Whether both ends lie as their layouts say, in axes that are those of the problem.
bool are_plain(layout::Placement const& input, layout::Placement const& output) {
  auto const is_plain = [&](layout::Placement const& end) {
    return end.view == layout::View::identity(end.layout.shape()) && end.tile == 0 &&
           end.layout.axes() == input.layout.axes();
  };
  return is_plain(input) && is_plain(output);
}

/// Whether the weights of an axis have a peak: their size there is some .6 sqrt(n) times the mean.
bool has_peak(Axis const& axis) {
  return (axis.kind == Kind::c2c || axis.kind == Kind::r2c) && axis.length > longest_table;
}

/// The axes along which most sweeps number the rows of their first blocks, or of their last ones:
/// the first axis, and the last one but one. -1: it is none of a c2c, or has no table of weights.
struct AxesOfRows {
  int slow = -1, next = -1;
};

AxesOfRows axes_of_rows(std::vector<Axis> const& axes) {
  AxesOfRows found;
  auto const is_c2c = [&](std::size_t i) {
    return axes[i].kind == Kind::c2c && axes[i].points > 1 && axes[i].length <= longest_table;
  };
  for (std::size_t i = axes.size(); i-- > 0;)
    if (is_c2c(i)) found.slow = static_cast<int>(i);
  if (std::size_t const count = axes.size(); count > 1 && is_c2c(count - 2))
    found.next = static_cast<int>(count - 2);
  return found;
}

/// A sweep that begins with the rows of one axis ends, backward, with them.
Reals reals_along(int axis, AxesOfRows const& rows, Direction direction) {
  bool const forward = direction == Direction::forward;
  if (axis == rows.slow) return forward ? Reals::of_result : Reals::of_source;
  if (axis == rows.next) return forward ? Reals::of_source : Reals::of_result;
  return Reals::neither;
}

}  // namespace

ResultCheck::ResultCheck(schedule::Problem const& problem, layout::Placement const& input,
                         layout::Placement const& output, double wire_tolerance, int rank)
    : real_bytes_(problem.real_bytes),
      wire_tolerance_(wire_tolerance),
      is_plain_(are_plain(input, output)) {
  require(problem.twiddle < 0, "verify: a plan without a twiddle is needed, axis ", problem.twiddle,
          " has one");
  require(!schedule::keeps_columns(problem),
          "verify: a plan without a sphere or columns is needed, one with them was given");
  std::vector<Axis> const axes = axes_of(problem);
  bool const has_r2c = std::any_of(axes.begin(), axes.end(),
                                   [](Axis const& axis) { return axis.kind == Kind::r2c; });
  AxesOfRows const rows = axes_of_rows(axes);
  int const count = static_cast<int>(axes.size());
  working_ = {working_digits(input, digits_of(input, input, count)),
              working_digits(output, digits_of(output, input, count))};
  double const points =
      static_cast<double>(std::max(volume(input.layout.shape()), volume(output.layout.shape())));
  for (Direction direction : {Direction::forward, Direction::backward}) {
    bool const forward = direction == Direction::forward;
    Way& way = ways_[static_cast<std::size_t>(direction)];
    way.is_real = has_r2c && !forward;
    way.points = points;
    std::vector<SetsOfWeights> sources(axes.size()), results(axes.size());
    double levels = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      Reals const reals =
          way.is_real ? Reals::of_result : reals_along(static_cast<int>(i), rows, direction);
      for (std::size_t set = 0; set < local::sums_at_once; ++set) {
        std::uint64_t const seed = 16 * (2 * i + set) + (forward ? 1 : 2);
        AxisPair pair = weights_of(axes[i], direction, reals, seed);
        sources[i][set] = std::move(pair.source);
        results[i][set] = std::move(pair.result);
        if (set == 0) way.norm *= pair.norm;
      }
      if (axes[i].kind) levels += 2 + std::log2(static_cast<double>(axes[i].length));
      if (has_peak(axes[i])) way.peak *= std::sqrt(static_cast<double>(axes[i].length)) / 4;
    }
    // Passes take the indices of a long axis in digits.
    for (std::vector<Digit> const& digits : working_)
      for (Digit const& digit : digits)
        for (std::vector<SetsOfWeights>* const ends : {&sources, &results})
          for (AxisWeights& weights : (*ends)[static_cast<std::size_t>(digit.axis)])
            if (weights.are_powers() && digit.unit > 0) weights.prepare(digit.unit);
    way.growth = 1 + levels / 3;
    layout::Placement const& from = forward ? input : output;
    layout::Placement const& to = forward ? output : input;
    way.source =
        EndSums(Side::source, from, rank, digits_of(from, input, count), std::move(sources));
    way.result = EndSums(Side::result, to, rank, digits_of(to, input, count), std::move(results));
  }
}

local::WeightedSums ResultCheck::source(Direction direction, void const* array, bool conjugate,
                                        int threads) const {
  return way(direction).source.of(array, real_bytes_, conjugate, threads);
}

local::WeightedSums ResultCheck::result(Direction direction, void const* array, bool conjugate,
                                        int threads) const {
  return way(direction).result.of(array, real_bytes_, conjugate, threads);
}

BoxWeights ResultCheck::weights_in(Direction direction, bool is_source, Box const& box) const {
  bool const of_input = is_source == (direction == Direction::forward);
  Way const& here = way(direction);
  return (is_source ? here.source : here.result).weights().in(box, working_[of_input ? 0 : 1]);
}

Finding ResultCheck::compare(Direction direction, local::WeightedSums const& source,
                             local::WeightedSums const& result, Scaled const& scaled) const {
  Way const& here = way(direction);
  bool const single = real_bytes_ == sizeof(float);
  double const largest = single ? static_cast<double>(std::numeric_limits<float>::max())
                                : std::sqrt(std::numeric_limits<double>::max());
  double const norm = std::sqrt(source.squares);
  double const size = here.norm * std::abs(scaled.factor) * norm;  // at least the result's norm
  double products = 0;
  for (double more : source.products) products += more;
  if (!(std::isfinite(products) && here.norm * norm < largest && size < largest)) return {};
  double const rounding = std::numeric_limits<double>::epsilon() / 2;
  double const of_result = single ? std::numeric_limits<float>::epsilon() / 2 : rounding;
  double const least = single ? static_cast<double>(std::numeric_limits<float>::min())
                              : std::sqrt(std::numeric_limits<double>::min());
  std::array<Finding, local::sums_at_once> found;
  for (std::size_t set = 0; set < local::sums_at_once; ++set) {
    std::complex<double> const wanted = scaled.factor * source.sums[set];
    std::complex<double> difference = wanted - result.sums[set];
    if (here.is_real) difference = difference.real();
    double const of_sums =
        3 * (std::abs(scaled.factor) * std::sqrt(source.products[set]) + size + std::abs(wanted));
    found[set] = {std::isfinite(std::norm(difference)) ? std::abs(difference)
                                                       : std::numeric_limits<double>::infinity(),
                  tail * ((of_result * here.growth + wire_tolerance_) * size + rounding * of_sums +
                          least * here.points * (1 + here.norm))};
  }
  // Rounding that meets the peak of one sum's weights does not meet that of the other's.
  auto [less, more] = found;
  if (!(less.share() <= more.share())) std::swap(less, more);
  more.bound *= here.peak;
  return more.share() < less.share() ? less : more;
}

}  // namespace sixstep::verify
