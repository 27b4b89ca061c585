// SPDX-License-Identifier: BSD-3-Clause
// Communicators: one duplicate for everything made on a user's communicator, parts of it that are
// made once for all plans, and tags that tell the messages of plans apart.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/patience.hpp"

namespace sixstep::mpi {

class Comm;

/// An MPI communicator, and what is kept beside it.
struct Held;

/// Tags from `first()` on that no other object has. The destructor gives them back.
class Tags {
 public:
  /// Tags from 0 on, which no object owns.
  Tags() = default;
  Tags(std::shared_ptr<Held> held, int first) : held_(std::move(held)), first_(first) {}
  ~Tags();
  Tags(Tags&& other) noexcept : held_(std::move(other.held_)), first_(other.first_) {}
  Tags& operator=(Tags&& other) noexcept;

  int first() const { return first_; }

 private:
  std::shared_ptr<Held> held_;  // null: nothing is given back
  int first_ = 0;
};

/// A handle of a communicator, and the limit of waits for its ranks. The communicator is freed with
/// the last handle. All collective calls throw Error on every rank if MPI has no communicator left.
class Communicator {
 public:
  Communicator() = default;

  /// The duplicate of a user's communicator, which all handles share; a communicator of the library
  /// is returned itself. It lives as long as the user's communicator or any handle does.
  /// SIXSTEP_TIMEOUT, if set, limits its waits (in seconds). Collective. Throws Error
  /// - if MPI is not running, or the launcher of another MPI started the program;
  /// - if `comm` is null or an inter-communicator;
  /// - on every rank, if SIXSTEP_TIMEOUT is no positive number or differs between ranks.
  static Communicator duplicate(MPI_Comm comm);
  /// Takes ownership of `comm`, which is freed with the last handle. Waits have no limit.
  static Communicator own(MPI_Comm comm);
  /// A new communicator of the ranks that pass the same colour, in the same order. Collective.
  Communicator split(int colour) const;
  /// The ranks that can share memory with this one, in the same order. Made once. Collective.
  Communicator split_by_memory() const;
  /// The communicator of `ranks` (ascending, including this one). All ranks must pass the groups of
  /// one partition. Made once for each group and number. Collective.
  Communicator group(std::vector<int> const& ranks, int number) const;

  /// Takes `count` tags below `most` (0: below MPI's largest). If several threads may call MPI, no
  /// other object has these tags; otherwise all ranks use their objects in the same order, which
  /// tells messages apart. Collective. Throws Error on every rank if no tags are left.
  Tags take_tags(int count, int most = 0) const;

  MPI_Comm get() const;
  operator MPI_Comm() const { return get(); }
  int rank() const { return rank_; }
  int size() const { return size_; }
  Patience const& patience() const { return patience_; }

 private:
  Communicator(std::shared_ptr<Held> held, Patience const& patience);
  template <class Make>
  std::shared_ptr<Held> made(Make const& make) const;

  std::shared_ptr<Held> held_;
  int rank_ = 0;
  int size_ = 0;
  Patience patience_;
};

/// The object kept under `name` beside one of the library's communicators, which releases it before
/// it is freed; null if there is none, or if `comm` is not the library's.
std::shared_ptr<void> kept(MPI_Comm comm, std::string const& name);
/// Keeps `object` beside `comm`. Does nothing if `comm` is not one of the library's.
void keep(MPI_Comm comm, std::string const& name, std::shared_ptr<void> object);

/// Keeps `object`, whose destructor is collective over `comm`, until no rank holds it anywhere
/// else. The ranks then destroy it in their next collective call that plans on the user's
/// communicator, or when that is freed, or in MPI_Finalize. So the programs' objects may be
/// destroyed on some ranks earlier than on others, or in another order. If `comm` is of one rank or
/// not the library's, the last holder destroys the object. Collective.
void destroy_together(MPI_Comm comm, std::shared_ptr<void> object);

/// Waits for all ranks, then calls make(), which makes something on `comm` and returns MPI's code.
/// Collective. Throws Error on every rank if any code is not MPI_SUCCESS.
void make_on(Comm const& comm, std::function<int()> const& make);

/// Whether several threads may call MPI at once.
bool has_threads();

}  // namespace sixstep::mpi
