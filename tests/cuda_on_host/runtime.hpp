// SPDX-License-Identifier: BSD-3-Clause
// What calls of CUDA's runtime begin and end with.
#pragma once

#include <cuda_runtime.h>

namespace cuda_on_host {

/// Whatever a call returns is there for cudaGetLastError(), that something is not ready, too.
cudaError_t returned(cudaError_t status);
/// The error of a call of this kind, which is there for cudaGetLastError(), too.
cudaError_t failed(char const* kind);
/// A call that makes a context current.
void begin();

}  // namespace cuda_on_host
