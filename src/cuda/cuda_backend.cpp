// SPDX-License-Identifier: BSD-3-Clause
// NVIDIA GPUs: calls to the CUDA runtime, and the meaning of their errors.
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <complex>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "cuda/copies.hpp"
#include "cuda/cufft_library.hpp"
#include "cuda/cufft_planned.hpp"
#include "cuda/nccl_peers.hpp"
#include "cuda/scattered.hpp"
#include "device/backend.hpp"
#include "local/numbers/roots.hpp"
#include "sixstep/error.hpp"

namespace sixstep::device {

namespace {

/// Throws an Error that says what could not be done.
template <class... Parts>
void check(cudaError_t status, Parts const&... what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clears the error, which is reported now
  ErrorCode const code =
      status == cudaErrorMemoryAllocation ? ErrorCode::memory : ErrorCode::library;
  throw Error(text("cuda: ", what..., ": ", cudaGetErrorString(status)), code);
}

/// Whether a query says ready. Clears "not ready", so that it is not reported as an error later.
bool is_ready(cudaError_t status) {
  if (status == cudaErrorNotReady) {
    cudaGetLastError();
    return false;
  }
  check(status, "what was put into a stream");
  return true;
}

/// Whether this process uses a GPU already.
bool is_in_use(int number) {
  using GetState = int (*)(int device, unsigned* flags, int* is_active);
  static auto const get_state = [] {
    void* const driver = dlopen("libcuda.so.1", RTLD_NOLOAD | RTLD_NOW);
    return reinterpret_cast<GetState>(driver ? dlsym(driver, "cuDevicePrimaryCtxGetState")
                                             : nullptr);
  }();
  unsigned flags = 0;
  int is_active = 1;
  return !get_state || get_state(number, &flags, &is_active) != 0 || is_active != 0;
}

/// Makes a GPU the current one of this thread until the end of the block, and then restores the one
/// before. It does not restore a GPU that this process has not used: threads begin with GPU 0, and
/// otherwise all ranks would take memory there.
class Current {
 public:
  explicit Current(int number) {
    check(cudaGetDevice(&before_), "the current device");
    if (before_ == number) {
      before_ = -1;
      return;
    }
    check(cudaSetDevice(number), "GPU ", number);
  }
  ~Current() {
    if (before_ >= 0 && is_in_use(before_)) cudaSetDevice(before_);
  }
  Current(Current const&) = delete;

 private:
  int before_ = -1;
};

class CudaEvent : public Event {
 public:
  explicit CudaEvent(int gpu) : gpu_(gpu) {
    Current const current(gpu_);
    check(cudaEventCreate(&event_), "an event");
  }
  ~CudaEvent() override { cudaEventDestroy(event_); }
  CudaEvent(CudaEvent const&) = delete;

  bool has_come() override { return is_ready(cudaEventQuery(event_)); }
  void wait() override { check(cudaEventSynchronize(event_), "what was put into a stream"); }
  double seconds_since(Event const& earlier) const override {
    float milliseconds = 0;
    check(
        cudaEventElapsedTime(&milliseconds, static_cast<CudaEvent const&>(earlier).event_, event_),
        "the time between two events");
    return 1e-3 * milliseconds;
  }
  cudaEvent_t get() const { return event_; }

 private:
  int gpu_;
  cudaEvent_t event_ = nullptr;
};

/// Scattered columns of a length, with the tables of its recipe.
class CudaScattered : public Planned {
 public:
  CudaScattered(ScatteredRecipe const& recipe, std::size_t most_bytes,
                std::shared_ptr<std::byte> roots, std::shared_ptr<std::byte> order)
      : recipe_(recipe),
        most_bytes_(most_bytes),
        roots_(std::move(roots)),
        order_(std::move(order)) {}

  std::size_t scratch_bytes() const override { return 0; }
  void run(cudaStream_t stream, Scattered const& columns) const {
    ScatteredTables const tables{roots_.get(),
                                 reinterpret_cast<std::uint32_t const*>(order_.get())};
    check(put(columns, recipe_, tables, most_bytes_, stream), columns.columns(), " columns of ",
          columns.n, " points");
  }

