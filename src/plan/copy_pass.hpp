// SPDX-License-Identifier: BSD-3-Clause
// Passes that only reorder.
#pragma once

#include <cstddef>
#include <vector>

#include "local/transform.hpp"
#include "plan/program.hpp"
#include "plan/window.hpp"

namespace sixstep::plan {

/// A pass that only reorders.
template <class Element>
class CopyPass {
 public:
  using Real = typename local::RealOf<Element>::type;

  explicit CopyPass(Pass const& pass);

  std::size_t scratch_bytes() const { return 0; }
  void run(Real const* source, Real* target, Window const& window, Mode<Real> const& mode,
           std::byte* scratch) const;

 private:
  /// A block that both sides hold in one stride pattern; counts along an axis x are
  /// start[x] + i step[x], i < extent[x].
  struct Block {
    Shape start, step, extent;
    Index source_offset, target_offset;
    Shape source_strides, target_strides;
  };
  std::vector<Block> blocks_;
};

}  // namespace sixstep::plan
