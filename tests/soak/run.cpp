// SPDX-License-Identifier: BSD-3-Clause
// Teams at work: plans made, executed in turns and destroyed; mistakes that must be refused.
#include "run.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <utility>

#include "comm.hpp"
#include "planned.hpp"

namespace soak {

using sixstep::Error;
using sixstep::Local;
using sixstep::Plan;
using sixstep::require;
using sixstep::text;

namespace {

/// A rank's text on all ranks. Collective.
std::string broadcast(std::string text, int root, MPI_Comm comm) {
  auto length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, root, comm);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, root, comm);
  return text;
}

/// Whether it holds on all ranks. Collective.
bool everywhere(bool holds, MPI_Comm comm) {
  int all = holds ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm);
  return all == 1;
}

/// The text of the first rank that has any. Collective.
std::string first_of(std::string const& mine, MPI_Comm comm) {
  int const ranks = size_of(comm);
  int first = mine.empty() ? ranks : rank_in(comm);
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm);
  return first == ranks ? "" : text("rank ", first, ": ", broadcast(mine, first, comm));
}

/// A communicator of a team; that of all ranks if they are in their own order.
class TeamComm {
 public:
  TeamComm(int team, int place, bool is_world) : is_world_(is_world) {
    if (!is_world) MPI_Comm_split(MPI_COMM_WORLD, team < 0 ? MPI_UNDEFINED : team, place, &comm_);
  }
  ~TeamComm() {
    if (comm_ != MPI_COMM_NULL && !is_world_) MPI_Comm_free(&comm_);
  }
  TeamComm(TeamComm const&) = delete;
  TeamComm& operator=(TeamComm const&) = delete;
  MPI_Comm get() const { return is_world_ ? MPI_COMM_WORLD : comm_; }

 private:
  bool is_world_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// A team and its plans.
class TeamWork {
 public:
  TeamWork(Team const& team, MPI_Comm comm, std::uint64_t seed, Complaints& complaints)
      : comm_(comm), seed_(seed), complaints_(complaints), plans_(team.jobs.size()) {
    for (Job const& job : team.jobs) jobs_.push_back(job_on(job, rank_in(comm)));
  }

  /// Every plan is executed once a turn, from the turn on in which it is made.
  void run() {
    for (std::size_t turn = 0; is_work_left_at(turn); ++turn)
      for (std::size_t i = 0; i < jobs_.size(); ++i) take_turn(i, turn);
  }

 private:
  std::size_t first_turn(std::size_t i) const {
    return static_cast<std::size_t>(std::max(0, jobs_[i].late));
  }

  bool is_work_left_at(std::size_t turn) const {
    for (std::size_t i = 0; i < jobs_.size(); ++i)
      if (turn <= first_turn(i) || turn < first_turn(i) + jobs_[i].executions.size()) return true;
    return false;
  }

  void take_turn(std::size_t i, std::size_t turn) {
    std::size_t const first = first_turn(i), executions = jobs_[i].executions.size();
    if (turn == first) make(i);
    if (!plans_[i] || turn < first) return;
    if (turn < first + executions) plans_[i]->execute(turn - first);
    if (turn + 1 >= first + executions && jobs_[i].early) plans_[i].reset();
  }

  void make(std::size_t i) {
    Job const& job = jobs_[i];
    set_environment(job);
    std::string message;
    try {
      plans_[i] = make_planned(job, comm_, seed_ + i, complaints_);
    } catch (Error const& error) {
      message = text("Error: ", error.what());
    }
    if (job.refused)
      expect_refusal(message);
    else if (!message.empty())
      complaints_.add("making the plan: " + message);
    if (everywhere(plans_[i] != nullptr, comm_)) return;
    if (plans_[i]) complaints_.add("making the plan: it was made here, and not on all ranks");
    plans_[i].reset();
  }

  void expect_refusal(std::string const& message) {
    std::string const first = broadcast(message, 0, comm_);
    if (message.empty()) complaints_.add("making the plan: no Error was thrown");
    if (message != first)
      complaints_.add("the message is \"" + message + "\", that of rank 0 is \"" + first + "\"");
  }

  MPI_Comm comm_;
  std::uint64_t seed_;
  Complaints& complaints_;
  std::vector<Job> jobs_;
  std::vector<std::unique_ptr<Planned>> plans_;
};

/// Where a rank works.
struct Place {
  int team = -1;
  int rank = 0;
  bool is_world = false;  // the team is all ranks in their own order
};

Place place_of(Problem const& problem, int rank, int ranks) {
  std::vector<int> seen(static_cast<std::size_t>(ranks), 0);
  Place found;
  for (std::size_t team = 0; team < problem.size(); ++team) {
    std::vector<int> members = problem[team].ranks;
    for (int i = 0; problem[team].ranks.empty() && i < ranks; ++i) members.push_back(i);
    for (std::size_t i = 0; i < members.size(); ++i) {
      require(members[i] >= 0 && members[i] < ranks, "ranks: 0 to ", ranks - 1,
              " are there, the problem names ", members[i]);
      require(seen[static_cast<std::size_t>(members[i])]++ == 0, "ranks: rank ", members[i],
              " is named twice");
      if (members[i] != rank) continue;
      found.team = static_cast<int>(team);
      found.rank = static_cast<int>(i);
    }
    found.is_world =
        static_cast<int>(members.size()) == ranks && std::is_sorted(members.begin(), members.end());
  }
  found.is_world = found.is_world && problem.size() == 1;
  return found;
}

}  // namespace

std::string run(Problem const& problem, std::uint64_t seed) {
  Place const place = place_of(problem, rank_in(MPI_COMM_WORLD), size_of(MPI_COMM_WORLD));
  TeamComm const comm(place.team, place.rank, place.is_world);
  Complaints complaints;
  if (place.team >= 0) {
    auto const team = static_cast<std::size_t>(place.team);
    TeamWork(problem[team], comm.get(), seed + 1000 * team, complaints).run();
  }
  return first_of(complaints.text(), MPI_COMM_WORLD);
}

Machine this_machine() {
  auto const message = [](sixstep::Options const& options) -> std::string {
    try {
      Plan<double>(Layout::slab({4}, 1), MPI_COMM_SELF, options);
      Plan<float>(Layout::slab({4}, 1), MPI_COMM_SELF, options);
    } catch (Error const& error) {
      return error.what();
    }
    return "";
  };
  Machine found;
  for (Local local : {Local::fftw, Local::mkl})
    if (message({.local = local}).empty()) found.locals.push_back(local);
  for (char const* isa : {"AVX3", "AVX2", "SSE4", "SSSE3", "SSE2", "NEON", "EMU128"}) {
    Job job;
    job.isa = isa;
    set_environment(job);
    if (message({}).empty()) found.isas.emplace_back(isa);
  }
  set_environment(Job());
  return found;
}

}  // namespace soak
