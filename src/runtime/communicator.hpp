// SPDX-License-Identifier: BSD-3-Clause
// Communicators: one duplicate for all that is made on a communicator of the user's, what is made
// of it once for all plans, and tags by which plans tell their messages apart.
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

/// A communicator of MPI's, and what is kept beside it.
struct Held;

/// Tags from `first()` on that no other object has, given back with this one.
class Tags {
 public:
  /// Those from 0 on, which are nobody's.
  Tags() = default;
  Tags(std::shared_ptr<Held> held, int first) : held_(std::move(held)), first_(first) {}
  ~Tags();
  Tags(Tags&& other) noexcept : held_(std::move(other.held_)), first_(other.first_) {}
  Tags& operator=(Tags&& other) noexcept;

  int first() const { return first_; }

 private:
  std::shared_ptr<Held> held_;  // none: nothing is given back
  int first_ = 0;
};

/// A handle of a communicator, which is freed with the last handle, and how long waits for its
/// ranks may last. All collective calls throw Error on every rank if MPI has no communicator left.
class Communicator {
 public:
  Communicator() = default;

  /// The duplicate of the user's that all handles share; for one of the library's own, that itself.
  /// SIXSTEP_TIMEOUT limits its waits, in seconds, if it is set. It lives as long as the user's,
  /// and as any handle. Collective. Errors: MPI is not running, or another MPI's launcher has
  /// started the program; a null or inter-communicator; on every rank, SIXSTEP_TIMEOUT is no
  /// positive number, or not the same on all ranks.
  static Communicator duplicate(MPI_Comm comm);
  /// One that is to be freed with the last handle from now on; waits have no limit.
  static Communicator own(MPI_Comm comm);
  /// The ranks that give the same colour, in the same order: a new one. Collective.
  Communicator split(int colour) const;
  /// Those that can have memory in common with this one, in the same order, made once. Collective.
  Communicator split_by_memory() const;
  /// These ranks, ascending, of which this is one, if all ranks give the groups of a partition;
  /// made once for each group and number. Collective.
  Communicator group(std::vector<int> const& ranks, int number) const;

  /// So many tags. Where threads may use the communicator at once no other object has them;
  /// otherwise ranks use all objects in the same order, which tells messages apart. They are below
  /// `most`, 0: MPI's largest. Collective. Errors, on every rank: there are none left.
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

/// What is kept under a name beside one of the library's communicators, freed before it; null if
/// there is nothing, or the communicator is another.
std::shared_ptr<void> kept(MPI_Comm comm, std::string const& name);
/// Does nothing if the communicator is not the library's.
void keep(MPI_Comm comm, std::string const& name, std::shared_ptr<void> object);

/// Calls make(), which makes something on `comm` and returns MPI's code, when all ranks have come.
/// Collective. Errors, on every rank: MPI has nothing left of which that could be made.
void make_on(Comm const& comm, std::function<int()> const& make);

/// Whether several threads may call MPI at once.
bool has_threads();

}  // namespace sixstep::mpi
