// SPDX-License-Identifier: BSD-3-Clause
// Searches among settings, where who wins is a function that is known.
#include "tuner/search.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>

#include "cases.hpp"
#include "formulas/composition.hpp"

namespace sixstep::tuner {
namespace {

std::string value(Settings const& settings, std::string const& knob, std::string const& otherwise) {
  return value_of(settings, knob).value_or(otherwise);
}

/// Wins go by a function of the settings.
class Known : public Contest {
 public:
  explicit Known(std::function<double(Settings const&)> of) : cost(std::move(of)) {}

  bool goes_on() override { return most_races-- > 0; }
  bool wins(Settings const& challenger) override {
    tried.push_back(challenger);
    if (cost(challenger) >= cost(title)) return false;
    title = challenger;
    return true;
  }
  std::optional<double> price(Settings const& settings) override {
    return price_of ? std::optional(price_of(settings)) : std::nullopt;
  }

  std::function<double(Settings const&)> cost;
  std::function<double(Settings const&)> price_of;
  Settings title;
  std::vector<Settings> tried;
  int most_races = std::numeric_limits<int>::max();
};

Design of(Layout const& input) { return {{.input = input}, {}, {}}; }

/// Two nodes of two ranks, which have two threads each.
Facts two_nodes() {
  return {.ranks = 4,
          .nodes = 2,
          .node_ranks = 2,
          .threads = 2,
          .mpi = {.level = decision::ThreadLevel::serialized}};
}

/// Each knob by itself is best at the last of its values.
double separable(Settings const& settings) {
  double cost = 0;
  for (auto const& [name, word] : settings)
    cost -= name == "windows"           ? std::stod(word)
            : name == "exchange"        ? (word == "persistent" ? 5 : 1)
            : name == "driver"          ? (word == "pipelines" ? 3 : 1)
            : name == "radix_order"     ? (word == "descending" ? 2 : 1)
            : name == "strip_row_bytes" ? (word == "1024" ? 2 : -1)
                                        : -1;
  return cost;
}

void expect_best(Settings const& found) {
  EXPECT_EQ(value(found, "windows", ""), "16") << to_words(found);
  EXPECT_EQ(value(found, "exchange", ""), "persistent") << to_words(found);
  EXPECT_EQ(value(found, "driver", ""), "pipelines") << to_words(found);
  EXPECT_EQ(value(found, "radix_order", ""), "descending") << to_words(found);
  EXPECT_EQ(value(found, "strip_row_bytes", ""), "1024") << to_words(found);
  EXPECT_EQ(found.size(), 5u) << to_words(found);
}

TEST(search, finds_what_is_best_knob_by_knob) {
  Design const design = of(Layout::pencil({16, 16, 16}, 4));
  Facts const facts = two_nodes();
  Known quick(separable), all(separable);
  expect_best(quick_search({design, facts}, quick));
  expect_best(exhaustive_search({design, facts}, all));
  EXPECT_LT(10 * quick.tried.size(), 15 * all.tried.size());
}

TEST(search, of_all_combinations_finds_what_is_best_together_only) {
  Design const design = of(Layout::pencil({16, 16, 16}, 4));
  Facts const facts = two_nodes();
  auto const cost = [](Settings const& settings) {
    bool const lucky = value(settings, "exchange", "") == "pairwise" &&
                       value(settings, "windows", "") == "5" &&
                       value(settings, "driver", "") == "pipelines";
    return lucky ? 0 : 1 + static_cast<double>(settings.size());
  };
  Known quick(cost), all(cost);
  EXPECT_TRUE(quick_search({design, facts}, quick).empty());
  EXPECT_EQ(exhaustive_search({design, facts}, all).size(), 3u);
}

TEST(search, tries_nothing_twice_in_all_combinations_and_all_that_there_are) {
  Design const design = of(Layout::slab({16, 16}, 4));
  Facts const facts = two_nodes();
  Known all([](Settings const& settings) { return static_cast<double>(settings.size()); });
  all.most_races = static_cast<int>(combinations({design, facts})) - 1;
  exhaustive_search({design, facts}, all);
  EXPECT_EQ(std::set<Settings>(all.tried.begin(), all.tried.end()).size(), all.tried.size());
  EXPECT_EQ(static_cast<Index>(all.tried.size()), combinations({design, facts}) - 1);
  EXPECT_GT(all.tried.size(), 100u);
}

TEST(search, ends_when_it_is_told_to) {
  Design const design = of(Layout::pencil({16, 16, 16}, 4));
  Facts const facts = two_nodes();
  for (int races : {0, 1, 7}) {
    for (auto* search : {&quick_search, &exhaustive_search}) {
      Known contest(separable);
      contest.most_races = races;
      Settings const found = (*search)({design, facts}, contest);
      EXPECT_EQ(static_cast<int>(contest.tried.size()), races);
      EXPECT_EQ(found, contest.title);
    }
  }
}

TEST(search, tries_the_cheapest_first_and_leaves_out_what_is_hopeless) {
  Design const design = of(Layout::pencil({16, 16, 16}, 4));
  Facts const facts = two_nodes();
  Known contest([](Settings const& settings) { return static_cast<double>(settings.size()); });
  contest.price_of = [](Settings const& settings) {
    std::string const windows = value(settings, "windows", "0");
    return windows == "7" ? 1.0 : windows == "9" ? 1.5 : windows == "0" ? 1.9 : 2.5;
  };
  quick_search({design, facts}, contest);
  std::vector<std::string> windows;
  for (Settings const& tried : contest.tried)
    if (auto const word = value_of(tried, "windows")) windows.push_back(*word);
  EXPECT_EQ(windows, (std::vector<std::string>{"7", "9"}));
}

/// Facts and problems of all sorts.
struct Chance {
  explicit Chance(cases::Random& random) {
    facts.ranks = static_cast<int>(random.between(1, 16));
    facts.nodes = static_cast<int>(random.between(1, facts.ranks));
    facts.node_ranks = (facts.ranks + facts.nodes - 1) / facts.nodes;
    facts.threads = random.between(1, 8);
    facts.mpi.level =
        random.once_in(2) ? decision::ThreadLevel::serialized : decision::ThreadLevel::single;
    facts.picks_grid = random.once_in(2);
    Shape const shape = cases::random_shape(random, random.between(1, 4), 4096);
    design.problem.lies = random.once_in(2) ? Output::as_input : Output::natural_axes;
    design.problem.input = Layout::slab(shape, facts.ranks);
    design.options.exchange = random.once_in(3) ? Exchange::pairwise : Exchange::shared;
    design.options.low_memory = random.once_in(8);
    design.options.own_workspace = !random.once_in(8);
    if (shape.size() == 1) facts.split_points = shape[0];
  }

