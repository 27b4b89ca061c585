// SPDX-License-Identifier: BSD-3-Clause
// Backends: a device's memory, its queues, and what it can do in them. The seam between plans and
// GPUs.
//
// A backend knows bytes, boxes and columns, but not what they are for. Calls that put something
// into a queue return at once. Knows nothing about MPI, layouts or plans.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/scattered.hpp"
#include "device/works.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/options.hpp"

namespace sixstep::device {

/// Transforms, along one or more axes, of columns at equal distances. Both sides begin at a
/// multiple of a complex number's bytes.
struct Columns {
  enum class Kind { c2c, r2c, c2r };
  struct Side {
    Shape strides;       // along each axis, in elements of this side
    Index distance = 0;  // from column to column
    bool operator==(Side const&) const = default;
  };

  Kind kind = Kind::c2c;
  int real_bytes = 8;
  Shape lengths = {};  // slowest first; in reals: r2c halves the last axis
  Side source = {};
  Side target = {};
  Index columns = 1;

  bool operator==(Columns const&) const = default;
};

/// Columns for which a backend has prepared all that it needs.
class Planned {
 public:
  virtual ~Planned() = default;
  /// The bytes of scratch that a run needs, aligned to 256.
  virtual std::size_t scratch_bytes() const = 0;
};

/// A point in a queue.
class Event {
 public:
  virtual ~Event() = default;
  /// Whether all works before it have been done; true if it was never recorded.
  virtual bool has_come() = 0;
  virtual void wait() = 0;
  /// Seconds since `earlier`. Both events must have come.
  virtual double seconds_since(Event const& earlier) const = 0;
};

/// Processes whose devices send to each other in their queues.
class Peers {
 public:
  explicit Peers(int number) : number_(number) {}
  virtual ~Peers() = default;
  /// The number of this process.
  int number() const { return number_; }

 private:
  int number_;
};

/// Bytes that go to a peer or come from one, and where they lie.
struct Parcel {
  int peer;
  std::size_t offset;
  std::size_t bytes;
};
using Parcels = std::vector<Parcel>;

/// A queue does works in the order in which they are put there.
class Queue {
 public:
  virtual ~Queue() = default;
  /// Copies from or to the device's memory. Memory of the host must be pinned.
  virtual void copy(void* to, void const* from, std::size_t bytes) = 0;
  virtual void run(Copy const& copy) = 0;
  virtual void run(HermitianPart const& part) = 0;
  virtual void run(Fold const& fold) = 0;
  /// In place if `in` and `out` are the same. `backward` changes the sign in the exponent, of c2c
  /// only.
  virtual void run(Planned const& columns, void const* in, void* out, bool backward,
                   void* scratch) = 0;
  /// Transforms columns by the plan that plan_scattered() has returned for their length.
  virtual void run(Planned const& planned, Scattered const& columns) = 0;
  /// Sends and receives all parcels at the same time. Each peer receives what the other sends it,
  /// in the same order. All peers must put their exchanges into queues in the same order.
  virtual void exchange(Peers& peers, Parcels const& sends, std::byte* source,
                        Parcels const& receives, std::byte* target) = 0;
  virtual void record(Event& event) = 0;
  /// Later works in this queue wait for the event as it was last recorded.
  virtual void wait_for(Event const& event) = 0;
  /// Whether all works have been done.
  virtual bool is_done() = 0;
  /// Waits until all works have been done.
  virtual void finish() = 0;
};

/// How another process finds memory of this device.
struct Handle {
  unsigned char bytes[80];
};

/// The data by which peers find each other.
struct Invitation {
  unsigned char bytes[128];
};

/// An identity that no two devices share.
using Identity = std::array<unsigned char, 16>;

/// A device. Lives as long as the process.
class Backend {
 public:
  virtual ~Backend() = default;

  /// "NVIDIA H200", "emulated device".
  virtual std::string name() const = 0;

  /// The bytes of its last-level cache. Blocks of a part of that size go through several works at
  /// once.
  virtual std::size_t cache_bytes() const = 0;

  /// Memory aligned to 256 bytes. Errors: there is not enough memory.
  virtual std::shared_ptr<std::byte> allocate(std::size_t bytes) = 0;
  virtual std::shared_ptr<std::byte> allocate_pinned(std::size_t bytes) = 0;
  /// Pins memory of the host, whole pages of it, as long as the result is held. Other processes may
  /// have it too. Errors: it cannot be pinned.
  virtual std::shared_ptr<void> pin(std::byte* memory, std::size_t bytes) = 0;
  /// The bytes of a copy from or to the host that takes much longer than its begin.
  virtual std::size_t copy_bytes() const = 0;
  /// Opens memory that allocate() returned in another process on this machine. Errors: it cannot be
  /// opened.
  virtual Handle handle_of(std::byte* memory) = 0;
  virtual std::shared_ptr<std::byte> open(Handle const& handle) = 0;
  /// Whether works may use this memory: the device's, or memory that CUDA manages for all.
  virtual bool reaches(void const* memory) = 0;
  /// Lets the host touch the device's memory while the result is held, if it may not always do so.
  virtual std::shared_ptr<void> let_host_in() { return nullptr; }

  virtual Identity identity() const = 0;
  /// The library by which peers exchange, "NCCL", and whether it is available.
  virtual std::string peers_name() const = 0;
  virtual bool has_peers() const = 0;
  /// One of `peers` processes makes the invitation. Errors: the library is not available.
  virtual Invitation invite(int peers) = 0;
  /// Waits for the other peers. Errors: they cannot reach each other.
  virtual std::unique_ptr<Peers> join(Invitation const& invitation, int peers, int number) = 0;

  virtual std::unique_ptr<Queue> make_queue() = 0;
  /// A queue around the user's stream.
  virtual std::unique_ptr<Queue> make_queue(void* stream) = 0;
  virtual std::unique_ptr<Event> make_event() = 0;
  /// Null if the device cannot do that.
  virtual std::unique_ptr<Planned> plan(Columns const& columns) = 0;
  /// For scattered columns of n points; no scratch is needed. Null if the device cannot do that.
  virtual std::unique_ptr<Planned> plan_scattered(Index n, int real_bytes) = 0;
};

/// A copy of the host's `bytes` in the device's memory, complete when this returns. Works that are
/// in the queue are done before it.
std::shared_ptr<std::byte> uploaded(Backend& backend, Queue& queue, void const* values,
                                    std::size_t bytes);

/// The backend of a device other than Device::none. It takes GPU `number`. If that is negative, the
/// processes of this machine take the GPUs in turn, and `place` is the number of this process.
/// Throws Error
/// - if the library was built without CUDA, or the emulated device's file cannot be loaded;
/// - if there is no such GPU.
Backend& backend(Device device, int number, int place = 0);
/// Whether a plan on the host may use this memory; it may use memory that CUDA manages. This knows
/// only devices that were in use when a plan was last made.
bool is_of_host(void const* memory);
/// The number of the GPU that has this memory; 0 where the driver does not know it.
int gpu_of(void const* memory);
/// Finds out which devices this process uses, through this library or any other.
void look_for_devices();

/// CUDA's devices, from which backend() chooses.
Backend& cuda_backend(int number);
int cuda_devices();
/// The reason in CUDA's words: for example, the driver is too old.
std::string why_no_cuda_device();
/// The device that CUDA's calls of this thread use.
int current_cuda_device();
bool has_cuda();

}  // namespace sixstep::device
