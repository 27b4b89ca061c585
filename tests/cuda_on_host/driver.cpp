// SPDX-License-Identifier: BSD-3-Clause
// CUDA's driver, of which sixstep asks what a pointer points to.
#include <cuda.h>

#include "device.hpp"

using namespace cuda_on_host;

CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  if (!has_context()) return CUDA_ERROR_INVALID_CONTEXT;
  Memory const* const memory = find(reinterpret_cast<void const*>(pointer));
  if (!memory) return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<unsigned*>(value) =
          memory->kind == Kind::pinned ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<bool*>(value) = memory->kind == Kind::managed;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int*>(value) = memory->gpu;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult cuDevicePrimaryCtxGetState(CUdevice gpu, unsigned* flags, int* is_active) {
  if (gpu < 0 || gpu >= gpus() || !flags || !is_active) return CUDA_ERROR_INVALID_VALUE;
  *flags = 0;
  *is_active = is_in_use(gpu) ? 1 : 0;
  return CUDA_SUCCESS;
}
