// SPDX-License-Identifier: BSD-3-Clause
// Contiguous transforms, with lanes along the transform.
//
// n = r m with r = L. First comes a row pass: transforms of r elements that are m apart, and
// twiddles. This leaves L columns of length m, which also lie side by side in the result:
// X[k1 + r k2] is row k2 of column k1. Contiguous data therefore need only this pass before the
// usual passes of columns. In the row pass, lanes hold r neighbouring butterflies p; then a
// transposition in registers puts the L columns k1 into the lanes. With r = L/2 two transforms
// share the lanes, for lengths that are short or no multiple of L, and for most of them if L is 16.
//
// Lengths that no such r divides have another r above L/2, and fill their lanes by columns that are
// computed twice: with r > L the last group of L columns overlaps the one before; with r < L the
// second half of a group overlaps the first. Both store the same bits there. Some lanes are lost:
// 1/16 of 8 or 16 lanes by 15 columns, 7/16 by 9. Compiled once for each instruction set.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "local/caches.hpp"
#include "local/kernels/row_pass-inl.hpp"
#include "local/kernels/row_tables-inl.hpp"
#include "local/kernels/straight_rows-inl.hpp"
#include "local/kernels/two_level-inl.hpp"
#include "local/kernels/walk-inl.hpp"
#include "local/numbers/factor.hpp"
#include "local/numbers/primes.hpp"
#include "local/numbers/recipe.hpp"
#include "local/numbers/roots.hpp"
#include "tuning.hpp"

#if defined(SIXSTEP_LOCAL_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_ROWS_INL
#undef SIXSTEP_LOCAL_ROWS_INL
#else
#define SIXSTEP_LOCAL_ROWS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// The radix of the row pass that wastes the fewest lanes for a length that L does not divide; 0 if
/// there is none.
template <class Real>
Index uneven_radix(Index n) {
  constexpr Index L = lanes<Real>;
  auto const used = [](Index radix) {
    return static_cast<double>(radix) / static_cast<double>(groups_of(radix, L) * L);
  };
  Index best = 0;
  for (Index const radix : uneven_radices) {
    // A short row pass of a long radix does not fill its own lanes.
    Index const least = radix < 16 ? L : 2 * L;
    bool const fits = is_uneven_radix<Real>(radix) && n % radix == 0 && n / radix >= least;
    if (fits && (best == 0 || used(radix) > used(best))) best = radix;
  }
  return best;
}

/// Contiguous transforms of one length n: the row pass, then the passes of columns of length m.
template <class Real>
class RowWay final : public ContiguousRows<Real> {
 public:
  /// For so many transforms in a group. Null for a length that r does not divide, or that is too
  /// short or too long.
  static std::unique_ptr<RowWay> make(Index n, int transforms, Tuning const& tuning) {
    return make(n, transforms, lanes<Real> / transforms, tuning);
  }
  /// Whether there is one.
  static bool has(Index n, int transforms, Tuning const& tuning) {
    return has(n, transforms, lanes<Real> / transforms, tuning);
  }

  /// For one transform in a group, whose radix is not L.
  static std::unique_ptr<RowWay> make_uneven(Index n, Tuning const& tuning) {
    Index const radix = uneven_radix<Real>(n);
    return radix == 0 ? nullptr : make(n, 1, radix, tuning);
  }

