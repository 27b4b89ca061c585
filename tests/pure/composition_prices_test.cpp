// SPDX-License-Identifier: BSD-3-Clause
// Prices of compositions: their tasks, and the tables of operators.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <string>
#include <utility>
#include <vector>

#include "formulas/operators.hpp"
#include "model/price.hpp"
#include "prices.hpp"
#include "program/ways.hpp"

namespace sixstep::model {
namespace {

using schedule::Problem;

TEST(compositions, are_priced_task_by_task_as_they_are_described) {
  Machine const on = simple();
  Layout const input = Layout::slab({1048573}, 8);  // a prime
  formulas::Composition const composition = formulas::compose({input, input});
  ASSERT_FALSE(composition.direct());
  Price const found = price(composition, {}, on);
  std::string const words = formulas::describe(composition);
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = words.find('\n', at)) != std::string::npos;) {
    ++at;
    if (words.compare(at, 5, "pass ") == 0 || words.compare(at, 9, "exchange ") == 0) ++lines;
  }
  EXPECT_EQ(found.steps.size(), lines);
  double seconds = 0;
  for (StepPrice const& step : found.steps) seconds += step.seconds;
  EXPECT_LE(apart(found.seconds, seconds), rounding);
}

/// The bytes of the pass of an operator on 16^3 points that multiplies by the symbol, beside those
/// that it reads and writes without a table.
double table_bytes(Symbol const& symbol, int fields = 1,
                   formulas::TimesSymbol::Way way = formulas::TimesSymbol::Way::kept,
                   std::vector<Kind> kinds = {}) {
  Shape shape{16, 16, 16};
  Problem problem{.input = Layout::slab(shape, 2), .axes = {0, 1, 2}, .kinds = std::move(kinds)};
  if (fields > 1) {
    shape.push_back(fields);
    problem.input = Layout::grid(shape, {2, 1, 1, 1});
  }
  auto const bytes_of = [&](Symbol const& of, formulas::TimesSymbol::Way in) {
    formulas::Composition const composition = formulas::compose_operator(
        problem, {},
        {.product = formulas::times_symbol(of, in), .fields_axis = fields > 1 ? 3 : -1});
    double sum = 0;
    for (StepPrice const& step : price(composition, {}, simple()).steps)
      if (!step.communicates) sum += step.bytes;
    return sum;
  };
  return bytes_of(symbol, way) - bytes_of(symbol, formulas::TimesSymbol::Way::called);
}

TEST(operators, read_their_tables) {
  constexpr double points = 16 * 16 * 16 / 2;  // of a rank
  Symbol const real([](Wavevector const& k) { return k[0]; });
  Symbol const complex([](Wavevector const& k) { return std::complex<double>(0, k[0]); });
  Symbol const matrix = Symbol::matrix(
      2, 3, [](Wavevector const&, std::complex<double>* m) { std::fill(m, m + 6, 1.); });
  Symbol const product = Symbol::same_product([](double k) { return k; }, Symbol::Numbers::real);
  EXPECT_EQ(table_bytes(real), 8 * points);
  EXPECT_EQ(table_bytes(complex), 16 * points);
  EXPECT_EQ(table_bytes(complex, 3), 16 * points) << "fields share it";
  EXPECT_EQ(table_bytes(matrix, 3), 6 * 16 * points);
  EXPECT_EQ(table_bytes(complex, 1, formulas::TimesSymbol::Way::kept, {Kind::dct2}), 8 * points);
  EXPECT_EQ(table_bytes(product), 0);
  EXPECT_EQ(table_bytes(product, 1, formulas::TimesSymbol::Way::in_table), 8 * points);
}

TEST(operators, take_longer_with_a_table) {
  Problem const problem{.input = Layout::slab({64, 64, 64}, 1)};
  Symbol const symbol([](Wavevector const& k) { return k[0]; });
  auto const priced_in = [&](formulas::TimesSymbol::Way way) {
    return price(
        formulas::compose_operator(problem, {}, {.product = formulas::times_symbol(symbol, way)}),
        {}, simple());
  };
  Price const kept = priced_in(formulas::TimesSymbol::Way::kept),
              called = priced_in(formulas::TimesSymbol::Way::called);
  double const rate = simple().memory->together.copied_bytes_per_s.at(1);
  EXPECT_LE(apart(kept.seconds - called.seconds, 64. * 64 * 64 * 8 / (2 * rate)), rounding);
}

TEST(compositions, price_tables_at_the_end_of_a_run) {
  Machine const on = simple();
  Layout const input = Layout::slab({1048573}, 8);  // a prime
  formulas::Composition const with = formulas::compose({input, input});
  formulas::Composition without = with;
  int const rank = program::reference_rank(with.schedules[0]);
  double reals = 0;
  for (std::size_t i = 0; i < with.forward.size(); ++i) {
    auto* const run = std::get_if<formulas::Run>(&without.forward[i].what);
    if (!run || !run->times) continue;
    run->times.reset();
    schedule::Schedule const& schedule = with.schedules[run->schedule];
    reals += 2 * static_cast<double>(
                     (run->backward ? schedule.input : schedule.output).layout.local_size(rank));
  }
  ASSERT_GT(reals, 0);
  auto const bytes_of = [&](formulas::Composition const& composition) {
    double sum = 0;
    for (StepPrice const& step : price(composition, {}, on).steps) sum += step.bytes;
    return sum;
  };
  EXPECT_EQ(bytes_of(with) - bytes_of(without), 8 * reals);
}

TEST(machines, with_more_ranks_a_node_share_what_a_node_has) {
  Machine const one = simple(), other = with_node_ranks(one, 8);
  EXPECT_DOUBLE_EQ(other.memory->together.copied_bytes_per_s.at(1), 0.5e9);
  EXPECT_DOUBLE_EQ(kernel_flops_per_s(other, 16, 8), 1e9);
  EXPECT_DOUBLE_EQ(sent_bytes_per_s(other, 64, false, 1), 0.5e9);
  EXPECT_DOUBLE_EQ(sent_bytes_per_s(other, 2, false, 1), 2e9);
  EXPECT_DOUBLE_EQ(kernel_flops_per_s(with_node_ranks(one, 16), 16, 8), 0.5e9) << "half a core";
  EXPECT_DOUBLE_EQ(kernel_flops_per_s(with_node_ranks(one, 2, 3), 16, 8), 3e9) << "of four cores";
}

}  // namespace
}  // namespace sixstep::model
