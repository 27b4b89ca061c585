// SPDX-License-Identifier: BSD-3-Clause
// MPI: ranks that fail together, waits, types that own what they hold, and the one place where
// counts are narrowed to MPI's int.
#pragma once

#include <mpi.h>
#include <sched.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/rows.hpp"
#include "runtime/communicator.hpp"
#include "runtime/patience.hpp"
#include "sixstep/layout.hpp"

namespace sixstep::mpi {

/// A communicator, borrowed, and how long waits for its ranks may last.
class Comm {
 public:
  /// The user's: waits last as long as SIXSTEP_TIMEOUT of this rank says; without end if it is not
  /// set, or no number, which ranks refuse together when they plan.
  Comm(MPI_Comm comm);
  Comm(Communicator const& comm) : comm_(comm.get()), patience_(comm.patience()) {}

  operator MPI_Comm() const { return comm_; }
  Patience const& patience() const { return patience_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  Patience patience_;
};

/// Waits for all these requests: the only place where the library waits for messages. Should it
/// take too long, `waiting_for()` says what has not come.
template <class WaitingFor>
void wait_all(std::span<MPI_Request> requests, Patience const& patience,
              WaitingFor const& waiting_for);

/// Whether MPI runs, and did not when this process was forked: whatever a forked process inherits
/// of MPI belongs to its parent, and must neither be used nor freed here.
bool is_running();
/// Whether this process inherited a running MPI from its parent.
bool is_inherited();
/// Errors: is_inherited().
void require_own();
/// The same errors, and those of an MPI that has not been initialised or has been finalised, which
/// begin with the name of an argument.
void require_running(char const* argument);

int rank_of(MPI_Comm comm);

/// The name and version of this MPI, in a line. Needs no MPI_Init.
std::string library();
/// Whether it says that it takes pointers to the memory of GPUs (MPIX_Query_cuda_support()).
bool takes_cuda_pointers();

// Collective calls, which last no longer than waits may.

/// Waits for all ranks to come: before calls that MPI has no nonblocking form of.
void meet(Comm const& comm);
// Those with a `limit` go in pieces, so that no count of an MPI call exceeds it; tests of large
// counts lower it.

/// The largest count that one MPI call is given.
inline constexpr Index largest_count = std::numeric_limits<int>::max();

/// All ranks' values become what `op` makes of them.
void reduce_to_all(Comm const& comm, void* values, Index count, MPI_Datatype type, MPI_Op op,
                   Index limit = largest_count);
/// All ranks get what rank `from` has.
void broadcast(Comm const& comm, void* values, Index bytes, int from = 0,
               Index limit = largest_count);
/// The text of rank `from`, on every rank.
std::string broadcast(Comm const& comm, std::string text, int from = 0);
/// `all` gets the `bytes` at `mine` of each rank, which are as many on every rank. The ranks' bytes
/// together stay below `limit` in each piece.
void gather_to_all(Comm const& comm, void const* mine, void* all, Index bytes,
                   Index limit = largest_count);

class Counted;
/// Each rank gets what every rank has for it: the parts at `from` go to the ranks in their order,
/// those at `to` come from them. Without a limit of waits it is MPI's blocking call, whose time
/// `sixstep gfft` compares with.
void all_to_all(Comm const& comm, void const* from, void* to, Counted const& part);

/// An Error that all ranks of a communicator have thrown: none of them waits for another.
class AgreedError : public Error {
 public:
  using Error::Error;
};

/// What a rank comes with to a collective call.
struct Arrival {
  std::string refused = {};  // why it cannot make the call; empty: it can
  ErrorCode code = ErrorCode::argument;
  std::uint64_t fingerprint = 0;  // of what all ranks must give alike
  Index number = 0;               // 0 or more
};
/// What all ranks have come with.
struct Arrivals {
  bool are_alike;
  Index largest;  // number
};

/// How a collective call begins: throws AgreedError on every rank, with the message and the code of
/// the lowest rank that refuses, if there is one. One small reduction. Collective.
Arrivals begin(Comm const& comm, Arrival const& mine);

/// The same of ranks that compare nothing: throws AgreedError on every rank, with the message and
/// the code of the lowest rank whose `message` is not empty; returns if there is none. Collective.
void agree(Comm const& comm, std::string const& message, ErrorCode code = ErrorCode::argument);

/// Errors: this is one of several processes that the launcher of another MPI has started, which do
/// not find each other.
void require_own_launcher();
/// Errors, on every rank: SIXSTEP_TIMEOUT is no positive number, or not the same on all ranks.
/// Collective.
void require_common_timeout(Comm const& comm);

/// Throws Error on every rank, for a rank that cannot make a collective call of the library because
/// its own arguments are wrong, while the others make it: they get the same error there. Every such
/// call begins with Communicator::duplicate() and agree() or begin().
[[noreturn]] void fail(MPI_Comm comm, std::string const& message,
                       ErrorCode code = ErrorCode::argument);

/// Runs `action` on every rank; if it throws anywhere, every rank throws Error. Collective;
/// `action` itself must not communicate before it throws.
template <class Action>
void together(Comm const& comm, Action const& action) {
  std::string message;
  ErrorCode code = ErrorCode::internal;
  auto const take = [&](std::exception const& error) {
    message = error.what();
    if (message.empty()) message = "an error without a message";
  };
  try {
    action();
  } catch (Error const& error) {
    take(error);
    code = error.code();
  } catch (std::bad_alloc const&) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    message = text("memory: rank ", rank, " could not get what it needs");
    code = ErrorCode::memory;
  } catch (std::exception const& error) {
    take(error);
  }
  agree(comm, message, code);
}

/// An argument, or a part of one, that all ranks must give alike.
struct Alike {
  std::string argument;
  std::string part;                    // of the argument; empty: all of it
  std::uint64_t fingerprint;           // by which values are compared
  std::function<std::string()> words;  // what messages call this rank's value
};

/// Throws AgreedError on every rank unless all gave the same. The message names the first entry
/// that differs, two of its values, and which ranks gave them. Collective. Lists may have different
/// lengths only behind an entry that differs.
void require_alike(Comm const& comm, std::vector<Alike> const& entries);
/// The same of ranks of which begin() has told that they are not alike. Returns if no entry
/// differs.
void find_difference(Comm const& comm, std::vector<Alike> const& entries);

/// An MPI count or displacement; the value is known to fit.
int narrow(Index value);

/// A derived type of rows that begin `displacement` elements behind the buffer's address, or of a
/// single one, made of pieces of at most `limit` elements, so that counts beyond an int can be sent
/// as one.
class DerivedType {
 public:
  DerivedType(MPI_Datatype element, Rows const& rows, Index displacement, Index limit);
  /// One run of elements, of which MPI believes that there is a gap behind.
  static DerivedType with_gap(MPI_Datatype element, Index count, Index limit);
  /// One run of elements, which begins `bytes` before the next of this type.
  static DerivedType spaced(MPI_Datatype element, Index count, Index bytes);
  ~DerivedType();
  DerivedType(DerivedType&& other) noexcept;
  DerivedType& operator=(DerivedType&&) = delete;
  MPI_Datatype get() const { return type_; }

