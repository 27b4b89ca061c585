// SPDX-License-Identifier: BSD-3-Clause
// Columns of reals in pairs, compiled for every instruction set.
#include "local/kernels/paired_columns.hpp"

#include "local/kernels/constants.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/paired_columns.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // includes this file again for each further target
// Keep this order: highway.h reads what foreach_target.h has set.
#include "hwy/highway.h"
#include "local/kernels/alternating-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

/// Vectors of V complex numbers with alternating parts, as Numbers; see One for a single number.
template <class Real>
struct Several {
  using Numbers = Vector<Real>;
  static constexpr Index count = complexes<Real>;

  static HWY_INLINE Numbers load(std::complex<Real> const* from) {
    return hn::LoadU(Tag<Real>(), reinterpret_cast<Real const*>(from));
  }
  static void store(Numbers x, std::complex<Real>* to) {
    hn::StoreU(x, Tag<Real>(), reinterpret_cast<Real*>(to));
  }
  /// The numbers at last, last - 1 ...
  static HWY_INLINE Numbers load_image(std::complex<Real> const* last) {
    return reversed<Real>(load(last - count + 1));
  }
  static void store_image(Numbers x, std::complex<Real>* last) {
    store(reversed<Real>(x), last - count + 1);
  }
  static HWY_INLINE Numbers conjugate(Numbers x) { return hn::OddEven(hn::Neg(x), x); }
  static HWY_INLINE Numbers sum(Numbers a, Numbers b) { return hn::Add(a, b); }
  static HWY_INLINE Numbers difference(Numbers a, Numbers b) { return hn::Sub(a, b); }
  static HWY_INLINE Numbers times_i(Numbers x) {
    return hn::OddEven(swapped<Real>(x), hn::Neg(swapped<Real>(x)));
  }
  static HWY_INLINE Numbers conjugate_times(Numbers x, std::complex<Real> factor) {
    return mul_add(x, alternating<Real>(factor.real()),
                   hn::Mul(swapped<Real>(x), hn::Set(Tag<Real>(), factor.imag())));
  }
  static HWY_INLINE Numbers times(Numbers x, ColumnFactors<Real> const& factors, Index column) {
    Vector<Real> const re = hn::LoadU(Tag<Real>(), factors.re + 2 * column);
    Vector<Real> const im = hn::LoadU(Tag<Real>(), factors.im + 2 * column);
    return mul_add(x, re, hn::Mul(swapped<Real>(x), im));
  }
};

template <class Real>
struct One {
  using Numbers = std::complex<Real>;
  static constexpr Index count = 1;

  static HWY_INLINE Numbers load(Numbers const* from) { return *from; }
  static void store(Numbers x, Numbers* to) { *to = x; }
  static HWY_INLINE Numbers load_image(Numbers const* last) { return *last; }
  static void store_image(Numbers x, Numbers* last) { *last = x; }
  static HWY_INLINE Numbers conjugate(Numbers x) { return std::conj(x); }
  static HWY_INLINE Numbers sum(Numbers a, Numbers b) { return a + b; }
  static HWY_INLINE Numbers difference(Numbers a, Numbers b) { return a - b; }
  static HWY_INLINE Numbers times_i(Numbers x) { return {-x.imag(), x.real()}; }
  static HWY_INLINE Numbers product(Numbers a, Real re, Real im) {
    return {a.real() * re - a.imag() * im, a.imag() * re + a.real() * im};
  }
  static HWY_INLINE Numbers conjugate_times(Numbers x, Numbers factor) {
    return product(std::conj(x), factor.real(), factor.imag());
  }
  static HWY_INLINE Numbers times(Numbers x, ColumnFactors<Real> const& factors, Index column) {
    return product(x, factors.re[2 * column], factors.im[2 * column + 1]);
  }
};

/// Calls body(kind of numbers, column) for all columns of a row: as many at once as a vector has,
/// then one by one.
template <class Real, class Body>
HWY_INLINE void for_columns(Index columns, Body const& body) {
  Index c = 0;
  if constexpr (complexes < Real >> 0)
    for (; c + complexes<Real> <= columns; c += complexes<Real>) body(Several<Real>(), c);
  for (; c < columns; ++c) body(One<Real>(), c);
}

