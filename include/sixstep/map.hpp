// SPDX-License-Identifier: BSD-3-Clause
// Map: a transform to points, a function of the values there and the transform back, in one call.
#pragma once

#include <mpi.h>

#include <optional>
#include <vector>

#include "sixstep/batch.hpp"
#include "sixstep/plan.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// The functions of a map, in the order in which they are called.
template <class Real>
struct MapFunctions {
  /// A function, and how many results it has at each point.
  struct Step {
    BatchFunction<Real> function = {};
    int results = 0;
  };

  /// Takes the coefficients and makes the fields that are transformed to points. It may be missing.
  Step before = {};
  /// Takes the values at each point.
  Step at_points;
  /// Takes the coefficients of the fields that `at_points` returned. It may be missing.
  Step after = {};
};

/// The options of a map: those of a plan, and more.
struct MapOptions : Options {
  /// The length of the domain along each axis of the layout, in any unit; it makes Batch::k. Empty:
  /// 2 pi along periodic axes (c2c, r2c), pi between walls (cosines and sines), so that k is the
  /// wave number.
  std::vector<double> sides = {};
  /// The factors of the transforms to points and of those from points. A solver whose coefficients
  /// are amplitudes of waves has Scale::none and Scale::by_n.
  Scale backward = Scale::by_n;
  Scale forward = Scale::none;
  /// The least number of points in a batch, unless the part of an array in cache has fewer. Shorter
  /// rows are copied to one batch. Where values are copied, a long row is cut into several batches.
  Index batch = 16;
  /// The layout of the coefficients of the result; empty: that of the coefficients of the input.
  std::optional<Layout> results = {};
};

/// A function of fields at points, applied to their Fourier coefficients: backward transforms, the
/// function, forward transforms. It is the nonlinear term of a pseudo-spectral code.
///
/// The transforms are those of a Plan from `points` to `coefficients` with the same options:
/// Options::fields are the fields of the input. input() and output() are the layouts of the
/// coefficients of the input and of the result. The last backward transform, the function and the
/// first forward transform are one pass over memory where all fields of a window fit in the cache:
/// three passes for slabs.
///
/// Functions are called by several threads at the same time, for different points. If one throws,
/// apply() throws the same on that rank, after all exchanges; the output is undefined then.
///
/// A coefficient with the wave number n/2 of an even number n of modes stands for the waves n/2 and
/// -n/2. Functions get it with one of the two; an odd derivative has to make it 0.
///
/// Constructing is collective over `comm`, and throws the errors of a Plan, or, on every rank,
/// Error
/// - if `sides` has not one length above 0 for each axis;
/// - if the function at points is missing for the plan's numbers, real or complex, or has no
/// results;
/// - if `batch` is below 1, or a factor does not exist;
/// - if `results` have another shape than the coefficients, or another number of ranks;
/// - if an option is set that a map does not have: transform, twiddle, device; with a sphere or
///   columns, whose coefficients are packed as those of a Plan, also functions before and after,
///   and layouts of coefficients and results.
template <class Real>
class Map : public Planned<Real> {
 public:
  using typename Planned<Real>::Complex;

  /// An empty map. Any call on it but bool() throws Error.
  Map() noexcept = default;
  /// A map of coefficients whose layout is the cheapest to reach, or as Options::output says, with
  /// the axes of `points`. input() returns it; a plan can be given it as its output.
  Map(Layout const& points, MPI_Comm comm, MapFunctions<Real> const& functions,
      MapOptions const& options = {});
  Map(Layout const& points, Layout const& coefficients, MPI_Comm comm,
      MapFunctions<Real> const& functions, MapOptions const& options = {});

  /// Applies the map to `in`, an array of input_size() coefficients, and writes `out`, of
  /// output_size(). In place (`in == out`) the array has in_place_size(). Coefficients are
  /// reals if all transforms are cosines and sines. Errors: those of Plan::execute().
  void apply(Complex const* in, Complex* out);
  void apply(Real const* in, Real* out);

 private:
  Scale backward_ = Scale::by_n, forward_ = Scale::none;
};

extern template class Map<float>;
extern template class Map<double>;

}  // namespace sixstep
#pragma GCC visibility pop
