// SPDX-License-Identifier: BSD-3-Clause
// Convolutions as sums, at the points that SciPy has.
//
// Shares no code with the library.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <vector>

#include "oracles/kinds.hpp"
#include "sixstep/convolution.hpp"

namespace convolution_oracle {

using oracle::at;
using oracle::Exact;
using oracle::Index;
using oracle::Shape;
using oracle::Whole;
using sixstep::ConvolutionMode;

/// The points of a convolution along an axis of n and m points, as SciPy has them.
inline Index points_of(ConvolutionMode mode, Index n, Index m) {
  switch (mode) {
    case ConvolutionMode::full:
      return n + m - 1;
    case ConvolutionMode::valid:
      return std::max(n, m) - std::min(n, m) + 1;
    default:
      return n;
  }
}

/// The first of them among those of the full result.
inline Index first_of(ConvolutionMode mode, Index n, Index m) {
  return mode == ConvolutionMode::same    ? (m - 1) / 2
         : mode == ConvolutionMode::valid ? std::min(n, m) - 1
                                          : 0;
}

/// A convolution by the sum that defines it. A periodic one has the period `lengths[i]` along the
/// i-th of `axes`.
struct Convolves {
  std::vector<int> axes;
  std::vector<Index> lengths;
  ConvolutionMode mode;
  bool correlate;

  Shape shape_of(Shape signal, Shape const& kernel) const {
    for (int axis : axes) signal[axis] = points_of(mode, signal[axis], kernel[axis]);
    return signal;
  }

  Whole operator()(Whole const& signal, Whole const& kernel) const {
    Whole made{shape_of(signal.shape, kernel.shape), {}};
    oracle::for_each_point(made.shape, [&](Shape const& k) {
      Exact sum = 0;
      oracle::for_each_point(kernel.shape, [&](Shape const& l) {
        Shape const from = source(k, l, signal.shape, kernel.shape);
        for (int axis = 0; axis < from.size(); ++axis)
          if (from[axis] < 0 || from[axis] >= signal.shape[axis]) return;
        Exact const value = kernel.values[at(oracle::number_of(kernel.shape, l))];
        sum += signal.values[at(oracle::number_of(signal.shape, from))] *
               (correlate ? std::conj(value) : value);
      });
      made.values.push_back(sum);
    });
    return made;
  }

 private:
  /// The point of the signal that is multiplied by point l of the kernel for point k of the result;
  /// outside of the signal if there is none.
  Shape source(Shape const& k, Shape const& l, Shape const& signal, Shape const& kernel) const {
    Shape from = k;
    for (int axis = 0; axis < k.size(); ++axis)
      if (std::find(axes.begin(), axes.end(), axis) == axes.end() && l[axis] != k[axis])
        from[axis] = -1;
    bool const periodic = mode == ConvolutionMode::periodic;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      int const axis = axes[i];
      Index const m = kernel[axis], full = k[axis] + first_of(mode, signal[axis], m);
      from[axis] = correlate ? full + l[axis] - (periodic ? 0 : m - 1) : full - l[axis];
      if (periodic) from[axis] = (from[axis] + lengths[i]) % lengths[i];
    }
    return from;
  }
};

}  // namespace convolution_oracle
