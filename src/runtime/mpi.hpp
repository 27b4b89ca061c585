// SPDX-License-Identifier: BSD-3-Clause
// MPI: errors that all ranks throw together, waits, types that own their handles, and the one place
// where counts are narrowed to MPI's int.
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

/// A borrowed communicator, and the limit of waits for its ranks.
class Comm {
 public:
  /// A user's communicator. This rank's SIXSTEP_TIMEOUT limits its waits. They have no limit if it
  /// is not set or no number, which require_common_timeout() reports on all ranks when they plan.
  Comm(MPI_Comm comm);
  Comm(Communicator const& comm) : comm_(comm.get()), patience_(comm.patience()) {}

  operator MPI_Comm() const { return comm_; }
  Patience const& patience() const { return patience_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  Patience patience_;
};

/// Waits for all these requests. It is the only place where the library waits for messages. If it
/// takes too long, `waiting_for()` says what has not arrived.
template <class WaitingFor>
void wait_all(std::span<MPI_Request> requests, Patience const& patience,
              WaitingFor const& waiting_for);

/// Whether MPI is running, and was started by this process. The MPI objects that a forked process
/// inherits belong to its parent: they must neither be used nor freed here.
bool is_running();
/// Whether this process inherited a running MPI from its parent.
bool is_inherited();
/// Throws Error if is_inherited().
void require_own();
/// Throws Error if is_inherited(), or if MPI is not initialised or already finalised. The messages
/// of the latter begin with the name of an argument.
void require_running(char const* argument);

int rank_of(MPI_Comm comm);

/// The name and version of this MPI in one line. Needs no MPI_Init.
std::string library();
/// Whether MPI says that it accepts pointers to GPU memory (MPIX_Query_cuda_support()).
bool takes_cuda_pointers();

// Collective calls. The limit of waits applies to them.

/// Waits until all ranks have called it. Needed before MPI calls that have no nonblocking form.
void meet(Comm const& comm);
// Calls with a `limit` are split so that no count of an MPI call exceeds it. Tests of large counts
// lower it.

/// The largest count that is passed to one MPI call.
inline constexpr Index largest_count = std::numeric_limits<int>::max();

/// Replaces all ranks' values by their reduction with `op`.
void reduce_to_all(Comm const& comm, void* values, Index count, MPI_Datatype type, MPI_Op op,
                   Index limit = largest_count);
/// Copies the bytes of rank `from` to all ranks.
void broadcast(Comm const& comm, void* values, Index bytes, int from = 0,
               Index limit = largest_count);
/// The text of rank `from`, on every rank.
std::string broadcast(Comm const& comm, std::string text, int from = 0);
/// Gathers the `bytes` at `mine` of every rank (the same number on each) to `all`, in pieces with
/// at most `limit` bytes from all ranks together.
void gather_to_all(Comm const& comm, void const* mine, void* all, Index bytes,
                   Index limit = largest_count);

class Counted;
/// Sends the part number r at `from` to rank r, and receives the parts at `to` in the order of
/// ranks. Without a limit of waits it calls the blocking MPI_Alltoall, with which `sixstep gfft`
/// compares its time.
void all_to_all(Comm const& comm, void const* from, void* to, Counted const& part);

/// An Error that all ranks of a communicator have thrown, so that no rank waits for another.
class AgreedError : public Error {
 public:
  using Error::Error;
};

/// One rank's part in the beginning of a collective call.
struct Arrival {
  std::string refused = {};  // why it cannot make the call; empty if it can
  ErrorCode code = ErrorCode::argument;
  std::uint64_t fingerprint = 0;  // of what must be the same on all ranks
  Index number = 0;               // 0 or more
};
/// The result over all ranks.
struct Arrivals {
  bool are_alike;
  Index largest;  // of all `number`
};

/// Begins a collective call: throws AgreedError on every rank if any refuses, with the message and
/// the code of the lowest such rank. Costs one small reduction. Collective.
Arrivals begin(Comm const& comm, Arrival const& mine);

/// begin() for ranks that compare nothing: throws AgreedError on every rank, with the message and
/// the code of the lowest rank whose `message` is not empty. Collective.
void agree(Comm const& comm, std::string const& message, ErrorCode code = ErrorCode::argument);

/// Throws Error if the launcher of another MPI started this process as one of several, because
/// these processes do not find each other.
void require_own_launcher();
/// Throws Error on every rank if SIXSTEP_TIMEOUT is no positive number or differs between ranks.
/// Collective.
void require_common_timeout(Comm const& comm);

/// For a rank whose own arguments are wrong, while the others make a collective call of the
/// library: throws Error on every rank, with this message. It works because every such call begins
/// with Communicator::duplicate() and agree() or begin().
[[noreturn]] void fail(MPI_Comm comm, std::string const& message,
                       ErrorCode code = ErrorCode::argument);

/// Runs `action` on every rank. If it throws anywhere, every rank throws Error. `action` must not
/// communicate before it throws. Collective.
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
    message = text("memory: rank ", rank, " has too little");
    code = ErrorCode::memory;
  } catch (std::exception const& error) {
    take(error);
  }
  agree(comm, message, code);
}

/// An argument, or a part of one, that must be the same on all ranks.
struct Alike {
  std::string argument;
  std::string part;                    // of the argument; empty for all of it
  std::uint64_t fingerprint;           // values are compared by it
  std::function<std::string()> words;  // this rank's value, for messages
};

/// Throws AgreedError on every rank unless all ranks passed the same. The message names the first
/// entry that differs, two of its values, and the ranks that passed them. Lists may have different
/// lengths only after an entry that differs. Collective.
void require_alike(Comm const& comm, std::vector<Alike> const& entries);
/// require_alike() for ranks that begin() has found to differ. Returns if no entry differs.
void find_difference(Comm const& comm, std::vector<Alike> const& entries);

/// An MPI count or displacement. The caller knows that it fits.
int narrow(Index value);
/// The bytes from one element of a type to the next.
Index extent_of(MPI_Datatype type);

/// A derived type of `rows` (of one element if empty) that begin `displacement` elements after the
/// buffer's address. It is made of pieces of at most `limit` elements, so that a count larger than
/// an int can be sent as one element of the type.
class DerivedType {
 public:
  DerivedType(MPI_Datatype element, Rows const& rows, Index displacement, Index limit);
  /// One run of elements whose extent has a gap after it.
  static DerivedType with_gap(MPI_Datatype element, Index count, Index limit);
  /// One run of elements. Consecutive elements of this type begin `bytes` apart.
  static DerivedType spaced(MPI_Datatype element, Index count, Index bytes);
  ~DerivedType();
  DerivedType(DerivedType&& other) noexcept;
  DerivedType& operator=(DerivedType&&) = delete;
  MPI_Datatype get() const { return type_; }

 private:
  void resize(Index bytes);

  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// `count` elements as arguments of an MPI call; one element of a derived type if there are more
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

/// Whether a contiguous message can be received in rows. MPICH 4.0 between hosts, over UCX, reports
/// such a message as truncated from some size on (64 KiB over TCP), unless the type of its sender
/// has a gap too.
#ifdef MPICH_VERSION
inline constexpr bool runs_arrive_in_rows = false;
#else
inline constexpr bool runs_arrive_in_rows = true;
#endif

/// The types of reals of 4 or 8 bytes, of complex numbers made of them, and of words of 1, 2 or 16
/// bytes, which are only moved.
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
  constexpr int tries_alone = 1000;  // before the core is yielded to others
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
