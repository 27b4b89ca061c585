// SPDX-License-Identifier: BSD-3-Clause
// An array rests as the next pass reads it, or as the pass before or behind has it.
#include "program/exchanges.hpp"

#include <algorithm>

#include "program/draft.hpp"
#include "redistribution/redistribution.hpp"

namespace sixstep::program {

namespace {

/// The columns of a tile: as many as a strip has. Where each tile gets a part of every row's
/// transform, all tiles shall be alike if a slightly narrower tile allows it.
Index tile_of(Index columns, Index widest, bool parts_of_transforms) {
  for (Index tile = widest; parts_of_transforms && 4 * tile >= 3 * widest; --tile)
    if (columns % tile == 0) return tile;
  return widest;
}

/// The counts of a tile of fields, of `elements` each: whole vectors, if at most twice the width
/// makes them.
Index tile_of_fields(Index elements, Index widest) {
  constexpr Index vector = 8;
  Index const least = widest / elements;
  for (Index tile = least; tile <= 2 * least; ++tile)
    if (tile * elements % vector == 0) return tile;
  return least;
}

/// The array as `from` deals it out, but in the order in which `to` will read it, in tiles of the
/// columns that are transformed at a time, if any are. Empty if the two have different axes.
std::optional<layout::Placement> as_read(layout::Placement const& from, layout::Placement const& to,
                                         Neighbours const& axes, Index widest_tile) {
  if (!(from.view == to.view)) return std::nullopt;
  Order const& order = to.layout.order();
  int const fastest = order.back();
  int rows = fastest;  // the user's axis that is transformed
  for (int user = 0; user < order.size(); ++user)
    for (int digit : from.view.digits[user])
      if (axes.behind == digit) rows = user;
  layout::Placement resting{from.layout.dense().with_order(order), from.view, from.number};
  if (rows == fastest) return resting;
  // Fields of a point that fill less than half a tile form columns together with further points.
  int first = order.size() - 1;  // position of the slowest axis of columns
  Index elements = 1;            // in a count along it
  for (; first > 0 && order[first - 1] != rows; --first) {
    PerAxis<int> const& digits = from.view.digits[order[first]];
    Index const together = elements * from.layout.shape()[order[first]];
    bool const is_field = digits.size() == 1 && contains(axes.untransformed, digits[0]);
    if (!is_field || 2 * together > widest_tile) break;
    elements = together;
  }
  int const column = order[first];
  Order tiled;
  for (int position = 0; position < first; ++position)
    if (order[position] != rows) tiled.push_back(order[position]);
  tiled.push_back(rows);
  for (int position = first; position < order.size(); ++position)
    if (order[position] != rows) tiled.push_back(order[position]);
  resting.layout = from.layout.dense().with_order(tiled);
  bool const can_be_cut = from.view.digits[column].size() == 1 &&
                          from.view.digits[rows].size() == 1 && from.layout.whole(column);
  Index const columns = from.layout.shape()[column];
  bool const parts = can_be_cut && axes.before == from.view.digits[column][0];
  Index const tile =
      elements == 1 ? tile_of(columns, widest_tile, parts) : tile_of_fields(elements, widest_tile);
  if (can_be_cut && columns > tile) {
    resting.tile = tile;
    resting.tile_axis = column;
  }
  return resting;
}

}  // namespace

Exchanges::Exchanges(schedule::Schedule const& schedule) : schedule_(schedule) {
  std::optional<int> before;
  for (schedule::Stage const& stage : schedule.stages) {
    if (auto const* fft = std::get_if<schedule::Fft>(&stage)) {
      if (!exchanges_.empty() && !exchanges_.back().axes.behind)
        exchanges_.back().axes.behind = fft->axis;
      before = fft->axis;
    }
    if (auto const* transpose = std::get_if<schedule::Transpose>(&stage))
      exchanges_.push_back({transpose, {before, {}, schedule::untransformed(schedule)}});
  }
}

bool Exchanges::is_of_boxes(std::size_t i) const {
  return exchanges_[i].transpose->from.is_boxes() && exchanges_[i].transpose->to.is_boxes();
}

std::size_t Exchanges::partners(std::size_t i, int rank) const {
  schedule::Transpose const& exchange = *exchanges_[i].transpose;
  return redistribution::partners(exchange.from.pieces(rank), exchange.to).size();
}

std::vector<layout::Placement> Exchanges::rests(std::size_t i,
                                                std::optional<layout::Placement> const& before,
                                                Index tile_row_bytes) const {
  layout::Placement const &from = exchanges_[i].transpose->from, &to = exchanges_[i].transpose->to;
  std::vector<layout::Placement> found;
  auto const add = [&](std::optional<layout::Placement> const& rest) {
    if (rest && std::find(found.begin(), found.end(), *rest) == found.end()) found.push_back(*rest);
  };
  if (before && before->view == from.view && before->number == from.number) add(before);
  // If it rests in the output's placement, the last pass works in place and writes only what it
  // has just read.
  layout::Placement const& output = schedule_.output;
  if (to == output || (output.layout.has_ghosts() && output.view == from.view &&
                       output.number == from.number && same_owners(from, output)))
    add(output);
  add(as_read(from, to, exchanges_[i].axes, tile_row_bytes / schedule_.bytes_of(from.number)));
  add(from);
  add(to);
  return found;
}

}  // namespace sixstep::program
