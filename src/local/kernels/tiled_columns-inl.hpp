// SPDX-License-Identifier: BSD-3-Clause
// The Transform of one instruction set that takes all columns alike: cuts batches into tiles of
// groups of L columns.
//
// If columns lie side by side and rows are evenly spaced, the first pass reads the user's array;
// otherwise the tile is first moved to the kernels' own rows. The last pass writes to the user's
// array under the same conditions; otherwise to rows that are then moved there. All of a tile is
// read before any of it is written. column_transform-inl.hpp adds faster ways for some columns.
// Compiled once for each instruction set.
#include <algorithm>
#include <concepts>
#include <string>
#include <utility>

#include "local/caches.hpp"
#include "local/kernels/constants.hpp"
#include "local/kernels/groups-inl.hpp"
#include "local/kernels/passes-inl.hpp"
#include "local/kernels/split_rows.hpp"
#include "local/kernels/twist-inl.hpp"
#include "local/kernels/walk-inl.hpp"
#include "local/numbers/recipe.hpp"
#include "local/targets.hpp"
#include "local/transform.hpp"
#include "tuning.hpp"

#if defined(SIXSTEP_LOCAL_TILED_COLUMNS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_TILED_COLUMNS_INL
#undef SIXSTEP_LOCAL_TILED_COLUMNS_INL
#else
#define SIXSTEP_LOCAL_TILED_COLUMNS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// The rows that a batch fetches for what follows it.
template <class Real>
NextRows<Real> next_rows(Batch<std::complex<Real>> const& batch) {
  return {reinterpret_cast<Real const*>(batch.next), 2 * batch.next_step};
}

/// The source and the target of a tile of a batch.
template <class Real>
struct TileSides {
  Side<Real const> in;
  Side<Real> out;
  Index columns;  // of the batch
  Scale<Real> scale;
  bool apart;            // the target's rows are far apart
  bool fetches = false;  // rows of the next tile are prefetched while one is written
  NextRows<Real> next;   // of the first column
  NextRows<Real> next_of_tile = {};

  TileSides(Batch<std::complex<Real>> const& batch, Index in_step, Index out_step, Scale<Real> by)
      : in(batch.in, in_step),
        out(batch.out, out_step),
        columns(batch.columns),
        scale(by),
        apart(batch.apart),
        next(next_rows(batch)) {
    constexpr Index L = SIXSTEP_KERNELS::lanes<Real>;
    constexpr bool vectors_are_lines = L * static_cast<Index>(sizeof(Real)) == line_bytes;
    in.far = batch.far;
    out.far = batch.stream && vectors_are_lines && batch.out.lane % tile_rows<Real> == 0;
  }

  void move_to(Tile const& tile) {
    in.move_to(tile.first, tile.columns);
    out.move_to(tile.first, tile.columns);
    if (next.first != nullptr)
      next_of_tile = {next.first + 2 * tile.first, next.step};
    else if (fetches)
      next_of_tile = {out.first + tile.groups * row_reals<Real>, out.step};
  }

  /// Copies the source to the buffer of a chain.
  void load(Chain<Real> const& chain, Workspace<Real> const& work) const {
    Recipe<Real> const& recipe = chain.recipe;
    Index const block = recipe.rows > recipe.n ? recipe.passes.front().count : recipe.n;
    for (Index g = 0; g < work.groups; ++g)
      for (Index k = 0; k < recipe.n; k += block)
        load_group(in, g, k, k + block, scale, work.rows.of_group(g).from_row(chain.buffer_row(k)));
  }

  UserSource<Real> source() const { return {in.first, in.step, row_reals<Real>, scale}; }

  template <class Finish>
  UserSink<Real, Finish> sink(Finish const& finish) const {
    return {out.first, out.step,    row_reals<Real>, SIXSTEP_KERNELS::lanes<Real>,
            finish,    next_of_tile};
  }
};

/// The Transform of one recipe, by the passes of walk-inl.hpp alone.
template <class Real>
class TiledColumns : public Transform<std::complex<Real>>, public SplitTransform<Real> {
  static constexpr Index L = SIXSTEP_KERNELS::lanes<Real>;