 private:
  ScatteredRecipe recipe_;
  std::size_t most_bytes_;
  std::shared_ptr<std::byte> roots_, order_;
};

class CudaQueue : public Queue {
 public:
  explicit CudaQueue(int gpu) : gpu_(gpu), is_lent_(false) {
    Current const current(gpu_);
    // Runs in order with the user's work in the default stream.
    check(cudaStreamCreate(&stream_), "a stream");
  }
  CudaQueue(int gpu, cudaStream_t stream) : gpu_(gpu), is_lent_(true), stream_(stream) {}
  ~CudaQueue() override {
    if (!is_lent_) cudaStreamDestroy(stream_);
  }
  CudaQueue(CudaQueue const&) = delete;

  void copy(void* to, void const* from, std::size_t bytes) override {
    Current const current(gpu_);
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), "a copy of ", bytes,
          " bytes");
  }
  void run(Copy const& copy) override {
    Current const current(gpu_);
    check(put(copy, stream_), "a copy of ", copy.elements(), " elements");
  }
  void run(HermitianPart const& part) override {
    Current const current(gpu_);
    check(put(part, stream_), "the Hermitian part of ", part.elements(), " elements");
  }
  void run(Fold const& fold) override {
    Current const current(gpu_);
    check(put(fold, stream_), "spectra of ", 2 * fold.m, " reals");
  }
  void run(Planned const& columns, void const* in, void* out, bool backward,
           void* scratch) override {
    Current const current(gpu_);
    static_cast<CufftPlanned const&>(columns).run(stream_, in, out, backward, scratch);
  }
  void run(Planned const& planned, Scattered const& columns) override {
    Current const current(gpu_);
    static_cast<CudaScattered const&>(planned).run(stream_, columns);
  }
  void exchange(Peers& peers, Parcels const& sends, std::byte* source, Parcels const& receives,
                std::byte* target) override {
    Current const current(gpu_);
    exchange_by_nccl(peers, sends, source, receives, target, stream_);
  }
  void record(Event& event) override {
    Current const current(gpu_);
    check(cudaEventRecord(static_cast<CudaEvent&>(event).get(), stream_), "an event");
  }
  void wait_for(Event const& event) override {
    Current const current(gpu_);
    check(cudaStreamWaitEvent(stream_, static_cast<CudaEvent const&>(event).get(), 0),
          "the wait for an event");
  }
  bool is_done() override {
    Current const current(gpu_);
    return is_ready(cudaStreamQuery(stream_));
  }
  void finish() override {
    Current const current(gpu_);
    check(cudaStreamSynchronize(stream_), "what was put into a stream");
  }

 private:
  int gpu_;
  bool is_lent_;
  cudaStream_t stream_ = nullptr;
};

class CudaBackend : public Backend {
 public:
  explicit CudaBackend(int number) : gpu_(number) {
    check(cudaGetDeviceProperties(&properties_, number), "GPU ", number);
    cufft();
  }

  std::string name() const override { return properties_.name; }
  std::size_t cache_bytes() const override {
    return static_cast<std::size_t>(properties_.l2CacheSize);
  }

