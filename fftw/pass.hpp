// SPDX-License-Identifier: BSD-3-Clause
// Transforms along one axis of columns that lie anywhere, and how a problem becomes a list of them.
//
// A kernel takes columns at any constant distance, with interleaved complex numbers. Numbers that
// are split, or in the order of a half-complex or Hartley transform, go through a block in cache.
#pragma once

#include <complex>
#include <memory>
#include <variant>
#include <vector>

#include "local/transform.hpp"
#include "plan_object.hpp"
#include "problem.hpp"
#include "serial/blocks.hpp"
#include "sixstep/kind.hpp"

namespace sixstep::fftw {

/// How the elements of a column lie: as a kernel wants them, or to be moved by us.
enum class Form { direct, split, half_complex, hartley };

/// One side of a pass. Strides count reals.
struct Side {
  bool is_input = false;  // of the two arrays of an execution
  Index stride = 0;       // between the rows of a column
  Form form = Form::direct;
};

/// What a pass does: a kernel along columns, and loops over columns.
struct PassWork {
  Kind kind = Kind::c2c;
  bool backward = false;  // c2c: the sign is plus; r2c: it is c2r
  Index n = 1;
  Side source;
  Side target;
  Axes loops;  // joined
};

/// The passes of a problem with at least one axis, in their order. Complex to real works in its
/// input, along all axes but the last; the others work in their output after the first pass. If the
/// problem is in place, strides are the same on both sides.
std::vector<PassWork> passes_of(Problem const& problem);

/// Whether these passes would read what they have already overwritten, or overwrite an input in
/// which points lie at the same place: the input must be copied first.
bool needs_copy_of_input(Problem const& problem);

/// The kind of a real to real transform; r2c for R2HC, HC2R and DHT.
Kind kind_of(R2r kind);

/// A pass, ready to run any number of times, on several threads at once.
class Pass {
 public:
  Pass(PassWork const& work, int threads);

  void run(Arrays<Real> const& arrays) const;

 private:
  using Complex = std::complex<Real>;
  template <class In, class Out>
  using Kernel = std::shared_ptr<local::Transform<In, Out> const>;

  Index block_columns(Index lanes) const;
  template <class In, class Out>
  void run_with(Kernel<In, Out> const& kernel, Arrays<Real> const& arrays) const;
  template <class In, class Out>
  void run_at_once(local::Transform<In, Out> const& kernel, Arrays<Real> const& arrays) const;
  template <class In, class Out>
  void run_block(local::Transform<In, Out> const& kernel, Arrays<Real> const& arrays, Index block,
                 std::byte* scratch) const;

  PassWork work_;
  Axis lane_ = {1, 0, 0};  // the loop whose turns a kernel takes at once
  Axes outer_;             // the other loops
  int threads_;
  bool far_;  // a kernel reads columns that do not stay in cache
  bool far_target_ = false;
  Index block_columns_ = 1;
  Index blocks_ = 1;
  std::size_t source_bytes_ = 0;  // of a block whose form is not direct
  std::size_t target_bytes_ = 0;
  std::size_t scratch_bytes_ = 0;
  std::variant<Kernel<Complex, Complex>, Kernel<Real, Complex>, Kernel<Complex, Real>,
               Kernel<Real, Real>>
      kernel_;
  std::shared_ptr<serial::Blocks> memory_ = serial::Blocks::of_process();
};

}  // namespace sixstep::fftw
