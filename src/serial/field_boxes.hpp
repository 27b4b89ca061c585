// SPDX-License-Identifier: BSD-3-Clause
// Boxes of fields side by side: short transforms from or to reals along the last axis, a vector of
// fields at a time, and codelets of columns along the others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/memory.hpp"
#include "local/kernels/short_real_columns.hpp"
#include "serial/boxes.hpp"
#include "serial/other_axes.hpp"

namespace sixstep::serial {

/// Forward: the last axis, then the others. Backward: the others, then the last axis. On the side
/// of complex numbers a box has no gaps. In place, and between the axes backward, these are in
/// memory of its own.
template <class Real>
class FieldBoxes final : public Boxes<Real> {
 public:
  /// `are_apart`: in place, no box is stored where another one is read.
  FieldBoxes(BoxProblem const& problem, BoxAxes const& axes, Index fields, StridedAxes loops,
             bool are_apart, int threads, local::TransformBeside<Real> transform)
      : Boxes<Real>(std::move(loops), rows_of(axes) * fields * numbers_of(problem), threads),
        transform_(transform),
        backward_(problem.kind == BoxKind::c2r),
        fields_(fields),
        step_(backward_ ? axes.back().out : axes.back().in),
        reals_(axes, backward_ ? &StridedAxis::out : &StridedAxis::in, axes.back().n,
               Elements::reals, 0),
        row_(2 * fields * numbers_of(problem)),
        others_(other_axes<Real>(axes, fields * numbers_of(problem), backward_)) {
    box_numbers_ = rows_of(axes) * row_ / 2;
    keeps_box_ = problem.in_place || (backward_ && !others_.empty());
    if (keeps_box_) box_bytes_ = aligned(static_cast<std::size_t>(box_numbers_) * 2 * sizeof(Real));
    this->works_in_place_ = keeps_box_ && are_apart;
    this->scratch_bytes_ = box_bytes_ + others_.scratch_bytes();
    this->bytes_ = sizeof *this + reals_.bytes();
  }

 private:
  static Index numbers_of(BoxProblem const& problem) {
    return row_numbers(problem.kind, problem.axes.back().n);
  }

  void run_box(BoxArrays<Real> const& box, Real scale, std::byte* memory) const override {
    Real* const kept = reinterpret_cast<Real*>(memory);
    if (backward_) {
      run_others(box.re_in, kept, memory);
      Real const* const numbers = keeps_box_ ? kept : box.re_in;
      for_rows([&](Index row, Index offset) {
        transform_({numbers + row * row_, box.re_out + offset, 2 * fields_, step_, fields_, scale});
      });
    } else {
      Real* const numbers = keeps_box_ ? kept : box.re_out;
      for_rows([&](Index row, Index offset) {
        transform_({box.re_in + offset, numbers + row * row_, step_, 2 * fields_, fields_, scale});
      });
      run_others(numbers, box.re_out, memory);
    }
  }

  /// Transforms along the other axes. If there are none, copies a box that is kept.
  void run_others(Real const* in, Real* out, std::byte* memory) const {
    if (!others_.empty())
      others_.run(complex(in), complex(out), memory + box_bytes_);
    else if (keeps_box_)
      std::copy_n(in, 2 * box_numbers_, out);
  }

  /// Calls work(row, offset) with the offsets of the rows of reals.
  template <class Work>
  void for_rows(Work const& work) const {
    reals_.for_blocks([&](auto const& block) {
      for (Index row = 0; row < block.rows; ++row)
        work(block.first + row, block.offset + row * block.row);
    });
  }

  local::TransformBeside<Real> transform_;
  bool backward_;
  Index fields_;
  Index step_;  // between reals of a row
  BoxSide<Real> reals_;
  Index row_;  // reals between rows of complex numbers
  OtherAxes<Real> others_;
  Index box_numbers_;
  bool keeps_box_;
  std::size_t box_bytes_ = 0;
};

}  // namespace sixstep::serial
