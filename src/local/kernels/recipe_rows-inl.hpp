// SPDX-License-Identifier: BSD-3-Clause
// Contiguous transforms with the bits of columns side by side: the same passes, with lanes along
// the transform.
//
// n = r m, with r the radix of the first pass of the recipe. Lanes hold L neighbouring butterflies
// of that pass. A transposition in registers then puts into the lanes the r columns of length m
// that it leaves, which lie side by side in the result, too: X[j + r k] is row k of column j. The
// other passes of the recipe are those of columns. So each element goes through the operations that
// tiled_columns-inl.hpp has for it, and has the same bits. Compiled once for each instruction set.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "local/caches.hpp"
#include "local/kernels/row_groups-inl.hpp"
#include "local/kernels/row_places-inl.hpp"
#include "local/kernels/tiled_columns-inl.hpp"

#if defined(SIXSTEP_LOCAL_RECIPE_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_RECIPE_ROWS_INL
#undef SIXSTEP_LOCAL_RECIPE_ROWS_INL
#else
#define SIXSTEP_LOCAL_RECIPE_ROWS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// The first pass of one contiguous transform.
template <class Real>
struct FirstOfRow {
  Real const* from;
  OwnRows<Real> to;                  // m rows in each group of L columns
  Index m;                           // butterflies
  TwiddleRow<Real> const* twiddles;  // of L neighbouring butterflies: R - 1 rows for each start
  Scale<Real> scale;
  Following<Real> next;
};

/// Leaves column j in lane j of all groups or, if `reversed`, in lane R - 1 - j.
template <int R, bool reversed, class Real>
HWY_NOINLINE void first_of_row(FirstOfRow<Real> const& given) {
  constexpr int L = lanes<Real>;
  FirstOfRow<Real> const b = given;
  TwiddleRow<Real> const* twiddles = b.twiddles;
  Following<Real> next = b.next;
  for (Index start = 0; start < b.m; start += L, twiddles += R - 1) {
    Index const p = std::min(start, b.m - L);  // the last butterflies may overlap those before
    next.fetch_some(Index{2} * R * L);
    Complex<Real> x[R];
    Index const step = unknown(2 * b.m);
    HWY_UNROLL(16)
    for (int k = 0; k < R; ++k) x[k] = b.scale(load_columns<Real>(b.from + 2 * p + k * step));
    butterfly<R>(x);
    HWY_UNROLL(16)
    for (int j = 1; j < R; ++j) x[j] = x[j] * load_row(twiddles[j - 1].parts);
    HWY_UNROLL(4)
    for (int g = 0; g < R / L; ++g) {
      Vector<Real> re[L], im[L];
      HWY_UNROLL(16)
      for (int i = 0; i < L; ++i) {
        int const lane = g * L + square_row<Real, 1>(i);
        int const column = reversed ? R - 1 - lane : lane;
        re[i] = x[column].re;
        im[i] = x[column].im;
      }
      transpose<Real>(re);
      transpose<Real>(im);
      HWY_UNROLL(16)
      for (int i = 0; i < L; ++i)
        store_row(Complex<Real>{re[i], im[i]}, b.to.at(p + square_row<Real, 1>(i), g));
    }
  }
}

/// The first passes of one radix; null if its columns do not fill whole vectors.
template <class Real>
struct FirstOfRowKernels {
  void (*forward)(FirstOfRow<Real> const&) = nullptr;
  void (*backward)(FirstOfRow<Real> const&) = nullptr;

  static FirstOfRowKernels of(Index radix) {
    FirstOfRowKernels kernels;
    if constexpr (has_all_kernels) [&]<int... R>(std::integer_sequence<int, R...>) {
        (kernels.template take<R>(radix), ...);
      }
    (std::integer_sequence<int, 4, 8, 12, 16>());
    return kernels;
  }

 private:
  template <int R>
  void take(Index radix) {
    if constexpr (R % lanes<Real> == 0)
      if (radix == R) *this = {first_of_row<R, false, Real>, first_of_row<R, true, Real>};
  }
};

/// Contiguous transforms by a recipe.
template <class Real>
class RecipeRows {
  static constexpr Index L = SIXSTEP_KERNELS::lanes<Real>;

 public:
  /// Null if the columns of the first pass do not fill whole vectors, or if not all radices have
  /// butterflies.
  static std::unique_ptr<RecipeRows> make(Recipe<Real> const& recipe, Tuning const& tuning) {
    if (recipe.passes.size() < 2) return nullptr;
    for (Pass<Real> const& pass : recipe.passes)
      if (pass.radix > small_radices.back()) return nullptr;
    Pass<Real> const& first = recipe.passes.front();
    auto const kernels = FirstOfRowKernels<Real>::of(first.radix);
    if (kernels.forward == nullptr || first.count < L || !first.twiddles.whole()) return nullptr;
    return std::make_unique<RecipeRows>(recipe, kernels, tuning);
  }

  RecipeRows(Recipe<Real> const& recipe, FirstOfRowKernels<Real> const& kernels,
             Tuning const& tuning)
      : radix_(recipe.passes.front().radix),
        m_(recipe.passes.front().count),
        kernels_(kernels),
        core_(after_first(recipe)),
        chain_(core_),
        tile_(radix_ > L ? 1
                         : std::clamp<Index>(tuning.tile_of_first.of(caches().first) /
                                                 (m_ * row_reals<Real> * Index{sizeof(Real)}),
                                             1, tuning.contiguous_tile_groups)),
        fetching_(tuning) {
    std::vector<Real> const& roots = recipe.passes.front().twiddles.fine;
    for (Index start = 0; start < m_; start += L)
      for (Index j = 1; j < radix_; ++j)
        twiddles_.push_back(twiddle(roots, std::min(start, m_ - L), j));
  }
  RecipeRows(RecipeRows const&) = delete;  // chain_ refers to core_

