// SPDX-License-Identifier: BSD-3-Clause
// Weights along an axis: tables by a transform, and geometric sums by their closed form.
#include "verify/axis_weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <random>
#include <utility>

#include "base/memory.hpp"
#include "local/kernels/geometric_sums.hpp"
#include "local/numbers/roots.hpp"
#include "local/transform.hpp"
#include "schedule/problem.hpp"

namespace sixstep::verify {

namespace {

constexpr Index longest_table = Index{1} << 16;
/// Axes for which the best of several draws is taken.
constexpr Index short_axis = 32;
constexpr int draws_of_short = 8;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Index product_modulo(Index a, Index b, Index n) {
  auto const rest = static_cast<Index>(static_cast<__int128>(a) * b % n);
  return rest < 0 ? rest + n : rest;
}

/// exp(2 pi i k / n) for 0 <= k < n.
Weight power(Index k, Index n) { return std::conj(local::root<double>(k, n)); }

/// The cotangent of half the angle of exp(2 pi i e / n).
double cotangent(Index e, Index n) {
  Index const nearest = e > n / 2 ? e - n : e;
  return 1 / std::tan(std::numbers::pi * static_cast<double>(nearest) / static_cast<double>(n));
}

/// 1 / (1 - exp(2 i angle)), by its cotangent.
Weight reciprocal(double cotangent) { return {0.5, 0.5 * cotangent}; }

}  // namespace

void AxisWeights::prepare(Index step) {
  prepared_.clear();
  step_ = step;
  target_ = local::chosen_target();
  for (Progression const& part : parts_) {
    Prepared made;
    Index const n = part.period, each = product_modulo(part.slope, step, n);
    Index const turns = product_modulo(each, std::max<Index>(part.terms, 1), n);
    Index const nearest = each > n / 2 ? each - n : each;
    for (Index t = 0; t < row_weights; ++t) {
      made.powers.push_back(power(product_modulo(turns, t, n), n));
      if (part.terms > 0)
        made.tangents.push_back(
            std::tan(std::numbers::pi * static_cast<double>(nearest * t) / static_cast<double>(n)));
    }
    prepared_.push_back(std::move(made));
  }
}

Index AxisWeights::exponent(Progression const& part, Index i) const {
  Index const n = part.period, e = (part.start + product_modulo(part.slope, i, n)) % n;
  return e < 0 ? e + n : e;
}

Weight AxisWeights::at_once(Progression const& part, Index i) const {
  Index const n = part.period, e = exponent(part, i);
  if (part.terms == 0) return part.factor * power(e, n);
  Weight const last = power(product_modulo(e, part.terms, n), n);
  return part.factor * (1.0 - last) * reciprocal(cotangent(e, n));
}

/// Adds the weights of a part, one by one or, if the step has been prepared, by products and by the
/// cotangents of sums of angles. Near the zeros of 1 - w^e these would lose digits.
void AxisWeights::add(std::size_t number, Index first, Index step, Index count, Weight* to) const {
  Progression const& part = parts_[number];
  Index const n = part.period, e = exponent(part, first);
  Index const span = row_weights * std::abs(part.slope * step), distance = std::min(e, n - e);
  if (!is_prepared(step) || (part.terms > 0 && span > distance / 4)) {
    for (Index t = 0; t < count; ++t) to[t] += at_once(part, first + t * step);
    return;
  }
  Prepared const& prepared = prepared_[number];
  Weight const begin = part.factor * power(product_modulo(e, std::max<Index>(part.terms, 1), n), n);
  auto const* const powers = reinterpret_cast<double const*>(prepared.powers.data());
  auto* const sums = reinterpret_cast<double*>(to);
  double const re = begin.real(), im = begin.imag();
  if (part.terms == 0) {
    for (Index t = 0; t < count; ++t) {
      sums[2 * t] += re * powers[2 * t] - im * powers[2 * t + 1];
      sums[2 * t + 1] += re * powers[2 * t + 1] + im * powers[2 * t];
    }
    return;
  }
  local::add_geometric_sums(target_)({part.factor, begin, cotangent(e, n)}, prepared.powers.data(),
                                     prepared.tangents.data(), count, to);
}

AxisWeights::Row AxisWeights::row(Index first, Index step, Index count, Weight* buffer) const {
  if (!table_.empty() && step == 1) return {table_.data() + first};
  if (!table_.empty()) {
    for (Index t = 0; t < count; ++t) buffer[t] = table_[at(first + t * step)];
    return {buffer};
  }
  if (parts_.size() == 1 && parts_[0].terms == 0 && is_prepared(step))
    return {prepared_[0].powers.data(), at_once(parts_[0], first)};
  std::fill_n(buffer, count, Weight(0));
  for (std::size_t part = 0; part < parts_.size(); ++part) add(part, first, step, count, buffer);
  for (Index i : single_)
    if (i >= first && (i - first) % step == 0 && (i - first) / step < count)
      buffer[(i - first) / step] /= 2;
  return {buffer};
}

Weight AxisWeights::operator[](Index i) const {
  Weight only;
  Row const found = row(i, 1, 1, &only);
  return found.factor * *found.weights;
}

namespace {

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
std::vector<Weight> transformed(std::vector<Weight> const& given, Direction direction) {
  auto const n = static_cast<Index>(given.size());
  auto const transform = local::make_transform<double>(n);
  std::vector<Weight> made(given.size());
  Memory const scratch = allocate(transform->scratch_bytes());
  transform->run({.in = {given.data(), local::RowMap::every(1), 1},
                  .out = {made.data(), local::RowMap::every(1), 1},
                  .columns = 1,
                  .backward = direction == Direction::backward},
                 scratch.get());
  return made;
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
double factor_at(Kind kind, Index j, Index n) {
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
  std::vector<Weight> spread(at(all));
  for (std::size_t i = 0; i < result.size(); ++i) {
    auto const index = static_cast<Index>(i), k = forward ? index : axis.point(index);
    spread[at(2 * k + places.result)] = result[i];
  }
  std::vector<Weight> const waves = transformed(spread, Direction::forward);
  std::vector<Weight> made;
  for (Index i = 0; i < count; ++i) {
    Index const j = forward ? axis.point(i) : i, p = (2 * j + places.source) % all;
    Weight const minus = waves[at(p)], plus = waves[at((all - p) % all)];
    Weight const sum = places.is_sine ? (plus - minus) * Weight(0, -0.5) : (plus + minus) * 0.5;
    made.push_back(factor_at(kind, j, n) * sum);
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
  std::vector<Weight> all(at(axis.length));
  for (std::size_t i = 0; i < result.size(); ++i) {
    auto const index = static_cast<Index>(i);
    all[at(forward ? row_of(axis, index) : axis.point(index))] += result[i];
    if (Index const other = forward ? other_row_of(axis, index) : -1; other >= 0)
      all[at(other)] += result[i];
  }
  std::vector<Weight> const waves = transformed(all, direction);
  std::vector<Weight> made;
  for (Index i = 0; i < count; ++i) {
    Index const other = forward ? -1 : other_row_of(axis, i);
    if (forward)
      made.push_back(waves[at(axis.point(i))]);
    else if (other >= 0)
      made.push_back(0.5 * (waves[at(row_of(axis, i))] + waves[at(other)]));
    else
      made.push_back(factor_of(axis, i, direction) * waves[at(row_of(axis, i))]);
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

/// Powers of a root, or cosines of as many angles if they are to be reals.
AxisPair long_weights(Axis const& axis, Direction direction, bool real, std::mt19937_64& engine) {
  Index const n = axis.kind ? axis.length : axis.points, period = 2 * n;
  bool const forward = direction == Direction::forward;
  Index const odd = 2 * static_cast<Index>(engine() % static_cast<std::uint64_t>(n)) + 1;
  Index const terms =
      forward ? schedule::coefficients(axis.kind.value_or(Kind::c2c), n) : axis.points;
  std::vector<Progression> source, result;
  for (Index start : real ? std::vector{odd, -odd} : std::vector{odd}) {
    double const factor = real ? std::numbers::sqrt2 / 2 : 1;
    result.push_back({period, 0, start, 0, factor});
    bool const is_c2r = axis.kind == Kind::r2c && !forward;
    source.push_back({period, start, forward ? -2 : 2, terms, is_c2r ? 2 * factor : factor});
  }
  if (!axis.kind) source = result;
  std::vector<Index> single;
  if (axis.kind == Kind::r2c && !forward) {
    single = {0};
    if (n % 2 == 0) single.push_back(n / 2);
  }
  return {AxisWeights(source, single), AxisWeights(result), norm_of(axis, direction)};
}

}  // namespace

AxisPair weights_of(Axis const& axis, Direction direction, bool real, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  bool const forward = direction == Direction::forward;
  bool const has_sum =
      !axis.kind || (!is_r2r(*axis.kind) && axis.modes == axis.length && axis.first == 0);
  Index const coefficients =
      axis.kind ? schedule::coefficients(*axis.kind, axis.modes) : axis.points;
  if (has_sum && std::max(axis.points, coefficients) > longest_table)
    return long_weights(axis, direction, real, engine);
  Index const results = forward ? coefficients : axis.points;
  Index const sources = forward ? axis.points : coefficients;
  // Elements with a small weight have errors that are hardly seen. On short axes they are many.
  int const draws = axis.kind && std::max(results, sources) <= short_axis ? draws_of_short : 1;
  std::vector<Weight> source, result;
  double best = -1;
  for (int draw = 0; draw < draws; ++draw) {
    std::vector<Weight> drawn = random_weights(results, real, engine);
    std::vector<Weight> made = axis.kind ? source_table(axis, direction, sources, drawn) : drawn;
    double const smallest = smallest_of(made);
    if (!(smallest > best)) continue;
    best = smallest;
    source = std::move(made);
    result = std::move(drawn);
  }
  return {AxisWeights(std::move(source)), AxisWeights(std::move(result)), norm_of(axis, direction)};
}

}  // namespace sixstep::verify
