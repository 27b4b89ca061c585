// SPDX-License-Identifier: BSD-3-Clause
// Weighted sums: rows of the array, in parts whose weights stay in cache.
#include "verify/end_sums.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "base/run_team.hpp"
#include "local/kernels/geometric_sums.hpp"
#include "local/numbers/complex.hpp"

namespace sixstep::verify {

local::WeightedSums LongSums::rounded() const {
  local::WeightedSums made;
  for (std::size_t set = 0; set < local::sums_at_once; ++set) {
    made.sums[set] = std::complex<double>(sums[set]);
    made.products[set] = static_cast<double>(products[set]);
  }
  made.squares = static_cast<double>(squares);
  return made;
}

namespace {

/// Memory on the stack, as nothing is allocated in an execution. It needs no first values.
template <class Value, Index count>
struct OnStack {
  alignas(Value) std::byte bytes[sizeof(Value) * static_cast<std::size_t>(count)];
  Value* data() { return reinterpret_cast<Value*>(bytes); }
};

}  // namespace

bool BoxWeights::are_powers(int axis) const {
  SetsOfWeights const& sets = (*weights_)[static_cast<std::size_t>(digit(axis).axis)];
  return std::all_of(sets.begin(), sets.end(),
                     [](AxisWeights const& weights) { return weights.are_powers(); });
}

bool BoxWeights::are_sums(int axis) const {
  SetsOfWeights const& sets = (*weights_)[static_cast<std::size_t>(digit(axis).axis)];
  return std::all_of(sets.begin(), sets.end(),
                     [](AxisWeights const& weights) { return weights.are_sums(); });
}

bool BoxWeights::are_products() const {
  for (int one = 0; one < box_.axes(); ++one)
    for (int other = 0; other < one; ++other)
      if (box_.ranges[one].count() > 1 && box_.ranges[other].count() > 1 && !are_apart(one, other))
        return false;
  return true;
}

bool BoxWeights::are_apart(int inner, int outer) const {
  return !share_an_axis(inner, outer) || are_powers(inner);
}

/// The weights of a row in all sets as those of shorter ones of this width, if all are cotangents.
template <class Element>
std::optional<local::OfSums<AxisWeights::ByCotangents>> BoxWeights::by_cotangents(
    RowsOfBox const& row, Index first, std::size_t width) const {
  local::OfSums<AxisWeights::ByCotangents> weights;
  SetsOfWeights const& of_axis = (*weights_)[static_cast<std::size_t>(digit(row.inner).axis)];
  for (std::size_t set = 0; set < local::sums_at_once; ++set) {
    auto const found = of_axis[set].by_cotangents(first, step(row.inner), row.elements, width);
    if (!found || (local::is_complex<Element> && found->alternate)) return {};
    weights[set] = *found;
  }
  return weights;
}

/// Makes the sums of a row whose weights are cotangents in all sets. Empty if they are not.
template <class Element>
std::optional<local::WeightedSums> BoxWeights::sum_by_cotangents(RowsOfBox const& rows,
                                                                 Indices const& indices,
                                                                 bool conjugate) const {
  if (rows.rows > 1 || rows.inner < 0) return {};
  for (std::size_t i = 0; i < AxisWeights::widths_of_rows.size(); ++i) {
    Index const index = indices[static_cast<std::size_t>(digit(rows.inner).axis)];
    auto weights = by_cotangents<Element>(rows, index, i);
    if (!weights) continue;
    Index const width = AxisWeights::widths_of_rows[i], whole = rows.elements / width;
    auto const* const first = static_cast<Element const*>(rows.first);
    local::WeightedSums made =
        affine_sums<Element>({first, whole, width, width, width / 2, 0, {}}, *weights, conjugate);
    if (Index const rest = rows.elements % width; rest > 0) {
      for (AxisWeights::ByCotangents& of_set : *weights)
        for (local::Angles& angles : of_set.angles) angles.tangents += whole;
      made += affine_sums<Element>({first + whole * width, 1, rest, width, width / 2, 0, {}},
                                   *weights, conjugate);
    }
    return made;
  }
  return {};
}

/// Sums with weights that are affine in cotangents.
template <class Element>
local::WeightedSums BoxWeights::affine_sums(local::CotangentRows<Element> rows,
                                            local::OfSums<AxisWeights::ByCotangents> const& weights,
                                            bool conjugate) const {
  rows.terms = weights.front().terms;
  for (std::size_t set = 0; set < local::sums_at_once; ++set)
    rows.weights[set] = weights[set].angles;
  local::CotangentSums const sums = local::cotangent_sums<Element>(target_)(rows);
  auto const turned_if = [&](Weight weight) { return conjugate ? std::conj(weight) : weight; };
  local::WeightedSums made;
  for (std::size_t set = 0; set < local::sums_at_once; ++set) {
    auto const& [even, odd] = weights[set].affine;
    Weight const turned = sums.turned[set];
    auto const sum_of = [&](AxisWeights::ByCotangents::Affine const& of, auto plain, auto by) {
      return turned_if(of.constant) * plain + turned_if(of.slope) * by;
    };
    if constexpr (local::is_complex<Element>)
      made.sums[set] = sum_of(even, sums.plain, turned);
    else
      made.sums[set] = sum_of(even, sums.plain.real(), turned.real()) +
                       sum_of(odd, sums.plain.imag(), turned.imag());
    made.products[set] =
        std::max(std::norm(even.constant), std::norm(odd.constant)) * sums.squares +
        std::norm(even.slope) * sums.turned_squares[set];
  }
  made.squares = sums.squares;
  return made;
}

/// Makes the sums of rows by weights along both of their axes. Multiplies `factors` by what those
/// along an axis have in common.
template <class Element>
local::WeightedSums BoxWeights::sum_by_rows(RowsOfBox const& rows, Indices const& indices,
                                            local::BlockSums<Element> kernel, bool conjugate,
                                            local::OfSums<Weight>& factors) const {
  int const inner = rows.inner < 0 ? -1 : digit(rows.inner).axis;
  int const outer = rows.rows > 1 ? digit(rows.outer).axis : -1;
  OnStack<Weight, static_cast<Index>(local::sums_at_once) * most_elements> of_columns;
  OnStack<Weight, static_cast<Index>(local::sums_at_once) * most_rows> of_rows;
  static constexpr Weight unit = 1;
  local::BlockWeights of_block{
      {&unit, &unit}, {&unit, &unit}, conjugate, outer >= 0, side_ == Side::source};
  for (std::size_t set = 0; set < local::sums_at_once; ++set) {
    auto const weights = [&](int axis) -> AxisWeights const& {
      return (*weights_)[static_cast<std::size_t>(axis)][set];
    };
    auto const row = [&](int number, int axis, Index count, Weight* buffer) {
      AxisWeights::Row const found =
          weights(axis).row(indices[static_cast<std::size_t>(axis)], step(number), count, buffer);
      factors[set] *= found.factor;
      return found.weights;
    };
    auto const number = static_cast<Index>(set);
    Weight* const rows_buffer = of_rows.data() + number * most_rows;
    if (inner >= 0)
      of_block.columns[set] =
          row(rows.inner, inner, rows.elements, of_columns.data() + number * most_elements);
    if (outer >= 0) {
      of_block.has_real_rows = of_block.has_real_rows && weights(outer).are_real();
      of_block.rows[set] = outer == inner ? weights(outer).quotients(rows.counts * step(rows.outer),
                                                                     rows.rows, rows_buffer)
                                          : row(rows.outer, outer, rows.rows, rows_buffer);
    }
  }
  return kernel({static_cast<Element const*>(rows.first), rows.rows, rows.elements, rows.step},
                of_block);
}

/// Makes the sums of a single long row part by part.
template <class Element>
local::WeightedSums BoxWeights::sum_in_parts(RowsOfBox const& rows,
                                             local::BlockSums<Element> kernel,
                                             bool conjugate) const {
  local::WeightedSums made;
  auto const* const first = static_cast<Element const*>(rows.first);
  Shape at = rows.at;
  for (Index i = 0; i < rows.elements; i += most_elements) {
    at[rows.inner] = rows.at[rows.inner] + i;
    Index const elements = std::min(most_elements, rows.elements - i);
    made += sums_of<Element>({first + i, 1, elements, 0, at, rows.inner, -1}, kernel, conjugate);
  }
  return made;
}

template <class Element>
local::WeightedSums BoxWeights::sums_of(RowsOfBox const& rows, local::BlockSums<Element> kernel,
                                        bool conjugate) const {
  Indices indices{};
  for (int axis = 0; axis < box_.axes(); ++axis) {
    Range const& range = box_.ranges[axis];
    indices[static_cast<std::size_t>(digit(axis).axis)] +=
        (range.lo + rows.at[axis] * range.step) * digit(axis).unit;
  }
  local::OfSums<Weight> factors;  // of the axes along which all elements have one index
  for (std::size_t set = 0; set < local::sums_at_once; ++set) {
    factors[set] = 1;
    for (int axis = 0; axis < static_cast<int>(weights_->size()); ++axis)
      if (auto const at = static_cast<std::size_t>(axis);
          (rows.inner < 0 || axis != digit(rows.inner).axis) &&
          (rows.rows <= 1 || axis != digit(rows.outer).axis))
        factors[set] *= (*weights_)[at][set][indices[at]];
  }
  auto found = sum_by_cotangents<Element>(rows, indices, conjugate);
  if (!found && rows.elements > most_elements) return sum_in_parts(rows, kernel, conjugate);
  local::WeightedSums made =
      found ? *found : sum_by_rows(rows, indices, kernel, conjugate, factors);
  for (std::size_t set = 0; set < local::sums_at_once; ++set) {
    made.sums[set] *= conjugate ? std::conj(factors[set]) : factors[set];
    made.products[set] *= std::norm(factors[set]);
  }
  return made;
}

local::WeightedSums BoxWeights::sums(RowsOfBox const& rows, layout::Number number, int real_bytes,
                                     bool conjugate) const {
  auto const of_reals = [&](auto real) {
    using Real = decltype(real);
    auto const kernels = local::weighted_sum_kernels<Real>(target_);
    return number == layout::Number::real
               ? sums_of<Real>(rows, kernels.reals, conjugate)
               : sums_of<std::complex<Real>>(rows, kernels.complex_numbers, conjugate);
  };
  return real_bytes == sizeof(float) ? of_reals(float()) : of_reals(double());
}

EndSums::EndSums(Side side, layout::Placement const& end, int rank, std::vector<Digit> digits,
                 std::vector<SetsOfWeights> weights)
    : box_(end.layout.box(rank)),
      strides_(end.strides(rank)),
      offset_(end.layout.offset(rank)),
      number_(end.number) {
  if (!box_.empty()) {
    auto const stride_of = [&](int axis) {
      return box_.ranges[axis].count() > 1 ? strides_[axis] : std::numeric_limits<Index>::max();
    };
    for (int axis = 1; axis < box_.axes(); ++axis)
      if (stride_of(axis) < stride_of(inner_)) inner_ = axis;
    for (int axis = 0; axis < box_.axes(); ++axis) {
      Digit const& digit = digits[static_cast<std::size_t>(axis)];
      Index const step = box_.ranges[axis].step * digit.unit;
      for (AxisWeights& of_set : weights[static_cast<std::size_t>(digit.axis)]) {
        of_set.prepare(step);
        if (axis == inner_) of_set.prepare(BoxWeights::most_elements * step);
      }
    }
  }
  of_box_ = BoxWeights(side, box_, std::move(digits),
                       std::make_shared<std::vector<SetsOfWeights> const>(std::move(weights)));
  if (box_.empty()) return;
  outer_ = next_axis();
  rows_ = outer_ < 0 ? 1 : std::min(box_.ranges[outer_].count(), BoxWeights::most_rows);
  groups_ = outer_ < 0 ? 1 : (box_.ranges[outer_].count() + rows_ - 1) / rows_;
  // So many rows of a part stay in the second-level cache.
  if (outer_ < 0 && strides_[inner_] == 1)
    joined_ = of_box_.are_powers(inner_) ? 16
              : of_box_.are_sums(inner_) ? BoxWeights::most_of_sums / BoxWeights::most_elements
                                         : 1;
  Index const elements = box_.ranges[inner_].count(), most = joined_ * BoxWeights::most_elements;
  parts_ = (elements + most - 1) / most;
  all_parts_ = parts_ * groups_;
  for (int axis = 0; axis < box_.axes(); ++axis)
    if (axis != inner_ && axis != outer_) all_parts_ *= box_.ranges[axis].count();
}

/// The axis that numbers the rows of a part: the densest one that is of another axis of the problem
/// than rows; -1 if there is none, or if elements do not lie side by side. Rows of the same one are
/// far apart in memory.
int EndSums::next_axis() const {
  int next = -1;
  if (strides_[inner_] != 1) return next;
  for (int axis = 0; axis < box_.axes(); ++axis)
    if (axis != inner_ && box_.ranges[axis].count() > 1 && !of_box_.share_an_axis(inner_, axis) &&
        (next < 0 || strides_[axis] < strides_[next]))
      next = axis;
  return next;
}

LongSums EndSums::of_part(std::byte const* array, int real_bytes, bool conjugate,
                          Index part) const {
  Index const element_bytes = real_bytes * layout::reals_of(number_);
  Shape at(box_.axes(), 0);
  Index const most = joined_ * BoxWeights::most_elements;
  at[inner_] = part % parts_ * most;
  Index const elements = std::min(most, box_.ranges[inner_].count() - at[inner_]);
  Index rest = part / parts_, rows = 1;
  if (outer_ >= 0) {
    at[outer_] = rest % groups_ * rows_;
    rows = std::min(rows_, box_.ranges[outer_].count() - at[outer_]);
    rest /= groups_;
  }
  Index offset = offset_;
  for (int axis = box_.axes() - 1; axis >= 0; --axis) {
    if (axis != inner_ && axis != outer_) {
      Index const extent = box_.ranges[axis].count();
      at[axis] = rest % extent;
      rest /= extent;
    }
    offset += at[axis] * strides_[axis];
  }
  std::byte const* from = array + offset * element_bytes;
  OnStack<std::complex<double>, BoxWeights::most_elements> gathered;
  if (Index const stride = strides_[inner_]; stride != 1 && elements > 1) {
    for (Index i = 0; i < elements; ++i)
      std::copy_n(from + i * stride * element_bytes, element_bytes,
                  gathered.bytes + i * element_bytes);
    from = gathered.bytes;
  }
  LongSums made;
  auto const add = [&](RowsOfBox const& one) {
    made.add(of_box_.sums(one, number_, real_bytes, conjugate));
  };
  if (joined_ == 1 || !of_box_.are_powers(inner_)) {
    add({from, rows, elements, outer_ < 0 ? 0 : strides_[outer_], at, inner_, outer_});
    return made;
  }
  constexpr Index row = BoxWeights::most_elements;
  Index const whole = elements / row, last = elements % row;
  if (whole > 0) add({from, whole, row, row, at, inner_, inner_, row});
  at[inner_] += whole * row;
  if (last > 0) add({from + whole * row * element_bytes, 1, last, 0, at, inner_, -1});
  return made;
}

local::WeightedSums EndSums::of(void const* array, int real_bytes, bool conjugate,
                                int threads) const {
  LongSums all;
  std::mutex mutex;
  run_team(threads, [&](int thread, int team) {
    LongSums mine;
    for (Index part = all_parts_ * thread / team; part < all_parts_ * (thread + 1) / team; ++part)
      mine.add(of_part(static_cast<std::byte const*>(array), real_bytes, conjugate, part));
    std::lock_guard const lock(mutex);
    all.add(mine);
  });
  return all.rounded();
}

}  // namespace sixstep::verify
