// SPDX-License-Identifier: BSD-3-Clause
// Verifying a composition: passes make the sums of both ends where they can.
#include <memory>
#include <utility>
#include <variant>

#include "runners/composition_runner.hpp"

namespace sixstep::runners {

void CompositionRunner::verify_by(std::vector<CheckedTransform> transforms) {
  if (composition_.checkable.empty()) {
    for (Direction direction : {Direction::forward, Direction::backward})
      for (sweep::End end : {sweep::End::read, sweep::End::written})
        tally_end(transforms.front(), direction, end);
  } else {
    for (std::size_t i = 0; i < transforms.size(); ++i)
      tally_between(transforms[i], composition_.checkable[i]);
  }
  bool const one = transforms.size() == 1;
  verifier_.emplace(std::move(transforms), comm_, options_.threads, findings_);
  add_note(text("verified  ",
                one ? "the result: weighted sums of the input and of the output"
                    : "each transform: weighted sums of what it reads and of what it makes",
                options_.verify == Verify::all ? "; the bits between sweeps" : ""));
}

/// An operation of a schedule, done twice.
program::OnPoints const* CompositionRunner::checked(program::OnPoints const& operation,
                                                    std::size_t schedule, std::size_t number) {
  CheckedPoints::Fields fields{1, 1, 0, real_bytes_};
  layout::Number here = input().number;
  for (schedule::Stage const& stage : schedules_[schedule]->schedule().stages) {
    if (auto const* const fft = std::get_if<schedule::Fft>(&stage)) here = fft->after.number;
    auto const* const points = std::get_if<schedule::AtPoints>(&stage);
    if (!points || points->number != static_cast<int>(number)) continue;
    if (points->mixes) fields = {points->before, points->after, 0, real_bytes_};
    break;
  }
  fields.element_bytes = real_bytes_ * layout::reals_of(here);
  checked_.push_back(std::make_unique<CheckedPoints>(operation, fields, findings_, comm_.rank()));
  return checked_.back().get();
}

void CompositionRunner::verify_bits(Verify verify) {
  constexpr int directions = 2;
  verify_tags_ = comm_.take_tags(mpi::narrow(redistribution::TagRange::count(directions, 1)));
  bool const by_ranks = verify == Verify::all;
  mpi::together(comm_, [&] {
    Index const element_bytes = real_bytes_ * layout::reals_of(input().number);
    verifier_.emplace(
        std::make_unique<MovedBits>(
            input(), output(), element_bytes,
            MovedBits::Site{
                comm_, {verify_tags_.first(), 1}, options_.threads, by_ranks, findings_}),
        comm_, findings_);
  });
  add_note(text("verified  the bits of all elements, ",
                by_ranks ? "by the ranks that they come from" : "in a sum of all ranks"));
}

/// Has passes make the sums of an array of the caller's, if a schedule alone does all the work.
void CompositionRunner::tally_end(CheckedTransform& of, Direction direction, sweep::End end) {
  bool const backward = direction == Direction::backward && !of.direction;
  List const& there = list(backward ? Purpose::backward : Purpose::forward);
  if (there.tasks.size() != 1 || there.tables.front() != nullptr) return;
  auto const* const run = std::get_if<formulas::Run>(&there.tasks.front().what);
  if (!run) return;
  ScheduleRunner& schedule = *schedules_[run->schedule];
  bool const reads = end == sweep::End::read;
  sweep::BeforeAdding const* const before = reads ? nullptr : &findings_.before_adding;
  std::unique_ptr<EndTally> made;
  if (verify::EndSums const* const sums = of.check.plain_end(direction, reads)) {
    made = std::make_unique<EndTally>(*sums, real_bytes_, before);
  } else if (auto const piece = piece_at(end, schedule.program(run->backward))) {
    verify::BoxWeights const weights = of.check.weights_in(direction, reads, piece->box);
    Index const elements = of.check.elements(direction, reads);
    if (!weights.are_products() || piece->box.volume() != elements) return;
    made = std::make_unique<EndTally>(
        *piece, weights, EndTally::Elements{of.check.number(direction, reads), real_bytes_},
        before);
  }
  if (made && schedule.give_end(run->backward, end, *made))
    of.end(direction, end).tallies.push_back(std::move(made));
}

/// Has passes make the sums of a transform before, behind or between operations.
void CompositionRunner::tally_between(CheckedTransform& of, formulas::Checkable const& where) {
  Direction const direction = *of.direction;
  auto const at_operation = [&](int operation, sweep::End end) {
    CheckedEnd& here = of.end(direction, end);
    here.is_at_operation = true;
    bool const reads = end == sweep::End::read;
    schedules_.front()->for_each_points(false, operation, [&](sweep::PointPass& pass) {
      Box const& box = reads ? pass.target_box() : pass.box();
      here.tallies.push_back(std::make_unique<EndTally>(
          box, of.check.weights_in(direction, reads, box),
          EndTally::Elements{of.check.number(direction, reads), real_bytes_}));
      sweep::BlockTaker const taker(here.tallies.back().get());
      reads ? pass.give_behind(taker) : pass.give_before(taker);
    });
  };
  where.behind ? at_operation(*where.behind, sweep::End::read)
               : tally_end(of, direction, sweep::End::read);
  where.before ? at_operation(*where.before, sweep::End::written)
               : tally_end(of, direction, sweep::End::written);
}

}  // namespace sixstep::runners
