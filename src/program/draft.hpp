// SPDX-License-Identifier: BSD-3-Clause
// Drafts: the steps of one rank once the way of each exchange is decided, and what is known about
// the place of the array between them. The buffers are not chosen yet.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "program/legs.hpp"
#include "program/limits.hpp"
#include "program/program.hpp"

namespace sixstep::program {

/// A window of an array along a working axis that all ranks hold whole, which is processed like a
/// separate array.
struct Excerpt {
  layout::Placement array;
  layout::Window window;

  /// Where the rank's part of the window lies in its array.
  Pieces pieces(int rank) const;
};

/// Results that many drafts of a schedule share, computed once: its legs, what exchanges move, and
/// the waits of sweeps and exchanges next to each other.
class Made {
 public:
  /// The moves of an exchange depend on these; `windows` are those of the exchange.
  struct Moving {
    int rank;
    std::size_t exchange;
    int windows;
    Way way;
    bool operator==(Moving const&) const = default;
  };
  using Moves = std::shared_ptr<redistribution::RankMessages const>;

  /// The waits of a sweep next to an exchange by messages depend on these.
  struct Waiting {
    Moving moving;
    std::optional<Way> beyond;  // of the exchange at the other end of the sweep's leg, if any
    bool is_before;             // the sweep is before the exchange
    Index last_cache_bytes;     // decides which passes form a sweep
    bool operator==(Waiting const&) const = default;
  };

  std::vector<Leg> const& legs(schedule::Schedule const& schedule) {
    if (legs_.empty()) legs_ = program::legs(schedule);
    return legs_;
  }
  template <class Make>
  Moves moves(Moving const& wanted, Make const& make) {
    return get(moves_, wanted,
               [&] { return std::make_shared<redistribution::RankMessages>(make()); });
  }
  template <class Make>
  Index waits(Waiting const& wanted, Make const& make) {
    return get(waits_, wanted, make);
  }

 private:
  template <class For, class What, class Make>
  static What get(std::vector<std::pair<For, What>>& all, For const& wanted, Make const& make) {
    for (auto const& [of, made] : all)
      if (of == wanted) return made;
    return all.emplace_back(wanted, make()).second;
  }

  std::vector<Leg> legs_;
  std::vector<std::pair<Moving, Moves>> moves_;
  std::vector<std::pair<Waiting, Index>> waits_;
};

/// A schedule to compile for these arrays, as a whole or for an excerpt of its input, which is its
/// output too.
struct ToCompile {
  schedule::Schedule const& schedule;
  Arrays arrays;
  Limits limits;
  Excerpt const* excerpt = nullptr;
  std::shared_ptr<Made> made = std::make_shared<Made>();  // for this schedule
};

/// The conditions that a buffer must meet to hold the array at one point of a program.
struct Stop {
  Index reals = 0;         // on this rank
  Index padding = 0;       // part of `reals`; not counted when programs are compared
  bool fits_input = true;  // on every rank if the array rests here, else on this one
  bool fits_output = true;
  std::optional<Buffer> buffer = {};  // the only one allowed
};

/// A step from one stop to the next, and what the choice of buffers needs to know about it. The
/// flags describe the last sweep of a leg next to a move through common memory: other ranks may be
/// reading or writing the memory that it writes.
struct DraftStep {
  std::variant<Sweep, Move, Meeting> work;
  bool ends = false;         // this is such a sweep
  bool on_the_spot = false;  // on all ranks, every element returns to its place after the previous
                             // move, so the same buffer will do
  bool abroad = false;       // it writes into the memory of other ranks
  Index waits = 0;           // quarters of the step before that it must wait for if it writes the
                             // buffer which that step reads
};

/// Step i leads from stop i to stop i + 1.
struct Draft {
  std::vector<DraftStep> steps;
  std::vector<Stop> stops;

  Index sweeps() const;
};

/// The steps of `rank`. If `packs_input`, the first of them copies the input to a dense array.
Draft make_draft(ToCompile const& given, int rank, std::vector<Way> const& ways,
                 bool packs_input = false);

/// Whether every element is on the same rank.
bool same_owners(layout::Placement const& a, layout::Placement const& b);

}  // namespace sixstep::program
