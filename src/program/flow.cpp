// SPDX-License-Identifier: BSD-3-Clause
// Flow: finds what windows read and write by footprints in granules of a buffer.
#include "program/flow.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>

#include "base/match.hpp"

namespace sixstep::program {

namespace {

using layout::Piece;
using redistribution::Message;

/// Elements from `offset` on, in reals.
struct Place {
  Index offset;
  Rows rows;
};

Place place_of(redistribution::Message const& message, layout::Number number) {
  Index const reals = layout::reals_of(number);
  Place place{message.offset * reals, message.rows};
  if (place.rows.empty()) place.rows.push_back({message.count, 1});
  for (Row& row : place.rows) row.stride *= reals;
  if (place.rows.back().stride == reals)
    place.rows.back() = {place.rows.back().count * reals, 1};
  else
    place.rows.push_back({reals, 1});
  return place;
}

/// Rows are slowest first, with dense axes joined.
Place place_of(layout::Piece const& piece, layout::Number number) {
  Index const reals = layout::reals_of(number);
  Place place{piece.offset * reals, {}};
  Rows axes{{reals, 1}};
  for (int axis = 0; axis < piece.box.axes(); ++axis)
    if (Index const count = piece.box.ranges[axis].count(); count > 1)
      axes.push_back({count, piece.strides[axis] * reals});
  std::sort(axes.begin(), axes.end(),
            [](Row const& a, Row const& b) { return a.stride > b.stride; });
  for (Row const& row : axes) {
    if (!place.rows.empty() && place.rows.back().stride == row.count * row.stride)
      place.rows.back() = {place.rows.back().count * row.count, row.stride};
    else
      place.rows.push_back(row);
  }
  return place;
}

/// How many elements the rows span.
Index span_of(std::span<Row const> rows) {
  Index last = 0;
  for (Row const& row : rows) last += (row.count - 1) * row.stride;
  return last + 1;
}

/// The windows that read each granule of a buffer.
class Footprints {
 public:
  /// For a buffer of `reals`, in which every place begins and ends at a multiple of `unit`.
  /// Granules are multiples of it too, so that they separate neighbours.
  Footprints(Index reals, Index unit) : granule_((reals / granules / unit + 1) * unit) {
    windows_.resize(static_cast<std::size_t>(reals / granule_ + 1));
  }

  void add(Place const& place, Windows windows) {
    visit(place.offset, place.rows, [&](Windows& here) { here |= windows; });
  }
  /// The windows that read any granule of a place.
  Windows at(Place const& place) {
    Windows found = 0;
    visit(place.offset, place.rows, [&](Windows const& here) { found |= here; });
    return found;
  }

 private:
  static constexpr Index granules = 4096;

  /// Rows that fit a granule count as everything that they span.
  template <class Visit>
  void visit(Index offset, std::span<Row const> rows, Visit const& each) {
    Index const reach = span_of(rows);
    if (rows.size() == 1 || reach <= granule_) {
      auto const end =
          std::min<Index>((offset + reach - 1) / granule_ + 1, static_cast<Index>(windows_.size()));
      for (Index i = offset / granule_; i < end; ++i) each(windows_[static_cast<std::size_t>(i)]);
      return;
    }
    for (Index i = 0; i < rows.front().count; ++i)
      visit(offset + i * rows.front().stride, rows.subspan(1), each);
  }

