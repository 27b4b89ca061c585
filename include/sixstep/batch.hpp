// SPDX-License-Identifier: BSD-3-Clause
// Batches: points of an array and the values of all fields there, as functions of a map get them.
//
// This file knows nothing about plans, and needs neither MPI nor OpenMP.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

#include "sixstep/index.hpp"
#include "sixstep/layout.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// Some points of an array, the values of all fields there, and room for the results. Values of a
/// field are contiguous. No result lies in the memory of a value.
template <class Value>
struct Batch {
  /// Points that follow each other along one axis.
  struct Along {
    int axis = 0;
    Index count = 1;
    Index step = 1;  // from the index of a point along the axis to the next one's
  };

  Index count = 0;                   // points
  Value const* const* in = nullptr;  // in[field][i] is the value of a field at point i
  Value* const* out = nullptr;       // out[field][i] is to be written
  double const* const* k = nullptr;  // k[axis][i] is the wave vector of point i; null: these are
                                     // points in space
  Shape first = {};                  // the global index of point 0, along the axes of the layout
  Along points = {};                 // a row of points; rows follow each other
  Along rows = {};

  /// The global index of point i.
  Shape index(Index i) const {
    Shape there = first;
    there[rows.axis] += i / points.count * rows.step;
    there[points.axis] += i % points.count * points.step;
    return there;
  }
};

/// A function that writes the results of a batch from its values. Several threads call it at the
/// same time, for different batches; it must call no MPI function. `Number` is the precision.
template <class Number>
class BatchFunction {
 public:
  template <class Value>
  using Of = std::function<void(Batch<Value> const&)>;
  /// Whether a function takes batches of these values.
  template <class Function, class Value>
  static constexpr bool takes = std::is_invocable_v<Function const&, Batch<Value> const&>;

  /// No function.
  BatchFunction() = default;
  /// A function of batches of reals, of complex numbers, or of either.
  template <class Function>
  requires(takes<Function, Number> || takes<Function, std::complex<Number>>)
      BatchFunction(Function function) {
    if constexpr (takes<Function, std::complex<Number>>) of_complex_ = function;
    if constexpr (takes<Function, Number>) of_reals_ = std::move(function);
  }

  /// The function for these values; empty if there is none.
  template <class Value>
  Of<Value> const& of() const {
    if constexpr (std::is_same_v<Value, Number>)
      return of_reals_;
    else
      return of_complex_;
  }

 private:
  Of<Number> of_reals_;
  Of<std::complex<Number>> of_complex_;
};

/// A function of batches that calls function(values, results) for each point, with a std::array of
/// the values of its fields and one to be filled with its results. The compiler sees the loop, and
/// may use vector instructions.
///
///     at_each_point<double, 6, 3>([](auto const& v, auto& product) { ... });
template <class Value, std::size_t fields, std::size_t results, class Function>
auto at_each_point(Function function) {
  return [function = std::move(function)](Batch<Value> const& batch) {
    std::array<Value const*, fields> in;
    std::array<Value*, results> out;
    for (std::size_t field = 0; field < fields; ++field) in[field] = batch.in[field];
    for (std::size_t field = 0; field < results; ++field) out[field] = batch.out[field];
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (Index i = 0; i < batch.count; ++i) {
      std::array<Value, fields> values;
      std::array<Value, results> made;
      for (std::size_t field = 0; field < fields; ++field) values[field] = in[field][i];
      function(std::as_const(values), made);
      for (std::size_t field = 0; field < results; ++field) out[field][i] = made[field];
    }
  };
}

}  // namespace sixstep
#pragma GCC visibility pop
