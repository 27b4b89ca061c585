// SPDX-License-Identifier: BSD-3-Clause
// Copies of boxes on a GPU, put into a stream.
#pragma once

#include <cuda_runtime.h>

#include "device/works.hpp"

namespace sixstep::device {

/// In launches of so many elements at most, below 2^31. The stream is one of the current GPU.
cudaError_t put(Copy const& copy, cudaStream_t stream, Index most = Index{1} << 30);

}  // namespace sixstep::device
