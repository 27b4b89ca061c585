// SPDX-License-Identifier: BSD-3-Clause
// Compositions: what they consist of, and what they say.
#include "formulas/composition.hpp"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "base/match.hpp"
#include "base/memory.hpp"
#include "formulas/bluestein.hpp"
#include "formulas/times_array.hpp"

namespace sixstep::formulas {
namespace {

std::vector<std::string> names(Composition const& composition, std::vector<Task> const& tasks) {
  std::vector<std::string> found;
  for (Task const& task : tasks)
    std::visit(match{[&](Run const& run) {
                       found.push_back(schedule::summary(composition.schedules[run.schedule]));
                       if (run.times)
                         found.back() +=
                             ", " + composition.formulas[run.times->formula]->name(run.times->work);
                     },
                     [&](Apply const& apply) {
                       found.push_back(composition.formulas[apply.formula]->name(apply.work));
                     },
                     [&](Turn const& turn) { found.push_back(name(turn)); }},
               task.what);
  return found;
}

using Names = std::vector<std::string>;

TEST(composition, of_a_prime_length_multiplies_by_the_chirp_in_a_pass_of_the_transform) {
  Layout const line = Layout::slab({10007}, 1);
  Composition const made = bluestein({.input = line, .output = line}, {});
  ASSERT_EQ(made.schedules.size(), 1u);
  std::string const fft = schedule::summary(made.schedules[0]);
  Names const expected{"times chirp", fft + ", times transformed chirp", fft, "times chirp"};
  EXPECT_EQ(names(made, made.forward), expected);
  EXPECT_EQ(names(made, made.backward), expected);
  EXPECT_EQ(names(made, made.setup), (Names{"chirp", fft, "chirp"}));
  EXPECT_EQ(made.exchanges(), 0);
}

TEST(composition, of_a_prime_length_exchanges_in_its_transforms_alone) {
  Layout const line = Layout::slab({10007}, 4);
  Composition const made = compose({.input = line, .output = line});
  ASSERT_FALSE(made.direct());
  EXPECT_EQ(made.formulas[0]->name().find("convolution of 2 x "), 0u);
  EXPECT_EQ(made.exchanges(), 2 * made.schedules[0].exchanges());
}

TEST(composition, has_tables_only_of_what_a_pass_multiplies_by) {
  Layout const line = Layout::slab({2 * 10007}, 4), half = Layout::slab({10008}, 4);
  Composition const made =
      compose({.input = line, .output = half, .axes = {0}, .kinds = {Kind::r2c}});
  ASSERT_EQ(made.formulas.size(), 2u) << "pairs of reals, and a convolution";
  int products = 0;
  for (std::vector<Task> const* tasks : {&made.setup, &made.forward, &made.backward})
    for (Task const& task : *tasks) {
      if (auto const* apply = std::get_if<Apply>(&task.what)) {
        auto const worker = made.formulas[apply->formula]->on_rank(0, 8, Local::own);
        EXPECT_EQ(worker->table(apply->work), nullptr);
        EXPECT_EQ(worker->scratch_bytes() % alignment, 0u);
      }
      auto const* run = std::get_if<formulas::Run>(&task.what);
      if (!run || !run->times) continue;
      ++products;
      EXPECT_EQ(run->times->formula, 1u) << "the number of an inner formula follows the outer's";
      auto const worker = made.formulas[run->times->formula]->on_rank(0, 8, Local::own);
      EXPECT_NE(worker->table(run->times->work), nullptr);
    }
  EXPECT_EQ(products, 2) << "one in each direction";
}

TEST(composition, ends_with_the_arrays_of_the_problem) {
  Layout const input = Layout::slab({1, 1, 10007}, 4, 2), output = Layout::slab({1, 1, 5004}, 4, 2);
  Composition const made =
      compose({.input = input, .output = output, .axes = {2}, .kinds = {Kind::r2c}});
  ASSERT_FALSE(made.direct());
  EXPECT_TRUE(made.input == layout::place(input, layout::Number::real));
  EXPECT_TRUE(made.output == layout::place(output, layout::Number::complex));
}

/// "two, in place, allocated, overwrites", as they are met.
std::string meets_of(Composition const& made, std::size_t schedule) {
  program::Meets const met = made.meets(schedule);
  return text(met.two ? "two " : "", met.in_place ? "in place " : "",
              met.allocated ? "allocated " : "", met.overwrites ? "overwrites" : "");
}

TEST(composition, a_table_changes_nothing_about_the_arrays_of_a_schedule) {
  Composition made = compose({.input = Layout::slab({64, 64, 64}, 4)});
  EXPECT_EQ(meets_of(made, 0), "two in place allocated overwrites");
  Layout const line = Layout::slab({10007}, 4);
  made.add(compose({.input = line, .output = line}).formulas[0]);
  std::get<formulas::Run>(made.forward[0].what).times = Times{0, 0};
  EXPECT_EQ(meets_of(made, 0), "two in place allocated overwrites");
  EXPECT_EQ(made.direct(), 0u);
  program::Arrays const users{.in_segments = true, .preserve_input = false};
  EXPECT_EQ(made.arrays_of(made.forward[0], users), users);
}

TEST(composition, input_that_a_later_task_reads_is_preserved) {
  Composition made = compose({.input = Layout::slab({64, 64, 64}, 4)});
  made.forward.push_back({formulas::Run{0}, given, made.add_work(Layout::slab({64, 64, 64}, 4))});
  EXPECT_EQ(meets_of(made, 0), "two in place ");
  EXPECT_FALSE(made.direct());
  program::Arrays const users{.in_segments = true, .preserve_input = false};
  EXPECT_EQ(made.arrays_of(made.forward[1], users), program::Arrays{});
}

TEST(composition, is_a_schedule_where_ranks_share_the_work) {
  Composition const made = compose({.input = Layout::slab({64, 64, 64}, 4)});
  EXPECT_EQ(made.direct(), 0u);
  EXPECT_TRUE(made.formulas.empty());
  EXPECT_EQ(made.schedules.size(), 1u);
  EXPECT_TRUE(made.why.empty());
}

bool has_line(std::string const& words, std::string const& line) {
  return ("\n" + words + "\n").find("\n" + line + "\n") != std::string::npos;
}

int count_lines(std::string const& words, std::string const& beginning) {
  int count = words.rfind(beginning, 0) == 0 ? 1 : 0;
  for (std::size_t found = 0; (found = words.find("\n" + beginning, found)) != std::string::npos;
       ++found)
    ++count;
  return count;
}

TEST(composition, tells_layouts_exchanges_passes_and_memory) {
  std::string const lines = describe(compose({.input = Layout::slab({64, 64, 64}, 8)}));
  for (char const* part :
       {"64 x 64 x 64 over 8 x 1 x 1 ranks (slab)", "64 x 64 x 64 over 1 x 8 x 1 ranks (slab)",
        "1 exchange, 2 passes", "7 messages of 64 KiB", "448 KiB sent", "fft 64",
        "input 512 KiB, output 512 KiB"})
    EXPECT_NE(lines.find(part), std::string::npos) << part << " is missing in\n" << lines;
}

TEST(description, counts_passes_and_names_the_product_that_is_none) {
  Layout const line = Layout::slab({10007}, 4);
  std::string const words = describe(compose({.input = line, .output = line}));
  EXPECT_TRUE(has_line(words, "pass      times chirp")) << words;
  EXPECT_TRUE(has_line(words, "          times transformed chirp, in the last pass")) << words;
  EXPECT_TRUE(has_line(words, "why       a single axis, which ranks cannot share as it is"))
      << words;
  EXPECT_TRUE(has_line(words, text("total     ", count_lines(words, "exchange  "), " exchanges, ",
                                   count_lines(words, "pass      "), " passes over memory")))
      << words;
}

TEST(description, tells_of_low_memory) {
  Layout const line = Layout::slab({1 << 12}, 4);
  std::string const words =
      describe(compose({.input = line, .output = line}, {.low_memory = true}));
  EXPECT_TRUE(has_line(words, "method    64 rows of 64 points, in place")) << words;
  EXPECT_TRUE(has_line(words, "why       low memory for a single axis")) << words;
  EXPECT_TRUE(has_line(words, "pass      twiddle, rows")) << words;
}

TEST(description, tells_reals_from_complex_numbers) {
  Layout const line = Layout::slab({2 * 10007}, 4), half = Layout::slab({10008}, 4);
  Composition const made =
      compose({.input = line, .output = half, .axes = {0}, .kinds = {Kind::r2c}});
  std::string const words = describe(made);
  EXPECT_TRUE(has_line(words, text("input     ", line.describe(), ", reals"))) << words;
  EXPECT_TRUE(has_line(words, text("output    ", half.describe()))) << words;
  EXPECT_TRUE(has_line(words, "method    20014 reals as 10007 complex numbers")) << words;
}

TEST(foldings, keep_the_first_half_of_whole_axes_but_not_of_the_fastest) {
  Layout const slab = Layout::slab({8, 7, 5}, 2, 1);  // rank 0 has 4 of the 7
  Folding const folding = folding_of(slab, 0, {0, 1, 2});
  EXPECT_EQ(folding.folded, (Shape{8, 0, 0}));
  EXPECT_EQ(folding.strides, (Shape{20, 5, 1}));
  EXPECT_EQ(folding.size, 5 * 4 * 5);
  EXPECT_EQ(folding.number(0, 4), 4);
  EXPECT_EQ(folding.number(0, 5), 3);
  EXPECT_EQ(folding.number(1, 3), 3);
  EXPECT_EQ(folding_of(Layout::slab({8, 7, 5}, 1), 0, {0, 1}).size, 5 * 4 * 5);
  EXPECT_EQ(folding_of(slab, 0, {}).size, 8 * 4 * 5);
  EXPECT_EQ(folding_of(slab.with_order({2, 1, 0}), 0, {0, 2}).size, 8 * 4 * 3);
}

}  // namespace
}  // namespace sixstep::formulas
