// SPDX-License-Identifier: BSD-3-Clause
// Schedules: the search for the cheapest in several frames, and questions about schedules.
#include "schedule/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "base/match.hpp"
#include "local/numbers/reproducible.hpp"
#include "schedule/frame.hpp"
#include "schedule/line.hpp"
#include "schedule/search.hpp"

namespace sixstep::schedule {

std::string Schedule::name(Fft const& fft) const {
  bool const is_c2r = fft.kind == Kind::r2c && fft.before.number == layout::Number::complex;
  auto const all = [&](Points const& side) {
    bool const is_half = fft.kind == Kind::r2c && side.number == layout::Number::complex;
    return is_half ? coefficients(fft.kind, fft.length) : fft.length;
  };
  auto const part = [&](char const* word, Points const& side) {
    return side.count < all(side) ? text(word, side.count) : "";
  };
  return text(fft.kind == Kind::c2c ? "fft"
              : is_c2r              ? "c2r"
                                    : to_string(fft.kind),
              ' ', fft.length, part(" from ", fft.before), part(" to ", fft.after),
              fft.undoes && fft.kind == Kind::c2c ? " back" : "");
}

Fft const& Schedule::fft_along(int axis, bool undoes) const {
  auto const found = std::find_if(stages.begin(), stages.end(), [&](Stage const& stage) {
    auto const* fft = std::get_if<Fft>(&stage);
    return fft && fft->axis == axis && fft->undoes == undoes;
  });
  return std::get<Fft>(*found);
}

PerAxis<int> untransformed(Schedule const& schedule) {
  PerAxis<int> axes;
  for (int axis = 0; axis < schedule.shape.size(); ++axis) {
    bool const transformed =
        std::any_of(schedule.stages.begin(), schedule.stages.end(), [&](Stage const& stage) {
          auto const* fft = std::get_if<Fft>(&stage);
          return fft && fft->axis == axis;
        });
    if (!transformed) axes.push_back(axis);
  }
  return axes;
}

layout::Placement Fft::from(layout::Placement const& here) const {
  if (before == after) return here;
  layout::Placement there = here.with_extent(axis, after.count);
  there.number = after.number;
  return there;
}

layout::Placement Gather::from(layout::Placement const& here) const {
  Columns const& to = *columns;
  auto const planes = [&](Index slow, Index fast) {
    layout::Placement const made = to.slow < 0 ? here : here.with_extent(to.slow, slow);
    return made.with_extent(to.fast, fast);
  };
  return scatters ? planes(to.slow_extent, to.fast_extent) : planes(1, to.count());
}

std::vector<redistribution::Ends> Schedule::ends() const {
  std::vector<redistribution::Ends> found;
  for (Stage const& stage : stages)
    if (auto const* exchange = std::get_if<Transpose>(&stage))
      found.push_back({exchange->from, exchange->to});
  return found;
}

namespace {

template <class Kind>
int count(std::vector<Stage> const& stages) {
  return static_cast<int>(std::count_if(stages.begin(), stages.end(), [](Stage const& stage) {
    return std::holds_alternative<Kind>(stage);
  }));
}

}  // namespace

int Schedule::exchanges() const { return count<Transpose>(stages); }

int Schedule::operations() const { return count<AtPoints>(stages); }

bool Schedule::transforms() const {
  return std::any_of(stages.begin(), stages.end(),
                     [](Stage const& stage) { return std::holds_alternative<Fft>(stage); });
}

double Schedule::transformed_points() const {
  double points = 1;
  for (Stage const& stage : stages)
    if (auto const* fft = std::get_if<Fft>(&stage))
      points *= static_cast<double>(logical_size(fft->kind, fft->length));
  return points;
}

namespace {

bool leaves_ranks_idle(Schedule const& schedule, Problem const& problem, Tuning const& tuning) {
  Index const ranks = problem.input.ranks();
  Index const even_share = (volume(problem.input.shape()) + ranks - 1) / ranks;
  return static_cast<double>(schedule.fullest) >
         tuning.idle_above * static_cast<double>(even_share);
}

}  // namespace

Schedule schedule(Problem const& given, Choices const& choices) {
  Problem const problem = settled(given);
  if (problem.moves)
    return reroute(problem.input, problem.output.value_or(problem.input), *problem.moves, problem,
                   choices);
  OutputRules const rules = output_rules(problem);
  bool const reproducible = local::is_reproducible(choices.tuning);
  Frame plain = reproducible ? reproducible_frame(problem, choices) : plain_frame(problem, choices);
  Schedule best = search(problem, choices, plain, rules);
  auto const ranks_idle = [&] { return leaves_ranks_idle(best, problem, choices.tuning); };
  auto const try_frame = [&](Frame const& frame) {
    Schedule candidate = search(problem, choices, frame, rules);
    if (candidate.seconds < choices.tuning.worth_a_split * best.seconds)
      best = std::move(candidate);
  };
  for (int axis : untransformed(problem)) {
    int const ranks = problem.input.ranks();
    int& most_parts = plain.most_parts[plain.input_view.digits[axis][0]];
    if (most_parts == ranks || !ranks_idle()) continue;
    most_parts = ranks;
    try_frame(plain);
  }
  if (!reproducible)
    for (Frame const& frame : split_frames(problem, ranks_idle(), choices)) try_frame(frame);
  if (!std::isfinite(best.seconds)) {
    Frame const frame = with_idle_axis(plain);
    best = search(problem, choices, frame, rules);
  }
  require(std::isfinite(best.seconds),
          "schedule: no way leads from the input to the output layout");
  return best;
}

std::optional<Schedule> plain_schedule(Problem problem, Choices const& choices) {
  problem.plain = true;
  Schedule made = schedule(problem, choices);
  if (made.shape.size() == problem.input.axes()) return made;
  // A single axis on one rank needs another axis only as long as its layout is open.
  problem.output = made.output.layout;
  made = schedule(problem, choices);
  if (made.shape.size() == problem.input.axes()) return made;
  return std::nullopt;
}

Schedule reverse(Schedule const& forward) {
  Schedule backward = forward;
  std::swap(backward.input, backward.output);
  std::reverse(backward.stages.begin(), backward.stages.end());
  for (Stage& stage : backward.stages)
    std::visit(
        match{[](Fft& fft) {
                fft.kind = inverse(fft.kind);
                std::swap(fft.before, fft.after);
                fft.to_points = !fft.to_points;
              },
              [](Twiddle&) {}, [](Transpose& exchange) { std::swap(exchange.from, exchange.to); },
              [](AtPoints& points) { std::swap(points.before, points.after); },
              [](Gather& gather) { gather.scatters = !gather.scatters; }},
        stage);
  // A twiddle now stands before the Ffts that followed it. It commutes with exchanges and with Ffts
  // along other axes, so it moves back to the Fft along one of its own, whose pass can carry it.
  for (std::size_t i = 0; i < backward.stages.size(); ++i) {
    if (!std::holds_alternative<Twiddle>(backward.stages[i])) continue;
    Twiddle const twiddle = std::get<Twiddle>(backward.stages[i]);
    std::size_t j = i;
    for (; j > 0; --j) {
      auto const* fft = std::get_if<Fft>(&backward.stages[j - 1]);
      if (fft && (fft->axis == twiddle.axis || fft->axis == twiddle.other)) break;
      std::swap(backward.stages[j], backward.stages[j - 1]);
    }
    // A plan that only runs forward may have no such Fft.
    if (j == 0) backward.stages.erase(backward.stages.begin());
  }
  return backward;
}

namespace {

/// The schedule that joined() makes, as far as its links have been added.
class Chain {
 public:
  explicit Chain(std::vector<Link> const& links) {
    auto const first = std::find_if(links.begin(), links.end(), [](Link const& link) {
      return std::holds_alternative<Half>(link);
    });
    made_ = std::get<Half>(*first).schedule;
    made_.stages.clear();
    made_.seconds = 0;
    for (Link const& link : links)
      if (auto const* operation = std::get_if<AtPoints>(&link); operation && fields_axis_ < 0) {
        fields_axis_ = operation->axis;
        fields_ = operation->before;
      }
    made_.output = made_.input = at_end(made_.input);
    for (Link const& link : links) std::visit([this](auto const& each) { add(each); }, link);
  }

