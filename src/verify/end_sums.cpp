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

template <class Element>
local::WeightedSums BoxWeights::sums_of(RowsOfBox const& rows, local::BlockSums<Element> kernel,
                                        bool conjugate) const {
  std::array<Index, 2 * max_axes> indices{};  // along the problem's axes
  for (int axis = 0; axis < box_.axes(); ++axis) {
    Range const& range = box_.ranges[axis];
    indices[static_cast<std::size_t>(digit(axis).axis)] +=
        (range.lo + rows.at[axis] * range.step) * digit(axis).unit;
  }
  auto const axis_of = [&](int axis) { return axis < 0 ? -1 : digit(axis).axis; };
  static constexpr Weight unit = 1;
  auto const along = [&](int axis, std::size_t set, Index count, Weight* buffer) {
    auto const number = static_cast<std::size_t>(digit(axis).axis);
    return (*weights_)[number][set].row(indices[number], box_.ranges[axis].step * digit(axis).unit,
                                        count, buffer);
  };
  bool const has_rows = rows.rows > 1;
  OnStack<Weight, static_cast<Index>(local::sums_at_once) * most_elements> of_columns;
  OnStack<Weight, most_rows> of_rows;
  OnStack<local::RowFactors, most_rows> factors;
  local::OfSums<Weight const*> columns;
  for (std::size_t set = 0; set < local::sums_at_once; ++set) {
    AxisWeights::Row row{&unit};
    if (rows.inner >= 0)
      row = along(rows.inner, set, rows.elements,
                  of_columns.data() + static_cast<Index>(set) * most_elements);
    columns[set] = row.weights;
    Weight factor = row.factor;
    for (std::size_t axis = 0; axis < weights_->size(); ++axis) {
      auto const number = static_cast<int>(axis);
      bool const is_outer = has_rows && number == axis_of(rows.outer);
      if (number != axis_of(rows.inner) && !is_outer)
        factor *= (*weights_)[axis][set][indices[axis]];
    }
    AxisWeights::Row one{&unit};
    if (has_rows) one = along(rows.outer, set, rows.rows, of_rows.data());
    factor *= has_rows ? one.factor : 1;
    for (Index r = 0; r < rows.rows; ++r) {
      Weight const here = has_rows ? factor * one.weights[r] : factor;
      local::RowFactors& made = factors.data()[r];
      made.re[set] = here.real();
      made.im[set] = here.imag();
      made.norm[set] = std::norm(here);
    }
  }
  return kernel({static_cast<Element const*>(rows.first), rows.rows, rows.elements, rows.step},
                factors.data(), columns, conjugate);
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

EndSums::EndSums(layout::Placement const& end, int rank, std::vector<Digit> digits,
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
    Digit const& digit = digits[static_cast<std::size_t>(inner_)];
    for (AxisWeights& of_set : weights[static_cast<std::size_t>(digit.axis)])
      of_set.prepare(box_.ranges[inner_].step * digit.unit);
  }
  of_box_ = BoxWeights(box_, std::move(digits),
                       std::make_shared<std::vector<SetsOfWeights> const>(std::move(weights)));
  if (box_.empty()) return;
  outer_ = next_axis();
  rows_ = outer_ < 0 ? 1 : std::min(box_.ranges[outer_].count(), BoxWeights::most_rows);
  groups_ = outer_ < 0 ? 1 : (box_.ranges[outer_].count() + rows_ - 1) / rows_;
  Index const elements = box_.ranges[inner_].count();
  parts_ = (elements + BoxWeights::most_elements - 1) / BoxWeights::most_elements;
  all_parts_ = parts_ * groups_;
  for (int axis = 0; axis < box_.axes(); ++axis)
    if (axis != inner_ && axis != outer_) all_parts_ *= box_.ranges[axis].count();
}

/// The axis that numbers the rows of a part: the densest one whose weights are apart from those
/// along rows; -1 if there is none, or if elements do not lie side by side.
int EndSums::next_axis() const {
  int next = -1;
  if (strides_[inner_] != 1) return next;
  for (int axis = 0; axis < box_.axes(); ++axis)
    if (axis != inner_ && box_.ranges[axis].count() > 1 && of_box_.are_apart(inner_, axis) &&
        (next < 0 || strides_[axis] < strides_[next]))
      next = axis;
  return next;
}

local::WeightedSums EndSums::of_part(std::byte const* array, int real_bytes, bool conjugate,
                                     Index part) const {
  Index const element_bytes = real_bytes * layout::reals_of(number_);
  Shape at(box_.axes(), 0);
  at[inner_] = part % parts_ * BoxWeights::most_elements;
  Index const elements =
      std::min(BoxWeights::most_elements, box_.ranges[inner_].count() - at[inner_]);
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
  Index const step = outer_ < 0 ? 0 : strides_[outer_];
  return of_box_.sums({from, rows, elements, step, at, inner_, outer_}, number_, real_bytes,
                      conjugate);
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
