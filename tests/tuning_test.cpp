// SPDX-License-Identifier: BSD-3-Clause
// Tuned plans: right with any settings, found in any time; the same on all ranks; kept, and used
// again.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <vector>

#include "refuses.hpp"
#include "runners/composition_runner.hpp"
#include "runners/conditions_of.hpp"
#include "sixstep/map.hpp"
#include "sixstep/operator.hpp"
#include "transforms.hpp"
#include "tuner/tuner.hpp"
#include "tuning_files.hpp"
#include "wisdom/wisdom_file.hpp"

namespace sixstep {
namespace {

using cases::Random;
using transforms::Case;
using tuning_files::same_on_all_ranks;
using Tuning = tuning_files::Tuning;

/// A problem like those that the other tests solve, to be tuned in next to no time.
Case random_case(Random& random) {
  Shape const shape = cases::random_shape(random, random.between(1, 3), 2000);
  Case made{Layout::slab(shape, transforms::all(), random.between(0, shape.size() - 1))};
  if (random.once_in(2)) made.output = made.input;
  made.options.preserve_input = random.once_in(2);
  made.options.own_workspace = !random.once_in(4);
  if (random.once_in(4)) made.options.exchange = Exchange::pairwise;
  made.options.threads = random.between(1, 2);
  made.options.tuning = TuningLevel::quick;
  made.options.tuning_seconds = 0.02;
  return made;
}

TEST_F(Tuning, plans_that_were_tuned_are_right) {
  Random random(1);
  for (int i = 0; i < 12; ++i) {
    Case const given = random_case(random);
    transforms::expect_transforms<double>(given);
    transforms::expect_transforms<float>(given);
  }
}

tuner::ToTune wanted_of(Case const& given) {
  return {{{.input = given.input, .output = given.output}, given.options, {}}};
}

/// The facts that a plan of this test meets.
tuner::Facts facts(Case const& given) {
  tuner::Facts facts{
      .ranks = transforms::all(), .threads = given.options.threads, .mpi = runners::mpi_of_job()};
  char const* const node_ranks = std::getenv("SIXSTEP_NODE_RANKS");
  facts.node_ranks = std::min(facts.ranks, node_ranks ? std::atoi(node_ranks) : facts.ranks);
  facts.nodes = (facts.ranks + facts.node_ranks - 1) / facts.node_ranks;
  return facts;
}

TEST_F(Tuning, plans_are_right_with_any_settings_that_were_kept) {
  Random random(2);
  int used = 0;
  int const rounds = ranks::rounds(30);
  for (int i = 0; i < rounds; ++i) {
    Case given = random_case(random);
    given.options.tuning_seconds = 1e-9;
    transforms::make<double>(given);
    tuner::Design const design = wanted_of(given).design;
    tuner::Settings settings;
    for (tuner::Knob const& knob : tuner::knobs()) {
      auto const values = knob.values(facts(given), with(design, settings, facts(given)));
      auto const last = static_cast<Index>(values.size()) - 1;
      std::string const& value = values[static_cast<std::size_t>(random.between(Index{0}, last))];
      if (value != values.front()) settings.emplace_back(knob.name, value);
    }
    change([&](wisdom::Entry& entry) { entry.found = settings; });
    given.options.tuning = TuningLevel::model;
    mpi::Communicator const comm = mpi::Communicator::duplicate(MPI_COMM_WORLD);
    tuner::Outcome const outcome = tuner::tune(wanted_of(given), comm);
    EXPECT_TRUE(outcome.was_kept);
    EXPECT_EQ(outcome.settings, settings);
    used += settings.empty() ? 0 : 1;
    SCOPED_TRACE(tuner::to_words(settings));
    EXPECT_NE(transforms::make<double>(given).describe().find(
                  text("\ntuned     ", tuner::to_words(settings), ": quick search, earlier")),
              std::string::npos);
    transforms::expect_transforms<double>(given);
    if (transforms::mine() == 0) std::filesystem::remove(file());
    MPI_Barrier(MPI_COMM_WORLD);
  }
  EXPECT_GT(4 * used, 3 * rounds);
}

TEST_F(Tuning, what_was_found_is_kept_and_answers_later_plans_of_that_problem_alone) {
  Case given{Layout::slab({24, 20}, transforms::all())};
  mpi::Communicator const comm = mpi::Communicator::duplicate(MPI_COMM_WORLD);
  auto const outcome = [&] { return tuner::tune(wanted_of(given), comm); };
  given.options.threads = 1;
  EXPECT_EQ(outcome().level, "") << "nothing is known";
  EXPECT_TRUE(kept().empty());
  given.options.tuning = TuningLevel::quick;
  given.options.tuning_seconds = 0.05;
  tuner::Outcome const found = outcome();
  EXPECT_EQ(found.level, "quick");
  EXPECT_FALSE(found.was_kept);
  EXPECT_GT(found.seconds, 0);
  EXPECT_LE(found.seconds, found.default_seconds);
  EXPECT_TRUE(same_on_all_ranks(tuner::to_words(found.settings)));
  EXPECT_EQ(kept().size(), transforms::mine() == 0 ? 1u : 0u);
  for (TuningLevel level : {TuningLevel::quick, TuningLevel::model}) {
    given.options.tuning = level;
    EXPECT_TRUE(outcome().was_kept);
    EXPECT_EQ(outcome().settings, found.settings);
  }
  tuner::ToTune anew = wanted_of(given);
  anew.anew = true;
  EXPECT_FALSE(tuner::tune(anew, comm).was_kept);
  for (auto const& change : std::vector<std::function<void(Case&)>>{
           [](Case& c) {
             c.input = Layout::slab({24, 21}, transforms::all());
           },
           [](Case& c) { c.output = c.input; }, [](Case& c) { c.options.preserve_input = false; },
           [](Case& c) { c.options.axes = {1}; }, [](Case& c) { c.options.threads = 2; },
           [](Case& c) {
             c.input = c.input.with_order({1, 0});
           }}) {
    Case other = given;
    change(other);
    tuner::ToTune wanted = wanted_of(other);
    wanted.design.problem.axes = other.options.axes;
    EXPECT_FALSE(tuner::tune(wanted, comm).was_kept);
  }
}

TEST_F(Tuning, all_combinations_are_not_answered_by_what_one_after_the_other_found) {
  if (transforms::all() > 2) GTEST_SKIP() << "there are many";
  Case given{Layout::slab({8, 8}, transforms::all())};
  given.options.threads = 1;
  // What is chosen here is not tried out: fewer combinations.
  given.options.exchange = Exchange::pairwise;
  given.options.windows = 1;
  mpi::Communicator const comm = mpi::Communicator::duplicate(MPI_COMM_WORLD);
  auto const outcome = [&](TuningLevel level) {
    given.options.tuning = level;
    given.options.tuning_seconds = 0.01;
    return tuner::tune(wanted_of(given), comm);
  };
  outcome(TuningLevel::quick);
  tuner::Outcome const all = outcome(TuningLevel::exhaustive);
  EXPECT_FALSE(all.was_kept);
  EXPECT_EQ(all.level, "exhaustive");
  EXPECT_TRUE(outcome(TuningLevel::quick).was_kept);
  EXPECT_EQ(outcome(TuningLevel::exhaustive).settings, all.settings);
}

TEST_F(Tuning, settings_that_are_none_of_this_librarys_are_not_used) {
  Case given{Layout::slab({24, 20}, transforms::all())};
  std::string const plain = transforms::make<double>(given).describe();
  given.options.tuning = TuningLevel::quick;
  given.options.tuning_seconds = 1e-9;
  transforms::make<double>(given);
  for (tuner::Settings const& nonsense :
       {tuner::Settings{{"colour", "blue"}}, tuner::Settings{{"windows", "-1"}},
        tuner::Settings{{"exchange", "pairwise"}, {"exchange ", "shared"}},
        tuner::Settings{{"basis", "99999999999999999999"}}}) {
    change([&](wisdom::Entry& entry) { entry.found = nonsense; });
    given.options.tuning = TuningLevel::model;
    testing::internal::CaptureStderr();
    EXPECT_EQ(transforms::make<double>(given).describe(), plain);
    std::string const words = testing::internal::GetCapturedStderr();
    EXPECT_EQ(words.find("sixstep: wisdom: ") != std::string::npos, transforms::mine() == 0);
  }
}

TEST_F(Tuning, a_damaged_file_is_reported_and_replaced) {
  Case given{Layout::slab({24, 20}, transforms::all())};
  given.options.tuning = TuningLevel::quick;
  given.options.tuning_seconds = 1e-9;
  transforms::make<double>(given);
  if (transforms::mine() == 0) std::filesystem::resize_file(file(), 100);
  testing::internal::CaptureStderr();
  transforms::expect_transforms<double>(given);
  std::string const words = testing::internal::GetCapturedStderr();
  EXPECT_EQ(words.find(file().string()) != std::string::npos, transforms::mine() == 0);
  EXPECT_EQ(words.find("it is not used") != std::string::npos, transforms::mine() == 0);
  EXPECT_EQ(kept().size(), transforms::mine() == 0 ? 1u : 0u);
}

TEST_F(Tuning, grids_are_picked_on_all_ranks_alike) {
  for (Output output : {Output::cheapest, Output::as_input}) {
    for (TuningLevel level : {TuningLevel::model, TuningLevel::quick}) {
      Options options;
      options.tuning = level;
      options.tuning_seconds = 0.1;
      options.threads = 1;
      Shape const shape{24, 20, 18};
      Layout const picked = Plan<double>::tuned_layout(shape, MPI_COMM_WORLD, options, output);
      EXPECT_EQ(picked.shape(), shape);
      EXPECT_EQ(picked.ranks(), transforms::all());
      EXPECT_TRUE(same_on_all_ranks(picked.describe()));
      EXPECT_EQ(Plan<double>::tuned_layout(shape, MPI_COMM_WORLD, options, output), picked);
      options.fields = 3;
      EXPECT_EQ(Plan<double>::tuned_layout(shape, MPI_COMM_WORLD, options, output), picked);
      options.fields = 1;
      Case given{picked, {}, options};
      if (output == Output::as_input) given.output = picked;
      if (level == TuningLevel::quick) {
        mpi::Communicator const comm = mpi::Communicator::duplicate(MPI_COMM_WORLD);
        EXPECT_TRUE(tuner::tune(wanted_of(given), comm).was_kept) << "what was found with the grid";
      }
      transforms::expect_transforms<double>(given);
    }
  }
}

TEST_F(Tuning, an_interrupt_on_any_rank_ends_it_and_keeps_what_was_found) {
  Case given{Layout::slab({24, 20}, transforms::all())};
  given.options.threads = 1;
  given.options.tuning = TuningLevel::exhaustive;
  std::atomic<bool> const stop = transforms::mine() == transforms::all() - 1;
  mpi::Communicator const comm = mpi::Communicator::duplicate(MPI_COMM_WORLD);
  tuner::Outcome const outcome = tuner::tune(wanted_of(given), comm, {.stop = &stop});
  EXPECT_EQ(outcome.races, 0);
  EXPECT_EQ(outcome.level, "quick") << "it has not seen all combinations";
  EXPECT_EQ(kept().size(), transforms::mine() == 0 ? 1u : 0u);
}

TEST_F(Tuning, levels_and_budgets_that_are_none_are_refused) {
  Case given{Layout::slab({24, 20}, transforms::all())};
  for (double seconds : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    given.options.tuning_seconds = seconds;
    EXPECT_THROW(transforms::make<double>(given), Error);
  }
  given.options.tuning_seconds = 1;
  given.options.tuning = static_cast<TuningLevel>(7);
  EXPECT_THROW(transforms::make<double>(given), Error);
  given.options = {};
  if (transforms::all() > 1) {
    given.options.tuning_seconds = 1 + transforms::mine();
    EXPECT_THROW(transforms::make<double>(given), Error) << "not the same on all ranks";
  }
}

TEST_F(Tuning, operators_and_maps_race_for_themselves_without_the_functions_of_users) {
  Layout const layout = Layout::slab({12, 10, 8}, transforms::all());
  OperatorOptions options;
  options.tuning = TuningLevel::quick;
  options.tuning_seconds = 0.05;
  int calls = 0;
  auto const symbol = [&](Wavevector const&) {
    ++calls;
    return 1.0;
  };
  Operator<double> const solve(layout, MPI_COMM_WORLD, symbol, options);
  int const once = calls;
  EXPECT_LE(once, 12 * 10 * 8 * 2);
  EXPECT_NE(solve.describe().find("\ntuned "), std::string::npos) << solve.describe();
  EXPECT_TRUE(same_on_all_ranks(solve.describe()));
  Operator<double> const again(layout, MPI_COMM_WORLD, symbol, options);
  EXPECT_NE(again.describe().find("quick search, earlier"), std::string::npos) << again.describe();
  EXPECT_EQ(calls, 2 * once);
  Options const of_plan = options;
  Plan<double> const plan(layout, MPI_COMM_WORLD, of_plan);
  EXPECT_EQ(plan.describe().find("earlier"), std::string::npos) << "the plan's is another problem";
  MapOptions of_map;
  static_cast<Options&>(of_map) = options;
  std::atomic<int> points = 0;
  auto const square = [&](Batch<std::complex<double>> const& batch) {
    points += static_cast<int>(batch.count);
    for (Index i = 0; i < batch.count; ++i) batch.out[0][i] = batch.in[0][i] * batch.in[0][i];
  };
  Map<double> const map(layout, MPI_COMM_WORLD, {.at_points = {square, 1}}, of_map);
  EXPECT_EQ(points, 0);
  EXPECT_EQ(map.describe().find("earlier"), std::string::npos);
  EXPECT_EQ(kept().size(), transforms::mine() == 0 ? 3u : 0u);
}

}  // namespace
}  // namespace sixstep
