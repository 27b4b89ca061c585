// SPDX-License-Identifier: BSD-3-Clause
// Exchange by MPI_Ialltoallv; by MPI_Ialltoallw with derived types where counts outgrow an int, or
// where elements do not lie one behind the other.
#include <algorithm>

#include "exchange/strategy.hpp"

namespace sixstep::exchange {

namespace {

/// Counts and displacements of one direction, for all ranks of the communicator.
struct Vectors {
  std::vector<int> counts;
  std::vector<int> displacements;

  Vectors(std::vector<redistribution::Message> const& messages, int ranks)
      : counts(static_cast<std::size_t>(ranks), 0), displacements(counts) {
    for (redistribution::Message const& message : messages) {
      counts[static_cast<std::size_t>(message.rank)] = mpi::narrow(message.count);
      displacements[static_cast<std::size_t>(message.rank)] = mpi::narrow(message.offset);
    }
  }
};

/// Counts and displacements of one direction as derived types, whose displacements may be 64-bit.
struct Types {
  std::vector<mpi::DerivedType> owned;
  std::vector<int> counts;
  std::vector<int> displacements;
  std::vector<MPI_Datatype> types;

  Types(std::vector<redistribution::Message> const& messages, int ranks, MPI_Datatype element,
        Index limit)
      : counts(static_cast<std::size_t>(ranks), 0),
        displacements(counts),
        types(static_cast<std::size_t>(ranks), element) {
    Index const extent = mpi::extent_of(element);
    for (redistribution::Message const& message : messages) {
      auto const rank = static_cast<std::size_t>(message.rank);
      Rows const dense{{message.count, 1}};
      // The type holds the displacement only if an int cannot.
      bool const fits = message.offset * extent <= mpi::largest_count;
      owned.emplace_back(element, message.rows.empty() ? dense : message.rows,
                         fits ? 0 : message.offset, limit);
      counts[rank] = 1;
      displacements[rank] = fits ? mpi::narrow(message.offset * extent) : 0;
      types[rank] = owned.back().get();
    }
  }
};

/// The messages from one window of the senders to one window of the receivers.
struct CollectiveCall {
  int before = 0;
  int behind = 0;
  redistribution::Windows vacated = 0;  // windows that must have left the place where it arrives
  std::vector<redistribution::Message> sends = {};
  std::vector<redistribution::Message> receives = {};
};

/// All calls, in the order in which all ranks begin them: by the senders' window.
std::vector<CollectiveCall> calls_of(Traffic const& traffic) {
  int const before = traffic.cuts.before.windows, behind = traffic.cuts.behind.windows;
  std::vector<CollectiveCall> calls;
  for (int i = 0; i < before; ++i)
    for (int j = 0; j < behind; ++j) calls.push_back({i, j});
  auto const call_of = [&](redistribution::Message const& message) -> CollectiveCall& {
    return calls[static_cast<std::size_t>(message.before * behind + message.behind)];
  };
  for (redistribution::Message const& message : traffic.sends)
    call_of(message).sends.push_back(message);
  for (redistribution::Message const& message : traffic.receives) {
    call_of(message).receives.push_back(message);
    call_of(message).vacated |= message.after;
  }
  return calls;
}

/// A nonblocking collective for each call. All ranks begin them in the same order.
class Collective : public Strategy {
 public:
  explicit Collective(Traffic const& traffic)
      : comm_(traffic.comm),
        calls_(calls_of(traffic)),
        requests_(calls_.size(), MPI_REQUEST_NULL),
        names_(traffic.names),
        ended_(calls_.size()) {}

  void begin(void const* send, void* receive) override {
    send_ = send;
    receive_ = receive;
    begun_ = 0;
    packed_ = vacated_ = 0;
    count_done();
  }

  void allow(redistribution::Windows packed, redistribution::Windows vacated) override {
    packed_ |= packed;
    vacated_ |= vacated;
    for (; begun_ < calls_.size() && may_begin(calls_[begun_]); ++begun_) start(begun_);
  }

  void progress() override {
    int count = 0;
    MPI_Testsome(mpi::narrow(static_cast<Index>(begun_)), requests_.data(), &count, ended_.data(),
                 MPI_STATUSES_IGNORE);
    if (count > 0) count_done();
  }

