// SPDX-License-Identifier: BSD-3-Clause
// Products of coefficients and an array that lies as they do.
#include "formulas/times_array.hpp"

#include <complex>
#include <type_traits>
#include <utility>

#include "formulas/pointwise.hpp"
#include "local/kernels/multiply.hpp"

namespace sixstep::formulas {

namespace {

template <class Real>
class ArrayProduct : public Pointwise, public program::OnPoints {
 public:
  ArrayProduct(Layout const& coefficients, int rank, std::shared_ptr<Factors const> factors)
      : box_(coefficients.box(rank)),
        strides_(coefficients.strides(rank)),
        factors_(std::move(factors)) {}

  void apply(int, Operands const&) override {}
  program::OnPoints const* operation() const override { return this; }

  void apply(program::PointBlock const& block) const override {
    using Complex = std::complex<Real>;
    if (factors_->are_real)
      multiply(block, static_cast<Real const*>(factors_->numbers.get()));
    else
      multiply(block, static_cast<Complex const*>(factors_->numbers.get()));
  }

 private:
  /// Numbers from an index to the next of a block along a working axis; 0 along that of fields.
  Index step(program::PointBlock::Along const& along) const {
    if (along.axis >= box_.axes()) return 0;
    return along.index_step / box_.ranges[along.axis].step * strides_[along.axis];
  }
  Index place(Shape const& index) const {
    Index sum = 0;
    for (int axis = 0; axis < box_.axes(); ++axis) {
      Range const& range = box_.ranges[axis];
      sum += (index[axis] - range.lo) / range.step * strides_[axis];
    }
    return sum;
  }

  template <class Number>
  void multiply(program::PointBlock const& block, Number const* numbers) const {
    using Complex = std::complex<Real>;
    auto const* const source = static_cast<Complex const*>(block.source);
    auto* const target = static_cast<Complex*>(block.target);
    numbers += place(block.index);
    Index const point = step(block.points), row = step(block.rows);
    if (point == 1 && block.from.point == 1 && block.to.point == 1) {
      local::multiply_rows<Real, std::is_same_v<Number, Real>>(
          reinterpret_cast<Real const*>(source), reinterpret_cast<Real*>(target),
          reinterpret_cast<Real const*>(numbers),
          {block.rows.count, block.points.count, block.from.row, block.to.row, row});
      return;
    }
    for (Index j = 0; j < block.rows.count; ++j)
      for (Index i = 0; i < block.points.count; ++i) {
        Complex const value = source[j * block.from.row + i * block.from.point];
        Number const factor = numbers[j * row + i * point];
        if constexpr (std::is_same_v<Number, Real>)
          target[j * block.to.row + i * block.to.point] = value * factor;
        else
          target[j * block.to.row + i * block.to.point] = times(value, factor);
      }
  }

  Box box_;
  Shape strides_;
  std::shared_ptr<Factors const> factors_;
};

}  // namespace

std::unique_ptr<Pointwise> TimesArray::on_rank(int rank, int real_bytes, Local) const {
  return in_precision<ArrayProduct>(real_bytes, coefficients_, rank, factors_);
}

}  // namespace sixstep::formulas
