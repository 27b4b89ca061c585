// SPDX-License-Identifier: BSD-3-Clause
// Names of options' values: every value has one, and other numbers have none.
#include "sixstep/options.hpp"

#include <gtest/gtest.h>

#include <set>

namespace sixstep {
namespace {

template <class Value>
void expect_names(Value last) {
  std::set<std::string> names;
  for (Value const value : all_values<Value>) {
    names.insert(to_string(value));
    EXPECT_EQ(named<Value>(to_string(value)), value);
  }
  EXPECT_EQ(names.size(), all_values<Value>.size());
  EXPECT_EQ(all_values<Value>.back(), last);
  int const beyond = static_cast<int>(last) + 1;
  for (int number : {-1, beyond, 77}) {
    EXPECT_FALSE(has_name(static_cast<Value>(number)));
    EXPECT_EQ(to_string(static_cast<Value>(number)), "value " + std::to_string(number));
  }
  for (char const* word : {"", "value 77", "Shared", "own "}) EXPECT_FALSE(named<Value>(word));
}

TEST(options, each_value_has_a_name_and_other_numbers_have_none) {
  expect_names(Kind::dst4);
  expect_names(Exchange::one_sided);
  expect_names(Driver::automatic);
  expect_names(Device::emulated);
  expect_names(Output::natural_axes);
  expect_names(Local::mkl);
  expect_names(TuningLevel::exhaustive);
}

TEST(options, names_in_words) {
  EXPECT_EQ(names_in_words<Local>(), "own, fftw or mkl");
  EXPECT_EQ(names_in_words<Local>(", "), "own, fftw, mkl");
}

}  // namespace
}  // namespace sixstep
