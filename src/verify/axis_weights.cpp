// SPDX-License-Identifier: BSD-3-Clause
// Weights along an axis: tables, powers of roots, and geometric sums by their closed form.
#include "verify/axis_weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "local/kernels/geometric_sums.hpp"
#include "local/numbers/roots.hpp"

namespace sixstep::verify {

namespace {

/// Tables of rows end with so many numbers more, for whole vectors.
constexpr Index most_lanes = 8;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Index product_modulo(Index a, Index b, Index n) {
  auto const rest = static_cast<Index>(static_cast<__int128>(a) * b % n);
  return rest < 0 ? rest + n : rest;
}

/// The cotangent of half the angle of exp(2 pi i e / n).
double cotangent(Index e, Index n) {
  Index const nearest = e > n / 2 ? e - n : e;
  return 1 / std::tan(std::numbers::pi * static_cast<double>(nearest) / static_cast<double>(n));
}

/// w^(e m) for w = exp(2 pi i / n).
Weight power_of(Index e, Index m, Index n) { return power(product_modulo(e, m, n), n); }

/// 1 / (1 - exp(2 i angle)), by its cotangent.
Weight reciprocal(double cotangent) { return {0.5, 0.5 * cotangent}; }

}  // namespace

Weight power(Index k, Index n) { return std::conj(local::near_root(k, n)); }

AxisWeights::AxisWeights(std::vector<Weight> table)
    : table_(std::move(table)),
      are_real_(std::all_of(table_.begin(), table_.end(),
                            [](Weight const& weight) { return weight.imag() == 0; })) {}

Index AxisWeights::whole_terms(Progression const& part) {
  auto const is_whole = [&](Index terms) {
    return terms > 0 && 2 * product_modulo(part.slope, terms, part.period) % part.period == 0;
  };
  return is_whole(part.terms) ? part.terms : is_whole(part.terms - 1) ? part.terms - 1 : 0;
}

void AxisWeights::prepare(Index step) {
  if (parts_.empty() || prepared(step) != nullptr) return;
  target_ = local::chosen_target();
  PreparedStep all{step, {}};
  for (Progression const& part : parts_) {
    Prepared made;
    Index const n = part.period, each = product_modulo(part.slope, step, n);
    Index const turns = product_modulo(each, std::max<Index>(part.terms, 1), n);
    Index const nearest = each > n / 2 ? each - n : each;
    made.turn = std::numbers::pi * static_cast<double>(nearest) / static_cast<double>(n);
    made.whole = whole_terms(part);
    for (Index i : {0, 1}) made.last[at(i)] = power_of(exponent(part, i), made.whole, n);
    for (Index t = 0; t < row_weights; ++t) {
      made.powers.push_back(power(product_modulo(turns, t, n), n));
      if (part.terms > 0)
        made.tangents.push_back(
            std::tan(std::numbers::pi * static_cast<double>(nearest * t) / static_cast<double>(n)));
    }
    for (std::size_t i = 0; i < widths_of_rows.size() && part.terms > 0; ++i) {
      Index const width = widths_of_rows[i];
      for (Index t = width / 2; t < long_row_weights; t += width)
        made.of_middles[i].push_back(std::tan(made.turn * static_cast<double>(t)));
      made.of_middles[i].resize(at(long_row_weights / width + most_lanes));
    }
    all.parts.push_back(std::move(made));
  }
  prepared_.push_back(std::move(all));
}

/// The parts that were prepared for rows `step` apart, or null.
std::vector<AxisWeights::Prepared> const* AxisWeights::prepared(Index step) const {
  for (PreparedStep const& one : prepared_)
    if (one.step == step) return &one.parts;
  return nullptr;
}

Index AxisWeights::exponent(Progression const& part, Index i) const {
  Index const n = part.period, e = (part.start + product_modulo(part.slope, i, n)) % n;
  return e < 0 ? e + n : e;
}

Weight AxisWeights::at_once(Progression const& part, Index i) const {
  Index const n = part.period, e = exponent(part, i);
  if (part.terms == 0) return part.factor * power(e, n);
  return part.factor * (1.0 - power_of(e, part.terms, n)) * reciprocal(cotangent(e, n));
}

/// Whether one of the `span` exponents from e on is near a zero of 1 - w^e. Sums of angles would
/// lose digits there.
bool AxisWeights::is_near_pole(Progression const& part, Index e, Index span) const {
  return part.terms > 0 && span > std::min(e, part.period - e) / 4;
}

/// Adds the weights of a part, one by one or, if the step has been prepared, by products and by the
/// cotangents of sums of angles.
void AxisWeights::add(std::size_t number, Index first, Index step, Index count, Weight* to) const {
  Progression const& part = parts_[number];
  Index const n = part.period, e = exponent(part, first);
  auto const* const all = prepared(step);
  if (!all || is_near_pole(part, e, count * std::abs(part.slope * step))) {
    for (Index t = 0; t < count; ++t) to[t] += at_once(part, first + t * step);
    return;
  }
  Prepared const& prepared = (*all)[number];
  Weight const begin = part.factor * power_of(e, std::max<Index>(part.terms, 1), n);
  if (part.terms == 0)
    return local::add_products(target_)(begin, prepared.powers.data(), count, to);
  local::add_geometric_sums(target_)({part.factor, begin, cotangent(e, n)}, prepared.powers.data(),
                                     prepared.tangents.data(), count, to);
}

AxisWeights::Row AxisWeights::row(Index first, Index step, Index count, Weight* buffer) const {
  if (!table_.empty() && step == 1) return {table_.data() + first};
  if (!table_.empty()) {
    for (Index t = 0; t < count; ++t) buffer[t] = table_[at(first + t * step)];
    return {buffer};
  }
  if (auto const* const all = prepared(step); all && are_powers())
    return {all->front().powers.data(), at_once(parts_[0], first)};
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

Weight const* AxisWeights::quotients(Index step, Index count, Weight* buffer) const {
  if (auto const* const all = prepared(step)) return all->front().powers.data();
  Progression const& part = parts_[0];
  Index const each = product_modulo(part.slope, step, part.period);
  for (Index t = 0; t < count; ++t)
    buffer[t] = power(product_modulo(each, t, part.period), part.period);
  return buffer;
}

std::optional<AxisWeights::ByCotangents> AxisWeights::by_cotangents(Index first, Index step,
                                                                    Index count,
                                                                    std::size_t width) const {
  auto const* const all = prepared(step);
  bool const is_single = std::any_of(single_.begin(), single_.end(), [&](Index i) {
    return i >= first && i < first + count * step;
  });
  if (!all || parts_.size() > local::most_cotangents || is_single) return {};
  constexpr double tolerance = 1e-9;  // slopes that are not equal differ by about 1
  ByCotangents made{parts_.size(), {}, {}, false};
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Progression const& part = parts_[i];
    Prepared const& here = (*all)[i];
    Index const n = part.period, e = exponent(part, first), each = std::abs(part.slope * step);
    Index const away = local::far_from_pole * each * widths_of_rows[width] / 2 + count * each;
    if (here.whole == 0 || away > std::min(e, n - e)) return {};
    made.angles[i] = {cotangent(e, n), nullptr, 0, here.of_middles[width].data(), here.turn};
    for (Index t : {0, 1}) {
      Weight const last = here.last[at((first + t * step) % 2)];
      Weight const half = 0.5 * part.factor * (1.0 - last), turned(-half.imag(), half.real());
      auto& [constant, slope] = made.affine[at(t)];
      if (i > 0 && std::abs(turned - slope) > tolerance) return {};
      constant += half + (here.whole < part.terms ? part.factor * last : 0);
      slope = turned;
    }
  }
  made.alternate = std::abs(made.affine[0].slope - made.affine[1].slope) > tolerance;
  return made;
}

}  // namespace sixstep::verify
