// SPDX-License-Identifier: BSD-3-Clause
// Passes with a transform: from cells to batches of columns for the local transforms.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "local/staged.hpp"
#include "program/program.hpp"
#include "sweep/cells.hpp"
#include "sweep/kernels.hpp"
#include "sweep/loops.hpp"

namespace sixstep::plan {

/// A transform that needs no strips: one with reals moves its columns through a block of its own.
template <class In, class Out>
class Unstaged {
 public:
  Unstaged(local::Transform<In, Out> const& transform, local::Staging, Tuning const&)
      : transform_(transform) {}
  std::size_t scratch_bytes() const { return transform_.scratch_bytes(); }
  void run(local::Batch<In, Out> const& batch, std::byte* scratch) const {
    transform_.run(batch, scratch);
  }

 private:
  local::Transform<In, Out> const& transform_;
};

/// A pass with a transform.
template <class In, class Out>
class FftPass {
 public:
  using Real = typename local::RealOf<In>::type;

  FftPass(Pass const& pass, Sweep const& sweep, Kernels& kernels);

  std::size_t scratch_bytes() const;
  void run(void const* source, void* target, Region const& region, Mode const& mode,
           std::byte* scratch) const;

 private:
  static constexpr bool is_complex = !std::is_same_v<In, Real> && !std::is_same_v<Out, Real>;
  using Runner = std::conditional_t<is_complex, local::Staged<Real>, Unstaged<In, Out>>;

  void run_cell(Cell const& cell, In const* source, Out* target, Region const& region,
                Mode const& mode, std::byte* scratch) const;
  void run_bundles(Cell const& cell, In const* source, Out* target, Region const& region,
                   Mode const& mode, std::byte* scratch) const;
  local::Twist twist(Cell const& cell, int lane, Shape const& counts) const;
  std::size_t table_bytes() const;

  Pass pass_;
  std::vector<Cell> cells_;
  Runner transform_;
  bool far_;                     // the source is out of cache
  bool stream_;                  // the target, if it is another array, had better be
  Index bundle_ = 1;             // columns that are gathered at a time
  std::size_t pitch_bytes_ = 0;  // from one of them to the next
  local::Roots const* roots_ = nullptr;
};

}  // namespace sixstep::plan
