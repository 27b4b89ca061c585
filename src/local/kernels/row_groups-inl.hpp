// SPDX-License-Identifier: BSD-3-Clause
// Contiguous columns in groups: where they lie and how far ahead they are prefetched. Compiled once
// for each instruction set.
#include <algorithm>
#include <complex>
#include <type_traits>

#include "local/caches.hpp"
#include "local/kernels/row_places-inl.hpp"
#include "local/transform.hpp"
#include "tuning.hpp"

#if defined(SIXSTEP_LOCAL_ROW_GROUPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_ROW_GROUPS_INL
#undef SIXSTEP_LOCAL_ROW_GROUPS_INL
#else
#define SIXSTEP_LOCAL_ROW_GROUPS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// The places of groups of `transforms` transforms, from column `first` on.
template <class Real, class Element>
auto row_places(Columns<Element> const& columns, Index first, Index transforms) {
  using Scalar = std::conditional_t<std::is_const_v<Element>, Real const, Real>;
  Index const lane = 2 * columns.lane;
  return RowPlaces<Scalar>{reinterpret_cast<Scalar*>(columns.data + columns.row[0]) + first * lane,
                           transforms * lane, transforms > 1 ? lane : lanes<Real>};
}

/// Calls `run` for the whole groups of transforms, and then for the remaining transforms, each of
/// which fills all places of a group.
template <class Real, class Run>
void run_in_groups(Batch<std::complex<Real>> const& batch, Index transforms, Run const& run) {
  Index const groups = batch.columns / transforms;
  if (groups > 0)
    run(row_places<Real>(batch.in, 0, transforms), row_places<Real>(batch.out, 0, transforms),
        groups);
  Index const left = batch.columns - groups * transforms;
  if (left == 0) return;
  auto from = row_places<Real>(batch.in, batch.columns - left, 1);
  auto to = row_places<Real>(batch.out, batch.columns - left, 1);
  from.half = to.half = 0;
  run(from, to, left);
}

/// How far ahead contiguous columns are prefetched.
class Fetching {
 public:
  explicit Fetching(Tuning const& tuning)
      : resident_bytes_(tuning.resident_of_second.of(caches().second)),
        fetched_bytes_(tuning.fetched_bytes),
        group_bytes_(tuning.fetched_group_of_first.of(caches().first)) {}

  /// For groups of transforms, of which a batch has `groups`. Within source groups of many lines
  /// the hardware prefetches; the order in which results are written it does not foresee. A target
  /// that is the source has been fetched with it.
  template <class Real>
  Ahead ahead(Batch<std::complex<Real>> const& batch, RowPlaces<Real const> const& from,
              RowPlaces<Real> const& to, Index groups) const {
    auto const groups_of = [&](Index group_bytes, Index most_bytes) -> Index {
      if (group_bytes > most_bytes) return 0;
      return std::max<Index>(fetched_bytes_ / std::max<Index>(group_bytes, 1), 1);
    };
    bool const far = batch.far || groups * bytes(from) > resident_bytes_;
    bool const far_target = batch.far_target && from.first != to.first;
    return {far ? groups_of(bytes(from), group_bytes_) : 0,
            far_target ? groups_of(bytes(to), resident_bytes_) : 0};
  }

 private:
  template <class Scalar>
  static Index bytes(RowPlaces<Scalar> const& places) {
    return places.group * static_cast<Index>(sizeof(Scalar));
  }

  Index resident_bytes_;  // a larger batch counts as out of cache
  Index fetched_bytes_;
  Index group_bytes_;  // the largest group of a source that is prefetched
};

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