  RowWay(Index n, int transforms, Index radix, Tuning const& tuning)
      : transforms_(transforms),
        neighbours_(lanes<Real> / transforms),
        radix_(radix),
        m_(n / radix_),
        two_level_(n > caches().second / tuning.two_level_point_bytes
                       ? TwoLevelRows<Real>::make(m_, tuning)
                       : nullptr),
        core_(two_level_ ? 1 : m_, tuning),
        chain_(core_),
        kernels_(kernels()),
        groups_(std::clamp<Index>(
            tuning.tile_of_first.of(caches().first) / (row_groups() * m_ * row_bytes), 1,
            tuning.contiguous_tile_groups)),
        fetching_(tuning) {
    rows_ = count_ = step_ = m_;
    if (!core_.passes.empty()) rows_ = core_.rows;
    if (!core_.passes.empty() && core_.passes.front().count > 1) {
      count_ = core_.passes.front().count;
      step_ = core_.passes.front().step;
    }
    Roots const roots(n);
    // Kernels of whole transforms always need a whole table. A long one has a tile of its own for
    // the first start, which the second one overlaps if their number does not divide m. Without
    // that it is made and used so fast that whole tables may only be half as large.
    Index const starts = m_ / neighbours_, rest = m_ % neighbours_;
    auto const table_bytes =
        (rest > 0 ? 1 : 2) * n * static_cast<Index>(sizeof(std::complex<Real>));
    bool const whole = kernels_.whole != nullptr ||
                       table_bytes <= tuning.whole_row_table_of_second.of(caches().second);
    typename RowTables<Real>::Shape const shape{radix_, neighbours_, starts, rest};
    tables_ =
        whole ? RowTables<Real>::whole(roots, shape) : RowTables<Real>::products(roots, shape);
  }
  RowWay(RowWay const&) = delete;  // chain_ refers to core_

  std::size_t scratch_bytes() const override {
    using Carver = Carver<Real>;
    Index reals = groups_ * row_groups() * Carver::group_reals(rows_);
    if (two_level_)
      reals += Carver::group_reals(m_) + Carver::group_reals(two_level_->inner().rows) +
               Carver::aligned(tile_reals(two_level_->inner()));
    else
      reals += Carver::aligned(tile_reals(core_));
    return static_cast<std::size_t>(reals) * sizeof(Real) + tables_.forward.scaled_bytes();
  }

  /// Transforms columns whose rows are contiguous on both sides, without a twist.
  void run(Batch<std::complex<Real>> const& batch, std::byte* scratch) const override {
    Work const work = carve(batch, scratch);
    Index const groups = batch.columns / transforms_;
    run_groups(batch, 0, groups, 1, work);
    // A last transform without a partner fills both halves of its group.
    if (groups * transforms_ < batch.columns) run_groups(batch, groups * transforms_, 1, 0, work);
  }

  /// How many contiguous columns are transformed in the time of L columns whose lanes are full.
  Index columns_a_group() const { return radix_ / row_groups(); }

  /// "8 x 16 x 8".
  std::string describe() const override {
    std::string const first = std::to_string(radix_) + " x ";
    return first + (two_level_ ? two_level_->describe() : core_.describe());
  }

 private:
  struct Work {
    OwnRows<Real> rows;  // of the row pass
    OwnRows<Real> between;
    Workspace<Real> walk;
    RowTwiddles<Real> twiddles;
  };

  Work carve(Batch<std::complex<Real>> const& batch, std::byte* scratch) const {
    Carver<Real> carver(scratch);
    Work work{.rows = carver.rows(rows_, groups_ * row_groups()),
              .between = {},
              .walk = {},
              .twiddles = {}};
    work.walk.groups = 1;
    work.walk.rows = work.rows;
    if (two_level_) {
      work.between = carver.rows(m_, 1);
      work.walk.rows = carver.rows(two_level_->inner().rows, 1);
    }
    work.walk.twiddles = carver.reals(tile_reals(two_level_ ? two_level_->inner() : core_));
    work.twiddles =
        (batch.backward ? tables_.backward : tables_.forward).scaled(batch.scale, carver.reals(0));
    return work;
  }

  // The two transforms of a group are `half_of` columns apart.
  void run_groups(Batch<std::complex<Real>> const& batch, Index first, Index groups, Index half_of,
                  Work const& work) const {
    auto const places = [&]<class Scalar>(Scalar* data, Index lane) {
      return RowPlaces<Scalar>{data + 2 * first * lane, 2 * transforms_ * lane,
                               transforms_ == 1 ? lanes<Real> : 2 * lane * half_of};
    };
    auto const from =
        places(reinterpret_cast<Real const*>(batch.in.data + batch.in.row[0]), batch.in.lane);
    auto to = places(reinterpret_cast<Real*>(batch.out.data + batch.out.row[0]), batch.out.lane);
    if (radix_ < neighbours_) to.half = 2 * radix_ - lanes<Real>;  // the halves overlap
    run(batch, from, to, groups, work);
  }

