// SPDX-License-Identifier: BSD-3-Clause
// CUDA's runtime, as far as sixstep and its tests call it, as strict as its documentation lets it
// be.
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "device.hpp"
#include "runtime.hpp"

namespace cuda_on_host {

namespace {

struct OfThread {
  int gpu = 0;
  bool has_context = false;
  cudaError_t last = cudaSuccess;
};
thread_local OfThread of_thread;

std::vector<std::atomic<bool>>& in_use() {
  static auto& all = *new std::vector<std::atomic<bool>>(static_cast<std::size_t>(gpus()));
  return all;
}

}  // namespace

cudaError_t returned(cudaError_t status) {
  if (status != cudaSuccess) of_thread.last = status;
  return status;
}

cudaError_t failed(char const* kind) {
  return returned(static_cast<cudaError_t>(failure_of(kind)));
}

void begin() {
  of_thread.has_context = true;
  in_use().at(static_cast<std::size_t>(of_thread.gpu)) = true;
  // As the runtime does: who looks for the driver finds it then.
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (!driver) stop(words("libcuda.so.1 is missing: ", dlerror()));
}

namespace {

struct Event {
  int gpu;
  bool is_timed;
  std::shared_ptr<Moment const> moment = nullptr;
};
std::set<Event*>& events() {
  static auto& all = *new std::set<Event*>;
  return all;
}
Event* event_of(cudaEvent_t handle) {
  std::lock_guard const lock(mutex());
  auto* const event = reinterpret_cast<Event*>(handle);
  return events().count(event) != 0 ? event : nullptr;
}

cudaError_t make_event(cudaEvent_t* event, unsigned flags) {
  if (cudaError_t const error = failed("")) return error;
  if (!event || (flags & ~7u) != 0) return returned(cudaErrorInvalidValue);
  begin();
  std::lock_guard const lock(mutex());
  auto* const made = new Event{of_thread.gpu, (flags & cudaEventDisableTiming) == 0};
  events().insert(made);
  *event = reinterpret_cast<cudaEvent_t>(made);
  return cudaSuccess;
}

bool is_of_host(Memory const* memory) { return !memory || memory->kind == Kind::pinned; }

[[gnu::destructor]] void end() {
  expect_none("pieces of memory", memories_left());
  expect_none("streams", streams_left());
  expect_none("events", events().size());
}

}  // namespace

int current_gpu() { return of_thread.gpu; }
bool has_context() { return of_thread.has_context; }
bool is_in_use(int gpu) { return in_use().at(static_cast<std::size_t>(gpu)); }

}  // namespace cuda_on_host

using namespace cuda_on_host;

// GPUs and errors.

