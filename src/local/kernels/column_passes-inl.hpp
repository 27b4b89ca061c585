// SPDX-License-Identifier: BSD-3-Clause
// Transforms of columns side by side whose rows stay in the first-level cache between two or three
// passes, because only half a group of columns is transformed at a time.
//
// n = r1 r2 r3, where r2 may be 1. The first pass transforms r1 of the user's rows that are r2 r3
// apart and stores the results of butterfly p in rows p, r2 r3 + p, ... of a buffer. The second
// works in place in each of r1 blocks of r2 r3 rows, the last one in each of r1 r2 blocks of r3
// rows. Both multiply the rows by their twiddles before the butterfly: row k of block j by
// w_(r1 r2)^(j k), and row k of block i of block j by w_n^((j + r1 i) k). Compiled once for each
// instruction set.
#include <algorithm>
#include <bit>
#include <complex>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "local/kernels/butterflies-inl.hpp"
#include "local/kernels/interleaved-inl.hpp"
#include "local/kernels/passes-inl.hpp"
#include "local/kernels/row_places-inl.hpp"
#include "local/numbers/factor.hpp"
#include "local/numbers/roots.hpp"

#if defined(SIXSTEP_LOCAL_COLUMN_PASSES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_COLUMN_PASSES_INL
#undef SIXSTEP_LOCAL_COLUMN_PASSES_INL
#else
#define SIXSTEP_LOCAL_COLUMN_PASSES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// A twiddle for all lanes, for both kinds of numbers.
template <class Real>
struct ColumnTwiddle {
  Real alternating[16 / sizeof(Real)];  // -im and im alternately
  Real re;
  Real im;

  static ColumnTwiddle of(std::complex<Real> root) {
    ColumnTwiddle made;
    for (std::size_t i = 0; i < std::size(made.alternating); ++i)
      made.alternating[i] = i % 2 == 0 ? -root.imag() : root.imag();
    made.re = root.real();
    made.im = root.imag();
    return made;
  }
};

/// The twiddles of both directions, in the order of their use.
template <class Real>
struct ColumnTwiddles {
  std::vector<ColumnTwiddle<Real>> forward;
  std::vector<ColumnTwiddle<Real>> backward;

  void reserve(Index count) {
    forward.reserve(static_cast<std::size_t>(count));
    backward.reserve(static_cast<std::size_t>(count));
  }
  void add(std::complex<Real> root) {
    forward.push_back(ColumnTwiddle<Real>::of(root));
    backward.push_back(ColumnTwiddle<Real>::of(std::conj(root)));
  }
  ColumnTwiddle<Real> const* of(Index sign) const { return (sign < 0 ? backward : forward).data(); }
};

/// Memory and options of a transform of columns. Steps are in Reals.
template <class Real>
struct ColumnWork {
  Real* rows;
  Index from_step;
  Index to_step;
  Index sign;  // -1: backward
  Scale<Real> scale;
  NextRows<Real> next;
};

/// The radices of the passes over columns; the middle one may be 1.
struct ColumnRadices {
  int first, middle, last;

  Index n() const { return Index{first} * middle * last; }
  /// Empty for lengths without two or three of the small_radices. The smallest is in the middle,
  /// and of the others the one with more factors of two is last: then fewer of the rows that a
  /// butterfly writes are in the same cache set.
  static std::optional<ColumnRadices> of(Index n) {
    if (!is_smooth(n)) return std::nullopt;
    std::vector<Index> found = local::radices(n);
    std::sort(found.begin(), found.end());
    if (found.size() < 2 || found.size() > 3 || found.back() > small_radices.back())
      return std::nullopt;
    auto const middle = found.size() == 3 ? static_cast<int>(found.front()) : 1;
    auto last = static_cast<int>(found.back()), first = static_cast<int>(n / middle / last);
    if (std::countr_zero(static_cast<unsigned>(first)) >
        std::countr_zero(static_cast<unsigned>(last)))
      std::swap(first, last);
    return ColumnRadices{first, middle, last};
  }
};

/// Half a group of columns, and how it is transformed.
template <class Real>
struct HalfGroup {
  Real const* from;
  Real* to;
  Real const* next;  // rows that are used next; null: nothing is prefetched
  ColumnRadices radices;
  ColumnWork<Real> const& work;

