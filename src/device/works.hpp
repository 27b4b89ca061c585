// SPDX-License-Identifier: BSD-3-Clause
// Works: what a device does with elements between transforms. Written once, compiled for the host
// and for GPUs.
//
// There are three works. A copy copies a box of elements, and multiplies each by a factor that
// depends on its indices: it fills and empties blocks, packs messages, twiddles, scales, and turns
// cosine and sine transforms into complex ones. The other two prepare the inverse of r2c:
// HermitianPart drops what no spectrum of reals has, Fold makes it a complex transform of half as
// many points.
#pragma once

#include <cstddef>

#include "sixstep/index.hpp"

#ifdef __CUDACC__
#define SIXSTEP_ON_DEVICE __host__ __device__
#else
#define SIXSTEP_ON_DEVICE
#endif

namespace sixstep::device {

/// A complex number that any compiler knows. Aligned as arrays of them are, so that a GPU reads and
/// writes it at once.
template <class Real>
struct alignas(2 * sizeof(Real)) Pair {
  Real re, im;
};

template <class Real>
SIXSTEP_ON_DEVICE inline Pair<Real> product(Pair<Real> const& a, Pair<Real> const& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// An index that is counted along an axis of the box; a constant if there is no axis.
struct Along {
  int axis = -1;
  Index first = 0;
  Index step = 0;

  SIXSTEP_ON_DEVICE Index at(Index const* counts) const {
    return axis < 0 ? first : first + step * counts[axis];
  }
};

/// w_n^(row column) = exp(-2 pi i row column / n), from a table of the first m = 2^shift roots and
/// a table of every m-th root, in the device's memory.
struct Phase {
  Pair<double> const* fine = nullptr;  // null: 1
  Pair<double> const* coarse = nullptr;
  int shift = 0;
  Index n = 1;
  Along row;
  Along column;
  bool conjugate = false;

  SIXSTEP_ON_DEVICE Pair<double> at(Index const* counts) const {
    Index k = row.at(counts) * column.at(counts);
    if (k >= n) k %= n;
    Pair<double> root = product(coarse[k >> shift], fine[k & ((Index{1} << shift) - 1)]);
    if (conjugate) root.im = -root.im;
    return root;
  }
};

/// Numbers that multiply elements, in the device's memory.
struct Factors {
  void const* numbers = nullptr;  // null: 1
  int reals = 2;                  // of a number: 1 or 2

  template <class Real>
  SIXSTEP_ON_DEVICE Pair<Real> times(Pair<Real> const& value, Index at) const {
    if (reals == 2) return product(value, static_cast<Pair<Real> const*>(numbers)[at]);
    Real const factor = static_cast<Real const*>(numbers)[at];
    return {factor * value.re, factor * value.im};
  }
};

/// The part of a complex number that a target of reals gets.
enum class Take { real, minus_imaginary };

/// A copy of the elements of a box. Strides count elements of their side.
struct Copy {
  static constexpr int most_axes = 16;

  int axes = 0;
  Index extent[most_axes] = {};
  Index from[most_axes] = {};  // strides
  Index to[most_axes] = {};
  void const* source = nullptr;  // null: zeros
  void* target = nullptr;
  int real_bytes = 8;
  int from_reals = 1;  // of an element
  int to_reals = 1;
  // For copies that change elements:
  bool changes = false;
  double scale = 1;
  bool conjugates = false;  // what is read
  bool adds = false;        // to what the target holds
  Phase phase = {};
  Along row = {};                // the index that the next two are compared with
  Index halved[2] = {-1, -1};    // rows
  Index real[3] = {-1, -1, -1};  // rows whose imaginary parts are taken for 0
  Index sum = -1;                // a row to which another one of the source is added
  Index other = 0;               // how many elements behind it; 0: its conjugate
  Take take = Take::real;
  Factors table = {};
  Index in_table[most_axes] = {};  // strides
  bool conjugates_table = false;

  SIXSTEP_ON_DEVICE Index elements() const {
    Index all = 1;
    for (int axis = 0; axis < axes; ++axis) all *= extent[axis];
    return all;
  }
};

/// The counts of an element of a box, by its number. The last axis is the fastest one.
SIXSTEP_ON_DEVICE inline void find_counts(Index number, int axes, Index const* extents,
                                          Index* counts) {
  for (int axis = axes - 1; axis >= 0; --axis) {
    counts[axis] = number % extents[axis];
    number /= extents[axis];
  }
}

/// Replaces a[k] by (a[k] + conj a[-k]) / 2 in place, where -k has the indices of k negated modulo
/// the extent along some axes. Along none, imaginary parts become 0.
struct HermitianPart {
  static constexpr int most_axes = Copy::most_axes;

  int axes = 0;
  Index extent[most_axes] = {};
  Index stride[most_axes] = {};  // in complex numbers
  bool negates[most_axes] = {};
  void* memory = nullptr;
  int real_bytes = 8;

  SIXSTEP_ON_DEVICE Index elements() const {
    Index all = 1;
    for (int axis = 0; axis < axes; ++axis) all *= extent[axis];
    return all;
  }

  /// Replaces the element of that number and the one at -k, unless that has the smaller number.
  template <class Real>
  SIXSTEP_ON_DEVICE void run(Index number) const {
    Index counts[most_axes];
    find_counts(number, axes, extent, counts);
    Index at = 0, other = 0, other_number = 0;
    for (int axis = 0; axis < axes; ++axis) {
      Index const k = counts[axis], negated = negates[axis] && k > 0 ? extent[axis] - k : k;
      at += k * stride[axis];
      other += negated * stride[axis];
      other_number = other_number * extent[axis] + negated;
    }
    if (other_number < number) return;
    auto* const numbers = static_cast<Pair<Real>*>(memory);
    Pair<Real> const a = numbers[at], b = numbers[other];
    Real const half = Real(1) / 2;
    Pair<Real> const part{half * (a.re + b.re), half * (a.im - b.im)};
    numbers[other] = {part.re, -part.im};
    numbers[at] = {part.re, at == other ? 0 : part.im};
  }
};

/// Makes spectra of 2 m reals those of m complex numbers, whose parts are the reals that follow
/// each other: z[k] = (x[k] + conj x[m - k]) + i w^k (x[k] - conj x[m - k]) with w = exp(2 pi i /
/// (2 m)), times a scale. The imaginary parts of x[0] and x[m] are ignored.
struct Fold {
  static constexpr int most_axes = Copy::most_axes;

  int axes = 0;  // of the columns
  Index extent[most_axes] = {};
  Index from[most_axes] = {};  // strides in complex numbers, as all here
  Index to[most_axes] = {};
  Index m = 1;
  Index row_from = 1, row_to = 1;
  void const* source = nullptr;
  void* target = nullptr;
  int real_bytes = 8;
  double scale = 1;
  Phase roots = {};  // of 2 m points

  /// Pairs k, m - k of a column.
  SIXSTEP_ON_DEVICE Index pairs() const { return m / 2 + 1; }
  SIXSTEP_ON_DEVICE Index elements() const {
    Index all = pairs();
    for (int axis = 0; axis < axes; ++axis) all *= extent[axis];
    return all;
  }

  /// Makes z[k] and z[m - k].
  template <class Real>
  SIXSTEP_ON_DEVICE void run(Index number) const {
    Index const k = number % pairs();
    Index counts[most_axes];
    find_counts(number / pairs(), axes, extent, counts);
    auto const* x = static_cast<Pair<Real> const*>(source);
    auto* z = static_cast<Pair<Real>*>(target);
    for (int axis = 0; axis < axes; ++axis) {
      x += counts[axis] * from[axis];
      z += counts[axis] * to[axis];
    }
    Pair<Real> a = x[k * row_from], b = x[(m - k) * row_from];
    if (k == 0) a.im = b.im = 0;
    Phase phase = roots;
    phase.row = {-1, k, 0};
    phase.column = {-1, 1, 0};
    phase.conjugate = true;
    Pair<double> const root = phase.at(counts);
    auto const factor = static_cast<Real>(scale);
    Pair<Real> const w{static_cast<Real>(root.re), static_cast<Real>(root.im)};
    Pair<Real> const sum{factor * (a.re + b.re), factor * (a.im - b.im)};
    Pair<Real> const turned = product(w, {factor * (a.re - b.re), factor * (a.im + b.im)});
    z[k * row_to] = {sum.re - turned.im, sum.im + turned.re};
    if (k > 0) z[(m - k) * row_to] = {sum.re + turned.im, turned.re - sum.im};
  }
};

/// An element of the source and the other one that is added to it.
template <class Real>
SIXSTEP_ON_DEVICE inline Pair<Real> sum_of(Pair<Real> const& value, Copy const& copy, Index from) {
  if (copy.other == 0) return {value.re + value.re, 0};
  Pair<Real> const other = static_cast<Pair<Real> const*>(copy.source)[from + copy.other];
  return {value.re + other.re, value.im + other.im};
}

/// The changed element with these counts along the axes of a copy, without the table. It is `from`
/// elements behind the beginning of the source.
template <class Real>
SIXSTEP_ON_DEVICE inline Pair<Real> changed(Copy const& copy, Index const* counts, Index from) {
  Pair<Real> value{0, 0};
  if (copy.source != nullptr) {
    if (copy.from_reals == 2)
      value = static_cast<Pair<Real> const*>(copy.source)[from];
    else
      value.re = static_cast<Real const*>(copy.source)[from];
  }
  Index const row = copy.row.at(counts);
  if (row == copy.sum) value = sum_of(value, copy, from);
  if (row == copy.real[0] || row == copy.real[1] || row == copy.real[2]) value.im = 0;
  if (copy.conjugates) value.im = -value.im;
  double factor = copy.scale;
  if (row == copy.halved[0] || row == copy.halved[1]) factor *= 0.5;
  if (copy.phase.fine != nullptr) {
    Pair<double> const root = copy.phase.at(counts);
    return product<Real>(
        value, {static_cast<Real>(factor * root.re), static_cast<Real>(factor * root.im)});
  }
  return {static_cast<Real>(value.re * factor), static_cast<Real>(value.im * factor)};
}

/// Stores a changed element times the number of the table.
template <class Real>
SIXSTEP_ON_DEVICE inline void store(Copy const& copy, Pair<Real> value, Index const* counts,
                                    Index to) {
  if (copy.table.numbers != nullptr) {
    Index at = 0;
    for (int axis = 0; axis < copy.axes; ++axis) at += counts[axis] * copy.in_table[axis];
    // The product with a conjugate is the conjugate of the product with it.
    if (copy.conjugates_table) value.im = -value.im;
    value = copy.table.times(value, at);
    if (copy.conjugates_table) value.im = -value.im;
  }
  if (copy.to_reals == 2) {
    Pair<Real>& place = static_cast<Pair<Real>*>(copy.target)[to];
    if (copy.adds) value.re += place.re, value.im += place.im;
    place = value;
    return;
  }
  Real& place = static_cast<Real*>(copy.target)[to];
  Real const taken = copy.take == Take::real ? value.re : -value.im;
  place = copy.adds ? place + taken : taken;
}

}  // namespace sixstep::device
