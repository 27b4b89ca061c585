// SPDX-License-Identifier: BSD-3-Clause
// Copies of boxes on a GPU, put into a stream.
#pragma once

#include <cuda_runtime.h>

#include "device/works.hpp"

namespace sixstep::device {

/// Errors are left for cudaGetLastError().
void put(Copy const& copy, cudaStream_t stream);

}  // namespace sixstep::device
