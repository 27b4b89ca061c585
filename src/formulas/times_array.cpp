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
        strides_(coefficients.strides(rank)),
        factors_(std::move(factors)) {}

  void apply(int, Operands const&) override {}
  program::OnPoints const* operation() const override { return this; }

  void apply(program::PointBlock const& block) const override {
    if constexpr (local::is_complex<Element>)
      if (!factors_->are_real)
        return multiply(block, static_cast<Element const*>(factors_->numbers.get()));
    multiply(block, static_cast<Real const*>(factors_->numbers.get()));
  }

 private:
  using Real = typename local::RealOf<Element>::type;

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
    auto const* const source = static_cast<Element const*>(block.source);
    auto* const target = static_cast<Element*>(block.target);
    numbers += place(block.index);
    Index const point = step(block.points), row = step(block.rows);
    if constexpr (local::is_complex<Element>)
      if (point == 1 && block.from.point == 1 && block.to.point == 1)
        return local::multiply_rows<Real, std::is_same_v<Number, Real>>(
            reinterpret_cast<Real const*>(source), reinterpret_cast<Real*>(target),
            reinterpret_cast<Real const*>(numbers),
            {block.rows.count, block.points.count, block.from.row, block.to.row, row});
    for (Index j = 0; j < block.rows.count; ++j)
      for (Index i = 0; i < block.points.count; ++i)
        target[j * block.to.row + i * block.to.point] = local::product(
            source[j * block.from.row + i * block.from.point], numbers[j * row + i * point]);
  }

  Box box_;
  Shape strides_;
  std::shared_ptr<Factors const> factors_;
};

}  // namespace

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