  std::size_t scratch_bytes() const {
    Index const reals =
        2 * groups() * Carver<Real>::group_reals(m_) + Carver<Real>::aligned(tile_reals(core_));
    return static_cast<std::size_t>(reals) * sizeof(Real);
  }

  /// Transforms columns whose rows are contiguous on both sides, without a twist.
  void run(Batch<std::complex<Real>> const& batch, std::byte* scratch) const {
    Carver<Real> carver(scratch);
    Workspace<Real> work{};
    work.rows = carver.rows(m_, groups());
    work.result = carver.rows(m_, groups());
    work.twiddles = carver.reals(tile_reals(core_));
    Walk<Real> walk(chain_, work, 1);
    auto from = row_places<Real>(batch.in, 0, 1);
    auto const to = row_places<Real>(batch.out, 0, 1);
    Ahead const ahead = fetching_.ahead(batch, from, to, batch.columns);
    auto* const first = batch.backward ? kernels_.backward : kernels_.forward;
    for (Index c = 0; c < batch.columns; c += tile_) {
      Index const some = std::min(tile_, batch.columns - c);
      for (Index i = 0; i < some; ++i, from.first += from.group)
        first({from.first,
               groups_of(work.rows, i),
               m_,
               twiddles_.data(),
               {batch.scale},
               {ahead, from, to, c + i}});
      walk.set_groups(some * radix_ / L);
      Real* const target = to.first + c * to.group;
      if (!batch.backward) {
        Index const group = radix_ == L ? to.group : row_reals<Real>;
        walk.from_buffer(work.rows,
                         UserSink<Real, Unchanged<Real>>{target, 2 * radix_, group, L, {}});
        continue;
      }
      walk.from_buffer(work.rows, work.result);
      for (Index i = 0; i < some; ++i)
        put_backward(groups_of(work.result, i), target + i * to.group);
    }
  }

 private:
  Index groups() const { return tile_ * radix_ / L; }

  // The groups of transform i of a tile.
  OwnRows<Real> groups_of(OwnRows<Real> rows, Index i) const {
    rows.first += i * (radix_ / L) * rows.group;
    return rows;
  }

  // A backward transform has element n - k in place of element k. So row k of all columns, in
  // reversed order, ends at element n - r k; and element n is element 0.
  void put_backward(OwnRows<Real> const& rows, Real* to) const {
    Real* const last = to + 2 * (radix_ * m_ - radix_ + 1);
    for (Index g = 0; g < radix_ / L; ++g) {
      Real* row = last + g * row_reals<Real>;
      for (Index k = 1; k < m_; ++k)
        store_columns<Real>(load_row(rows.at(k, g)), row -= 2 * radix_);
      HWY_ALIGN Real first[row_reals<Real>];
      store_columns<Real>(load_row(rows.at(0, g)), first);
      bool const has_element_0 = g == radix_ / L - 1;
      std::copy_n(first, row_reals<Real> - (has_element_0 ? 2 : 0), last + g * row_reals<Real>);
      if (has_element_0) std::copy_n(first + row_reals<Real> - 2, 2, to);
    }
  }

  static Recipe<Real> after_first(Recipe<Real> recipe) {
    recipe.passes.erase(recipe.passes.begin());
    Pass<Real> const& first = recipe.passes.front();
    recipe.rows = recipe.n = first.radix * first.count;
    return recipe;
  }

  // Those of row j of butterflies p, p + 1 ..., in the order of load_columns().
  TwiddleRow<Real> twiddle(std::vector<Real> const& roots, Index p, Index j) const {
    TwiddleRow<Real> row;
    for (int lane = 0; lane < L; ++lane) {
      Real const* const parts =
          roots.data() + (p + lane_column<Real>(lane)) * 2 * (radix_ - 1) + j - 1;
      row.parts[lane] = parts[0];
      row.parts[L + lane] = parts[radix_ - 1];
    }
    return row;
  }

  Index radix_;
  Index m_;
  FirstOfRowKernels<Real> kernels_;
  Recipe<Real> core_;  // of m points
  Chain<Real> chain_;
  Index tile_;  // transforms whose groups go through the other passes together
  std::vector<TwiddleRow<Real>> twiddles_;
  Fetching fetching_;
};

/// Adds contiguous columns to tiles, without another result.
template <class Real>
class RecipeColumns final : public TiledColumns<Real> {
  using Tiled = TiledColumns<Real>;

 public:
  RecipeColumns(Recipe<Real> recipe, Tuning const& tuning)
      : Tiled(std::move(recipe), tuning), rows_(RecipeRows<Real>::make(this->recipe(), tuning)) {}

  std::size_t scratch_bytes() const override {
    return std::max(Tiled::scratch_bytes(), rows_ ? rows_->scratch_bytes() : 0);
  }

  void run(Batch<std::complex<Real>> const& batch, std::byte* scratch) const override {
    bool const contiguous = batch.in.row.step(this->n()) == 1 && batch.out.row.step(this->n()) == 1;
    if (rows_ && contiguous && batch.twist.roots == nullptr)
      rows_->run(batch, scratch);
    else
      Tiled::run(batch, scratch);
  }

 private:
  std::unique_ptr<RecipeRows<Real>> rows_;  // null: they go like all others
};

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
