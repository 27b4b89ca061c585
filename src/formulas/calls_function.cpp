// SPDX-License-Identifier: BSD-3-Clause
// Makes batches of the points of a pass. Values are copied where they are not contiguous, and
// results where they would lie in the memory of values.
#include "formulas/calls_function.hpp"

#include <algorithm>
#include <complex>
#include <type_traits>
#include <vector>

#include "formulas/first_failure.hpp"

namespace sixstep::formulas {

namespace {

using program::PointBlock;

// Copies of this many points of a few fields stay in the first-level cache.
constexpr Index most_copied = 512;

/// The batches of a block on one thread.
template <class Value>
class Batches {
 public:
  Batches(Told const& told, PointBlock const& block) : told_(told), block_(block) {
    Index const row = block.points.count;
    length_ = row;
    if (row < told.least) {
      rows_ = std::min((told.least + row - 1) / row, block.rows.count);
    } else if (copies_in() || copies_out()) {
      length_ = std::min(row, std::max(told.least, most_copied));
    }
    auto const points = static_cast<std::size_t>(rows_ * length_);
    std::size_t const in = copies_in() ? static_cast<std::size_t>(told.fields) : 0;
    std::size_t const out = copies_out() ? static_cast<std::size_t>(told.results) : 0;
    copies_.resize((in + out) * points);
    for (std::size_t field = 0; field < in; ++field)
      in_copies_.push_back(copies_.data() + field * points);
    for (std::size_t field = 0; field < out; ++field)
      out_copies_.push_back(copies_.data() + (in + field) * points);
    in_.resize(static_cast<std::size_t>(told.fields));
    out_.resize(static_cast<std::size_t>(told.results));
    if (!told.spectrum) return;
    auto const axes = static_cast<std::size_t>(told.spectrum->axes());
    waves_.resize(axes * points);
    for (std::size_t axis = 0; axis < axes; ++axis) k_.push_back(waves_.data() + axis * points);
  }

  template <class Function>
  void call(Function const& function) {
    for (Index row = 0; row < block_.rows.count; row += rows_)
      for (Index i = 0; i < block_.points.count; i += length_)
        call(function, row, std::min(rows_, block_.rows.count - row), i,
             std::min(length_, block_.points.count - i));
  }

 private:
  /// Whether rows of this side can be handed over as they are.
  bool is_dense(PointBlock::Steps const& side) const {
    return side.point == 1 && (rows_ == 1 || side.row == length_);
  }
  bool copies_in() const { return !is_dense(block_.from); }
  bool copies_out() const { return !is_dense(block_.to) || block_.source == block_.target; }

  template <class Function>
  void call(Function const& function, Index row, Index rows, Index first, Index length) {
    auto const* const source = static_cast<Value const*>(block_.source) + row * block_.from.row +
                               first * block_.from.point;
    auto* const target =
        static_cast<Value*>(block_.target) + row * block_.to.row + first * block_.to.point;
    for (std::size_t field = 0; field < in_.size(); ++field) {
      in_[field] = source + static_cast<Index>(field) * block_.from.field;
      if (in_copies_.empty()) continue;
      Value* to = in_copies_[field];
      for (Index j = 0; j < rows; ++j)
        for (Index i = 0; i < length; ++i)
          *to++ = in_[field][j * block_.from.row + i * block_.from.point];
      in_[field] = in_copies_[field];
    }
    for (std::size_t field = 0; field < out_.size(); ++field)
      out_[field] = out_copies_.empty() ? target + static_cast<Index>(field) * block_.to.field
                                        : out_copies_[field];
    Shape index = block_.index;
    index[block_.rows.axis] += row * block_.rows.index_step;
    index[block_.points.axis] += first * block_.points.index_step;
    if (told_.spectrum)
      for (Index j = 0; j < rows; ++j) {
        Shape begin = index;
        begin[block_.rows.axis] += j * block_.rows.index_step;
        told_.spectrum->in_row(begin, block_.points.axis, block_.points.index_step, length,
                               j * length, k_);
      }
    Shape const point = told_.points.view.point_of(index);
    Shape first_point;
    for (int axis = 0; axis < told_.axes; ++axis) first_point.push_back(point[axis]);
    function(Batch<Value>{.count = rows * length,
                          .in = in_.data(),
                          .out = out_.data(),
                          .k = told_.spectrum ? k_.data() : nullptr,
                          .first = first_point,
                          .points = along(block_.points, length),
                          .rows = along(block_.rows, rows)});
    for (std::size_t field = 0; field < out_copies_.size(); ++field) {
      Value const* from = out_copies_[field];
      Value* const to = target + static_cast<Index>(field) * block_.to.field;
      for (Index j = 0; j < rows; ++j)
        for (Index i = 0; i < length; ++i) to[j * block_.to.row + i * block_.to.point] = *from++;
    }
  }

  /// Points along a working axis as ones along an axis of the layout.
  typename Batch<Value>::Along along(PointBlock::Along const& working, Index count) const {
    auto const [axis, unit] = told_.points.view.axis_of(working.axis);
    return {axis, count, working.index_step * unit};
  }

  Told const& told_;
  PointBlock const& block_;
  Index rows_ = 1, length_;  // of a batch
  std::vector<Value> copies_;
  std::vector<Value*> in_copies_, out_copies_;
  std::vector<Value const*> in_;
  std::vector<Value*> out_;
  std::vector<double> waves_;
  std::vector<double*> k_;
};

template <class Value, class Function>
class Calls : public Pointwise, public program::OnPoints {
 public:
  Calls(Function function, Told const& told) : function_(std::move(function)), told_(told) {}

  void apply(int, Operands const&) override {}
  program::OnPoints const* operation() const override { return this; }

  void finish() override { failure_.rethrow(); }

  void apply(PointBlock const& block) const override {
    try {
      Batches<Value>(told_, block).call(function_);
    } catch (...) {
      failure_.keep();
    }
  }

 private:
  Function function_;
  Told const& told_;
  mutable FirstFailure failure_;
};

template <class Real>
std::unique_ptr<Pointwise> made(BatchFunction<Real> const& function, Told const& told) {
  auto const of = [&]<class Value>(std::type_identity<Value>) -> std::unique_ptr<Pointwise> {
    auto const& call = function.template of<Value>();
    return std::make_unique<Calls<Value, std::decay_t<decltype(call)>>>(call, told);
  };
  if (told.points.number == layout::Number::real) return of(std::type_identity<Real>());
  return of(std::type_identity<std::complex<Real>>());
}

}  // namespace

std::unique_ptr<Pointwise> CallsFunction::on_rank(int, int real_bytes, Local) const {
  if (real_bytes == sizeof(float)) return made(function_.single, told_);
  return made(function_.twice, told_);
}

}  // namespace sixstep::formulas
