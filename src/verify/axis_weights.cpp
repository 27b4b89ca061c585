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

/// 1 / (1 - exp(2 i angle)), by its cotangent.
Weight reciprocal(double cotangent) { return {0.5, 0.5 * cotangent}; }

}  // namespace

Weight power(Index k, Index n) { return std::conj(local::near_root(k, n)); }

AxisWeights::AxisWeights(std::vector<Weight> table)
    : table_(std::move(table)),
      are_real_(std::all_of(table_.begin(), table_.end(),
                            [](Weight const& weight) { return weight.imag() == 0; })) {}

void AxisWeights::prepare(Index step) {
  if (parts_.empty() || prepared(step) != nullptr) return;
  target_ = local::chosen_target();
  PreparedStep all{step, {}};
  for (Progression const& part : parts_) {
    Prepared made;
    Index const n = part.period, each = product_modulo(part.slope, step, n);
    Index const turns = product_modulo(each, std::max<Index>(part.terms, 1), n);
    Index const nearest = each > n / 2 ? each - n : each;
    made.keeps_last = part.terms > 0 && product_modulo(part.slope, part.terms, n) == 0;
    if (made.keeps_last) made.last = last_power(part, exponent(part, 0));
    for (Index t = 0; t < row_weights; ++t) {
      made.powers.push_back(power(product_modulo(turns, t, n), n));
      if (part.terms > 0)
        made.tangents.push_back(
            std::tan(std::numbers::pi * static_cast<double>(nearest * t) / static_cast<double>(n)));
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

/// w^(e terms).
Weight AxisWeights::last_power(Progression const& part, Index e) const {
  return power(product_modulo(e, std::max<Index>(part.terms, 1), part.period), part.period);
}

Weight AxisWeights::at_once(Progression const& part, Index i) const {
  Index const n = part.period, e = exponent(part, i);
  if (part.terms == 0) return part.factor * power(e, n);
  return part.factor * (1.0 - last_power(part, e)) * reciprocal(cotangent(e, n));
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
  Weight const begin = part.factor * last_power(part, e);
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

std::optional<AxisWeights::Cotangents> AxisWeights::cotangents(Index first, Index step,
                                                               Index count) const {
  auto const* const all = prepared(step);
  if (!all || parts_.size() != 1 || !single_.empty() || !all->front().keeps_last) return {};
  Progression const& part = parts_[0];
  Index const e = exponent(part, first);
  if (is_near_pole(part, e, count * std::abs(part.slope * step))) return {};
  return Cotangents{0.5 * part.factor * (1.0 - all->front().last), cotangent(e, part.period),
                    all->front().tangents.data()};
}

}  // namespace sixstep::verify
