// SPDX-License-Identifier: BSD-3-Clause
// Plan: a distributed transform that all ranks make once and execute any number of times.
//
// A plan knows the layouts of its input and output, not the arrays themselves. See layout.hpp for
// layouts and docs/tutorial.md for a first program.
#pragma once

#include <mpi.h>

#include <complex>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sixstep/direction.hpp"
#include "sixstep/kind.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/options.hpp"
#include "sixstep/report.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

namespace runners {
class CompositionRunner;
}

/// A transform of an array that is spread over the ranks of a communicator.
///
/// The transform is complex to complex unless Options::kinds says otherwise:
/// X[k] = sum_j x[j] exp(-+ 2 pi i (j0 k0/n0 + j1 k1/n1 + ...)) over the transformed axes. The
/// result is in natural order, and unscaled unless a Scale is given. Axes may have any length, and
/// any number of ranks may share them; ranks may be empty.
///
/// Options::lengths makes transforms longer than the layout, whose points are followed by zeros.
///
/// Options::modes keeps fewer modes than there are points. The other modes are neither sent nor
/// stored. Backward computes all points from the kept modes and takes the others for zero.
///
/// One axis may be r2c: input() is then real, output() has n/2 + 1 complex numbers along that axis,
/// and backward is c2r. The r2c axis is transformed before all c2c axes. Cosine and sine transforms
/// are possible along any other axes, with c2c and r2c axes or alone. They act on the real and the
/// imaginary parts of complex numbers separately; alone, they have real input and output. Backward
/// undoes each of them up to a factor of its logical_size().
///
/// Element k of the output is the coefficient of a wave of the wave number w along each axis:
///
///   c2c         exp(i w x_j), x_j = 2 pi j/n       w = k, or k - n from n/2 on
///   r2c         the same                           w = k
///   dct1        cos(w x_j), x_j = pi j/(n-1)       w = k
///   dct2, dct4  cos(w x_j), x_j = pi (j+1/2)/n     w = k, k + 1/2
///   dct3        cos(w x_j), x_j = pi j/n           w = k + 1/2
///   dst1        sin(w x_j), x_j = pi (j+1)/(n+1)   w = k + 1
///   dst2, dst4  sin(w x_j), x_j = pi (j+1/2)/n     w = k + 1, k + 1/2
///   dst3        sin(w x_j), x_j = pi (j+1)/n       w = k + 1/2
///
/// If n is even, k = n/2 has w = -n/2 for c2c and w = n/2 for r2c, as in NumPy's fftfreq and
/// rfftfreq. Both waves have the same values at the points; an odd derivative has to set this
/// coefficient to zero. If fewer modes are kept than there are points, n is the number of modes:
/// the wave -w of k = n/2 is missing, so that coefficient should be zero.
///
/// Constructing is collective over `comm`; all plans on `comm` share one duplicate of it. The
/// constructor succeeds on every rank or throws the same Error on every rank
/// - if layouts or options differ from rank to rank;
/// - if a layout is not for the number of ranks of `comm`, or the output layout has not the shape
///   of the result, or is given beside an Options::output other than `cheapest`;
/// - if there are more than max_axes axes, more than 2^57 points, or an extent is 0;
/// - if an axis does not exist or is named twice;
/// - if there are not as many kinds as axes, two axes are r2c, or a dct1 axis has one point;
/// - if the length of a transform is below the points of its axis;
/// - if the modes of an axis are fewer than 1 or more than its points;
/// - if a sphere has not a radius above 0 for each of the axes or one for all, there are more than
///   three axes, one of the layout's is not transformed, no wave lies within, no axis is c2c though
///   one is r2c, or the output is to lie as the input or in a layout;
/// - if rows are padded along an axis that is not whole or not the fastest in memory;
/// - if threads or pipelines are negative, or windows are not 0 to 64;
/// - if a local library cannot be loaded, or memory is too small;
/// - if the trace cannot be written;
/// - if MPI has no communicators or tags left.
///
/// execute() and the other calls are collective too. They allocate nothing, and none of their
/// checks communicates. One thread at a time may use a plan: a second thread that executes it at
/// the same time gets an Error, on its rank only. Several threads may run different plans at once
/// if MPI was initialised with MPI_THREAD_MULTIPLE.
template <class Real>
class Plan {
 public:
  using Complex = std::complex<Real>;

