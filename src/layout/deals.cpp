// SPDX-License-Identifier: BSD-3-Clause
// Deals: arithmetic of series.
#include "layout/deals.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sixstep {

namespace {

/// A range in a unique form, so that equal sets of indices compare equal.
Range plain(Range const& range) {
  Index const count = range.count();
  return {range.lo, range.lo + (count - 1) * range.step + 1, count == 1 ? 1 : range.step};
}

/// Whether `next` lies right behind or right in front of `last`.
bool adjoins(Range const& last, Range const& next) {
  if (last.step != 1 || next.step != 1 || last.count() != next.count()) return false;
  return next.lo == last.hi || next.hi == last.lo;
}

/// Moves the first parts of `each` that continue `last` to `last`.
void take(Series& last, Series& each) {
  int taken = 0;
  Index const distance = each.range.lo - last.of(last.end() - 1).lo;
  if (last.end() != each.first || !adjoins(last.of(last.end() - 1), each.range)) return;
  if (last.parts > 1 && last.distance != distance) return;
  taken = each.parts == 1 || each.distance == distance ? each.parts : 1;
  last.distance = distance;
  last.parts += taken;
  each.range = each.of(each.first + taken);
  each.first += taken;
  each.parts -= taken;
}

void add(std::vector<Parts>& found, int part) {
  if (!found.empty() && found.back().first + found.back().count == part)
    ++found.back().count;
  else
    found.push_back({part, 1});
}

/// Adds the parts of a series of blocks that share an index with `region`, in the order of parts.
void add_meeting(std::vector<Parts>& found, Series const& each, Range const& region) {
  Range const shared = intersect(region, {each.lo(), each.hi(), 1});
  if (shared.empty()) return;
  Index const length = each.range.count(), count = shared.count();
  auto const part_of = [&](Index index) {
    auto const place = static_cast<int>((index - each.lo()) / length);
    return each.first + (each.distance < 0 ? each.parts - 1 - place : place);
  };
  Index const last = shared.lo + (count - 1) * shared.step;
  if (shared.step <= length) {
    auto const [low, high] = std::minmax({part_of(shared.lo), part_of(last)});
    found.push_back({low, high - low + 1});
    return;
  }
  for (Index i = 0; i < count; ++i)
    add(found, part_of(each.distance < 0 ? last - i * shared.step : shared.lo + i * shared.step));
}

}  // namespace

// Series.

Range Series::of(int part) const {
  Index const offset = (part - first) * distance;
  return {range.lo + offset, range.hi + offset, range.step};
}

Index Series::lo() const { return std::min(range.lo, of(end() - 1).lo); }

Index Series::hi() const { return std::max(range.hi, of(end() - 1).hi); }

void append(std::vector<Series>& series, Series each) {
  if (each.parts == 0 || each.range.empty()) return;
  each.range = plain(each.range);
  if (each.parts == 1) each.distance = 0;
  if (!series.empty()) take(series.back(), each);
  if (each.parts == 0) return;
  if (each.parts == 1) each.distance = 0;
  series.push_back(each);
}

// Deals.

Deal::Deal(Index extent, std::vector<Series> series) : extent_(extent), series_(std::move(series)) {
  auto const is_below = [](Series const& a, Series const& b) { return a.lo() < b.lo(); };
  if (std::is_sorted(series_.begin(), series_.end(), is_below)) return;
  by_position_.resize(series_.size());
  std::iota(by_position_.begin(), by_position_.end(), 0);
  std::sort(by_position_.begin(), by_position_.end(), [&](int a, int b) {
    return is_below(series_[static_cast<std::size_t>(a)], series_[static_cast<std::size_t>(b)]);
  });
}

Deal Deal::even(Index extent, int parts, Distribution distribution) {
  auto const shorter = extent / parts;
  auto const longer = static_cast<int>(extent % parts);
  bool const in_turn = distribution == Distribution::cyclic && extent > parts && parts > 1;
  Index lo = 0;
  std::vector<Series> series;
  auto const add = [&](int first, int count, Index points) {
    if (count == 0 || points == 0) return;
    Index const step = in_turn && points > 1 ? parts : 1;
    series.push_back({first, count, {lo, lo + (points - 1) * step + 1, step}});
    Index const distance = in_turn ? 1 : points;
    if (count > 1) series.back().distance = distance;
    lo += count * distance;
  };
  add(0, longer, shorter + 1);
  add(longer, parts - longer, shorter);
  Deal deal(extent, std::move(series));
  if (in_turn) deal.period_ = parts;
  return deal;
}

