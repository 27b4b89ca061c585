// SPDX-License-Identifier: BSD-3-Clause
// Weighted sums of blocks: their rows, in parts whose weights stay in cache.
#include "runners/end_tally.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

namespace sixstep::runners {

EndTally::EndTally(verify::EndSums const& end, int real_bytes, sweep::BeforeAdding const* before)
    : box_(end.box()),
      weights_(end.weights()),
      whole_{Shape(box_.axes(), 0), Shape(box_.axes(), 1), box_.shape(), end.strides(),
             end.offset()},
      number_(end.number()),
      real_bytes_(real_bytes),
      before_(before) {}

EndTally::EndTally(layout::Piece const& piece, verify::BoxWeights weights, Elements const& of,
                   sweep::BeforeAdding const* before)
    : box_(piece.box),
      weights_(std::move(weights)),
      whole_(sweep::localise(piece, piece.box)),
      number_(of.number),
      real_bytes_(of.real_bytes),
      before_(before) {}

EndTally::EndTally(Box const& box, verify::BoxWeights weights, Elements const& of)
    : EndTally(layout::Piece{box, 0, Shape(box.axes(), 0)}, std::move(weights), of, nullptr) {}

void EndTally::begin(bool conjugate) {
  conjugate_ = conjugate;
  sums_ = {};
}

void EndTally::add(sweep::Block const& block) {
  verify::LongSums mine;
  sweep::for_each_rows(whole_, block,
                       [&](sweep::BlockRows const& rows) { add_rows(block, rows, mine); });
  std::lock_guard const lock(mutex_);
  sums_.add(mine);
}

void EndTally::add_rows(sweep::Block const& block, sweep::BlockRows const& rows,
                        verify::LongSums& to) const {
  auto const* const data = static_cast<std::byte const*>(block.data);
  Index const element_bytes = real_bytes_ * layout::reals_of(number_);
  bool const may_join =
      rows.inner < 0 || rows.outer < 0 || weights_.are_apart(rows.inner, rows.outer);
  Index const most_rows = may_join ? verify::BoxWeights::most_rows : 1;
  constexpr Index most_elements = verify::BoxWeights::most_elements;
  Shape at = rows.counts;
  for (Index r = 0; r < rows.rows; r += most_rows)
    for (Index i = 0; i < rows.elements; i += most_elements) {
      if (rows.outer >= 0) at[rows.outer] = rows.counts[rows.outer] + r;
      if (rows.inner >= 0) at[rows.inner] = rows.counts[rows.inner] + i;
      void const* const from = data + (rows.offset + r * rows.step + i) * element_bytes;
      Index const height = std::min(most_rows, rows.rows - r);
      Index const width = std::min(most_elements, rows.elements - i);
      if (before_ && *before_)
        (*before_)(sweep::End::written, from, {height, width, rows.step * element_bytes, 0, 0, 0});
      to.add(weights_.sums({from, height, width, rows.step, at, rows.inner, rows.outer}, number_,
                           real_bytes_, conjugate_));
    }
}

namespace {

/// The step at one end of a program, and where its pass has elements.
struct EndPass {
  std::size_t step;
  Box const& box;
  layout::Pieces const& pieces;
};

/// Empty if several steps read the input, or if no transform reads or writes there.
std::optional<EndPass> pass_at(sweep::End end, program::Program const& program) {
  bool const reads = end == sweep::End::read;
  std::size_t found = program.steps.size(), readers = 0;
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    program::Step const& step = program.steps[i];
    if (std::holds_alternative<program::Meeting>(step.work)) continue;
    if (step.source == program::Buffer::input) ++readers;
    if (!reads || found == program.steps.size()) found = i;
  }
  if (found == program.steps.size() || (reads && readers > 1)) return std::nullopt;
  auto const* const sweep = std::get_if<program::Sweep>(&program.steps[found].work);
  if (!sweep || sweep->passes.empty()) return std::nullopt;
  program::Pass const& pass = reads ? sweep->passes.front() : sweep->passes.back();
  bool const is_transform = pass.axis && !pass.at_points && !pass.gather && !is_r2r(pass.kind);
  if (!is_transform) return std::nullopt;
  return EndPass{found, reads ? pass.box : pass.target_box, reads ? pass.source : pass.target};
}

}  // namespace

std::optional<std::size_t> step_at(sweep::End end, program::Program const& program,
                                   Box const& box) {
  auto const found = pass_at(end, program);
  if (!found || !(found->box == box)) return std::nullopt;
  return found->step;
}

std::optional<layout::Piece> piece_at(sweep::End end, program::Program const& program) {
  auto const found = pass_at(end, program);
  if (!found || found->pieces.size() != 1 || !(found->pieces[0].box == found->box))
    return std::nullopt;
  return found->pieces[0];
}

}  // namespace sixstep::runners
