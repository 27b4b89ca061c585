// SPDX-License-Identifier: BSD-3-Clause
// Copies of boxes on a GPU, put into a stream.
#pragma once

#include <cuda_runtime.h>

#include "device/works.hpp"

namespace sixstep::device {

/// The stream is one of the current GPU.
cudaError_t put(Copy const& copy, cudaStream_t stream);

}  // namespace sixstep::device
