// SPDX-License-Identifier: BSD-3-Clause
// Numbers of a machine: plans are made with those that were measured, on all ranks alike where that
// is needed.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <map>
#include <vector>

#include "measure/kept.hpp"
#include "refuses.hpp"
#include "runners/composition_runner.hpp"
#include "runners/conditions_of.hpp"
#include "transforms.hpp"
#include "tuner/calibration.hpp"
#include "tuner/tuner.hpp"
#include "tuning_files.hpp"
#include "wisdom/wisdom_file.hpp"

namespace sixstep {
namespace {

using cases::Random;
using transforms::Case;
using tuning_files::same_on_all_ranks;
using Calibration = tuning_files::Tuning;

wisdom::Entry measured(wisdom::Words const& key, tuner::Settings const& values) {
  return {key, values, "quick", 1, 1, "2026-11-25T12:00:00Z"};
}

TEST_F(Calibration, plans_are_made_with_numbers_that_were_measured) {
  auto const keep = [&](std::string const& processor, tuner::Settings const& values) {
    if (transforms::mine() == 0) {
      auto const key = tuner::key_of_processor(processor);
      EXPECT_EQ(wisdom::keep(file(), {measured(key, values)}), "");
    }
    MPI_Barrier(MPI_COMM_WORLD);
  };
  // Planes of 4 MiB, which are more than a second-level cache.
  Case given{Layout::slab({4 * transforms::all(), 512, 512}, transforms::all())};
  given.options.axes = {1, 2};
  auto const plan = [&] { return transforms::make<double>(given); };
  std::string const before = plan().describe();
  EXPECT_EQ(before.find("\nmeasured"), std::string::npos);
  keep("another processor", {{"third_bytes", "262144"}});
  EXPECT_EQ(plan().describe(), before);
  keep(tuner::processor_words(), {{"third_bytes", "1073741824"}, {"strip_row_bytes", "256"}});
  EXPECT_NE(plan().describe().find("\nmeasured  third_bytes 1073741824, strip_row_bytes 256: "
                                   "sixstep tune --machine, 2026-11-25"),
            std::string::npos)
      << plan().describe();
  int const passes = plan().passes();
  keep(tuner::processor_words(), {{"third_bytes", "262144"}});
  EXPECT_GT(plan().passes(), passes) << "a plane is more than is kept: there is a pass an axis";
  transforms::expect_transforms<double>({Layout::slab({12, 10, 7}, transforms::all())});
}

TEST_F(Calibration, ranks_of_unlike_processors_agree_on_messages_and_have_numbers_of_their_own) {
  mpi::Communicator const comm = mpi::Communicator::duplicate(MPI_COMM_WORLD);
  std::string const processor = text("processor ", transforms::mine() % 2);
  std::vector<wisdom::Entry> entries;
  if (transforms::mine() == 0)
    entries = {measured(tuner::key_of_processor("processor 1"), {{"fetched_bytes", "4096"}}),
               measured(tuner::key_of_processor("processor 0"), {{"fetched_bytes", "16384"}}),
               measured(tuner::key_of_messages(), {{"least_window_message_bytes", "65536"}})};
  sixstep::Tuning const found = tuner::calibrated(comm, entries, {}, processor).tuning;
  EXPECT_EQ(found.least_window_message_bytes, 65536);
  EXPECT_EQ(found.fetched_bytes, transforms::mine() % 2 == 1 ? 4096 : 16384);
  // What other ranks have read does not count.
  if (transforms::mine() != 0)
    entries = {measured(tuner::key_of_messages(), {{"least_window_message_bytes", "128"}})};
  EXPECT_EQ(tuner::calibrated(comm, entries, {}, processor).tuning, found);
}

TEST_F(Calibration, ranks_with_unlike_numbers_transform_as_ranks_with_the_same) {
  Random random(3);
  for (int time = 0; time < 20; ++time) {
    // The same on all ranks, but for `own`.
    Shape const shape = cases::random_shape(random, random.between(1, 4), 60000);
    Layout const input =
        Layout::slab(shape, transforms::all(), random.between(0, shape.size() - 1));
    Options options;
    options.threads = random.between(1, 2);
    options.low_memory = random.once_in(3);
    options.windows = random.once_in(2) ? 0 : random.between(1, 4);
    if (random.once_in(2)) options.exchange = Exchange::pairwise;
    sixstep::Tuning own;
    for (tuner::Dial const& dial : tuner::dials()) {
      Index const odd = random.once_in(2) ? dial.least : dial.most;
      Index const even = random.once_in(2) ? dial.least : dial.most;
      if (!dial.of_messages) dial.set(own, transforms::mine() % 2 == 1 ? odd : even);
    }
    auto const transformed = [&](sixstep::Tuning const& tuning) {
      runners::CompositionRunner plan(formulas::compose({.input = input, .output = input}),
                                      mpi::Communicator::duplicate(MPI_COMM_WORLD), options,
                                      int{sizeof(double)}, tuning);
      auto const in = plan.allocate_array(), out = plan.allocate_array();
      auto* const values = static_cast<double*>(in.get());
      for (Index i = 0; i < plan.input_reals(); ++i)
        values[i] = static_cast<double>((i * 37 + transforms::mine() * 11) % 101) / 101;
      plan.execute(in.get(), out.get(), Direction::forward, Scale::by_sqrt_n);
      auto const* const results = static_cast<double const*>(out.get());
      return std::vector<double>(results, results + plan.input_reals());
    };
    std::vector<double> const wanted = transformed({}), found = transformed(own);
    ASSERT_EQ(found.size(), wanted.size());
    double worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
      worst = std::max(worst, std::abs(found[i] - wanted[i]));
    EXPECT_LT(worst, 1e-12) << time;
  }
}

TEST_F(Calibration, calibrations_that_make_no_sense_are_left_out) {
  sixstep::Tuning const defaults;
  auto const words = tuner::processor_words();
  auto const tuning_of = [&](tuner::Settings const& values) {
    return tuner::calibrated({measured(tuner::key_of_processor(words), values)}, {}).tuning;
  };
  EXPECT_EQ(tuning_of({{"strip_row_bytes", "256"}}).strip_row_bytes, 256);
  for (tuner::Settings const& values : {tuner::Settings{{"strip_row_bytes", "0"}},
                                        {{"strip_row_bytes", "100"}},
                                        {{"strip_row_bytes", "256"}, {"third_bytes", "x"}},
                                        {{"no such number", "1"}},
                                        {{"least_window_message_bytes", "4096"}}})
    EXPECT_EQ(tuning_of(values), defaults) << tuner::to_words(values);
  for (tuner::Dial const& dial : tuner::dials()) {
    EXPECT_EQ(dial.value(tuner::with_dials({}, {{dial.name, text(dial.most)}}, dial.of_messages)),
              dial.most);
    EXPECT_TRUE(refuses("calibration", {dial.name.c_str(), text(dial.most).c_str()}, [&] {
      tuner::with_dials({}, {{dial.name, text(dial.most + 1)}}, dial.of_messages);
    }));
  }
}

// By the times of reads in turn, whose latency is 10 ns in cache and 100 ns in memory.
TEST(caches, keep_what_is_read_as_fast_as_from_a_cache) {
  constexpr Index mib = Index{1} << 20;
  auto const kept = [](std::map<Index, double> const& seconds) {
    return measure::kept_bytes(seconds);
  };
  EXPECT_EQ(kept({{2 * mib, 1e-8}, {8 * mib, 1e-8}, {64 * mib, 1e-7}}), 8 * mib);
  EXPECT_EQ(kept({{2 * mib, 1e-8}, {8 * mib, 1e-8}, {16 * mib, 5.5e-8}, {64 * mib, 1e-7}}),
            8 * mib);
  EXPECT_EQ(kept({{2 * mib, 1e-8}, {4 * mib, 5.5e-8}, {8 * mib, 9e-8}, {16 * mib, 1e-7}}), 2 * mib)
      << "others have the rest";
  EXPECT_EQ(kept({{2 * mib, 1e-7}, {64 * mib, 1.1e-7}}), 0) << "nothing can be told";
}

TEST_F(Calibration, a_calibration_finds_what_the_same_ranks_can_use) {
  mpi::Communicator const comm = mpi::Communicator::duplicate(MPI_COMM_WORLD);
  auto const found = tuner::calibrate(comm, 1, {{"third_bytes", "4194304"}}, 1e-9);
  EXPECT_EQ(found.values, (tuner::Settings{{"third_bytes", "4194304"}})) << "there was no time";
  EXPECT_GT(found.seconds, 0);
  EXPECT_GT(found.default_seconds, 0);
}

}  // namespace
}  // namespace sixstep