  std::shared_ptr<std::byte> allocate(std::size_t bytes) override {
    Current const current(gpu_);
    void* memory = nullptr;
    check(cudaMalloc(&memory, bytes > 0 ? bytes : 1), bytes, " bytes");
    return {static_cast<std::byte*>(memory), [](std::byte* mine) { cudaFree(mine); }};
  }
  std::shared_ptr<std::byte> allocate_pinned(std::size_t bytes) override {
    Current const current(gpu_);
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, bytes > 0 ? bytes : 1, cudaHostAllocPortable), bytes,
          " bytes of the host's memory, pinned");
    return {static_cast<std::byte*>(memory), [](std::byte* mine) { cudaFreeHost(mine); }};
  }
  std::shared_ptr<void> pin(std::byte* memory, std::size_t bytes) override {
    Current const current(gpu_);
    check(cudaHostRegister(memory, bytes, cudaHostRegisterPortable), bytes,
          " bytes of the host's memory, pinned");
    return {memory, cudaHostUnregister};
  }
  /// 80 us over PCIe at 50 GB/s, where a copy begins in less than 10 us.
  std::size_t copy_bytes() const override { return std::size_t{1} << 22; }
  Handle handle_of(std::byte* memory) override {
    Current const current(gpu_);
    cudaIpcMemHandle_t theirs;
    check(cudaIpcGetMemHandle(&theirs, memory), "memory that other ranks could open");
    Handle handle{};
    static_assert(sizeof theirs <= sizeof handle);
    std::memcpy(&handle, &theirs, sizeof theirs);
    return handle;
  }
  std::shared_ptr<std::byte> open(Handle const& handle) override {
    Current const current(gpu_);
    cudaIpcMemHandle_t theirs;
    std::memcpy(&theirs, &handle, sizeof theirs);
    void* memory = nullptr;
    check(cudaIpcOpenMemHandle(&memory, theirs, cudaIpcMemLazyEnablePeerAccess),
          "the memory of another rank's GPU");
    return {static_cast<std::byte*>(memory), [](std::byte* its) { cudaIpcCloseMemHandle(its); }};
  }

  bool reaches(void const* memory) override {
    Current const current(gpu_);
    cudaPointerAttributes its{};
    cudaError_t const status = cudaPointerGetAttributes(&its, memory);
    if (status == cudaErrorInvalidValue) {  // CUDA knows nothing of this memory
      cudaGetLastError();
      return false;
    }
    check(status, "the memory of an array");
    return its.type == cudaMemoryTypeManaged ||
           (its.type == cudaMemoryTypeDevice && its.device == gpu_);
  }

  Identity identity() const override {
    Identity identity;
    static_assert(sizeof properties_.uuid == sizeof identity);
    std::memcpy(&identity, &properties_.uuid, sizeof identity);
    return identity;
  }
  std::string peers_name() const override { return "NCCL"; }
  bool has_peers() const override { return has_nccl(); }
  Invitation invite(int) override {
    Current const current(gpu_);
    return nccl_invitation();
  }
  std::unique_ptr<Peers> join(Invitation const& invitation, int peers, int number) override {
    Current const current(gpu_);
    return join_by_nccl(invitation, peers, number);
  }

  std::unique_ptr<Queue> make_queue() override { return std::make_unique<CudaQueue>(gpu_); }
  std::unique_ptr<Queue> make_queue(void* stream) override {
    return std::make_unique<CudaQueue>(gpu_, static_cast<cudaStream_t>(stream));
  }
  std::unique_ptr<Event> make_event() override { return std::make_unique<CudaEvent>(gpu_); }
  std::unique_ptr<Planned> plan(Columns const& columns) override {
    Current const current(gpu_);
    auto made = std::make_unique<CufftPlanned>();
    if (!made->plan(columns)) return nullptr;
    return made;
  }
  std::unique_ptr<Planned> plan_scattered(Index n, int real_bytes) override {
    std::size_t const most_bytes = properties_.sharedMemPerBlockOptin;
    ScatteredRecipe const recipe = ScatteredRecipe::of(n, real_bytes, most_bytes);
    if (recipe.passes == 0) return nullptr;
    Current const current(gpu_);
    check(allow_tiles(real_bytes, most_bytes), "memory that a block shares");
    auto const roots =
        real_bytes == sizeof(float) ? upload(roots_of<float>(n)) : upload(roots_of<double>(n));
    return std::make_unique<CudaScattered>(recipe, most_bytes, roots, upload(recipe.order()));
  }

 private:
  template <class Real>
  static std::vector<std::complex<Real>> roots_of(Index n) {
    std::vector<std::complex<Real>> roots;
    for (Index k = 0; k < n; ++k) roots.push_back(local::root<Real>(k, n));
    return roots;
  }
  template <class Value>
  std::shared_ptr<std::byte> upload(std::vector<Value> const& values) {
    CudaQueue queue(gpu_);
    return uploaded(*this, queue, values.data(), values.size() * sizeof(Value));
  }

  int gpu_;
  cudaDeviceProp properties_{};
};

}  // namespace

int cuda_devices() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) == cudaSuccess) return devices;
  cudaGetLastError();  // no driver, or one that is too old
  return 0;
}

std::string why_no_cuda_device() {
  int devices = 0;
  cudaError_t const status = cudaGetDeviceCount(&devices);
  cudaGetLastError();
  return cudaGetErrorString(status);
}

int current_cuda_device() {
  int number = 0;
  check(cudaGetDevice(&number), "the current device");
  return number;
}

Backend& cuda_backend(int number) {
  // Never destroyed, because arrays may outlive other static objects.
  static std::mutex& mutex = *new std::mutex;
  static auto& made = *new std::vector<std::unique_ptr<CudaBackend>>;
  std::lock_guard const lock(mutex);
  auto const at = static_cast<std::size_t>(number);
  if (made.size() <= at) made.resize(at + 1);
  if (!made[at]) made[at] = std::make_unique<CudaBackend>(number);
  return *made[at];
}

}  // namespace sixstep::device
