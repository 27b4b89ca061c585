// SPDX-License-Identifier: BSD-3-Clause
// The table of knobs.
#include "tuner/knobs.hpp"

#include <algorithm>
#include <charconv>

#include "local/numbers/primes.hpp"

namespace sixstep::tuner {

namespace {

using Values = std::vector<std::string>;

Index number(std::string const& word) {
  Index value = 0;
  std::from_chars(word.data(), word.data() + word.size(), value);
  return value;
}

/// Ranks along each axis: "4x2x1".
std::string to_word(Grid const& grid) {
  std::string word;
  for (int parts : grid) word += text(word.empty() ? "" : "x", parts);
  return word;
}

/// All grids of `ranks` with no more parts along an axis than points; grids that split fewer axes
/// come first, then those that are nearer to square.
std::vector<Grid> all_grids(Shape const& shape, Index ranks) {
  std::vector<Grid> found{Grid{}};
  for (int axis = 0; axis < shape.size(); ++axis) {
    std::vector<Grid> longer;
    for (Grid const& grid : found) {
      Index left = ranks;
      for (int parts : grid) left /= parts;
      for (Index parts : local::divisors(left)) {
        if (parts > shape[axis] || (axis + 1 == shape.size() && parts != left)) continue;
        longer.push_back(grid);
        longer.back().push_back(static_cast<int>(parts));
      }
    }
    found = std::move(longer);
  }
  auto const rank_of = [](Grid const& grid) {
    auto const split = std::count_if(grid.begin(), grid.end(), [](int parts) { return parts > 1; });
    return std::pair(split, *std::max_element(grid.begin(), grid.end()));
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](Grid const& a, Grid const& b) { return rank_of(a) < rank_of(b); });
  return found;
}

bool splits_untransformed(Grid const& grid, schedule::Problem const& problem) {
  std::vector<int> const& axes = problem.axes;
  for (int axis = 0; axis < grid.size() && !axes.empty(); ++axis)
    if (grid[axis] > 1 && std::find(axes.begin(), axes.end(), axis) == axes.end()) return true;
  return false;
}

Values grids(Facts const& facts, Design const& design) {
  constexpr std::size_t most = 32;
  schedule::Problem const& problem = design.problem;
  Grid const& first = problem.input.grid();
  Values found{to_word(first)};
  if (!facts.picks_grid) return found;
  bool const any = design.options.split_untransformed || splits_untransformed(first, problem);
  for (Grid const& grid : all_grids(problem.input.shape(), facts.ranks))
    if (grid != first && found.size() < most && (any || !splits_untransformed(grid, problem)))
      found.push_back(to_word(grid));
  return found;
}

void set_grid(Design& design, std::string const& value, Facts const&) {
  schedule::Problem& problem = design.problem;
  Grid grid;
  for (std::size_t begin = 0; begin < value.size(); begin = value.find('x', begin) + 1) {
    grid.push_back(static_cast<int>(number(value.substr(begin))));
    if (value.find('x', begin) == std::string::npos) break;
  }
  if (grid != problem.input.grid()) problem.input = Layout::grid(problem.input.shape(), grid);
}

/// The exchange strategies that differ with this MPI and this plan.
Values exchanges(Facts const& facts, Design const& design) {
  Options const& options = design.options;
  Values found{to_string(options.exchange)};
  if (facts.ranks == 1 || options.exchange != Exchange::shared) return found;
  for (decision::WayOfMessages const& way : decision::ways_of_messages)
    if (way.is_there(facts.mpi)) found.push_back(to_string(way.exchange));
  return found;
}

void set_exchange(Design& design, std::string const& value, Facts const&) {
  design.options.exchange = named<Exchange>(value).value();
}

bool may_cut(Facts const& facts, Options const& options) {
  return decision::may_cut(options, facts.ranks, facts.nodes > 1);
}

Values windows(Facts const& facts, Design const& design) {
  constexpr int most = 16;
  Values found{text(design.options.windows)};
  if (design.options.windows != 0 || !may_cut(facts, design.options)) return found;
  for (int count = 1; count <= most; ++count) found.push_back(text(count));
  return found;
}

void set_windows(Design& design, std::string const& value, Facts const&) {
  design.options.windows = static_cast<int>(number(value));
}

bool overlaps(Facts const& facts, Options const& options) {
  return may_cut(facts, options) && options.windows != 1;
}

Values drivers(Facts const& facts, Design const& design) {
  Options const& options = design.options;
  Values found{to_string(options.driver)};
  if (options.driver != Driver::automatic || !overlaps(facts, options)) return found;
  auto const runs = [&](Driver driver) {
    return decision::choose_driver(driver, options.device, facts.threads, facts.mpi.level).driver;
  };
  for (Driver driver : all_drivers)
    if (runs(driver) == driver && driver != runs(options.driver))
      found.push_back(to_string(driver));
  return found;
}

void set_driver(Design& design, std::string const& value, Facts const&) {
  design.options.driver = named<Driver>(value).value();
}

Values pipelines(Facts const& facts, Design const& design) {
  Options const& options = design.options;
  Values found{text(options.pipelines)};
  bool const has_teams = options.driver == Driver::pipelines && overlaps(facts, options);
  for (int teams = 2; has_teams && options.pipelines == 0 && teams < facts.threads; ++teams)
    if (facts.threads % teams == 0) found.push_back(text(teams));
  return found;
}

void set_pipelines(Design& design, std::string const& value, Facts const&) {
  design.options.pipelines = static_cast<int>(number(value));
}

/// The bytes below which messages are gathered by nodes.
Values gathered(Facts const& facts, Design const& design) {
  Values found{text(design.choices.tuning.gathered_message_bytes)};
  bool const by_nodes = facts.nodes > 1 && facts.node_ranks > 1 && facts.ranks > facts.nodes &&
                        design.options.exchange == Exchange::shared &&
                        design.options.windows <= 1 && design.options.own_workspace;
  if (by_nodes) found.insert(found.end(), {"0", "1048576"});
  return found;
}

void set_gathered(Design& design, std::string const& value, Facts const&) {
  design.choices.tuning.gathered_message_bytes = number(value);
}

/// Bases of N = basis * rest, nearest to square first.
Values bases(Facts const& facts, Design const& design) {
  constexpr std::size_t most = 8;
  Index const n = facts.split_points;
  Values found{text(design.choices.basis)};
  if (n == 0 || design.choices.basis != 0) return found;
  std::vector<Index> divisors = local::divisors(n);
  std::erase_if(divisors, [&](Index d) { return d == 1 || d == n; });
  std::sort(divisors.begin(), divisors.end(), [&](Index a, Index b) {
    return std::pair(std::max(a, n / a), a) < std::pair(std::max(b, n / b), b);
  });
  if (divisors.size() > most) divisors.resize(most);
  for (Index divisor : divisors) found.push_back(text(divisor));
  return found;
}

void set_basis(Design& design, std::string const& value, Facts const&) {
  design.choices.basis = number(value);
}

Values regrids(Facts const&, Design const& design) {
  Grid const& grid = design.problem.input.grid();
  auto const split = std::count_if(grid.begin(), grid.end(), [](int parts) { return parts > 1; });
  if (design.options.regrid || split < 2) return {design.options.regrid ? "yes" : "no"};
  return {"no", "yes"};
}

void set_regrid(Design& design, std::string const& value, Facts const&) {
  design.options.regrid = design.choices.regrid = value == "yes";
}

/// Whether axes that zeros make longer wait for the far side of exchanges.
Values growing_waits(Facts const& facts, Design const& design) {
  schedule::Problem const& problem = design.problem;
  bool grows = false;
  for (std::size_t i = 0; i < problem.lengths.size() && !problem.axes.empty(); ++i)
    grows = grows || problem.lengths[i] > problem.input.shape()[problem.axes[i]];
  if (facts.nodes < 2 || !grows) return {"no"};
  return {"no", "yes"};
}

void set_growing_waits(Design& design, std::string const& value, Facts const&) {
  design.choices.growing_waits = value == "yes";
}

// Numbers of the tuning. `values` begin with the present value.

template <auto member>
Values of_tuning(Design const& design, std::initializer_list<Index> others) {
  Index const present = design.choices.tuning.*member;
  Values found{text(present)};
  for (Index value : others)
    if (value != present) found.push_back(text(value));
  return found;
}

template <auto member>
void set_tuning(Design& design, std::string const& value, Facts const&) {
  design.choices.tuning.*member = number(value);
}

Values in_flight(Facts const& facts, Design const& design) {
  return of_tuning<&Tuning::bytes_in_flight>(
      design, overlaps(facts, design.options)
                  ? std::initializer_list<Index>{Index{1} << 15, Index{1} << 19}
                  : std::initializer_list<Index>{});
}

void set_in_flight(Design& design, std::string const& value, Facts const&) {
  Tuning& tuning = design.choices.tuning;
  Index const before = tuning.bytes_in_flight;
  tuning.bytes_in_flight = number(value);
  tuning.watched_bytes_in_flight = tuning.watched_bytes_in_flight * tuning.bytes_in_flight / before;
}

Values strips(Facts const&, Design const& design) {
  return of_tuning<&Tuning::strip_row_bytes>(design, {256, 1024});
}

Values lone_columns(Facts const&, Design const& design) {
  return of_tuning<&Tuning::most_lone_columns>(design, {128, 2048});
}

Values thread_windows(Facts const&, Design const& design) {
  return of_tuning<&Tuning::windows_a_thread>(design, {2, 8, 16});
}

Values tiles(Facts const&, Design const& design) {
  return of_tuning<&Tuning::tile_groups>(design, {2, 4});
}

/// Denominators of parts of the last-level cache.
template <auto member>
Values parts_of_cache(Design const& design, std::initializer_list<Index> others) {
  Index const present = (design.choices.tuning.*member).denominator;
  Values found{text(present)};
  for (Index value : others)
    if (value != present) found.push_back(text(value));
  return found;
}

template <auto member>
void set_part_of_cache(Design& design, std::string const& value, Facts const&) {
  design.choices.tuning.*member = {1, number(value)};
}

Values cached_windows(Facts const&, Design const& design) {
  return parts_of_cache<&Tuning::window_of_third>(design, {4, 16, 32});
}

Values streamed(Facts const&, Design const& design) {
  return parts_of_cache<&Tuning::streamed_of_third>(design, {1, 64});
}

Values staged(Facts const&, Design const& design) {
  return parts_of_cache<&Tuning::staged_of_third>(design, {1, 1024});
}

constexpr std::pair<RadixOrder, char const*> radix_orders[] = {
    {RadixOrder::measured, "measured"},
    {RadixOrder::ascending, "ascending"},
    {RadixOrder::descending, "descending"},
};

Values radices(Facts const&, Design const&) {
  Values found;
  for (auto const& [order, word] : radix_orders) found.emplace_back(word);
  return found;
}

void set_radices(Design& design, std::string const& value, Facts const&) {
  for (auto const& [order, word] : radix_orders)
    if (word == value) design.choices.tuning.radix_order = order;
}

/// Values that only plans on the host with our own kernels can choose from.
template <Values (*values)(Facts const&, Design const&)>
Values on_host(Facts const& facts, Design const& design) {
  Values found = values(facts, design);
  if (design.options.device != Device::none) found.resize(1);
  return found;
}

}  // namespace

