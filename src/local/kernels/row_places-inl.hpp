// SPDX-License-Identifier: BSD-3-Clause
// The places of contiguous transforms, and their rows of twiddles. Compiled once for each
// instruction set.
#include <algorithm>
#include <array>

#include "local/kernels/constants.hpp"
#include "local/kernels/vector-inl.hpp"
#include "sixstep/index.hpp"

#if defined(SIXSTEP_LOCAL_ROW_PLACES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_ROW_PLACES_INL
#undef SIXSTEP_LOCAL_ROW_PLACES_INL
#else
#define SIXSTEP_LOCAL_ROW_PLACES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// The places of contiguous transforms, one or more in a group: element k of transform t of group g
/// is at first + g group + t half + 2 k.
template <class Scalar>
struct RowPlaces {
  Scalar* first;
  Index group;
  Index half;
};

/// R places that move together: place 0 is at first, place k at first + rest + k step, in Reals.
///
/// A backward transform is the forward one with place R - k instead of k, and conjugate twiddles.
struct Spread {
  Index rest;
  Index step;

  Spread(Index radix, Index forward_step, Index sign)
      : rest(sign < 0 ? radix * forward_step : 0), step(sign * forward_step) {}
};

/// Calls use(k, place k) for the places of a spread.
template <int R, class Scalar, class Use>
HWY_INLINE void for_places(Scalar* first, Spread const& spread, Use const& use) {
  // Unknown, so that the compiler does not keep a pointer for each multiple of the step: there are
  // not enough registers.
  Index const step = unknown(spread.step);
  Scalar* place = first + spread.rest;
  use(0, first);
  HWY_UNROLL(32)
  for (int k = 1; k < R; ++k) use(k, place += step);
}

/// The radices of a length that straight_passes-inl.hpp has.
struct StraightRadices {
  int r1, r2, r3 = 1, r4 = 1;

  constexpr Index n() const { return Index{r1} * r2 * r3 * r4; }
  /// Whether half_passes-inl.hpp may serve 2 n reals. If the list had 8 x 5 x 9, the complex
  /// transform of 360 points would be 8 % slower.
  constexpr bool has_halves() const { return r4 == 1 && n() % 128 == 0; }
};

inline constexpr std::array common_radices{
    StraightRadices{8, 9},      StraightRadices{8, 10},      StraightRadices{8, 12},
    StraightRadices{8, 14},     StraightRadices{8, 15},      StraightRadices{16, 8},
    StraightRadices{16, 12},    StraightRadices{16, 15},     StraightRadices{4, 5, 5},
    StraightRadices{4, 15, 3},  StraightRadices{8, 8, 4},    StraightRadices{8, 5, 9},
    StraightRadices{8, 4, 12},  StraightRadices{8, 8, 8},    StraightRadices{16, 8, 6},
    StraightRadices{16, 8, 8},  StraightRadices{8, 5, 5, 5}, StraightRadices{16, 8, 12},
    StraightRadices{16, 8, 16}, StraightRadices{16, 8, 8, 4}};

/// Lengths at which the passes of row_pass-inl.hpp need several columns to fill 16 lanes.
inline constexpr std::array radices_of_16_lanes{
    StraightRadices{16, 9},     StraightRadices{16, 10},   StraightRadices{8, 5, 5},
    StraightRadices{16, 14},    StraightRadices{8, 3, 9},  StraightRadices{16, 3, 6},
    StraightRadices{16, 4, 5},  StraightRadices{16, 5, 5}, StraightRadices{16, 5, 6},
    StraightRadices{16, 4, 10}, StraightRadices{16, 9, 5}, StraightRadices{16, 5, 10},
    StraightRadices{16, 6, 10}};

/// Radices that take less time with 16 registers, most of them in one pass more. Rows of more than
/// 128 KiB leave no room for others in small second-level caches.
template <class Real>
inline constexpr std::array radices_of_16_registers{
    StraightRadices{4, 6, 10}, StraightRadices{16, 8, 4, 4}, StraightRadices{8, 16, 16, 4},
    sizeof(Real) == 8 ? StraightRadices{8, 16, 8, 4} : StraightRadices{8, 16, 16, 8}};

/// Whether the results of the first radix fill whole vectors, by one transform or two.
template <class Real>
constexpr bool fits(StraightRadices const& radices) {
  return radices.r1 % lanes<Real> == 0 || 2 * radices.r1 == lanes<Real>;
}

