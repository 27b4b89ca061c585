// SPDX-License-Identifier: BSD-3-Clause
// Redistribution: an array of anything goes from one layout to another, and back.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

#include "sixstep/layout.hpp"
#include "sixstep/options.hpp"
#include "sixstep/plan.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// What a user may choose about a redistribution.
struct RedistributionOptions {
  int fields = 1;  ///< arrays that are moved together, one behind the other in memory: a
                   ///< pair of ranks has one message for all of them
  Exchange exchange = Exchange::shared;
  int threads = 0;             ///< as Options::threads
  bool preserve_input = true;  ///< false: out of place, the input may be overwritten, which may
                               ///< save work memory
};

/// A redistribution of elements of any size: what Redistribution<T> is made of.
class ByteRedistribution {
 public:
  ByteRedistribution(Layout const& from, Layout const& to, MPI_Comm comm,
                     RedistributionOptions const& options, std::size_t element_bytes);
  /// Collective, as it frees communicators.
  ~ByteRedistribution();
  ByteRedistribution(ByteRedistribution&&) noexcept;
  ByteRedistribution& operator=(ByteRedistribution&&) noexcept;

  Layout const& from() const { return from_; }
  Layout const& to() const { return to_; }
  Index from_size() const { return from_size_; }
  Index to_size() const { return to_size_; }
  void execute(void const* in, void* out, Direction direction);
  std::shared_ptr<void> allocate();
  std::size_t workspace_bytes() const;
  std::string describe() const;
  int passes() const;
  int exchanges() const;
  double communication_seconds() const;

 private:
  Layout from_;
  Layout to_;
  Index from_size_ = 0;
  Index to_size_ = 0;
  std::unique_ptr<plan::CompositionRunner> runner_;
};

/// A redistribution of an array of T that is spread over the ranks of a communicator: every element
/// goes to where `to` has it from where `from` has it. Nothing is computed: T is moved as bytes.
///
/// Ranks of a node read and write one another's memory: with arrays from allocate(), each element
/// is read once and written once. Others exchange packed messages, one a pair of ranks. What is on
/// the same ranks in both layouts is reordered by each rank alone.
///
/// Constructing is collective over `comm`, which is duplicated once for all. It succeeds on every
/// rank or throws the same Error on every rank: layouts, fields or strategies that differ from rank
/// to rank, or sizes of T; layouts that are not for as many ranks as `comm` has or not of the same
/// shape; more than max_axes axes, an extent of 0 or more than 2^57 points in all; fields < 1,
/// negative threads; memory that cannot be had. What is said of threads in plan.hpp holds here too.
template <class T>
requires std::is_trivially_copyable_v<T>
class Redistribution {
 public:
  Redistribution(Layout const& from, Layout const& to, MPI_Comm comm,
                 RedistributionOptions const& options = {})
      : bytes_(from, to, comm, options, sizeof(T)) {}

  Layout const& from() const { return bytes_.from(); }
  Layout const& to() const { return bytes_.to(); }

  /// Elements that this rank's array must hold, of all fields: as `from` or `to` has it, and for
  /// use in place.
  Index from_size() const { return bytes_.from_size(); }
  Index to_size() const { return bytes_.to_size(); }
  Index in_place_size() const { return std::max(from_size(), to_size()); }

  /// An array of in_place_size() elements, not initialised, as Plan::allocate() gives it: where
  /// all ranks execute with arrays that they allocated together, nothing is copied between them.
  /// Collective. Errors: memory that cannot be had.
  std::shared_ptr<T[]> allocate() {
    std::shared_ptr<void> const memory = bytes_.allocate();
    return {memory, static_cast<T*>(memory.get())};
  }

  /// Takes `in`, which lies as from() says, to `out`, which will lie as to() says; backward the
  /// other way round. `in` is not changed unless `in == out`, where the array has in_place_size()
  /// elements, or it need not be preserved; arrays that overlap in any other way give undefined
  /// results. Collective. Errors (on this rank only): a null pointer for an array that is not
  /// empty.
  void execute(T const* in, T* out, Direction direction = Direction::forward) {
    bytes_.execute(in, out, direction);
  }
  void forward(T const* in, T* out) { execute(in, out, Direction::forward); }
  void backward(T const* in, T* out) { execute(in, out, Direction::backward); }

  /// The same of several arrays, one after the other. Errors: not as many of one as of the other.
  void execute(std::span<T const* const> in, std::span<T* const> out,
               Direction direction = Direction::forward) {
    require(in.size() == out.size(), "in, out: as many arrays of either are needed, ", in.size(),
            " and ", out.size(), " were given");
    for (std::size_t i = 0; i < in.size(); ++i) execute(in[i], out[i], direction);
  }

  /// Bytes of working memory that this rank needs beyond the user's arrays.
  std::size_t workspace_bytes() const { return bytes_.workspace_bytes(); }
  /// The redistribution in a few lines: layouts, passes over memory, messages, bytes sent.
  std::string describe() const { return bytes_.describe(); }
  /// Passes over this rank's arrays that are not the plan's own; exchanges between ranks, 0 or 1.
  int passes() const { return bytes_.passes(); }
  int exchanges() const { return bytes_.exchanges(); }
  /// Seconds this rank spent in communication since it was made.
  double communication_seconds() const { return bytes_.communication_seconds(); }

 private:
  ByteRedistribution bytes_;
};

}  // namespace sixstep
#pragma GCC visibility pop
