// SPDX-License-Identifier: BSD-3-Clause
// Passes with a transform: they turn cells into batches of columns for the local transforms.
#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>
#include <vector>

#include "local/staged.hpp"
#include "program/program.hpp"
#include "sweep/blocks.hpp"
#include "sweep/cells.hpp"
#include "sweep/gathered.hpp"
#include "sweep/kernels.hpp"
#include "sweep/loops.hpp"

namespace sixstep::sweep {

/// A pass with a transform.
template <class In, class Out>
class FftPass {
 public:
  using Real = typename local::RealOf<In>::type;

  FftPass(program::Pass const& pass, program::Sweep const& sweep, Kernels& kernels);

  std::size_t scratch_bytes() const;
  /// Bytes of lists and row tables.
  std::size_t bytes() const;
  void run(void const* source, void* target, Region const& region, Mode const& mode,
           std::byte* scratch) const;
  /// Gives what the pass reads, or writes, to somebody, while it is in cache.
  void give_read(BlockTaker to) { read_ = to; }
  void give_written(BlockTaker to) { written_ = to; }

 private:
  static constexpr bool is_complex = !std::is_same_v<In, Real> && !std::is_same_v<Out, Real>;

  void run_cell(Cell const& cell, In const* source, Out* target, Region const& region,
                Mode const& mode, std::byte* scratch) const;
  template <class Watch>
  void run_batch(local::Batch<In, Out> const& batch, Watch const& watch, std::byte* scratch) const;
  /// The columns of a batch: [lo, hi) along the lanes, and `counts` along other axes.
  struct Watched {
    Cell const& cell;
    Shape const &lo, &hi, &counts;
    In const* source;
    Out const* target;
    BlockTaker written;
  };
  void run_watched(local::Batch<In, Out> const& batch, Watched const& watched,
                   std::byte* scratch) const;
  BlockTaker written_in_parts(Mode const& mode) const;
  Block block(Cell const& cell, Region const& region, bool of_target, void const* array) const;
  void run_gathered(Cell const& cell, In const* source, Out* target, Region const& region,
                    Mode const& mode, std::byte* scratch) const;
  Gathering gathering(Cell const& cell) const;
  Gathering gathered_rows() const;
  Gathering gathered_columns(Index batches, Index columns) const;
  local::Twist twist(Cell const& cell, int lane, Shape const& counts) const;
  std::size_t table_bytes() const;

  program::Pass pass_;
  std::vector<Cell> cells_;
  Tuning tuning_;
  local::Transform<In, Out> const& kernel_;
  local::Staging staging_;
  // `kernel_` in strips, where they pay. Transforms with reals move their columns through a block
  // of their own.
  std::optional<local::Staged<Real>> staged_;
  bool far_;  // the source is out of cache
  bool far_target_;
  bool stream_;  // the target should bypass the cache if it is another array
  std::size_t gathered_bytes_ = 0;
  local::Roots const* roots_ = nullptr;
  BlockTaker read_, written_;
};

}  // namespace sixstep::sweep