template <class Real>
constexpr auto find_straight_radices() {
  constexpr auto more = [] {
    if constexpr (lanes<Real> == 16)
      return radices_of_16_lanes;
    else if constexpr (has_256_bits<Real>)
      return radices_of_16_registers<Real>;
    else
      return std::array<StraightRadices, 0>{};
  }();
  std::array<StraightRadices, common_radices.size() + more.size()> all{};
  std::ranges::copy(more, std::ranges::copy(common_radices, all.begin()).out);
  return all;
}

template <class Real>
inline constexpr auto straight_radices = find_straight_radices<Real>();

/// Whether number i of them serves complex numbers, or reals: the last one of a length does, and
/// the last one that has halves.
template <class Real>
constexpr bool is_used(std::size_t i, bool halves) {
  auto const& all = straight_radices<Real>;
  if (!fits<Real>(all[i]) || (halves && !all[i].has_halves())) return false;
  return std::none_of(all.begin() + i + 1, all.end(), [&](StraightRadices const& later) {
    return later.n() == all[i].n() && fits<Real>(later) && (later.has_halves() || !halves);
  });
}

/// Whether the straight kernels, or those of butterfly_rows-inl.hpp or short_rows-inl.hpp, have a
/// length.
template <class Real>
constexpr bool is_straight(Index n) {
  if (!has_all_kernels) return false;
  for (StraightRadices const& radices : straight_radices<Real>)
    if (n == radices.n() && fits<Real>(radices)) return true;
  return n <= 16 || n == 32 || n == 64;
}

/// A twiddle for each lane.
template <class Real>
struct alignas(64) TwiddleRow {
  TwiddleRow() {}  // leaves the parts of new rows as they are: long tables are written once

  Real parts[row_reals<Real>];  // [re: L][im: L]
};

/// The use of rows that are prefetched.
enum class Access { read, write };

/// Prefetches `reals` Reals into the second-level cache: a processor has more fetches under way to
/// it than to the first-level cache. The rows of a butterfly are too far from each other for it to
/// foresee them in time.
///
/// GCC leaves out a function object that only prefetches, so callers have loops instead.
template <Access access = Access::read, class Real>
HWY_INLINE void fetch(Real const* from, Index reals) {
  constexpr Index line = line_bytes / static_cast<Index>(sizeof(Real));
  constexpr int writes = access == Access::write ? 1 : 0, second_level = 2;
  for (Index i = 0; i < reals; i += line) __builtin_prefetch(from + i, writes, second_level);
}

/// How many groups ahead contiguous columns are prefetched on each side; 0 where they are in cache.
struct Ahead {
  Index source = 0;
  Index target = 0;

  bool any() const { return source + target > 0; }
};

/// The places that are used after those of a group, and are prefetched while it is transformed.
template <class Real>
struct Following {
  Real const* source;  // null: nothing is prefetched
  Real const* target;  // the source's place again if the target is in cache

  /// Behind transform t of the first group at `from`, whose results are group g at `to`.
  Following(Ahead const& ahead, RowPlaces<Real const> const& from, RowPlaces<Real> const& to,
            Index g = 0, Index t = 0)
      : source(nullptr), target(nullptr) {
    if (!ahead.any()) return;
    source = from.first + ahead.source * from.group + t * from.half;
    target = ahead.target > 0 ? to.first + (g + ahead.target) * to.group + t * to.half : source;
  }

  /// Prefetches the next `reals` Reals of both.
  HWY_INLINE void fetch_some(Index reals) {
    if (source == nullptr) return;
    fetch(source, reals);
    fetch<Access::write>(target, reals);
    source += reals;
    target += reals;
  }
};

/// Prefetches what is used after all transforms of a group, of `reals` Reals each.
template <int transforms, class Real>
HWY_INLINE void fetch_ahead(Ahead const& ahead, RowPlaces<Real const> const& from,
                            RowPlaces<Real> const& to, Index reals, Index g = 0) {
  for (int t = 0; t < transforms; ++t) Following<Real>(ahead, from, to, g, t).fetch_some(reals);
}

/// Does what fetch() does at each place of a spread.
template <int R, class Real>
HWY_INLINE void fetch_places(Real const* first, Spread const& spread, Index reals) {
  fetch(first, reals);
  Real const* place = first + spread.rest;
  for (int k = 1; k < R; ++k) fetch(place += spread.step, reals);
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