  redistribution::Windows arrived() const override { return done_; }
  redistribution::Windows sent() const override { return done_; }
  bool sending() const override {
    return std::any_of(requests_.begin(), requests_.end(),
                       [](MPI_Request request) { return request != MPI_REQUEST_NULL; });
  }

  void finish() override {
    mpi::wait_all(requests_, comm_.patience(), [this] { return waiting_for(); });
    count_done();
  }

  std::string waiting_for() const override {
    for (std::size_t i = 0; i < begun_; ++i)
      if (!is_complete(requests_[i]))
        return collective_missing(names_.of_window(i, calls_.size()), names_, comm_);
    return {};
  }

 protected:
  virtual void start(std::size_t number) = 0;

  mpi::Comm comm_;
  void const* send_ = nullptr;
  void* receive_ = nullptr;
  std::vector<CollectiveCall> calls_;
  std::vector<MPI_Request> requests_;

 private:
  bool may_begin(CollectiveCall const& call) const {
    return (redistribution::bit(call.before) & packed_) != 0 && (call.vacated & ~vacated_) == 0;
  }

  void count_done() {
    done_ = all_windows;
    for (std::size_t i = 0; i < calls_.size(); ++i)
      if (i >= begun_ || requests_[i] != MPI_REQUEST_NULL)
        done_ &= ~redistribution::bit(calls_[i].behind);
  }

  Names names_;
  std::size_t begun_ = 0;
  redistribution::Windows packed_ = 0;
  redistribution::Windows vacated_ = 0;
  redistribution::Windows done_ = 0;
  std::vector<int> ended_;
};

class Alltoallv final : public Collective {
 public:
  Alltoallv(Traffic const& traffic, int ranks) : Collective(traffic), element_(traffic.element) {
    for (CollectiveCall const& call : calls_) {
      sends_.emplace_back(call.sends, ranks);
      receives_.emplace_back(call.receives, ranks);
    }
  }

 private:
  void start(std::size_t i) override {
    MPI_Ialltoallv(send_, sends_[i].counts.data(), sends_[i].displacements.data(), element_,
                   receive_, receives_[i].counts.data(), receives_[i].displacements.data(),
                   element_, comm_, &requests_[i]);
  }

  MPI_Datatype element_;
  std::vector<Vectors> sends_;
  std::vector<Vectors> receives_;
};

class Alltoallw final : public Collective {
 public:
  Alltoallw(Traffic const& traffic, int ranks) : Collective(traffic) {
    for (CollectiveCall const& call : calls_) {
      sends_.emplace_back(call.sends, ranks, traffic.element, traffic.count_limit);
      receives_.emplace_back(call.receives, ranks, traffic.element, traffic.count_limit);
    }
  }

 private:
  void start(std::size_t i) override {
    MPI_Ialltoallw(send_, sends_[i].counts.data(), sends_[i].displacements.data(),
                   sends_[i].types.data(), receive_, receives_[i].counts.data(),
                   receives_[i].displacements.data(), receives_[i].types.data(), comm_,
                   &requests_[i]);
  }

  std::vector<Types> sends_;
  std::vector<Types> receives_;
};

}  // namespace

std::unique_ptr<Strategy> make_collective(Traffic const& traffic) {
  std::int64_t needs[2] = {0, 0};  // the largest count, and whether there are rows
  for (auto const* messages : {&traffic.sends, &traffic.receives})
    for (redistribution::Message const& message : *messages) {
      needs[0] = std::max(needs[0], message.offset + message.count);
      if (!message.rows.empty()) needs[1] = 1;
    }
  // All ranks call the same collective, so the needs of any rank decide.
  mpi::reduce_to_all(traffic.comm, needs, 2, MPI_INT64_T, MPI_MAX);
  int ranks = 0;
  MPI_Comm_size(traffic.comm, &ranks);
  if (needs[0] <= traffic.count_limit && needs[1] == 0)
    return std::make_unique<Alltoallv>(traffic, ranks);
  return std::make_unique<Alltoallw>(traffic, ranks);
}

}  // namespace sixstep::exchange
