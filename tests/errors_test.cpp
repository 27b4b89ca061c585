// SPDX-License-Identifier: BSD-3-Clause
// Bad arguments: the same Error on every rank, which says what was given, and MPI goes on.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/plan.hpp"

namespace sixstep {
namespace {

using Complex = std::complex<double>;

int mine() { return ranks::rank(); }
int all() { return ranks::count(); }

/// Whether a plan can be made and transforms an impulse into ones.
void expect_good_plan(MPI_Comm comm = MPI_COMM_WORLD) {
  Layout const layout = Layout::slab({8, 6}, ranks::size_of(comm));
  Plan<double> plan(layout, layout, comm);
  std::vector<Complex> array(static_cast<std::size_t>(plan.in_place_size()));
  if (ranks::rank_in(comm) == 0) array[0] = 1;
  plan.forward(array.data(), array.data());
  for (Index i = 0; i < plan.output_size(); ++i)
    EXPECT_EQ(array[static_cast<std::size_t>(i)], Complex(1));
}

/// After each test the library and MPI are as usable as before.
class errors : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
    expect_good_plan();
  }
};

/// Every rank throws the same Error, it begins with `argument` and holds all of `parts`.
template <class Action>
void expect_refusal(std::string const& argument, std::initializer_list<char const*> parts,
                    Action const& action) {
  std::string message;
  EXPECT_TRUE(refuses(argument, parts, [&] {
    message = message_of(action);
    if (!message.empty()) throw Error(message);
  }));
  std::vector<std::string> const messages = ranks::gather(message);
  for (std::string const& other : messages) EXPECT_EQ(other, messages[0]);
}

Layout slab(Shape const& shape = {8, 6}) { return Layout::slab(shape, all()); }

Plan<double> plan(Options const& options) { return {slab(), slab(), MPI_COMM_WORLD, options}; }

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

// Mistakes of one rank alone, after the plan was made.

TEST_F(errors, null_arrays) {
  Plan<double> made = plan({});
  std::vector<Complex> array(static_cast<std::size_t>(made.in_place_size()));
  Complex* const none = nullptr;
  EXPECT_TRUE(refuses("in", {"12 elements", "null"}, [&] { made.forward(none, array.data()); }));
  EXPECT_TRUE(refuses("out", {"12 elements", "null"}, [&] { made.forward(array.data(), none); }));
  EXPECT_TRUE(refuses("in", {"null"}, [&] { made.backward(none, none); }));
}

TEST_F(errors, null_arrays_are_fine_where_there_is_nothing) {
  Layout const layout = Layout::slab({3, 5}, all());
  Plan<double> made(layout, layout, MPI_COMM_WORLD);
  std::vector<Complex> array(15, 1);
  Complex* const data = layout.local_size(mine()) > 0 ? array.data() : nullptr;
  made.forward(data, data);
  EXPECT_EQ(array[0], mine() == 0 ? Complex(15) : mine() < 3 ? Complex(0) : Complex(1));
}

TEST_F(errors, no_workspace) {
  Plan<double> made = plan({.own_workspace = false});
  std::vector<Complex> array(static_cast<std::size_t>(made.in_place_size()));
  EXPECT_TRUE(
      refuses("workspace", {"set_workspace"}, [&] { made.forward(array.data(), array.data()); }));
}

TEST_F(errors, workspace_that_is_too_small_or_null_or_crooked) {
  Plan<double> made = plan({.own_workspace = false});
  std::size_t const bytes = made.workspace_bytes();
  ASSERT_GT(bytes, 0u);
  std::vector<std::byte> memory(bytes + 128);
  auto const address = reinterpret_cast<std::uintptr_t>(memory.data());
  std::byte* const aligned = memory.data() + (64 - address % 64) % 64;
  std::string const needed = std::to_string(bytes), given = std::to_string(bytes - 1);
  EXPECT_TRUE(refuses("workspace", {needed.c_str(), given.c_str()},
                      [&] { made.set_workspace(aligned, bytes - 1); }));
  EXPECT_TRUE(
      refuses("workspace", {needed.c_str(), "null"}, [&] { made.set_workspace(nullptr, bytes); }));
  EXPECT_TRUE(
      refuses("workspace", {"aligned to 64"}, [&] { made.set_workspace(aligned + 8, bytes); }));
  made.set_workspace(aligned, bytes);
}

