// SPDX-License-Identifier: BSD-3-Clause
// Backends by name, and what users see of them.
#include "device/backend.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "device/door.hpp"
#include "sixstep/device.hpp"
#include "sixstep/error.hpp"

namespace sixstep {

namespace device {

namespace {

/// The emulated device, once something has asked for it.
std::atomic<Backend*> emulated = nullptr;

Backend& emulated_backend() {
  if (!emulated) emulated = &load("emulated");
  return *emulated;
}

}  // namespace

Backend& backend(Device device, int number, int place) {
  require(device != Device::none, "device: cuda or emulated is needed, none was given");
  if (device == Device::emulated) return emulated_backend();
  int const devices = cuda_devices();
  if (devices == 0)
    throw Error("device: there is no GPU that CUDA can use here: " + why_no_cuda_device());
  if (number < 0) number = place % devices;
  require(number < devices, "gpu: 0 to ", devices - 1, " are possible, ", number, " was given");
  Backend& made = cuda_backend(number);
  look_for_devices();
  return made;
}

std::shared_ptr<std::byte> uploaded(Backend& backend, Queue& queue, void const* values,
                                    std::size_t bytes) {
  std::shared_ptr<std::byte> const pinned = backend.allocate_pinned(bytes);
  std::memcpy(pinned.get(), values, bytes);
  std::shared_ptr<std::byte> const there = backend.allocate(bytes);
  queue.copy(there.get(), pinned.get(), bytes);
  queue.finish();
  return there;
}

namespace {

/// The driver's cuPointerGetAttribute(), if something in this process has loaded the driver.
using PointerAttribute = int (*)(void* value, int attribute, std::uintptr_t pointer);
std::atomic<PointerAttribute> pointer_attribute = nullptr;

/// 0 where the driver does not know the pointer.
unsigned attribute_of(void const* memory, int attribute) {
  PointerAttribute const ask = pointer_attribute.load(std::memory_order_relaxed);
  unsigned value = 0;
  bool const is_known =
      ask && ask(&value, attribute, reinterpret_cast<std::uintptr_t>(memory)) == 0;
  return is_known ? value : 0;
}

/// How many libraries this process has loaded since it began.
unsigned long long libraries_loaded() {
  unsigned long long loaded = 0;
  auto const look_at_first = [](dl_phdr_info* info, std::size_t, void* found) {
    *static_cast<unsigned long long*>(found) = info->dlpi_adds;
    return 1;
  };
  dl_iterate_phdr(look_at_first, &loaded);
  return loaded;
}

}  // namespace

void look_for_devices() {
  if (pointer_attribute.load(std::memory_order_relaxed)) return;
  // A search for a library that is not loaded goes through the file system.
  static std::atomic<unsigned long long> loaded_then = 0;
  unsigned long long const loaded = libraries_loaded();
  if (loaded_then.exchange(loaded) == loaded) return;
  // It stays loaded.
  if (void* const driver = dlopen("libcuda.so.1", RTLD_NOLOAD | RTLD_NOW))
    pointer_attribute = reinterpret_cast<PointerAttribute>(dlsym(driver, "cuPointerGetAttribute"));
}

bool is_of_host(void const* memory) {
  constexpr int memory_type = 2, is_managed = 8;  // CU_POINTER_ATTRIBUTE_...
  constexpr unsigned of_device = 2;               // CU_MEMORYTYPE_DEVICE
  Backend* const known = emulated.load(std::memory_order_relaxed);
  return !(known && known->reaches(memory)) &&
         (attribute_of(memory, memory_type) != of_device || attribute_of(memory, is_managed) != 0);
}

int gpu_of(void const* memory) {
  constexpr int ordinal = 9;  // CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
  look_for_devices();
  return static_cast<int>(attribute_of(memory, ordinal));
}

#ifdef SIXSTEP_HAVE_CUDA
bool has_cuda() { return true; }
#else
bool has_cuda() { return false; }

namespace {

[[noreturn]] void refuse_cuda() {
  throw Error("device: this library was built without CUDA; build it with -DSIXSTEP_CUDA=ON",
              ErrorCode::library);
}

}  // namespace

int cuda_devices() { refuse_cuda(); }
std::string why_no_cuda_device() { refuse_cuda(); }
int current_cuda_device() { refuse_cuda(); }
Backend& cuda_backend(int) { refuse_cuda(); }
#endif

}  // namespace device

std::vector<std::string> devices(Device device) {
  if (device == Device::none) return {};
  std::vector<std::string> names;
  if (device == Device::emulated) {
    try {
      names.push_back(device::backend(device, 0).name());
    } catch (Error const&) {  // its file is not there
    }
    return names;
  }
  for (int number = 0; device::has_cuda() && number < device::cuda_devices(); ++number)
    names.push_back(device::cuda_backend(number).name());
  return names;
}

namespace {

device::Backend& current(Device device) {
  return device::backend(device, device == Device::cuda ? device::current_cuda_device() : 0);
}

}  // namespace

std::shared_ptr<void> allocate(Device device, std::size_t bytes) {
  return current(device).allocate(bytes);
}

void copy(Device device, void* to, void const* from, std::size_t bytes) {
  std::unique_ptr<device::Queue> const queue = current(device).make_queue();
  queue->copy(to, from, bytes);
  queue->finish();
}

}  // namespace sixstep
