// SPDX-License-Identifier: BSD-3-Clause
// Drafts: the steps of one rank, once it is decided how each exchange is done, and what is known of
// where the array is between them; the buffers are yet to be chosen.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "program/limits.hpp"
#include "program/program.hpp"
#include "tuning.hpp"

namespace sixstep::program {

/// A window of an array along a working axis that all ranks hold whole, to be worked on as if it
/// were an array of its own.
struct Excerpt {
  layout::Placement array;
  layout::Window window;

  /// Where the rank's part of the window lies in its array.
  Pieces pieces(int rank) const;
};

/// What many drafts have in common, worked out once: what exchanges move, and what waits next to
/// them.
class Made {
 public:
  /// Of what the moves of an exchange depend on; windows are those of the exchange.
  struct Moving {
    int rank;
    std::size_t exchange;
    int windows;
    Way way;
    bool operator==(Moving const&) const = default;
  };
  using Moves = std::shared_ptr<redistribution::Redistribution const>;

  /// Of what the waits of a sweep next to an exchange by messages depend on.
  struct Waiting {
    Moving moving;
    std::optional<Way> beyond;  // of the exchange at the other end of the sweep's leg, if any
    bool is_before;             // the sweep is before the exchange
    Index last_cache_bytes;     // what decides which passes are a sweep
    bool operator==(Waiting const&) const = default;
  };

  template <class Make>
  Moves moves(Moving const& wanted, Make const& make) {
    return get(moves_, wanted,
               [&] { return std::make_shared<redistribution::Redistribution>(make()); });
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

  std::vector<std::pair<Moving, Moves>> moves_;
  std::vector<std::pair<Waiting, Index>> waits_;
};

/// What is to be compiled: a schedule for such arrays, as a whole or for an excerpt of its input,
/// which is its output too.
struct Job {
  schedule::Schedule const& schedule;
  Arrays arrays;
  Limits limits;
  Tuning tuning;
  Excerpt const* excerpt = nullptr;
  std::shared_ptr<Made> made = std::make_shared<Made>();  // for this schedule
};

/// What a buffer must be for the array to be in it at some point of a program.
struct Stop {
  Index reals = 0;         // on this rank
  Index padding = 0;       // of these, which are not counted when programs are compared
  bool fits_input = true;  // on every rank where the array rests, else on this one
  bool fits_output = true;
  std::optional<Buffer> buffer = {};  // it can be no other
};

/// A step from stop to stop, and what is known of it that the choice of buffers needs. The flags
/// are of the last sweep between two moves of which one at least goes by common memory: what it
/// writes, other ranks may be reading or writing.
struct DraftStep {
  std::variant<Sweep, Move, Meeting> work;
  bool ends = false;         // it is such a sweep
  bool on_the_spot = false;  // on all ranks, every element ends up where it lay behind the move
                             // before: the same buffer will do
  bool abroad = false;       // some of what it writes lies in the memory of other ranks
  Index waits = 0;           // into the buffer from which the step before leads, it would have to
                             // wait for so many quarters of that
};

/// Step i leads from stop i to stop i + 1.
struct Draft {
  std::vector<DraftStep> steps;
  std::vector<Stop> stops;

  Index sweeps() const;
};

/// The steps of `rank`; with `packs_input` the first of them copies the input to a dense array.
Draft make_draft(Job const& job, int rank, std::vector<Way> const& ways, bool packs_input = false);

/// Whether every element is on the same rank.
bool same_owners(layout::Placement const& a, layout::Placement const& b);

}  // namespace sixstep::program
