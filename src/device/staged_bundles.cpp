// SPDX-License-Identifier: BSD-3-Clause
// The blocks of a bundle lie one behind the other on the host.
#include "device/staged_bundles.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "exchange/by_nodes.hpp"

namespace sixstep::device {

namespace {

using redistribution::Block;
using redistribution::Bundle;

class StagedBundles {
 public:
  StagedBundles(Backend& backend, CommonMemory& memory, exchange::Hops const& hops)
      : memory_(memory),
        comm_(hops.comm),
        names_(hops.names),
        first_tag_(hops.first_tag),
        element_bytes_(static_cast<std::size_t>(mpi::extent_of(hops.element))),
        queue_(backend.make_queue()) {
    std::size_t most = 0, most_requests = 0;
    for (redistribution::HopMessages const& messages : hops.messages) {
      std::size_t bytes = 0;
      hops_.push_back({calls(messages.receives, hops, backend, bytes),
                       calls(messages.sends, hops, backend, bytes)});
      most = std::max(most, bytes);
      most_requests = std::max(most_requests, messages.sends.size() + messages.receives.size());
    }
    if (most > 0) host_ = backend.allocate_pinned(most);
    requests_.reserve(most_requests);
  }

  int hops() const { return static_cast<int>(hops_.size()); }

  void begin(int hop, void* buffer) {
    Calls& calls = hops_[static_cast<std::size_t>(hop)];
    hop_ = hop;
    buffer_ = static_cast<std::byte*>(buffer);
    shifts_ = memory_.shifts(buffer);
    if (!shifts_) shifts_ = memory_.shifts();
    requests_.clear();
    for (Call const& call : calls.receives)
      MPI_Irecv(host_.get() + call.at, call.counted.count(), call.counted.type(), call.rank,
                first_tag_ + hop, comm_, &requests_.emplace_back(MPI_REQUEST_NULL));
    for (Call const& call : calls.sends) {
      for_each_block(call, [this](std::byte* on_host, std::byte* on_device, std::size_t bytes) {
        queue_->copy(on_host, on_device, bytes);
      });
      queue_->record(*call.copied);
    }
    for (Call const& call : calls.sends) {
      call.copied->wait();
      MPI_Isend(host_.get() + call.at, call.counted.count(), call.counted.type(), call.rank,
                first_tag_ + hop, comm_, &requests_.emplace_back(MPI_REQUEST_NULL));
    }
  }

  void finish() {
    mpi::wait_all(requests_, comm_.patience(), [this] { return waiting_for(); });
    for (Call const& call : hops_[static_cast<std::size_t>(hop_)].receives)
      for_each_block(call, [this](std::byte* on_host, std::byte* on_device, std::size_t bytes) {
        queue_->copy(on_device, on_host, bytes);
      });
    queue_->finish();
  }

  std::string waiting_for() const {
    if (requests_.empty()) return {};
    Calls const& calls = hops_[static_cast<std::size_t>(hop_)];
    std::vector<int> from, to;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (exchange::is_complete(requests_[i])) continue;
      bool const is_received = i < calls.receives.size();
      if (is_received)
        from.push_back(calls.receives[i].rank);
      else
        to.push_back(calls.sends[i - calls.receives.size()].rank);
    }
    if (from.empty() && to.empty()) return {};
    return exchange::messages_missing(names_.name, names_, from, to);
  }

 private:
  struct Call {
    int rank;
    std::size_t at;  // on the host
    std::vector<Block> blocks;
    mpi::Counted counted;
    std::unique_ptr<Event> copied;
  };
  struct Calls {
    std::vector<Call> receives, sends;
  };

  /// Adds what they need on the host to `bytes`.
  std::vector<Call> calls(std::vector<Bundle> bundles, exchange::Hops const& hops, Backend& backend,
                          std::size_t& bytes) const {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(comm_, &rank);
    MPI_Comm_size(comm_, &ranks);
    // Rank + 1 comes first, as on the host. Two bundles between a pair of ranks stay in order.
    std::ranges::stable_sort(
        bundles, {}, [&](Bundle const& bundle) { return (bundle.rank - rank + ranks) % ranks; });
    std::vector<Call> made;
    for (Bundle const& bundle : bundles) {
      made.push_back({bundle.rank, bytes, bundle.blocks,
                      mpi::Counted(hops.element, bundle.count(), hops.count_limit),
                      backend.make_event()});
      bytes += static_cast<std::size_t>(bundle.count()) * element_bytes_;
    }
    return made;
  }

  /// Calls visit(on the host, on the device, bytes).
  template <class Visit>
  void for_each_block(Call const& call, Visit const& visit) const {
    std::byte* on_host = host_.get() + call.at;
    for (Block const& block : call.blocks) {
      std::size_t const bytes = static_cast<std::size_t>(block.count) * element_bytes_;
      std::byte* const on_device =
          buffer_ + shifts_[block.segment] +
          static_cast<std::ptrdiff_t>(static_cast<std::size_t>(block.offset) * element_bytes_);
      if (bytes > 0) visit(on_host, on_device, bytes);
      on_host += bytes;
    }
  }

  CommonMemory& memory_;
  mpi::Comm comm_;
  exchange::Names names_;
  int first_tag_;
  std::size_t element_bytes_;
  std::unique_ptr<Queue> queue_;
  std::vector<Calls> hops_;
  std::shared_ptr<std::byte> host_;
  std::byte* buffer_ = nullptr;
  Index const* shifts_ = nullptr;      // from the buffer to those of other ranks
  int hop_ = 0;                        // the hop under way
  std::vector<MPI_Request> requests_;  // its receives, then its sends
};

}  // namespace

std::unique_ptr<exchange::Strategy> make_staged_by_nodes(Backend& backend, CommonMemory& memory,
                                                         exchange::Hops const& hops) {
  return std::make_unique<exchange::ByNodes<StagedBundles>>(
      memory.node(), StagedBundles(backend, memory, hops), hops.names.name);
}

}  // namespace sixstep::device
