// SPDX-License-Identifier: BSD-3-Clause
// Weights of both sides of a transform along an axis: tables by a transform, and powers of roots
// with their geometric sums.
#include "verify/axis_pair.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <numbers>
#include <random>
#include <utility>

#include "base/memory.hpp"
#include "local/transform.hpp"
#include "schedule/problem.hpp"

namespace sixstep::verify {

namespace {

/// Axes for which the best of several draws is taken.
constexpr Index short_axis = 32;
constexpr int draws_of_short = 8;
constexpr int rounds_of_evening = 8;

std::size_t place(Index i) { return static_cast<std::size_t>(i); }

/// Phases or, if they are to be reals, numbers around 1 with signs, whose squares are 1 on average.
/// Signs alone would often add up to zero.
std::vector<Weight> random_weights(Index count, bool real, std::mt19937_64& engine) {
  constexpr Index phases = Index{1} << 20;
  std::vector<Weight> made;
  for (Index i = 0; i < count; ++i) {
    auto const bits = static_cast<Index>(engine() >> 40);
    double const square = 0.5 + static_cast<double>(bits % phases) / static_cast<double>(phases);
    made.push_back(real ? Weight(bits / phases % 2 == 0 ? std::sqrt(square) : -std::sqrt(square))
                        : power(bits % phases, phases));
  }
  return made;
}

/// The smallest absolute value, in units of the root of the mean square.
double smallest_of(std::vector<Weight> const& weights) {
  double squares = 0, least = std::numeric_limits<double>::infinity();
  for (Weight const& weight : weights) {
    squares += std::norm(weight);
    least = std::min(least, std::norm(weight));
  }
  return squares > 0 ? std::sqrt(least * static_cast<double>(weights.size()) / squares) : 0;
}

/// sum_q given[q] exp(-+2 pi i p q / n) for all p < n.
class Transformed {
 public:
  explicit Transformed(std::size_t n)
      : transform_(local::make_transform<double>(static_cast<Index>(n))),
        scratch_(allocate(transform_->scratch_bytes())) {}

  std::vector<Weight> operator()(std::vector<Weight> const& given, Direction direction) const {
    std::vector<Weight> made(given.size());
    transform_->run({.in = {given.data(), local::RowMap::every(1), 1},
                     .out = {made.data(), local::RowMap::every(1), 1},
                     .columns = 1,
                     .backward = direction == Direction::backward},
                    scratch_.get());
    return made;
  }

