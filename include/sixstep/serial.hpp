// SPDX-License-Identifier: BSD-3-Clause
// SerialPlan: a transform of an array that one process has as a whole, without MPI.
//
// The kernels, kinds and results are those of a Plan on one rank (see plan.hpp, which is for arrays
// that are spread over ranks).
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sixstep/direction.hpp"
#include "sixstep/error.hpp"
#include "sixstep/kind.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/local.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// What a user may choose about a serial plan; every field has a good default.
struct SerialOptions {
  std::vector<int> axes = {};    ///< axes to transform; empty: all of them
  std::vector<Kind> kinds = {};  ///< one for each of `axes`, in their order; empty: all c2c. A
                                 ///< single one for several axes: r2c along the last that is named
                                 ///< and c2c along the others; any other kind along all
  Order order = {};              ///< axes of dense arrays from the slowest in memory to the
                                 ///< fastest; empty: C order, the last axis is the fastest
  Shape input_strides = {};    ///< elements between neighbours along each axis of forward's input,
                               ///< if it is not dense; empty: it is
  Shape output_strides = {};   ///< the same of forward's output
  bool padded = false;         ///< rows of the real input take 2 (n/2 + 1) reals, so that r2c
                               ///< fits in place; r2c along the fastest of `axes` is needed
  bool preserve_input = true;  ///< false: out of place, the input may be overwritten, which saves
                               ///< work memory
  int threads = 0;             ///< 0: OMP_NUM_THREADS where it is set, else the cores that this
                               ///< process may use
  Local local = Local::own;    ///< whose kernels transform columns: our own, FFTW's or MKL's

  bool operator==(SerialOptions const&) const = default;
};

namespace serial {
class Runner;
}

/// A transform of an array in the memory of one process.
///
/// Complex to complex unless SerialOptions::kinds says otherwise, in natural order and unscaled, as
/// those of Plan, whose documentation says what is computed. Plans of one length share their
/// tables.
///
/// Both arrays are dense, in the same order, unless strides are given: those of FFTW's guru
/// interface, in elements, reals of real arrays. A batch is an axis that is not transformed, and
/// the distance of its transforms is that axis's stride. Axes may lie in any order, with any
/// padding between them; no element beside the array's is written. In place, input and output begin
/// at the same element, and need not have the same strides.
///
/// Constructing throws Error if there is not at least one axis, or more than max_axes; if an extent
/// is below 1, or there are more than 2^57 points; if an axis does not exist or is named twice; if
/// kinds are not as many as the axes, two are r2c, or a dct1 has one point; if `order` does not
/// name each axis once; if padded rows are not along the fastest axis, or input strides are given;
/// if strides are not one for each axis, are negative, let two points of the array lie at one place
/// (as each of the two arrays is written, in one of the directions) or reach over more than 2^57
/// elements; if `threads` is negative; if a local library cannot be loaded; if memory cannot be
/// had.
///
/// execute() is const: any number of threads may execute one plan at once, with arrays of their
/// own. It allocates nothing once as many executions have run as run at once, but for work arrays
/// beyond a sixteenth of the machine's memory.
///
/// A plan needs no MPI, and works in forked processes.
template <class Real>
class SerialPlan {
 public:
  using Complex = std::complex<Real>;

  /// An empty plan; calling anything on it but bool() throws Error.
  SerialPlan() noexcept = default;
  /// `shape` is that of forward's input.
  explicit SerialPlan(Shape const& shape, SerialOptions const& options = {});

  explicit operator bool() const noexcept { return runner_ != nullptr; }

  /// The shape of forward's input, and of its output: n/2 + 1 points along an r2c axis.
  Shape const& input_shape() const;
  Shape const& output_shape() const;
  /// Elements between neighbours along each axis.
  Shape input_strides() const;
  Shape output_strides() const;

  /// Elements that an array must hold, from its first point to its last: as input (reals, with an
  /// r2c or with cosine and sine transforms alone; padding included), as output, and for use in
  /// place: of the output's kind, enough for both.
  Index input_size() const;
  Index output_size() const;
  Index in_place_size() const;

  /// Transforms `in` to `out`. `in` is not changed unless `in == out`, or the plan need not
  /// preserve it; arrays that overlap in any other way give undefined results. Errors: elements
  /// that are not those of the plan; a null pointer; memory that cannot be had.
  void execute(Complex const* in, Complex* out, Direction direction = Direction::forward,
               Scale scale = Scale::none) const;
  void forward(Complex const* in, Complex* out, Scale scale = Scale::none) const {
    execute(in, out, Direction::forward, scale);
  }
  void backward(Complex const* in, Complex* out, Scale scale = Scale::none) const {
    execute(in, out, Direction::backward, scale);
  }
  /// The same with a sign of its own. Cosine and sine transforms go by the direction.
  void execute(Complex const* in, Complex* out, Direction direction, Sign sign,
               Scale scale = Scale::none) const;

  /// The same of a plan with an r2c axis: forward from reals, backward to reals (c2r). In place,
  /// both pointers are to the same memory. Padding is not read, and may be written.
  void execute(Real const* in, Complex* out, Scale scale = Scale::none) const;
  void execute(Complex const* in, Real* out, Scale scale = Scale::none) const;
  void forward(Real const* in, Complex* out, Scale scale = Scale::none) const {
    execute(in, out, scale);
  }
  void backward(Complex const* in, Real* out, Scale scale = Scale::none) const {
    execute(in, out, scale);
  }

  /// The same of a plan of cosine and sine transforms alone.
  void execute(Real const* in, Real* out, Direction direction = Direction::forward,
               Scale scale = Scale::none) const;
  void forward(Real const* in, Real* out, Scale scale = Scale::none) const {
    execute(in, out, Direction::forward, scale);
  }
  void backward(Real const* in, Real* out, Scale scale = Scale::none) const {
    execute(in, out, Direction::backward, scale);
  }

  /// Bytes of working memory that each execution takes beyond the user's arrays. Executions that do
  /// not run at once have the same memory, whatever their plans.
  std::size_t workspace_bytes() const;
  /// An estimate of the bytes that the plan keeps, above all those of its tables, which are counted
  /// in each of the plans that share them.
  std::size_t bytes() const;

  /// The plan in a few lines: shape, passes over memory, threads, kernels.
  std::string describe() const;
  int threads() const;

 private:
  serial::Runner const& runner() const;

  std::shared_ptr<serial::Runner const> runner_;  // copies of a plan are the same
};

extern template class SerialPlan<float>;
extern template class SerialPlan<double>;

}  // namespace sixstep
#pragma GCC visibility pop