  Facts facts;
  Design design;
};

TEST(knobs, make_plans_that_can_be_composed_in_any_combination_that_makes_sense) {
  cases::Random random(1);
  for (int i = 0; i < 300; ++i) {
    Chance chance(random);
    Settings settings;
    for (Knob const& knob : knobs()) {
      auto const values = knob.values(chance.facts, with(chance.design, settings, chance.facts));
      ASSERT_FALSE(values.empty()) << knob.name;
      EXPECT_EQ(std::set<std::string>(values.begin(), values.end()).size(), values.size())
          << knob.name;
      auto const last = static_cast<Index>(values.size()) - 1;
      settings.emplace_back(knob.name,
                            values[static_cast<std::size_t>(random.between(Index{0}, last))]);
    }
    EXPECT_EQ(sensible(chance.design, settings, chance.facts), settings);
    Design const made = with(chance.design, settings, chance.facts);
    EXPECT_NO_THROW(formulas::compose(made.problem, made.choices)) << to_words(settings);
  }
}

TEST(knobs, at_their_first_values_change_nothing) {
  cases::Random random(2);
  for (int i = 0; i < 100; ++i) {
    Chance chance(random);
    Settings settings;
    for (Knob const& knob : knobs())
      settings.emplace_back(knob.name, knob.values(chance.facts, chance.design).front());
    Design const made = with(chance.design, settings, chance.facts);
    EXPECT_EQ(made.problem.input, chance.design.problem.input);
    EXPECT_EQ(made.options.exchange, chance.design.options.exchange);
    EXPECT_EQ(made.options.windows, chance.design.options.windows);
    EXPECT_EQ(made.choices.basis, chance.design.choices.basis);
    EXPECT_EQ(made.choices.tuning.strip_row_bytes, chance.design.choices.tuning.strip_row_bytes);
    EXPECT_EQ(made.choices.tuning.window_of_third.denominator,
              chance.design.choices.tuning.window_of_third.denominator);
  }
}

TEST(knobs, refuse_what_makes_no_sense) {
  Design const design = of(Layout::slab({16, 16}, 4));
  Facts const facts = two_nodes();
  auto const refused = [&](Settings const& settings) {
    try {
      with(design, settings, facts);
    } catch (Error const& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused({{"colour", "blue"}}), "settings: there is no knob colour");
  EXPECT_NE(refused({{"exchange", "by_pigeon"}}).find("exchange: shared, collective"),
            std::string::npos);
  EXPECT_NE(refused({{"windows", "17"}}), "");
  EXPECT_NE(refused({{"windows", ""}}), "");
  EXPECT_NE(refused({{"windows", "1"}, {"driver", "pipelines"}}), "") << "nothing overlaps";
  EXPECT_EQ(refused({{"windows", "2"}, {"driver", "pipelines"}}), "");
  EXPECT_NE(refused({{"windows", "2"}, {"driver", "thread"}}), "") << "it runs by default";
  EXPECT_EQ(sensible(design, {{"windows", "1"}, {"driver", "pipelines"}}, facts),
            (Settings{{"windows", "1"}}));
}

TEST(knobs, keep_what_the_user_has_set) {
  Design design = of(Layout::slab({16, 16}, 4));
  design.options.exchange = Exchange::pairwise;
  design.options.windows = 3;
  design.options.driver = Driver::thread;
  Facts const facts = two_nodes();
  for (Knob const& knob : knobs())
    if (knob.name == "exchange" || knob.name == "windows" || knob.name == "driver" ||
        knob.name == "grid") {
      EXPECT_EQ(knob.values(facts, design).size(), 1u) << knob.name;
    }
}

TEST(knobs, of_a_grid_are_all_with_as_many_ranks_that_leave_none_idle) {
  Design const design = of(Layout::slab({4, 16, 8}, 8));
  Facts facts = two_nodes();
  facts.ranks = 8;
  facts.picks_grid = true;
  EXPECT_EQ(knobs()[0].values(facts, design),
            (std::vector<std::string>{"8x1x1", "1x1x8", "1x8x1", "1x2x4", "1x4x2", "2x1x4", "2x4x1",
                                      "4x1x2", "4x2x1", "2x2x2"}));
  Design natural = design;
  natural.problem.lies = Output::as_input;
  Design const made = with(natural, {{"grid", "1x2x4"}}, facts);
  EXPECT_EQ(made.problem.input, Layout::grid({4, 16, 8}, {1, 2, 4}));
  EXPECT_EQ(schedule::settled(made.problem).output, made.problem.input);
}

}  // namespace
}  // namespace sixstep::tuner