TEST_F(errors, workspace_for_a_plan_that_has_its_own) {
  Plan<double> made = plan({});
  std::vector<std::byte> memory(made.workspace_bytes() + 64);
  EXPECT_TRUE(refuses("workspace", {"own_workspace = false"},
                      [&] { made.set_workspace(memory.data(), memory.size()); }));
}

// Plans that are none.

TEST_F(errors, whatever_is_asked_of_an_empty_plan) {
  Plan<double> empty;
  Plan<double> made = plan({});
  EXPECT_TRUE(made);
  Plan<double> const taken = std::move(made);
  EXPECT_TRUE(taken);
  for (Plan<double>* none : {&empty, &made}) {
    EXPECT_FALSE(*none);
    Complex* const array = nullptr;
    double* const reals = nullptr;
    std::vector<std::function<void()>> const calls{
        [&] { none->input(); },
        [&] { none->output(); },
        [&] { none->input_box(); },
        [&] { none->output_box(); },
        [&] { none->input_strides(); },
        [&] { none->output_strides(); },
        [&] {
          none->wavenumber({0, 0});
        },
        [&] { none->wavenumber(0, 0); },
        [&] { none->wavenumbers(0); },
        [&] { none->input_size(); },
        [&] { none->output_size(); },
        [&] { none->in_place_size(); },
        [&] { none->allocate(); },
        [&] { none->forward(array, array); },
        [&] { none->backward(array, array); },
        [&] { none->execute(array, array, Direction::forward, Sign::plus); },
        [&] { none->forward(reals, array); },
        [&] { none->backward(array, reals); },
        [&] { none->forward(reals, reals); },
        [&] { none->workspace_bytes(); },
        [&] { none->set_workspace(array, 0); },
        [&] { none->describe(); },
        [&] { none->passes(); },
        [&] { none->exchanges(); },
        [&] { none->threads(); },
        [&] { none->communication_seconds(); },
        [&] { none->breakdown(); },
        [&] { none->predict(); },
        [&] { none->write_trace(); }};
    for (std::size_t i = 0; i < calls.size(); ++i)
      EXPECT_TRUE(refuses("plan", {"empty"}, calls[i])) << "call " << i;
  }
  empty = plan({});
  EXPECT_EQ(empty.input(), slab());
  empty = Plan<double>();
  EXPECT_FALSE(empty);
}

// Wave numbers.

TEST_F(errors, waves_that_are_not_there) {
  Plan<double> const made(slab(), MPI_COMM_WORLD, {.axes = {1}, .kinds = {Kind::r2c}});
  EXPECT_TRUE(refuses("axis", {"0 to 1", "2 was given"}, [&] { made.wavenumber(2, 0); }));
  EXPECT_TRUE(refuses("axis", {"0 to 1", "-1 was given"}, [&] { made.wavenumbers(-1); }));
  EXPECT_TRUE(refuses("axis", {"axis 0 is not"}, [&] { made.wavenumbers(0); }));
  EXPECT_TRUE(refuses("axis", {"axis 0 is not"}, [&] { made.wavenumber(0, 0); }));
  EXPECT_TRUE(refuses("k", {"0 to 3", "4 was given"}, [&] { made.wavenumber(1, 4); }));
  EXPECT_TRUE(refuses("k", {"0 to 3", "-1 was given"}, [&] { made.wavenumber(1, -1); }));
  EXPECT_TRUE(refuses("k", {"8 x 4", "{8, 0}"}, [&] { made.wavenumber({8, 0}); }));
  EXPECT_TRUE(refuses("k", {"8 x 4"}, [&] { made.wavenumber({0}); }));
}

TEST_F(errors, waves_along_an_axis_that_the_output_has_in_two_digits) {
  Plan<double> const made(slab({144}), MPI_COMM_WORLD);
  ASSERT_EQ(made.output().axes(), 2);
  EXPECT_TRUE(refuses("axis", {"axis 0", "two"}, [&] { made.wavenumbers(0); }));
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