cudaError_t cudaGetDeviceCount(int* count) {
  if (!count) return returned(cudaErrorInvalidValue);
  *count = gpus();
  return gpus() > 0 ? cudaSuccess : returned(cudaErrorNoDevice);
}
cudaError_t cudaGetDevice(int* device) {
  if (!device) return returned(cudaErrorInvalidValue);
  *device = of_thread.gpu;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= gpus()) return returned(cudaErrorInvalidDevice);
  of_thread.gpu = device;
  begin();
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (!properties) return returned(cudaErrorInvalidValue);
  if (device < 0 || device >= gpus()) return returned(cudaErrorInvalidDevice);
  *properties = {};
  std::string const name = words("GPU on the host ", device);
  std::strcpy(properties->name, name.c_str());
  std::strcpy(properties->uuid.bytes, name.c_str());
  properties->l2CacheSize = 1 << 14;  // small, so that blocks are many
  properties->sharedMemPerBlockOptin = most_shared_bytes;
  return cudaSuccess;
}
cudaError_t cudaGetLastError() { return std::exchange(of_thread.last, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return of_thread.last; }
char const* cudaGetErrorString(cudaError_t error) {
  static thread_local std::string text;
  text = words("error ", static_cast<int>(error), " of CUDA on the host");
  return text.c_str();
}
cudaError_t cudaDeviceSynchronize() {
  begin();
  // All of this GPU's streams: the default one waits for those that wait for it.
  Stream* const stream = stream_of(nullptr);
  auto const end = put(*stream, {});
  run_until([&] { return end->has_come; });
  return cudaSuccess;
}

// Memory.

namespace {

cudaError_t make(void** memory, std::size_t bytes, Kind kind) {
  if (cudaError_t const error = failed("")) return error;
  if (!memory) return returned(cudaErrorInvalidValue);
  begin();
  *memory = nullptr;
  if (bytes == 0) return cudaSuccess;
  *memory = allocate(bytes, kind);
  return *memory ? cudaSuccess : returned(cudaErrorMemoryAllocation);
}

}  // namespace

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  return make(memory, bytes, Kind::device);
}
cudaError_t cudaMallocManaged(void** memory, std::size_t bytes, unsigned flags) {
  if (flags != cudaMemAttachGlobal || bytes == 0) return returned(cudaErrorInvalidValue);
  return make(memory, bytes, Kind::managed);
}
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned flags) {
  if ((flags & ~7u) != 0) return returned(cudaErrorInvalidValue);
  return make(memory, bytes, Kind::pinned);
}
cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned flags) {
  if (!memory || bytes == 0 || (flags & ~15u) != 0) return returned(cudaErrorInvalidValue);
  begin();
  if (std::getenv("CUDA_ON_HOST_NO_REGISTER")) return returned(cudaErrorNotSupported);
  if (!register_memory(memory, bytes)) return returned(cudaErrorHostMemoryAlreadyRegistered);
  return cudaSuccess;
}
cudaError_t cudaHostUnregister(void* memory) {
  if (!memory) return returned(cudaErrorInvalidValue);
  begin();
  return unregister(memory) ? cudaSuccess : returned(cudaErrorHostMemoryNotRegistered);
}
cudaError_t cudaFree(void* memory) {
  begin();
  if (!memory || release(memory, false)) return failed("");
  return returned(cudaErrorInvalidValue);
}
cudaError_t cudaFreeHost(void* memory) {
  begin();
  if (!memory || release(memory, true)) return failed("");
  return returned(cudaErrorInvalidValue);
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, void const* pointer) {
  if (cudaError_t const error = failed("")) return error;
  if (!attributes) return returned(cudaErrorInvalidValue);
  begin();
  *attributes = {};
  attributes->device = -2;  // cudaInvalidDeviceId
  Memory const* const memory = find(pointer);
  if (!memory) return cudaSuccess;
  attributes->type = memory->kind == Kind::pinned    ? cudaMemoryTypeHost
                     : memory->kind == Kind::managed ? cudaMemoryTypeManaged
                                                     : cudaMemoryTypeDevice;
  attributes->device = memory->gpu;
  attributes->devicePointer = const_cast<void*>(pointer);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t handle) {
  if (cudaError_t const error = failed("copy")) return error;
  begin();
  Stream* const stream = stream_of(handle);
  if (!stream) return returned(cudaErrorInvalidResourceHandle);
  if (bytes == 0) return cudaSuccess;
  if (!to || !from) return returned(cudaErrorInvalidValue);
  Memory const *const source = find(from), *const target = find(to);
  cudaMemcpyKind const is = is_of_host(source)
                                ? is_of_host(target) ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice
                            : is_of_host(target) ? cudaMemcpyDeviceToHost
                                                 : cudaMemcpyDeviceToDevice;
  if (kind != cudaMemcpyDefault && kind != is) return returned(cudaErrorInvalidValue);
  auto const copy = [=] {
    for (auto const& [memory, place] : {std::pair{source, from}, {target, to}})
      if (memory) expect_reach(find(place) ? find(place)->gpu : -1, place, bytes, "a copy");
    std::memcpy(to, from, bytes);
  };
  auto const end = put(*stream, {copy});
  if (source && target) return cudaSuccess;
  // From and to memory that is not pinned it is done, or as good as done, when the call returns.
  run_until([&] { return end->has_come; });
  stream->has_pageable_copy = true;
  return cudaSuccess;
}