  static bool has(Index n, int transforms, Index radix, Tuning const& tuning) {
    Index const longest = caches().second / tuning.contiguous_point_bytes;
    Index const neighbours = lanes<Real> / transforms;
    return neighbours >= 2 && n <= longest && n % radix == 0 && n / radix >= neighbours &&
           is_smooth(n / radix);
  }

  static std::unique_ptr<RowWay> make(Index n, int transforms, Index radix, Tuning const& tuning) {
    if (!has(n, transforms, radix, tuning)) return nullptr;
    return std::make_unique<RowWay>(n, transforms, radix, tuning);
  }

  // The groups that a group becomes in the row pass.
  Index row_groups() const { return groups_of(radix_, neighbours_); }

  RowKernels<Real> kernels() const {
    using Kernels = RowKernels<Real>;
    if (radix_ != neighbours_) return Kernels::of_uneven(radix_);
    if (transforms_ == 1) return Kernels::template of<1>(m_);
    if constexpr (square < Real, 2 >> 1) return Kernels::template of<2>(m_);
    return {};
  }

  void run(Batch<std::complex<Real>> const& batch, RowPlaces<Real const> from, RowPlaces<Real> to,
           Index groups, Work work) const {
    Index const sign = batch.backward ? -1 : 1;
    Ahead const ahead = fetching_.ahead(batch, from, to, groups);
    if (kernels_.whole != nullptr) {
      kernels_.whole(from, to, groups, work.twiddles, sign, ahead);
      return;
    }
    auto* const first = tables_.forward.coarse.empty() ? kernels_.first : kernels_.long_first;
    Index& some = work.walk.groups;
    for (Index g = 0; g < groups; g += some) {
      some = std::min(groups_, groups - g);
      first(from,
            {work.rows, some, m_, count_, step_, tables_.tile, sign, work.twiddles, ahead, to});
      for (Index c = 0; c < row_groups(); ++c) {
        OwnRows<Real> const rows{work.rows.at(0, c * some), work.rows.group};
        Index const column = first_column(c, radix_, neighbours_);
        UserSink<Real, Unchanged<Real>> const sink{
            to.first + 2 * column, 2 * radix_, to.group, to.half, {}};
        if (two_level_)
          two_level_->run(rows, work.between, sink, work.walk, sign);
        else
          Walk<Real>(chain_, work.walk, sign).from_buffer(rows, sink);
      }
      from.first += some * from.group;
      to.first += some * to.group;
    }
  }

  static constexpr Index row_bytes = row_reals<Real> * static_cast<Index>(sizeof(Real));

  Index transforms_;
  Index neighbours_;
  Index radix_;
  Index m_;
  std::unique_ptr<TwoLevelRows<Real>> two_level_;  // null: use the core's chain
  Recipe<Real> core_;                              // of m points; of one if there are two levels
  Chain<Real> chain_;
  RowKernels<Real> kernels_;
  Index rows_;   // of the buffer
  Index count_;  // rows of a block of the buffer, and rows between blocks
  Index step_;
  Index groups_;  // in a tile: they fit the first-level cache
  Fetching fetching_;
  RowTables<Real> tables_;
};

/// Whether two transforms that share 16 lanes are faster than one that fills them. A butterfly of
/// 16 rows does not stay in registers, and the last 16 neighbours overlap others if 16 does not
/// divide their number. Two long ones leave no room in the first-level cache for the next ones.
template <class Real>
bool pairs_are_faster(Index n) {
  Index const neighbours = n / lanes<Real>;
  return lanes<Real> == 16 && neighbours % 16 != 0 && neighbours <= 64;
}

