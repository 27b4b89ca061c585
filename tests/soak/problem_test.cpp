// SPDX-License-Identifier: BSD-3-Clause
// The soak test's own parts: lines, and what it holds results against.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "exact.hpp"
#include "oracles/kinds.hpp"
#include "problem.hpp"
#include "random_problem.hpp"
#include "refuses.hpp"
#include "simpler.hpp"

namespace soak {
namespace {

Machine const machine{{sixstep::Local::fftw}, {"AVX2", "SSE4"}};

TEST(soak_problem, reads_what_it_prints) {
  cases::Random random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string const line = print(random_problem(random, 1 + round % 7, machine));
    ASSERT_EQ(print(parse(line)), line);
  }
}

TEST(soak_problem, reads_what_simpler_problems_print) {
  cases::Random random(2);
  for (int round = 0; round < 50; ++round)
    for (Problem const& problem : simpler(random_problem(random, 1 + round % 7, machine))) {
      std::string const line = print(problem);
      ASSERT_EQ(print(parse(line)), line);
    }
}

TEST(soak_problem, reads_the_words_of_solvers) {
  std::string const line =
      "double make=operator shape=4x6 in=slab:0 out=slab:1 out_shape=3x8 results=2 back=5.8 "
      "first=0.7 run=fuu1 sides real product array called renewed + "
      "float make=map shape=4x6 in=slab:0 results=0.2.1 batch=64 scales=1s + "
      "double make=convolution shape=4x6 in=slab:0 mode=same kernel=3x9 kernel_in=slab:1 correlate "
      "even";
  Problem const problem = parse(line);
  EXPECT_EQ(print(problem), line);
  Solver const& solver = problem[0].jobs[0].solver;
  EXPECT_TRUE(solver.has_sides && solver.real && solver.product && solver.array && solver.called &&
              solver.renewed);
  EXPECT_EQ(solver.back, (std::vector<Index>{5, 8}));
  EXPECT_EQ(solver.first, (std::vector<Index>{0, 7}));
  EXPECT_EQ(problem[0].jobs[1].solver.from_points, Scale::by_sqrt_n);
  EXPECT_EQ(problem[0].jobs[2].solver.mode, ConvolutionMode::same);
}

TEST(soak_problem, reads_the_words_of_waves_and_equations) {
  std::string const line =
      "double shape=4x6 in=slab:0 columns=0.-1.2.1.0.0 run=fuu1 + "
      "double make=map shape=4x6x7 in=slab:0 sphere=1.5/2/3 results_in=slab:1 + "
      "double make=open_poisson shape=4x6 in=slab:0 kernel_in=slab:1 walls=open.neumann "
      "points=cells.nodes shift=0.5/0 greens=waves more_waves=2.0 renewed";
  Problem const problem = parse(line);
  EXPECT_EQ(print(problem), line);
  std::vector<Job> const& jobs = problem[0].jobs;
  EXPECT_EQ(jobs[0].options.columns, (std::vector<Index>{0, -1, 2, 1, 0, 0}));
  EXPECT_EQ(jobs[1].options.sphere, (std::vector<double>{1.5, 2, 3}));
  EXPECT_EQ(jobs[1].solver.results_in->axis, 1);
  EXPECT_EQ(jobs[2].solver.walls, (std::vector<Walls>{Walls::open, Walls::neumann}));
  EXPECT_EQ(jobs[2].solver.shift, (std::vector<double>{0.5, 0}));
  EXPECT_EQ(jobs[2].solver.greens, GreensBy::waves);
}

TEST(soak_problem, reads_every_word) {
  std::string const line =
      "ranks=2.0 float shape=4x6 in=grid:2x1c@1.0%1.0,0.2 out=boxes:0:4x0:6/9:-2x0:6 axes=1.0 "
      "kinds=c2c.dst4 lengths=7.4 modes=3.2 "
      "wire=1e-05 reproducible=machine verify=result exchange=pairwise threads=2 fields=3 "
      "local=fftw "
      "node_ranks=2 isa=AVX2 late=1 "
      "on=1:threads=3 "
      "run=fup1.Bns "
      "interleaved overwrite low_memory regrid split_untransformed lent moved early outlive | "
      "ranks=1 double shape=3 in=slab:0 "
      "out=pencil out_shape=7 kinds=r2c padded refused + double shape=3 in=brick@0 + double "
      "shape=3x4 in=slab:0 "
      "in_strides=7x1 out_strides=1x9 serial";
  Problem const problem = parse(line);
  EXPECT_EQ(print(problem), line);
  ASSERT_EQ(problem.size(), 2u);
  EXPECT_EQ(problem[1].jobs.size(), 3u);
  Job const& job = problem[0].jobs[0];
  EXPECT_TRUE(job.single && job.moved && job.early && job.outlive && !job.refused);
  EXPECT_TRUE(job.options.low_memory && job.options.regrid && !job.options.padded);
  EXPECT_FALSE(job.options.preserve_input || job.options.own_workspace);
  EXPECT_EQ(job.options.kinds, (std::vector<Kind>{Kind::c2c, Kind::dst4}));
  EXPECT_EQ(job.options.lengths, (std::vector<Index>{7, 4}));
  EXPECT_EQ(job.options.modes, (std::vector<Index>{3, 2}));
  EXPECT_EQ(job.options.wire.tolerance, 1e-5);
  EXPECT_EQ(job.options.reproducible, sixstep::Bits::machine);
  EXPECT_EQ(job.options.verify, sixstep::Verify::result);
  EXPECT_EQ(job.output->boxes[1].ranges[0].lo, 9);
  ASSERT_EQ(job.executions.size(), 2u);
  EXPECT_EQ(job.executions[0].output, Whose::plans);
  EXPECT_TRUE(job.executions[1].in_place);
  EXPECT_EQ(job_on(job, 0).options.threads, 2);
  EXPECT_EQ(job_on(job, 1).options.threads, 3);
}

TEST(soak_problem, names_words_that_it_cannot_read) {
  for (char const* word : {"shape=4y", "shpae=4", "in=slabs", "run=fu1", "run=fux1", "on=1"})
    EXPECT_NE(message_of([&] { parse(word); }), "") << word;
}

double largest_difference(Whole<long double> const& x, oracle::Whole const& y) {
  if (!(x.shape == y.shape) || x.values.size() != y.values.size()) return HUGE_VAL;
  long double worst = 0;
  for (std::size_t i = 0; i < x.values.size(); ++i)
    worst = std::max(worst, std::abs(x.values[i] - y.values[i]));
  return static_cast<double>(worst);
}

void expect_exact(Shape const& shape, std::vector<AxisKind> const& kinds, bool is_real) {
  oracle::Kinds pairs;
  Index n = 0;
  Shape half = shape;
  for (AxisKind const& one : kinds) {
    pairs.emplace_back(one.axis, one.kind);
    if (one.kind != Kind::r2c) continue;
    n = shape[one.axis];
    half[one.axis] = n / 2 + 1;
  }
  auto const x = random_whole<long double>(shape, is_real, 3);
  EXPECT_LT(largest_difference(transformed(x, kinds, Direction::forward, n),
                               oracle::forward({x.shape, x.values}, pairs)),
            1e-14);
  auto const y = random_whole<long double>(half, is_real && n == 0, 4);
  EXPECT_LT(largest_difference(transformed(y, kinds, Direction::backward, n),
                               oracle::backward({y.shape, y.values}, pairs, n)),
            1e-14);
}

TEST(soak_exact, sums_what_the_definitions_say) {
  for (int kind = 0; kind <= static_cast<int>(Kind::dst4); ++kind)
    for (Index n : {2, 3, 8, 9}) {
      auto const one = static_cast<Kind>(kind);
      SCOPED_TRACE(testing::Message() << to_string(one) << " of " << n);
      expect_exact({3, n, 2}, {{1, one}}, one != Kind::c2c);
      expect_exact({n, 4}, {{1, Kind::c2c}, {0, one}}, one == Kind::r2c);
    }
}

TEST(soak_exact, sums_long_axes_as_the_definition_does) {
  for (Index n : {97, 128, 211, 360}) {
    SCOPED_TRACE(n);
    expect_exact({2, n, 3}, {{1, Kind::c2c}}, false);
    expect_exact({n, 2}, {{0, Kind::r2c}}, true);
  }
  for (int kind = static_cast<int>(Kind::dct1); kind <= static_cast<int>(Kind::dst4); ++kind)
    expect_exact({1, 111, 2}, {{1, static_cast<Kind>(kind)}}, true);
}

TEST(soak_exact, keeps_the_lowest_frequencies) {
  Whole<double> const y{{8}, {0, 1, 2, 3, -4, -3, -2, -1}};
  using Values = std::vector<std::complex<double>>;
  AxisKind const odd{0, Kind::c2c, 8, 5}, even{0, Kind::c2c, 8, 4}, first{0, Kind::dct2, 8, 3};
  EXPECT_EQ(kept_of(y, {odd}).values, (Values{0, 1, 2, -2, -1}));
  EXPECT_EQ(kept_of(y, {even}).values, (Values{0, 1, -2, -1}));
  EXPECT_EQ(kept_of(y, {first}).values, (Values{0, 1, 2}));
  EXPECT_EQ(among_zeros(kept_of(y, {even}), {even}).values, (Values{0, 1, 0, 0, 0, 0, -2, -1}));
  AxisKind const half{0, Kind::r2c, 14, 5};
  EXPECT_EQ(kept_of(y, {half}).values, (Values{0, 1, 2}));
  EXPECT_EQ(among_zeros(kept_of(y, {half}), {half}).values, (Values{0, 1, 2, 0, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace soak
