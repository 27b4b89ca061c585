// SPDX-License-Identifier: BSD-3-Clause
// What CUDA's compiler must be able to do, of whichever CMake asks it.
#include <cuda_runtime.h>

__global__ void twice(double* values) { values[threadIdx.x] *= 2; }

int main() {
  twice<<<1, 32>>>(nullptr);
  return 0;
}
