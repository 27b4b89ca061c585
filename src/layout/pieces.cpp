// SPDX-License-Identifier: BSD-3-Clause
// Lists of pieces: how they are stored, joined and compared.
#include "layout/pieces.hpp"

#include <optional>

namespace sixstep::layout {

namespace {

/// Appends `b` to `a` along `axis`, if that makes one piece.
std::optional<Piece> join(Piece const& a, Piece const& b, int axis) {
  if (a.segment != b.segment) return std::nullopt;
  for (int other = 0; other < a.box.axes(); ++other) {
    if (other == axis) continue;
    if (!(a.box.ranges[other] == b.box.ranges[other])) return std::nullopt;
    if (a.box.ranges[other].count() > 1 && a.strides[other] != b.strides[other])
      return std::nullopt;
  }
  Range const& left = a.box.ranges[axis];
  Range const& right = b.box.ranges[axis];
  Index const step = left.count() > 1 ? left.step : right.lo - left.lo;
  Index const stride = left.count() > 1 ? a.strides[axis] : b.offset - a.offset;
  if (step < 1 || stride < 1 || right.lo != left.lo + left.count() * step ||
      b.offset != a.offset + left.count() * stride)
    return std::nullopt;
  if (right.count() > 1 && (right.step != step || b.strides[axis] != stride)) return std::nullopt;
  Piece joined = a;
  Index const last = right.lo + (right.count() - 1) * step;
  joined.box.ranges[axis] = {left.lo, last + 1, step};
  joined.strides[axis] = stride;
  return joined;
}

/// Joins all pieces that continue the piece before them along `axis`.
void join_along(Pieces& pieces, int axis) {
  Piece open = pieces.front();
  std::size_t closed = 0;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    Piece const next = pieces[i];
    if (auto const both = join(open, next, axis)) {
      open = *both;
    } else {
      pieces.put(closed++, open);
      open = next;
    }
  }
  pieces.put(closed, open);
  pieces.shrink(closed + 1);
}

/// Whether a piece has elements of a larger one, in the same places.
bool is_part(Piece const& part, Piece const& whole) {
  Index offset = whole.offset;
  for (int axis = 0; axis < part.box.axes(); ++axis) {
    Range const &range = part.box.ranges[axis], &all = whole.box.ranges[axis];
    Index const before = range.lo - all.lo;
    if (before < 0 || before % all.step != 0 ||
        before + (range.count() - 1) * range.step > (all.count() - 1) * all.step)
      return false;
    offset += before / all.step * whole.strides[axis];
    bool const lies_alike = range.step % all.step == 0 &&
                            part.strides[axis] == range.step / all.step * whole.strides[axis];
    if (range.count() > 1 && !lies_alike) return false;
  }
  return part.offset == offset && part.segment == whole.segment;
}

bool are_parts(Pieces const& pieces, Piece const& whole) {
  for (Piece const& piece : pieces)
    if (!is_part(piece, whole)) return false;
  return true;
}

}  // namespace

Index reach(Shape const& extents, Shape const& strides) {
  Index last = 0;
  for (int axis = 0; axis < extents.size(); ++axis) last += (extents[axis] - 1) * strides[axis];
  return last + 1;
}

Piece Pieces::operator[](std::size_t i) const {
  Index const* word = words_.data() + i * words_a_piece();
  Piece piece;
  piece.offset = word[0];
  piece.segment = static_cast<int>(word[1]);
  for (int axis = 0; axis < axes_; ++axis) {
    word += axis == 0 ? 2 : 4;
    piece.box.ranges.push_back({word[0], word[1], word[2]});
    piece.strides.push_back(word[3]);
  }
  return piece;
}

bool Pieces::operator==(Pieces const& other) const {
  return size_ == other.size_ && (size_ == 0 || (axes_ == other.axes_ && words_ == other.words_));
}

void Pieces::push_back(Piece const& piece) {
  if (empty()) axes_ = piece.box.axes();
  words_.resize((size_ + 1) * words_a_piece());
  put(size_++, piece);
}

void Pieces::put(std::size_t i, Piece const& piece) {
  Index* word = words_.data() + i * words_a_piece();
  *word++ = piece.offset;
  *word++ = piece.segment;
  for (int axis = 0; axis < axes_; ++axis) {
    Range const& range = piece.box.ranges[axis];
    for (Index const value : {range.lo, range.hi, range.step, piece.strides[axis]}) *word++ = value;
  }
}

void Pieces::shrink(std::size_t size) {
  size_ = size;
  words_.resize(size_ * words_a_piece());
}

Pieces coalesce(Pieces pieces) {
  if (pieces.empty()) return pieces;
  int const axes = pieces.front().box.axes();
  for (std::size_t before = 0; before != pieces.size() && pieces.size() > 1;) {
    before = pieces.size();
    for (int axis = axes - 1; axis >= 0; --axis) join_along(pieces, axis);
  }
  Pieces joined;
  for (Piece piece : pieces) {
    for (int axis = 0; axis < axes; ++axis)
      if (piece.box.ranges[axis].count() == 1) piece.strides[axis] = 0;
    joined.push_back(piece);
  }
  return joined;
}

bool same_places(Pieces const& a, Pieces const& b) {
  if (a == b) return true;
  // Joining pieces takes long, and mostly one of the lists is a single piece.
  if ((a.size() == 1 && !are_parts(b, a.front())) || (b.size() == 1 && !are_parts(a, b.front())))
    return false;
  return coalesce(a) == coalesce(b);
}

Piece restrict(Piece const& piece, Box const& region) {
  Piece part = piece;
  part.box = intersect(piece.box, region);
  for (int axis = 0; axis < part.box.axes(); ++axis) {
    Range const &outer = piece.box.ranges[axis], &inner = part.box.ranges[axis];
    if (inner.empty()) return part;
    part.offset += (inner.lo - outer.lo) / outer.step * piece.strides[axis];
    if (inner.count() > 1) part.strides[axis] *= inner.step / outer.step;
  }
  return part;
}

}  // namespace sixstep::layout
