// SPDX-License-Identifier: BSD-3-Clause
// Exchange by a message per pair of ranks.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "exchange/strategy.hpp"

namespace sixstep::exchange {

namespace {

class Pairwise final : public Strategy {
 public:
  explicit Pairwise(Traffic const& traffic) : comm_(traffic.comm), element_(traffic.element) {
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &ranks_);
    MPI_Aint lower = 0, extent = 0;
    MPI_Type_get_extent(element_, &lower, &extent);
    bytes_ = static_cast<std::size_t>(extent);
    for (Messages const& window : traffic.windows) {
      Planned planned;
      planned.sends = in_calls(window.sends, traffic.count_limit);
      planned.receives = in_calls(window.receives, traffic.count_limit);
      planned.requests.resize(planned.sends.size() + planned.receives.size(), MPI_REQUEST_NULL);
      windows_.push_back(std::move(planned));
    }
  }

  int windows() const override { return static_cast<int>(windows_.size()); }

  void begin(int window, void const* send, void* receive) override {
    Planned& planned = windows_[static_cast<std::size_t>(window)];
    auto const* from = static_cast<std::byte const*>(send);
    auto* to = static_cast<std::byte*>(receive);
    std::size_t used = 0;
    for (Message const& message : planned.receives)
      if (message.rank != rank_)
        MPI_Irecv(to + at(message.offset), mpi::narrow(message.count), element_, message.rank,
                  window, comm_, &planned.requests[used++]);
    auto kept = planned.receives.begin();
    for (Message const& message : planned.sends) {
      if (message.rank != rank_) {
        MPI_Isend(from + at(message.offset), mpi::narrow(message.count), element_, message.rank,
                  window, comm_, &planned.requests[used++]);
        continue;
      }
      kept = std::find_if(kept, planned.receives.end(),
                          [&](Message const& m) { return m.rank == rank_; });
      std::memcpy(to + at(kept->offset), from + at(message.offset), at(message.count));
      ++kept;
    }
  }

  void finish(int window) override {
    mpi::wait_all(windows_[static_cast<std::size_t>(window)].requests);
  }

 private:
  struct Planned {
    std::vector<Message> sends;
    std::vector<Message> receives;
    std::vector<MPI_Request> requests;
  };

  std::size_t at(Index elements) const { return static_cast<std::size_t>(elements) * bytes_; }

  /// The messages cut to the limit, those to rank + 1 first: if all began with rank 0, it would
  /// receive from everyone at once. Both ends cut alike, and MPI keeps the order of messages
  /// between a pair.
  std::vector<Message> in_calls(std::vector<Message> messages, Index limit) const {
    std::sort(messages.begin(), messages.end(), [&](Message const& a, Message const& b) {
      auto const distance = [&](int rank) { return (rank - rank_ - 1 + ranks_) % ranks_; };
      return distance(a.rank) < distance(b.rank);
    });
    std::vector<Message> calls;
    for (Message const& message : messages)
      for (Index done = 0; done < message.count; done += limit)
        calls.push_back(
            {message.rank, message.offset + done, std::min(limit, message.count - done)});
    return calls;
  }

  MPI_Comm comm_;
  MPI_Datatype element_;
  int rank_ = 0;
  int ranks_ = 0;
  std::size_t bytes_ = 0;
  std::vector<Planned> windows_;
};

}  // namespace

std::unique_ptr<Strategy> make_pairwise(Traffic const& traffic) {
  return std::make_unique<Pairwise>(traffic);
}

}  // namespace sixstep::exchange
