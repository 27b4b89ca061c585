// SPDX-License-Identifier: BSD-3-Clause
// Long columns of reals that lie side by side.
#pragma once

#include <algorithm>
#include <complex>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "base/memory.hpp"
#include "local/caches.hpp"
#include "local/kernels/codelets.hpp"
#include "local/kernels/columns.hpp"
#include "local/kernels/constants.hpp"
#include "local/kernels/real_kernels.hpp"
#include "local/numbers/real_factors.hpp"
#include "local/numbers/reproducible.hpp"
#include "local/radix_core.hpp"
#include "local/real_blocks.hpp"
#include "local/targets.hpp"
#include "local/transform.hpp"

namespace sixstep::local {

/// Transposes columns that lie side by side to a block where they are contiguous, and transforms
/// them there. Other batches, and those of fewer columns than `least`, go to the transform as they
/// are.
template <class In, class Out>
class Beside final : public Transform<In, Out> {
  using Real = typename RealOf<In>::type;
  using Complex = std::complex<Real>;

 public:
  /// A column has so many elements on each side.
  Beside(std::unique_ptr<Transform<In, Out>> transform, Index in_rows, Index out_rows, Index least)
      : transform_(std::move(transform)),
        least_(least),
        kernels_(real_kernels<Real>()),
        in_rows_(in_rows),
        out_rows_(out_rows),
        pitch_((transform_->n() / 2 + 1 + pad - 1) / pad * pad + pad),
        columns_(block_columns()) {}

  Index n() const override { return transform_->n(); }
  Index lanes() const override { return transform_->lanes(); }
  std::size_t scratch_bytes() const override { return block_bytes() + transform_->scratch_bytes(); }
  std::string describe() const override { return transform_->describe(); }

  void run(Batch<In, Out> const& batch, std::byte* scratch) const override {
    check(batch);
    Index const in_row = batch.in.row.step(in_rows_), out_row = batch.out.row.step(out_rows_);
    bool const are_beside =
        batch.in.lane == 1 && batch.out.lane == 1 && in_row != 0 && out_row != 0;
    if (!are_beside || batch.columns < least_) return transform_->run(batch, scratch);
    Columns<In> const before{reinterpret_cast<In*>(scratch), RowMap::every(1), lane_of<In>()};
    Columns<Out> const after{reinterpret_cast<Out*>(scratch), RowMap::every(1), lane_of<Out>()};
    for (Index first = 0; first < batch.columns; first += columns_) {
      Index const columns = std::min(columns_, batch.columns - first);
      transpose(batch.in.data + batch.in.row[0] + first, in_row, in_rows_, columns, before.data,
                before.lane);
      transform_->run(
          {.in = as_source(before), .out = after, .columns = columns, .scale = batch.scale},
          scratch + block_bytes());
      transpose(after.data, after.lane, columns, out_rows_,
                batch.out.data + batch.out.row[0] + first, out_row);
    }
  }

 private:
  static constexpr Index pad = line_bytes / Index{sizeof(Complex)};

  /// A cache line of them, or a vector if a line would not stay in the second-level cache.
  Index block_columns() const {
    Index const line = line_bytes / Index{sizeof(Real)};
    bool const fits = 8 * line * pitch_ * Index{sizeof(Complex)} <= 5 * caches().second;
    return fits ? line : std::min(line, vector_lanes<Real>());
  }
  std::size_t block_bytes() const {
    return aligned(static_cast<std::size_t>(columns_ * pitch_) * sizeof(Complex));
  }
  template <class Element>
  Index lane_of() const {
    return pitch_ * Index{sizeof(Complex) / sizeof(Element)};
  }
  template <class From, class To>
  void transpose(From const* from, Index from_row, Index rows, Index columns, To* to,
                 Index to_row) const {
    auto const kernel = std::is_same_v<To, Real> ? kernels_.transpose : kernels_.transpose_complex;
    kernel(reinterpret_cast<Real const*>(from), from_row, rows, columns,
           reinterpret_cast<Real*>(to), to_row);
  }

  std::unique_ptr<Transform<In, Out>> transform_;
  Index least_;
  RealKernels<Real> kernels_;
  Index in_rows_, out_rows_;
  Index pitch_;    // between columns of the block, in complex numbers
  Index columns_;  // of the block
};

/// Returns the transform, or Beside around it where that is faster for columns side by side: an
/// even number of points by halves, c2r and cosines if vectors of columns leave the first-level
/// cache and are shorter than its lines, and r2c if their block leaves the second-level cache.
template <class In, class Out>
std::unique_ptr<Transform<In, Out>> beside_if_faster(std::unique_ptr<Transform<In, Out>> transform,
                                                     Index in_rows, Index out_rows, Local whose,
                                                     Tuning const& tuning) {
  using Real = typename RealOf<In>::type;
  constexpr Index least_points = 1536;
  Index const n = transform->n();
  if (whose != Local::own || is_reproducible(tuning) || !has_codelets(chosen_target()) ||
      n % 2 == 1 || n < least_points || real_radices(n).empty())
    return transform;
  bool const by_radices = suits_radices<Real>(n, tuning);
  bool const is_r2c = std::is_same_v<Out, std::complex<Real>>;
  if (by_radices && (vectors_fill_lines<Real>() || is_r2c)) return transform;
  return std::make_unique<Beside<In, Out>>(std::move(transform), in_rows, out_rows,
                                           by_radices ? vector_lanes<Real>() : 2);
}

}  // namespace sixstep::local