std::vector<Knob> const& knobs() {
  static std::vector<Knob> const table = {
      {"grid", true, grids, set_grid},
      {"exchange", true, exchanges, set_exchange},
      {"windows", true, windows, set_windows},
      {"driver", true, drivers, set_driver},
      {"pipelines", true, pipelines, set_pipelines},
      {"gathered_message_bytes", true, on_host<gathered>, set_gathered},
      {"basis", true, bases, set_basis},
      {"regrid", true, regrids, set_regrid},
      {"growing_waits", true, growing_waits, set_growing_waits},
      {"bytes_in_flight", false, in_flight, set_in_flight},
      {"window_cache_parts", false, on_host<cached_windows>,
       set_part_of_cache<&Tuning::window_of_third>},
      {"strip_row_bytes", false, on_host<strips>, set_tuning<&Tuning::strip_row_bytes>},
      {"streamed_cache_parts", false, on_host<streamed>,
       set_part_of_cache<&Tuning::streamed_of_third>},
      {"staged_cache_parts", false, on_host<staged>, set_part_of_cache<&Tuning::staged_of_third>},
      {"most_lone_columns", false, on_host<lone_columns>, set_tuning<&Tuning::most_lone_columns>},
      {"windows_a_thread", false, on_host<thread_windows>, set_tuning<&Tuning::windows_a_thread>},
      {"tile_groups", false, on_host<tiles>, set_tuning<&Tuning::tile_groups>},
      {"radix_order", false, on_host<radices>, set_radices},
  };
  return table;
}

