// SPDX-License-Identifier: BSD-3-Clause
// Plan: a distributed transform that is made once, collectively, and executed any number of times.
//
// A plan knows the layouts of its input and output, not the arrays themselves; see layout.hpp for
// layouts and docs/tutorial.md for a first program.
#pragma once

#include <mpi.h>

#include <complex>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sixstep/direction.hpp"
#include "sixstep/kind.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/options.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// A pass over memory or an exchange: what it does, seconds of a rank in all executions in one
/// direction since the plan was made, and bytes that it reads and writes each time.
struct Part {
  std::string what;
  double seconds;
  double bytes;
};

/// What a forward transform will take, as a machine file has it: seconds in all, of exchanges and
/// of passes over memory, and step by step. In all it is less than the sum where exchanges hide.
struct Prediction {
  double seconds;
  double communication;
  double computation;
  std::vector<Part> steps;
};

namespace plan {
class CompositionRunner;
}

/// A transform of an array that is spread over the ranks of a communicator.
///
/// Complex to complex unless Options::kinds says otherwise:
/// X[k] = sum_j x[j] exp(-+ 2 pi i (j0 k0/n0 + j1 k1/n1 + ...)) over the axes transformed, in
/// natural order and unscaled unless asked otherwise. Lengths and rank counts are arbitrary; ranks
/// may be empty.
///
/// With Options::modes the result has fewer of them than there are points: what is not kept is
/// neither sent nor stored. Backward takes what is kept, the rest being zero, to all points.
///
/// One axis may be r2c: input() then has reals, output() n/2 + 1 complex numbers along that axis,
/// and backward is c2r. It is done before all c2c axes. Cosine and sine transforms go with either,
/// along any other axes: on complex numbers they act on real and imaginary parts each. If they are
/// alone, input and output are real. Backward undoes each of them but for its logical_size().
///
/// Constructing is collective over `comm`, of which all plans share one duplicate. It succeeds on
/// every rank or throws the same Error on every rank: layouts that differ from rank to rank, that
/// are not for as many ranks as `comm` has or not of the same shape; more than max_axes axes, an
/// extent of 0 or more than 2^57 points; an axis that does not exist or is named twice; kinds that
/// are not as many as the axes, two r2c, a dct1 of one point; more modes than points, or none;
/// padded rows of an axis that is not whole or not the fastest in memory; an output layout that has
/// not the shape of the result, or beside an Options::output other than `cheapest`; negative
/// threads or pipelines, or windows beyond 64; a local library that cannot be loaded; memory that
/// cannot be had; a trace that cannot be written; communicators or tags of MPI that are used up.
///
/// execute() and the rest are collective too, allocate nothing and make no checks that communicate.
/// A plan may be used by one thread at a time: a second one that executes it meanwhile gets an
/// Error on its rank alone, whatever other ranks do. Several plans may run at once from several
/// threads if MPI was initialised with MPI_THREAD_MULTIPLE.
template <class Real>
class Plan {
 public:
  using Complex = std::complex<Real>;

  /// The input in blocks, in C order, with which a plan of these options is the fastest: by prices,
  /// or found out as Options::tuning says, or kept by an earlier search. Axes that are not
  /// transformed stay whole if at least two are, unless Options::split_untransformed allows
  /// otherwise. An `output` other than `cheapest` takes the place of Options::output. Collective.
  /// Errors: those of a plan.
  static Layout tuned_layout(Shape const& shape, MPI_Comm comm, Options const& options = {},
                             Output output = Output::cheapest);

  /// No plan, to be assigned one. A plan that was moved from is empty too. What an empty one is
  /// asked for, or to do, throws Error.
  Plan() noexcept;
  /// Output laid out as `output` says.
  Plan(Layout const& input, Layout const& output, MPI_Comm comm, Options const& options = {});
  /// The output layout is the plan's choice, the cheapest to reach ("transposed output") unless
  /// Options::output says otherwise: output().
  Plan(Layout const& input, MPI_Comm comm, Options const& options = {});
  /// Collective, as it may free communicators and windows, and writes the trace if there is one
  /// that has not been written; after MPI_Finalize it frees memory alone.
  ~Plan();
  Plan(Plan&&) noexcept;
  /// Collective if this plan is not empty: it is destroyed.
  Plan& operator=(Plan&&) noexcept;

  /// Whether it is not empty.
  explicit operator bool() const noexcept { return runner_ != nullptr; }

