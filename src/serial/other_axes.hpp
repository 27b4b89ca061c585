// SPDX-License-Identifier: BSD-3-Clause
// All axes of a box but the last: columns that lie side by side in memory without gaps.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/memory.hpp"
#include "local/kernels/codelets.hpp"
#include "local/shared_transforms.hpp"
#include "serial/box_side.hpp"

namespace sixstep::serial {

/// Transforms a box along all axes but its last one, the second to last first.
template <class Real>
class OtherAxes {
 public:
  using Complex = std::complex<Real>;
  using Codelet = std::unique_ptr<local::ColumnsCodelet<Real> const>;
  using Kernel = std::shared_ptr<local::Transform<Complex, Complex> const>;

  OtherAxes(Index numbers, bool backward) : numbers_(numbers), backward_(backward) {}

  /// An axis of n points. `columns` lie side by side: the numbers of all axes behind it.
  void add(Index n, Index columns, Codelet codelet) {
    Kernel kernel;
    if (codelet == nullptr) {
      kernel = local::shared_transform<Complex, Complex>(Kind::c2c, n, Local::own, {});
      scratch_bytes_ = std::max(scratch_bytes_, aligned(kernel->scratch_bytes()));
    }
    axes_.push_back({std::move(codelet), std::move(kernel), n, columns});
  }

  bool empty() const { return axes_.empty(); }
  std::size_t scratch_bytes() const { return scratch_bytes_; }

  /// The arrays begin at the same address or do not overlap.
  void run(Complex const* in, Complex* out, std::byte* scratch) const {
    for (auto const& [codelet, kernel, n, columns] : axes_) {
      for (Index begin = 0; begin < numbers_; begin += n * columns)
        if (codelet != nullptr)
          codelet->run({in + begin, columns}, {out + begin, columns}, columns);
        else
          kernel->run({.in = {in + begin, local::RowMap::every(columns), 1},
                       .out = {out + begin, local::RowMap::every(columns), 1},
                       .columns = columns,
                       .backward = backward_},
                      scratch);
      in = out;
    }
  }

 private:
  struct OneAxis {
    Codelet codelet;
    Kernel kernel;  // of a length without a codelet
    Index n;
    Index columns;
  };

  Index numbers_;  // of the box
  bool backward_;
  std::vector<OneAxis> axes_;
  std::size_t scratch_bytes_ = 0;
};

/// Those of a box that are transformed, but for its last axis, whose rows have `numbers` complex
/// numbers.
template <class Real>
OtherAxes<Real> other_axes(BoxAxes const& axes, Index numbers, bool backward) {
  auto const makers = local::codelet_makers<Real>(local::chosen_target());
  OtherAxes<Real> others(rows_of(axes) * numbers, backward);
  Index columns = numbers;
  for (std::size_t i = axes.size() - 1; i-- > 0; columns *= axes[i].n)
    if (axes[i].is_transformed) others.add(axes[i].n, columns, makers.columns(axes[i].n, backward));
  return others;
}

}  // namespace sixstep::serial
