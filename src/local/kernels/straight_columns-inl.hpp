// SPDX-License-Identifier: BSD-3-Clause
// Transforms of columns side by side for some lengths, with both passes in straight loops of one
// function.
//
// n = r1 r2, where r2 may be 1. The first pass transforms r1 of the user's rows that are r2 apart
// and stores the results of butterfly p in rows p, r2 + p, ... of a buffer. The second transforms
// r2 neighbouring rows, after multiplying row k of block j by w_n^(j k). Compiled once for each
// instruction set.
#include <concepts>
#include <optional>
#include <type_traits>

#include "local/caches.hpp"
#include "local/kernels/butterflies-inl.hpp"
#include "local/kernels/column_passes-inl.hpp"
#include "local/kernels/row_places-inl.hpp"
#include "local/numbers/roots.hpp"

#if defined(SIXSTEP_LOCAL_STRAIGHT_COLUMNS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_STRAIGHT_COLUMNS_INL
#undef SIXSTEP_LOCAL_STRAIGHT_COLUMNS_INL
#else
#define SIXSTEP_LOCAL_STRAIGHT_COLUMNS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

#if HWY_TARGET != HWY_SCALAR

/// Transforms `groups` times L columns.
template <int R1, int R2, class Kind, class Real>
HWY_NOINLINE void straight_columns(Real const* from, Real* to, Index groups,
                                   ColumnWork<Real> const& work,
                                   ColumnTwiddle<Real> const* twiddles) {
  constexpr Index group = row_reals<Real> / Kind::turns;
  constexpr Index row = group / Kind::halves;
  // One row more than needed, so that the halves do not compete for the same cache sets.
  constexpr Index half_rows = (R1 * R2 + 1) * row;
  constexpr int last = R2 > 1 ? R2 : R1;
  Spread const source(R1, R2 * work.from_step, work.sign);
  Spread const target(last, Index{R1 * R2 / last} * work.to_step, R2 > 1 ? work.sign : 1);
  Spread const next(last, Index{R1 * R2 / last} * work.next.step, R2 > 1 ? work.sign : 1);
  typename Kind::Number x[R1 > R2 ? R1 : R2];
  // Results of butterfly j, `at` Reals after the first column.
  auto const store_results = [&](Index j, Index at) HWY_ATTR {
    if (work.next.first != nullptr)
      fetch_places<last>(work.next.first + j * work.next.step + at, next, row);
    for_places<last>(to + j * work.to_step + at, target,
                     [&](int k, Real* place) HWY_ATTR { Kind::store(x[k], place); });
  };
  for (Index g = 0; g < groups * Kind::turns; ++g) {
    Index const column = g * group;
    for (Index p = 0; p < R2; ++p)
      for (Index half = 0; half < Kind::halves; ++half) {
        for_places<R1>(from + p * work.from_step + column + half * row, source,
                       [&](int k, Real const* place) HWY_ATTR { x[k] = Kind::load(place); });
        scale_numbers<R1>(work.scale, x);
        butterfly<R1, Eighths::last>(x);
        if constexpr (R2 == 1) {
          store_results(0, column + half * row);
        } else {
          Real* const rows = work.rows + half * half_rows + p * row;
          HWY_UNROLL(16)
          for (int k = 0; k < R1; ++k) Kind::store_own(x[k], rows + k * R2 * row);
        }
      }
    if constexpr (R2 > 1) {
      ColumnTwiddle<Real> const* of_block = twiddles;
      for (Index j = 0; j < R1; ++j, of_block += R2 - 1)
        for (Index half = 0; half < Kind::halves; ++half) {
          Real const* const rows = work.rows + half * half_rows + j * R2 * row;
          x[0] = Kind::load_own(rows);
          HWY_UNROLL(16)
          for (int k = 1; k < R2; ++k)
            x[k] = Kind::twiddled(Kind::load_own(rows + k * row), of_block[k - 1]);
          butterfly<R2, Eighths::last>(x);
          store_results(j, column + half * row);
        }
    }
  }
}

#endif  // HWY_SCALAR

