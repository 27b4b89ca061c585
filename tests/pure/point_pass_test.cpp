// SPDX-License-Identifier: BSD-3-Clause
// Passes with an operation at points: it sees each point of the window once, with the point's
// index and number, whatever pieces either side has.
#include "sweep/point_pass.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cases.hpp"
#include "oracles/fourier.hpp"

namespace sixstep::sweep {
namespace {

using cases::Random;
using layout::Piece;
using layout::Pieces;
using oracle::at;
using Element = std::int64_t;

/// A number for each index: no two alike.
Element code(Shape const& index) {
  Element sum = 1;
  for (Index i : index) sum = sum * 100 + i;
  return sum;
}

/// Copies each point's number to its place, and counts the points whose element is not the code of
/// their index.
struct Numbers : program::OnPoints {
  Index fields = 1;
  int fields_axis = -1;
  Index field_step = 0;
  mutable Index wrong = 0;

  void apply(program::PointBlock const& block) const override {
    for (Index row = 0; row < block.rows.count; ++row)
      for (Index point = 0; point < block.points.count; ++point)
        for (Index field = 0; field < fields; ++field) {
          auto const place = [&](program::PointBlock::Steps const& steps) {
            return row * steps.row + point * steps.point + field * steps.field;
          };
          Shape index = block.index;
          index[block.points.axis] += point * block.points.index_step;
          index[block.rows.axis] += row * block.rows.index_step;
          if (fields_axis >= 0) index[fields_axis] += field * field_step;
          wrong +=
              static_cast<Element const*>(block.source)[place(block.from)] == code(index) ? 0 : 1;
          static_cast<Element*>(block.target)[place(block.to)] =
              block.number + point * block.points.number_step + row * block.rows.number_step;
        }
  }
};

/// Strides of a dense array in a random memory order.
Shape dense_strides(Random& random, Shape const& extents) {
  Shape strides(extents.size(), 0);
  Order const order = cases::random_order(random, extents.size());
  Index stride = 1;
  for (int i = extents.size() - 1; i >= 0; --i) {
    strides[order[i]] = stride;
    stride *= extents[order[i]];
  }
  return strides;
}

/// A box as pieces one behind the other: its indices along an axis are dealt out in blocks or in
/// turn. Each piece holds the axis `whole` as a whole.
Pieces random_pieces(Random& random, Box const& box, int whole) {
  Pieces pieces;
  int const axis = random.between(0, box.axes() - 1);
  Range const& range = box.ranges[axis];
  Index const parts =
      axis == whole ? 1 : std::min(random.between(Index{1}, Index{3}), range.count());
  bool const in_turn = random.once_in(2);
  Index offset = 0;
  for (Index part = 0; part < parts; ++part) {
    Piece piece{box, offset, {}};
    auto const index = [&](Index count) { return range.lo + count * range.step; };
    Index const first = part * range.count() / parts, end = (part + 1) * range.count() / parts;
    piece.box.ranges[axis] = in_turn ? Range{index(part), range.hi, parts * range.step}
                                     : Range{index(first), index(end - 1) + 1, range.step};
    piece.strides = dense_strides(random, piece.box.shape());
    offset += volume(piece.box.shape());
    pieces.push_back(piece);
  }
  return pieces;
}

/// A side of a pass: in an array, or in scratch that begins anew with each part of a window.
struct Side {
  Pieces pieces;
  bool is_scratch;
  std::vector<Element> elements;

  Side(Random& random, Box const& box, Shape const& part, bool in_scratch, int whole)
      : pieces(in_scratch ? Pieces{{box, 0, dense_strides(random, part)}}
                          : random_pieces(random, box, whole)),
        is_scratch(in_scratch),
        elements(at(volume(in_scratch ? part : box.shape())), 0) {}

