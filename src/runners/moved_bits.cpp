// SPDX-License-Identifier: BSD-3-Clause
// Compares a redistribution's arrays: rank by rank, or the sums of all ranks.
#include "runners/moved_bits.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/run_team.hpp"
#include "runners/parcels.hpp"
#include "sixstep/error.hpp"

namespace sixstep::runners {

namespace {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

std::string name_of(Direction direction) {
  return text(direction == Direction::forward ? "forward" : "backward", " redistribution");
}

std::uint64_t total(sweep::Tally const& tally) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < tally.parcels(); ++i) sum += tally.sum(i);
  return sum;
}

/// The longest axis of what an end has on this rank: [lo, hi) of it.
layout::Window longest_axis(verify::HandoverEnd const& end) {
  layout::Window longest{0, 0, 0};
  for (int axis = 0; axis < end.box.axes(); ++axis) {
    layout::Window here{axis, std::numeric_limits<Index>::max(), 0};
    for (verify::Parcel const& parcel : end.parcels)
      for (layout::Piece const& piece : parcel.pieces) {
        here.lo = std::min(here.lo, piece.box.ranges[axis].lo);
        here.hi = std::max(here.hi, piece.box.ranges[axis].hi);
      }
    if (here.hi > 0 && here.count() > longest.count()) longest = here;
  }
  return longest;
}

}  // namespace

MovedBits::MovedBits(layout::Placement const& input, layout::Placement const& output,
                     Index element_bytes, Site const& site)
    : site_(site),
      rank_(rank_in(site.comm)),
      ways_{make(Direction::forward, input, output, element_bytes),
            make(Direction::backward, output, input, element_bytes)} {}

MovedBits::Way MovedBits::make(Direction direction, layout::Placement const& from,
                               layout::Placement const& to, Index element_bytes) const {
  verify::Handover const what = verify::whole_handover(from, to, rank_);
  sweep::BeforeAdding const& before = site_.findings.before_adding;
  Way made{what, tally_of(sweep::End::written, what.written, element_bytes, before),
           tally_of(sweep::End::read, what.read, element_bytes, before)};
  if (!site_.by_ranks) return made;
  made.exchange = exchange_of(
      what.written, what.read,
      {site_.comm, site_.tags, static_cast<int>(direction), text("a ", name_of(direction))});
  made.sent.resize(what.written.parcels.size());
  made.received.resize(what.read.parcels.size());
  return made;
}

/// Each thread adds a part of the array, cut along its longest axis.
void MovedBits::add(sweep::Tally& to, verify::HandoverEnd const& end, void const* array) const {
  layout::Window const all = longest_axis(end);
  Index const parts = std::min<Index>(site_.threads, std::max<Index>(all.count(), 1));
  to.begin();
  run_team(static_cast<int>(parts), [&](int thread, int team) {
    sweep::Block block{Shape(end.box.axes(), 0), end.box.shape(), array};
    block.lo[all.axis] = all.lo + all.count() * thread / team;
    block.hi[all.axis] = all.lo + all.count() * (thread + 1) / team;
    to.add(block);
  });
}

void MovedBits::before(Direction direction, void const* in) {
  Way& here = way(direction);
  add(here.written, here.what.written, in);
}

bool MovedBits::after(Direction direction, void const* out) {
  Way& here = way(direction);
  add(here.read, here.what.read, out);
  if (!site_.by_ranks) {
    std::uint64_t difference = total(here.written) - total(here.read);
    mpi::reduce_to_all(site_.comm, &difference, 1, MPI_UINT64_T, MPI_SUM);
    return difference != 0;
  }
  put(here.written, here.sent);
  here.exchange->run(here.sent.data(), here.received.data());
  site_.findings.compared += static_cast<Index>(here.read.parcels());
  site_.findings.damage =
      damage_of(here.what.read, here.read, here.received, name_of(direction), rank_);
  return false;
}

}  // namespace sixstep::runners