  /// The layout of execute(forward)'s input and of backward's output.
  Layout const& input() const;
  /// The layout of forward's output. It has the axes of the input, with one exception: of an array
  /// of which one axis alone has more than one point, an output that may lie wherever is cheapest
  /// may have that axis as two (N = N1 N2, k = k1 + N1 k2), as a layout of the shape {N2, N1} in
  /// the indices (k2, k1).
  Layout const& output() const;

  /// What this rank holds of input() and output(), and the elements between neighbours along each
  /// axis of its array; of padded rows too. With several fields, strides have one entry more: from
  /// field to field. With for_each() of indices.hpp: every element, of the first field.
  Box input_box() const;
  Box output_box() const;
  Shape input_strides() const;
  Shape output_strides() const;

  /// Which wave an element of forward's output is the coefficient of: its wave number w along each
  /// axis of input(), 0 where none is transformed. `k` is a point of output(), in digits or not.
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
  /// Of an even n, k = n/2 is w = -n/2 of c2c and n/2 of r2c, as NumPy's fftfreq and rfftfreq have
  /// it. Both waves are the same at the points; an odd derivative has to set it to zero. Where
  /// fewer modes are kept than there are points, k counts as among n modes, the other wave is
  /// missing, and k = n/2 had better be zero. Errors: no point of output().
  PerAxis<double> wavenumber(Shape const& k) const;
  /// The same along one axis of input(), k being the index along it in natural order. Errors: an
  /// axis that is not there or not transformed; an index that is not there.
  double wavenumber(int axis, Index k) const;
  /// The same of all indices that output_box() has along this axis of input(), in their order.
  /// Errors: also an axis that output() has in two digits.
  std::vector<double> wavenumbers(int axis) const;

  /// Elements that this rank's array must hold: as input (reals, with an r2c or with cosine and
  /// sine transforms alone; of padded rows and ghosts, these and all), as output, and for use in
  /// place: of the output's kind, enough for both.
  Index input_size() const;
  Index output_size() const;
  Index in_place_size() const;

  /// An array of in_place_size() elements of the output's kind for input, output or both, not
  /// initialised. Collective. Memory that ranks of a node can read and write directly, where they
  /// can: if all ranks execute with arrays that they allocated together, by this plan or another of
  /// the same ranks, that saves the work array, and in natural order the way back. Other arrays do
  /// as well. An array may outlive the plan. Its memory is free again when all ranks have released
  /// theirs. Errors: memory that cannot be had.
  template <class Element = Complex>
  std::shared_ptr<Element[]> allocate() {
    std::shared_ptr<void> const memory = allocate_bytes();
    return {memory, static_cast<Element*>(memory.get())};
  }

  /// Transforms `in`, which lies as input() says, to `out`, which will lie as output() says.
  /// For backward the other way round. `in` is not changed unless `in == out`, where the array has
  /// in_place_size() elements, or the plan need not preserve it; arrays that overlap in any other
  /// way give undefined results. Errors (on this rank only): elements that are not those of the
  /// plan; a null pointer for an array that is not empty; no workspace lent; of a plan on a device,
  /// memory of another one, or that does not begin at a multiple of a complex number's bytes.
  void execute(Complex const* in, Complex* out, Direction direction = Direction::forward,
               Scale scale = Scale::none);
  void forward(Complex const* in, Complex* out, Scale scale = Scale::none) {
    execute(in, out, Direction::forward, scale);
  }
  void backward(Complex const* in, Complex* out, Scale scale = Scale::none) {
    execute(in, out, Direction::backward, scale);
  }

  /// The same with a sign of its own: from input() to output() if forward, from output() to input()
  /// if backward, with either sign. Cosine and sine transforms go by the direction.
  void execute(Complex const* in, Complex* out, Direction direction, Sign sign,
               Scale scale = Scale::none);

  /// The same of a plan with an r2c axis: forward from reals, backward to reals (c2r). In place,
  /// both pointers are to the same memory. Padding is not read, and may be written.
  void execute(Real const* in, Complex* out, Scale scale = Scale::none);
  void execute(Complex const* in, Real* out, Scale scale = Scale::none);
  void forward(Real const* in, Complex* out, Scale scale = Scale::none) { execute(in, out, scale); }
  void backward(Complex const* in, Real* out, Scale scale = Scale::none) {
    execute(in, out, scale);
  }

