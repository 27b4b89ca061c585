// SPDX-License-Identifier: BSD-3-Clause
// Geometric sums of powers of roots of unity, for a row of exponents at once, and sums of elements
// whose weights these are.
#pragma once

#include <array>
#include <complex>
#include <cstddef>

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

/// The angles of rows of elements: that of element t in row r is a_r + b_r + (t - middle) turn.
/// Null pointers stand for one number for all rows, others have numbers for whole vectors of rows.
struct Angles {
  double cotangent = 0;  // of a
  double const* cotangents = nullptr;
  double tangent = 0;  // of b
  double const* tangents = nullptr;
  double turn = 0;
};
inline constexpr std::size_t most_cotangents = 2;

/// The most elements before and behind the middle of a row.
inline constexpr Index half_of_row = 32;
/// Angles have to be at least so many times as far from a pole as the ends of a row from its
/// middle: then a polynomial of degree 5 has cotangents to the last bit.
inline constexpr Index far_from_pole = 420;

/// Rows of elements, `step` elements apart, and what each set's weights c are: sums of the
/// cotangents of one or two angles.
template <class Element>
struct CotangentRows {
  Element const* first;
  Index rows, elements, step, middle;
  std::size_t terms;  // how many cotangents a weight is the sum of
  OfSums<std::array<Angles, most_cotangents>> weights;
};

/// A sum over reals has that over elements 0, 2, ... as its real part, and that over the others as
/// its imaginary part.
struct CotangentSums {
  std::complex<double> plain;           // of x
  OfSums<std::complex<double>> turned;  // of c x
  OfSums<double> turned_squares;        // of |sum of a column's c x|^2, or a little more
  double squares;                       // of |x|^2
};

template <class Element>
using SumByCotangents = CotangentSums (*)(CotangentRows<Element> const& rows);

/// Elements are reals or complex numbers of either precision.
template <class Element>
SumByCotangents<Element> cotangent_sums(Target target);
template <>
SumByCotangents<float> cotangent_sums(Target target);
template <>
SumByCotangents<double> cotangent_sums(Target target);
template <>
SumByCotangents<std::complex<float>> cotangent_sums(Target target);
template <>
SumByCotangents<std::complex<double>> cotangent_sums(Target target);

}  // namespace sixstep::local