  Index granule_;
  std::vector<Windows> windows_;
};

/// A place that a window reads or writes.
struct Use {
  Place place;
  int window;
};

/// The windows of a sweep are those of its cut; the windows of a move are those of the receivers.
std::vector<Use> reads(Sweep const& sweep) {
  std::vector<Use> found;
  for (int window = 0; window < sweep.cut_windows(); ++window)
    for (layout::Piece const& piece : sweep.source_of(window))
      found.push_back({place_of(piece, sweep.passes.front().source_number), window});
  return found;
}

std::vector<Use> reads(Move const& move) {
  std::vector<Use> found;
  for (redistribution::Message const& message : move.moves->send.messages)
    found.push_back({place_of(message, move.number()), message.behind});
  return found;
}

template <class Work>
Footprints footprints(Work const& work) {
  std::vector<Use> const uses = reads(work);
  Index reals = 0, unit = 0;
  for (Use const& use : uses) {
    reals = std::max(reals, use.place.offset + span_of(use.place.rows));
    unit = std::gcd(unit, use.place.offset);
    for (Row const& row : use.place.rows)
      unit = std::gcd(unit, row.stride == 1 ? row.count : row.stride);
  }
  Footprints found(reals, std::max<Index>(1, unit));
  for (Use const& use : uses) found.add(use.place, redistribution::bit(use.window));
  return found;
}

/// The windows that must have read before a window of the sweep writes.
Windows room_for(Sweep const& sweep, int window, Footprints& read) {
  Windows after = 0;
  for (layout::Piece const& piece : sweep.target_of(window))
    after |= read.at(place_of(piece, sweep.passes.back().target_number));
  return after;
}

Windows room_for(Move const& move, redistribution::Message const& message, Footprints& read) {
  return read.at(place_of(message, move.number()));
}

/// Whether a step in place leaves less than it reads, so that whoever reads its results does not
/// read all of that memory: a c2r leaves n reals of n/2 + 1 complex numbers, and a transform may
/// drop modes.
bool shrinks(Step const& step) {
  auto const* sweep = std::get_if<Sweep>(&step.work);
  if (!sweep) return false;
  Pass const& first = sweep->passes.front();
  Pass const& last = sweep->passes.back();
  return first.box.volume() * layout::reals_of(first.source_number) >
         last.target_box.volume() * layout::reals_of(last.target_number);
}

/// The steps that read the buffer which step i writes, and write another or shrink what they read;
/// empty if step i stays in its buffer.
std::vector<std::size_t> left_by(std::vector<Step> const& steps, std::size_t i) {
  std::vector<std::size_t> found;
  Buffer const buffer = steps[i].target;
  if (steps[i].source == buffer) return found;
  for (std::size_t before = 0; before < i; ++before)
    if (steps[before].source == buffer &&
        (steps[before].target != buffer || shrinks(steps[before])))
      found.push_back(before);
  return found;
}

/// How many quarters of `windows` successive windows are over before the last of `some` begins.
int quarters_before(Windows some, int windows) {
  return some == 0 ? 0 : 4 * (static_cast<int>(std::bit_width(some)) - 1) / windows;
}

}  // namespace

void find_room(std::vector<Step>& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].after_all_of = left_by(steps, i);
    if (steps[i].after_all_of.empty()) continue;
    steps[i].behind = steps[i].after_all_of.back();
    steps[i].after_all_of.pop_back();
    Footprints read = std::visit(match{[](Meeting const&) { return Footprints(0, 1); },
                                       [](auto const& work) { return footprints(work); }},
                                 steps[*steps[i].behind].work);
    auto const sweep_after = [&](Sweep& sweep) {
      for (int window = 0; window < sweep.cut_windows(); ++window)
        sweep.after.push_back(room_for(sweep, window, read));
    };
    auto const receive_after = [&](Move& move) {
      auto const moves = std::make_shared<redistribution::RankMessages>(*move.moves);
      for (redistribution::Message& message : moves->receive.messages)
        message.after = room_for(move, message, read);
      move.moves = moves;
    };
    std::visit(match{sweep_after, receive_after, [](Meeting const&) {}}, steps[i].work);
  }
}

bool keeps_pace(std::vector<Step> const& steps) {
  auto const has_room = [](Windows after, int window) {
    return static_cast<int>(std::bit_width(after)) <= window + 1;
  };
  auto const sweep_keeps_pace = [&](Sweep const& sweep) {
    for (std::size_t window = 0; window < sweep.after.size(); ++window)
      if (!has_room(sweep.after[window], static_cast<int>(window))) return false;
    return true;
  };
  auto const move_keeps_pace = [&](Move const& move) {
    std::vector<Message> const& messages = move.moves->receive.messages;
    return std::all_of(messages.begin(), messages.end(), [&](Message const& message) {
      return has_room(message.after, message.before);
    });
  };
  return std::all_of(steps.begin(), steps.end(), [&](Step const& step) {
    return step.after_all_of.empty() &&
           std::visit(match{sweep_keeps_pace, move_keeps_pace, [](Meeting const&) { return true; }},
                      step.work);
  });
}

int quarters_waited(Sweep const& before, Move const& next) {
  Footprints read = footprints(before);
  Windows first = 0;
  for (redistribution::Message const& message : next.moves->receive.messages)
    if (message.before == 0 && message.behind == 0) first |= room_for(next, message, read);
  return quarters_before(first, before.cut_windows());
}

int quarters_waited(Move const& before, Sweep const& next) {
  if (next.cut_windows() == 0) return 0;
  int windows = 0;
  for (redistribution::Message const& message : before.moves->send.messages)
    windows = std::max(windows, message.behind + 1);
  Footprints read = footprints(before);
  return quarters_before(room_for(next, 0, read), windows);
}

}  // namespace sixstep::program
