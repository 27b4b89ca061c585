// SPDX-License-Identifier: BSD-3-Clause
// Copies arrays from any strides to any other: what a transform without axes does.
#pragma once

#include "plan_object.hpp"
#include "problem.hpp"

namespace sixstep::fftw {

/// A copy of reals or of complex numbers, whose arrays do not overlap. The last loop writes the
/// closest neighbours; with the one before it, it goes through tiles if the input has others.
class Copy {
 public:
  /// Copies the input of a problem to the strides `out` of its axes and loops.
  Copy(Problem const& problem, int threads);

  void run(Arrays<Real> const& arrays) const;

 private:
  template <class Element>
  void copy(Element const* in, Element* out) const;

  bool is_interleaved_;
  bool is_split_;
  Axes outer_;
  Axis slow_ = {1, 0, 0};  // the loop with the closest neighbours in the input, or any other
  Axis fast_ = {1, 0, 0};
  int threads_;
};

}  // namespace sixstep::fftw
