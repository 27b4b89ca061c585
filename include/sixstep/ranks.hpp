// SPDX-License-Identifier: BSD-3-Clause
// Ranks: a communicator, and what global arrays on it keep.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "sixstep/plan.hpp"
#include "sixstep/redistribution.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// What the ghosts beyond an edge of the whole array are: the points at its other end, or nothing
/// that others have.
enum class Boundary { periodic, open };

/// The ranks of a communicator, with the plans and redistributions that arrays on them have needed:
/// the last 32 of each are kept, so that a statement in a loop plans once. A handle: copies are the
/// same ranks. It may be used by one thread at a time: another that comes meanwhile gets an Error,
/// on its rank alone. What it keeps is freed, collectively, with
/// the last handle and array.
class Ranks {
 public:
  /// Any communicator is as good as its Ranks; it is duplicated, once for all. Collective. Errors:
  /// those of a plan's communicator.
  Ranks(MPI_Comm comm);

  int size() const;
  int rank() const;
  /// OpenMP threads that loops of arrays use on this rank.
  int threads() const;
  /// The duplicate, which plans on these ranks share: not for messages of the user's own.
  MPI_Comm comm() const;

  /// Memory of so many bytes, or of what the rank asks for that asks for most, which the ranks of a
  /// node reach directly where they can; zeros if `zeros`. The last two that were released are used
  /// again. Collective. Errors: memory that cannot be had.
  std::shared_ptr<void> allocate(std::size_t bytes, bool zeros) const;

  /// For a rank that cannot call allocate() as the others do, since its own arguments are wrong:
  /// all ranks throw Error with this message, which is not empty. Collective with allocate().
  [[noreturn]] void fail(std::string const& message) const;

  /// A plan that is kept. Collective. Errors: those of a plan.
  template <class Real>
  Plan<Real>& plan(Layout const& input, Layout const& output, Options const& options) const;
  /// The same of a redistribution of elements of so many bytes.
  ByteRedistribution& redistribution(Layout const& from, Layout const& to,
                                     std::size_t element_bytes, bool preserve_input) const;

  /// Fills the ghosts of this rank's array from the ranks that have the points, corners included;
  /// beyond open boundaries they stay what they are. How is kept. Collective. Errors: not one
  /// boundary an axis; a cyclic axis with ghosts.
  void update_ghosts(Layout const& layout, PerAxis<Boundary> const& boundaries, void* array,
                     std::size_t element_bytes) const;

  /// All ranks get what they have together, entry by entry. Collective.
  void sum(std::span<double> values) const;
  void sum(std::span<Index> values) const;
  void max(std::span<double> values) const;
  void max(std::span<Index> values) const;
  /// All ranks get the bytes of one. Collective. Errors: `from` is no rank.
  void broadcast(void* values, std::size_t bytes, int from) const;
  /// `all` gets the bytes at `mine` of each rank, as many of every rank. Collective.
  void gather_to_all(void const* mine, void* all, std::size_t bytes) const;

  bool operator==(Ranks const&) const = default;

 private:
  struct Kept;
  std::shared_ptr<Kept> kept_;
};

extern template Plan<float>& Ranks::plan(Layout const&, Layout const&, Options const&) const;
extern template Plan<double>& Ranks::plan(Layout const&, Layout const&, Options const&) const;

}  // namespace sixstep
#pragma GCC visibility pop
