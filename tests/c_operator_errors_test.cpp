// SPDX-License-Identifier: BSD-3-Clause
// Operators of the C interface beside those of C++: what they tell, their options, their errors.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "c/options.hpp"
#include "c_handles.hpp"
#include "c_operators.hpp"
#include "ranks.hpp"
#include "sixstep.h"
#include "sixstep/operator.hpp"
#include "sixstep/symbols.hpp"

namespace sixstep::c_operators {
namespace {

TEST(c_operators, tell_what_those_of_cpp_tell) {
  sixstep_operator_options options = box();
  options.plan.own_workspace = 0;
  OperatorOptions theirs_options{{.kinds = {Kind::r2c}, .own_workspace = false}};
  theirs_options.sides = {2, 3, 4};
  Operator<float> theirs(Layout::slab({12, 9, 7}, all()), MPI_COMM_WORLD, symbols::gradient(3),
                         theirs_options);
  auto const op = made<sixstep_operator>(sixstep_operator_create, SIXSTEP_SINGLE, slab().get(),
                                         symbol(sixstep_symbol_gradient, 3, nullptr).get(),
                                         MPI_COMM_WORLD, &options);
  expect_tells(op.get(), theirs);
}

TEST(c_operators, options_of_results_are_those_of_cpp) {
  sixstep_operator_options options = SIXSTEP_OPERATOR_OPTIONS;
  EXPECT_FALSE(c::operator_result_of(&options) || c::operator_result_of(nullptr));
  auto const layout = slab();
  options.result = layout.get();
  auto result = c::operator_result_of(&options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->layout == Layout::slab({12, 9, 7}, all()));
  EXPECT_TRUE(result->lengths.empty() && result->first.empty());
  options.result_lengths_count = 2;
  options.result_lengths[1] = 20;
  options.first_count = 1;
  options.first[0] = 5;
  result = c::operator_result_of(&options);
  EXPECT_EQ(result->lengths, (std::vector<Index>{0, 20}));
  EXPECT_EQ(result->first, std::vector<Index>{5});
  options.result = nullptr;
  EXPECT_THROW(c::operator_result_of(&options), Error);
}

TEST(c_operators, options_are_those_of_cpp) {
  sixstep_operator_options options = SIXSTEP_OPERATOR_OPTIONS;
  for (auto const& made : {c::operator_options_of(&options), c::operator_options_of(nullptr)}) {
    EXPECT_TRUE(static_cast<Options const&>(made) == Options{});
    EXPECT_EQ(made.sides, OperatorOptions{}.sides);
    EXPECT_EQ(made.kept, OperatorOptions{}.kept);
  }
  options = box(3);
  options.kept = 0;
  // A program of an older header has fewer options of a plan in front of the others.
  std::size_t const missing = sizeof(std::size_t);
  std::vector<std::byte> older(sizeof options - missing);
  options.plan.size -= missing;
  options.size -= missing;
  std::memcpy(older.data(), &options.plan, options.plan.size);
  std::memcpy(older.data() + options.plan.size, &options.size, older.size() - options.plan.size);
  OperatorOptions const set =
      c::operator_options_of(reinterpret_cast<sixstep_operator_options const*>(older.data()));
  EXPECT_EQ(set.sides, (std::vector<double>{2, 3, 4}));
  EXPECT_FALSE(set.kept);
  EXPECT_EQ(set.fields, 3);
  options = SIXSTEP_OPERATOR_OPTIONS;
  options.size += 8;
  EXPECT_THROW(c::operator_options_of(&options), Error);
  options = SIXSTEP_OPERATOR_OPTIONS;
  options.sides_count = 9;
  EXPECT_THROW(c::operator_options_of(&options), Error);
}

/// Fails where k[0] is not 0.
int failing(void*, int axes, std::int64_t count, double const* k, void* numbers) {
  for (std::int64_t i = 0; i < count; ++i) {
    if (k[i * axes] != 0) return 3;
    static_cast<double*>(numbers)[i] = 1;
  }
  return 0;
}

TEST(c_operators, errors_have_the_words_of_cpp_on_all_ranks) {
  auto const layout = slab();
  auto const laplacian = symbol(sixstep_symbol_laplacian, nullptr);
  bool const last = ranks::rank() == all() - 1;
  sixstep_operator_options options = box();
  sixstep_operator* op = nullptr;
  auto const expect_refused = [&](sixstep_symbol const* of, std::string const& words) {
    EXPECT_EQ(
        sixstep_operator_create(SIXSTEP_DOUBLE, layout.get(), of, MPI_COMM_WORLD, &options, &op),
        SIXSTEP_ERROR_ARGUMENT);
    EXPECT_EQ(sixstep_error_message(), words);
    EXPECT_EQ(op, nullptr);
  };
  expect_refused(last ? nullptr : laplacian.get(), "symbol: a pointer is needed, NULL was given");
  expect_refused(symbol(sixstep_symbol_curl).get(),
                 "symbol: a matrix with 1 column, one for each of the fields, is needed, 3 x 3 was "
                 "given");
  expect_refused(symbol(sixstep_symbol_derivative, 3, 1, nullptr).get(),
                 "axis: -3 to 2 are possible, 3 was given");
  auto const broken = symbol(sixstep_symbol_function, failing, nullptr, SIXSTEP_REAL_NUMBERS);
  expect_refused(broken.get(), "symbol: the function returned 3, 0 is needed");
  options.sides[1] = 0;
  expect_refused(laplacian.get(), "sides: lengths above 0 are needed, 0 was given");
  options = box();
  options.plan.output = SIXSTEP_AS_INPUT;
  expect_refused(laplacian.get(),
                 "output: an operator has none; its result lies as the input does");

  options = box();
  options.kept = 0;
  auto const called = made<sixstep_operator>(sixstep_operator_create, SIXSTEP_DOUBLE, layout.get(),
                                             broken.get(), MPI_COMM_WORLD, &options);
  std::vector<double> array(12 * 9 * 7);
  bool const failed =
      sixstep_operator_apply(called.get(), array.data(), array.data()) != SIXSTEP_OK;
  EXPECT_FALSE(ranks::everywhere(!failed));

  sixstep_symbol* none = nullptr;
  EXPECT_EQ(sixstep_symbol_derivative(0, -1, nullptr, &none), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(), "order: 0 or more is needed, -1 was given");
  EXPECT_EQ(sixstep_symbol_function(failing, nullptr, 2, &none), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(), "numbers: 0 to 1 are possible, 2 was given");
  EXPECT_EQ(none, nullptr);
}

TEST(c_operators, null_is_an_error_wherever_something_is_needed) {
  double real = 0;
  sixstep_symbol* none = nullptr;
  expect_null_is_refused({[&] { return sixstep_symbol_function(nullptr, nullptr, 0, &none); },
                          [&] { return sixstep_symbol_matrix(1, 1, nullptr, nullptr, 0, &none); },
                          [&] { return sixstep_symbol_shift(3, nullptr, &none); },
                          [&] { return sixstep_symbol_product(3, nullptr, nullptr, 0, &none); },
                          [&] { return sixstep_symbol_array(nullptr, 0, 0, &real, 1, &none); },
                          [&] { return sixstep_symbol_laplacian(nullptr, nullptr); },
                          [&] { return sixstep_operator_renew(nullptr, nullptr); }});
  expect_null_is_refused<sixstep_operator>();
  EXPECT_EQ(sixstep_symbol_free(nullptr), SIXSTEP_OK);
  EXPECT_EQ(sixstep_operator_free(nullptr), SIXSTEP_OK);
}

}  // namespace
}  // namespace sixstep::c_operators
