// SPDX-License-Identifier: BSD-3-Clause
// FFTW's interface for several ranks against the definitions: random problems of all kinds, in any
// blocks, transposed or not, in place and out of place, on the arrays of planning and on others.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "mpi_api.hpp"
#include "seeds.hpp"

namespace fftw_mpi {
namespace {

/// One whole input for each element of a tuple, the same on all ranks.
std::vector<Whole> random_inputs(Problem const& problem, std::uint64_t seed) {
  Random random(seed);
  Shape const shape = input_of(problem).shape;
  std::vector<Whole> inputs;
  for (Index field = 0; field < problem.howmany; ++field) {
    Whole whole{shape, {}};
    for (Index i = 0; i < oracle::points_of(shape); ++i) {
      long double const re = static_cast<long double>(random.between(-1000, 1000)) / 1000,
                        im = static_cast<long double>(random.between(-1000, 1000)) / 1000;
      whole.values.emplace_back(re, is_complex(problem, true) ? im : 0);
    }
    inputs.push_back(std::move(whole));
  }
  return inputs;
}

template <class Real>
void fill(Side const& side, bool is_complex, std::vector<Whole> const& wholes, Real* array) {
  Index const unit = is_complex ? 2 : 1;
  side.for_each([&](Index point, Index place) {
    for (Index field = 0; field < side.howmany; ++field) {
      Exact const value = wholes[at(field)].values[at(point)];
      Real* const element = array + unit * (place + field);
      element[0] = static_cast<Real>(value.real());
      if (is_complex) element[1] = static_cast<Real>(value.imag());
    }
  });
}

/// The largest difference, in units of the largest value.
template <class Real>
double error_of(Side const& side, bool is_complex, std::vector<Whole> const& wholes,
                Real const* array) {
  Index const unit = is_complex ? 2 : 1;
  double worst = 0, largest = 1e-300;
  for (Whole const& whole : wholes)
    for (Exact const& value : whole.values)
      largest = std::max(largest, static_cast<double>(std::abs(value)));
  side.for_each([&](Index point, Index place) {
    for (Index field = 0; field < side.howmany; ++field) {
      Real const* const element = array + unit * (place + field);
      Exact const found(element[0], is_complex ? element[1] : 0);
      Exact const wanted = wholes[at(field)].values[at(point)];
      worst = ranks::worse(worst, static_cast<double>(std::abs(found - wanted)) / largest);
    }
  });
  return worst;
}

/// The arrays of a problem on this rank.
template <class Api>
struct Buffers {
  Buffers(Problem const& problem, std::uint64_t seed)
      : first(reals_needed<Api>(problem), takes_fftws(seed)),
        second(reals_needed<Api>(problem), takes_fftws(seed / 2)),
        in(first.begin()),
        out(problem.in_place ? in : second.begin()) {}

  Array<Api> first, second;
  typename Api::Real *in, *out;
};

/// The results, and the input where it must be there still, after an execution.
template <class Api>
void compare(Problem const& problem, std::vector<Whole> const& inputs,
             std::vector<Whole> const& outputs, Buffers<Api> const& buffers) {
  double const bound = std::is_same_v<typename Api::Real, float> ? 2e-6 : 4e-15;
  Side const in = input_of(problem), out = output_of(problem);
  EXPECT_LT(error_of(out, is_complex(problem, false), outputs, buffers.out), bound) << problem;
  bool const may_destroy = (problem.flags & FFTW_DESTROY_INPUT) != 0 ||
                           (problem.what == What::c2r && !(problem.flags & FFTW_PRESERVE_INPUT));
  if (problem.in_place || may_destroy) return;
  EXPECT_LT(error_of(in, is_complex(problem, true), inputs, buffers.in), 1e-7) << problem;
}

template <class Api>
void check(Problem const& problem, std::uint64_t seed) {
  SCOPED_TRACE(testing::Message() << "FFTW_TEST_SEED=" << seed);
  std::vector<Whole> const inputs = random_inputs(problem, seed);
  std::vector<Whole> outputs;
  for (Whole const& input : inputs) outputs.push_back(expected(problem, input));
  Index const room = reals_needed<Api>(problem);
  Side const in = input_of(problem), out = output_of(problem);
  ASSERT_LE(in.elements() * (is_complex(problem, true) ? 2 : 1), room) << problem;
  ASSERT_LE(out.elements() * (is_complex(problem, false) ? 2 : 1), room) << problem;
  Buffers<Api> planned_on(problem, seed), others(problem, seed / 4);
  typename Api::Plan const plan = planned<Api>(problem, planned_on.in, planned_on.out);
  ASSERT_TRUE(ranks::everywhere(plan != nullptr)) << problem;
  for (int round = 0; round < 2; ++round) {
    fill(in, is_complex(problem, true), inputs, planned_on.in);
    Api::execute(plan);
    compare(problem, inputs, outputs, planned_on);
    if (!problem.elsewhere) continue;
    fill(in, is_complex(problem, true), inputs, others.in);
    execute_on<Api>(plan, problem.what, others.in, others.out);
    compare(problem, inputs, outputs, others);
  }
  Api::destroy(plan);
}

TEST(FftwMpi, random_problems_follow_the_definitions) {
  Double::init();
  Single::init();
  std::uint64_t start = seeds::new_start();
  MPI_Bcast(&start, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  for (std::uint64_t const seed : seeds::of(ranks::rounds(120), start)) {
    Problem const problem = random_problem(seed);
    if (seed % 3 == 1)
      check<Single>(problem, seed);
    else
      check<Double>(problem, seed);
    if (!ranks::everywhere(!testing::Test::HasFailure())) return;
  }
}

}  // namespace
}  // namespace fftw_mpi
