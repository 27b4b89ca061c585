// SPDX-License-Identifier: BSD-3-Clause
// Runs sweeps: passes that take turns on a window.
//
// The constructors compute everything that can be known beforehand; run() only loops. The caller
// decides when and on which thread each window runs. Knows nothing about MPI.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <variant>
#include <vector>

#include "program/program.hpp"
#include "sweep/copy_pass.hpp"
#include "sweep/fft_pass.hpp"
#include "sweep/gather_pass.hpp"
#include "sweep/kernels.hpp"
#include "sweep/loops.hpp"
#include "sweep/point_pass.hpp"
#include "sweep/tally.hpp"

namespace sixstep::sweep {

/// A sweep, ready to run. Windows may run in any order, and at once on several threads.
class SweepRunner {
 public:
  /// Reals take `real_bytes`: 4 or 8, or 1, 2 or 16 if all passes only reorder. `kernels` must
  /// outlive the runner.
  SweepRunner(program::Sweep const& sweep, Kernels& kernels, int real_bytes);

  /// Counts along the window axis, and how many of them a window has.
  Index extent() const { return extent_; }
  Index window() const { return window_; }
  /// How many counts each of `threads` threads should run at once: a window. One thread runs all
  /// counts of a lone pass, because nothing has to stay in cache for a next one.
  Index at_once(int threads) const {
    return threads == 1 && runs_as_a_whole() ? std::max<Index>(extent_, 1) : window_;
  }
  /// Adds what the sweep reads to `read`, and what it has written to `written`, part by part; null:
  /// nothing is added. The tallies outlive the runner.
  void count(Tally* read, Tally* written);
  /// Gives what the first pass reads, or what the last one writes, to somebody who outlives the
  /// runner, while it is in cache; false if the pass cannot.
  bool give_read(BlockTaker to);
  bool give_written(BlockTaker to);
  /// The pass with the operation of this number; null if there is none.
  PointPass* points(int operation);
  /// The part of `bytes` that belongs to `counts` counts, if they are spread evenly over the sweep.
  Index share(Index bytes, Index counts) const { return bytes / extent_ * counts; }
  /// Bytes that this object takes, without transforms.
  std::size_t bytes() const { return sizeof *this + bytes_; }
  /// Bytes that a thread needs, a multiple of 64.
  std::size_t scratch_bytes() const { return between_bytes_ + pass_bytes_; }
  /// Runs counts [lo, hi) of the window axis, several passes window by window. The caller probably
  /// goes on at `next`, whose source or target is fetched; extent() or more: nothing is. The sweep
  /// decides whether the arrays have reals or complex numbers.
  void run(Index lo, Index hi, Index next, void const* source, void* target, Mode const& mode,
           std::byte* scratch) const;

 private:
  template <class Real, class Complex = std::complex<Real>>
  using Passes = std::variant<FftPass<Complex, Complex>, FftPass<Real, Complex>,
                              FftPass<Complex, Real>, FftPass<Real, Real>>;
  using AnyPass =
      std::variant<Passes<float>, Passes<double>, std::variant<CopyPass, PointPass, GatherPass>>;
  struct Link {
    AnyPass pass;
    bool from_scratch, to_scratch, scales, ends, undoes;
  };

  bool is_alone() const { return links_.size() == 1; }
  /// Whether nothing has to stay in cache for a next pass or for a tally.
  bool runs_as_a_whole() const { return is_alone() && !read_ && !written_; }
  template <class Real>
  static Passes<Real> make_pass(program::Pass const& pass, program::Sweep const& sweep,
                                Kernels& kernels);

  std::vector<Link> links_;
  int window_axis_;
  PerAxis<program::Stacked> stacked_;
  Shape blocks_;  // along each axis, if it is stacked
  Index window_;
  Index extent_;
  std::size_t between_bytes_;
  std::size_t pass_bytes_ = 0;
  std::size_t bytes_ = 0;     // of the passes
  Tally* read_ = nullptr;     // what passes do not add themselves
  Tally* written_ = nullptr;  // likewise
};

}  // namespace sixstep::sweep
