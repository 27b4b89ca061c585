// SPDX-License-Identifier: BSD-3-Clause
// Backends by name, and what users see of them.
#include "device/backend.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>

#include "sixstep/device.hpp"
#include "sixstep/error.hpp"

namespace sixstep {

namespace device {

Backend& backend(Device device, int number, int place) {
  require(device != Device::none, "device: cuda or emulated is needed, none was given");
  if (device == Device::emulated) return emulated_backend();
  int const devices = cuda_devices();
  require(devices > 0, "device: there is no GPU that CUDA can use here");
  if (number < 0) number = place % devices;
  require(number < devices, "gpu: 0 to ", devices - 1, " are possible, ", number, " was given");
  return cuda_backend(number);
}

namespace {

/// The driver's cuPointerGetAttribute(), if something in this process has loaded the driver. Its
/// types are integers: result, attribute, and memory's kind.
using PointerAttribute = int (*)(void* value, int attribute, std::uintptr_t pointer);
std::atomic<PointerAttribute> pointer_attribute = nullptr;

bool is_on_gpu(void const* memory) {
  PointerAttribute const ask = pointer_attribute.load(std::memory_order_relaxed);
  if (!ask) return false;
  constexpr int memory_type = 2, on_device = 2;  // CU_POINTER_ATTRIBUTE_..., CU_MEMORYTYPE_DEVICE
  unsigned type = 0;
  return ask(&type, memory_type, reinterpret_cast<std::uintptr_t>(memory)) == 0 &&
         type == on_device;
}

}  // namespace

void look_for_devices() {
  if (pointer_attribute.load(std::memory_order_relaxed)) return;
  // It stays loaded.
  if (void* const driver = dlopen("libcuda.so.1", RTLD_NOLOAD | RTLD_NOW))
    pointer_attribute = reinterpret_cast<PointerAttribute>(dlsym(driver, "cuPointerGetAttribute"));
}

bool is_on_device(void const* memory) { return is_on_emulated_device(memory) || is_on_gpu(memory); }

#ifdef SIXSTEP_HAVE_CUDA
bool has_cuda() { return true; }
#else
bool has_cuda() { return false; }
int cuda_devices() {
  throw Error("device: this library was built without CUDA; build it with -DSIXSTEP_CUDA=ON",
              ErrorCode::library);
}
Backend& cuda_backend(int) { return emulated_backend(); }
#endif

}  // namespace device

std::vector<std::string> devices(Device device) {
  if (device == Device::none) return {};
  if (device == Device::emulated) return {device::emulated_backend().name()};
  std::vector<std::string> names;
  for (int number = 0; device::has_cuda() && number < device::cuda_devices(); ++number)
    names.push_back(device::cuda_backend(number).name());
  return names;
}

std::shared_ptr<void> allocate(Device device, std::size_t bytes) {
  return device::backend(device, 0).allocate(bytes);
}

void copy(Device device, void* to, void const* from, std::size_t bytes) {
  std::unique_ptr<device::Queue> const queue = device::backend(device, 0).make_queue();
  queue->copy(to, from, bytes);
  queue->finish();
}

}  // namespace sixstep
