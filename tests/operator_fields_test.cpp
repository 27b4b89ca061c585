// SPDX-License-Identifier: BSD-3-Clause
// Operators on fields of known functions: derivatives, equations, vectors, other symbols later, and
// what is refused.
#include "sixstep/operator.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "refuses.hpp"
#include "sixstep/symbols.hpp"
#include "solver_cases.hpp"

namespace sixstep {
namespace {

using namespace solver_cases;
using ranks::failed_anywhere;
using ranks::rounds;

/// Fields of functions of the points x = side j/n along periodic axes.
template <class Function>
std::vector<double> sampled(Layout const& layout, std::vector<double> const& sides, int fields,
                            Function const& function) {
  std::vector<double> made(at(layout.local_size(mine()) * fields));
  oracle::for_each_element(layout, mine(), [&](Shape const& point, Index offset) {
    std::vector<double> x;
    for (int axis = 0; axis < layout.axes(); ++axis)
      x.push_back(sides[at(axis)] * static_cast<double>(point[axis]) /
                  static_cast<double>(layout.shape()[axis]));
    for (int field = 0; field < fields; ++field)
      made[at(field * layout.local_size(mine()) + offset)] = function(x, field);
  });
  return made;
}

double largest_difference(std::vector<double> const& a, std::vector<double> const& b) {
  double worst = 0;
  for (std::size_t i = 0; i < b.size(); ++i) worst = ranks::worse(worst, std::abs(a[i] - b[i]));
  return ranks::largest(worst);
}

/// Waves of whole periods on a box that is no cube.
class Waves3 {
 public:
  OperatorOptions options(int fields = 1) const {
    OperatorOptions made;
    made.kinds = {Kind::r2c};
    made.fields = fields;
    made.sides = sides;
    return made;
  }
  double k(int axis, int periods) const { return 2 * std::numbers::pi * periods / sides[at(axis)]; }

