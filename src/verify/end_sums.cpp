// SPDX-License-Identifier: BSD-3-Clause
// Weighted sums: rows of the array, in parts whose weights stay in cache.
#include "verify/end_sums.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <mutex>
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

bool BoxWeights::are_apart(int inner, int outer) const {
  return !share_an_axis(inner, outer) || are_powers(inner);
}

/// Makes the sums of a row whose weights are cotangents in all sets; false if they are not.
template <class Real>
bool BoxWeights::sum_by_cotangents(RowsOfBox const& rows, Indices const& indices, bool conjugate,
                                   local::WeightedSums& made) const {
  if (rows.rows > 1 || rows.inner < 0) return false;
  auto const number = static_cast<std::size_t>(digit(rows.inner).axis);
  local::CotangentRow<Real> row{
      static_cast<std::complex<Real> const*>(rows.first), rows.elements, {}, {}};
  local::OfSums<Weight> factors;
  for (std::size_t set = 0; set < local::sums_at_once; ++set) {
    auto const found =
        (*weights_)[number][set].cotangents(indices[number], step(rows.inner), rows.elements);
    if (!found) return false;
    row.cotangents[set] = found->first;
    row.tangents[set] = found->tangents;
    factors[set] = found->factor;
  }
  local::CotangentSums const sums = local::cotangent_sums<Real>(target_)(row);
  Weight const i(0, conjugate ? -1 : 1);
  for (std::size_t set = 0; set < local::sums_at_once; ++set) {
    Weight const factor = conjugate ? std::conj(factors[set]) : factors[set];
    made.sums[set] = factor * (sums.plain + i * sums.turned[set]);
    made.products[set] = std::norm(factor) * (sums.squares + sums.turned_squares[set]);
  }
  made.squares = sums.squares;
  return true;
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
  int const inner = rows.inner < 0 ? -1 : digit(rows.inner).axis;
  int const outer = rows.rows > 1 ? digit(rows.outer).axis : -1;
  local::OfSums<Weight> factors;  // of the axes along which all elements have one index
  for (std::size_t set = 0; set < local::sums_at_once; ++set) {
    factors[set] = 1;
    for (int axis = 0; axis < static_cast<int>(weights_->size()); ++axis)
      if (auto const at = static_cast<std::size_t>(axis); axis != inner && axis != outer)
        factors[set] *= (*weights_)[at][set][indices[at]];
  }
  local::WeightedSums made;
  bool is_made = false;
  if constexpr (local::is_complex<Element>)
    is_made = sum_by_cotangents<typename Element::value_type>(rows, indices, conjugate, made);
  OnStack<Weight, static_cast<Index>(local::sums_at_once) * most_elements> of_columns;
  OnStack<Weight, static_cast<Index>(local::sums_at_once) * most_rows> of_rows;
  if (!is_made) {
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
        of_block.rows[set] =
            outer == inner
                ? weights(outer).quotients(rows.counts * step(rows.outer), rows.rows, rows_buffer)
                : row(rows.outer, outer, rows.rows, rows_buffer);
      }
    }
    made = kernel({static_cast<Element const*>(rows.first), rows.rows, rows.elements, rows.step},
                  of_block);
  }
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
  if (outer_ < 0 && strides_[inner_] == 1 && of_box_.are_powers(inner_)) joined_ = 16;
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
  if (joined_ == 1) {
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
