// SPDX-License-Identifier: BSD-3-Clause
// Transforms that are computed one contiguous column after another.
#pragma once

#include <algorithm>
#include <complex>

#include "base/memory.hpp"
#include "local/kernels/gather.hpp"
#include "local/numbers/roots.hpp"
#include "local/transform.hpp"

namespace sixstep::local {

/// Passes contiguous columns to a derived class one by one. Other columns, and those with a twist,
/// are copied to a block first.
template <class Real>
class ColumnByColumn : public Transform<std::complex<Real>> {
 public:
  using Complex = std::complex<Real>;

  Index n() const final { return n_; }
  Index lanes() const final { return 1; }
  std::size_t scratch_bytes() const final { return block_bytes() + column_scratch_bytes(); }

  void run(Batch<Complex> const& batch, std::byte* scratch) const final {
    auto* const block = reinterpret_cast<Complex*>(scratch);
    std::byte* const rest = scratch + block_bytes();
    bool const straight = batch.in.row.step(n_) == 1 && batch.out.row.step(n_) == 1;
    bool const twisted = batch.twist.roots != nullptr;
    if (straight && !twisted) {
      Index const from = batch.in.row[0];
      Index const to = batch.out.row[0];
      for (Index c = 0; c < batch.columns; ++c)
        run_column(batch.in.data + from + c * batch.in.lane,
                   batch.out.data + to + c * batch.out.lane, batch.backward, batch.scale, rest);
      return;
    }
    for (Index first = 0; first < batch.columns; first += block_columns) {
      Index const columns = std::min(block_columns, batch.columns - first);
      gather<Real>(from_column(batch.in, first), n_, columns, block, n_);
      for (Index c = 0; c < columns; ++c) {
        run_column(block + c * n_, block + c * n_, batch.backward, batch.scale, rest);
        if (twisted) twist(batch, first + c, block + c * n_);
      }
      scatter<Real>(block, n_, n_, columns, from_column(batch.out, first));
    }
  }

 protected:
  explicit ColumnByColumn(Index n) : n_(n) {}

  virtual std::size_t column_scratch_bytes() const = 0;
  /// `in` and `out` are contiguous. They may be the same.
  virtual void run_column(Complex const* in, Complex* out, bool backward, Real scale,
                          std::byte* scratch) const = 0;

 private:
  // the elements of a cache line
  static constexpr Index block_columns = static_cast<Index>(alignment / sizeof(Complex));

  std::size_t block_bytes() const {
    return aligned(static_cast<std::size_t>(n_ * block_columns) * sizeof(Complex));
  }

  void twist(Batch<Complex> const& batch, Index column, Complex* data) const {
    Roots const& roots = *batch.twist.roots;
    __int128 const step = (batch.twist.first + static_cast<__int128>(column) * batch.twist.step) %
                          roots.n() * (batch.backward ? -1 : 1);
    for (Index k = 0; k < n_; ++k) {
      Index const power = static_cast<Index>(k * step % roots.n());
      data[k] *= roots.at<Real>(power < 0 ? power + roots.n() : power);
    }
  }

  Index n_;
};

}  // namespace sixstep::local