  std::vector<double> const sides{1.5, 2, 5};
  Layout const layout = Layout::slab({12, 9, 10}, all());
};

TEST(operators, differentiate_and_solve) {
  Waves3 const box;
  double const a = box.k(0, 2), b = box.k(1, 1), c = box.k(2, 3);
  auto const u = [&](std::vector<double> const& x, int) {
    return std::sin(a * x[0]) * std::cos(b * x[1]) + std::cos(c * x[2]);
  };
  std::vector<double> const in = sampled(box.layout, box.sides, 1, u);
  auto const expect = [&](Symbol const& symbol, auto const& expected) {
    Operator<double> op(box.layout, MPI_COMM_WORLD, symbol, box.options());
    std::vector<double> out(at(op.output_size()));
    op.apply(in.data(), out.data());
    EXPECT_LT(largest_difference(out, sampled(box.layout, box.sides, 1, expected)), 1e-11);
  };
  using Point = std::vector<double> const&;
  expect(symbols::derivative(0),
         [&](Point x, int) { return a * std::cos(a * x[0]) * std::cos(b * x[1]); });
  expect(symbols::derivative(2, 3), [&](Point x, int) { return c * c * c * std::sin(c * x[2]); });
  expect(symbols::derivative(-1, 2), [&](Point x, int) { return -c * c * std::cos(c * x[2]); });
  double const first = a * a + b * b, second = c * c;
  auto const scaled = [&](double by_first, double by_second) {
    return [=](Point x, int) {
      return by_first * std::sin(a * x[0]) * std::cos(b * x[1]) + by_second * std::cos(c * x[2]);
    };
  };
  expect(symbols::laplacian(), scaled(-first, -second));
  expect(symbols::inverse_laplacian(), scaled(-1 / first, -1 / second));
  expect(symbols::helmholtz(2), scaled(1 / (2 + first), 1 / (2 + second)));
  expect(symbols::gaussian(0.1), scaled(std::exp(-first / 200), std::exp(-second / 200)));
  expect(symbols::lowpass(std::sqrt(first) - 1), scaled(0, 1));
  expect(symbols::shift({0.1, 0.3, -0.2}), [&](Point x, int) {
    return std::sin(a * (x[0] - 0.1)) * std::cos(b * (x[1] - 0.3)) + std::cos(c * (x[2] + 0.2));
  });
}

TEST(operators, make_several_fields_of_one) {
  Waves3 const box;
  using Point = std::vector<double> const&;
  auto const phase = [&](Point x) {
    return box.k(0, 1) * x[0] + box.k(1, 2) * x[1] - box.k(2, 1) * x[2];
  };
  std::vector<double> const in =
      sampled(box.layout, box.sides, 1, [&](Point x, int) { return std::sin(phase(x)); });
  for (bool const interleaved : {false, true}) {
    OperatorOptions options = box.options();
    options.interleaved = interleaved;
    Operator<double> op(box.layout, MPI_COMM_WORLD, symbols::gradient(3), options);
    EXPECT_TRUE(op.output() == box.layout);
    std::vector<double> out(at(op.output_size())), expected(out.size());
    op.apply(in.data(), out.data());
    std::vector<double> const fields = sampled(box.layout, box.sides, 3, [&](Point x, int field) {
      double const k = field == 0 ? box.k(0, 1) : field == 1 ? box.k(1, 2) : -box.k(2, 1);
      return k * std::cos(phase(x));
    });
    Index const points = box.layout.local_size(mine());
    for (Index i = 0; i < points; ++i)
      for (int field = 0; field < 3; ++field)
        expected[at(interleaved ? 3 * i + field : field * points + i)] =
            fields[at(field * points + i)];
    EXPECT_LT(largest_difference(out, expected), 1e-11);
  }
}

TEST(operators, act_on_vectors) {
  Waves3 const box;
  double const a = box.k(0, 1), b = box.k(1, 2), c = box.k(2, 1);
  using Point = std::vector<double> const&;
  // A field without divergence, and a gradient.
  auto const solenoidal = [&](Point x, int field) {
    return field == 0 ? std::sin(b * x[1]) : field == 1 ? std::cos(c * x[2]) : std::sin(a * x[0]);
  };
  auto const gradient = [&](Point x, int field) {
    double const phase = a * x[0] + b * x[1] + c * x[2];
    return (field == 0 ? a : field == 1 ? b : c) * std::cos(phase);
  };
  std::vector<double> const in = sampled(box.layout, box.sides, 3, [&](Point x, int field) {
    return solenoidal(x, field) + gradient(x, field);
  });
  auto const expect = [&](Symbol const& symbol, int results, auto const& expected) {
    Operator<double> op(box.layout, MPI_COMM_WORLD, symbol, box.options(3));
    std::vector<double> out(at(op.output_size()));
    op.apply(in.data(), out.data());
    EXPECT_EQ(op.output_size(), results * box.layout.local_size(mine()));
    EXPECT_LT(largest_difference(out, sampled(box.layout, box.sides, results, expected)), 1e-11);
  };
  expect(symbols::project(3), 3, solenoidal);
  expect(symbols::divergence(3), 1, [&](Point x, int) {
    return -(a * a + b * b + c * c) * std::sin(a * x[0] + b * x[1] + c * x[2]);
  });
  expect(symbols::curl(), 3, [&](Point x, int field) {
    return field == 0   ? c * std::sin(c * x[2])
           : field == 1 ? -a * std::cos(a * x[0])
                        : -b * std::cos(b * x[1]);
  });
}

TEST(operators, take_another_symbol_without_planning) {
  Waves3 const box;
  std::vector<double> const in = sampled(
      box.layout, box.sides, 1, [&](auto const& x, int) { return std::sin(box.k(0, 1) * x[0]); });
  Operator<double> op(box.layout, MPI_COMM_WORLD, symbols::laplacian(), box.options());
  op.renew(symbols::helmholtz(1));
  std::vector<double> out(at(op.output_size()));
  double const squared = box.k(0, 1) * box.k(0, 1);
  auto const expect_helmholtz = [&] {
    op.apply(in.data(), out.data());
    std::vector<double> expected = in;
    for (double& value : expected) value /= 1 + squared;
    EXPECT_LT(largest_difference(out, expected), 1e-13);
  };
  expect_helmholtz();
  EXPECT_TRUE(refuses("symbol", {"3 x 3 was given"}, [&] { op.renew(symbols::curl()); }));
  EXPECT_TRUE(refuses("symbol", {"at k = (0, 0, 0)"}, [&] { op.renew(symbols::helmholtz(0)); }));
  expect_helmholtz();
}

TEST(operators, take_another_array_without_planning) {
  Waves3 const box;
  Operator<double> unchanged(
      box.layout, MPI_COMM_WORLD, [](Wavevector const&) { return 1; }, box.options());
  Shape shape = box.layout.shape();
  shape[2] = shape[2] / 2 + 1;
  Layout const layout = Layout::slab(shape, all());
  std::vector<double> numbers(at(layout.box(mine()).volume()), 2);
  Operator<double> op(box.layout, MPI_COMM_WORLD, Symbol::array(layout, numbers.data()),
                      box.options());
  std::vector<double> const in =
      sampled(box.layout, box.sides, 1, [](auto const& x, int) { return x[0] + x[1] * x[2]; });
  std::vector<double> out(at(op.output_size())), expected = in;
  auto const expect_times = [&](double factor) {
    op.apply(in.data(), out.data());
    for (std::size_t i = 0; i < in.size(); ++i) expected[i] = factor * in[i];
    EXPECT_LT(largest_difference(out, expected), 1e-12);
  };
  expect_times(2);
  std::fill(numbers.begin(), numbers.end(), 3);
  expect_times(2);
  op.renew(Symbol::array(layout, numbers.data()));
  expect_times(3);
  auto const refused = [&](std::initializer_list<char const*> words, Symbol const& symbol) {
    EXPECT_TRUE(refuses("symbol", words, [&] { op.renew(symbol); }));
    expect_times(3);
  };
  if (!numbers.empty()) numbers.back() = HUGE_VAL;
  refused({"finite numbers", "for the coefficient ("}, Symbol::array(layout, numbers.data()));
  refused({"a number, 1 x 1, is needed as before"}, symbols::gradient(3));
  std::vector<float> const single(numbers.size());
  refused({"8 bytes a real are needed", "these have 4"}, Symbol::array(layout, single.data()));
  refused({"an array of shape ", to_string(shape).c_str(), to_string(box.layout.shape()).c_str()},
          Symbol::array(box.layout, numbers.data()));
  refused({"a pointer to numbers is needed"},
          Symbol::array(layout, static_cast<double const*>(nullptr)));
  // An array with ghosts has more numbers than the rank's own.
  Layout const padded = layout.with_ghosts({1, 0, 0}, {1, 0, 0});
  refused({"numbers is needed on rank"},
          Symbol::array(padded, numbers.data(), padded.local_size(mine())));
  if (!numbers.empty()) numbers.back() = 3;
  auto const array = Symbol::array(layout, numbers.data());
  for (Operator<double>* const each : {&op, &unchanged}) {  // a function, an array, a function
    each->renew([](Wavevector const&) { return 5; });
    each->renew(array);
    each->apply(in.data(), out.data());
    EXPECT_LT(largest_difference(out, expected), 1e-12);
    each->renew(symbols::helmholtz(1));
  }
  Operator<double> fresh(box.layout, MPI_COMM_WORLD, symbols::helmholtz(1), box.options());
  fresh.apply(in.data(), expected.data());
  for (Operator<double>* const each : {&op, &unchanged}) {
    each->apply(in.data(), out.data());
    EXPECT_LT(largest_difference(out, expected), 1e-12);
  }
  OperatorOptions walls = box.options();
  walls.kinds = {Kind::dct2};
  std::vector<std::complex<double>> const complex(at(box.layout.box(mine()).volume()));
  EXPECT_TRUE(refuses("symbol", {"real numbers are needed, because all axes"}, [&] {
    Operator<double>(box.layout, MPI_COMM_WORLD, Symbol::array(box.layout, complex.data()), walls);
  }));
  OperatorOptions vectors = box.options(3);
  Operator<double> project(box.layout, MPI_COMM_WORLD, symbols::project(3), vectors);
  EXPECT_TRUE(refuses("symbol", {"a matrix of 3 x 3"}, [&] { project.renew(array); }));
  OperatorOptions ball = box.options();
  ball.kinds.clear();
  ball.sphere = {3};
  Operator<double> within(box.layout, MPI_COMM_WORLD, symbols::laplacian(), ball);
  EXPECT_TRUE(refuses("symbol", {"without sphere and columns"}, [&] { within.renew(array); }));
  walls.sphere = {3};
  EXPECT_TRUE(refuses("symbol", {"without sphere and columns"}, [&] {
    Operator<double>(box.layout, MPI_COMM_WORLD, Symbol::array(box.layout, complex.data()), walls);
  }));
}

TEST(operators, refuse_what_they_cannot_do) {
  Waves3 const box;
  auto const expect = [&](Symbol const& symbol, OperatorOptions const& options, char const* words) {
    std::string const message =
        message_of([&] { Operator<double>(box.layout, MPI_COMM_WORLD, symbol, options); });
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  expect(symbols::helmholtz(0), box.options(),
         "symbol: finite numbers are needed, at k = (0, 0, 0) it is inf");
  expect(symbols::curl(), box.options(2), "symbol: a matrix with 2 columns");
  OperatorOptions options = box.options();
  options.sides = {1, 2};
  expect(symbols::laplacian(), options, "sides: one for each of the 3 axes");
  options.sides = {1, 2, 0};
  expect(symbols::laplacian(), options, "sides: lengths above 0 are needed, 0 was given");
  options = box.options();
  options.axes = {3};  // where the fields of a gradient have an axis
  expect(symbols::gradient(3), options, "axes: ");
  options = box.options();
  options.output = Output::natural_axes;
  expect(symbols::laplacian(), options, "output: an operator has none");
  options = box.options();
  options.kinds = {Kind::dct2};
  expect(symbols::derivative(1), options,
         "symbol: real numbers, because all axes are between walls");
  expect(symbols::derivative(3), box.options(), "axis: -3 to 2 are possible, 3 was given");
  expect(symbols::shift({1}), box.options(), "axes: the layout has 3, 1 were given");
  expect(symbols::shift({1, 2}), box.options(), "axes: the layout has 3, 2 were given");
  expect(Symbol::same_product([](double k) { return 1 / k; }), box.options(),
         "symbol: finite numbers are needed, the factor of axis 0 at k = 0 is inf");
  expect(Symbol::same_product([](double k) { return std::complex<double>(0, k); },
                              Symbol::Numbers::real),
         box.options(), "symbol: real numbers are needed, the factor of axis 0 at k = ");
  auto const imaginary = [](Index count, Wavevector const*, std::complex<double>* numbers) {
    std::fill_n(numbers, count, std::complex<double>(0, 1));
  };
  expect(Symbol::many(imaginary, Symbol::Numbers::real), box.options(),
         "symbol: real numbers, as it is said to be real, are needed");
  expect(
      [](Wavevector const& k) -> double {
        if (k[0] > 0) throw std::runtime_error("no such wave");
        return 1;
      },
      box.options(), "no such wave");
}

TEST(operators, refuse_results_that_do_not_fit) {
  Layout const layout = Layout::slab({6, 8}, all());
  OperatorOptions options;
  options.axes = {1};
  auto const refused = [&](std::initializer_list<char const*> words, OperatorResult const& result) {
    EXPECT_TRUE(refuses("result", words, [&] {
      Operator<double>(layout, result, MPI_COMM_WORLD, symbols::laplacian(), options);
    }));
  };
  refused({"2 axes", "this one has 1 axes"}, {Layout::slab({8}, all())});
  refused({"axis 0 is not transformed", "6 points", "it has 5"}, {Layout::slab({5, 8}, all())});
  refused({"lengths: 9 or more", "axis 1", "8 was given"}, {Layout::slab({6, 9}, all()), {8}});
  refused({"lengths: a number for each of the 1 axes", "2 were given"},
          {Layout::slab({6, 9}, all()), {9, 9}});
  refused({"first: 0 to 8", "9 was given"}, {Layout::slab({6, 9}, all()), {9}, {9}});
  options.modes = {8};
  EXPECT_TRUE(refuses("modes", {"at most 7", "transform back", "8 were asked for"}, [&] {
    Operator<double>(layout, OperatorResult{Layout::slab({6, 7}, all())}, MPI_COMM_WORLD,
                     symbols::laplacian(), options);
  }));
}

TEST(operators, refuse_arrays_of_another_kind) {
  Waves3 const box;
  Operator<double> op(box.layout, MPI_COMM_WORLD, symbols::laplacian(), box.options());
  std::vector<std::complex<double>> array(at(op.in_place_size()));
  EXPECT_TRUE(refuses("in, out", {"Real arrays", "apply(Complex const*, Complex*) was called"},
                      [&] { op.apply(array.data(), array.data()); }));
}

TEST(operators, throw_what_a_function_throws_after_all_exchanges) {
  Waves3 const box;
  OperatorOptions options = box.options();
  options.kept = false;
  Operator<double> op(
      box.layout, MPI_COMM_WORLD,
      [](Wavevector const& k) -> double {
        if (k[0] == 0 && k[1] == 0 && k[2] == 0) throw std::runtime_error("no mean");
        return 1;
      },
      options);
  std::vector<double> in(at(op.input_size()), 1), out(at(op.output_size()));
  int thrown = 0;
  try {
    op.apply(in.data(), out.data());
  } catch (std::runtime_error const& error) {
    thrown = std::string(error.what()) == "no mean" ? 1 : 2;
  }
  int all_thrown = 0;
  MPI_Allreduce(&thrown, &all_thrown, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(all_thrown, 1) << "the rank that has k = 0 throws";
}

}  // namespace
}  // namespace sixstep
