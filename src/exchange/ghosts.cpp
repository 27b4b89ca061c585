// SPDX-License-Identifier: BSD-3-Clause
// Exchanges of ghosts: images of boxes, packed row by row.
#include "exchange/ghosts.hpp"

#include <cstring>
#include <string>
#include <utility>

#include "sixstep/indices.hpp"

namespace sixstep::exchange {

namespace {

Range shifted(Range const& range, Index by) { return {range.lo + by, range.hi + by, range.step}; }

/// A rank's box with its ghosts.
Box around(Layout const& layout, int rank) {
  Box box = layout.box(rank);
  Ghosts const ghosts = layout.ghosts(rank);
  for (int axis = 0; axis < box.axes() && !box.empty(); ++axis) {
    box.ranges[axis].lo -= ghosts.before[axis];
    box.ranges[axis].hi += ghosts.after[axis];
  }
  return box;
}

/// The first and the last number of extents by which a shifted array meets a range.
std::pair<Index, Index> turns(Range const& range, Index extent, Boundary boundary) {
  if (boundary == Boundary::open) return {0, 0};
  auto const floor = [&](Index i) { return i >= 0 ? i / extent : -((extent - 1 - i) / extent); };
  return {floor(range.lo), floor(range.hi - 1)};
}

}  // namespace

std::vector<Image> images(Layout const& layout, PerAxis<Boundary> const& boundaries, int rank,
                          int owner) {
  std::vector<Image> found;
  Box const wanted = around(layout, rank), held = layout.box(owner);
  if (wanted.empty() || held.empty()) return found;
  PerAxis<std::pair<Index, Index>> all_turns;
  for (int axis = 0; axis < layout.axes(); ++axis)
    all_turns.push_back(turns(wanted.ranges[axis], layout.shape()[axis], boundaries[axis]));
  Shape turn;
  for (auto const& [first, last] : all_turns) turn.push_back(first);
  for (int axis = 0; axis >= 0;) {
    bool is_itself = rank == owner;
    Image image{.there = held, .here = held};
    for (int a = 0; a < layout.axes(); ++a) {
      Index const by = turn[a] * layout.shape()[a];
      image.here.ranges[a] = intersect(shifted(held.ranges[a], by), wanted.ranges[a]);
      image.there.ranges[a] = shifted(image.here.ranges[a], -by);
      is_itself = is_itself && by == 0;
    }
    if (!is_itself && !image.here.empty()) found.push_back(image);
    for (axis = layout.axes() - 1; axis >= 0; --axis) {
      if (++turn[axis] <= all_turns[axis].second) break;
      turn[axis] = all_turns[axis].first;
    }
  }
  return found;
}

GhostExchange::GhostExchange(Layout const& layout, PerAxis<Boundary> const& boundaries,
                             mpi::Communicator const& comm, std::size_t element_bytes)
    : comm_(comm), layout_(layout), element_bytes_(element_bytes) {
  require(boundaries.size() == layout.axes(), "boundaries: ", layout.axes(),
          " are needed, one an axis, ", boundaries.size(), " were given");
  for (int rank = 0; rank < layout.ranks(); ++rank) {
    Ghosts const ghosts = layout.ghosts(rank);
    for (int axis = 0; axis < layout.axes(); ++axis)
      require(
          ghosts.before[axis] + ghosts.after[axis] == 0 || layout.box(rank).ranges[axis].step == 1,
          "layout: axes with ghosts must be in blocks, axis ", axis, " of ",
          [&] { return layout.describe(); }, " is cyclic");
  }
  tags_ = comm.take_tags(1);
  int const mine = comm.rank();
  for (int partner = 0; partner < layout.ranks(); ++partner) {
    std::vector<Box> sent, received;
    for (Image const& image : images(layout, boundaries, partner, mine))
      sent.push_back(image.there);
    for (Image const& image : images(layout, boundaries, mine, partner))
      received.push_back(image.here);
    append(sends_, partner, sent);
    append(receives_, partner, received);
  }
  std::size_t bytes = 0;
  for (std::vector<Message> const* messages : {&sends_, &receives_})
    for (Message const& message : *messages) bytes += message.bytes;
  packed_.resize(bytes);
}

void GhostExchange::append(std::vector<Message>& messages, int partner,
                           std::vector<Box> const& boxes) {
  if (boxes.empty()) return;
  Message& message = messages.emplace_back(Message{partner, {}});
  for (Box const& box : boxes) {
    message.parts.push_back(rows_of(box));
    message.bytes += static_cast<std::size_t>(box.volume()) * element_bytes_;
  }
}

GhostExchange::Rows GhostExchange::rows_of(Box const& box) const {
  int const mine = comm_.rank(), fastest = layout_.order().back();
  Box const all = around(layout_, mine);
  Shape const strides = layout_.strides(mine);
  Box firsts = box;
  firsts.ranges[fastest].hi = firsts.ranges[fastest].lo + 1;
  // On both sides rows follow one another as in an array in C order.
  Shape c_strides(box.axes(), 1);
  for (int axis = box.axes() - 2; axis >= 0; --axis)
    c_strides[axis] = c_strides[axis + 1] * firsts.ranges[axis + 1].count();
  Rows rows{{}, static_cast<std::size_t>(box.ranges[fastest].count()) * element_bytes_};
  for_each(firsts, c_strides, [&](Shape const& point, Index) {
    Index place = 0;
    for (int axis = 0; axis < point.size(); ++axis) {
      Range const& range = all.ranges[axis];
      place += (point[axis] - range.lo) / range.step * strides[axis];
    }
    rows.begins.push_back(static_cast<std::size_t>(place) * element_bytes_);
  });
  return rows;
}

void GhostExchange::run(void* array) {
  int const tag = tags_.first();
  std::vector<MPI_Request> requests(receives_.size() + sends_.size(), MPI_REQUEST_NULL);
  if (!requests.empty()) mpi::require_own();
  MPI_Request* request = requests.data();
  auto* const elements = static_cast<std::byte*>(array);
  std::byte* place = packed_.data();
  for (Message const& message : sends_) {
    std::byte* const begin = place;
    for (Rows const& rows : message.parts)
      for (std::size_t row : rows.begins) {
        std::memcpy(place, elements + row, rows.bytes);
        place += rows.bytes;
      }
    mpi::Counted const bytes(MPI_BYTE, place - begin);
    MPI_Isend(begin, bytes.count(), bytes.type(), message.partner, tag, comm_, request++);
  }
  std::byte* const arrived = place;
  for (Message const& message : receives_) {
    mpi::Counted const bytes(MPI_BYTE, static_cast<Index>(message.bytes));
    MPI_Irecv(place, bytes.count(), bytes.type(), message.partner, tag, comm_, request++);
    place += message.bytes;
  }
  mpi::wait_all(requests, comm_.patience(), [] { return std::string("messages of ghosts"); });
  place = arrived;
  for (Message const& message : receives_)
    for (Rows const& rows : message.parts)
      for (std::size_t row : rows.begins) {
        std::memcpy(elements + row, place, rows.bytes);
        place += rows.bytes;
      }
}

}  // namespace sixstep::exchange
