// SPDX-License-Identifier: BSD-3-Clause
// Bundles: a derived type and a call for each.
#include "exchange/bundles.hpp"

#include <algorithm>
#include <utility>

namespace sixstep::exchange {

Bundles::Type::Type(redistribution::Bundle const& bundle, Hops const& hops, Index segment_bytes) {
  Index const extent = mpi::extent_of(hops.element);
  std::vector<int> counts;
  std::vector<MPI_Aint> places;
  for (redistribution::Block const& block : bundle.blocks)
    for (Index done = 0; done < block.count; done += hops.count_limit) {
      counts.push_back(mpi::narrow(std::min(hops.count_limit, block.count - done)));
      places.push_back(block.segment * segment_bytes + (block.offset + done) * extent);
    }
  MPI_Type_create_hindexed(mpi::narrow(static_cast<Index>(counts.size())), counts.data(),
                           places.data(), hops.element, &type_);
  MPI_Type_commit(&type_);
}

Bundles::Type::Type(Type&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}

Bundles::Type::~Type() {
  if (type_ != MPI_DATATYPE_NULL && mpi::is_running()) MPI_Type_free(&type_);
}

Bundles::Bundles(Hops const& hops, Index segment_bytes)
    : comm_(hops.comm), names_(hops.names), first_tag_(hops.first_tag) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(comm_, &rank);
  MPI_Comm_size(comm_, &ranks);
  auto const calls = [&](std::vector<redistribution::Bundle> bundles) {
    // Rank + 1 comes first, so that not all ranks begin with the same one. Two bundles between a
    // pair of ranks stay in order.
    auto const distance = [&](redistribution::Bundle const& bundle) {
      return (bundle.rank - rank + ranks) % ranks;
    };
    std::stable_sort(bundles.begin(), bundles.end(),
                     [&](redistribution::Bundle const& a, redistribution::Bundle const& b) {
                       return distance(a) < distance(b);
                     });
    std::vector<Call> made;
    for (redistribution::Bundle const& bundle : bundles)
      made.push_back({bundle.rank, Type(bundle, hops, segment_bytes)});
    return made;
  };
  std::size_t most = 0;
  for (redistribution::HopMessages const& messages : hops.messages) {
    hops_.push_back({calls(messages.sends), calls(messages.receives)});
    most = std::max(most, messages.sends.size() + messages.receives.size());
  }
  requests_.reserve(most);
}

void Bundles::begin(int hop, void* buffer) {
  Calls const& calls = hops_[static_cast<std::size_t>(hop)];
  hop_ = hop;
  requests_.clear();
  for (Call const& call : calls.receives)
    MPI_Irecv(buffer, 1, call.type.get(), call.rank, first_tag_ + hop, comm_,
              &requests_.emplace_back(MPI_REQUEST_NULL));
  for (Call const& call : calls.sends)
    MPI_Isend(buffer, 1, call.type.get(), call.rank, first_tag_ + hop, comm_,
              &requests_.emplace_back(MPI_REQUEST_NULL));
}

void Bundles::finish() {
  mpi::wait_all(requests_, comm_.patience(), [this] { return waiting_for(); });
}

std::string Bundles::waiting_for() const {
  if (requests_.empty()) return {};
  Calls const& calls = hops_[static_cast<std::size_t>(hop_)];
  std::vector<int> from, to;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (is_complete(requests_[i])) continue;
    std::size_t const sent = i - calls.receives.size();
    if (i < calls.receives.size())
      from.push_back(calls.receives[i].rank);
    else
      to.push_back(calls.sends[sent].rank);
  }
  if (from.empty() && to.empty()) return {};
  return messages_missing(names_.name, names_, from, to);
}

}  // namespace sixstep::exchange
