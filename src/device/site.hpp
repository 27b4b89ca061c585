// SPDX-License-Identifier: BSD-3-Clause
// Sites: where a plan works, on the host or on a device. Runners ask a site for memory, for
// exchanges, and for an end of all work.
//
// Knows nothing about schedules and formulas.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/memory.hpp"
#include "device/common_memory.hpp"
#include "device/guarded.hpp"
#include "device/queued.hpp"
#include "device/staged.hpp"
#include "device/sweep.hpp"
#include "exchange/channels.hpp"
#include "exchange/strategy.hpp"
#include "program/program.hpp"
#include "runtime/communicator.hpp"
#include "sixstep/options.hpp"

namespace sixstep::device {

class DeviceSite;

class Site {
 public:
  Site() = default;
  Site(Site const&) = delete;
  virtual ~Site() = default;

  /// Null on the host.
  virtual DeviceSite* device() { return nullptr; }
  /// The threads of the host that run passes, where the user asks for `wanted`.
  virtual int threads(int wanted) const = 0;
  virtual AnyMemory allocate(std::size_t bytes) const = 0;
  /// The alignment of scratch in bytes.
  virtual std::size_t alignment() const = 0;
  /// `bytes` of work memory for each rank, where the other ranks of the node reach it. `node` and
  /// `comm`, which has all ranks, outlive it. Collective. Throws Error on this rank.
  virtual std::unique_ptr<CommonMemory> common(Node const& node, mpi::Communicator const& comm,
                                               std::size_t bytes) const = 0;
  /// Throws Error unless a plan may be given this array of reals of `real_bytes`.
  virtual void check(char const* name, void const* array, int real_bytes) const = 0;
  /// A table of the host's where passes read it; it does not change later.
  virtual void const* placed(void const* table, std::size_t bytes) = 0;
  /// Frees what placed() made of a table.
  virtual void forget(void const* table) = 0;

  /// The exchange of a move between arrays that lie here, by a strategy of these channels.
  /// `staging` is null unless exchanges are staged, and outlives the strategy.
  virtual std::unique_ptr<exchange::Strategy> carried(exchange::Channels const& channels,
                                                      exchange::Traffic const& traffic,
                                                      program::Move const& move,
                                                      StagingBuffers const* staging) const = 0;
  /// An exchange among nodes of what lies in `memory`.
  virtual std::unique_ptr<exchange::Strategy> carried_by_nodes(
      CommonMemory& memory, exchange::Hops const& hops) const = 0;
  /// How `messages` go, and why. `staging` may be null.
  virtual std::string words(std::string const& messages, StagingBuffers const* staging) const = 0;

  /// Waits until all works have been done.
  virtual void finish() = 0;
  /// Keeps errors of the device from now on, or no longer; see KeptErrors.
  virtual void keep_errors(bool keeps) = 0;
  /// Throws the kept error of this rank.
  virtual void throw_kept() = 0;
  /// Throws the kept error of the lowest rank that has one, on every rank. Collective.
  virtual void throw_kept_together() = 0;
  /// Throws Error if this is no GPU.
  virtual void set_stream(void* stream) = 0;
};

/// The site that the options ask for. Collective. Errors, on all ranks: there is no such device.
std::unique_ptr<Site> make_site(Options const& options, mpi::Communicator const& comm);

/// An execution, as long as which a site keeps the errors of its device.
class Keeping {
 public:
  explicit Keeping(Site& site) : site_(site) { site_.keep_errors(true); }
  ~Keeping() { site_.keep_errors(false); }
  Keeping(Keeping const&) = delete;

 private:
  Site& site_;
};

/// A device, and the queue that takes the works of a plan.
class DeviceSite final : public Site {
 public:
  DeviceSite(Options const& options, mpi::Communicator const& comm);

  DeviceSite* device() override { return this; }
  int threads(int) const override { return 1; }
  AnyMemory allocate(std::size_t bytes) const override { return backend_->allocate(bytes); }
  std::size_t alignment() const override { return 256; }  // as cuFFT's own memory has
  std::unique_ptr<CommonMemory> common(Node const& node, mpi::Communicator const& comm,
                                       std::size_t bytes) const override;
  void check(char const* name, void const* array, int real_bytes) const override;
  void const* placed(void const* table, std::size_t bytes) override;
  void forget(void const* table) override { tables_.erase(table); }
  std::unique_ptr<exchange::Strategy> carried(exchange::Channels const& channels,
                                              exchange::Traffic const& traffic,
                                              program::Move const& move,
                                              StagingBuffers const* staging) const override;
  std::unique_ptr<exchange::Strategy> carried_by_nodes(CommonMemory& memory,
                                                       exchange::Hops const& hops) const override;
  std::string words(std::string const& messages, StagingBuffers const* staging) const override;
  void finish() override { device::finish(*queue_, peers_.get(), comm_); }
  void keep_errors(bool keeps) override { errors_->keep(keeps); }
  void throw_kept() override;
  void throw_kept_together() override;
  void set_stream(void* stream) override;

  /// The device, with errors that are kept during executions.
  Backend& backend() const { return *guarded_; }
  /// Another queue may take its place.
  std::unique_ptr<Queue> const& queue() const { return queue_; }
  /// The most bytes of blocks and of scratch, where the arrays have `array_bytes`. Blocks fit in
  /// the device's cache. Without work arrays, transforms without blocks may take as much scratch as
  /// an array has bytes.
  DeviceSweep::Bounds bounds(std::size_t array_bytes, bool has_work_arrays) const;
  /// Whether exchanges go in the queue, among peers.
  bool exchanges_in_queue() const { return messages_ == Messages::queues; }
  /// Whether exchanges are staged in memory that the ranks of a node have in common.
  bool stages_in_common() const { return messages_ == Messages::staged; }
  /// The peers that exchange in the queue; null before meet_peers(), which is collective.
  std::shared_ptr<Peers> const& peers() const { return peers_; }
  void meet_peers();
  /// The staging buffers of these programs' exchanges; null if exchanges are not staged.
  /// Collective. `node` and `programs` outlive them. Errors, on all ranks: there is not enough
  /// pinned memory.
  std::unique_ptr<StagingBuffers> staging_buffers(
      Node const& node, std::vector<program::Program const*> const& programs, int real_bytes) const;

 private:
  /// How messages go between devices: through the host's memory, in common on a node or of each
  /// rank alone; from device pointers that MPI takes; or in queues.
  enum class Messages { staged = 1, staged_apart, pointers, queues };

  void choose_messages(Options const& options);
  std::string reason() const;

  mpi::Communicator const& comm_;
  bool takes_streams_;
  Backend* backend_ = nullptr;
  std::shared_ptr<KeptErrors> errors_ = std::make_shared<KeptErrors>();
  std::unique_ptr<Backend> guarded_;
  std::unique_ptr<Queue> queue_;
  Messages messages_ = Messages::staged;
  bool user_says_so_ = false;                // whether the user chose messages_
  std::shared_ptr<Peers> peers_;             // exchange in queues
  std::map<void const*, AnyMemory> tables_;  // by the host's
};

}  // namespace sixstep::device
