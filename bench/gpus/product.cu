// SPDX-License-Identifier: BSD-3-Clause
#include "gpus/product.hpp"

#include <cuda_runtime.h>

namespace sixstep::bench {

namespace {

template <class Real>
struct Coefficient {
  Real re, im;
};

__device__ int wave(int index, int n) { return 2 * index > n ? index - n : index; }

template <class Real>
__global__ void divide(Coefficient<Real>* coefficients, int n0, int n1, int n2, int kept) {
  int const i2 = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  int const i1 = static_cast<int>(blockIdx.y), i0 = static_cast<int>(blockIdx.z);
  if (i2 >= kept) return;
  int const k0 = wave(i0, n0), k1 = wave(i1, n1), k2 = wave(i2, n2);
  auto const square = static_cast<Real>(k0 * k0 + k1 * k1 + k2 * k2);
  Real const points = static_cast<Real>(n0) * static_cast<Real>(n1) * static_cast<Real>(n2);
  Real const factor = square == 0 ? Real{0} : Real{-1} / (square * points);
  Coefficient<Real>& here =
      coefficients[(static_cast<long long>(i0) * n1 + i1) * kept + i2];
  here = {factor * here.re, factor * here.im};
}

}  // namespace

template <class Real>
bool divide_by_laplacian(void* coefficients, Index n0, Index n1, Index n2, Index kept) {
  constexpr unsigned threads = 256;
  dim3 const blocks(static_cast<unsigned>(kept + threads - 1) / threads, static_cast<unsigned>(n1),
                    static_cast<unsigned>(n0));
  divide<Real><<<blocks, threads>>>(static_cast<Coefficient<Real>*>(coefficients),
                                    static_cast<int>(n0), static_cast<int>(n1),
                                    static_cast<int>(n2), static_cast<int>(kept));
  return cudaGetLastError() == cudaSuccess;
}

template bool divide_by_laplacian<float>(void*, Index, Index, Index, Index);
template bool divide_by_laplacian<double>(void*, Index, Index, Index, Index);

}  // namespace sixstep::bench
