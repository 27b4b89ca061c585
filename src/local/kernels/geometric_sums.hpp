// SPDX-License-Identifier: BSD-3-Clause
// Geometric sums of powers of roots of unity, for a row of exponents at once, and sums of elements
// whose weights these are.
#pragma once

#include <complex>

#include "local/kernels/weighted_sums.hpp"
#include "local/targets.hpp"
#include "sixstep/index.hpp"

namespace sixstep::local {

/// The sums factor (1 + w + w^2 + ... + w^(m-1)) for the roots w = exp(i (a + t b)), t = 0, 1, ...
struct GeometricSums {
  double factor;
  std::complex<double> begin;  // factor exp(i m a)
  double cotangent;            // of a / 2
};

/// Adds the first `count` sums to `to`. `powers` are exp(i m t b), `tangents` are those of t b / 2.
/// Arrays need no alignment.
using AddGeometricSums = void (*)(GeometricSums const& sums, std::complex<double> const* powers,
                                  double const* tangents, Index count, std::complex<double>* to);

AddGeometricSums add_geometric_sums(Target target);

/// Adds `by` times the first `count` powers to `to`.
using AddProducts = void (*)(std::complex<double> by, std::complex<double> const* powers,
                             Index count, std::complex<double>* to);

AddProducts add_products(Target target);

/// A row of complex numbers, and for each set the angles of its weights: the weight c_t of element
/// t is the cotangent of a difference of angles, given by the first one's cotangent and the second
/// one's tangent. There are tangents for whole vectors.
template <class Real>
struct CotangentRow {
  std::complex<Real> const* first;
  Index elements;
  OfSums<double> cotangents;
  OfSums<double const*> tangents;
};

struct CotangentSums {
  std::complex<double> plain;           // of x
  OfSums<std::complex<double>> turned;  // of c x
  OfSums<double> turned_squares;        // of |sum of a lane's c x|^2
  double squares;                       // of |x|^2
};

template <class Real>
using SumByCotangents = CotangentSums (*)(CotangentRow<Real> const& row);

template <class Real>
SumByCotangents<Real> cotangent_sums(Target target);
template <>
SumByCotangents<float> cotangent_sums(Target target);
template <>
SumByCotangents<double> cotangent_sums(Target target);

}  // namespace sixstep::local
