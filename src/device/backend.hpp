// SPDX-License-Identifier: BSD-3-Clause
// Backends: a device's memory, its queues, and what it can do in them. The seam between plans and
// GPUs.
//
// A backend knows bytes, boxes and columns; what they are for it does not know. Calls that put
// something into a queue return at once. Knows nothing about MPI, layouts or plans.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/works.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/options.hpp"

namespace sixstep::device {

/// Transforms of columns that lie at one distance, along one or more axes. Both sides begin at a
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
  Shape lengths = {};  // slowest first; of reals, which are halved along the last
  Side source = {};
  Side target = {};
  Index columns = 1;

  bool operator==(Columns const&) const = default;
};

/// Columns for which a backend has made ready whatever it needs.
class Planned {
 public:
  virtual ~Planned() = default;
  /// That a run needs, aligned to 256.
  virtual std::size_t scratch_bytes() const = 0;
};

/// A point in a queue.
class Event {
 public:
  virtual ~Event() = default;
  /// Whether all before it has been done; true if it was never recorded.
  virtual bool has_come() = 0;
  virtual void wait() = 0;
  /// From an earlier one; both have come.
  virtual double seconds_since(Event const& earlier) const = 0;
};

/// Processes whose devices send to each other in their queues.
class Peers {
 public:
  explicit Peers(int number) : number_(number) {}
  virtual ~Peers() = default;
  /// Of this process.
  int number() const { return number_; }

 private:
  int number_;
};

/// What goes to a peer or comes from one, and where it lies.
struct Parcel {
  int peer;
  std::size_t offset;
  std::size_t bytes;
};
using Parcels = std::vector<Parcel>;

/// Works in the order in which they are put there.
class Queue {
 public:
  virtual ~Queue() = default;
  /// From or to the device's memory; memory of the host is pinned.
  virtual void copy(void* to, void const* from, std::size_t bytes) = 0;
  virtual void run(Copy const& copy) = 0;
  /// In place if `in` and `out` are the same. With the other sign if `backward`, of c2c.
  virtual void run(Planned const& columns, void const* in, void* out, bool backward,
                   void* scratch) = 0;
  /// All at the same time; of two peers one sends what the other receives, in that order, and all
  /// exchanges of peers are put into queues in the same order by all of them.
  virtual void exchange(Peers& peers, Parcels const& sends, std::byte* source,
                        Parcels const& receives, std::byte* target) = 0;
  virtual void record(Event& event) = 0;
  /// What comes later in this queue waits for the event as it was last recorded.
  virtual void wait_for(Event const& event) = 0;
  /// Whether all has been done.
  virtual bool is_done() = 0;
  /// Waits until it has.
  virtual void finish() = 0;
};

/// How another process finds memory of this device.
struct Handle {
  unsigned char bytes[80];
};

/// By which peers find each other.
struct Invitation {
  unsigned char bytes[128];
};

/// Of which no two devices have the same.
using Identity = std::array<unsigned char, 16>;

/// A device. Lives as long as the process.
class Backend {
 public:
  virtual ~Backend() = default;

  /// "NVIDIA H200", "emulated device".
  virtual std::string name() const = 0;

  /// What its last-level cache has: blocks of some of that go through several works at once.
  virtual std::size_t cache_bytes() const = 0;

  /// Aligned to 256 bytes. Errors: memory that cannot be had.
  virtual std::shared_ptr<std::byte> allocate(std::size_t bytes) = 0;
  virtual std::shared_ptr<std::byte> allocate_pinned(std::size_t bytes) = 0;
  /// Memory of another process on this machine: what allocate() gave there. Errors: it cannot be
  /// opened.
  virtual Handle handle_of(std::byte* memory) = 0;
  virtual std::shared_ptr<std::byte> open(Handle const& handle) = 0;
  /// Whether works may be given this memory: the device's, or of everybody's what CUDA manages.
  virtual bool reaches(void const* memory) = 0;
  /// Lets the host at the device's memory, where that is not always so, as long as it is held.
  virtual std::shared_ptr<void> let_host_in() { return nullptr; }

  virtual Identity identity() const = 0;
  /// What peers exchange by: "NCCL"; and whether that is there.
  virtual std::string peers_name() const = 0;
  virtual bool has_peers() const = 0;
  /// For so many, by one of them. Errors: what that needs is not there.
  virtual Invitation invite(int peers) = 0;
  /// Waits for the others. Errors: they cannot reach each other so.
  virtual std::unique_ptr<Peers> join(Invitation const& invitation, int peers, int number) = 0;

  virtual std::unique_ptr<Queue> make_queue() = 0;
  /// A queue around a stream of the user's.
  virtual std::unique_ptr<Queue> make_queue(void* stream) = 0;
  virtual std::unique_ptr<Event> make_event() = 0;
  /// None if the device cannot do that.
  virtual std::unique_ptr<Planned> plan(Columns const& columns) = 0;
};

/// The backend of a device that is not Device::none; of several GPUs that with the number, or if
/// that is negative, the one whose turn it is for process number `place` of this machine. Errors: a
/// library that was built without it; no such GPU.
Backend& backend(Device device, int number, int place = 0);
/// Whether a plan on the host may be given this memory; what CUDA manages is everybody's. What is
/// known of it is what was in use when a plan was last made.
bool is_of_host(void const* memory);
/// Finds out which devices are in use in this process, by whomever.
void look_for_devices();

/// What backend() chooses from.
Backend& emulated_backend();
bool is_on_emulated_device(void const* memory);
Backend& cuda_backend(int number);
int cuda_devices();
/// A driver that is too old, for example, in CUDA's words.
std::string why_no_cuda_device();
/// That which CUDA's calls of this thread are for.
int current_cuda_device();
bool has_cuda();

}  // namespace sixstep::device