  Schedule take() { return std::move(made_); }

 private:
  bool has_other_fields(Placement const& there) const {
    return fields_axis_ >= 0 && there.view.shape[fields_axis_] != fields_;
  }
  Placement with_fields(Placement const& there) const {
    return has_other_fields(there) ? there.with_extent(fields_axis_, fields_) : there;
  }
  /// Where an array of the user's lies: it keeps ghosts and padding.
  Placement at_end(Placement const& there) const {
    return has_other_fields(there) ? there.with_fields(fields_axis_, fields_) : there;
  }

  void add(AtPoints operation) {
    operation.number = operations_++;
    if (operation.axis >= 0) fields_ = operation.after;
    made_.output = at_end(made_.output);
    made_.stages.emplace_back(operation);
  }
  void add(Gather const& gather) {
    made_.output = gather.from(made_.output);
    made_.stages.emplace_back(gather);
  }
  void add(Half const& half) {
    for (Stage stage : half.schedule.stages) {
      if (auto* const fft = std::get_if<Fft>(&stage)) fft->undoes = half.undoes;
      if (auto* const exchange = std::get_if<Transpose>(&stage))
        *exchange = {with_fields(exchange->from), with_fields(exchange->to)};
      made_.stages.push_back(stage);
    }
    made_.seconds += half.schedule.seconds;
    made_.fullest = std::max(made_.fullest, half.schedule.fullest);
    made_.output = at_end(half.schedule.output);
  }

  Schedule made_;
  int fields_axis_ = -1;
  Index fields_ = 1;
  int operations_ = 0;
};

}  // namespace

Schedule joined(std::vector<Link> const& links) { return Chain(links).take(); }

std::string name(Gather const& gather) {
  return text(gather.scatters ? "scatter " : "gather ", gather.columns->count(), " columns");
}

std::string summary(Schedule const& schedule) {
  std::ostringstream out;
  char const* separator = "";
  for (Stage const& stage : schedule.stages) {
    out << ::std::exchange(separator, ", ");
    std::visit(match{[&](Fft const& f) { out << schedule.name(f); },
                     [&](Twiddle const&) { out << "twiddle"; },
                     [&](Transpose const&) { out << "exchange"; },
                     [&](AtPoints const& points) { out << points.what; },
                     [&](Gather const& gather) { out << name(gather); }},
               stage);
  }
  return out.str();
}

}  // namespace sixstep::schedule
