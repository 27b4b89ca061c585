// SPDX-License-Identifier: BSD-3-Clause
// Random problems of the guru and of the advanced interface: every kind, any strides, in place and
// out of place, split and interleaved, on the arrays of planning and on others, against the
// definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <sstream>
#include <string>

#include "guru_drawer.hpp"
#include "guru_plans.hpp"
#include "seeds.hpp"

namespace guru {
namespace {

/// The arrays of a problem, filled with random numbers.
class Buffers {
 public:
  Buffers(Problem const& problem, std::mt19937& random)
      : in_(side_of(problem, false)),
        out_(side_of(problem, true)),
        is_in_place_(problem.in_place),
        given_(in_.elements(), in_.is_complex, problem.split, random),
        target_(elements_of_target(), out_.is_complex, problem.split, random) {}

  Arrays arrays() {
    Memory& source = is_in_place_ ? target_ : given_;
    return {source.real(in_), source.imaginary(in_), target_.real(out_), target_.imaginary(out_)};
  }

  /// The input's points.
  Array input() {
    Array x{in_.shape, {}};
    for (std::size_t point = 0; point < in_.points(); ++point)
      x.values.push_back(changes_type() ? typed_as_input(point)
                                        : (is_in_place_ ? target_ : given_).at(in_, point));
    return x;
  }

  /// How far the output's points are from `wanted`, relative to their norm.
  long double error(Array const& wanted) const {
    long double error = 0, norm = 1e-60L;
    for (std::size_t point = 0; point < out_.points(); ++point) {
      error += std::norm(target_.at(out_, point) - wanted.values[point]);
      norm += std::norm(wanted.values[point]);
    }
    return std::sqrt(error / norm);
  }

  std::vector<Real> const& given() const { return given_.values(); }
  std::vector<Real> const& target() const { return target_.values(); }

  /// Whether the target has changed from `before` where no point of the output lies.
  bool has_changed_between_points(std::vector<Real> const& before) const {
    std::vector<bool> const owned = target_.owned(out_);
    for (std::size_t i = 0; i < owned.size(); ++i)
      if (!owned[i] && target()[i] != before[i]) return true;
    return false;
  }

 private:
  bool changes_type() const { return is_in_place_ && in_.is_complex != out_.is_complex; }

  // In place, an array has room for both sides. Reals count as half complex numbers then.
  Index elements_of_target() const {
    if (!is_in_place_) return out_.elements();
    if (!changes_type()) return std::max(out_.elements(), in_.elements());
    return std::max(out_.elements(),
                    in_.is_complex ? 2 * in_.elements() : (in_.elements() + 1) / 2);
  }

  // The array's type is the output's; its elements are those of the input.
  Exact typed_as_input(std::size_t point) {
    Real const* const at = arrays().ri + in_.place(point) * (in_.is_complex ? 2 : 1);
    return {at[0], in_.is_complex ? at[1] : 0};
  }

