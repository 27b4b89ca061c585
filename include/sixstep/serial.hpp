// SPDX-License-Identifier: BSD-3-Clause
// SerialPlan: a transform of an array in the memory of one process, without MPI.
//
// Its kernels, kinds and results are those of a Plan on one rank; see plan.hpp for arrays that are
// spread over ranks.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sixstep/bits.hpp"
#include "sixstep/direction.hpp"
#include "sixstep/error.hpp"
#include "sixstep/kind.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/local.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// The executions for which a serial plan is made. Without some of them planning takes less time:
/// each direction has a program in place and one out of place.
struct SerialUses {
  bool forward = true;
  bool backward = true;
  bool in_place = true;
  bool out_of_place = true;

  bool operator==(SerialUses const&) const = default;
};

/// The options of a serial plan. Every field has a good default.
struct SerialOptions {
  std::vector<int> axes = {};  ///< axes to transform; empty: all
  /// One kind for each of `axes`, in their order; empty: all c2c. A single kind serves several
  /// axes: r2c stands for r2c along the last of `axes` and c2c along the others, any other kind for
  /// itself along all.
  std::vector<Kind> kinds = {};
  Order order = {};            ///< axes of dense arrays, from the slowest in memory to the
                               ///< fastest; empty: C order, with the last axis fastest
  Shape input_strides = {};    ///< elements between neighbours along each axis of forward's input;
                               ///< empty: the array is dense
  Shape output_strides = {};   ///< as input_strides, for forward's output
  bool padded = false;         ///< rows of the real input take 2 (n/2 + 1) reals, so that r2c fits
                               ///< in place; the fastest axis must be the r2c axis
  bool preserve_input = true;  ///< false: out of place, the input may be overwritten, which saves
                               ///< work memory
  int threads = 0;             ///< 0: OMP_NUM_THREADS, or else the cores that this process may use
  Local local = Local::own;    ///< whose kernels transform columns: sixstep's, FFTW's or MKL's
  /// When equal input has a result with equal bits. Other kernels than sixstep's own are refused.
  Bits reproducible = Bits::none;
  SerialUses uses = {};  ///< how the plan is executed; any other execution throws Error

  bool operator==(SerialOptions const&) const = default;
};

namespace serial {
class Runner;
}

/// A transform of an array in the memory of one process.
///
/// The transform is complex to complex unless SerialOptions::kinds says otherwise, in natural order
/// and unscaled. Plan's documentation says what is computed. Plans of one length share their
/// tables.
///
/// Both arrays are dense, in the same order, unless strides are given. Strides are those of FFTW's
/// guru interface and count elements (reals in real arrays). A batch is an axis that is not
/// transformed, and its stride is the distance between transforms. Axes may lie in any order, with
/// any padding between them; only elements of the array are written. In place, input and output
/// begin at the same element, and may have different strides.
///
/// The constructor throws Error
/// - if there are no axes, or more than max_axes, or more than 2^57 points, or an extent is below
///   1;
/// - if an axis does not exist or is named twice;
/// - if there are not as many kinds as axes, two axes are r2c, or a dct1 axis has one point;
/// - if `order` does not name each axis once;
/// - if rows are padded and input strides are given, or the fastest axis is not r2c;
/// - if there is not one stride for each axis, or one is negative, or strides reach over more than
///   2^57 elements;
/// - if two points of an array have the same place (each of the arrays is written in one
///   direction);
/// - if `threads` is negative, a local library cannot be loaded, or memory is too small;
/// - if `uses` has no direction, or neither in place nor out of place.
///
/// execute() is const: any number of threads may execute one plan at the same time, each with its
/// own arrays. Once as many executions have run as run at the same time, further ones allocate
/// nothing but work arrays of more than a sixteenth of the machine's memory.
///
/// A plan needs no MPI, and works in forked processes.
template <class Real>
class SerialPlan {
 public:
  using Complex = std::complex<Real>;

  /// An empty plan. Any call on it but bool() throws Error.
  SerialPlan() noexcept = default;
  /// A plan for a forward input of this shape.
  explicit SerialPlan(Shape const& shape, SerialOptions const& options = {});

  /// False for an empty plan.
  explicit operator bool() const noexcept { return runner_ != nullptr; }

  /// The shape of forward's input, and of its output: n/2 + 1 points along an r2c axis.
  Shape const& input_shape() const;
  Shape const& output_shape() const;
  /// Elements between neighbours along each axis.
  Shape input_strides() const;
  Shape output_strides() const;

  /// The number of elements that an array must hold, from its first point to its last, padding
  /// included: as input (reals, if the plan has an r2c axis, or cosine and sine transforms alone),
  /// as output, and for use in place (elements of the output's type, enough for both).
  Index input_size() const;
  Index output_size() const;
  Index in_place_size() const;

  /// Transforms `in` to `out`, in place if they are the same. Out of place `in` does not change,
  /// unless SerialOptions::preserve_input is false; arrays that overlap give undefined results.
  /// Errors: the element types are not those of the plan; a pointer is null; too little memory;
  /// SerialOptions::uses has no such execution.
  void execute(Complex const* in, Complex* out, Direction direction = Direction::forward,
               Scale scale = Scale::none) const;
  void forward(Complex const* in, Complex* out, Scale scale = Scale::none) const {
    execute(in, out, Direction::forward, scale);
  }
  void backward(Complex const* in, Complex* out, Scale scale = Scale::none) const {
    execute(in, out, Direction::backward, scale);
  }
  /// Executes with a given sign. Cosine and sine transforms depend on the direction only.
  void execute(Complex const* in, Complex* out, Direction direction, Sign sign,
               Scale scale = Scale::none) const;

  /// Executes a plan with an r2c axis: forward from reals, backward to reals (c2r). In place, both
  /// pointers refer to the same memory. Padding is not read, and may be overwritten.
  void execute(Real const* in, Complex* out, Scale scale = Scale::none) const;
  void execute(Complex const* in, Real* out, Scale scale = Scale::none) const;
  void forward(Real const* in, Complex* out, Scale scale = Scale::none) const {
    execute(in, out, scale);
  }
  void backward(Complex const* in, Real* out, Scale scale = Scale::none) const {
    execute(in, out, scale);
  }

  /// Executes a plan of cosine and sine transforms alone.
  void execute(Real const* in, Real* out, Direction direction = Direction::forward,
               Scale scale = Scale::none) const;
  void forward(Real const* in, Real* out, Scale scale = Scale::none) const {
    execute(in, out, Direction::forward, scale);
  }
  void backward(Real const* in, Real* out, Scale scale = Scale::none) const {
    execute(in, out, Direction::backward, scale);
  }

  /// Bytes of work memory that an execution needs beyond the user's arrays. Executions of all plans
  /// use the same memory, unless they run at the same time.
  std::size_t workspace_bytes() const;
  /// An estimate of the bytes that the plan keeps, mostly for its tables. Each of the plans that
  /// share a table counts it.
  std::size_t bytes() const;

  /// The plan in a few lines: shape, passes over memory, threads, kernels.
  std::string describe() const;
  int threads() const;

 private:
  serial::Runner const& runner() const;

  std::shared_ptr<serial::Runner const> runner_;  // copies of a plan share it
};

extern template class SerialPlan<float>;
extern template class SerialPlan<double>;

}  // namespace sixstep
#pragma GCC visibility pop