/// Two transforms in a group, but a last one by itself.
template <class Real>
class RowPairs final : public ContiguousRows<Real> {
 public:
  RowPairs(std::unique_ptr<RowWay<Real>> pairs, std::unique_ptr<RowWay<Real>> one)
      : pairs_(std::move(pairs)), one_(std::move(one)) {}

  std::size_t scratch_bytes() const override {
    return std::max(pairs_->scratch_bytes(), one_->scratch_bytes());
  }
  void run(Batch<std::complex<Real>> const& batch, std::byte* scratch) const override {
    Batch<std::complex<Real>> part = batch;
    part.columns = batch.columns / 2 * 2;
    if (part.columns > 0) pairs_->run(part, scratch);
    part.in = from_column(batch.in, part.columns);
    part.out = from_column(batch.out, part.columns);
    part.columns = batch.columns % 2;
    if (part.columns > 0) one_->run(part, scratch);
  }
  std::string describe() const override { return pairs_->describe(); }

 private:
  std::unique_ptr<RowWay<Real>> pairs_, one_;
};

template <class Real>
std::unique_ptr<ContiguousRows<Real>> make_row_way(Index n, Tuning const& tuning, Purpose purpose) {
  auto one = RowWay<Real>::make(n, 1, tuning);
  bool const is_alone = purpose == Purpose::one_column;
  if (one && (is_alone || !pairs_are_faster<Real>(n))) return one;
  if (is_alone && RowWay<Real>::has(n, 2, tuning))
    if (auto uneven = RowWay<Real>::make_uneven(n, tuning)) return uneven;
  auto pairs = RowWay<Real>::make(n, 2, tuning);
  if (pairs && !one) one = RowWay<Real>::make_uneven(n, tuning);
  if (!one || !pairs) return one ? std::move(one) : std::move(pairs);
  return std::make_unique<RowPairs<Real>>(std::move(pairs), std::move(one));
}

/// Whether the kernels have no butterfly for a prime factor.
inline bool has_large_prime(Index n) { return n > 1 && prime_factors(n).back() >= smallest_direct; }

/// Whether codelets are faster for a batch than rows, whose results fill whole vectors. With 16
/// registers they are for long columns, with 32 for all doubles but short or long columns that
/// divide into vectors.
template <class Real>
bool codelets_beat_rows(Index n) {
  constexpr Index L = lanes<Real>;
  if (has_256_bits<Real>) return n >= 16 * L;
  constexpr int in_codelet = 4;  // numbers in a vector
  constexpr bool is_narrow = in_codelet < numbers<Real>;
  if (is_narrow) return false;
  if (n % L == 0) return n > 16 * L && n <= 80 * L;
  return n % in_codelet != 0 || n > 8 * L;
}

/// Whether they are faster than columns that fill whole vectors. Odd ones are if a vector holds
/// few, and those with a large prime factor if it needs a convolution and registers hold few.
template <class Real>
bool codelets_beat_columns(Index n) {
  if (has_large_prime(n))
    return prime_factors(n).back() > largest_direct && has_256_bits<Real> && lanes<Real> == 4;
  return lanes<Real> <= 4 || n < 16 || n % 2 == 0;
}

/// The fastest implementation of a length; null if there is none.
template <class Real>
std::unique_ptr<ContiguousRows<Real>> make_contiguous_rows(
    Index n, Tuning const& tuning, Purpose purpose = Purpose::many_columns) {
  if (auto straight = make_straight_rows<Real>(n, tuning)) return straight;
  if (!has_large_prime(n) && codelets_beat_rows<Real>(n))
    if (auto codelets = make_codelet_rows<Real>(n, tuning)) return codelets;
  if (auto rows = make_row_way<Real>(n, tuning, purpose)) return rows;
  bool const is_alone = purpose == Purpose::one_column;
  return is_alone || codelets_beat_columns<Real>(n) ? make_codelet_rows<Real>(n, tuning) : nullptr;
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
