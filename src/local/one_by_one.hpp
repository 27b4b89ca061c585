// SPDX-License-Identifier: BSD-3-Clause
// Passes columns of reals on one by one. Those that are not contiguous are copied to a block first,
// as many at once as a cache line has reals if there is room.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>

#include "base/memory.hpp"
#include "local/kernels/constants.hpp"
#include "local/transform.hpp"
#include "tuning.hpp"

namespace sixstep::local {

/// Copies `rows` rows of columns; either side may be the one that is contiguous.
template <class Element>
void copy_columns(Columns<Element const> const& from, Columns<Element> const& to, Index rows,
                  Index columns) {
  for (Index k = 0; k < rows; ++k)
    for (Index c = 0; c < columns; ++c)
      to.data[to.row[k] + c * to.lane] = from.data[from.row[k] + c * from.lane];
}

/// Passes columns one by one to run(in, out, rest), contiguous and maybe in place, whose memory
/// `rest` follows the block.
template <class In, class Out>
class OneByOne {
  using Real = typename RealOf<In>::type;

 public:
  OneByOne(Index n, Index in_rows, Index out_rows, Tuning const& tuning)
      : in_rows_(in_rows),
        out_rows_(out_rows),
        pitch_bytes_((n / 2 + 1) * Index{sizeof(std::complex<Real>)}),
        columns_(std::clamp<Index>(tuning.most_real_block_bytes / pitch_bytes_, 1,
                                   line_bytes / Index{sizeof(Real)})) {}

  std::size_t block_bytes() const {
    return aligned(static_cast<std::size_t>(columns_ * pitch_bytes_));
  }

  template <class Run>
  void operator()(Batch<In, Out> const& batch, std::byte* scratch, Run const& run) const {
    std::byte* const rest = scratch + block_bytes();
    if (batch.in.row.step(in_rows_) == 1 && batch.out.row.step(out_rows_) == 1) {
      for (Index c = 0; c < batch.columns; ++c)
        run(batch.in.data + batch.in.row[0] + c * batch.in.lane,
            batch.out.data + batch.out.row[0] + c * batch.out.lane, rest);
      return;
    }
    Columns<In> const before{reinterpret_cast<In*>(scratch), RowMap::every(1),
                             pitch_bytes_ / Index{sizeof(In)}};
    Columns<Out> const after{reinterpret_cast<Out*>(scratch), RowMap::every(1),
                             pitch_bytes_ / Index{sizeof(Out)}};
    for (Index first = 0; first < batch.columns; first += columns_) {
      Index const columns = std::min(columns_, batch.columns - first);
      copy_columns<In>(from_column(batch.in, first), before, in_rows_, columns);
      for (Index c = 0; c < columns; ++c)
        run(before.data + c * before.lane, after.data + c * after.lane, rest);
      copy_columns<Out>(as_source(after), from_column(batch.out, first), out_rows_, columns);
    }
  }

 private:
  Index in_rows_, out_rows_;
  Index pitch_bytes_;  // between columns of the block
  Index columns_;      // of the block
};

}  // namespace sixstep::local
