// SPDX-License-Identifier: BSD-3-Clause
// Programs: questions about them, and their names.
#include "program/program.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>

#include "base/match.hpp"

namespace sixstep::program {

namespace {

using layout::Piece;

/// Whether each row of complex numbers begins where its row of reals does, and both are contiguous.
/// Then no row overlaps another, because there is room for complex rows.
bool rows_begin_alike(layout::Pieces const& reals, layout::Pieces const& complex, int row_axis) {
  if (reals.empty() && complex.empty()) return true;
  if (reals.size() != 1 || complex.size() != 1) return false;
  layout::Piece const &a = reals[0], &b = complex[0];
  for (int axis = 0; axis < a.box.axes(); ++axis) {
    Index const times = axis == row_axis ? 1 : 2;
    if (b.box.ranges[axis].count() <= 1 && a.box.ranges[axis].count() <= 1) continue;
    if (a.strides[axis] != times * b.strides[axis]) return false;
    if (axis == row_axis && a.strides[axis] != 1) return false;
  }
  return a.segment == b.segment && a.offset == 2 * b.offset;
}

std::string name_of(Sweep const& sweep, schedule::Schedule const& schedule) {
  std::ostringstream out;
  char const* separator = "";
  for (Pass const& pass : sweep.passes) {
    out << separator;
    if (pass.axis)
      out << schedule.name(schedule.fft_along(*pass.axis, pass.undoes));
    else if (pass.at_points)
      out << pass.at_points->what;
    else if (pass.gather)
      out << schedule::name(*pass.gather);
    else
      out << "reorder";
    if (pass.twiddle_axis) out << ", twiddle";
    separator = ", ";
  }
  return out.str();
}

}  // namespace

std::array<Pass::Stretch, 2> Pass::target_rows() const {
  Index const count = target_box.ranges[*axis].count(), all = all_rows(target_number);
  if (to_points) {
    Index const before_end = std::min(count, all - first);
    return {Stretch{0, first, before_end}, Stretch{before_end, 0, count - before_end}};
  }
  Index const last = kind == Kind::c2c && count < all ? count / 2 : 0;
  return {Stretch{0, 0, count - last}, Stretch{count - last, all - last, last}};
}

std::vector<Numbering> numberings(std::vector<Program> const& programs, int operation) {
  std::vector<Numbering> found;
  for (Program const& program : programs)
    for (Step const& step : program.steps)
      if (auto const* sweep = std::get_if<Sweep>(&step.work))
        for (Pass const& pass : sweep->passes)
          if (pass.at_points && pass.at_points->number == operation &&
              pass.numbering.id == static_cast<int>(found.size()))
            found.push_back(pass.numbering);
  return found;
}

Index Sweep::windows() const {
  Box const& box = passes.front().box;
  if (box.empty()) return 0;
  if (window_axis < 0) return 1;
  return (box.ranges[window_axis].count() + window - 1) / window;
}

int Sweep::cut_windows() const {
  Box const& box = passes.front().box;
  if (box.empty()) return 0;
  return cut.axis < 0
             ? 1
             : static_cast<int>(std::min<Index>(cut.windows, box.ranges[cut.axis].count()));
}

namespace {

layout::Pieces restricted(layout::Pieces const& pieces, Box const& region) {
  layout::Pieces found;
  for (layout::Piece const& piece : pieces) {
    layout::Piece part = layout::restrict(piece, region);
    if (!part.box.empty()) found.push_back(std::move(part));
  }
  return found;
}

}  // namespace

layout::Pieces Sweep::source_of(int cut_window) const {
  return restricted(passes.front().source, cut.part(passes.front().box, cut_window));
}

layout::Pieces Sweep::target_of(int cut_window) const {
  return restricted(passes.back().target, cut.part(passes.back().target_box, cut_window));
}

bool Sweep::may_work_in_place() const {
  layout::Pieces const &source = passes.front().source, &target = passes.back().target;
  bool const from_reals = passes.front().source_number == layout::Number::real;
  if (passes.front().source_number == passes.back().target_number)
    return layout::same_places(source, target);
  auto const crossing = std::find_if(passes.begin(), passes.end(), [](Pass const& pass) {
    return pass.source_number != pass.target_number;
  });
  return from_reals ? rows_begin_alike(source, target, *crossing->axis)
                    : rows_begin_alike(target, source, *crossing->axis);
}

std::vector<Arrays> Meets::arrays(bool share, bool preserve_input) const {
  std::vector<Arrays> found;
  for (bool in_segments : {false, true})
    for (bool one_array : {false, true})
      if ((one_array ? in_place : two) && (!in_segments || (allocated && share)))
        found.push_back({one_array, in_segments, preserve_input});
  return found;
}

bool Program::takes_table() const {
  auto const* sweep = std::get_if<Sweep>(&steps.back().work);
  return sweep && sweep->passes.back().ends;
}

int Program::sweeps() const {
  int count = 0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (std::holds_alternative<Sweep>(steps[i].work) && steps[i].shown_as == i) ++count;
  return count;
}

void bind_segments(Program& program, Index segment_reals) {
  auto const bind = [&](layout::Pieces& pieces, layout::Number number) {
    layout::Pieces bound;
    for (layout::Piece piece : pieces) {
      piece.offset += std::exchange(piece.segment, 0) * (segment_reals / layout::reals_of(number));
      bound.push_back(piece);
    }
    pieces = std::move(bound);
  };
  for (Step& step : program.steps) {
    auto* sweep = std::get_if<Sweep>(&step.work);
    if (!sweep) continue;
    for (Pass& pass : sweep->passes) {
      bind(pass.source, pass.source_number);
      bind(pass.target, pass.target_number);
    }
  }
}

std::string name(Move const& move, schedule::Schedule const& schedule) {
  return text("exchange ", move.exchange + 1, " of ", schedule.exchanges(), " (to ",
              move.to.layout.describe(), ")");
}

std::string name(Step const& step, schedule::Schedule const& schedule) {
  return std::visit(match{[&](Sweep const& sweep) { return name_of(sweep, schedule); },
                          [](Move const&) { return std::string("exchange"); },
                          [](Meeting const&) { return std::string("meeting"); }},
                    step.work);
}

Index Move::bytes_sent(Index count, bool leaves_node, int real_bytes) const {
  Index const reals = count * layout::reals_of(number());
  return form.shortens() && leaves_node ? short_bytes(reals, real_bytes, form) : reals * real_bytes;
}

Index Move::bytes_sent(redistribution::Message const& message, int real_bytes) const {
  return bytes_sent(message.count, !std::ranges::binary_search(near, message.rank), real_bytes);
}

Index bytes_of(Step const& step, int real_bytes) {
  auto const of_sweep = [&](Sweep const& sweep) {
    Pass const &first = sweep.passes.front(), &last = sweep.passes.back();
    return real_bytes * (first.box.volume() * layout::reals_of(first.source_number) +
                         last.target_box.volume() * layout::reals_of(last.target_number));
  };
  auto const of_move = [&](Move const& move) {
    Index bytes = 0;
    for (redistribution::Side const* side : {&move.moves->send, &move.moves->receive})
      for (redistribution::Message const& message : side->messages)
        bytes += move.bytes_sent(message, real_bytes);
    for (redistribution::HopMessages const& hop : move.moves->hops)
      for (auto const* bundles : {&hop.sends, &hop.receives})
        for (redistribution::Bundle const& bundle : *bundles)
          bytes += move.bytes_sent(bundle.count(), true, real_bytes);
    return bytes;
  };
  return std::visit(match{of_sweep, of_move, [](Meeting const&) { return Index{0}; }}, step.work);
}

}  // namespace sixstep::program
