// SPDX-License-Identifier: BSD-3-Clause
// Short bundles: the blocks of a bundle are copied one behind the other, shortened there, and sent.
// A short bundle arrives at the end of its place, is lengthened from there, and copied to its
// blocks, which may be others than the sender's.
#include "exchange/short_bundles.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "base/memory.hpp"
#include "exchange/by_nodes.hpp"
#include "local/kernels/short_reals.hpp"

namespace sixstep::exchange {

namespace {

template <class Real>
class ShortBundles {
 public:
  ShortBundles(Hops const& hops, std::size_t segment_bytes, Shortening const& how)
      : comm_(hops.comm),
        names_(hops.names),
        first_tag_(hops.first_tag),
        segment_bytes_(static_cast<std::ptrdiff_t>(segment_bytes)),
        how_(how),
        kernels_(local::short_reals<Real>(local::chosen_target())) {
    Index most = 0;
    std::size_t most_requests = 0;
    for (redistribution::HopMessages const& messages : hops.messages) {
      Index reals = 0;
      hops_.push_back({calls(messages.receives, hops, reals), calls(messages.sends, hops, reals)});
      most = std::max(most, reals);
      most_requests = std::max(most_requests, messages.sends.size() + messages.receives.size());
    }
    room_ = allocate(static_cast<std::size_t>(most) * sizeof(Real));
    requests_.reserve(most_requests);
  }

  int hops() const { return static_cast<int>(hops_.size()); }

  void begin(int hop, void* buffer) {
    hop_ = hop;
    local::RoundingSums& sums = sums_[static_cast<std::size_t>(hop)] = {};
    buffer_ = static_cast<std::byte*>(buffer);
    requests_.clear();
    Calls const& calls = hops_[static_cast<std::size_t>(hop)];
    for (Call const& call : calls.receives)
      MPI_Irecv(end_of(call), call.sent.count(), call.sent.type(), call.rank, first_tag_ + hop,
                comm_, &requests_.emplace_back(MPI_REQUEST_NULL));
    for (Call const& call : calls.sends) {
      std::byte* const place = place_of(call);
      copy_blocks(call, [](std::byte* here, std::byte* in_memory, std::size_t bytes) {
        std::memcpy(here, in_memory, bytes);
      });
      kernels_.shorten(reinterpret_cast<Real const*>(place), call.reals, how_.form, place, sums);
      MPI_Isend(place, call.sent.count(), call.sent.type(), call.rank, first_tag_ + hop, comm_,
                &requests_.emplace_back(MPI_REQUEST_NULL));
    }
  }

  void finish() {
    mpi::wait_all(requests_, comm_.patience(), [this] { return waiting_for(); });
    for (Call const& call : hops_[static_cast<std::size_t>(hop_)].receives) {
      kernels_.lengthen(end_of(call), call.reals, how_.form,
                        reinterpret_cast<Real*>(place_of(call)));
      copy_blocks(call, [](std::byte* here, std::byte* in_memory, std::size_t bytes) {
        std::memcpy(in_memory, here, bytes);
      });
    }
  }

  std::string waiting_for() const {
    if (requests_.empty()) return {};
    Calls const& calls = hops_[static_cast<std::size_t>(hop_)];
    std::vector<int> from, to;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (is_complete(requests_[i])) continue;
      bool const is_received = i < calls.receives.size();
      (is_received ? from : to)
          .push_back(is_received ? calls.receives[i].rank
                                 : calls.sends[i - calls.receives.size()].rank);
    }
    if (from.empty() && to.empty()) return {};
    return messages_missing(names_.name, names_, from, to);
  }

  SumsOfHops rounding() const { return sums_; }

 private:
  struct Call {
    int rank;
    Index first;  // of its reals in the room
    Index reals;
    std::vector<redistribution::Block> blocks;
    mpi::Counted sent;
  };
  struct Calls {
    std::vector<Call> receives, sends;
  };

  /// Adds the reals that they need in the room to `reals`.
  std::vector<Call> calls(std::vector<redistribution::Bundle> bundles, Hops const& hops,
                          Index& reals) const {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(comm_, &rank);
    MPI_Comm_size(comm_, &ranks);
    // Rank + 1 comes first, as in Bundles. Two bundles between a pair of ranks stay in order.
    std::ranges::stable_sort(bundles, {}, [&](redistribution::Bundle const& bundle) {
      return (bundle.rank - rank + ranks) % ranks;
    });
    std::vector<Call> made;
    for (redistribution::Bundle const& bundle : bundles) {
      Index const count = bundle.count() * how_.element_reals;
      Index const bytes = short_bytes(count, how_.real_bytes, how_.form);
      made.push_back({bundle.rank, reals, count, bundle.blocks,
                      mpi::Counted(MPI_BYTE, bytes, hops.count_limit)});
      reals += count;
    }
    return made;
  }

  std::byte* place_of(Call const& call) const {
    return room_.get() + call.first * Index{sizeof(Real)};
  }
  /// The place of a short bundle at the end of its whole place.
  std::byte* end_of(Call const& call) const {
    return place_of(call) + call.reals * Index{sizeof(Real)} -
           short_bytes(call.reals, how_.real_bytes, how_.form);
  }

  /// Calls copy(place here, place in the memory of the node, bytes).
  template <class Copy>
  void copy_blocks(Call const& call, Copy const& copy) const {
    Index const element_bytes = how_.element_reals * how_.real_bytes;
    std::byte* here = place_of(call);
    for (redistribution::Block const& block : call.blocks) {
      Index const bytes = block.count * element_bytes;
      copy(here, buffer_ + block.segment * segment_bytes_ + block.offset * element_bytes,
           static_cast<std::size_t>(bytes));
      here += bytes;
    }
  }

  mpi::Comm comm_;
  Names names_;
  int first_tag_;
  std::ptrdiff_t segment_bytes_;
  Shortening how_;
  local::ShortReals<Real> kernels_;
  std::vector<Calls> hops_;
  Memory room_;  // of the bundles of a hop
  SumsOfHops sums_;
  std::byte* buffer_ = nullptr;
  int hop_ = 0;                        // the hop under way
  std::vector<MPI_Request> requests_;  // its receives, then its sends
};

template <class Real>
std::unique_ptr<Strategy> make_in_precision(NodeMemory& memory, Hops const& hops,
                                            Shortening const& how) {
  return std::make_unique<ByNodes<ShortBundles<Real>>>(
      memory, ShortBundles<Real>(hops, memory.segment_bytes(), how), hops.names.name);
}

}  // namespace

std::unique_ptr<Strategy> make_short_by_nodes(NodeMemory& memory, Hops const& hops,
                                              Shortening const& how) {
  return how.real_bytes == sizeof(float) ? make_in_precision<float>(memory, hops, how)
                                         : make_in_precision<double>(memory, hops, how);
}

}  // namespace sixstep::exchange
