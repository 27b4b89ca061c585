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

EndSums::EndSums(layout::Placement const& end, int rank, std::vector<Digit> digits,
                 std::vector<SetsOfWeights> weights)
    : box_(end.layout.box(rank)),
      strides_(end.strides(rank)),
      offset_(end.layout.offset(rank)),
      number_(end.number),
      target_(local::chosen_target()),
      digits_(std::move(digits)),
      weights_(std::move(weights)) {
  if (box_.empty()) return;
  auto const stride_of = [&](int axis) {
    return box_.ranges[axis].count() > 1 ? strides_[axis] : std::numeric_limits<Index>::max();
  };
  for (int axis = 1; axis < box_.axes(); ++axis)
    if (stride_of(axis) < stride_of(inner_)) inner_ = axis;
  Range const& inner = box_.ranges[inner_];
  rows_ = box_.volume() / inner.count();
  parts_ = (inner.count() + row_weights - 1) / row_weights;
  Digit const& digit = digits_[static_cast<std::size_t>(inner_)];
  for (AxisWeights& of_set : weights_[static_cast<std::size_t>(digit.axis)])
    of_set.prepare(inner.step * digit.unit);
}

template <class Element>
local::WeightedSums EndSums::of_part(Element const* array, local::RowSums<Element> sums,
                                     bool conjugate, Index part) const {
  Range const& inner = box_.ranges[inner_];
  Index const begin = part % parts_ * row_weights;
  Index const count = std::min(row_weights, inner.count() - begin);
  std::array<Index, 2 * max_axes> indices{};  // along the problem's axes
  Index offset = offset_ + begin * strides_[inner_], row = part / parts_;
  auto const add_index = [&](int axis, Index along) {
    Digit const& digit = digits_[static_cast<std::size_t>(axis)];
    Range const& range = box_.ranges[axis];
    indices[static_cast<std::size_t>(digit.axis)] += (range.lo + along * range.step) * digit.unit;
  };
  add_index(inner_, begin);
  for (int axis = box_.axes() - 1; axis >= 0; --axis) {
    if (axis == inner_) continue;
    Index const extent = box_.ranges[axis].count(), along = row % extent;
    row /= extent;
    offset += along * strides_[axis];
    add_index(axis, along);
  }
  Digit const& digit = digits_[static_cast<std::size_t>(inner_)];
  // Buffers on the stack, as nothing is allocated in an execution. They need no first values.
  alignas(Weight) std::byte weight_bytes[sizeof(Weight) * local::sums_at_once * row_weights];
  alignas(Element) std::byte element_bytes[sizeof(Element) * row_weights];
  auto* const weights = reinterpret_cast<Weight*>(weight_bytes);
  auto* const elements = reinterpret_cast<Element*>(element_bytes);
  Element const* from = array + offset;
  if (strides_[inner_] != 1 && count > 1) {
    for (Index i = 0; i < count; ++i) elements[i] = from[i * strides_[inner_]];
    from = elements;
  }
  local::OfSums<Weight const*> along_row;
  local::OfSums<Weight> factors;
  for (std::size_t set = 0; set < local::sums_at_once; ++set) {
    factors[set] = 1;
    for (std::size_t axis = 0; axis < weights_.size(); ++axis)
      if (static_cast<int>(axis) != digit.axis) factors[set] *= weights_[axis][set][indices[axis]];
    auto const inner_axis = static_cast<std::size_t>(digit.axis);
    AxisWeights::Row const row_of_set =
        weights_[inner_axis][set].row(indices[inner_axis], inner.step * digit.unit, count,
                                      weights + static_cast<Index>(set) * row_weights);
    along_row[set] = row_of_set.weights;
    factors[set] *= row_of_set.factor;
  }
  local::WeightedSums made = sums(from, along_row, count, conjugate);
  for (std::size_t set = 0; set < local::sums_at_once; ++set) {
    made.sums[set] *= conjugate ? std::conj(factors[set]) : factors[set];
    made.products[set] *= std::norm(factors[set]);
  }
  return made;
}

namespace {

/// Sums with more digits.
struct Total {
  local::OfSums<std::complex<long double>> sums{};
  local::OfSums<long double> products{};
  long double squares = 0;

  template <class Sums>
  void add(Sums const& more) {
    for (std::size_t set = 0; set < local::sums_at_once; ++set) {
      sums[set] += std::complex<long double>(more.sums[set]);
      products[set] += more.products[set];
    }
    squares += more.squares;
  }
};

}  // namespace

/// Sums of parts are added up with more digits than they have: there may be millions of them.
template <class Element>
local::WeightedSums EndSums::of_elements(Element const* array, local::RowSums<Element> sums,
                                         bool conjugate, int threads) const {
  Total all;
  std::mutex mutex;
  Index const parts = rows_ * parts_;
  run_team(threads, [&](int thread, int team) {
    Total mine;
    for (Index part = parts * thread / team; part < parts * (thread + 1) / team; ++part)
      mine.add(of_part(array, sums, conjugate, part));
    std::lock_guard const lock(mutex);
    all.add(mine);
  });
  local::WeightedSums made;
  for (std::size_t set = 0; set < local::sums_at_once; ++set) {
    made.sums[set] = std::complex<double>(all.sums[set]);
    made.products[set] = static_cast<double>(all.products[set]);
  }
  made.squares = static_cast<double>(all.squares);
  return made;
}

local::WeightedSums EndSums::of(void const* array, int real_bytes, bool conjugate,
                                int threads) const {
  auto const of_reals = [&](auto real) {
    using Real = decltype(real);
    auto const kernels = local::weighted_sum_kernels<Real>(target_);
    if (number_ == layout::Number::real)
      return of_elements(static_cast<Real const*>(array), kernels.reals, conjugate, threads);
    return of_elements(static_cast<std::complex<Real> const*>(array), kernels.complex_numbers,
                       conjugate, threads);
  };
  return real_bytes == sizeof(float) ? of_reals(float()) : of_reals(double());
}

}  // namespace sixstep::verify
