// SPDX-License-Identifier: BSD-3-Clause
// The node's arena on the host; memory that ranks have opened on devices.
#include "device/common_memory.hpp"

#include <optional>
#include <utility>

#include "device/opened_memory.hpp"

namespace sixstep::device {

namespace {

class OnHost final : public CommonMemory {
 public:
  OnHost(Node const& node, mpi::Communicator const& comm, std::size_t bytes)
      : node_(node), comm_(comm), memory_(node, bytes) {}

  NodeMemory& node() override { return memory_; }
  std::byte* segment() const override { return memory_.segment(); }
  std::size_t segment_bytes() const override { return memory_.segment_bytes(); }
  Index const* shifts() const override { return nullptr; }
  Index const* shifts(void const*) const override { return nullptr; }
  Reached reach(Array const& in, Array const& out) const override {
    return sixstep::reach(memory_, in, out);
  }
  Reached adopt(Array const& in, Array const& out) override {
    return sixstep::adopt(memory_, in, out);
  }
  std::shared_ptr<void> allocate(std::size_t bytes) override {
    std::optional<std::size_t> const offset = memory_.arena().reserve(node_.comm(), bytes);
    std::shared_ptr<void> array;
    mpi::together(comm_, [&] {
      if (offset) array = memory_.arena().hold(*offset);
    });
    return array;
  }
  void destroy_with_others(mpi::Communicator const&) override {}

 private:
  Node const& node_;
  mpi::Communicator const& comm_;
  NodeMemory memory_;
};

/// Memory of the other ranks that a plan has opened.
class Opened {
 public:
  Opened(Backend& backend, mpi::Communicator const& node, std::size_t bytes)
      : segments(backend, node, bytes), arrays(OpenedArrays::of(backend, node)), node_(node) {}
  /// Collective while MPI runs: this rank's memory is freed after all others have closed it.
  ~Opened() {
    segments.close();
    if (!mpi::is_running()) return;
    OpenedArrays::let_go(std::move(arrays), node_);
    mpi::meet(node_);
  }
  Opened(Opened const&) = delete;
  Opened& operator=(Opened const&) = delete;

  OpenedMemory segments;
  std::shared_ptr<OpenedArrays> arrays;  // of all plans of these ranks

 private:
  mpi::Communicator node_;
};

class OnDevices final : public CommonMemory {
 public:
  OnDevices(Backend& backend, Node const& node, std::size_t bytes)
      : node_(node),
        memory_(node, 1),
        opened_(std::make_shared<Opened>(backend, node.comm(), bytes)) {}

  NodeMemory& node() override { return memory_; }
  std::byte* segment() const override { return opened_->segments.mine().get(); }
  std::size_t segment_bytes() const override { return 0; }
  Index const* shifts() const override { return opened_->segments.shifts(); }
  Index const* shifts(void const* array) const override { return opened_->arrays->shifts(array); }
  Reached reach(Array const& in, Array const& out) const override {
    return {borrowed(in.memory), borrowed(out.memory),
            opened_->arrays->word_for({in.memory, in.bytes}, {out.memory, out.bytes})};
  }
  Reached adopt(Array const&, Array const&) override { return {}; }
  std::shared_ptr<void> allocate(std::size_t bytes) override {
    return opened_->arrays->allocate(node_.comm(), bytes);
  }
  void destroy_with_others(mpi::Communicator const& comm) override {
    mpi::destroy_together(comm, opened_);
  }

 private:
  Node const& node_;
  NodeMemory memory_;  // of the host, for waits alone
  std::shared_ptr<Opened> opened_;
};

}  // namespace

std::unique_ptr<CommonMemory> common_on_host(Node const& node, mpi::Communicator const& comm,
                                             std::size_t bytes) {
  return std::make_unique<OnHost>(node, comm, bytes);
}

std::unique_ptr<CommonMemory> common_on_device(Backend& backend, Node const& node,
                                               std::size_t bytes) {
  return std::make_unique<OnDevices>(backend, node, bytes);
}

}  // namespace sixstep::device
