// SPDX-License-Identifier: BSD-3-Clause
// Ranks: finds the plans and other objects that it keeps by comparing what they were made from, the
// last used first.
#include "sixstep/ranks.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <list>
#include <mutex>
#include <string_view>
#include <tuple>
#include <utility>

#include "api/alike.hpp"
#include "base/memory.hpp"
#include "base/turnstile.hpp"
#include "exchange/ghosts.hpp"
#include "runtime/mpi.hpp"
#include "runtime/node.hpp"
#include "runtime/threads.hpp"

namespace sixstep {

namespace {

using layout::Fingerprint;

void add(layout::Fingerprint& all, auto const& value) {
  if constexpr (requires { value.begin(); })
    all.add_all(value);
  else
    all.add(value);
}
void add(layout::Fingerprint& all, Options const& options) {
  for_each_option(options, [&](std::string_view name, auto const& value) {
    if (must_be_same(name)) all.add(value);
  });
}

/// The fingerprint of the arguments of a call.
std::uint64_t fingerprint_of(auto const&... arguments) {
  layout::Fingerprint all;
  (add(all, arguments), ...);
  return all.value();
}

/// The outer call that a collective call is part of, and its arguments in words.
struct Note {
  std::string call;
  std::string arguments;
};

/// Objects in order of use, the last used first. All ranks use the same ones in the same order, so
/// they drop the same ones.
template <class Key, class Made>
class Recent {
 public:
  /// begin() gets the fingerprint of the key, and returns whether it is the same on all ranks;
  /// make() throws if it is not.
  template <class Begin, class Make>
  Made& get(Key const& key, Begin const& begin, Make const& make) {
    constexpr std::size_t most = 32;
    auto const found = std::ranges::find(all_, key, &Entry::key);
    std::uint64_t const fingerprint =
        found != all_.end()
            ? found->fingerprint
            : std::apply([](auto const&... parts) { return fingerprint_of(parts...); }, key);
    if (!begin(fingerprint)) make();
    if (found != all_.end()) {
      all_.splice(all_.begin(), all_, found);
    } else {
      all_.push_front({key, fingerprint, make()});
      if (all_.size() > most) all_.pop_back();
    }
    return all_.front().made;
  }

 private:
  struct Entry {
    Key key;
    std::uint64_t fingerprint;
    Made made;
  };
  std::list<Entry> all_;
};

/// Unused memory: the last two pieces that were released. Any thread may release an array while
/// another allocates one.
class Spares {
 public:
  /// Memory of exactly `bytes` bytes; null if there is none.
  std::shared_ptr<void> take(std::size_t bytes) {
    std::lock_guard const lock(mutex_);
    auto const found = std::ranges::find(spares_, bytes, &Spare::bytes);
    if (found == spares_.end()) return nullptr;
    std::shared_ptr<void> memory = std::move(found->memory);
    spares_.erase(found);
    return memory;
  }
  void give_back(std::shared_ptr<void> memory, std::size_t bytes) {
    constexpr std::size_t most = 2;
    std::list<Spare> surplus;  // freed without the lock
    std::lock_guard const lock(mutex_);
    spares_.push_front({std::move(memory), bytes});
    if (spares_.size() > most) surplus.splice(surplus.begin(), spares_, std::prev(spares_.end()));
  }

 private:
  struct Spare {
    std::shared_ptr<void> memory;
    std::size_t bytes;
  };

  std::mutex mutex_;
  std::list<Spare> spares_;  // the last released first
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

  /// Begins a collective call. Returns whether all ranks give it the same arguments, and the
  /// largest `number` of any rank. Throws Error on every rank
  /// - if a rank refuses the call
  /// - if ranks make different calls, or have different notes.
  mpi::Arrivals begin(std::string const& call, std::uint64_t arguments, Index number = 0) {
    Note const said = std::exchange(note, {});
    std::uint64_t const all = fingerprint_of(call, said.call, said.arguments, arguments);
    mpi::Arrivals const arrivals = mpi::begin(comm, {.fingerprint = all, .number = number});
    if (!arrivals.are_alike) {
      std::string const& name = said.call.empty() ? call : said.call;
      AlikeArguments()
          .add_words("call", name)
          .add_words(name, said.arguments)
          .add_words("call", call)
          .find_difference(comm);
    }
    return arrivals;
  }

