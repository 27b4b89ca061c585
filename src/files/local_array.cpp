// SPDX-License-Identifier: BSD-3-Clause
// A rank's part of an array, piece by piece.
#include "files/local_array.hpp"

#include <algorithm>
#include <array>

namespace sixstep::files {

namespace {

/// Calls with_bytes() with an array of `element_bytes` bytes, whose copies are single instructions.
template <class WithBytes>
void for_size(Index element_bytes, WithBytes const& with_bytes) {
  switch (element_bytes) {
    case 1:
      return with_bytes(std::array<std::byte, 1>());
    case 2:
      return with_bytes(std::array<std::byte, 2>());
    case 4:
      return with_bytes(std::array<std::byte, 4>());
    case 8:
      return with_bytes(std::array<std::byte, 8>());
    case 16:
      return with_bytes(std::array<std::byte, 16>());
    default:
      require_internal(false, "elements of ", element_bytes, " bytes in a file");
  }
}

}  // namespace

Pieces::Pieces(Shape const& counts, Index most) : counts_(counts), cut_(counts.size() - 1) {
  if (volume(counts) == 0) return;
  Index inner = 1;
  for (; cut_ > 0 && inner * counts[cut_] <= most; --cut_) inner *= counts[cut_];
  block_ = std::max<Index>(1, most / inner);
  blocks_ = (counts[cut_] + block_ - 1) / block_;
  count_ = blocks_;
  for (int axis = 0; axis < cut_; ++axis) count_ *= counts[axis];
}

Box Pieces::operator[](Index piece) const {
  Box box;
  for (Index const count : counts_) box.ranges.push_back({0, count});
  Index const lo = piece % blocks_ * block_;
  box.ranges[cut_] = {lo, std::min(lo + block_, counts_[cut_])};
  Index outer = piece / blocks_;
  for (int axis = cut_; axis-- > 0; outer /= counts_[axis])
    box.ranges[axis] = {outer % counts_[axis], outer % counts_[axis] + 1};
  return box;
}

LocalArray::LocalArray(Layout const& layout, int rank, Index element_bytes)
    : box_(layout.box(rank)),
      strides_(layout.strides(rank)),
      offset_(layout.offset(rank)),
      element_bytes_(element_bytes) {}

Index LocalArray::offset(Shape const& position) const {
  Index offset = offset_;
  for (int axis = 0; axis < position.size(); ++axis) offset += position[axis] * strides_[axis];
  return offset;
}

void LocalArray::gather(Box const& piece, void const* array, std::byte* buffer) const {
  for_size(element_bytes_, [&](auto element) {
    using Element = decltype(element);
    auto const* const elements = static_cast<Element const*>(array);
    auto* to = reinterpret_cast<Element*>(buffer);
    Index const count = piece.ranges.back().count(), stride = row_stride();
    for_each_row(piece, [&](Index first) {
      for (Index i = 0; i < count; ++i) *to++ = elements[first + i * stride];
    });
  });
}

void LocalArray::scatter(Box const& piece, std::byte const* buffer, void* array) const {
  for_size(element_bytes_, [&](auto element) {
    using Element = decltype(element);
    auto const* from = reinterpret_cast<Element const*>(buffer);
    auto* const elements = static_cast<Element*>(array);
    Index const count = piece.ranges.back().count(), stride = row_stride();
    for_each_row(piece, [&](Index first) {
      for (Index i = 0; i < count; ++i) elements[first + i * stride] = *from++;
    });
  });
}

}  // namespace sixstep::files
