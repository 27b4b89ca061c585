// SPDX-License-Identifier: BSD-3-Clause
// Operators whose results have other points than their arrays, and plans longer than their arrays.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "ranks.hpp"
#include "sixstep/operator.hpp"
#include "solver_cases.hpp"

namespace sixstep {
namespace {

using namespace solver_cases;

/// Reals at `from`'s points, interpolated to those of `to` and back.
template <class Element>
std::vector<Element> there_and_back(Layout const& from, Layout const& to, std::vector<Kind> kinds,
                                    std::vector<Element> const& in) {
  OperatorOptions options;
  options.kinds = std::move(kinds);
  auto const one = [](Wavevector const&) { return 1.; };
  Operator<double> finer(from, {to}, MPI_COMM_WORLD, one, options);
  Operator<double> back(to, {from}, MPI_COMM_WORLD, one, options);
  std::vector<Element> fine(at(finer.output_size())), again(at(back.output_size()));
  finer.apply(in.data(), fine.data());
  back.apply(fine.data(), again.data());
  fine.insert(fine.end(), again.begin(), again.end());
  return fine;
}

TEST(operators, interpolate_reals_to_the_same_reals_with_c2c_and_r2c) {
  for (Shape const& to : {Shape{12, 10}, Shape{9, 7}, Shape{6, 16}}) {
    Layout const coarse = Layout::slab({8, 6}, all()), other = Layout::slab(to, all());
    std::vector<double> in(at(coarse.local_size(mine())));
    for (std::size_t i = 0; i < in.size(); ++i)
      in[i] = std::sin(static_cast<double>(7 * i * i) + mine());
    std::vector<std::complex<double>> const as_complex(in.begin(), in.end());
    std::vector<double> const reals = there_and_back(coarse, other, {Kind::r2c}, in);
    auto const made = there_and_back(coarse, other, {Kind::c2c}, as_complex);
    double worst = 0;
    for (std::size_t i = 0; i < made.size(); ++i)
      worst = ranks::worse(worst, std::abs(made[i] - reals[i]));
    for (std::size_t i = 0; i < in.size() && to[0] > 8; ++i)
      worst = ranks::worse(worst, std::abs(reals[reals.size() - in.size() + i] - in[i]));
    EXPECT_LT(ranks::largest(worst), 1e-13) << to_string(to);
  }
}

TEST(operators, interpolate_to_a_single_point) {
  for (Shape const& shape : {Shape{12}, Shape{4, 3}}) {
    Layout const points = Layout::slab(shape, all());
    Layout const one = Layout::slab(Shape(shape.size(), 1), all());
    std::vector<std::complex<double>> const in(at(points.local_size(mine())), {3, -2});
    Operator<double> mean(points, {one}, MPI_COMM_WORLD, [](Wavevector const&) { return 1.; });
    std::vector<std::complex<double>> out(at(mean.output_size()));
    mean.apply(in.data(), out.data());
    double worst = 0;
    for (std::complex<double> const& value : out)
      worst = ranks::worse(worst, std::abs(value - std::complex<double>(3, -2)));
    EXPECT_LT(ranks::largest(worst), 1e-14) << to_string(shape);
  }
}

/// The first point of a transform back, where another axis is transformed behind it.
TEST(operators, keep_one_of_many_points) {
  for (Index points : {2, 4, 6})
    for (Index back : {points + 1, points + 2, points + 3}) {
      OperatorOptions options;
      options.axes = {2, 1};
      options.kinds = {Kind::r2c, Kind::dct2};
      Layout const from = Layout::slab({2, 3, points}, all());
      Layout const whole = Layout::slab({2, 3, back}, all());
      Layout const part = Layout::slab({2, 3, 1}, all());
      auto const one = [](Wavevector const&) { return 1.; };
      Operator<double> finer(from, {whole}, MPI_COMM_WORLD, one, options);
      Operator<double> first(from, {part, {back, 3}}, MPI_COMM_WORLD, one, options);
      std::vector<double> in(at(from.local_size(mine())));
      for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = std::cos(static_cast<double>(5 * i * i) + mine());
      std::vector<double> all_points(at(finer.output_size())), got(at(first.output_size()));
      finer.apply(in.data(), all_points.data());
      first.apply(in.data(), got.data());
      double worst = 0;
      for (std::size_t i = 0; i < got.size(); ++i)
        worst = ranks::worse(worst, std::abs(got[i] - all_points[i * at(back)]));
      EXPECT_LT(ranks::largest(worst), 1e-14) << points << " to " << back;
    }
}

/// Rows far apart in memory, where passes copy strips of columns.
TEST(lengths, are_those_of_arrays_with_zeros) {
  Index const columns = 3000, rows = 48, length = 80;
  Options options;
  options.axes = {0};
  options.modes = {rows};
  Plan<double> padded(Layout::slab({length, columns}, all(), 1), MPI_COMM_WORLD, options);
  options.lengths = {length};
  Plan<double> plan(Layout::slab({rows, columns}, all(), 1), MPI_COMM_WORLD, options);
  using Complex = std::complex<double>;
  std::vector<Complex> points(at(plan.input_size())), all_points(at(padded.input_size()));
  std::vector<Complex> modes(at(plan.output_size())), expected(at(padded.output_size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    all_points[i] = points[i] = {std::cos(static_cast<double>(i)), static_cast<double>(i % 7)};
  plan.forward(points.data(), modes.data());
  padded.forward(all_points.data(), expected.data());
  double worst = 0;
  for (std::size_t i = 0; i < modes.size(); ++i)
    worst = ranks::worse(worst, std::abs(modes[i] - expected[i]));
  plan.backward(modes.data(), points.data(), Scale::by_n);
  padded.backward(modes.data(), all_points.data(), Scale::by_n);
  for (std::size_t i = 0; i < points.size(); ++i)
    worst = ranks::worse(worst, std::abs(points[i] - all_points[i]));
  EXPECT_LT(ranks::largest(worst), 1e-11);
}

}  // namespace
}  // namespace sixstep