  /// The input layout, in blocks and C order, with which a plan with these options is fastest. It
  /// is chosen by prices, by a search as Options::tuning says, or by the result of an earlier
  /// search. If at least two axes are transformed, the others stay whole unless
  /// Options::split_untransformed is set. An `output` other than `cheapest` replaces
  /// Options::output. Collective. Errors: those of a plan.
  static Layout tuned_layout(Shape const& shape, MPI_Comm comm, Options const& options = {},
                             Output output = Output::cheapest);

  /// An empty plan, as a plan that was moved from is. Any call on it but bool() throws Error.
  Plan() noexcept;
  /// A plan whose output has the layout `output`.
  Plan(Layout const& input, Layout const& output, MPI_Comm comm, Options const& options = {});
  /// A plan that chooses its output layout: the cheapest to reach ("transposed output") unless
  /// Options::output says otherwise. output() returns it.
  Plan(Layout const& input, MPI_Comm comm, Options const& options = {});
  /// Ranks may destroy their plans at different times and in different orders. Windows and the
  /// like, which only all ranks together can free, stay until the next call that plans on the
  /// communicator, MPI_Comm_free or MPI_Finalize. After MPI_Finalize it only frees memory.
  ~Plan();
  Plan(Plan&&) noexcept;
  /// Destroys the old plan.
  Plan& operator=(Plan&&) noexcept;

  /// False for an empty plan.
  explicit operator bool() const noexcept { return runner_ != nullptr; }

  /// The layout of forward's input and of backward's output.
  Layout const& input() const;
  /// The layout of forward's output. Output::cheapest may view an axis of input() as two digits.
  Layout const& output() const;

  /// This rank's boxes of input() and output(), and the distance in elements between neighbours
  /// along each axis of its arrays, padding included. If there are several fields, strides have one
  /// more entry: the distance between fields. for_each() of indices.hpp takes a box and strides,
  /// and visits the elements of the first field.
  Box input_box() const;
  Box output_box() const;
  Shape input_strides() const;
  Shape output_strides() const;

  /// The wave whose coefficient is element `k` of forward's output: its wave number w along each
  /// axis of input(), as listed above, and 0 along axes that are not transformed. `k` is a point
  /// of output(), in two digits if output() has them. Errors: `k` is no point of output().
  PerAxis<double> wavenumber(Shape const& k) const;
  /// The wave number of index k, in natural order, along one axis of input(). Errors: the axis does
  /// not exist or is not transformed; the index does not exist.
  double wavenumber(int axis, Index k) const;
  /// The wave numbers of all indices that output_box() has along this axis of input(), in their
  /// order. Errors: as above; output() has the axis in two digits.
  std::vector<double> wavenumbers(int axis) const;

  /// The number of elements that this rank's array must hold, padding and ghosts included: as input
  /// (reals, if the plan has an r2c axis, or cosine and sine transforms alone), as output, and for
  /// use in place (elements of the output's type, enough for both).
  Index input_size() const;
  Index output_size() const;
  Index in_place_size() const;

  /// Allocates an array of in_place_size() elements of the output's type, for input, output or
  /// both, uninitialised. Collective. Ranks of a node can read and write the memory directly, where
  /// the system allows it. If all ranks execute with arrays that they allocated together, by this
  /// plan or another one on the same ranks, the plan needs no work array, and in natural order no
  /// exchange back. All other arrays are possible too. An array may outlive the plan. Its memory is
  /// freed when all ranks have released their arrays. Errors: too little memory.
  template <class Element = Complex>
  std::shared_ptr<Element[]> allocate() {
    std::shared_ptr<void> const memory = allocate_bytes();
    return {memory, static_cast<Element*>(memory.get())};
  }

