// SPDX-License-Identifier: BSD-3-Clause
// Measures messages: several at a time, as in an exchange, repeatedly.
#include "measure/messages.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <thread>
#include <vector>

namespace sixstep::measure {

namespace {

constexpr int in_flight = 4;  // the least number of an exchange in windows
constexpr Index least_message = 8, most_message = Index{1} << 24;
// Sizes up to this are always measured, whatever that takes, because the bandwidth of short
// messages says nothing about long ones.
constexpr Index enough_message = Index{1} << 16;

/// The rank to send to and the rank to receive from. MPI_PROC_NULL if this rank has nothing to do.
struct Partners {
  int to = MPI_PROC_NULL;
  int from = MPI_PROC_NULL;
};

/// Messages of `bytes` bytes to one partner and from another.
class Train {
 public:
  Train(mpi::Communicator const& comm, Partners const& partners)
      : comm_(comm), partners_(partners) {}

  /// Mean seconds a message over `times` batches, on the slowest rank.
  double run(Index bytes, Index times) {
    begin(bytes);
    double const begin_s = MPI_Wtime();
    for (Index time = 0; time < times; ++time) {
      post();
      wait();
    }
    return slowest((MPI_Wtime() - begin_s) / static_cast<double>(times * in_flight));
  }

  /// Mean seconds for which a message that is sent, and one that is received, keep the thread of
  /// the slowest rank busy: all but a pause of `pause_s`, in which the messages arrive.
  double run_with_pauses(Index bytes, Index times, double pause_s) {
    begin(bytes);
    double busy_s = 0;
    for (Index time = 0; time < times; ++time) {
      double const begin_s = MPI_Wtime();
      post();
      double const posted_s = MPI_Wtime();
      std::this_thread::sleep_for(std::chrono::duration<double>(pause_s));
      double const woken_s = MPI_Wtime();
      wait();
      busy_s += MPI_Wtime() - woken_s + posted_s - begin_s;
    }
    return slowest(busy_s / static_cast<double>(times * in_flight));
  }

 private:
  void begin(Index bytes) {
    size_ = static_cast<std::size_t>(bytes);
    sent_.resize(in_flight * size_);
    received_.resize(in_flight * size_);
    mpi::meet(comm_);
  }

  void post() {
    int const count = mpi::narrow(static_cast<Index>(size_));
    for (std::size_t i = 0; i < in_flight; ++i)
      MPI_Irecv(received_.data() + i * size_, count, MPI_BYTE, partners_.from, 0, comm_,
                &requests_[i]);
    for (std::size_t i = 0; i < in_flight; ++i)
      MPI_Isend(sent_.data() + i * size_, count, MPI_BYTE, partners_.to, 0, comm_,
                &requests_[in_flight + i]);
  }

  void wait() {
    mpi::wait_all(requests_, comm_.patience(), [] { return "messages that are measured"; });
  }

  double slowest(double seconds) const {
    mpi::reduce_to_all(comm_, &seconds, 1, MPI_DOUBLE, MPI_MAX);
    return seconds;
  }

