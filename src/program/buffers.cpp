// SPDX-License-Identifier: BSD-3-Clause
// Tries all assignments of buffers. Drops each as soon as it costs more than the best, or than
// another one that goes on alike.
#include "program/buffers.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>

namespace sixstep::program {

namespace {

/// Chooses the buffer at each stop by trying all.
///
/// While an array rests, other ranks may read their parts of it until this rank meets them at the
/// next rest, so nothing else is written there until then. A step that writes into the memory of
/// other ranks cannot use a buffer that has been in use since the last rest, because they may have
/// data there.
class BufferSearch {
 public:
  BufferSearch(Draft const& draft, Arrays const& arrays, bool may_copy, Index most_reals)
      : draft_(draft),
        arrays_(arrays),
        may_copy_(arrays.in_place && may_copy),
        most_reals_(most_reals) {
    for (DraftStep const& step : draft_.steps) {
      auto const* sweep = std::get_if<Sweep>(&step.work);
      may_stay_.push_back(sweep && sweep->may_work_in_place());
    }
  }

  Assignment run(Burden const& bound) {
    best_burden_ = bound;
    for (work_arrays_ = 2; work_arrays_ <= work_arrays && best_.empty(); ++work_arrays_) {
      tried_.clear();
      current_ = {arrays_.in_place ? Buffer::output : Buffer::input};
      if (allows(draft_.stops.front(), current_.front()))
        visit({.came_from = current_.front(), .in_use = bit(current_.front())});
      if (!best_.empty() || !may_copy_) continue;
      current_ = {Buffer::work_b};  // the input is copied there first
      visit({.work = {0, draft_.stops.front().reals},
             .changes = 1,
             .came_from = Buffer::work_b,
             .in_use = bit(Buffer::work_b) | bit(Buffer::output)});
    }
    return {best_, best_burden_};
  }

 private:
  struct State {
    std::array<Index, work_arrays> work = {};
    Index waits = 0;
    Index changes = 0;
    std::optional<Buffer> came_from = {};  // where the array rested last or began
    std::optional<Buffer> read_by_others = {};
    unsigned in_use = 0;  // a bit for each buffer used since the ranks last met

    /// Whether it costs no more than another one at the same place.
    bool is_as_cheap_as(State const& other) const {
      for (std::size_t i = 0; i < work.size(); ++i)
        if (work[i] > other.work[i]) return false;
      return waits <= other.waits && changes <= other.changes;
    }
  };
  /// All that the steps from here on depend on: how many steps there were, the last two buffers,
  /// and a state without its costs.
  using Place = std::tuple<std::size_t, Buffer, Buffer, std::optional<Buffer>,
                           std::optional<Buffer>, unsigned>;

  static unsigned bit(Buffer buffer) { return 1u << static_cast<unsigned>(buffer); }

  static bool allows(Stop const& stop, Buffer buffer) {
    if (stop.buffer && *stop.buffer != buffer) return false;
    return buffer == Buffer::input    ? stop.fits_input
           : buffer == Buffer::output ? stop.fits_output
                                      : true;
  }

  void visit(State const& state) {
    Index const reals = std::accumulate(state.work.begin(), state.work.end(), Index{0});
    Burden const burden{state.waits, reals, state.changes};
    if (reals > most_reals_ || burden >= best_burden_) return;
    std::size_t const step = current_.size() - 1;
    if (step == draft_.steps.size()) {
      if (current_.back() != Buffer::output) return;
      best_ = current_;
      best_burden_ = burden;
      return;
    }
    if (is_known(state)) return;
    auto const* move = std::get_if<Move>(&draft_.steps[step].work);
    for (Buffer next : {Buffer::output, Buffer::input, Buffer::work_a, Buffer::work_b,
                        Buffer::work_c, Buffer::work_d}) {
      int const number = static_cast<int>(next);
      if (number < work_arrays && number >= work_arrays_) continue;
      if (next == Buffer::input && (arrays_.in_place || arrays_.preserve_input)) {
        if (current_.back() != Buffer::input || !move ||
            move->way.medium == redistribution::Medium::messages)
          continue;
      }
      if (!may_go(step, move, next, state) || !allows(draft_.stops[step + 1], next)) continue;
      visit_next(step, move, next, state);
    }
  }

  /// Whether a state at the same place, from which all was tried, costs no more.
  bool is_known(State const& state) {
    std::size_t const step = current_.size() - 1;
    Buffer const last = current_.back(), before = current_[step - (step > 0 ? 1 : 0)];
    std::vector<State>& here =
        tried_[{step, last, before, state.came_from, state.read_by_others, state.in_use}];
    for (State const& other : here)
      if (other.is_as_cheap_as(state)) return true;
    here.push_back(state);
    return false;
  }

  bool may_go(std::size_t step, Move const* move, Buffer next, State const& state) const {
    bool const stays = next == current_.back();
    if (move && move->way.medium != redistribution::Medium::messages) return stays;
    if (stays && !may_stay_[step]) return false;
    DraftStep const& here = draft_.steps[step];
    if (here.on_the_spot && next == state.came_from) return true;
    if (here.abroad && (state.in_use & bit(next)) != 0) return false;
    // A rank with almost no elements could allow this, but other ranks could not.
    if (here.ends && next == state.came_from) return false;
    return next != state.read_by_others;
  }

  void visit_next(std::size_t step, Move const* move, Buffer next, State state) {
    Index const size = draft_.stops[step + 1].reals - draft_.stops[step + 1].padding;
    auto const number = static_cast<std::size_t>(next);
    if (number < work_arrays) state.work[number] = std::max(state.work[number], size);
    if (next != current_.back()) ++state.changes;
    bool const comes_back = step > 0 && next == current_[step - 1] && next != current_.back();
    if (comes_back) state.waits += draft_.steps[step].waits;
    if (move) state.came_from.reset();
    if (move && move->way.medium != redistribution::Medium::messages) {
      state.came_from = next;
      state.in_use = 0;
      state.read_by_others.reset();
      std::optional<layout::Placement> const& resting = move->way.resting;
      if (!resting || !(*resting == move->to)) state.read_by_others = next;
    }
    state.in_use |= bit(next);
    current_.push_back(next);
    visit(state);
    current_.pop_back();
  }

  Draft const& draft_;
  Arrays arrays_;
  bool may_copy_;
  Index most_reals_;
  std::vector<bool> may_stay_;
  int work_arrays_ = 2;  // how many may be used; more only if needed
  std::map<Place, std::vector<State>> tried_;
  std::vector<Buffer> current_;
  std::vector<Buffer> best_;
  Burden best_burden_;
};

}  // namespace

Assignment assign_buffers(Draft const& draft, Arrays const& arrays, bool may_copy,
                          Burden const& bound, Index most_reals) {
  return BufferSearch(draft, arrays, may_copy, most_reals).run(bound);
}

}  // namespace sixstep::program