Range Deal::range(int part) const {
  auto const behind =
      std::upper_bound(series_.begin(), series_.end(), part,
                       [](int sought, Series const& each) { return sought < each.first; });
  if (behind == series_.begin() || part >= (behind - 1)->end()) return {extent_, extent_, 1};
  return (behind - 1)->of(part);
}

std::vector<Parts> Deal::meeting(Range const& region) const {
  if (period_ > 0) return meeting_in_turn(region);
  std::vector<Parts> found;
  auto const series_at = [&](std::size_t place) -> Series const& {
    return series_[by_position_.empty() ? place : static_cast<std::size_t>(by_position_[place])];
  };
  std::size_t place = 0;
  for (std::size_t end = series_.size(); place < end;) {
    std::size_t const middle = (place + end) / 2;
    if (series_at(middle).hi() <= region.lo)
      place = middle + 1;
    else
      end = middle;
  }
  for (; place < series_.size() && series_at(place).lo() < region.hi; ++place)
    add_meeting(found, series_at(place), region);
  if (!by_position_.empty())
    std::sort(found.begin(), found.end(),
              [](Parts const& a, Parts const& b) { return a.first < b.first; });
  return found;
}

std::vector<Parts> Deal::meeting_in_turn(Range const& region) const {
  Range const shared = intersect(region, {0, extent_, 1});
  if (shared.empty()) return {};
  Index const all = period_ / std::gcd<Index>(period_, shared.step);
  if (shared.count() >= period_ && all == period_) return {{0, period_}};
  std::vector<int> parts;
  for (Index i = 0; i < std::min(all, shared.count()); ++i)
    parts.push_back(static_cast<int>((shared.lo + i * shared.step) % period_));
  std::sort(parts.begin(), parts.end());
  std::vector<Parts> found;
  for (int part : parts) add(found, part);
  return found;
}

int Deal::longest() const {
  auto const found = std::max_element(
      series_.begin(), series_.end(),
      [](Series const& a, Series const& b) { return a.range.count() < b.range.count(); });
  return found == series_.end() ? 0 : found->first;
}

bool Deal::whole() const { return series_.empty() || series_.front().range.count() == extent_; }

// Axes seen as two.

bool splits_into_boxes(Deal const& deal, Index fast) {
  Index const slow = deal.extent() / fast;
  if (slow == 1 || fast == 1) return true;
  // Indices dealt out in turn repeat in every row, or in rows at equal distances, or they do not
  // repeat.
  if (deal.period() > 0) return fast % deal.period() == 0 || deal.period() % fast == 0;
  return std::all_of(deal.series().begin(), deal.series().end(), [&](Series const& each) {
    Index const length = each.range.count(), lo = each.lo(), hi = each.hi();
    if (length >= fast) return length % fast == 0 && lo % fast == 0;
    // Shorter blocks must end where a row ends.
    Index const end = (lo / fast + 1) * fast;
    return end >= hi || ((end - lo) % length == 0 && (end + fast >= hi || fast % length == 0));
  });
}

bool has_whole_columns(Deal const& deal, Index fast) {
  if (deal.extent() == fast) return true;
  return deal.period() > 0 ? fast % deal.period() == 0 : deal.whole();
}

bool has_whole_rows(Deal const& deal, Index fast) {
  if (deal.period() > 0) return fast == 1;
  return std::all_of(deal.series().begin(), deal.series().end(), [&](Series const& each) {
    return each.range.count() % fast == 0 && each.range.lo % fast == 0;
  });
}

