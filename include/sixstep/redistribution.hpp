// SPDX-License-Identifier: BSD-3-Clause
// Redistribution: moves an array of any elements from one layout to another, and back.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "sixstep/layout.hpp"
#include "sixstep/options.hpp"
#include "sixstep/plan.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// The options of a redistribution.
struct RedistributionOptions {
  int fields = 1;  ///< number of arrays that are moved together, one behind the other in memory:
                   ///< a pair of ranks exchanges one message for all of them
  Exchange exchange = Exchange::shared;
  int threads = 0;             ///< as Options::threads
  bool preserve_input = true;  ///< false: out of place, the input may be overwritten, which may
                               ///< save work memory
  /// Whether each execution compares the bits of its elements before and after: with
  /// Verify::result in one sum over all elements; with Verify::all what each rank has got with what
  /// each other rank has given, which tells ranks. If they differ, it executes once more where the
  /// input is still there, out of place with `preserve_input`. If it cannot, or they differ again,
  /// execute() throws an Error with ErrorCode::corrupted on every rank: see docs/verified.md.
  Verify verify = Verify::none;
};

/// A redistribution of elements of any size, on which Redistribution<T> is built.
class ByteRedistribution {
 public:
  ByteRedistribution(Layout const& from, Layout const& to, MPI_Comm comm,
                     RedistributionOptions const& options, std::size_t element_bytes);
  /// Ranks may destroy theirs at different times.
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
  Verified verified() const;
  void on_detection(std::function<void(Detection const&)> told);

 private:
  Layout from_;
  Layout to_;
  Index from_size_ = 0;
  Index to_size_ = 0;
  std::unique_ptr<runners::CompositionRunner> runner_;
};

/// A redistribution of an array of T that is spread over the ranks of a communicator: it moves
/// every element from its place in the layout `from` to its place in the layout `to`. T is moved as
/// bytes.
///
/// Ranks of a node read and write each other's memory: with arrays from allocate(), each element is
/// read once and written once. Other pairs of ranks exchange one packed message each. Elements that
/// stay on their rank are reordered by that rank alone.
///
/// Constructing is collective over `comm`, which is duplicated once. The constructor succeeds on
/// every rank or throws the same Error on every rank
/// - if layouts, fields, strategies, `verify` or sizes of T differ from rank to rank;
/// - if a layout is not for the number of ranks of `comm`, or the shapes differ;
/// - if there are more than max_axes axes, more than 2^57 points in all, or an extent is 0;
/// - if fields are fewer than 1, threads are negative, or memory is too small.
///
/// The rules for threads in plan.hpp hold here too.
template <class T>
requires std::is_trivially_copyable_v<T>
class Redistribution {
 public:
  Redistribution(Layout const& from, Layout const& to, MPI_Comm comm,
                 RedistributionOptions const& options = {})
      : bytes_(from, to, comm, options, sizeof(T)) {}

  Layout const& from() const { return bytes_.from(); }
  Layout const& to() const { return bytes_.to(); }

  /// The number of elements that this rank's array must hold, all fields included: in the layout
  /// `from`, in the layout `to`, and for use in place.
  Index from_size() const { return bytes_.from_size(); }
  Index to_size() const { return bytes_.to_size(); }
  Index in_place_size() const { return std::max(from_size(), to_size()); }

  /// Allocates an array of in_place_size() elements, uninitialised, as Plan::allocate() does. If
  /// all ranks execute with arrays that they allocated together, ranks of a node move elements
  /// directly between these arrays. Collective. Errors: too little memory.
  std::shared_ptr<T[]> allocate() {
    std::shared_ptr<void> const memory = bytes_.allocate();
    return {memory, static_cast<T*>(memory.get())};
  }

  /// Moves the elements of `in`, in the layout from(), to `out`, in the layout to(); backward in
  /// the opposite direction. In place (`in == out`) the array has in_place_size() elements. Out of
  /// place `in` does not change, unless preserve_input is false; arrays that overlap give undefined
  /// results. Collective. Errors, on this rank only: a null pointer for an array that is not empty;
  /// on every rank: elements have other bits than before, with RedistributionOptions::verify.
  void execute(T const* in, T* out, Direction direction = Direction::forward) {
    bytes_.execute(in, out, direction);
  }
  void forward(T const* in, T* out) { execute(in, out, Direction::forward); }
  void backward(T const* in, T* out) { execute(in, out, Direction::backward); }

  /// Moves several arrays, one after the other. Errors: `in` and `out` differ in length.
  void execute(std::span<T const* const> in, std::span<T* const> out,
               Direction direction = Direction::forward) {
    require(in.size() == out.size(), "in, out: the same number of arrays is needed, ", in.size(),
            " and ", out.size(), " were given");
    for (std::size_t i = 0; i < in.size(); ++i) execute(in[i], out[i], direction);
  }

  /// Bytes of work memory that this rank needs beyond the user's arrays.
  std::size_t workspace_bytes() const { return bytes_.workspace_bytes(); }
  /// The redistribution in a few lines: layouts, passes over memory, messages, bytes sent.
  std::string describe() const { return bytes_.describe(); }
  /// Full passes over arrays that are not from allocate(), without the exchange.
  int passes() const { return bytes_.passes(); }
  /// Exchanges between ranks, 0 or 1.
  int exchanges() const { return bytes_.exchanges(); }
  /// Seconds that this rank has spent in communication since the redistribution was made.
  double communication_seconds() const { return bytes_.communication_seconds(); }
  /// Works like Plan::verified(). All executions are checked; Verified::compared counts what ranks
  /// have got from others and from themselves.
  Verified verified() const { return bytes_.verified(); }
  /// Works like Plan::on_detection(). The rank is the one that has read other bits, and
  /// `difference` and `bound` are 0.
  void on_detection(std::function<void(Detection const&)> told) {
    bytes_.on_detection(std::move(told));
  }

 private:
  ByteRedistribution bytes_;
};

}  // namespace sixstep
#pragma GCC visibility pop
