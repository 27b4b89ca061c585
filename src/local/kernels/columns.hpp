// SPDX-License-Identifier: BSD-3-Clause
// Entry to the kernels of complex transforms: makes a transform for one instruction set from a
// recipe.
//
// The terms of this folder:
//   L      the lanes of a vector, which are the Reals in it
//   row    one element of each of L columns: L real parts in a vector, L imaginary parts in another
//   group  L columns, which are worked on in the lanes of one vector
//   tile   several groups that go through the passes together
//   pass   all butterflies of one radix, see numbers/recipe.hpp
// A file *-inl.hpp is compiled once for each instruction set, in a namespace of that instruction
// set (see Highway's documentation of foreach_target.h), by the .cpp files of this folder.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <string>

#include "local/kernels/constants.hpp"
#include "local/numbers/recipe.hpp"
#include "local/targets.hpp"
#include "local/transform.hpp"
#include "tuning.hpp"

namespace sixstep::local {

/// Transforms whose columns are contiguous on both sides, without a twist.
template <class Real>
class ContiguousRows {
 public:
  virtual ~ContiguousRows() = default;
  virtual std::size_t scratch_bytes() const = 0;
  virtual void run(Batch<std::complex<Real>> const& batch, std::byte* scratch) const = 0;
  /// "8 x 16 x 8".
  virtual std::string describe() const = 0;
};

/// The bytes of a row.
Index row_bytes(Target target);
/// The numbers in a vector of the instruction set that this process uses.
template <class Real>
Index vector_lanes() {
  return row_bytes(chosen_target()) / Index{2 * sizeof(Real)};
}
/// Whether a vector fills a cache line.
template <class Real>
bool vectors_fill_lines() {
  return vector_lanes<Real>() * Index{sizeof(Real)} >= line_bytes;
}

/// The transform that runs `recipe` with the vectors of `target`, one of available_targets().
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_columns(Recipe<Real> recipe, Target target,
                                                            Tuning const& tuning);

template <>
std::unique_ptr<Transform<std::complex<float>>> make_columns(Recipe<float> recipe, Target target,
                                                             Tuning const& tuning);
template <>
std::unique_ptr<Transform<std::complex<double>>> make_columns(Recipe<double> recipe, Target target,
                                                              Tuning const& tuning);

/// A transform like that of make_columns(), in the arithmetic that gives a column the same bits
/// wherever it lies, and with any instruction set.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_reproducible_columns(Recipe<Real> recipe,
                                                                         Target target,
                                                                         Tuning const& tuning);

template <>
std::unique_ptr<Transform<std::complex<float>>> make_reproducible_columns(Recipe<float> recipe,
                                                                          Target target,
                                                                          Tuning const& tuning);
template <>
std::unique_ptr<Transform<std::complex<double>>> make_reproducible_columns(Recipe<double> recipe,
                                                                           Target target,
                                                                           Tuning const& tuning);

/// Whether calls have one column or many. A transform for the former is right for the latter, but
/// slow.
enum class Purpose { one_column, many_columns };

/// The transform of length n for columns that are contiguous on both sides, without a twist; null
/// if the kernels do not have this length.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_rows(Index n, Target target,
                                                         Tuning const& tuning, Purpose purpose);

template <>
std::unique_ptr<Transform<std::complex<float>>> make_rows(Index n, Target target,
                                                          Tuning const& tuning, Purpose purpose);
template <>
std::unique_ptr<Transform<std::complex<double>>> make_rows(Index n, Target target,
                                                           Tuning const& tuning, Purpose purpose);

/// The transform of 2 m contiguous reals, as m points x[2j] + i x[2j+1], to m + 1 coefficients, or
/// `backward` from coefficients to points; null if the kernels do not have this length.
template <class Real>
std::unique_ptr<ContiguousRows<Real>> make_real_rows(Index m, bool backward, Target target,
                                                     Tuning const& tuning);

template <>
std::unique_ptr<ContiguousRows<float>> make_real_rows(Index m, bool backward, Target target,
                                                      Tuning const& tuning);
template <>
std::unique_ptr<ContiguousRows<double>> make_real_rows(Index m, bool backward, Target target,
                                                       Tuning const& tuning);

}  // namespace sixstep::local