 private:
  std::unique_ptr<local::Transform<Weight>> transform_;
  Memory scratch_;
};

std::vector<Weight> transformed(std::vector<Weight> const& given, Direction direction) {
  return Transformed(given.size())(given, direction);
}

/// The number with the same phase, or sign, whose absolute value is between `least` and `most`.
Weight within(Weight number, double least, double most) {
  double const size = std::abs(number);
  return size > 0 ? number * (std::clamp(size, least, most) / size) : Weight(least);
}

/// Changes the weights of a c2c's result until those of its source, too, have nearly the same size:
/// transforms back and forth, and corrects sizes at either end (Gerchberg and Saxton 1972).
std::vector<Weight> evened(std::vector<Weight> result, Direction direction, Reals reals) {
  auto const n = static_cast<double>(result.size());
  double const mean = std::sqrt(n);
  Transformed const transform(result.size());
  for (int round = 0; round < rounds_of_evening; ++round) {
    std::vector<Weight> source = transform(result, direction);
    for (Weight& weight : source) {
      if (reals == Reals::of_source) weight = weight.real();
      weight = within(weight, 0.8 * mean, 1.25 * mean) / n;
    }
    result = transform(source,
                       direction == Direction::forward ? Direction::backward : Direction::forward);
    for (Weight& weight : result)
      weight = reals == Reals::of_result ? within(weight.real(), std::sqrt(0.5), std::sqrt(1.5))
                                         : within(weight, 1, 1);
  }
  return result;
}

/// Makes the transform of the weights real.
void make_symmetric(std::vector<Weight>& weights) {
  std::size_t const n = weights.size();
  for (std::size_t k = 0; k <= n / 2; ++k) {
    std::size_t const other = (n - k) % n;
    weights[other] = other == k ? Weight(weights[k].real() < 0 ? -1 : 1) : std::conj(weights[k]);
  }
}

/// A cosine or sine transform as a sum of cosines or sines of 2 pi p q / (4 logical size), where p
/// is 2 j + `source` and q is 2 k + `result`.
struct Trigonometric {
  Index source, result;
  bool is_sine;
};

Trigonometric trigonometric(Kind kind) {
  switch (kind) {
    case Kind::dct1:
      return {0, 0, false};
    case Kind::dct2:
      return {1, 0, false};
    case Kind::dct3:
      return {0, 1, false};
    case Kind::dct4:
      return {1, 1, false};
    case Kind::dst1:
      return {2, 2, true};
    case Kind::dst2:
      return {1, 2, true};
    case Kind::dst3:
      return {2, 1, true};
    default:
      return {1, 1, true};
  }
}

/// The factor of point j in a cosine or sine transform of n points.
double factor_place(Kind kind, Index j, Index n) {
  bool const is_first = j == 0, is_last = j == n - 1;
  bool const is_single = kind == Kind::dct1   ? is_first || is_last
                         : kind == Kind::dct3 ? is_first
                                              : kind == Kind::dst3 && is_last;
  return is_single ? 1 : 2;
}

std::vector<Weight> source_of_r2r(Axis const& axis, Direction direction, Index count,
                                  std::vector<Weight> const& result) {
  bool const forward = direction == Direction::forward;
  Kind const kind = forward ? *axis.kind : inverse(*axis.kind);
  Index const n = axis.length, all = 4 * logical_size(kind, n);
  Trigonometric const places = trigonometric(kind);
  std::vector<Weight> spread(place(all));
  for (std::size_t i = 0; i < result.size(); ++i) {
    auto const index = static_cast<Index>(i), k = forward ? index : axis.point(index);
    spread[place(2 * k + places.result)] = result[i];
  }
  std::vector<Weight> const waves = transformed(spread, Direction::forward);
  std::vector<Weight> made;
  for (Index i = 0; i < count; ++i) {
    Index const j = forward ? axis.point(i) : i, p = (2 * j + places.source) % all;
    Weight const minus = waves[place(p)], plus = waves[place((all - p) % all)];
    Weight const sum = places.is_sine ? (plus - minus) * Weight(0, -0.5) : (plus + minus) * 0.5;
    made.push_back(factor_place(kind, j, n) * sum);
  }
  return made;
}

/// The row of coefficient k in a transform of `length` points.
Index row_of(Axis const& axis, Index k) {
  bool const is_behind = axis.kind == Kind::c2c && k >= (axis.modes + 1) / 2;
  return is_behind ? k + axis.length - axis.modes : k;
}

/// The row of the other wave that coefficient k stands for; -1 if there is none.
Index other_row_of(Axis const& axis, Index k) {
  Index const m = axis.modes;
  bool const is_highest = axis.splits && m % 2 == 0 && m < axis.length && k == m / 2;
  if (!is_highest) return -1;
  return axis.kind == Kind::c2c ? m / 2 : axis.length - m / 2;
}

/// The factor of coefficient k: in a c2r it stands for its conjugate, too.
double factor_of(Axis const& axis, Index k, Direction direction) {
  bool const is_c2r = axis.kind == Kind::r2c && direction == Direction::backward;
  return is_c2r && k != 0 && 2 * k != axis.length ? 2 : 1;
}

std::vector<Weight> source_table(Axis const& axis, Direction direction, Index count,
                                 std::vector<Weight> const& result) {
  bool const forward = direction == Direction::forward;
  if (is_r2r(*axis.kind)) return source_of_r2r(axis, direction, count, result);
  std::vector<Weight> all(place(axis.length));
  for (std::size_t i = 0; i < result.size(); ++i) {
    auto const index = static_cast<Index>(i);
    all[place(forward ? row_of(axis, index) : axis.point(index))] += result[i];
    if (Index const other = forward ? other_row_of(axis, index) : -1; other >= 0)
      all[place(other)] += result[i];
  }
  std::vector<Weight> const waves = transformed(all, direction);
  std::vector<Weight> made;
  for (Index i = 0; i < count; ++i) {
    Index const other = forward ? -1 : other_row_of(axis, i);
    if (forward)
      made.push_back(waves[place(axis.point(i))]);
    else if (other >= 0)
      made.push_back(0.5 * (waves[place(row_of(axis, i))] + waves[place(other)]));
    else
      made.push_back(factor_of(axis, i, direction) * waves[place(row_of(axis, i))]);
  }
  return made;
}

double norm_of(Axis const& axis, Direction direction) {
  if (!axis.kind) return 1;
  double const of_splitting = axis.splits ? 2 : 1;  // a coefficient that is the sum of two
  double const n =
      std::sqrt(of_splitting * static_cast<double>(logical_size(*axis.kind, axis.length)));
  if (axis.kind == Kind::c2c) return n;
  if (axis.kind == Kind::r2c) return direction == Direction::forward ? n : std::numbers::sqrt2 * n;
  bool const is_unitary =
      axis.kind == Kind::dct4 || axis.kind == Kind::dst1 || axis.kind == Kind::dst4;
  return is_unitary ? n : std::numbers::sqrt2 * n;
}

/// Powers of a root, or cosines of their angles if they are to be reals. For a c2r they are powers
/// whose real parts are cosines.
AxisPair long_weights(Axis const& axis, Direction direction, bool real, std::mt19937_64& engine) {
  Index const n = axis.kind ? axis.length : axis.points, period = 2 * n;
  bool const forward = direction == Direction::forward;
  Index const odd = 2 * static_cast<Index>(engine() % static_cast<std::uint64_t>(n)) + 1;
  Index const terms =
      forward ? schedule::coefficients(axis.kind.value_or(Kind::c2c), n) : axis.points;
  bool const is_c2r = axis.kind == Kind::r2c && !forward;
  std::vector<Progression> source, result;
  for (Index start : real ? std::vector{odd, -odd} : std::vector{odd}) {
    double const factor = real ? std::numbers::sqrt2 / 2 : 1;
    result.push_back({period, 0, start, 0, factor});
    source.push_back({period, start, forward ? -2 : 2, terms, is_c2r ? 2 * factor : factor});
  }
  if (!axis.kind) source = result;
  // Only real parts of sums are compared. Elements are reals, and weights along all other axes.
  if (is_c2r) result = {{period, 0, odd, 0, std::numbers::sqrt2}};
  std::vector<Index> single;
  if (axis.kind == Kind::r2c && !forward) {
    single = {0};
    if (n % 2 == 0) single.push_back(n / 2);
  }
  return {AxisWeights(source, single), AxisWeights(result), norm_of(axis, direction)};
}

}  // namespace

AxisPair weights_of(Axis const& axis, Direction direction, Reals reals, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  bool const forward = direction == Direction::forward, real = reals == Reals::of_result;
  bool const has_sum =
      !axis.kind || (!is_r2r(*axis.kind) && axis.modes == axis.length && axis.first == 0);
  Index const coefficients =
      axis.kind ? schedule::coefficients(*axis.kind, axis.modes) : axis.points;
  if (has_sum && std::max(axis.points, coefficients) > longest_table)
    return long_weights(axis, direction, real, engine);
  Index const results = forward ? coefficients : axis.points;
  Index const sources = forward ? axis.points : coefficients;
  bool const is_short = axis.kind && std::max(results, sources) <= short_axis;
  bool const is_square = has_sum && axis.kind == Kind::c2c && results == sources && !is_short;
  // Elements with a small weight have errors that are hardly seen. On short axes they are many.
  int const draws = is_short ? draws_of_short : 1;
  std::vector<Weight> source, result;
  double best = -1;
  for (int draw = 0; draw < draws; ++draw) {
    std::vector<Weight> drawn = random_weights(results, real, engine);
    if (is_square && reals == Reals::of_source) make_symmetric(drawn);
    if (is_square) drawn = evened(std::move(drawn), direction, reals);
    std::vector<Weight> made = axis.kind ? source_table(axis, direction, sources, drawn) : drawn;
    if (is_square && reals == Reals::of_source)
      for (Weight& weight : made) weight = weight.real();
    double const smallest = smallest_of(made);
    if (!(smallest > best)) continue;
    best = smallest;
    source = std::move(made);
    result = std::move(drawn);
  }
  return {AxisWeights(std::move(source)), AxisWeights(std::move(result)), norm_of(axis, direction)};
}

}  // namespace sixstep::verify
