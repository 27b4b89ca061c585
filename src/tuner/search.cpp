// SPDX-License-Identifier: BSD-3-Clause
// Searches: in rounds through the knobs, and through all combinations.
#include "tuner/search.hpp"

#include <algorithm>

namespace sixstep::tuner {

namespace {

/// Settings that cost more than this many times the least by the model are not tried.
constexpr double hopeless = 2;

Settings with_value(Settings settings, std::string const& knob, std::string const& value) {
  for (auto& [name, old] : settings)
    if (name == knob) {
      old = value;
      return settings;
    }
  settings.emplace_back(knob, value);
  return settings;
}

Settings without(Settings settings, std::string const& knob) {
  std::erase_if(settings, [&](auto const& setting) { return setting.first == knob; });
  return settings;
}

/// The settings that differ from `title` only in this knob, and in those that make no sense with
/// it. The cheapest come first, as far as prices are known.
std::vector<Settings> neighbours(Space const& space, Settings const& title, Knob const& knob,
                                 Contest& contest) {
  Settings before;  // of the knobs before this one
  for (Knob const* each = &knobs().front(); each != &knob; ++each)
    if (auto const value = value_of(title, each->name)) before.emplace_back(each->name, *value);
  std::vector<std::string> const values =
      knob.values(space.facts, with(space.design, before, space.facts));
  std::string const now = value_of(title, knob.name).value_or(values.front());
  struct Priced {
    Settings settings;
    std::optional<double> price;
  };
  std::vector<Priced> found;
  std::optional<double> least;
  for (std::string const& value : values) {
    Settings settings =
        value == values.front() ? without(title, knob.name) : with_value(title, knob.name, value);
    settings = sensible(space.design, settings, space.facts);
    auto const price =
        knob.of_messages && values.size() > 1 ? contest.price(settings) : std::optional<double>();
    if (price && (!least || *price < *least)) least = price;
    if (value != now) found.push_back({std::move(settings), price});
  }
  std::erase_if(found, [&](Priced const& priced) {
    return priced.price && least && *priced.price > hopeless * *least;
  });
  std::stable_sort(found.begin(), found.end(), [](Priced const& a, Priced const& b) {
    return a.price && b.price && *a.price < *b.price;
  });
  std::vector<Settings> settings;
  for (Priced& priced : found) settings.push_back(std::move(priced.settings));
  return settings;
}

/// Calls visit(settings) for all combinations of the knobs of messages from number `knob` on.
template <class Visit>
bool for_all(Space const& space, Settings const& settings, std::size_t knob, Visit const& visit) {
  while (knob < knobs().size() && !knobs()[knob].of_messages) ++knob;
  if (knob == knobs().size()) return visit(settings);
  Knob const& of = knobs()[knob];
  auto const values = of.values(space.facts, with(space.design, settings, space.facts));
  for (std::string const& value : values)
    if (!for_all(space, value == values.front() ? settings : with_value(settings, of.name, value),
                 knob + 1, visit))
      return false;
  return true;
}

/// Searches in rounds from `title`. Returns the settings that hold the title then.
Settings in_rounds(Space const& space, Settings title, Contest& contest) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Knob const& knob : knobs())
      for (Settings const& challenger : neighbours(space, title, knob, contest)) {
        if (!contest.goes_on()) return title;
        if (!contest.wins(challenger)) continue;
        title = challenger;
        changed = true;
      }
  }
  return title;
}

}  // namespace

Settings quick_search(Space const& space, Contest& contest) {
  return in_rounds(space, {}, contest);
}

Settings exhaustive_search(Space const& space, Contest& contest) {
  Settings title;
  bool const goes_on = for_all(space, {}, 0, [&](Settings const& challenger) {
    if (challenger.empty()) return true;  // they hold the title
    if (!contest.goes_on()) return false;
    if (contest.wins(challenger)) title = challenger;
    return true;
  });
  return goes_on ? in_rounds(space, title, contest) : title;
}

Index combinations(Space const& space) {
  Index count = 0;
  for_all(space, {}, 0, [&](Settings const&) { return ++count > 0; });
  return count;
}

}  // namespace sixstep::tuner
