// SPDX-License-Identifier: BSD-3-Clause
// Errors of the C interface: codes and words, on all ranks, and what NULL means.
#include "sixstep.h"

#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "c/options.hpp"
#include "c_handles.hpp"
#include "ranks.hpp"
#include "sixstep/sixstep.hpp"

namespace sixstep {
namespace {

using namespace c_handles;

Index const shape[] = {9, 10, 8};

TEST(c, errors_have_the_codes_and_words_of_cpp) {
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all() + 1, 0);
  sixstep_plan* plan = nullptr;
  EXPECT_EQ(
      sixstep_plan_create(SIXSTEP_DOUBLE, slab.get(), nullptr, MPI_COMM_WORLD, nullptr, &plan),
      SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(plan, nullptr);
  EXPECT_EQ(std::string(sixstep_error_message()).rfind("input: a layout for the ", 0), 0u)
      << sixstep_error_message();
  sixstep_layout* layout = nullptr;
  EXPECT_EQ(sixstep_layout_slab(3, shape, 0, 0, &layout), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(sixstep_layout_slab(9, shape, 1, 0, &layout), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(sixstep_layout_slab(-1, shape, 1, 0, &layout), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(layout, nullptr);
  EXPECT_EQ(sixstep_good_size(0, 1, nullptr), SIXSTEP_ERROR_ARGUMENT);
}

TEST(c, options_of_other_headers_are_completed_or_refused) {
  sixstep_options options = SIXSTEP_OPTIONS;
  for (std::size_t size : {std::size_t{0}, std::size_t{8}, sizeof options + 8}) {
    options.size = size;
    EXPECT_THROW(c::options_of(&options), Error);
  }
  options = SIXSTEP_OPTIONS;
  options.axes_count = 9;
  EXPECT_THROW(c::options_of(&options), Error);
  options = SIXSTEP_OPTIONS;
  options.exchange = 5;
  EXPECT_THROW(c::options_of(&options), Error);
}

TEST(c, a_rank_that_gives_nonsense_fails_with_all_others) {
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  sixstep_options wrong = SIXSTEP_OPTIONS;
  wrong.tuning = 77;
  bool const last = ranks::rank() == all() - 1;
  sixstep_plan* plan = nullptr;
  EXPECT_EQ(sixstep_plan_create(SIXSTEP_DOUBLE, last ? nullptr : slab.get(), nullptr,
                                MPI_COMM_WORLD, nullptr, &plan),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(), "input: a pointer is needed, NULL was given");
  EXPECT_EQ(sixstep_plan_create(SIXSTEP_DOUBLE, slab.get(), nullptr, MPI_COMM_WORLD,
                                last ? &wrong : nullptr, &plan),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(), "tuning: 0 to 2 are possible, 77 was given");
  if (all() > 1) {
    EXPECT_EQ(sixstep_plan_create(last ? SIXSTEP_SINGLE : SIXSTEP_DOUBLE, slab.get(), nullptr,
                                  MPI_COMM_WORLD, nullptr, &plan),
              SIXSTEP_ERROR_ARGUMENT);
    EXPECT_EQ(sixstep_plan_create(SIXSTEP_DOUBLE, slab.get(), last ? nullptr : slab.get(),
                                  MPI_COMM_WORLD, nullptr, &plan),
              SIXSTEP_ERROR_ARGUMENT);
  }
  EXPECT_EQ(plan, nullptr);
  sixstep_layout* layout = nullptr;
  Index const none[] = {0, 0, 0};
  EXPECT_EQ(sixstep_layout_gather(3, shape, last ? nullptr : none, shape, nullptr, MPI_COMM_WORLD,
                                  &layout),
            SIXSTEP_ERROR_ARGUMENT);
  sixstep_redistribution* moves = nullptr;
  EXPECT_EQ(sixstep_redistribution_create(last ? 0 : 8, slab.get(), slab.get(), MPI_COMM_WORLD,
                                          nullptr, &moves),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(sixstep_plan_create(SIXSTEP_DOUBLE, slab.get(), nullptr, MPI_COMM_NULL, nullptr, &plan),
            SIXSTEP_ERROR_ARGUMENT);
}

TEST(c, null_is_an_error_wherever_something_is_needed) {
  sixstep_part part;
  Index index = 0;
  int number = 0;
  double seconds = 0;
  std::size_t bytes = 0;
  void* array = nullptr;
  char const* words = nullptr;
  sixstep_step const* steps = nullptr;
  sixstep_prediction prediction;
  sixstep_layout* layout = nullptr;
  expect_null_is_refused(
      {[&] { return sixstep_layout_slab(3, nullptr, 1, 0, &layout); },
       [&] { return sixstep_layout_slab(3, shape, 1, 0, nullptr); },
       [&] { return sixstep_layout_grid(3, shape, nullptr, nullptr, nullptr, &layout); },
       [&] { return sixstep_layout_boxes(3, shape, 1, nullptr, shape, nullptr, &layout); },
       [&] { return sixstep_layout_with_order(nullptr, &number, &layout); },
       [&] { return sixstep_layout_with_ghosts(nullptr, shape, shape, &layout); },
       [&] { return sixstep_layout_in_arrays(nullptr, shape, shape, &layout); },
       [&] { return sixstep_layout_dense(nullptr, &layout); },
       [&] { return sixstep_layout_with_extent(nullptr, 0, 1, &layout); },
       [&] { return sixstep_layout_transposed(nullptr, &number, &layout); },
       [&] { return sixstep_choose_grid(3, shape, 1, 3, nullptr); },
       [&] { return sixstep_inverse_kind(0, nullptr); },
       [&] { return sixstep_logical_size(0, 1, nullptr); },
       [&] { return sixstep_layout_counts(nullptr, &number, &number); },
       [&] { return sixstep_layout_dealt(nullptr, &number, &number); },
       [&] { return sixstep_layout_whole(nullptr, 0, &number); },
       [&] { return sixstep_layout_ghosts(nullptr, 0, &index, &index); },
       [&] { return sixstep_layout_largest_size(nullptr, &index); },
       [&] { return sixstep_layout_ranks_meeting(nullptr, shape, shape, &number, nullptr); },
       [&] { return sixstep_layout_shape(nullptr, &index); },
       [&] { return sixstep_layout_order(nullptr, &number); },
       [&] { return sixstep_layout_part(nullptr, 0, &part); },
       [&] { return sixstep_layout_array_size(nullptr, 0, &index); },
       [&] { return sixstep_layout_equal(nullptr, nullptr, &number); },
       [&] { return sixstep_layout_describe(nullptr, &words); },
       [&] { return sixstep_plan_input(nullptr, &layout); },
       [&] { return sixstep_plan_output(nullptr, &layout); },
       [&] { return sixstep_plan_input_part(nullptr, &part); },
       [&] { return sixstep_plan_output_part(nullptr, &part); },
       [&] { return sixstep_plan_sizes(nullptr, &index, &index, &index); },
       [&] { return sixstep_plan_element_bytes(nullptr, &bytes, &bytes); },
       [&] { return sixstep_plan_wavenumber(nullptr, &index, &seconds); },
       [&] { return sixstep_plan_wavenumbers(nullptr, 0, &index, &seconds); },
       [&] { return sixstep_plan_allocate(nullptr, &array); },
       [&] { return sixstep_plan_forward(nullptr, &index, &index, 0); },
       [&] { return sixstep_plan_backward(nullptr, &index, &index, 0); },
       [&] { return sixstep_plan_execute(nullptr, &index, &index, 0, 0, 0); },
       [&] { return sixstep_plan_workspace_bytes(nullptr, &bytes); },
       [&] { return sixstep_plan_set_workspace(nullptr, &index, 8); },
       [&] { return sixstep_plan_describe(nullptr, &words); },
       [&] { return sixstep_plan_counts(nullptr, &number, &number, &number); },
       [&] { return sixstep_plan_communication_seconds(nullptr, &seconds); },
       [&] { return sixstep_plan_wire_error(nullptr, &seconds); },
       [&] { return sixstep_plan_verified(nullptr, &index, &index, &index, &index, &seconds); },
       [&] { return sixstep_plan_on_detection(nullptr, nullptr, nullptr); },
       [&] { return sixstep_plan_wavenumber_along(nullptr, 0, 0, &seconds); },
       [&] { return sixstep_plan_breakdown(nullptr, 0, &number, &steps); },
       [&] { return sixstep_plan_predict(nullptr, "machine.json", &prediction); },
       [&] { return sixstep_plan_write_trace(nullptr); },
       [&] { return sixstep_redistribution_from(nullptr, &layout); },
       [&] { return sixstep_redistribution_to(nullptr, &layout); },
       [&] { return sixstep_redistribution_sizes(nullptr, &index, &index); },
       [&] { return sixstep_redistribution_allocate(nullptr, &array); },
       [&] { return sixstep_redistribution_execute(nullptr, &index, &index, 0); },
       [&] { return sixstep_redistribution_workspace_bytes(nullptr, &bytes); },
       [&] { return sixstep_redistribution_counts(nullptr, &number, &number); },
       [&] { return sixstep_redistribution_communication_seconds(nullptr, &seconds); },
       [&] {
         return sixstep_redistribution_verified(nullptr, &index, &index, &index, &index, &seconds);
       },
       [&] { return sixstep_redistribution_on_detection(nullptr, nullptr, nullptr); },
       [&] { return sixstep_redistribution_describe(nullptr, &words); }});
  EXPECT_EQ(sixstep_layout_free(nullptr), SIXSTEP_OK);
  EXPECT_EQ(sixstep_plan_free(nullptr), SIXSTEP_OK);
  EXPECT_EQ(sixstep_redistribution_free(nullptr), SIXSTEP_OK);
}

TEST(c, bad_calls_of_a_plan_are_refused) {
  sixstep_options lent = with_kinds({SIXSTEP_R2C});
  lent.own_workspace = 0;
  auto const slab = made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
  auto const plan = made<sixstep_plan>(sixstep_plan_create, SIXSTEP_DOUBLE, slab.get(), nullptr,
                                       MPI_COMM_WORLD, &lent);
  std::vector<double> in(720);
  std::vector<std::complex<double>> out(720);
  Index count = 0;
  EXPECT_EQ(sixstep_plan_forward(plan.get(), in.data(), out.data(), 3), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(sixstep_plan_execute(plan.get(), in.data(), out.data(), 0, SIXSTEP_PLUS, 0),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(sixstep_plan_execute(plan.get(), in.data(), out.data(), 2, SIXSTEP_PLUS, 0),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(sixstep_plan_wavenumbers(plan.get(), 3, &count, in.data()), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(sixstep_plan_write_trace(plan.get()), SIXSTEP_ERROR_ARGUMENT);
  std::size_t bytes = 0;
  ASSERT_EQ(sixstep_plan_workspace_bytes(plan.get(), &bytes), SIXSTEP_OK);
  std::vector<std::complex<double>> work(bytes / 16 + 8);
  auto const address = (reinterpret_cast<std::uintptr_t>(work.data()) + 63) / 64 * 64;
  EXPECT_EQ(sixstep_plan_set_workspace(plan.get(), reinterpret_cast<void*>(address + 8), bytes),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_EQ(sixstep_plan_set_workspace(plan.get(), reinterpret_cast<void*>(address), bytes),
            SIXSTEP_OK);
  EXPECT_EQ(sixstep_plan_forward(plan.get(), in.data(), out.data(), 0), SIXSTEP_OK)
      << sixstep_error_message();
}

}  // namespace
}  // namespace sixstep
