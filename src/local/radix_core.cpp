// SPDX-License-Identifier: BSD-3-Clause
// Passes blocks of columns through real radices.
#include "local/radix_core.hpp"

#include <algorithm>
#include <utility>

#include "local/caches.hpp"
#include "local/kernels/columns.hpp"
#include "local/numbers/at.hpp"
#include "local/numbers/real_factors.hpp"
#include "local/numbers/reproducible.hpp"
#include "local/numbers/roots.hpp"
#include "local/real_blocks.hpp"

namespace sixstep::local {

namespace {

/// The twiddles w_n^(p k) of a pass, n = radix * rows.
template <class Real>
std::vector<std::complex<Real>> twiddles(RealPass<Real> const& pass) {
  std::vector<std::complex<Real>> factors;
  Roots const roots(pass.radix * pass.rows);
  for (Index p = 0; p < pass.rows; ++p)
    for (Index k = 1; k <= pass.count(); ++k) factors.push_back(roots.at<Real>(p * k));
  return factors;
}

/// RealPass::inner: 1 if one butterfly suffices, else the smaller of two that are least apart, or
/// 0.
int inner_butterfly(Index rows) {
  auto const is_butterfly = [](Index points) {
    return std::count(column_butterflies.begin(), column_butterflies.end(), points) > 0;
  };
  if (is_butterfly(rows)) return 1;
  int inner = 0;
  for (int const points : column_butterflies)
    if (points * points <= rows && rows % points == 0 && is_butterfly(rows / points))
      inner = points;
  return inner;
}

template <class Real>
std::vector<std::complex<Real>> inner_twiddles(Index rows, int inner) {
  std::vector<std::complex<Real>> factors;
  if (inner < 2) return factors;
  Roots const roots(rows);
  for (Index q = 0; q < inner; ++q)
    for (Index p = 1; p < rows / inner; ++p) factors.push_back(roots.at<Real>(q * p));
  return factors;
}

}  // namespace

template <class Real>
bool suits_radices(Index n, Tuning const& tuning) {
  constexpr Index real = sizeof(Real);
  Index const lanes = real_kernels<Real>().radices.lanes;
  if (lanes == 0 || real_radices(n).empty()) return false;
  return n * 2 * lanes * real <= tuning.rows_of_second.of(caches().second) &&
         block_columns(n * real, lanes, real, tuning) >= lanes;
}

template <class Real>
std::optional<RadixCore<Real>> RadixCore<Real>::make(Order<Real> const& order,
                                                     Results const& results, Local whose,
                                                     Tuning const& tuning) {
  Index const n = static_cast<Index>(order.picks.size());
  if (whose != Local::own || is_reproducible(tuning) || !suits_radices<Real>(n, tuning))
    return std::nullopt;
  RadixCore core(order, results, tuning);
  bool const splits = std::all_of(
      core.transforms_.begin(), core.transforms_.end(),
      [](ColumnTransform const& one) { return one.complex == nullptr || one.split != nullptr; });
  if (!splits) return std::nullopt;
  return core;
}

template <class Real>
RadixCore<Real>::RadixCore(Order<Real> const& order, Results const& results, Tuning const& tuning)
    : order_(order),
      kernels_(real_kernels<Real>()),
      passes_{static_cast<Index>(order.picks.size()), {}},
      others_(straight<Real>(results.rows)) {
  constexpr Index real = sizeof(Real);
  Index const n = passes_.n, L = lanes();
  columns_ = block_columns(n * real, L, real, tuning);
  near_columns_ = std::clamp(tuning.real_contiguous_block_bytes / (n * real) / L * L, L, columns_);
  Index const most_groups = columns_ / L;
  // put() and get() take coefficients in another order than their rows have. Long columns of reals
  // that are made of them are faster in the order of rows.
  bool const fused = results.are_coefficients || n * L * real <= tuning.real_contiguous_block_bytes;
  Index left = n;
  RowAccess const access =
      vectors_fill_lines<Real>() ? RowAccess::lines : RowAccess::parts_of_lines;
  for (int const radix : real_radices(n, access)) {
    RealPass<Real> pass{radix, left / radix, n / left, 0, {}, complex_reals_, 0, sums_reals_};
    pass.twiddles = twiddles(pass);
    pass.left = left = radix % 2 == 0 ? 2 * pass.rows : pass.rows;
    // one more row, so that columns do not compete for cache sets
    pass.column = 2 * L * (pass.rows + 1);
    complex_reals_ += pass.column * pass.count() * most_groups;
    sums_reals_ += pass.left * L * most_groups;
    ColumnTransform one{};
    if (pass.rows > 1 && pass.count() > 0) {
      one.complex = make_transform<Real>(pass.rows, Local::own, tuning);
      one.split = dynamic_cast<SplitTransform<Real> const*>(one.complex.get());
      pass.inner = fused ? inner_butterfly(pass.rows) : 0;
      pass.inner_twiddles = inner_twiddles<Real>(pass.rows, pass.inner);
      transform_bytes_ = std::max(transform_bytes_, one.complex->scratch_bytes());
    }
    transforms_.push_back(std::move(one));
    passes_.list.push_back(std::move(pass));
  }
  plain_ = true;
  for (Index k = 0; k < n; ++k)
    plain_ = plain_ && order_.picks[at(k)].row == k && order_.picks[at(k)].sign == 1;
  place_rows();
}

template <class Real>
void RadixCore<Real>::place_rows() {
  // Offsets are relative to the start of the memory that block() takes.
  auto const reals = [](std::size_t bytes) { return static_cast<Index>(bytes / sizeof(Real)); };
  Index const complex = reals(Scratch::bytes<Real>(complex_reals_));
  Index const sums = 2 * complex;
  Index const rows = sums + reals(Scratch::bytes<Real>(sums_reals_));
  Index const L = lanes();
  for (Index k = 0; k < static_cast<Index>(others_.size()); ++k)
    results_.push_back({rows + k * L, group_rows(), 1});
  reals_.resize(at(n()), {0, 0, 0});
  Index used = 0;
  for (Index k = 0; k < n(); ++k) {
    Pick<Real> const& pick = order_.picks[at(k)];
    if (pick.sign == 0 || pick.row >= n() || reals_[at(pick.row)].sign != 0) continue;
    reals_[at(pick.row)] = {rows + k * L, group_rows(), pick.sign};
    ++used;
  }
  if (used < n()) reals_.clear();  // some rows are used twice
  // The imaginary parts of X[0] and X[n/2] have a separate row.
  parts_before_.resize(at(n() / 2 * 2 + 2), {rows + rows_reals() - L, 0, 1});
  RealPass<Real> const& last = passes_.list.back();
  for (Index i = 0; i < last.left; ++i)
    parts_before_[at(i * (n() / 2) * 2)] = {sums + last.sums + i * L, last.left * L, 1};
  parts_after_ = parts_before_;
  for (RealPass<Real> const& pass : passes_.list)
    for (Index k = 1; k <= pass.count(); ++k)
      for (Index q = 0; q < pass.rows; ++q) {
        auto const [number, conjugate, row] = pass.coefficient(k, q, n(), L);
        Real const sign = conjugate ? -1 : 1;
        Index const group = pass.count() * pass.column;
        for (auto* parts : {&parts_before_, &parts_after_}) {
          Index const after = parts == &parts_after_ && pass.rows > 1 ? complex : 0;
          (*parts)[at(2 * number)] = {row + after, group, 1};
          (*parts)[at(2 * number + 1)] = {row + after + L, group, sign};
        }
      }
}

template <class Real>
std::size_t RadixCore<Real>::scratch_bytes() const {
  return 2 * Scratch::bytes<Real>(complex_reals_) + Scratch::bytes<Real>(sums_reals_) +
         Scratch::bytes<Real>(rows_reals()) + Scratch::bytes<RowPlace<Real>>(n()) +
         transform_bytes_;
}

template <class Real>
typename RadixCore<Real>::Block RadixCore<Real>::block(std::byte* memory, Index columns, Real scale,
                                                       bool far) const {
  Scratch scratch(memory);
  Block block{};
  block.passes.before = scratch.take<Real>(complex_reals_);
  block.passes.after = scratch.take<Real>(complex_reals_);
  block.passes.sums = scratch.take<Real>(sums_reals_);
  block.rows = scratch.take<Real>(rows_reals());
  block.places = scratch.take<RowPlace<Real>>(n());
  block.columns = columns;
  block.scale = scale;
  block.far = far;
  block.rest = scratch.rest();
  return block;
}

template <class Real>
Index RadixCore<Real>::take(Index columns, bool wide) const {
  Index const full = columns / lanes() * lanes();
  return std::min(full > 0 ? full : columns, wide ? columns_ : near_columns_);
}

template <class Real>
template <class Number, class Move>
void RadixCore<Real>::for_groups(Block const& block, Move const& move) const {
  for (Index g = 0; g < groups(block); ++g)
    move(g * lanes(), rows_of<Number>(block, g), std::min(lanes(), block.columns - g * lanes()));
}

template <class Real>
template <class Scalar>
RealRows<Scalar> RadixCore<Real>::direct_rows(Columns<Scalar> const& users,
                                              Block const& block) const {
  Index const step = plain_ ? users.row.step(n()) : 0;
  if (step != 0)
    return {users.data + users.row[0], lanes(), step, nullptr, block.scale, block.scale != 1};
  for (Index k = 0; k < n(); ++k) {
    Pick<Real> const& pick = order_.picks[at(k)];
    block.places[k] = {users.row[pick.row], block.scale * pick.sign};
  }
  return {users.data, lanes(), 0, block.places, block.scale, block.scale != 1 || !plain_};
}

template <class Real>
RealRows<Real> RadixCore<Real>::moved_rows(Block const& block) const {
  return {block.rows, group_rows(), lanes(), nullptr, block.scale, block.scale != 1};
}

template <class Real>
void RadixCore<Real>::transform(Block const& block, bool backward, bool all) const {
  Index const row = 2 * lanes();
  for (std::size_t t = 0; t < transforms_.size(); ++t) {
    RealPass<Real> const& pass = passes_.list[t];
    if (transforms_[t].split == nullptr || (pass.inner > 0 && !all)) continue;
    transforms_[t].split->run_split({block.passes.before + pass.columns, row, pass.column},
                                    {block.passes.after + pass.columns, row, pass.column},
                                    groups(block) * pass.count(), backward, block.rest);
  }
}

template <class Real>
void RadixCore<Real>::spread(Real const* from, Index lane,
                             std::vector<PlacedRow<Real>> const& places, Block const& block) const {
  kernels_.radices.spread_columns(from, lane, groups(block), block.far ? block.columns * lane : 0,
                                  places, block.passes.before);
}

template <class Real>
void RadixCore<Real>::analyse(Columns<Real const> const& users, Block const& block) const {
  RealRows<Real const> rows{};
  if (is_direct(users.lane, block)) {
    rows = direct_rows(users, block);
  } else {
    if (is_contiguous(users, reals_, block))
      spread(users.data + users.row[0], users.lane, reals_, block);
    else
      for_groups<Real>(block, [&](Index c, Columns<Real> const& own, Index columns) {
        if (columns < lanes()) std::fill_n(own.data, group_rows(), Real{0});
        kernels_.move(order_.ways, from_column(users, c), own, columns);
      });
    RealRows<Real> const moved = moved_rows(block);
    rows = {moved.data, moved.group, moved.step, nullptr, moved.scale, moved.scaled};
  }
  for (RealPass<Real> const& pass : passes_.list) {
    kernels_.radices.analyse(pass, rows, groups(block), block.passes);
    rows = {block.passes.sums + pass.sums, pass.left * lanes(), lanes()};
  }
}

template <class Real>
void RadixCore<Real>::synthesise(Block const& block, Columns<Real> const& users) const {
  auto const& passes = passes_.list;
  for (std::size_t t = passes.size() - 1; t > 0; --t)
    kernels_.radices.synthesise(
        passes[t], block.passes, groups(block),
        {block.passes.sums + passes[t - 1].sums, passes[t - 1].left * lanes(), lanes()});
  bool const direct = is_direct(users.lane, block);
  kernels_.radices.synthesise(passes[0], block.passes, groups(block),
                              direct ? direct_rows(users, block) : moved_rows(block));
  if (direct) return;
  if (is_contiguous(users, reals_, block))
    kernels_.radices.collect_columns(block.passes.before, reals_, groups(block),
                                     users.data + users.row[0], users.lane);
  else
    for_groups<Real>(block, [&](Index c, Columns<Real> const& own, Index columns) {
      kernels_.move(order_.ways, as_source(own), from_column(users, c), columns);
    });
}

template <class Real>
void RadixCore<Real>::put(Block const& block, Columns<Complex> const& users) const {
  bool const contiguous = is_contiguous(users, parts_after_, block);
  transform(block, false, contiguous);
  if (contiguous) {
    kernels_.radices.turn_sums(passes_.list.back(), groups(block), block.passes);
    std::fill_n(block.rows + rows_reals() - lanes(), lanes(), Real{0});
    kernels_.radices.collect_columns(block.passes.before, parts_after_, groups(block),
                                     reinterpret_cast<Real*>(users.data + users.row[0]),
                                     2 * users.lane);
    return;
  }
  bool const direct = is_direct(users.lane, block);
  kernels_.radices.put(passes_, block.passes, groups(block),
                       direct ? users : rows_of<Complex>(block, 0),
                       direct ? lanes() : group_rows() / 2);
  if (direct) return;
  for_groups<Complex>(block, [&](Index c, Columns<Complex> const& own, Index columns) {
    kernels_.move_complex(others_, as_source(own), from_column(users, c), columns);
  });
}

template <class Real>
void RadixCore<Real>::get(Columns<Complex const> const& users, Block const& block) const {
  if (is_contiguous(users, parts_before_, block)) {
    spread(reinterpret_cast<Real const*>(users.data + users.row[0]), 2 * users.lane, parts_before_,
           block);
    kernels_.radices.turn_sums(passes_.list.back(), groups(block), block.passes);
    transform(block, true, true);
    return;
  }
  bool const direct = is_direct(users.lane, block);
  if (!direct)
    for_groups<Complex>(block, [&](Index c, Columns<Complex> const& own, Index columns) {
      if (columns < lanes()) std::fill_n(own.data, group_rows() / 2, Complex{0});
      kernels_.move_complex(others_, from_column(users, c), own, columns);
    });
  kernels_.radices.get(direct ? users : as_source(rows_of<Complex>(block, 0)),
                       direct ? lanes() : group_rows() / 2, passes_, block.passes, groups(block));
  transform(block, true, false);
}

template <class Real>
void RadixCore<Real>::put(Block const& block, std::vector<Outputs<Real>> const& outputs,
                          Columns<Real> const& users) const {
  transform(block, false, false);
  bool const direct = is_direct(users.lane, block);
  kernels_.radices.put_outputs(passes_, block.passes, groups(block), outputs,
                               direct ? users : rows_of<Real>(block, 0),
                               direct ? lanes() : group_rows());
  if (direct) return;
  if (is_contiguous(users, results_, block))
    kernels_.radices.collect_columns(block.passes.before, results_, groups(block),
                                     users.data + users.row[0], users.lane);
  else
    for_groups<Real>(block, [&](Index c, Columns<Real> const& own, Index columns) {
      kernels_.move(others_, as_source(own), from_column(users, c), columns);
    });
}

template <class Real>
void RadixCore<Real>::get(Columns<Real const> const& users,
                          std::vector<Spread<Real>> const& spreads, Block const& block) const {
  bool const direct = is_direct(users.lane, block);
  if (is_contiguous(users, results_, block))
    spread(users.data + users.row[0], users.lane, results_, block);
  else if (!direct)
    for_groups<Real>(block, [&](Index c, Columns<Real> const& own, Index columns) {
      if (columns < lanes()) std::fill_n(own.data, group_rows(), Real{0});
      kernels_.move(others_, from_column(users, c), own, columns);
    });
  kernels_.radices.get_spreads(direct ? users : as_source(rows_of<Real>(block, 0)), spreads,
                               direct ? lanes() : group_rows(), passes_, block.passes,
                               groups(block));
  transform(block, true, false);
}

template <class Real>
std::string RadixCore<Real>::describe() const {
  std::string words = "real radix";
  for (RealPass<Real> const& pass : passes_.list)
    words += (&pass == passes_.list.data() ? " " : " x ") + std::to_string(pass.radix);
  return words;
}

template bool suits_radices<float>(Index, Tuning const&);
template bool suits_radices<double>(Index, Tuning const&);
template class RadixCore<float>;
template class RadixCore<double>;

}  // namespace sixstep::local
