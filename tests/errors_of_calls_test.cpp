// SPDX-License-Identifier: BSD-3-Clause
// Bad arguments of calls of a plan, of an empty one too: an Error where the mistake was made.
#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "refuses.hpp"
#include "sixstep/plan.hpp"

namespace sixstep {
namespace {

using namespace refused;

using errors_of_calls = Errors;

TEST_F(errors_of_calls, null_arrays) {
  Plan<double> made = plan({});
  std::vector<Complex> array(static_cast<std::size_t>(made.in_place_size()));
  Complex* const none = nullptr;
  EXPECT_TRUE(refuses("in", {"12 elements", "null"}, [&] { made.forward(none, array.data()); }));
  EXPECT_TRUE(refuses("out", {"12 elements", "null"}, [&] { made.forward(array.data(), none); }));
  EXPECT_TRUE(refuses("in", {"null"}, [&] { made.backward(none, none); }));
}

TEST_F(errors_of_calls, null_arrays_are_fine_where_there_is_nothing) {
  Layout const layout = Layout::slab({3, 5}, all());
  Plan<double> made(layout, layout, MPI_COMM_WORLD);
  std::vector<Complex> array(15, 1);
  Complex* const data = layout.local_size(mine()) > 0 ? array.data() : nullptr;
  made.forward(data, data);
  EXPECT_EQ(array[0], mine() == 0 ? Complex(15) : mine() < 3 ? Complex(0) : Complex(1));
}

TEST_F(errors_of_calls, no_workspace) {
  Plan<double> made = plan({.own_workspace = false});
  std::vector<Complex> array(static_cast<std::size_t>(made.in_place_size()));
  EXPECT_TRUE(
      refuses("workspace", {"set_workspace"}, [&] { made.forward(array.data(), array.data()); }));
}

TEST_F(errors_of_calls, workspace_that_is_too_small_or_null_or_crooked) {
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

TEST_F(errors_of_calls, workspace_for_a_plan_that_has_its_own) {
  Plan<double> made = plan({});
  std::vector<std::byte> memory(made.workspace_bytes() + 64);
  EXPECT_TRUE(refuses("workspace", {"own_workspace = false"},
                      [&] { made.set_workspace(memory.data(), memory.size()); }));
}

// Plans that are none.

TEST_F(errors_of_calls, whatever_is_asked_of_an_empty_plan) {
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

TEST_F(errors_of_calls, waves_that_are_not_there) {
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

TEST_F(errors_of_calls, waves_along_an_axis_that_the_output_has_in_two_digits) {
  Plan<double> const made(slab({144}), MPI_COMM_WORLD);
  ASSERT_EQ(made.output().axes(), 2);
  EXPECT_TRUE(refuses("axis", {"axis 0", "two"}, [&] { made.wavenumbers(0); }));
}

}  // namespace
}  // namespace sixstep