  /// begin() as a function of the arguments' fingerprint.
  auto begins(std::string const& call) {
    return [=, this](std::uint64_t arguments) { return begin(call, arguments).are_alike; };
  }

  /// Begins a call with a single argument. Also throws Error on every rank if its values differ.
  void begin(std::string const& call, char const* argument, auto const& value) {
    if (!begin(call, fingerprint_of(value)).are_alike)
      AlikeArguments().add(argument, value).require(comm);
  }

  mpi::Communicator comm;
  Node node;
  NodeMemory memory;  // its arena holds all arrays
  int threads;
  std::tuple<Plans<float>, Plans<double>> plans;
  Recent<std::tuple<Layout, Layout, std::size_t, bool>, ByteRedistribution> redistributions;
  Recent<std::tuple<Layout, PerAxis<Boundary>, std::size_t>, exchange::GhostExchange> ghosts;
  Spares spare;
  Note note;                 // for the next collective call
  std::atomic_flag is_busy;  // a thread is using it
};

Ranks::Ranks(MPI_Comm comm) : kept_(std::make_shared<Kept>(comm)) {}

int Ranks::size() const { return kept_->comm.size(); }
int Ranks::rank() const { return kept_->comm.rank(); }
int Ranks::threads() const { return kept_->threads; }
MPI_Comm Ranks::comm() const { return kept_->comm; }

void Ranks::fail(std::string const& message) const {
  Turnstile const alone(kept_->is_busy, "ranks");
  kept_->note = {};
  mpi::agree(kept_->comm, message);
  throw Error(message);  // agree() has thrown already
}

void Ranks::note(std::string call, std::string arguments) const {
  kept_->note = {std::move(call), std::move(arguments)};
}

std::shared_ptr<void> Ranks::allocate(Layout const& layout, std::size_t element_bytes,
                                      bool zeros) const {
  Turnstile const alone(kept_->is_busy, "ranks");
  auto const wanted = static_cast<std::size_t>(layout.array_size(rank())) * element_bytes;
  auto const [are_alike, most] = kept_->begin("allocate", fingerprint_of(layout, element_bytes),
                                              static_cast<Index>(std::max(wanted, alignment)));
  if (!are_alike)
    AlikeArguments()
        .add("layout", layout)
        .add("bytes of an element", element_bytes)
        .require(kept_->comm);
  auto const bytes = static_cast<std::size_t>(most);
  std::shared_ptr<void> memory = kept_->spare.take(bytes);
  // A Python program may still hold memory on one rank that others have released.
  Index is_missing = memory ? 0 : 1;
  mpi::reduce_to_all(kept_->comm, &is_missing, 1, MPI_INT64_T, MPI_MAX);
  if (!is_missing) {
    if (zeros) std::memset(memory.get(), 0, bytes);
  } else {
    if (memory) kept_->spare.give_back(std::move(memory), bytes);
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
    ranks->spare.give_back(memory, bytes);
  };
  return {first, release};
}

template <class Real>
Plan<Real>& Ranks::plan(Layout const& input, Layout const& output, Options const& options) const {
  Turnstile const alone(kept_->is_busy, "ranks");
  return std::get<Plans<Real>>(kept_->plans)
      .get({input, output, options},
           kept_->begins(sizeof(Real) == 4 ? "plan in single precision" : "plan"),
           [&] { return Plan<Real>(input, output, kept_->comm, options); });
}

template Plan<float>& Ranks::plan(Layout const&, Layout const&, Options const&) const;
template Plan<double>& Ranks::plan(Layout const&, Layout const&, Options const&) const;

ByteRedistribution& Ranks::redistribution(Layout const& from, Layout const& to,
                                          std::size_t element_bytes, bool preserve_input) const {
  Turnstile const alone(kept_->is_busy, "ranks");
  return kept_->redistributions.get(
      {from, to, element_bytes, preserve_input}, kept_->begins("redistribution"), [&] {
        return ByteRedistribution(from, to, kept_->comm, {.preserve_input = preserve_input},
                                  element_bytes);
      });
}

void Ranks::update_ghosts(Layout const& layout, PerAxis<Boundary> const& boundaries, void* array,
                          std::size_t element_bytes) const {
  Turnstile const alone(kept_->is_busy, "ranks");
  auto const planned = [&] {
    std::vector<std::string> names;
    for (Boundary const boundary : boundaries)
      names.push_back(boundary == Boundary::open ? "open" : "periodic");
    AlikeArguments()
        .add("boundaries", names)
        .add("layout", layout)
        .add("bytes of an element", element_bytes)
        .require(kept_->comm);
    return exchange::GhostExchange(layout, boundaries, kept_->comm, element_bytes);
  };
  kept_->ghosts.get({layout, boundaries, element_bytes}, kept_->begins("update_ghosts"), planned)
      .run(array);
}

void Ranks::gather_to_all(void const* mine, void* all, std::size_t bytes) const {
  Turnstile const alone(kept_->is_busy, "ranks");
  kept_->begin("gather_to_all", "bytes", bytes);
  mpi::gather_to_all(kept_->comm, mine, all, static_cast<Index>(bytes));
}

namespace {

// MPI does not say what the maximum of NaN and a number is, nor that of 0 and -0. Integers have an
// order: that of the doubles, and NaN above all.
constexpr Index largest_integer = std::numeric_limits<Index>::max();
Index ordered_integer(double value) {
  if (std::isnan(value)) return largest_integer;
  auto const bits = std::bit_cast<Index>(value);
  return bits >= 0 ? bits : bits ^ largest_integer;
}
double ordered_double(Index integer) {
  if (integer == largest_integer) return std::numeric_limits<double>::quiet_NaN();
  return std::bit_cast<double>(integer >= 0 ? integer : integer ^ largest_integer);
}

void reduce(auto& kept, std::string const& call, auto values, MPI_Datatype type, MPI_Op op) {
  Turnstile const alone(kept.is_busy, "ranks");
  kept.begin(call, "values", values.size());
  mpi::reduce_to_all(kept.comm, values.data(), static_cast<Index>(values.size()), type, op);
}

}  // namespace

void Ranks::sum(std::span<ExactSum> values) const {
  constexpr std::size_t length = std::tuple_size_v<ExactSum::Words>;
  std::vector<Index> words;
  for (ExactSum const& value : values) std::ranges::copy(value.words(), std::back_inserter(words));
  reduce(*kept_, "sum of reals", std::span(words), MPI_INT64_T, MPI_SUM);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ExactSum::Words sum;
    std::copy_n(&words[i * length], length, sum.begin());
    values[i] = ExactSum(sum);
  }
}
void Ranks::sum(std::span<double> values) const {
  reduce(*kept_, "sum of reals", values, MPI_DOUBLE, MPI_SUM);
}
void Ranks::sum(std::span<Index> values) const {
  reduce(*kept_, "sum of integers", values, MPI_INT64_T, MPI_SUM);
}
void Ranks::max(std::span<double> values) const {
  std::vector<Index> ordered;
  for (double const value : values) ordered.push_back(ordered_integer(value));
  reduce(*kept_, "max of reals", std::span(ordered), MPI_INT64_T, MPI_MAX);
  std::ranges::transform(ordered, values.begin(), ordered_double);
}
void Ranks::max(std::span<Index> values) const {
  reduce(*kept_, "max of integers", values, MPI_INT64_T, MPI_MAX);
}

void Ranks::broadcast(void* values, std::size_t bytes, int from) const {
  require(from >= 0 && from < size(), "from: a rank from 0 to ", size() - 1, " is needed, ", from,
          " was given");
  Turnstile const alone(kept_->is_busy, "ranks");
  if (!kept_->begin("broadcast", fingerprint_of(bytes, from)).are_alike)
    AlikeArguments().add("from", from).add("bytes", bytes).require(kept_->comm);
  mpi::broadcast(kept_->comm, values, static_cast<Index>(bytes), from);
}

}  // namespace sixstep