std::optional<Digits> digits_of(Dealt const& axis, Index fast) {
  Deal const& deal = axis.deal;
  Index const slow = deal.extent() / fast;
  auto const undivided = [&](Index extent) {
    return Dealt{Deal::even(extent, 1, Distribution::block), axis.stride, 1};
  };
  if (slow == 1) return Digits{undivided(1), axis};
  auto const in_turn = [](Index extent, int parts, int stride) {
    return Dealt{Deal::even(extent, parts, Distribution::cyclic), stride, parts};
  };
  if (int const period = deal.period(); period > 0) {
    if (fast % period == 0) return Digits{undivided(slow), in_turn(fast, period, axis.stride)};
    if (period % fast != 0) return std::nullopt;
    auto const columns = static_cast<int>(fast);
    return Digits{in_turn(slow, period / columns, axis.stride * columns),
                  in_turn(fast, columns, axis.stride)};
  }
  std::vector<Series> const& series = deal.series();
  if (has_whole_rows(deal, fast)) {
    std::vector<Series> rows;
    for (Series const& each : series)
      rows.push_back({each.first,
                      each.parts,
                      {each.range.lo / fast, each.range.hi / fast},
                      each.distance / fast});
    return Digits{{Deal(slow, std::move(rows)), axis.stride, axis.parts}, undivided(fast)};
  }
  bool const is_even = series.size() == 1 && series[0].first == 0 && series[0].distance > 0;
  if (!is_even || fast % series[0].distance != 0) return std::nullopt;
  auto const blocks = static_cast<int>(fast / series[0].distance);
  return Digits{in_turn(slow, static_cast<int>(slow), axis.stride * blocks),
                {Deal::even(fast, blocks, Distribution::block), axis.stride, blocks}};
}

// All axes.

Deals const* Deals::of(Layout const& layout) { return layout.deals_.get(); }

Layout Deals::boxes(int ranks, Order const& order) const {
  Layout layout;
  for (Dealt const& axis : axes) layout.shape_.push_back(axis.deal.extent());
  layout.order_ = order.empty() ? c_order(axes.size()) : order;
  layout.ranks_ = ranks;
  layout.distribution_ = distribution();
  layout.deals_ = std::make_shared<Deals const>(*this);
  return layout;
}

PerAxis<Distribution> Deals::distribution() const {
  PerAxis<Distribution> found;
  for (Dealt const& axis : axes)
    found.push_back(axis.deal.period() > 0 ? Distribution::cyclic : Distribution::block);
  return found;
}

Grid Deals::grid(int ranks, PerAxis<Distribution> const& distribution) const {
  Grid grid(axes.size(), 1);
  int stride = 1;
  for (int axis = axes.size() - 1; axis >= 0; --axis) {
    auto const& [deal, distance, parts] = axes[axis];
    if (parts > 1 && distance != stride) return {};
    if (!(deal == Deal::even(deal.extent(), parts, distribution[axis]))) return {};
    grid[axis] = parts;
    stride *= parts;
  }
  return stride == ranks && idle.empty() ? grid : Grid();
}

bool Dealt::operator==(Dealt const& other) const {
  if (!(deal == other.deal)) return false;
  std::vector<Series> const& series = deal.series();
  bool const is_one = series.empty() || (series.size() == 1 && series[0].parts == 1);
  return stride == other.stride || (is_one && (series.empty() || series[0].first == 0));
}

std::vector<std::vector<Parts>> Deals::meeting(Box const& region) const {
  std::vector<std::vector<Parts>> found;
  for (int axis = 0; axis < axes.size(); ++axis)
    found.push_back(axes[axis].deal.meeting(region.ranges[axis]));
  return found;
}

std::vector<int> Deals::ranks(std::vector<std::vector<Parts>> const& parts) const {
  std::vector<int> found{0};
  for (int axis = 0; axis < axes.size(); ++axis) {
    std::vector<int> longer;
    for (int prefix : found)
      for (Parts const& some : parts[static_cast<std::size_t>(axis)])
        for (int part = some.first; part < some.first + some.count; ++part)
          longer.push_back(prefix + part * axes[axis].stride);
    found = std::move(longer);
  }
  if (!std::is_sorted(found.begin(), found.end())) std::sort(found.begin(), found.end());
  return found;
}

bool Deals::is_idle(int rank) const {
  return std::any_of(idle.begin(), idle.end(),
                     [&](Dealt const& axis) { return axis.range(rank).empty(); });
}

int Deals::busiest() const {
  int rank = 0;
  for (Dealt const& axis : axes) rank += axis.deal.longest() * axis.stride;
  return rank;
}

int cyclic_parts(Layout const& layout, int axis) {
  bool const is_cyclic = layout.distribution()[axis] == Distribution::cyclic;
  return is_cyclic ? Deals::of(layout)->axes[axis].parts : 0;
}

int busiest_rank(Layout const& layout) {
  if (Deals const* deals = Deals::of(layout)) return deals->busiest();
  int busiest = 0;
  for (int rank = 1; rank < layout.ranks(); ++rank)
    if (layout.local_size(rank) > layout.local_size(busiest)) busiest = rank;
  return busiest;
}

}  // namespace sixstep