  static constexpr Index row = row_reals<Real> / 2;
};

template <class Real>
using HalfPass = void (*)(HalfGroup<Real> const&, ColumnTwiddle<Real> const*);

#if HWY_TARGET != HWY_SCALAR

/// Numbers with separate parts in registers: L columns at a time.
template <class Real>
struct SplitColumns {
  using Number = Complex<Real>;
  static constexpr int halves = 1;  // that a turn takes together
  static constexpr int turns = 1;

  HWY_INLINE static Number load(Real const* from) { return load_columns<Real>(from); }
  HWY_INLINE static void store(Number x, Real* to) { store_columns<Real>(x, to); }
  HWY_INLINE static Number load_own(Real const* from) { return load_row(from); }
  HWY_INLINE static void store_own(Number x, Real* to) { store_row(x, to); }
  HWY_INLINE static Number twiddled(Number x, ColumnTwiddle<Real> const& twiddle) {
    return x * broadcast<Real>(twiddle.re, twiddle.im);
  }
};

/// Numbers with interleaved parts: L/2 columns at a time. The other half follows at once, because
/// its cache lines are neighbours.
template <class Real>
struct InterleavedColumns {
  using Number = Interleaved<Real>;
  static constexpr int halves = 2;
  static constexpr int turns = 1;  // for L columns

  HWY_INLINE static Number load(Real const* from) { return load_numbers(from); }
  HWY_INLINE static void store(Number x, Real* to) { store_numbers(x, to); }
  HWY_INLINE static Number load_own(Real const* from) { return load_numbers(from); }
  HWY_INLINE static void store_own(Number x, Real* to) { store_numbers(x, to); }
  HWY_INLINE static Number twiddled(Number x, ColumnTwiddle<Real> const& twiddle) {
    Tag<Real> const d;
    return SIXSTEP_KERNELS::times(x, hn::Set(d, twiddle.re),
                                  hn::LoadDup128(d, twiddle.alternating));
  }
};

/// Numbers with interleaved parts, one half after the other: rows of half the width, which stay in
/// the first-level cache between the passes.
template <class Real>
struct HalfColumns : InterleavedColumns<Real> {
  static constexpr int halves = 1;
  static constexpr int turns = 2;
};

/// Butterflies of R = r1 of the user's rows.
template <int R, class Real>
HWY_NOINLINE void first_of_half(HalfGroup<Real> const& half, ColumnTwiddle<Real> const*) {
  ColumnWork<Real> const& work = half.work;
  Index const count = Index{half.radices.middle} * half.radices.last;
  Spread const source(R, count * work.from_step, work.sign);
  Spread const target(R, count * half.row, 1);
  for (Index p = 0; p < count; ++p) {
    Interleaved<Real> x[R];
    for_places<R>(half.from + p * work.from_step, source,
                  [&](int k, Real const* place) HWY_ATTR { x[k] = load_numbers(place); });
    scale_numbers<R>(work.scale, x);
    butterfly<R, Eighths::last>(x);
    for_places<R>(work.rows + p * half.row, target,
                  [&](int k, Real* place) HWY_ATTR { store_numbers(x[k], place); });
  }
}

/// Transforms R rows of the buffer, `step` Reals apart, after multiplying them by their twiddles.
template <int R, class Real>
HWY_INLINE void twiddled_rows(Real const* rows, Index step, ColumnTwiddle<Real> const* twiddles,
                              Interleaved<Real>* x) {
  for_places<R>(rows, Spread(R, step, 1), [&](int k, Real const* place) HWY_ATTR {
    x[k] = load_numbers(place);
    if (k > 0) x[k] = HalfColumns<Real>::twiddled(x[k], twiddles[k - 1]);
  });
  butterfly<R, Eighths::last>(x);
}

