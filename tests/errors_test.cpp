// SPDX-License-Identifier: BSD-3-Clause
// Bad arguments: the same Error on every rank, which says what was given, and MPI goes on.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/plan.hpp"

namespace sixstep {
namespace {

using namespace refused;

using errors = Errors;

// The same mistake on every rank.

ErrorCode code_of(std::function<void()> const& action) {
  try {
    action();
  } catch (Error const& error) {
    return error.code();
  }
  return ErrorCode::internal;
}

TEST_F(errors, have_a_code_that_all_ranks_are_told) {
  Layout const layout = Layout::slab({8, 6}, all());
  EXPECT_EQ(code_of([&] { Plan<double>(layout, MPI_COMM_WORLD, {.axes = {7}}); }),
            ErrorCode::argument);
  Layout const huge = Layout::slab({Index{1} << 50}, all());
  EXPECT_EQ(code_of([&] { Plan<double>(huge, MPI_COMM_WORLD); }), ErrorCode::memory);
  auto const one_fails = [&](auto const& error) {
    mpi::together(MPI_COMM_WORLD, [&] {
      if (mine() == all() - 1) throw error;
    });
  };
  EXPECT_EQ(code_of([&] { one_fails(Error("a library", ErrorCode::library)); }),
            ErrorCode::library);
  EXPECT_EQ(code_of([&] { one_fails(std::bad_alloc()); }), ErrorCode::memory);
}

TEST_F(errors, input_for_another_number_of_ranks) {
  expect_refusal("input", {"4 ranks", "it is for 5"}, [] {
    Plan<double>(Layout::slab({8, 6}, 5), MPI_COMM_WORLD);
  });
}

TEST_F(errors, more_than_the_machines_have_memory_for) {
  for (Index n : {(Index{1} << 57) - 13, Index{1} << 44})  // the first is a prime
    for (Kind kind : {Kind::c2c, Kind::r2c, Kind::dct2})
      expect_refusal("memory", {"an array of", "bytes is needed", "this machine has"},
                     [&] { Plan<double>(slab({n}), MPI_COMM_WORLD, {.kinds = {kind}}); });
}

TEST_F(errors, input_of_nothing) {
  expect_refusal("input", {"it is for 0"}, [] { Plan<double>(Layout(), MPI_COMM_WORLD); });
}

TEST_F(errors, output_for_another_number_of_ranks) {
  expect_refusal("output", {"4 ranks", "it is for 2"}, [] {
    Plan<double>(slab(), Layout::slab({8, 6}, 2), MPI_COMM_WORLD);
  });
}

TEST_F(errors, output_of_another_shape) {
  expect_refusal("output", {"8 x 6", "8 x 7"}, [] {
    Plan<double>(slab(), slab({8, 7}), MPI_COMM_WORLD);
  });
  expect_refusal("output", {"8 x 6", "48"},
                 [] { Plan<double>(slab(), slab({48}), MPI_COMM_WORLD); });
}

TEST_F(errors, shape_without_points) {
  expect_refusal("input", {"at least 1", "8 x 0"}, [] {
    Plan<double>(slab({8, 0}), MPI_COMM_WORLD);
  });
}

TEST_F(errors, more_axes_than_are_possible) {
  expect_refusal("input", {"1 to 8 axes", "9"},
                 [] { Plan<double>(slab(Shape(9, 2)), MPI_COMM_WORLD); });
}

TEST_F(errors, axis_that_is_not_there) {
  expect_refusal("axes", {"0 to 1", "2 was given"}, [] { plan({.axes = {0, 2}}); });
  expect_refusal("axes", {"0 to 1", "-1 was given"}, [] { plan({.axes = {-1}}); });
}

TEST_F(errors, axis_that_is_named_twice) {
  expect_refusal("axes", {"axis 0", "twice"}, [] { plan({.axes = {0, 1, 0}}); });
}

TEST_F(errors, negative_threads) {
  expect_refusal("threads", {"-2"}, [] { plan({.threads = -2}); });
}

TEST_F(errors, exchange_that_is_none) {
  expect_refusal("exchange", {"77"}, [] { plan({.exchange = static_cast<Exchange>(77)}); });
}

TEST_F(errors, local_library_that_is_none) {
  expect_refusal("local", {"own, fftw or mkl", "77"},
                 [] { plan({.local = static_cast<Local>(77)}); });
}

// On one rank alone: its library may be missing there.
TEST_F(errors, local_library_that_is_none_on_one_rank) {
  expect_refusal("local", {"77"},
                 [] { plan({.local = mine() == 1 ? static_cast<Local>(77) : Local::own}); });
}

TEST_F(errors, local_library_that_is_missing) {
  try {
    plan({.local = Local::mkl});
    GTEST_SKIP() << "MKL is there";
  } catch (Error const&) {
  }
  expect_refusal("local", {"libmkl_rt.so", "install MKL"}, [] { plan({.local = Local::mkl}); });
}

TEST_F(errors, null_communicator) {
  expect_refusal("comm", {"MPI_COMM_NULL"}, [] { Plan<double>(slab(), MPI_COMM_NULL); });
}

TEST_F(errors, inter_communicator) {
  MPI_Comm half = MPI_COMM_NULL, between = MPI_COMM_NULL;
  int const side = mine() % 2;
  MPI_Comm_split(MPI_COMM_WORLD, side, mine(), &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 0, &between);
  expect_refusal("comm", {"inter-communicator"}, [&] { Plan<double>(slab(), between); });
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

// A mistake, or something else, on one rank only.

TEST_F(errors, input_for_another_number_of_ranks_on_one_rank) {
  for (int wrong : {0, all() - 1})
    expect_refusal("input", {"4 ranks", "it is for 3"}, [&] {
      Plan<double>(Layout::slab({8, 6}, mine() == wrong ? 3 : all()), MPI_COMM_WORLD);
    });
}

TEST_F(errors, inputs_that_differ_from_rank_to_rank) {
  std::vector<Layout> const others{
      slab({8, 7}), Layout::slab({8, 6}, all(), 1), Layout::grid({8, 6}, {all(), 1}, {}, {1, 0}),
      Layout::grid({8, 6}, {all(), 1}, {Distribution::cyclic, Distribution::block}),
      Layout::boxes(
          {8, 6},
          {{{{6, 8}, {0, 6}}}, {{{4, 6}, {0, 6}}}, {{{2, 4}, {0, 6}}}, {{{0, 2}, {0, 6}}}})};
  for (Layout const& other : others)
    for (int wrong : {0, 2})
      expect_refusal("input",
                     {"all ranks must give the same", wrong == 0 ? "on rank 0" : "on rank 2"},
                     [&] { Plan<double>(mine() == wrong ? other : slab(), MPI_COMM_WORLD); });
}

TEST_F(errors, lists_of_boxes_that_differ_from_rank_to_rank) {
  std::vector<Box> boxes{{{{0, 2}}}, {{{2, 4}}}, {{{4, 6}}}, {{{6, 8}}}};
  Layout const one = Layout::boxes({8}, boxes);
  std::swap(boxes[0], boxes[1]);
  Layout const other = Layout::boxes({8}, boxes);
  expect_refusal("input", {"the same layout", "on ranks 0, 2, 3", "on rank 1"},
                 [&] { Plan<double>(mine() == 1 ? other : one, MPI_COMM_WORLD); });
}

TEST_F(errors, outputs_that_differ_from_rank_to_rank) {
  expect_refusal(
      "output", {"grid of ranks", "[4, 1] was given on ranks 0, 1, 2, [1, 4] on rank 3"}, [&] {
        Plan<double>(slab(), mine() == 3 ? Layout::slab({8, 6}, all(), 1) : slab(), MPI_COMM_WORLD);
      });
  expect_refusal("output", {"a layout was given on ranks 0, 2, 3, none on rank 1"}, [&] {
    if (mine() == 1)
      Plan<double>(slab(), MPI_COMM_WORLD);
    else
      Plan<double>(slab(), slab(), MPI_COMM_WORLD);
  });
}

TEST_F(errors, options_that_differ_from_rank_to_rank) {
  struct Case {
    Options other;
    char const* name;
    char const* values;
  };
  Options const usual;
  for (auto const& [other, name, values] :
       {Case{{.axes = {0}}, "axes", "[] was given on ranks 0, 1, 3, [0] on rank 2"},
        Case{{.axes = {0, 1}}, "axes", "[0, 1] on rank 2"},
        Case{{.fields = 2, .exchange = Exchange::pairwise}, "fields", "1 was given on ranks 0"},
        Case{{.exchange = Exchange::pairwise},
             "exchange",
             "shared was given on ranks 0, 1, 3, pair"},
        Case{{.regrid = true}, "regrid", "false was given on ranks 0, 1, 3, true on rank 2"},
        Case{{.split_untransformed = true}, "split_untransformed", "true on rank 2"},
        Case{{.tuning_seconds = 3.5}, "tuning_seconds", "3.5 on rank 2"},
        Case{{.trace = "/dev/null"}, "trace", "'/dev/null' on rank 2"}})
    expect_refusal(name, {"all ranks must give the same; ", values},
                   [&, given = other] { plan(mine() == 2 ? given : usual); });
}

TEST_F(errors, trace_that_cannot_be_written) {
  expect_refusal("trace", {"/no/such/folder/trace.json", "cannot be written", "No such file"},
                 [] { plan({.trace = "/no/such/folder/trace.json"}); });
  expect_refusal("trace", {"cannot be written", "it is a folder"}, [] { plan({.trace = "/tmp"}); });
}

TEST_F(errors, kinds_that_differ_from_rank_to_rank) {
  std::vector<int> const axes{0, 1};
  Options const usual{.axes = axes, .kinds = {Kind::r2c}};
  for (Options const& other : {Options{.axes = axes}, Options{.axes = axes, .kinds = {Kind::dct2}},
                               Options{.axes = axes, .kinds = {Kind::r2c, Kind::c2c}},
                               Options{.axes = axes, .kinds = {Kind::r2c}, .padded = true}})
    expect_refusal(other.padded ? "padded" : "kinds", {"all ranks must give the same", "on rank 2"},
                   [&] { Plan<double>(slab(), MPI_COMM_WORLD, mine() == 2 ? other : usual); });
}

TEST_F(errors, precisions_that_differ_from_rank_to_rank) {
  expect_refusal("precision", {"'single' was given on rank 0, 'double' on ranks 1, 2, 3"}, [&] {
    if (mine() == 0)
      Plan<float>(slab(), slab(), MPI_COMM_WORLD);
    else
      Plan<double>(slab(), slab(), MPI_COMM_WORLD);
  });
}

TEST_F(errors, bad_options_on_one_rank) {
  for (int wrong : {0, 3}) {
    expect_refusal("threads", {"-1"}, [&] { plan({.threads = mine() == wrong ? -1 : 1}); });
    expect_refusal("exchange", {"9"}, [&] {
      plan({.exchange = mine() == wrong ? static_cast<Exchange>(9) : Exchange::collective});
    });
  }
}

TEST_F(errors, threads_may_differ_from_rank_to_rank) {
  Plan<double> const made = plan({.threads = 1 + mine() % 2});
  EXPECT_EQ(made.threads(), 1 + mine() % 2);
}

// Boxes that are gathered.

Box rows(Index lo, Index hi) { return {{{lo, hi}, {0, 6}}}; }

TEST_F(errors, gathered_boxes_that_are_no_layout) {
  auto const gathered = [](Box const& box) { gather_boxes({8, 6}, box, MPI_COMM_WORLD); };
  expect_refusal("boxes", {"box 1", "[2, 4)", "box 2", "[3, 6)", "overlap"},
                 [&] { gathered(rows(mine() * 2 - (mine() == 2 ? 1 : 0), mine() * 2 + 2)); });
  expect_refusal("boxes", {"42 of the 48"},
                 [&] { gathered(rows(mine() * 2 + (mine() == 0 ? 1 : 0), mine() * 2 + 2)); });
  expect_refusal("boxes", {"box 3", "sticks out"},
                 [&] { gathered(rows(mine() * 2, mine() * 2 + (mine() == 3 ? 3 : 2))); });
  expect_refusal("boxes", {"box 0", "step"}, [&] {
    gathered({{{mine() * 2, mine() * 2 + 2, mine() == 0 ? 2 : 1}, {0, 6}}});
  });
  expect_refusal("boxes", {"box 2 has 1 axes"}, [&] {
    gathered(mine() == 2 ? Box{{{4, 6}}} : rows(mine() * 2, mine() * 2 + 2));
  });
}

TEST_F(errors, gathered_boxes_of_arguments_that_differ) {
  Box const box = rows(mine() * 2, mine() * 2 + 2);
  expect_refusal("shape", {"8 x 6 was given on ranks 0, 2, 3, 8 x 7 on rank 1"}, [&] {
    gather_boxes({8, mine() == 1 ? 7 : 6}, box, MPI_COMM_WORLD);
  });
  expect_refusal("order", {"on rank 3"}, [&] {
    gather_boxes({8, 6}, box, MPI_COMM_WORLD, mine() == 3 ? Order{1, 0} : Order{0, 1});
  });
  expect_refusal("order", {"permutation"}, [&] {
    gather_boxes({8, 6}, box, MPI_COMM_WORLD, {0, 2});
  });
  expect_refusal("comm", {"MPI_COMM_NULL"}, [&] { gather_boxes({8, 6}, box, MPI_COMM_NULL); });
}

TEST_F(errors, cost_no_communicators) {
  // More than any MPI has room for.
  Layout const layout = Layout::slab({8, 6}, 1);
  for (int round = 0; round < 5000; ++round)
    ASSERT_NE(message_of([&] { Plan<double>(layout, MPI_COMM_SELF, {.axes = {7}}); }), "");
  expect_good_plan(MPI_COMM_SELF);
}

}  // namespace
}  // namespace sixstep
