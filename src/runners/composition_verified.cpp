// SPDX-License-Identifier: BSD-3-Clause
// Verifying a composition: passes make the sums of both ends where they can.
#include <utility>
#include <variant>

#include "runners/composition_runner.hpp"

namespace sixstep::runners {

void CompositionRunner::verify_by(verify::ResultCheck check) {
  verifier_.emplace(std::move(check), comm_, options_.threads, findings_);
  for (Direction direction : {Direction::forward, Direction::backward})
    for (sweep::End end : {sweep::End::read, sweep::End::written}) tally_end(direction, end);
  add_note(text("verified  the result: weighted sums of the input and of the output",
                options_.verify == Verify::all ? "; the bits between sweeps" : ""));
}

/// Has passes make the sums of one end, if a schedule alone does all the work.
void CompositionRunner::tally_end(Direction direction, sweep::End end) {
  bool const backward = direction == Direction::backward;
  List const& there = list(backward ? Purpose::backward : Purpose::forward);
  if (there.tasks.size() != 1 || there.tables.front() != nullptr) return;
  auto const* const run = std::get_if<formulas::Run>(&there.tasks.front().what);
  if (run && run->operations.empty())
    verifier_->tally(direction, end, [&](EndTally& tally) {
      return schedules_[run->schedule]->give_end(run->backward, end, tally);
    });
}

}  // namespace sixstep::runners