/// The kernels and tables for a length.
template <class Real>
class StraightColumns {
  using Kernel = void (*)(Real const*, Real*, Index, ColumnWork<Real> const&,
                          ColumnTwiddle<Real> const*);

 public:
  /// Without kernels for lengths that have none.
  explicit StraightColumns(Index n) : kernels_(kernels_of(n)) {
    if (kernels_.near != nullptr) {
      Roots const roots(n);
      for (Index j = 0; j < kernels_.r1; ++j)
        for (Index k = 1; k < kernels_.r2; ++k) twiddles_.add(roots.template at<Real>(j * k));
    } else if (has_all_kernels && n >= least_of_halves && rows_of_half_fit(n)) {
      if (auto const radices = ColumnRadices::of(n)) halves_.emplace(*radices);
    }
  }

  /// Whether there is a kernel for columns whose rows compete for cache sets (`far`), or for other
  /// columns.
  bool has(bool far) const { return kernel(far) != nullptr || (!far && halves_); }

  std::size_t scratch_bytes() const {
    if (halves_) return halves_->scratch_bytes();
    Index const rows = kernels_.r2 > 1 ? kernels_.r1 * kernels_.r2 + 2 : 0;
    return static_cast<std::size_t>(rows * row_reals<Real>) * sizeof(Real);
  }

  /// Transforms `groups` times L columns.
  void run(Real const* from, Real* to, Index groups, ColumnWork<Real> const& work, bool far) const {
    if (halves_) return halves_->run(from, to, groups, work);
    kernel(far)(from, to, groups, work, twiddles_.of(work.sign));
  }

 private:
  // Shorter columns take longer so: calling a pass costs as much as some butterflies.
  static constexpr Index least_of_halves = 50;
  static bool rows_of_half_fit(Index n) {
    return n * HalfGroup<Real>::row * static_cast<Index>(sizeof(Real)) <= caches().first;
  }

  struct Kernels {
    int r1 = 0;
    int r2 = 0;
    Kernel near = nullptr;
    Kernel far = nullptr;
  };

  Kernel kernel(bool far) const { return far ? kernels_.far : kernels_.near; }

  // Chosen by measurement: separate parts if all numbers of a butterfly then fit in registers and
  // all rows in the first-level cache, interleaved halves if they do not. 16 registers hold no
  // butterfly of 8 or more numbers with separate parts. If rows compete for cache
  // sets, both halves at once.
  static Kernels kernels_of([[maybe_unused]] Index n) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (has_all_kernels) {
      using Split = SplitColumns<Real>;
      using Halves = HalfColumns<Real>;
      using Together = InterleavedColumns<Real>;
      using Near = std::conditional_t<has_256_bits<Real>, Halves, Split>;
      switch (n) {
        case 16:
          return of<16, 1, Together, Together>();
        case 32:
          return of<8, 4, Split, void>();
        case 60:
          return of<10, 6, Near, void>();
        case 64:
          return of<8, 8, Halves, Together>();
        case 100:
          return of<10, 10, Near, Split>();
        case 120:
          return of<12, 10, Near, Split>();
        case 128:
          return of<16, 8, Halves, Together>();
        case 256:
          return of<16, 16, Halves, Together>();
        default:
          break;
      }
    }
#endif
    return {};
  }

#if HWY_TARGET != HWY_SCALAR
  template <int R1, int R2, class Near, class Far>
  static Kernels of() {
    Kernels kernels{R1, R2, straight_columns<R1, R2, Near, Real>};
    // If rows compete, a cache line must be read at once, because it is soon evicted.
    constexpr bool lines =
        !std::same_as<Far, InterleavedColumns<Real>> || lanes<Real> * sizeof(Real) == line_bytes;
    if constexpr (!std::same_as<Far, void> && lines)
      kernels.far = straight_columns<R1, R2, Far, Real>;
    return kernels;
  }
#endif

  Kernels kernels_;
  ColumnTwiddles<Real> twiddles_;
  std::optional<PassesOfHalves<Real>> halves_;  // for lengths without straight kernels
};

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