  /// The element with an index in a part of the box that begins at `first`.
  Element& operator()(Shape const& index, Shape const& first) {
    for (Piece const& piece : pieces) {
      Index place = piece.offset;
      bool is_here = true;
      for (int axis = 0; axis < index.size(); ++axis) {
        Range const& range = piece.box.ranges[axis];
        Index const from = is_scratch ? first[axis] : range.lo;
        is_here = is_here && (index[axis] - from) % range.step == 0 && index[axis] >= range.lo &&
                  index[axis] < range.hi;
        place += (index[axis] - from) / range.step * piece.strides[axis];
      }
      if (is_here) return elements[at(place)];
    }
    ADD_FAILURE() << to_string(index) << " is in no piece";
    return elements[0];
  }
};

/// Counts of a box in parts: `part` of them along each axis at a time.
template <class Visit>
void for_each_part(Shape const& extents, Shape const& part, Visit const& visit) {
  Shape parts;
  for (int axis = 0; axis < extents.size(); ++axis)
    parts.push_back((extents[axis] + part[axis] - 1) / part[axis]);
  oracle::for_each_point(parts, [&](Shape const& number) {
    Shape lo, hi;
    for (int axis = 0; axis < extents.size(); ++axis) {
      lo.push_back(number[axis] * part[axis]);
      hi.push_back(std::min(lo[axis] + part[axis], extents[axis]));
    }
    visit(lo, hi);
  });
}

TEST(point_pass, an_operation_sees_each_point_of_a_window_with_its_index_and_number) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Random random(seed);
    int const axes = random.between(2, 4);
    Box box;
    for (Index const extent : cases::random_shape(random, axes, 150)) {
      Index const lo = random.between(0, 5), step = random.between(1, 3);
      box.ranges.push_back({lo, lo + (extent - 1) * step + 1, step});
    }
    Shape const extents = box.shape();
    Shape part = extents;
    program::Sweep sweep;
    sweep.window_axis = random.between(-1, axes - 1);
    if (sweep.window_axis >= 0)
      part[sweep.window_axis] = sweep.window = random.between(Index{1}, extents[sweep.window_axis]);
    int const other = random.between(0, axes - 1);
    if (sweep.window_axis >= 0 && other != sweep.window_axis && random.once_in(2)) {
      part[other] = random.between(Index{1}, extents[other]);
      sweep.stacked.push_back({other, part[other]});
    }

    Numbers operation;
    program::Pass pass;
    pass.box = pass.target_box = box;
    pass.at_points = schedule::AtPoints{};
    int const fields = random.between(0, axes - 1);
    if (random.once_in(3) && part[fields] == extents[fields]) {
      pass.at_points->mixes = true;
      pass.at_points->axis = operation.fields_axis = fields;
      operation.fields = extents[fields];
      operation.field_step = box.ranges[fields].step;
    }
    pass.numbering = {.box = box, .strides = dense_strides(random, extents)};
    if (operation.fields_axis >= 0) pass.numbering.strides[fields] = 0;
    pass.from_scratch = random.once_in(2);
    pass.to_scratch = random.once_in(3);
    int const whole = operation.fields_axis;
    Side source(random, box, part, pass.from_scratch, whole);
    Side target(random, box, part, pass.to_scratch, whole);
    pass.source = source.pieces;
    pass.target = target.pieces;
    PointPass const points(pass, sweep, sizeof(Element));
    program::OnPoints const* const operations[] = {&operation};
    Mode mode;
    mode.operations = operations;

    Index missed = 0;
    for_each_part(extents, part, [&](Shape const& lo, Shape const& hi) {
      Region region{{}, sweep.stacked, lo};
      if (sweep.window_axis >= 0)
        region.window = {sweep.window_axis, lo[sweep.window_axis], hi[sweep.window_axis]};
      auto const for_each_index = [&](auto const& visit) {
        Box inner;
        for (int axis = 0; axis < axes; ++axis) inner.ranges.push_back({lo[axis], hi[axis], 1});
        auto const index_of = [&](Shape counts) {
          for (int axis = 0; axis < axes; ++axis)
            counts[axis] = box.ranges[axis].lo + counts[axis] * box.ranges[axis].step;
          return counts;
        };
        oracle::for_each_point(
            inner, [&](Shape const& counts) { visit(counts, index_of(counts), index_of(lo)); });
      };
      for_each_index([&](Shape const&, Shape const& index, Shape const& first) {
        source(index, first) = code(index);
        target(index, first) = -1;
      });
      points.run(source.elements.data(), target.elements.data(), region, mode, nullptr);
      for_each_index([&](Shape const& counts, Shape const& index, Shape const& first) {
        missed += target(index, first) == pass.numbering.number(counts) ? 0 : 1;
      });
    });
    ASSERT_EQ(operation.wrong, 0) << "seed " << seed;
    ASSERT_EQ(missed, 0) << "seed " << seed;
  }
}

}  // namespace
}  // namespace sixstep::sweep