 public:
  TiledColumns(Recipe<Real> recipe, Tuning const& tuning)
      : recipe_(std::move(recipe)),
        chain_(recipe_),
        groups_(fitting_groups(tuning.tile_of_second.of(caches().second), tuning.tile_groups)),
        near_groups_(fitting_groups(tuning.tile_of_first.of(caches().first), tuning.tile_groups)),
        apart_bytes_(tuning.apart_row_bytes),
        apart_groups_(apart_groups_of(tuning)),
        twist_(recipe_.n, groups_) {
    tile_reals_ = tile_reals(recipe_);
    for (Pass<Real> const& pass : recipe_.passes) {
      if (!pass.prime) continue;
      Recipe<Real> const& convolution = *pass.prime->convolution;
      convolution_rows_ = std::max(convolution_rows_, convolution.rows);
      inner_tile_reals_ = std::max(inner_tile_reals_, tile_reals(convolution));
    }
  }

  Index n() const override { return recipe_.n; }
  Index lanes() const override { return L; }

  std::size_t scratch_bytes() const override {
    using Carver = Carver<Real>;
    Index const reals =
        groups_ * (Carver::group_reals(recipe_.rows) + Carver::group_reals(recipe_.n)) +
        2 * Carver::group_reals(convolution_rows_) + Carver::aligned(tile_reals_) +
        Carver::aligned(inner_tile_reals_);
    return static_cast<std::size_t>(reals) * sizeof(Real) + twist_.bytes();
  }

  /// False for columns so long that a tile has only few of them.
  bool fetches_rows() const override {
    return !has_convolutions() && 2 * bytes(apart_groups_ * row_reals<Real>) >= apart_bytes_;
  }

  bool fetches_next() const override { return !has_convolutions(); }

  std::string describe() const override {
    return "radix " + recipe_.describe() + ", " + name_of(HWY_TARGET);
  }

  void run(Batch<std::complex<Real>> const& batch, std::byte* scratch) const override {
    run_columns(batch, batch.in.row.step(recipe_.n), batch.out.row.step(recipe_.n), scratch);
  }

  void run_split(SplitRows<Real> const& in, SplitRows<Real> const& out, Index groups, bool backward,
                 std::byte* scratch) const override {
    Walk<Real> walk(chain_, carve(scratch).rows, backward ? -1 : 1);
    for (Index g = 0; g < groups; g += near_groups_) {
      walk.set_groups(std::min(near_groups_, groups - g));
      walk.between({in.first + g * in.group, in.group, in.step},
                   {out.first + g * out.group, out.group, out.step});
    }
  }

 protected:
  /// Transforms a batch whose rows are `in_step` and `out_step` elements apart; 0: unevenly.
  void run_columns(Batch<std::complex<Real>> const& batch, Index in_step, Index out_step,
                   std::byte* scratch) const {
    bool const twisted = batch.twist.roots != nullptr;
    Work work = carve(scratch);
    // The factors of a twist include the scale.
    Sides sides(batch, in_step, out_step, {twisted ? Real{1} : batch.scale});
    sides.fetches = batch.apart && fetches(sides.in.first == sides.out.first, sides.out.step);
    Walk<Real> walk(chain_, work.rows, batch.backward ? -1 : 1);
    if (twisted) {
      TwistTable<Real> twist = twist_;
      twist.begin(batch.twist, batch.backward, batch.scale, work.twist);
      run_tiles(walk, sides, [&twist](Tile const& tile) {
        for (Index g = 0; g < tile.groups; ++g) twist.set_group(g, tile.first + g * L);
        return Twisted<Real>{twist.factors()};
      });
    } else {
      run_tiles(walk, sides, [](Tile const&) { return Unchanged<Real>{}; });
    }
    if (sides.out.far) hwy::FlushStream();
  }

  bool has_convolutions() const {
    return std::any_of(recipe_.passes.begin(), recipe_.passes.end(),
                       [](Pass<Real> const& pass) { return pass.prime != nullptr; });
  }

  // Whether rows that are `step` Reals apart compete for cache sets.
  bool competes(Index step) const { return shares_sets(bytes(step), recipe_.n); }

  /// Whether rows of the next tile are prefetched. Not if they share cache sets, unless they are
  /// read next: they would evict each other before they are written.
  bool fetches(bool in_place, Index out_step) const { return in_place || !competes(out_step); }

  static Index bytes(Index reals) { return reals * static_cast<Index>(sizeof(Real)); }

  Recipe<Real> const& recipe() const { return recipe_; }
  Index apart_groups() const { return apart_groups_; }

