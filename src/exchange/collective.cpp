// SPDX-License-Identifier: BSD-3-Clause
// Exchange by MPI_Ialltoallv; by MPI_Ialltoallw with derived types where counts outgrow an int.
#include <algorithm>

#include "exchange/strategy.hpp"

namespace sixstep::exchange {

namespace {

/// Counts and displacements of one direction, for all ranks of the communicator.
struct Vectors {
  std::vector<int> counts;
  std::vector<int> displacements;

  Vectors(std::vector<Message> const& messages, int ranks)
      : counts(static_cast<std::size_t>(ranks), 0), displacements(counts) {
    for (Message const& message : messages) {
      counts[static_cast<std::size_t>(message.rank)] = mpi::narrow(message.count);
      displacements[static_cast<std::size_t>(message.rank)] = mpi::narrow(message.offset);
    }
  }
};

/// The same as derived types, in which displacements are 64-bit.
struct Types {
  std::vector<mpi::LargeType> owned;
  std::vector<int> counts;
  std::vector<int> displacements;
  std::vector<MPI_Datatype> types;

  Types(std::vector<Message> const& messages, int ranks, MPI_Datatype element, Index limit)
      : counts(static_cast<std::size_t>(ranks), 0),
        displacements(counts),
        types(static_cast<std::size_t>(ranks), element) {
    for (Message const& message : messages) {
      owned.emplace_back(element, message.count, message.offset, limit);
      counts[static_cast<std::size_t>(message.rank)] = 1;
      types[static_cast<std::size_t>(message.rank)] = owned.back().get();
    }
  }
};

class Alltoallv final : public Strategy {
 public:
  Alltoallv(Traffic const& traffic, int ranks)
      : comm_(traffic.comm), element_(traffic.element), requests_(traffic.windows.size()) {
    for (Messages const& window : traffic.windows) {
      sends_.emplace_back(window.sends, ranks);
      receives_.emplace_back(window.receives, ranks);
    }
  }

  int windows() const override { return static_cast<int>(requests_.size()); }

  void begin(int window, void const* send, void* receive) override {
    auto const i = static_cast<std::size_t>(window);
    MPI_Ialltoallv(send, sends_[i].counts.data(), sends_[i].displacements.data(), element_, receive,
                   receives_[i].counts.data(), receives_[i].displacements.data(), element_, comm_,
                   &requests_[i]);
  }

  void finish(int window) override {
    mpi::wait_all({&requests_[static_cast<std::size_t>(window)], 1});
  }

 private:
  MPI_Comm comm_;
  MPI_Datatype element_;
  std::vector<Vectors> sends_;
  std::vector<Vectors> receives_;
  std::vector<MPI_Request> requests_;
};

class Alltoallw final : public Strategy {
 public:
  Alltoallw(Traffic const& traffic, int ranks)
      : comm_(traffic.comm), requests_(traffic.windows.size()) {
    for (Messages const& window : traffic.windows) {
      sends_.emplace_back(window.sends, ranks, traffic.element, traffic.count_limit);
      receives_.emplace_back(window.receives, ranks, traffic.element, traffic.count_limit);
    }
  }

  int windows() const override { return static_cast<int>(requests_.size()); }

  void begin(int window, void const* send, void* receive) override {
    auto const i = static_cast<std::size_t>(window);
    MPI_Ialltoallw(send, sends_[i].counts.data(), sends_[i].displacements.data(),
                   sends_[i].types.data(), receive, receives_[i].counts.data(),
                   receives_[i].displacements.data(), receives_[i].types.data(), comm_,
                   &requests_[i]);
  }

  void finish(int window) override {
    mpi::wait_all({&requests_[static_cast<std::size_t>(window)], 1});
  }

 private:
  MPI_Comm comm_;
  std::vector<Types> sends_;
  std::vector<Types> receives_;
  std::vector<MPI_Request> requests_;
};

}  // namespace

std::unique_ptr<Strategy> make_collective(Traffic const& traffic) {
  Index largest = 0;
  for (Messages const& window : traffic.windows)
    for (auto const* messages : {&window.sends, &window.receives})
      for (Message const& message : *messages)
        largest = std::max(largest, message.offset + message.count);
  // All ranks call the same collective, so the largest count anywhere decides.
  std::int64_t everywhere = 0;
  MPI_Allreduce(&largest, &everywhere, 1, MPI_INT64_T, MPI_MAX, traffic.comm);
  int ranks = 0;
  MPI_Comm_size(traffic.comm, &ranks);
  if (everywhere <= traffic.count_limit) return std::make_unique<Alltoallv>(traffic, ranks);
  return std::make_unique<Alltoallw>(traffic, ranks);
}

}  // namespace sixstep::exchange
