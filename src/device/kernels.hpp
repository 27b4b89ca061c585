// SPDX-License-Identifier: BSD-3-Clause
// Kernels for the passes of a plan on a device: transforms of columns, and roots of unity in the
// device's memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "device/backend.hpp"

namespace sixstep::device {

class DeviceKernels {
 public:
  explicit DeviceKernels(device::Backend& backend)
      : backend_(backend), uploads_(backend.make_queue()) {}

  device::Backend& backend() { return backend_; }

  /// Prepares a transform, unless that has been done. Null if the device cannot do it, or needs
  /// more scratch than `most_scratch` bytes.
  device::Planned const* plan(device::Columns const& columns, std::size_t most_scratch);
  /// A transform that was prepared. Allocates nothing.
  device::Planned const& planned(device::Columns const& columns) const;
  /// Prepares transforms of scattered columns of n points, unless that has been done. Null if the
  /// device cannot do them.
  device::Planned const* plan_scattered(Index n, int real_bytes);
  /// A table of rows in the device's memory.
  RowCode const* rows(std::vector<RowCode> const& rows);
  /// The largest scratch that any transform in use needs.
  std::size_t scratch_bytes() const { return scratch_bytes_; }

  /// The roots exp(-2 pi i k / n), as a phase whose row and column are not set.
  device::Phase roots(Index n);

 private:
  struct Table {
    std::shared_ptr<std::byte> memory;
    device::Phase phase;
  };

  device::Backend& backend_;
  std::unique_ptr<device::Queue> uploads_;
  std::vector<std::pair<device::Columns, std::unique_ptr<device::Planned>>> planned_;
  std::map<std::pair<Index, int>, std::unique_ptr<device::Planned>> scattered_;
  std::vector<std::shared_ptr<std::byte>> rows_;
  std::map<Index, Table> roots_;
  std::size_t scratch_bytes_ = 0;
};

}  // namespace sixstep::device