  Side in_, out_;
  bool is_in_place_;
  Memory given_, target_;
};

/// Whether the input must be there after an execution out of place.
bool keeps_input(Problem const& problem) {
  bool const destroys = problem.numbers == Numbers::c2r || (problem.flags & FFTW_DESTROY_INPUT);
  return !destroys || (problem.flags & FFTW_PRESERVE_INPUT);
}

void check(Problem const& problem, std::mt19937& random) {
  std::ostringstream name;
  name << problem;
  SCOPED_TRACE(name.str());
  Buffers of_planning(problem, random), others(problem, random);
  std::vector<Real> const untouched = of_planning.target();
  FFTW(plan) const plan = make_plan(problem, of_planning.arrays());
  ASSERT_NE(plan, nullptr);
  EXPECT_EQ(of_planning.target(), untouched) << "planning touches arrays";

  Buffers& buffers = problem.elsewhere ? others : of_planning;
  std::vector<Real> const before = buffers.target(), given = buffers.given();
  Array const wanted = expected(problem, buffers.input());
  if (problem.elsewhere)
    execute_on(plan, problem, buffers.arrays());
  else
    FFTW(execute)(plan);
  FFTW(destroy_plan)(plan);

  EXPECT_LE(buffers.error(wanted), 20 * std::numeric_limits<Real>::epsilon());
  EXPECT_TRUE(!problem.elsewhere || of_planning.target() == untouched) << "wrong arrays";
  if (problem.in_place) return;
  EXPECT_TRUE(!keeps_input(problem) || buffers.given() == given) << "the input has changed";
  EXPECT_FALSE(buffers.has_changed_between_points(before))
      << "memory between the points of the output has changed";
}

/// Checks the problem that `make` draws, for each seed.
template <class Make>
void check_drawn(int known, Make const& make) {
  for (std::uint64_t const seed : seeds::of(known, seeds::new_start())) {
    Drawer draw(seed);
    Problem const problem = make(draw);
    SCOPED_TRACE(testing::Message() << "FFTW_TEST_SEED=" << seed);
    check(problem, draw.random);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Guru, random_problems_follow_the_definition) {
  check_drawn(cases::rounds(4500), [](Drawer& draw) { return draw.problem(300); });
}

TEST(Guru, random_problems_of_the_advanced_interface_follow_the_definition) {
  check_drawn(cases::rounds(1800), [](Drawer& draw) { return draw.advanced(300); });
}

// Short ones have code of their own.
TEST(Guru, single_contiguous_columns_follow_the_definition) {
  std::mt19937 random(1);
  std::vector<int> lengths(64);
  std::iota(lengths.begin(), lengths.end(), 2);
  lengths.insert(lengths.end(), {100, 125, 128, 243, 360, 500});
  for (int n : lengths) {
    SCOPED_TRACE(testing::Message() << n << " points");
    for (bool in_place : {false, true}) {
      for (int sign : {FFTW_FORWARD, FFTW_BACKWARD})
        check({.numbers = Numbers::c2c, .sign = sign, .dims = {{n, 1, 1}}, .in_place = in_place},
              random);
      check({.numbers = Numbers::r2c, .dims = {{n, 1, 1}}, .in_place = in_place}, random);
      check({.numbers = Numbers::c2r, .dims = {{n, 1, 1}}, .in_place = in_place}, random);
      for (int kind = FFTW_R2HC; kind <= FFTW_RODFT11; ++kind)
        check({.numbers = Numbers::r2r,
               .dims = {{n, 1, 1}},
               .kinds = {static_cast<FFTW(r2r_kind)>(kind)},
               .in_place = in_place},
              random);
    }
  }
}

/// The axes of contiguous arrays. In place, rows of reals have room for their coefficients.
std::vector<Dim> contiguous(Numbers numbers, std::vector<int> const& shape, bool in_place) {
  Index const half = shape.back() / 2 + 1;
  std::vector<Dim> dims = {{shape.back(), 1, 1}};
  auto const row = [&](bool is_complex) {
    if (numbers == Numbers::c2c) return Index{shape.back()};
    return is_complex ? half : in_place ? 2 * half : Index{shape.back()};
  };
  Index in = row(has_complex_input(numbers)), out = row(has_complex_output(numbers));
  for (std::size_t i = shape.size() - 1; i-- > 0; in *= shape[i], out *= shape[i])
    dims.insert(dims.begin(), Dim{shape[i], in, out});
  return dims;
}

// These have code of their own, too.
TEST(Guru, small_contiguous_boxes_follow_the_definition) {
  std::mt19937 random(1);
  std::vector<std::vector<int>> const shapes = {
      {2, 2},  {4, 4},  {5, 7},      {8, 8},    {9, 16},    {12, 10},     {6, 100},        {7, 11},
      {8, 13}, {13, 8}, {3, 4, 5},   {8, 8, 8}, {10, 9, 2}, {2, 3, 4, 5}, {2, 2, 2, 2, 2}, {16, 16},
      {15, 7}, {24, 5}, {20, 18, 9}, {32, 32},  {100, 10},  {16, 16, 16}};
  for (auto const& shape : shapes)
    for (bool in_place : {false, true})
      for (Numbers numbers : {Numbers::c2c, Numbers::r2c, Numbers::c2r})
        for (int sign : {FFTW_FORWARD, FFTW_BACKWARD})
          check({.numbers = numbers,
                 .sign = sign,
                 .dims = contiguous(numbers, shape, in_place),
                 .in_place = in_place},
                random);
}

// So have these.
TEST(Guru, small_boxes_of_reals_follow_the_definition) {
  std::mt19937 random(1);
  std::vector<std::vector<int>> const shapes = {{2, 2},     {5, 5},      {8, 8},  {3, 17},
                                                {24, 7},    {9, 1},      {25, 4}, {4, 6, 5},
                                                {16, 3, 8}, {2, 3, 4, 5}};
  for (auto const& shape : shapes)
    for (bool in_place : {false, true})
      for (int first = FFTW_R2HC; first <= FFTW_RODFT11; ++first) {
        Problem problem{.numbers = Numbers::r2r,
                        .dims = contiguous(Numbers::c2c, shape, in_place),
                        .in_place = in_place};
        for (std::size_t i = 0; i < shape.size(); ++i) {
          int const kind = (first + 5 * static_cast<int>(i)) % 11;
          bool const is_possible = kind != FFTW_REDFT00 || shape[i] > 1;
          problem.kinds.push_back(
              static_cast<FFTW(r2r_kind)>(is_possible ? kind : int{FFTW_REDFT10}));
        }
        check(problem, random);
      }
}

/// What a plan for the problem prints.
std::string printed(Problem const& problem, std::mt19937& random) {
  Buffers buffers(problem, random);
  FFTW(plan) const plan = make_plan(problem, buffers.arrays());
  char* const words = FFTW(sprint_plan)(plan);
  std::string const all = words;
  FFTW(free)(words);
  FFTW(destroy_plan)(plan);
  return all;
}

// Reals and complex numbers of the same field lie at different places then. Transforms one after
// another keep to their own memory, or begin where the one before is still to be read.
TEST(Guru, fields_side_by_side_in_place_follow_the_definition) {
  std::mt19937 random(1);
  for (int n : {8, 15, 64, 100})
    for (int fields : {2, 3, 5})
      for (Numbers numbers : {Numbers::r2c, Numbers::c2r})
        for (bool are_apart : {true, false}) {
          Index const complex = Index{n / 2 + 1} * fields;
          Index const real = are_apart ? 2 * complex : Index{n} * fields;
          bool const from_reals = numbers == Numbers::r2c;
          Problem const problem{
              .numbers = numbers,
              .dims = {{n, fields, fields}},
              .loops = {{110, from_reals ? real : complex, from_reals ? complex : real},
                        {fields, 1, 1}},
              .in_place = true};
          check(problem, random);
          EXPECT_EQ(printed(problem, random).find("codelets") != std::string::npos, are_apart)
              << problem;
        }
}

// Those of short rows are transformed a vector at a time. Complex numbers have no gaps. Reals have
// some; in place, the reals of a row lie where its complex numbers begin.
TEST(Guru, short_fields_of_reals_follow_the_definition) {
  std::mt19937 random(1);
  for (bool in_place : {false, true})
    for (int n = 2; n <= 17; ++n)
      for (int fields : {2, 3, 5, 8, 11})
        for (std::vector<int> const& others : {std::vector<int>{}, {3}, {2, 5}})
          for (Numbers numbers : {Numbers::r2c, Numbers::c2r}) {
            std::vector<int> shape = others;
            shape.push_back(n);
            Index real = in_place ? fields : fields + 1, complex = fields;
            auto const dim = [&](int points) {
              return numbers == Numbers::r2c ? Dim{points, real, complex}
                                             : Dim{points, complex, real};
            };
            std::vector<Dim> dims;
            for (std::size_t i = shape.size(); i-- > 0;) {
              dims.insert(dims.begin(), dim(shape[i]));
              complex *= i + 1 == shape.size() ? n / 2 + 1 : shape[i];
              real = in_place ? 2 * complex : real * (shape[i] + 1);
            }
            check({.numbers = numbers,
                   .dims = dims,
                   .loops = {{fields, 1, 1}, dim(2)},
                   .in_place = in_place},
                  random);
          }
}

TEST(Guru, large_problems_follow_the_definition) {
  check_drawn(cases::rounds(90), [](Drawer& draw) { return draw.problem(30000); });
}

}  // namespace
}  // namespace guru