namespace {
struct HandleOfMemory {
  Address address;
};
static_assert(sizeof(HandleOfMemory) <= sizeof(cudaIpcMemHandle_t));
}  // namespace

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* memory) {
  if (cudaError_t const error = failed("")) return error;
  if (!handle) return returned(cudaErrorInvalidValue);
  begin();
  if (std::getenv("CUDA_ON_HOST_NO_IPC")) return returned(cudaErrorNotSupported);
  *handle = {};
  Address address;
  if (!address_of(memory, address)) return returned(cudaErrorInvalidValue);
  std::memcpy(handle, &address, sizeof address);
  return cudaSuccess;
}
cudaError_t cudaIpcOpenMemHandle(void** memory, cudaIpcMemHandle_t handle, unsigned flags) {
  if (cudaError_t const error = failed("")) return error;
  if (!memory || flags != cudaIpcMemLazyEnablePeerAccess) return returned(cudaErrorInvalidValue);
  begin();
  Address address;
  std::memcpy(&address, &handle, sizeof address);
  *memory = open(address);
  return *memory ? cudaSuccess : returned(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaIpcCloseMemHandle(void* memory) {
  begin();
  return close(memory) ? failed("") : returned(cudaErrorInvalidValue);
}

// Streams and events.

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  if (cudaError_t const error = failed("")) return error;
  if (!stream || flags > cudaStreamNonBlocking) return returned(cudaErrorInvalidValue);
  begin();
  std::lock_guard const lock(mutex());
  *stream = reinterpret_cast<cudaStream_t>(make_stream(flags == cudaStreamDefault));
  return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  Stream* const stream = handle ? stream_of(handle) : nullptr;
  if (!stream) return returned(cudaErrorInvalidResourceHandle);
  destroy(stream);
  return failed("");
}
cudaError_t cudaStreamQuery(cudaStream_t handle) {
  if (cudaError_t const error = failed("query")) return error;
  begin();
  Stream* const stream = stream_of(handle);
  if (!stream) return returned(cudaErrorInvalidResourceHandle);
  run_a_little();
  if (cudaError_t const error = failed("")) return error;
  if (!stream->tasks.empty()) return returned(cudaErrorNotReady);
  stream->has_pageable_copy = false;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  if (cudaError_t const error = failed("wait")) return error;
  begin();
  Stream* const stream = stream_of(handle);
  if (!stream) return returned(cudaErrorInvalidResourceHandle);
  run_until([&] { return stream->tasks.empty(); });
  stream->has_pageable_copy = false;
  return failed("");
}
cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned flags) {
  if (cudaError_t const error = failed("")) return error;
  begin();
  Stream* const stream = stream_of(handle);
  Event const* const event = event_of(event_handle);
  if (!stream || !event) return returned(cudaErrorInvalidResourceHandle);
  if (flags != cudaEventWaitDefault) return returned(cudaErrorInvalidValue);
  if (event->moment) put(*stream, {nullptr, {event->moment}});
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return make_event(event, cudaEventDefault); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return make_event(event, flags);
}
cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  Event* const event = event_of(handle);
  if (!event) return returned(cudaErrorInvalidResourceHandle);
  std::lock_guard const lock(mutex());
  events().erase(event);
  delete event;
  return failed("");
}
cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
  if (cudaError_t const error = failed("record")) return error;
  begin();
  Stream* const stream = stream_of(stream_handle);
  Event* const event = event_of(handle);
  if (!stream || !event || event->gpu != stream->gpu)
    return returned(cudaErrorInvalidResourceHandle);
  event->moment = put(*stream, {});
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t handle) {
  if (cudaError_t const error = failed("query")) return error;
  Event const* const event = event_of(handle);
  if (!event) return returned(cudaErrorInvalidResourceHandle);
  if (!event->moment) return cudaSuccess;
  if (!event->moment->has_come) run_a_little();
  if (cudaError_t const error = failed("")) return error;
  return event->moment->has_come ? cudaSuccess : returned(cudaErrorNotReady);
}
cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  if (cudaError_t const error = failed("wait")) return error;
  Event const* const event = event_of(handle);
  if (!event) return returned(cudaErrorInvalidResourceHandle);
  if (event->moment) run_until([&] { return event->moment->has_come; });
  return failed("");
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t first, cudaEvent_t last) {
  if (cudaError_t const error = failed("")) return error;
  if (!milliseconds) return returned(cudaErrorInvalidValue);
  Event const *const start = event_of(first), *const end = event_of(last);
  if (!start || !end || !start->moment || !end->moment || !start->is_timed || !end->is_timed ||
      start->gpu != end->gpu)
    return returned(cudaErrorInvalidResourceHandle);
  if (!start->moment->has_come || !end->moment->has_come) return returned(cudaErrorNotReady);
  *milliseconds =
      std::chrono::duration<float, std::milli>(end->moment->when - start->moment->when).count();
  return cudaSuccess;
}
