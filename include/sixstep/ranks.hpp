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

  // All collective calls begin alike, with one small reduction: all ranks throw the same Error if a
  // rank refuses its arguments, if ranks make different calls, or give them different arguments.

  /// Instead of a collective call, on a rank whose own arguments are wrong: all ranks throw Error
  /// with this message, which is not empty.
  [[noreturn]] void fail(std::string const& message) const;
  /// The same unless `holds`. The message is `parts`, which are joined only if they are needed.
  template <class... Parts>
  void require(bool holds, Parts const&... parts) const {
    if (!holds) fail(text(parts...));
  }
  /// What make() returns. All ranks throw Error if it throws one.
  template <class Make>
  auto checked(Make const& make) const {
    try {
      return make();
    } catch (Error const& error) {
      fail(error.what());
    }
  }
  /// Names the call, and its arguments in words, that the next collective call is a part of. All
  /// ranks must say the same. Not collective.
  void note(std::string call, std::string arguments) const;

  /// Memory for the rank's array of a layout, which the ranks of a node reach directly where they
  /// can; zeros if `zeros`. All ranks get as much as the largest array takes. The last two that
  /// were released are used again. Collective. Errors: memory that cannot be had.
  std::shared_ptr<void> allocate(Layout const& layout, std::size_t element_bytes, bool zeros) const;

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
