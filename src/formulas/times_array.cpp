// SPDX-License-Identifier: BSD-3-Clause
// Products of coefficients and an array that lies as they do.
#include "formulas/times_array.hpp"

#include <complex>
#include <type_traits>
#include <utility>

#include "formulas/pointwise.hpp"
#include "local/kernels/multiply.hpp"
#include "local/transform.hpp"

namespace sixstep::formulas {

namespace {

/// The coefficients on one rank, of type Element, times numbers of the same precision.
template <class Element>
class ArrayProduct : public Pointwise, public program::OnPoints {
 public:
  ArrayProduct(Layout const& coefficients, int rank, std::shared_ptr<Factors const> factors)
      : box_(coefficients.box(rank)),
        folding_(folding_of(coefficients, rank, factors->folded)),
        factors_(std::move(factors)) {}

  void apply(int, Operands const&) override {}
  program::OnPoints const* operation() const override { return this; }
  bool may_repeat() const override { return true; }

  void apply(program::PointBlock const& block) const override {
    if constexpr (local::is_complex<Element>)
      if (!factors_->are_real)
        return multiply(block, static_cast<Element const*>(factors_->numbers.get()));
    multiply(block, static_cast<Real const*>(factors_->numbers.get()));
  }

 private:
  using Real = typename local::RealOf<Element>::type;

  /// Points, or rows, whose numbers follow each other at a constant distance.
  struct Stretch {
    Index begin;
    Index count;
    Index step;
  };

  /// The points, or the rows, of a block: one stretch, or two where they reach beyond the middle of
  /// a folded axis. The axis of fields has the same number at each index.
  PerAxis<Stretch> stretches(program::PointBlock::Along const& along, Shape const& index) const {
    if (along.axis >= box_.axes() || along.count == 1) return {{0, along.count, 0}};
    Index const stride = folding_.strides[along.axis], extent = folding_.folded[along.axis];
    Range const& range = box_.ranges[along.axis];
    Index const step = along.index_step / range.step * stride;
    if (extent == 0) return {{0, along.count, step}};
    Index const below = extent / 2 - index[along.axis];  // this far from the first to the middle
    Index const rising = below < 0 ? 0 : std::min(along.count, below / along.index_step + 1);
    return {{0, rising, step}, {rising, along.count - rising, -step}};
  }

  Index place(Shape const& index) const {
    Index sum = 0;
    for (int axis = 0; axis < box_.axes(); ++axis) {
      Range const& range = box_.ranges[axis];
      sum += folding_.number(axis, (index[axis] - range.lo) / range.step) * folding_.strides[axis];
    }
    return sum;
  }

  template <class Number>
  void multiply(program::PointBlock const& block, Number const* numbers) const {
    for (Stretch const& rows : stretches(block.rows, block.index))
      for (Stretch const& points : stretches(block.points, block.index)) {
        if (rows.count == 0 || points.count == 0) continue;
        Shape index = block.index;
        index[block.rows.axis] += rows.begin * block.rows.index_step;
        index[block.points.axis] += points.begin * block.points.index_step;
        multiply(block, rows, points, numbers + place(index));
      }
  }

  template <class Number>
  static void multiply(program::PointBlock const& block, Stretch const& rows, Stretch const& points,
                       Number const* numbers) {
    auto const* const source = static_cast<Element const*>(block.source) +
                               rows.begin * block.from.row + points.begin * block.from.point;
    auto* const target = static_cast<Element*>(block.target) + rows.begin * block.to.row +
                         points.begin * block.to.point;
    if constexpr (local::is_complex<Element>)
      if (points.step == 1 && block.from.point == 1 && block.to.point == 1)
        return local::multiply_rows<Real, std::is_same_v<Number, Real>>(
            reinterpret_cast<Real const*>(source), reinterpret_cast<Real*>(target),
            reinterpret_cast<Real const*>(numbers),
            {rows.count, points.count, block.from.row, block.to.row, rows.step});
    for (Index j = 0; j < rows.count; ++j)
      for (Index i = 0; i < points.count; ++i)
        target[j * block.to.row + i * block.to.point] =
            local::product(source[j * block.from.row + i * block.from.point],
                           numbers[j * rows.step + i * points.step]);
  }

  Box box_;
  Folding folding_;
  std::shared_ptr<Factors const> factors_;
};

}  // namespace

Folding folding_of(Layout const& coefficients, int rank, std::vector<int> const& may_fold) {
  Box const box = coefficients.box(rank);
  Order const& order = coefficients.order();
  Folding made{Shape(box.axes(), 0), Shape(box.axes(), 0), 1};
  for (int i = order.size() - 1; i >= 0; --i) {
    int const axis = order[i];
    Index const count = box.ranges[axis].count();
    bool const may = std::find(may_fold.begin(), may_fold.end(), axis) != may_fold.end();
    if (may && i < order.size() - 1 && count > 1 && count == coefficients.shape()[axis])
      made.folded[axis] = count;
    made.strides[axis] = made.size;
    made.size *= made.folded[axis] > 0 ? count / 2 + 1 : count;
  }
  return made;
}

std::unique_ptr<Pointwise> TimesArray::on_rank(int rank, int real_bytes, Local) const {
  auto const made = [&](auto real) -> std::unique_ptr<Pointwise> {
    using Real = decltype(real);
    if (number_ == layout::Number::real)
      return std::make_unique<ArrayProduct<Real>>(coefficients_, rank, factors_);
    return std::make_unique<ArrayProduct<std::complex<Real>>>(coefficients_, rank, factors_);
  };
  if (real_bytes == sizeof(float)) return made(float());
  return made(double());
}

}  // namespace sixstep::formulas
