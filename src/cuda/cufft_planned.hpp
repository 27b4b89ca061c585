// SPDX-License-Identifier: BSD-3-Clause
// Transforms of columns by cuFFT.
#pragma once

#include <cufft.h>

#include <cstddef>

#include "device/backend.hpp"

namespace sixstep::device {

/// Columns that cuFFT transforms.
class CufftPlanned : public Planned {
 public:
  /// Makes an empty plan; plan() completes it.
  CufftPlanned();
  ~CufftPlanned() override;
  CufftPlanned(CufftPlanned const&) = delete;

  /// Returns whether cuFFT supports these columns.
  bool plan(Columns const& columns);
  std::size_t scratch_bytes() const override { return scratch_bytes_; }
  void run(cudaStream_t stream, void const* in, void* out, bool backward, void* scratch) const;

 private:
  cufftHandle plan_ = 0;
  bool to_reals_ = false;  // cuFFT takes no other direction for them than the inverse
  std::size_t scratch_bytes_ = 0;
};

}  // namespace sixstep::device