  /// Transforms `in` to `out`. Forward reads `in` in the layout input() and writes `out` in the
  /// layout output(); backward does the opposite. In place (`in == out`) the array has
  /// in_place_size() elements. Out of place `in` does not change, unless
  /// Options::preserve_input is false; arrays that overlap give undefined results.
  ///
  /// Errors, on this rank only
  /// - if the element types are not those of the plan;
  /// - if a pointer is null and its array is not empty;
  /// - if the plan has no workspace of its own and none was lent;
  /// - if a plan on a device gets memory of another device, or memory that does not begin at a
  ///   multiple of a complex number's bytes.
  /// Errors, on every rank: the device of any of them has failed; with Options::verify, the result
  /// is wrong. The output is undefined then.
  void execute(Complex const* in, Complex* out, Direction direction = Direction::forward,
               Scale scale = Scale::none);
  void forward(Complex const* in, Complex* out, Scale scale = Scale::none) {
    execute(in, out, Direction::forward, scale);
  }
  void backward(Complex const* in, Complex* out, Scale scale = Scale::none) {
    execute(in, out, Direction::backward, scale);
  }

  /// Executes with a given sign: from input() to output() if forward, from output() to input() if
  /// backward, with either sign in both. Cosine and sine transforms depend on the direction only.
  void execute(Complex const* in, Complex* out, Direction direction, Sign sign,
               Scale scale = Scale::none);

  /// Executes a plan with an r2c axis: forward from reals, backward to reals (c2r). In place, both
  /// pointers refer to the same memory. Padding is not read, and may be overwritten.
  void execute(Real const* in, Complex* out, Scale scale = Scale::none);
  void execute(Complex const* in, Real* out, Scale scale = Scale::none);
  void forward(Real const* in, Complex* out, Scale scale = Scale::none) { execute(in, out, scale); }
  void backward(Complex const* in, Real* out, Scale scale = Scale::none) {
    execute(in, out, scale);
  }

  /// Executes a plan of cosine and sine transforms alone.
  void execute(Real const* in, Real* out, Direction direction = Direction::forward,
               Scale scale = Scale::none);
  void forward(Real const* in, Real* out, Scale scale = Scale::none) {
    execute(in, out, Direction::forward, scale);
  }
  void backward(Real const* in, Real* out, Scale scale = Scale::none) {
    execute(in, out, Direction::backward, scale);
  }

  /// Works like execute() with these arguments. On a device it returns as soon as its work is in
  /// the device's queue and no other rank has to be waited for. wait() waits until the work is
  /// done; work that comes later in a stream from set_stream() waits too. On the host it is
  /// execute().
  template <class... Arguments>
  void execute_async(Arguments const&... arguments) {
    Early const early(*this);
    execute(arguments...);
  }
  /// Waits until all executions that were begun are done. Errors, on this rank only: the device has
  /// failed. Other ranks throw the error when they next execute.
  void wait();
  /// Makes a plan on a GPU work in this stream (a cudaStream_t of that GPU) from now on. The stream
  /// must live until the plan gets another one or is destroyed. Before the first call, the plan has
  /// a stream that is in order with the default stream. Errors: the plan is not on a GPU.
  void set_stream(void* stream);

  /// Bytes of work memory that this rank needs beyond the user's arrays and the tables.
  std::size_t workspace_bytes() const;
  /// Lends `bytes` of memory, aligned to 64 bytes, until the next call or the end of the plan. Not
  /// collective. Errors: the plan was not made with own_workspace = false; the pointer is null or
  /// not so aligned; `bytes` is below workspace_bytes().
  void set_workspace(void* memory, std::size_t bytes);

