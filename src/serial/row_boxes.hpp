// SPDX-License-Identifier: BSD-3-Clause
// Boxes by codelets of rows and of columns.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "base/memory.hpp"
#include "local/kernels/codelets.hpp"
#include "local/kernels/columns.hpp"
#include "local/kernels/short_real_columns.hpp"
#include "serial/boxes.hpp"
#include "serial/other_axes.hpp"

namespace sixstep::serial {

/// Forward and c2c: rows, then the other axes in place. c2r: the other axes into memory of its own,
/// then rows. The array of the results takes the place of scratch memory where it has no gaps.
template <class Real, class In, class Out>
class RowBoxes final : public Boxes<Real> {
 public:
  static constexpr bool is_c2r = std::is_same_v<Out, Real>;

  /// `are_apart`: in place, no box is stored where another one is read. `codelet` is null if the
  /// last axis is not transformed.
  RowBoxes(BoxProblem const& problem, BoxAxes const& axes, StridedAxes loops, bool are_apart,
           int threads, std::unique_ptr<local::Codelet<In, Out> const> codelet,
           OtherAxes<Real> others)
      : Boxes<Real>(std::move(loops), rows_of(axes) * row_numbers(problem.kind, axes.back().n),
                    threads),
        rows_(rows_of(axes)),
        pitch_(2 * row_numbers(problem.kind, axes.back().n)),
        in_(axes, &StridedAxis::in, is_c2r ? pitch_ / 2 : axes.back().n, problem.in, pitch_),
        out_(axes, &StridedAxis::out, is_c2r ? axes.back().n : pitch_ / 2, problem.out, pitch_),
        codelet_(std::move(codelet)),
        others_(std::move(others)) {
    // Codelets of 8 and 16 reals are as fast, and so are those of few rows. It was not measured for
    // an even number where a vector fills a cache line.
    constexpr Index many_vectors = 8;
    Index const n = axes.back().n;
    bool const is_faster = n % 2 == 1 || (n % 8 != 0 && !local::vectors_fill_lines<Real>());
    if (codelet_ != nullptr && problem.kind != BoxKind::c2c && is_faster &&
        rows_ >= many_vectors * vector_)
      straight_ = local::short_transform<Real>(Kind::r2c, is_c2r, n, local::chosen_target());
    bool const begins_with_rows = !is_c2r && codelet_ != nullptr;
    gathers_ = begins_with_rows ? !in_.has_dense_rows() : !in_.is_dense();
    scatters_ = is_c2r ? !out_.has_dense_rows() : !out_.is_dense();
    bool const are_rows_first = is_c2r ? others_.empty() : begins_with_rows;
    bool const moves_rows = are_rows_first && !gathers_ && !in_.has_rows_of(out_);
    if (problem.in_place && moves_rows) scatters_ = true;
    this->works_in_place_ = are_apart && (scatters_ || !moves_rows);
    if (gathers_ || scatters_ || (is_c2r && !others_.empty()))
      box_bytes_ = aligned(static_cast<std::size_t>(rows_ * pitch_) * sizeof(Real));
    this->scratch_bytes_ = box_bytes_ + others_.scratch_bytes();
    this->bytes_ = sizeof *this + in_.bytes() + out_.bytes();
    for (BoxAxis const& axis : axes) this->bytes_ += codelet_bytes(axis);
  }

 private:
  /// Rough bytes of a codelet.
  static std::size_t codelet_bytes(BoxAxis const& axis) {
    return axis.is_transformed ? 1024 + 16 * sizeof(Real) * static_cast<std::size_t>(axis.n) : 0;
  }

  void run_box(BoxArrays<Real> const& box, Real scale, std::byte* memory) const override {
    auto* const scratch = reinterpret_cast<Real*>(memory);
    if (gathers_) in_.gather(box.re_in, box.im_in, scratch);
    Real const* const source = gathers_ ? scratch : box.re_in;
    if constexpr (is_c2r)
      run_to_reals(source, box.re_out, scale, scratch);
    else
      run_to_numbers(source, scatters_ ? scratch : box.re_out, scale, scratch);
    if (scatters_) out_.scatter(scratch, box.re_out, box.im_out);
  }

  void run_to_numbers(Real const* source, Real* numbers, Real scale, Real* scratch) const {
    if (codelet_ != nullptr) {
      if (gathers_)
        run_rows(source, pitch_, numbers, pitch_, rows_);
      else
        in_.for_blocks([&](auto const& block) {
          run_rows(source + block.offset, block.row, numbers + block.first * pitch_, pitch_,
                   block.rows);
        });
      source = numbers;
    }
    others_.run(complex(source), complex(numbers), behind_box(scratch));
    if (scale != 1) multiply(numbers, rows_ * pitch_, scale);
  }

  void run_to_reals(Real const* source, Real* out, Real scale, Real* scratch) const {
    others_.run(complex(source), complex(scratch), behind_box(scratch));
    Real const* const numbers = others_.empty() ? source : scratch;
    if (scatters_) {
      run_rows(numbers, pitch_, scratch, pitch_, rows_);
      if (scale != 1) multiply(scratch, rows_ * pitch_, scale);
      return;
    }
    out_.for_blocks([&](auto const& block) {
      Real* const rows = out + block.offset;
      run_rows(numbers + block.first * pitch_, pitch_, rows, block.row, block.rows);
      if (scale != 1)
        for (Index row = 0; row < block.rows; ++row)
          multiply(rows + row * block.row, out_.points(), scale);
    });
  }

  /// Distances between rows count reals.
  void run_rows(Real const* in, Index in_row, Real* out, Index out_row, Index rows) const {
    constexpr Index in_reals = sizeof(In) / sizeof(Real), out_reals = sizeof(Out) / sizeof(Real);
    if (straight_ != nullptr) {
      Index const full = rows / vector_ * vector_;
      straight_({in, out, in_row, out_row, full, 1, nullptr});
      in += full * in_row;
      out += full * out_row;
      rows -= full;
      if (rows == 0) return;
    }
    codelet_->run_rows({reinterpret_cast<In const*>(in), reinterpret_cast<Out*>(out),
                        in_row / in_reals, out_row / out_reals, rows});
  }

  std::byte* behind_box(Real* scratch) const {
    return reinterpret_cast<std::byte*>(scratch) + box_bytes_;
  }

  Index rows_;
  Index pitch_;  // of rows in scratch memory, in reals
  BoxSide<Real> in_;
  BoxSide<Real> out_;
  std::unique_ptr<local::Codelet<In, Out> const> codelet_;
  Index vector_ = local::vector_lanes<Real>();
  local::ShortTransform<Real> straight_ = nullptr;  // of vectors of rows from or to reals
  OtherAxes<Real> others_;
  bool gathers_ = false;  // the input into scratch memory
  bool scatters_ = false;
  std::size_t box_bytes_ = 0;
};

}  // namespace sixstep::serial
