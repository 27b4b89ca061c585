// SPDX-License-Identifier: BSD-3-Clause
// Ranks: a communicator, and the plans and memory that global arrays on it keep.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "sixstep/exact_sum.hpp"
#include "sixstep/plan.hpp"
#include "sixstep/redistribution.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// The ghosts beyond an edge of the global array. periodic: the points at the opposite edge; open:
/// points that no rank holds.
enum class Boundary { periodic, open };

/// The ranks of a communicator, with the plans and redistributions that arrays on them have used.
/// The last 32 of each are kept, so that a statement in a loop plans only once. Ranks is a handle:
/// copies stand for the same ranks. One thread at a time may use it; a second thread at the same
/// time gets an Error, on its rank only. The last handle or array that is destroyed frees the
/// plans; ranks may do so at different times.
class Ranks {
 public:
  /// A communicator converts to its Ranks; it is duplicated once. Collective. Errors: those of a
  /// plan's communicator.
  Ranks(MPI_Comm comm);

  int size() const;
  int rank() const;
  /// OpenMP threads that loops of arrays use on this rank.
  int threads() const;
  /// The duplicate, which plans on these ranks share. Users must not send messages on it.
  MPI_Comm comm() const;

  // Each collective call begins with one small reduction. All ranks throw the same Error if a rank
  // refuses its arguments, or if ranks make different calls or give different arguments.

  /// Replaces a collective call on a rank whose arguments are wrong: all ranks throw Error with
  /// this message, which must not be empty.
  [[noreturn]] void fail(std::string const& message) const;
  /// Calls fail() with the message `parts` unless `holds`. The parts are joined only then.
  template <class... Parts>
  void require(bool holds, Parts const&... parts) const {
    if (!holds) fail(text(parts...));
  }
  /// Returns make(). If it throws Error on a rank, all ranks throw that Error.
  template <class Make>
  auto checked(Make const& make) const {
    try {
      return make();
    } catch (Error const& error) {
      fail(error.what());
    }
  }
  /// Names the user's call that the next collective call is a part of, and its arguments in words.
  /// All ranks must say the same. Not collective.
  void note(std::string call, std::string arguments) const;

  /// Allocates memory for the rank's array of a layout, filled with zeros if `zeros`. Ranks of a
  /// node reach it directly where they can. Every rank gets room for the largest array. The last
  /// two arrays that were released are used again. Collective. Errors: too little memory.
  std::shared_ptr<void> allocate(Layout const& layout, std::size_t element_bytes, bool zeros) const;

  /// Returns the kept plan for these arguments; makes it if there is none. Collective. Errors:
  /// those of a plan.
  template <class Real>
  Plan<Real>& plan(Layout const& input, Layout const& output, Options const& options) const;
  /// Works like plan(), for a redistribution of elements of `element_bytes`.
  ByteRedistribution& redistribution(Layout const& from, Layout const& to,
                                     std::size_t element_bytes, bool preserve_input) const;

  /// Fills the ghosts of this rank's array, corners included, from the ranks that hold the points.
  /// Ghosts beyond open boundaries stay unchanged. The messages are planned once. Collective.
  /// Errors: not one boundary an axis; a cyclic axis has ghosts.
  void update_ghosts(Layout const& layout, PerAxis<Boundary> const& boundaries, void* array,
                     std::size_t element_bytes) const;

  /// Replaces each entry by its sum or maximum over all ranks. Sums of doubles are rounded for each
  /// rank, in an order that depends on their number; an ExactSum is not rounded. A maximum is NaN
  /// if an entry is, and 0 is above -0. Collective.
  void sum(std::span<ExactSum> values) const;
  void sum(std::span<double> values) const;
  void sum(std::span<Index> values) const;
  void max(std::span<double> values) const;
  void max(std::span<Index> values) const;
  /// Copies the bytes of rank `from` to all ranks. Collective. Errors: `from` is no rank.
  void broadcast(void* values, std::size_t bytes, int from) const;
  /// Gathers `bytes` at `mine` from each rank, in the order of ranks, into `all` on every rank.
  /// Collective.
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
