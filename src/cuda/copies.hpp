// SPDX-License-Identifier: BSD-3-Clause
// Works on a GPU, put into a stream.
#pragma once

#include <cuda_runtime.h>

#include "device/works.hpp"

namespace sixstep::device {

/// Puts the copy into a stream of the current GPU, in launches of at most `most` elements, which is
/// below 2^31.
cudaError_t put(Copy const& copy, cudaStream_t stream, Index most = Index{1} << 30);
cudaError_t put(HermitianPart const& part, cudaStream_t stream);
cudaError_t put(Fold const& fold, cudaStream_t stream);

}  // namespace sixstep::device