/// Butterflies of R = r2 rows in each block.
template <int R, class Real>
HWY_NOINLINE void middle_of_half(HalfGroup<Real> const& half, ColumnTwiddle<Real> const* twiddles) {
  Index const step = half.radices.last * half.row;
  Spread const inside(R, step, half.work.sign);
  Real* block = half.work.rows;
  for (Index j = 0; j < half.radices.first; ++j, block += R * step, twiddles += R - 1)
    for (Index p = 0; p < step; p += half.row) {
      Interleaved<Real> x[R];
      twiddled_rows<R>(block + p, step, twiddles, x);
      for_places<R>(block + p, inside,
                    [&](int k, Real* place) HWY_ATTR { store_numbers(x[k], place); });
    }
}

/// Butterflies of R = r3 neighbouring rows, whose results are the user's.
template <int R, class Real>
HWY_NOINLINE void last_of_half(HalfGroup<Real> const& half, ColumnTwiddle<Real> const* twiddles) {
  ColumnWork<Real> const& work = half.work;
  Index const blocks = Index{half.radices.first} * half.radices.middle;
  Spread const target(R, blocks * work.to_step, work.sign);
  Spread const next(R, blocks * work.next.step, work.sign);
  Real const* rows = work.rows;
  for (Index j = 0; j < half.radices.first; ++j)
    for (Index k = j; k < blocks; k += half.radices.first) {
      Interleaved<Real> x[R];
      twiddled_rows<R>(rows, half.row, twiddles, x);
      if (half.next != nullptr) fetch_places<R>(half.next + k * work.next.step, next, half.row);
      for_places<R>(half.to + k * work.to_step, target,
                    [&](int i, Real* place) HWY_ATTR { store_numbers(x[i], place); });
      rows += R * half.row;
      twiddles += R - 1;
    }
}

#endif  // HWY_SCALAR

/// The passes of one of the small_radices.
template <class Real>
struct HalfPasses {
  HalfPass<Real> first, middle, last;

  template <std::size_t i = 0>
  static HalfPasses of([[maybe_unused]] int radix) {
#if HWY_TARGET != HWY_SCALAR
    constexpr int R = small_radices[i];
    if (R == radix) return {first_of_half<R, Real>, middle_of_half<R, Real>, last_of_half<R, Real>};
    if constexpr (i + 1 < small_radices.size()) return of<i + 1>(radix);
#endif
    return {};
  }
};

/// The passes of a length, and their twiddles.
template <class Real>
class PassesOfHalves {
 public:
  explicit PassesOfHalves(ColumnRadices radices)
      : radices_(radices),
        first_(HalfPasses<Real>::of(radices.first).first),
        last_(HalfPasses<Real>::of(radices.last).last) {
    auto const [r1, r2, r3] = radices;
    if (r2 > 1) middle_ = HalfPasses<Real>::of(r2).middle;
    Roots const roots(radices.n());
    twiddles_.reserve(Index{r1} * (r2 - 1) + Index{r1} * r2 * (r3 - 1));
    for (Index j = 0; j < r1; ++j)
      for (Index k = 1; k < r2; ++k) twiddles_.add(roots.template at<Real>(j * k * r3));
    for (Index j = 0; j < r1; ++j)
      for (Index i = 0; i < r2; ++i)
        for (Index k = 1; k < r3; ++k) twiddles_.add(roots.template at<Real>((j + r1 * i) * k));
  }

  std::size_t scratch_bytes() const {
    return static_cast<std::size_t>(radices_.n() * HalfGroup<Real>::row) * sizeof(Real);
  }

  /// Transforms `groups` times L columns.
  void run(Real const* from, Real* to, Index groups, ColumnWork<Real> const& work) const {
    ColumnTwiddle<Real> const* const twiddles = twiddles_.of(work.sign);
    for (Index column = 0; column < groups * row_reals<Real>; column += HalfGroup<Real>::row) {
      Real const* const next = work.next.first == nullptr ? nullptr : work.next.first + column;
      HalfGroup<Real> const half{from + column, to + column, next, radices_, work};
      first_(half, nullptr);
      if (middle_ != nullptr) middle_(half, twiddles);
      last_(half, twiddles + radices_.first * (radices_.middle - 1));
    }
  }

 private:
  ColumnRadices radices_;
  HalfPass<Real> first_;
  HalfPass<Real> middle_ = nullptr;
  HalfPass<Real> last_;
  ColumnTwiddles<Real> twiddles_;
};

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