  /// The plan in a few lines: shape, ranks, stages, exchanges, passes over memory, bytes sent.
  std::string describe() const;
  /// Full passes over this rank's array per forward transform, without the exchanges.
  int passes() const;
  /// Exchanges between ranks per forward transform.
  int exchanges() const;
  /// OpenMP threads that this rank uses.
  int threads() const;
  /// Seconds that this rank has spent in communication since the plan was made.
  double communication_seconds() const;
  /// An upper bound of the relative error that Options::wire has made in the last execution: below
  /// the one that describe() names, and 0 if no message was shortened. Collective.
  double wire_error() const;
  using Verified = sixstep::Verified;
  /// Returns what Options::verify has found so far: the same on all ranks. Not collective.
  Verified verified() const;
  /// Calls `told` on every rank whenever Options::verify finds an execution to be wrong, before
  /// execute() returns or throws. It must not throw, nor use the plan. Empty: calls nobody. Not
  /// collective.
  void on_detection(std::function<void(Detection const&)> told);
  using Part = sixstep::Part;
  /// The passes and exchanges of a transform, in order. The steps depend on whether arrays come
  /// from allocate() and whether the transform is in place; these are the steps of the latest
  /// execution.
  std::vector<Part> breakdown(Direction direction = Direction::forward) const;
  using Prediction = sixstep::Prediction;
  /// Predicts the time of a forward transform, out of place, of arrays from allocate(), on the
  /// machine that the file describes. Nothing is run. Rank 0 reads the file. Collective.
  ///
  /// Errors, on every rank
  /// - if the file does not exist or is no valid machine file;
  /// - if the file describes a single node and the plan runs on several;
  /// - if the file describes a host and the plan is on a device, or the reverse.
  Prediction predict(std::string const& machine_file = "") const;
  /// Writes the trace so far to the file Options::trace, which it replaces. Collective. Errors: the
  /// plan has no trace; the file cannot be written.
  void write_trace();

 protected:
  explicit Plan(std::unique_ptr<runners::CompositionRunner> runner) noexcept;
  runners::CompositionRunner& runner() const;

 private:
  std::shared_ptr<void> allocate_bytes();
  /// Executions return early during the life of this object.
  struct Early {
    explicit Early(Plan& its) : plan(its) { plan.return_early(true); }
    ~Early() { plan.return_early(false); }
    Early(Early const&) = delete;
    Plan& plan;
  };
  void return_early(bool early);

  std::unique_ptr<runners::CompositionRunner> runner_;
};

/// The functions of a Plan that an Operator, a Map and a Convolution have, too. They tell the
/// layouts and sizes of input and result, and what executions cost.
template <class Real>
class Planned : private Plan<Real> {
 public:
  using Complex = std::complex<Real>;

  using Plan<Real>::operator bool;
  using Plan<Real>::input;
  using Plan<Real>::output;
  using Plan<Real>::input_box;
  using Plan<Real>::output_box;
  using Plan<Real>::input_strides;
  using Plan<Real>::output_strides;
  using Plan<Real>::input_size;
  using Plan<Real>::output_size;
  using Plan<Real>::in_place_size;
  using Plan<Real>::allocate;
  using Plan<Real>::workspace_bytes;
  using Plan<Real>::set_workspace;
  using Plan<Real>::describe;
  using Plan<Real>::passes;
  using Plan<Real>::exchanges;
  using Plan<Real>::threads;
  using Plan<Real>::communication_seconds;
  using Plan<Real>::verified;
  using Plan<Real>::on_detection;
  using Plan<Real>::predict;
  using Plan<Real>::write_trace;
  /// The passes and exchanges of an execution, in order.
  std::vector<Part> breakdown() const { return Plan<Real>::breakdown(); }

 protected:
  using Plan<Real>::Plan;
  using Plan<Real>::runner;
  Planned() noexcept = default;
  Planned(Planned&&) noexcept = default;
  Planned& operator=(Planned&&) noexcept = default;
  ~Planned() = default;
};

/// Makes Layout::boxes() where each rank knows only its own box, `mine`, with step 1. Collective.
///
/// Errors, the same on every rank: those of Layout::boxes(), which names a box by its rank; `shape`
/// or `order` differs from rank to rank.
Layout gather_boxes(Shape const& shape, Box const& mine, MPI_Comm comm, Order const& order = {});

extern template class Plan<float>;
extern template class Plan<double>;

}  // namespace sixstep
#pragma GCC visibility pop
