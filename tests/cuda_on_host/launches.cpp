// SPDX-License-Identifier: BSD-3-Clause
// Launches of kernels by CUDA's runtime: functions of the host that stand for kernels.
#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "device.hpp"
#include "runtime.hpp"

// What nvcc makes calls to.
extern "C" {
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaUnregisterFatBinary(void**);
void __cudaRegisterFunction(void**, char const* on_host, char*, char const* mangled, int, uint3*,
                            uint3*, dim3*, dim3*, int*);
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, std::size_t*, void*);
cudaError_t __cudaGetKernel(cudaKernel_t*, void const*);
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, std::size_t, cudaStream_t);
}

using namespace cuda_on_host;

namespace {

/// Functions of the host that stand for kernels.
std::map<void const*, Kernel*>& registered() {
  static auto& all = *new std::map<void const*, Kernel*>;
  return all;
}

cudaError_t launch(void const* function, dim3 blocks, dim3 threads, void** arguments,
                   std::size_t shared, Stream* stream) {
  constexpr unsigned most_blocks = 0x7fffffff, most_others = 65535, most_threads = 1024,
                     most_z = 64;
  constexpr std::size_t most_arguments = 4096;
  auto const found = registered().find(function);
  if (found == registered().end()) return cudaErrorInvalidDeviceFunction;
  Kernel const& kernel = *found->second;
  if (!stream || stream->gpu != current_gpu()) return cudaErrorInvalidResourceHandle;
  if (blocks.x == 0 || blocks.y == 0 || blocks.z == 0 || threads.x == 0 || threads.y == 0 ||
      threads.z == 0 || blocks.x > most_blocks || blocks.y > most_others ||
      blocks.z > most_others || threads.x > most_threads || threads.y > most_threads ||
      threads.z > most_z || threads.x * threads.y * threads.z > most_threads)
    return cudaErrorInvalidConfiguration;
  if (shared > kernel.most_shared || kernel.argument_bytes > most_arguments)
    return cudaErrorInvalidValue;
  auto const argument =
      std::make_shared<std::string>(static_cast<char const*>(arguments[0]), kernel.argument_bytes);
  Grid const grid{{blocks.x, blocks.y, blocks.z}, {threads.x, threads.y, threads.z}};
  put(*stream, {[=, &kernel, gpu = stream->gpu] {
    kernel.check(argument->data(), gpu);
    kernel.run(argument->data(), grid);
  }});
  return cudaSuccess;
}

}  // namespace

void** __cudaRegisterFatBinary(void* binary) { return static_cast<void**>(binary); }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, char const* on_host, char*, char const* mangled, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  if (Kernel* const found = kernel(mangled)) registered()[on_host] = found;
}
cudaError_t cudaLaunchKernel(void const* function, dim3 blocks, dim3 threads, void** arguments,
                             std::size_t shared, cudaStream_t stream) {
  if (cudaError_t const error = failed("launch")) return error;
  begin();
  return returned(launch(function, blocks, threads, arguments, shared, stream_of(stream)));
}
cudaError_t cudaFuncSetAttribute(void const* function, cudaFuncAttribute attribute, int value) {
  auto const found = registered().find(function);
  if (found == registered().end()) return returned(cudaErrorInvalidDeviceFunction);
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
      static_cast<std::size_t>(value) > most_shared_bytes)
    return returned(cudaErrorInvalidValue);
  found->second->most_shared = static_cast<std::size_t>(value);
  return cudaSuccess;
}
// Of launches by <<<>>>, which the library has none of.
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, std::size_t*, void*) {
  stop("a launch by <<<>>>");
}
cudaError_t __cudaGetKernel(cudaKernel_t*, void const*) { return cudaSuccess; }
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, std::size_t, cudaStream_t) {
  stop("a launch by <<<>>>");
}