std::optional<std::string> value_of(Settings const& settings, std::string const& knob) {
  for (auto const& [name, value] : settings)
    if (name == knob) return value;
  return std::nullopt;
}

namespace {

/// Sets the values that make sense, and calls `refuse(knob, values, value)` for all others.
template <class Refuse>
Design set_all(Design design, Settings const& settings, Facts const& facts, Refuse const& refuse) {
  for (Knob const& knob : knobs()) {
    auto const value = value_of(settings, knob.name);
    if (!value) continue;
    Values const values = knob.values(facts, design);
    if (std::find(values.begin(), values.end(), *value) == values.end())
      refuse(knob, values, *value);
    else
      knob.set(design, *value, facts);
  }
  return design;
}

}  // namespace

Design with(Design design, Settings const& settings, Facts const& facts) {
  for (auto const& [name, value] : settings)
    require(std::any_of(knobs().begin(), knobs().end(),
                        [&name = name](Knob const& knob) { return knob.name == name; }),
            "settings: there is no knob ", name);
  return set_all(std::move(design), settings, facts,
                 [](Knob const& knob, Values const& values, std::string const& value) {
                   std::string possible;
                   for (std::string const& each : values)
                     possible += text(possible.empty() ? "" : ", ", each);
                   throw Error(text("settings: ", knob.name, ": ", possible, " are possible, '",
                                    value, "' was given"));
                 });
}

Settings sensible(Design const& design, Settings const& settings, Facts const& facts) {
  Settings kept = settings;
  set_all(design, settings, facts, [&](Knob const& knob, Values const&, std::string const&) {
    std::erase_if(kept, [&](auto const& setting) { return setting.first == knob.name; });
  });
  return kept;
}

std::string to_words(Settings const& settings) {
  std::string words;
  for (auto const& [name, value] : settings)
    words += text(words.empty() ? "" : ", ", name, " ", value);
  return words.empty() ? "as without tuning" : words;
}

}  // namespace sixstep::tuner