  mpi::Communicator const& comm_;
  Partners partners_;
  std::size_t size_ = 0;
  std::vector<std::byte> sent_, received_;
  std::array<MPI_Request, 2 * in_flight> requests_{};
};

/// Seconds a message for each size, up to the largest for which the time suffices. All ranks get
/// the same numbers.
std::map<Index, double> times_of_messages(Team const& team, Partners const& partners,
                                          double seconds) {
  Train train(team.comm(), partners);
  std::map<Index, double> found;
  constexpr int sizes = 9;
  double const each = seconds / sizes;
  double expected_s = train.run(least_message, 1);
  for (Index bytes = least_message; bytes <= most_message;
       bytes = std::max<Index>(1024, 4 * bytes)) {
    if (bytes > least_message) expected_s = train.run(bytes, 1);
    double const a_train_s = expected_s * in_flight;
    std::array<double, 3> rounds{};
    Index const times = std::clamp<Index>(
        static_cast<Index>(each / static_cast<double>(rounds.size()) / std::max(a_train_s, 1e-9)),
        1, 100000);
    for (double& round : rounds) round = train.run(bytes, times);
    std::sort(rounds.begin(), rounds.end());
    found[bytes] = rounds[rounds.size() / 2];
    if (bytes >= enough_message && 4 * a_train_s > each) break;
  }
  return found;
}

/// The time of the smallest message.
double latency_of(std::map<Index, double> const& seconds) { return seconds.begin()->second; }

/// Bytes per second, without the latency, by message size.
model::Curve bytes_per_s(std::map<Index, double> const& seconds, double latency_s) {
  model::Curve::Points points;
  for (auto const& [bytes, time_s] : seconds)
    if (bytes > least_message)
      points[bytes] = static_cast<double>(bytes) / std::max(time_s - latency_s, 0.01 * time_s);
  return points;
}

/// The part of the latency in which the thread is busy. Measuring it takes some milliseconds.
double overhead_of(Team const& team, Partners const& partners, double latency_s) {
  constexpr Index times = 50;
  constexpr double least_pause_s = 1e-4, most_pause_s = 1e-2;
  double const pause_s = std::clamp(10 * in_flight * latency_s, least_pause_s, most_pause_s);
  Train train(team.comm(), partners);
  std::array<double, 3> rounds{};
  for (double& round : rounds) round = train.run_with_pauses(least_message, times, pause_s);
  std::sort(rounds.begin(), rounds.end());
  return std::min(rounds[rounds.size() / 2], latency_s);
}

/// A fixed amount of work that does not use memory bandwidth.
void work() {
  double volatile value = 1;
  for (int i = 0; i < 50000; ++i) value = value * 1.0000001;
}

/// How much longer some work takes with a meeting after it.
double meeting_seconds(Team const& team, double seconds) {
  NodeMemory memory(team.node(), 1);
  auto const mean = [&](double share, auto const& action) {
    return 1 / team.per_second(share, Working::together, action);
  };
  double const alone_s = mean(seconds / 4, [](int) { work(); }) * team.threads();
  Index times = std::max<Index>(1, static_cast<Index>(seconds / 4 / alone_s));
  mpi::broadcast(team.comm(), &times, sizeof times);
  std::array<double, 3> rounds{};
  for (double& round : rounds) {
    mpi::meet(team.comm());
    Clock::time_point const begin = Clock::now();
    for (Index time = 0; time < times; ++time) {
      work();
      memory.arrive();
      memory.wait("a meeting that is measured");
    }
    round = seconds_since(begin) / static_cast<double>(times);
    mpi::reduce_to_all(team.comm(), &round, 1, MPI_DOUBLE, MPI_MAX);
  }
  std::sort(rounds.begin(), rounds.end());
  return std::max(0.0, rounds[rounds.size() / 2] - alone_s);
}

}  // namespace

model::Inside inside(Team const& team, double seconds) {
  model::Inside found;
  if (team.node_ranks() == 1) return found;
  Node const& node = team.node();
  int const size = node.size(), place = node.comm().rank();
  auto const at = [&](int other) { return node.ranks()[static_cast<std::size_t>(other)]; };
  Partners const neighbours{at((place + 1) % size), at((place + size - 1) % size)};
  Partners const partners = size > 1 ? neighbours : Partners();
  auto const times = times_of_messages(team, partners, 0.6 * seconds);
  found.latency_s = latency_of(times);
  found.rank_bytes_per_s = bytes_per_s(times, found.latency_s);
  found.overhead_s = overhead_of(team, partners, found.latency_s);
  found.meeting_s = meeting_seconds(team, 0.4 * seconds);
  return found;
}

std::optional<model::Network> network(Team const& team, double seconds) {
  if (team.nodes() == 1) return std::nullopt;
  // Ranks that have the same place on their nodes form a circle.
  Node const& node = team.node();
  auto const self = static_cast<std::size_t>(team.comm().rank());
  std::vector<int> circle;
  for (std::size_t rank = 0; rank < node.place_of().size(); ++rank)
    if (node.place_of()[rank] == node.place_of()[self]) circle.push_back(static_cast<int>(rank));
  auto const mine = static_cast<std::size_t>(
      std::find(circle.begin(), circle.end(), team.comm().rank()) - circle.begin());
  Partners all, pair;
  if (circle.size() > 1) {
    all = {circle[(mine + 1) % circle.size()], circle[(mine + circle.size() - 1) % circle.size()]};
    if (node.place_of()[self] == 0 && mine < 2) pair = {circle[1 - mine], circle[1 - mine]};
  }
  auto const alone = times_of_messages(team, pair, seconds / 2);
  auto const together = times_of_messages(team, all, seconds / 2);
  double const latency_s = latency_of(alone);
  model::Curve of_node = bytes_per_s(together, latency_s);
  of_node *= team.node_ranks();
  return model::Network{latency_s, of_node, bytes_per_s(alone, latency_s), model::Flat{},
                        overhead_of(team, all, latency_s)};
}

}  // namespace sixstep::measure
