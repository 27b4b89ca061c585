// SPDX-License-Identifier: BSD-3-Clause
// Copies of boxes on a GPU, put into a stream.
#pragma once

#include <cuda_runtime.h>

#include "device/works.hpp"

namespace sixstep::device {

/// Puts the copy into a stream of the current GPU, in launches of at most `most` elements, which is
/// below 2^31.
cudaError_t put(Copy const& copy, cudaStream_t stream, Index most = Index{1} << 30);

}  // namespace sixstep::device
