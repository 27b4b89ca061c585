// SPDX-License-Identifier: BSD-3-Clause
// Backends by name, and what users see of them.
#include "device/backend.hpp"
#include "sixstep/device.hpp"
#include "sixstep/error.hpp"

#include <algorithm>

namespace sixstep {

namespace device {

Backend& backend(Device device, int number, int place) {
  require(device != Device::none, "device: cuda or emulated is needed, none was given");
  if (device == Device::emulated) return emulated_backend();
  int const devices = cuda_devices();
  require(devices > 0, "device: there is no GPU that CUDA can use here");
  if (number < 0) number = place % devices;
  require(number < devices, "gpu: 0 to ", devices - 1, " are possible, ", number,
          " was given");
  return cuda_backend(number);
}

bool is_on_device(void const* memory) { return is_on_emulated_device(memory) || is_on_gpu(memory); }

#ifndef SIXSTEP_HAVE_CUDA
int cuda_devices() {
  throw Error("device: this library was built without CUDA; build it with -DSIXSTEP_CUDA=ON",
              ErrorCode::library);
}
Backend& cuda_backend(int) { return emulated_backend(); }
bool is_on_gpu(void const*) { return false; }
#endif

}  // namespace device

std::vector<std::string> devices(Device device) {
  if (device == Device::none) return {};
  if (device == Device::emulated) return {device::emulated_backend().name()};
  std::vector<std::string> names;
#ifdef SIXSTEP_HAVE_CUDA
  for (int number = 0; number < device::cuda_devices(); ++number)
    names.push_back(device::cuda_backend(number).name());
#endif
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