 private:
  using Sides = TileSides<Real>;
  struct Work {
    Workspace<Real> rows;
    std::byte* twist;
  };

  Index tile_groups(Sides const& sides) const {
    if (sides.apart) return apart_groups_;
    return competes(sides.in.step) || competes(sides.out.step) ? groups_ : near_groups_;
  }

  // The number of groups that fit in `bytes`. Convolutions take one at a time.
  Index fitting_groups(Index bytes, Index most) const {
    if (has_convolutions()) return 1;
    Index const group_bytes = recipe_.n * row_reals<Real> * static_cast<Index>(sizeof(Real));
    return std::clamp<Index>(bytes / group_bytes, 1, most);
  }

  Index apart_groups_of(Tuning const& tuning) const {
    Index const most = std::max<Index>(apart_bytes_ / bytes(row_reals<Real>), 1);
    return std::min(groups_, fitting_groups(tuning.apart_tile_of_second.of(caches().second), most));
  }

  Work carve(std::byte* scratch) const {
    Carver<Real> carver(scratch);
    Workspace<Real> rows{};
    rows.rows = carver.rows(recipe_.rows, groups_);
    rows.result = carver.rows(recipe_.n, groups_);
    rows.convolution = carver.rows(convolution_rows_, 1);
    rows.product = carver.rows(convolution_rows_, 1);
    rows.twiddles = carver.reals(tile_reals_);
    rows.inner_twiddles = carver.reals(inner_tile_reals_);
    return {rows, reinterpret_cast<std::byte*>(carver.reals(0))};
  }

  template <class MakeFinish>
  void run_tiles(Walk<Real>& walk, Sides& sides, MakeFinish const& make_finish) const {
    using Finish = decltype(make_finish(Tile{}));
    bool const one_pass =
        has_all_kernels && chain_.links.size() == 1 && !chain_.links.front().pass->prime;
    bool const whole =
        one_pass && sides.in.even() && sides.out.even() && std::same_as<Finish, Unchanged<Real>>;
    Index const groups = whole && !sides.apart ? sides.columns / L : tile_groups(sides);
    for (Index column = 0; column < sides.columns;) {
      Tile const tile = next_tile(column, sides.columns, L, groups);
      sides.move_to(tile);
      walk.set_groups(tile.groups);
      Finish const finish = make_finish(tile);
      if constexpr (std::same_as<Finish, Unchanged<Real>>) {
        if (whole && tile.columns == L)
          walk.whole(sides.source(), sides.sink(finish));
        else
          run_tile(walk, sides, finish);
      } else {
        run_tile(walk, sides, finish);
      }
      column += tile.groups * tile.columns;
    }
  }

  template <class Finish>
  void run_tile(Walk<Real> const& walk, Sides const& sides, Finish const& finish) const {
    auto const& in = sides.in;
    auto const& out = sides.out;
    bool const small_first = !chain_.links.empty() && !chain_.links.front().pass->prime;
    bool const small_last = !chain_.links.empty() && !chain_.links.back().pass->prime;
    Workspace<Real> const& work = walk.workspace();
    bool const straight_in = has_all_kernels && small_first && chain_.links.size() > 1 && in.even();
    if (straight_in)
      walk.first_pass(sides.source());
    else
      sides.load(chain_, work);
    if (small_last && out.even()) {
      if (straight_in)
        walk.other_passes(sides.sink(finish));
      else
        walk.from_buffer(work.rows, sides.sink(finish));
      return;
    }
    if (straight_in)
      walk.other_passes(work.result);
    else if (!chain_.links.empty())
      walk.from_buffer(work.rows, work.result);
    OwnRows<Real> const result = chain_.links.empty() ? work.rows : work.result;
    for (Index g = 0; g < work.groups; ++g) store_group(result, g, recipe_.n, out, finish);
  }

  Recipe<Real> recipe_;
  Chain<Real> chain_;
  Index groups_;        // of a tile whose rows compete for cache sets: fit the second-level cache
  Index near_groups_;   // of other tiles: fit the first-level cache
  Index apart_bytes_;   // of a row in a tile whose rows are far apart and out of cache
  Index apart_groups_;  // of such a tile
  TwistTable<Real> twist_;
  Index convolution_rows_ = 0;
  Index tile_reals_ = 0;
  Index inner_tile_reals_ = 0;
};

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
