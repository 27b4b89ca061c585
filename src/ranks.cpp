// SPDX-License-Identifier: BSD-3-Clause
// Ranks: what is kept is found again by comparing what it was made of, the last used first.
#include "sixstep/ranks.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <list>
#include <tuple>
#include <utility>

#include "exchange/ghosts.hpp"
#include "runtime/memory.hpp"
#include "runtime/mpi.hpp"
#include "runtime/node.hpp"
#include "runtime/threads.hpp"
#include "runtime/turnstile.hpp"

namespace sixstep {

namespace {

/// What allocate() is asked for on a rank that cannot: fail().
constexpr Index refused = std::numeric_limits<Index>::max();

/// The last used first. All ranks use the same in the same order, so they drop the same.
template <class Key, class Made>
class Recent {
 public:
  template <class Make>
  Made& get(Key const& key, Make const& make) {
    constexpr std::size_t most = 32;
    auto const found = std::ranges::find(all_, key, &std::pair<Key, Made>::first);
    if (found != all_.end()) {
      all_.splice(all_.begin(), all_, found);
    } else {
      all_.emplace_front(key, make());
      if (all_.size() > most) all_.pop_back();
    }
    return all_.front().second;
  }

 private:
  std::list<std::pair<Key, Made>> all_;
};

template <class Real>
using Plans = Recent<std::tuple<Layout, Layout, Options>, Plan<Real>>;

}  // namespace

struct Ranks::Kept {
  explicit Kept(MPI_Comm user_comm)
      : comm(mpi::Communicator::duplicate(user_comm)),
        node(comm),
        memory(node, alignment),
        threads(fair_threads(comm)) {}

  /// Memory that nobody uses, and its bytes.
  struct Spare {
    std::shared_ptr<void> memory;
    std::size_t bytes;
  };

  mpi::Communicator comm;
  Node node;
  NodeMemory memory;  // its arena is that of all arrays
  int threads;
  std::tuple<Plans<float>, Plans<double>> plans;
  Recent<std::tuple<Layout, Layout, std::size_t, bool>, ByteRedistribution> redistributions;
  Recent<std::tuple<Layout, PerAxis<Boundary>, std::size_t>, exchange::GhostExchange> ghosts;
  std::list<Spare> spare;
  std::atomic_flag is_busy;  // a thread is using it
};

Ranks::Ranks(MPI_Comm comm) : kept_(std::make_shared<Kept>(comm)) {}

int Ranks::size() const { return kept_->comm.size(); }
int Ranks::rank() const { return kept_->comm.rank(); }
int Ranks::threads() const { return kept_->threads; }
MPI_Comm Ranks::comm() const { return kept_->comm; }

std::shared_ptr<void> Ranks::allocate(std::size_t wanted, bool zeros) const {
  constexpr std::size_t most_spare = 2;
  Turnstile const alone(kept_->is_busy, "ranks");
  auto const largest = [&](Index& value) {
    mpi::reduce_to_all(kept_->comm, &value, 1, MPI_INT64_T, MPI_MAX);
  };
  auto most = static_cast<Index>(std::max(wanted, alignment));
  largest(most);
  if (most == refused) mpi::agree(kept_->comm, "");
  auto const bytes = static_cast<std::size_t>(most);
  auto const found = std::ranges::find(kept_->spare, bytes, &Kept::Spare::bytes);
  // A program in Python may still hold on one rank what others have released.
  Index is_missing = found == kept_->spare.end() ? 1 : 0;
  largest(is_missing);
  std::shared_ptr<void> memory;
  if (!is_missing) {
    memory = std::move(found->memory);
    kept_->spare.erase(found);
    if (zeros) std::memset(memory.get(), 0, bytes);
  } else {
    Arena& arena = kept_->memory.arena();
    std::optional<std::size_t> const offset = arena.reserve(kept_->node.comm(), bytes);
    mpi::together(kept_->comm, [&] {
      if (offset) {
        memory = arena.hold(*offset);
      } else {
        memory = std::shared_ptr<std::byte[]>(sixstep::allocate(bytes));
        if (zeros) std::memset(memory.get(), 0, bytes);
      }
    });
  }
  void* const first = memory.get();
  auto const release = [bytes, memory = std::move(memory), kept = std::weak_ptr(kept_)](void*) {
    std::shared_ptr<Kept> const ranks = kept.lock();
    if (!ranks) return;
    ranks->spare.push_front({memory, bytes});
    if (ranks->spare.size() > most_spare) ranks->spare.pop_back();
  };
  return {first, release};
}

void Ranks::fail(std::string const& message) const {
  Turnstile const alone(kept_->is_busy, "ranks");
  Index most = refused;
  mpi::reduce_to_all(kept_->comm, &most, 1, MPI_INT64_T, MPI_MAX);
  mpi::agree(kept_->comm, message);
  throw Error(message);  // which agree() has done
}

template <class Real>
Plan<Real>& Ranks::plan(Layout const& input, Layout const& output, Options const& options) const {
  Turnstile const alone(kept_->is_busy, "ranks");
  return std::get<Plans<Real>>(kept_->plans).get({input, output, options}, [&] {
    return Plan<Real>(input, output, kept_->comm, options);
  });
}

template Plan<float>& Ranks::plan(Layout const&, Layout const&, Options const&) const;
template Plan<double>& Ranks::plan(Layout const&, Layout const&, Options const&) const;

ByteRedistribution& Ranks::redistribution(Layout const& from, Layout const& to,
                                          std::size_t element_bytes, bool preserve_input) const {
  Turnstile const alone(kept_->is_busy, "ranks");
  return kept_->redistributions.get({from, to, element_bytes, preserve_input}, [&] {
    return ByteRedistribution(from, to, kept_->comm, {.preserve_input = preserve_input},
                              element_bytes);
  });
}

void Ranks::update_ghosts(Layout const& layout, PerAxis<Boundary> const& boundaries, void* array,
                          std::size_t element_bytes) const {
  Turnstile const alone(kept_->is_busy, "ranks");
  kept_->ghosts
      .get({layout, boundaries, element_bytes},
           [&] { return exchange::GhostExchange(layout, boundaries, kept_->comm, element_bytes); })
      .run(array);
}

void Ranks::gather_to_all(void const* mine, void* all, std::size_t bytes) const {
  Turnstile const alone(kept_->is_busy, "ranks");
  mpi::gather_to_all(kept_->comm, mine, all, static_cast<Index>(bytes));
}

namespace {

void reduce(auto& kept, auto values, MPI_Datatype type, MPI_Op op) {
  Turnstile const alone(kept.is_busy, "ranks");
  mpi::reduce_to_all(kept.comm, values.data(), static_cast<Index>(values.size()), type, op);
}

}  // namespace

void Ranks::sum(std::span<double> values) const { reduce(*kept_, values, MPI_DOUBLE, MPI_SUM); }
void Ranks::sum(std::span<Index> values) const { reduce(*kept_, values, MPI_INT64_T, MPI_SUM); }
void Ranks::max(std::span<double> values) const { reduce(*kept_, values, MPI_DOUBLE, MPI_MAX); }
void Ranks::max(std::span<Index> values) const { reduce(*kept_, values, MPI_INT64_T, MPI_MAX); }

void Ranks::broadcast(void* values, std::size_t bytes, int from) const {
  require(from >= 0 && from < size(), "from: a rank from 0 to ", size() - 1, " is needed, ", from,
          " was given");
  Turnstile const alone(kept_->is_busy, "ranks");
  mpi::broadcast(kept_->comm, values, static_cast<Index>(bytes), from);
}

}  // namespace sixstep