template <class Real>
void separate(MirroredColumns<std::complex<Real> const> const& from, std::complex<Real> const* rows,
              ColumnFactors<Real> const& columns, PairedBlock<std::complex<Real>> const& to) {
  constexpr Index line = line_bytes / static_cast<Index>(sizeof(std::complex<Real>));
  for (Index r = 0; r < from.rows; ++r) {
    auto const* const own = from.own + r * from.step;
    auto const* const image = from.image + r * from.step;
    auto* const even = to.data + 2 * r * to.step;
    auto* const odd = even + to.step;
    for (Index c = 0; c < from.columns; c += line) {
      hwy::Prefetch(own + from.columns + c);
      hwy::Prefetch(image - from.columns - c);
    }
    for_columns<Real>(from.columns, [&](auto kind, Index c) HWY_ATTR {
      using Kind = decltype(kind);
      auto const a = Kind::load(own + c);
      auto const b = Kind::conjugate_times(Kind::load_image(image - c), rows[r]);
      Kind::store(Kind::sum(a, b), even + c);
      Kind::store(Kind::times(Kind::difference(a, b), columns, c), odd + c);
    });
  }
}

template <class Real>
void join(PairedBlock<std::complex<Real> const> const& from,
          MirroredColumns<std::complex<Real>> const& to) {
  for (Index r = 0; r < to.rows; ++r) {
    auto const* const even = from.data + 2 * r * from.step;
    auto const* const odd = even + from.step;
    for_columns<Real>(to.columns, [&](auto kind, Index c) HWY_ATTR {
      using Kind = decltype(kind);
      auto const x = Kind::load(even + c);
      auto const y = Kind::times_i(Kind::load(odd + c));
      Kind::store(Kind::sum(x, y), to.own + r * to.step + c);
      Kind::store_image(Kind::conjugate(Kind::difference(x, y)), to.image + r * to.step - c);
    });
  }
}

template <class Real>
void unfold(MirroredColumns<std::complex<Real> const> const& from,
            PairedBlock<std::complex<Real>> const& to) {
  for (Index r = 0; r < from.rows; ++r) {
    auto* const there = to.data + r * to.step;
    auto* const mirrored = to.data + (2 * from.rows - 1 - r) * to.step;
    for_columns<Real>(from.columns, [&](auto kind, Index c) HWY_ATTR {
      using Kind = decltype(kind);
      Kind::store(Kind::load(from.own + r * from.step + c), there + c);
      Kind::store(Kind::conjugate(Kind::load_image(from.image + r * from.step - c)), mirrored + c);
    });
  }
}

template <class Real>
void fold(PairedBlock<std::complex<Real> const> const& from,
          MirroredColumns<std::complex<Real>> const& to) {
  for (Index r = 0; r < to.rows; ++r) {
    auto const* const there = from.data + r * from.step;
    auto const* const mirrored = from.data + (2 * to.rows - 1 - r) * from.step;
    for_columns<Real>(to.columns, [&](auto kind, Index c) HWY_ATTR {
      using Kind = decltype(kind);
      Kind::store(Kind::load(there + c), to.own + r * to.step + c);
      Kind::store_image(Kind::conjugate(Kind::load(mirrored + c)), to.image + r * to.step - c);
    });
  }
}

PairedColumnKernels<float> single_pairs_here() {
  return {separate<float>, join<float>, unfold<float>, fold<float>};
}
PairedColumnKernels<double> double_pairs_here() {
  return {separate<double>, join<double>, unfold<double>, fold<double>};
}

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sixstep::local {

HWY_EXPORT(single_pairs_here);
HWY_EXPORT(double_pairs_here);

template <>
PairedColumnKernels<float> paired_column_kernels(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(single_pairs_here), target)();
}

template <>
PairedColumnKernels<double> paired_column_kernels(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(double_pairs_here), target)();
}

}  // namespace sixstep::local
#endif  // HWY_ONCE