  /// The same of a plan of cosine and sine transforms alone.
  void execute(Real const* in, Real* out, Direction direction = Direction::forward,
               Scale scale = Scale::none);
  void forward(Real const* in, Real* out, Scale scale = Scale::none) {
    execute(in, out, Direction::forward, scale);
  }
  void backward(Real const* in, Real* out, Scale scale = Scale::none) {
    execute(in, out, Direction::backward, scale);
  }

  /// The same as execute() with these arguments, of a plan on a device: it returns when its work is
  /// in the device's queue, as far as no other rank has to be waited for. wait() then waits for it,
  /// or whatever comes later in the stream that was lent. On the host it is execute().
  template <class... Arguments>
  void execute_async(Arguments const&... arguments) {
    Early const early(*this);
    execute(arguments...);
  }
  /// Until all that was begun has been done.
  void wait();
  /// A plan on a GPU works in this stream (a cudaStream_t of that GPU) from now on, and needs it
  /// until it gets another one or ends; before, it has one of its own, in order with the default
  /// stream. Errors: a plan that is not on a GPU.
  void set_stream(void* stream);

  /// Bytes of working memory that this rank needs beyond the user's arrays and the tables.
  std::size_t workspace_bytes() const;
  /// Lends `bytes` of memory, aligned to 64 bytes, for the life of the plan or until lent anew.
  /// Not collective. Errors: a plan that was not made with own_workspace = false; a null pointer,
  /// too few bytes, or memory that is not so aligned.
  void set_workspace(void* memory, std::size_t bytes);

  /// The plan in a few lines: shape, ranks, stages, exchanges, passes over memory, bytes sent.
  std::string describe() const;
  /// Full passes over this rank's array per forward transform, exchanges not counted.
  int passes() const;
  /// Exchanges between ranks per forward transform.
  int exchanges() const;
  /// OpenMP threads this rank uses.
  int threads() const;
  /// Seconds this rank spent in communication since the plan was made.
  double communication_seconds() const;
  using Part = sixstep::Part;
  /// In order, those of the executions that were done last: of private arrays or allocate()'s, in
  /// place or not.
  std::vector<Part> breakdown(Direction direction = Direction::forward) const;
  using Prediction = sixstep::Prediction;
  /// Of a forward transform of arrays from allocate(), out of place, on the machine of that file;
  /// without a name, of $SIXSTEP_MACHINE or of sixstep/machine.json in $XDG_DATA_HOME or
  /// ~/.local/share, where `sixstep tune --machine` puts what it has measured; of a plan on a
  /// device machine-cuda.json or machine-emulated.json, which `tune --machine --device` measures.
  /// Rank 0 reads it. Nothing is run. Collective. Errors, on every rank: a file that is not there,
  /// or not as it has to be; one of a single node, where the plan has several; one of the host for
  /// a plan on a device, and the other way round.
  Prediction predict(std::string const& machine_file = "") const;
  /// Writes what has been traced so far to the file Options::trace, in place of what it had: passes
  /// and waits of each thread, exchanges, messages from post to completion, in the time of rank 0,
  /// as JSON for ui.perfetto.dev and chrome://tracing. Of each thread the first 131,072 events are
  /// kept (6 MiB), of messages as many a rank; the file says how many there were more. Collective.
  /// Errors: a plan without a trace; a file that cannot be written, of which the destructor, which
  /// does the same, cannot tell.
  void write_trace();

 private:
  std::shared_ptr<void> allocate_bytes();
  /// Executions return early as long as this lives.
  struct Early {
    explicit Early(Plan& its) : plan(its) { plan.return_early(true); }
    ~Early() { plan.return_early(false); }
    Early(Early const&) = delete;
    Plan& plan;
  };
  void return_early(bool early);
  plan::CompositionRunner& runner() const;

  std::unique_ptr<plan::CompositionRunner> runner_;
};

/// The layout of the boxes that the ranks of `comm` have each, step 1, as Layout::boxes() would
/// make it: for a program in which a rank knows no box but its own. Collective.
///
/// Errors, the same on every rank: those of Layout::boxes(), where the number of a box is that of
/// its rank; a shape or an order that is not the same on all ranks.
Layout gather_boxes(Shape const& shape, Box const& mine, MPI_Comm comm, Order const& order = {});

extern template class Plan<float>;
extern template class Plan<double>;

}  // namespace sixstep
#pragma GCC visibility pop