 private:
  void resize(Index bytes);

  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// `count` elements as arguments of an MPI call: a single one of a derived type where they are more
/// than `limit`.
class Counted {
 public:
  Counted(MPI_Datatype element, Index count, Index limit = largest_count);
  int count() const { return count_; }
  MPI_Datatype type() const { return derived_ ? derived_->get() : element_; }

 private:
  MPI_Datatype element_;
  int count_;
  std::optional<DerivedType> derived_;
};

/// Whether a message of one run can be received in rows. MPICH 4.0 between hosts, over UCX, takes
/// it for truncated from some size on (64 KiB over TCP), unless its sender has a gap in it too.
#ifdef MPICH_VERSION
inline constexpr bool runs_arrive_in_rows = false;
#else
inline constexpr bool runs_arrive_in_rows = true;
#endif

/// The types of reals of 4 or 8 bytes, and of complex numbers made of them; of words of 1, 2 or 16
/// bytes too, which are moved alone.
inline MPI_Datatype real_type(int real_bytes) {
  return real_bytes == 1   ? MPI_UINT8_T
         : real_bytes == 2 ? MPI_UINT16_T
         : real_bytes == 4 ? MPI_FLOAT
         : real_bytes == 8 ? MPI_DOUBLE
                           : MPI_C_DOUBLE_COMPLEX;
}
inline MPI_Datatype complex_type(int real_bytes) {
  return real_bytes == 4 ? MPI_C_FLOAT_COMPLEX : MPI_C_DOUBLE_COMPLEX;
}

template <class WaitingFor>
void wait_all(std::span<MPI_Request> requests, Patience const& patience,
              WaitingFor const& waiting_for) {
  constexpr int tries_alone = 1000;  // before the core is offered to others
  int const count = narrow(static_cast<Index>(requests.size()));
  if (patience.is_endless()) {
    MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE);
    return;
  }
  Patience::Wait wait = patience.begin();
  for (Index tries = 0;; ++tries) {
    int have_come = 0;
    MPI_Testall(count, requests.data(), &have_come, MPI_STATUSES_IGNORE);
    if (have_come) return;
    wait.check(waiting_for);
    if (tries >= tries_alone) sched_yield();
  }
}

}  // namespace sixstep::mpi
