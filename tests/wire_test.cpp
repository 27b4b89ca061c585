// SPDX-License-Identifier: BSD-3-Clause
// Plans whose messages are shortened: errors stay below the tolerance and below what the plan
// measures, for any problem and any range of numbers; what cannot be shortened is refused.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "cases.hpp"
#include "nodes_of.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "sixstep/operator.hpp"
#include "sixstep/plan.hpp"

namespace sixstep {
namespace {

using cases::Random;
using oracle::at;
using oracle::Exact;

int all() { return ranks::count(); }

/// How large the numbers of an array are.
enum class Sizes { alike, far_apart, mostly_tiny, rows_apart };

/// A number for each point and part of a global array: the same on all ranks.
template <class Real>
Real number_at(Index point, int part, Sizes sizes, std::uint64_t seed) {
  std::mt19937_64 engine(seed * 1000003 + static_cast<std::uint64_t>(2 * point + part));
  engine.discard(3);
  double const unit = static_cast<double>(engine() >> 11) * 0x1p-53 * 2 - 1;
  bool const is_double = sizeof(Real) == sizeof(double);
  int const far = is_double ? 980 : 100;
  int exponent = 0;
  if (sizes == Sizes::far_apart)
    exponent = static_cast<int>(engine() % static_cast<std::uint64_t>(2 * far)) - far;
  if (sizes == Sizes::mostly_tiny && engine() % 16 != 0) exponent = -far;
  if (sizes == Sizes::rows_apart) exponent = point / 7 % 2 == 0 ? far : -far;
  return static_cast<Real>(std::ldexp(unit, exponent));
}

/// The local elements of a global array.
template <class Element>
std::vector<Element> filled(Layout const& layout, Index size, Sizes sizes, std::uint64_t seed) {
  std::vector<Element> array(at(size));
  oracle::for_each_element(layout, ranks::rank(), [&](Shape const& point, Index offset) {
    Index const number = oracle::number_of(layout.shape(), point);
    if constexpr (std::is_floating_point_v<Element>)
      array[at(offset)] = number_at<Element>(number, 0, sizes, seed);
    else
      array[at(offset)] = {number_at<typename Element::value_type>(number, 0, sizes, seed),
                           number_at<typename Element::value_type>(number, 1, sizes, seed)};
  });
  return array;
}

/// Sums of squares over all ranks.
struct Norms {
  long double errors = 0, values = 0;

  template <class Given, class Wanted>
  void add(Given const& given, Wanted const& wanted) {
    errors += std::norm(Exact(given) - Exact(wanted));
    values += std::norm(Exact(wanted));
  }
  double relative() const {
    long double sums[2] = {errors, values};
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_LONG_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (std::isnan(sums[0])) return HUGE_VAL;
    return sums[1] == 0 ? 0 : static_cast<double>(std::sqrt(sums[0] / sums[1]));
  }
};

/// The most that arithmetic adds to the error of messages.
template <class Real>
constexpr double of_arithmetic = 40 * std::numeric_limits<Real>::epsilon();

struct Problem {
  Layout input;
  std::optional<Layout> output = {};
  Options options = {};
  Sizes sizes = Sizes::alike;
};

template <class Real>
Plan<Real> plan_of(Problem const& problem, double tolerance) {
  Options options = problem.options;
  options.wire.tolerance = tolerance;
  return problem.output ? Plan<Real>(problem.input, *problem.output, MPI_COMM_WORLD, options)
                        : Plan<Real>(problem.input, MPI_COMM_WORLD, options);
}

template <class Real>
void expect_error_within(double error, Plan<Real> const& plan, double tolerance) {
  double const measured = plan.wire_error();
  EXPECT_LT(measured, tolerance);
  EXPECT_LE(error, measured * (1 + 1e-6) + of_arithmetic<Real>) << plan.describe();
}

/// A transform there and back, against the definition and against a plan with all bits.
template <class Real>
void expect_complex(Problem const& problem, double tolerance, std::uint64_t seed) {
  using Complex = std::complex<Real>;
  Plan<Real> plan = plan_of<Real>(problem, tolerance);
  Shape const shape = problem.input.shape();
  std::vector<Exact> wanted(at(oracle::points_of(shape)));
  oracle::for_each_point(shape, [&](Shape const& point) {
    Index const number = oracle::number_of(shape, point);
    wanted[at(number)] = {number_at<Real>(number, 0, problem.sizes, seed),
                          number_at<Real>(number, 1, problem.sizes, seed)};
  });
  std::vector<int> axes = problem.options.axes;
  if (axes.empty())
    for (int axis = 0; axis < shape.size(); ++axis) axes.push_back(axis);
  for (int axis : axes) oracle::transform(wanted, shape, axis, -1);
  auto const in = filled<Complex>(plan.input(), plan.input_size(), problem.sizes, seed);
  std::vector<Complex> given = in, out(at(plan.output_size()));
  plan.forward(given.data(), out.data());
  EXPECT_TRUE(!problem.options.preserve_input || given == in);
  Norms there;
  oracle::for_each_element(plan.output(), ranks::rank(), [&](Shape const& point, Index offset) {
    there.add(out[at(offset)], wanted[at(oracle::number_of(shape, point))]);
  });
  expect_error_within(there.relative(), plan, tolerance);
  std::vector<Complex> back(at(plan.input_size()));
  std::vector<Complex> const spectrum = out;
  plan.backward(out.data(), back.data(), Scale::by_sqrt_n);
  EXPECT_TRUE(!problem.options.preserve_input || out == spectrum);
  Plan<Real> exact = plan_of<Real>(problem, 0);
  EXPECT_EQ(exact.describe().find("wire "), std::string::npos);
  std::vector<Complex> expected(back.size());
  out = spectrum;
  exact.backward(out.data(), expected.data(), Scale::by_sqrt_n);
  Norms behind;
  for (std::size_t i = 0; i < back.size(); ++i) behind.add(back[i], expected[i]);
  expect_error_within(behind.relative(), plan, tolerance);
  EXPECT_EQ(exact.wire_error(), 0);
  std::vector<Complex> both(at(plan.in_place_size()));
  std::copy(in.begin(), in.end(), both.begin());
  plan.forward(both.data(), both.data());
  Norms in_place;
  oracle::for_each_element(plan.output(), ranks::rank(), [&](Shape const& point, Index offset) {
    in_place.add(both[at(offset)], wanted[at(oracle::number_of(shape, point))]);
  });
  expect_error_within(in_place.relative(), plan, tolerance);
}

/// A transform of reals to `Result`s there and back, against a plan with all bits.
template <class Result, class Real>
void expect_real(Problem const& problem, double tolerance, std::uint64_t seed) {
  Plan<Real> plan = plan_of<Real>(problem, tolerance), exact = plan_of<Real>(problem, 0);
  auto const in = filled<Real>(plan.input(), plan.input_size(), problem.sizes, seed);
  std::vector<Real> given = in, also = in;
  std::vector<Result> out(at(plan.output_size())), expected(out.size());
  plan.forward(given.data(), out.data());
  exact.forward(also.data(), expected.data());
  Norms there;
  for (std::size_t i = 0; i < out.size(); ++i) there.add(out[i], expected[i]);
  expect_error_within(there.relative(), plan, tolerance);
  std::vector<Result> spectrum = expected;
  std::vector<Real> back(in.size()), back_exactly(in.size());
  plan.backward(spectrum.data(), back.data());
  exact.backward(expected.data(), back_exactly.data());
  Norms behind;
  for (std::size_t i = 0; i < back.size(); ++i) behind.add(back[i], back_exactly[i]);
  expect_error_within(behind.relative(), plan, tolerance);
}

Options random_options(Random& random) {
  Exchange const exchanges[] = {Exchange::shared, Exchange::collective, Exchange::pairwise,
                                Exchange::persistent, Exchange::one_sided};
  Driver const drivers[] = {Driver::between, Driver::thread, Driver::master, Driver::automatic};
  Options options;
  options.exchange = exchanges[random.between(0, 4)];
  options.driver = drivers[random.between(0, 3)];
  options.windows = random.between(0, 5);
  options.threads = random.between(1, 2);
  options.preserve_input = random.once_in(2);
  options.low_memory = random.once_in(6);
  options.own_workspace = true;
  return options;
}

Sizes random_sizes(Random& random) {
  Sizes const sizes[] = {Sizes::alike, Sizes::far_apart, Sizes::mostly_tiny, Sizes::rows_apart};
  return sizes[random.between(0, 3)];
}

double random_tolerance(Random& random, bool is_double) {
  return std::pow(10.0, -random.between(20, is_double ? 130 : 65) / 10.0);
}

Problem random_problem(Random& random, Index points) {
  Shape const shape = cases::random_shape(random, random.between(1, 3), points);
  Problem problem{.input = cases::random_layout(random, shape, all())};
  if (random.once_in(2)) problem.output = cases::random_layout(random, shape, all());
  problem.options = random_options(random);
  if (!problem.output) problem.options.output = Output::natural_axes;
  problem.sizes = random_sizes(random);
  return problem;
}

TEST(wire, errors_stay_below_the_tolerance) {
  Random random(1);
  for (int round = 0; round < ranks::rounds(90) && !ranks::failed_anywhere(); ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    NodesOf const nodes(random.between(1, 2));
    Problem const problem = random_problem(random, 2000);
    bool const is_double = !random.once_in(3);
    double const tolerance = random_tolerance(random, is_double);
    try {
      if (is_double)
        expect_complex<double>(problem, tolerance, static_cast<std::uint64_t>(round));
      else
        expect_complex<float>(problem, tolerance, static_cast<std::uint64_t>(round));
    } catch (Error const& error) {
      EXPECT_NE(std::string(error.what()).find("convolution"), std::string::npos) << error.what();
    }
  }
}

TEST(wire, errors_of_real_transforms_stay_below_the_tolerance) {
  Random random(2);
  Kind const kinds[] = {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                        Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};
  for (int round = 0; round < ranks::rounds(90) && !ranks::failed_anywhere(); ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    NodesOf const nodes(random.between(1, 2));
    int const axes = random.between(1, 3);
    Shape shape = cases::random_shape(random, axes, 3000);
    for (Index& extent : shape) extent = std::max<Index>(extent, 2);
    Problem problem{.input = cases::random_layout(random, shape, all())};
    problem.options = random_options(random);
    problem.sizes = random.once_in(2) ? Sizes::alike : Sizes::mostly_tiny;
    bool const is_double = !random.once_in(3);
    double const tolerance = random_tolerance(random, is_double);
    auto const seed = static_cast<std::uint64_t>(round);
    try {
      if (random.once_in(2)) {
        problem.options.kinds = {Kind::r2c};
        if (is_double)
          expect_real<std::complex<double>, double>(problem, tolerance, seed);
        else
          expect_real<std::complex<float>, float>(problem, tolerance, seed);
        continue;
      }
      for (int axis = 0; axis < axes; ++axis)
        problem.options.kinds.push_back(kinds[random.between(0, 7)]);
      if (is_double)
        expect_real<double, double>(problem, tolerance, seed);
      else
        expect_real<float, float>(problem, tolerance, seed);
    } catch (Error const& error) {
      EXPECT_NE(std::string(error.what()).find("convolution"), std::string::npos) << error.what();
    }
  }
}

/// The text behind `word` up to the end of its line.
std::string line_of(std::string const& text, std::string const& word) {
  auto const begin = text.find(word);
  return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

TEST(wire, the_shortest_format_is_taken) {
  if (all() == 1) return;
  NodesOf const nodes(1);
  struct Wanted {
    double tolerance;
    char const* words;
  };
  for (auto const& [tolerance, words] :
       {Wanted{1e-4, "2 bytes a real, a scale for 32"},
        Wanted{1e-6, "3 bytes a real, a scale for 64"}, Wanted{3e-9, "4 bytes a real"},
        Wanted{1e-12, "6 bytes a real"}, Wanted{1e-15, "messages carry all bits"}}) {
    Problem const slab{.input = Layout::slab({64, 64, 64}, all()),
                       .options = {.exchange = Exchange::pairwise, .threads = 1}};
    Plan<double> plan = plan_of<double>(slab, tolerance);
    EXPECT_NE(line_of(plan.describe(), "wire ").find(words), std::string::npos) << plan.describe();
    auto const in = filled<std::complex<double>>(plan.input(), plan.input_size(), Sizes::alike, 1);
    std::vector<std::complex<double>> out(at(plan.output_size()));
    EXPECT_EQ(plan.wire_error(), 0);
    plan.forward(in.data(), out.data());
    double const error = plan.wire_error();
    EXPECT_LT(error, tolerance);
    EXPECT_TRUE(tolerance < 1e-14 || error > tolerance / 1000) << error;
  }
}

TEST(wire, messages_on_a_node_keep_all_bits) {
  NodesOf const nodes(all());
  Problem const slab{.input = Layout::slab({12, 10, 8}, all()), .options = {.threads = 1}};
  for (Exchange exchange : {Exchange::shared, Exchange::pairwise}) {
    Problem given = slab;
    given.options.exchange = exchange;
    Plan<double> plan = plan_of<double>(given, 1e-3), exact = plan_of<double>(given, 0);
    EXPECT_EQ(line_of(plan.describe(), "wire "), "wire      messages carry all bits");
    auto const in = filled<std::complex<double>>(plan.input(), plan.input_size(), Sizes::alike, 1);
    std::vector<std::complex<double>> out(at(plan.output_size())), expected(out.size());
    plan.forward(in.data(), out.data());
    exact.forward(in.data(), expected.data());
    EXPECT_EQ(out, expected);
    EXPECT_EQ(plan.wire_error(), 0);
  }
}

/// Messages of nodes of two ranks, or of many nodes in two hops.
TEST(wire, gathered_messages_are_shortened) {
  for (int node_ranks : {1, 2}) {
    NodesOf const nodes(node_ranks);
    Problem const slab{.input = Layout::slab({21, 14, 12}, all()),
                       .output = Layout::slab({21, 14, 12}, all(), 1),
                       .options = {.threads = 1}};
    for (double tolerance : {1e-3, 1e-6, 1e-11}) {
      Plan<double> const plan = plan_of<double>(slab, tolerance);
      bool const is_gathered = plan.describe().find("from the node") != std::string::npos;
      EXPECT_TRUE(is_gathered || all() <= 2 || node_ranks == 1);
      if (!is_gathered) continue;
      EXPECT_NE(plan.describe().find("bytes a real"), std::string::npos) << plan.describe();
      expect_complex<double>(slab, tolerance, 5);
    }
  }
}

TEST(wire, infinities_and_nans_arrive) {
  NodesOf const nodes(1);
  Shape const shape{14, 12, 10};
  Layout const from = Layout::slab(shape, all()), to = Layout::slab(shape, all(), 2);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (double tolerance : {1e-3, 1e-6, 1e-8, 1e-12}) {
    Plan<double> plan(from, to, MPI_COMM_WORLD,
                      {.transform = false, .wire = {.tolerance = tolerance}});
    auto in = filled<std::complex<double>>(from, plan.input_size(), Sizes::alike, 3);
    auto const special = [&](Shape const& point) {
      Index const number = oracle::number_of(shape, point) % 97;
      return number == 5 ? infinity : number == 6 ? -infinity : number == 7 ? std::nan("") : 0;
    };
    oracle::for_each_element(from, ranks::rank(), [&](Shape const& point, Index offset) {
      if (special(point) != 0) in[at(offset)].imag(special(point));
    });
    std::vector<std::complex<double>> out(at(plan.output_size()));
    plan.forward(in.data(), out.data());
    oracle::for_each_element(to, ranks::rank(), [&](Shape const& point, Index offset) {
      double const wanted = special(point), given = out[at(offset)].imag();
      if (std::isnan(wanted))
        EXPECT_TRUE(std::isnan(given));
      else if (wanted != 0)
        EXPECT_EQ(given, wanted);
      else
        EXPECT_TRUE(std::isfinite(given));
      EXPECT_TRUE(std::isfinite(out[at(offset)].real()));
    });
    EXPECT_LT(plan.wire_error(), tolerance);
  }
}

TEST(wire, fields_are_shortened_together) {
  NodesOf const nodes(1);
  for (bool interleaved : {false, true}) {
    Options const options{.fields = 3, .interleaved = interleaved, .wire = {.tolerance = 1e-5}};
    Options exactly = options;
    exactly.wire = {};
    Layout const layout = Layout::slab({9, 8, 10}, all());
    Plan<double> plan(layout, MPI_COMM_WORLD, options), exact(layout, MPI_COMM_WORLD, exactly);
    std::vector<std::complex<double>> in(at(plan.input_size())), out(at(plan.output_size()));
    for (std::size_t i = 0; i < in.size(); ++i)
      in[i] = {number_at<double>(static_cast<Index>(i), ranks::rank(), Sizes::alike, 1), 1.0};
    std::vector<std::complex<double>> expected(out.size());
    plan.forward(in.data(), out.data());
    exact.forward(in.data(), expected.data());
    Norms norms;
    for (std::size_t i = 0; i < out.size(); ++i) norms.add(out[i], expected[i]);
    expect_error_within(norms.relative(), plan, 1e-5);
  }
}

TEST(wire, what_cannot_be_shortened_is_refused) {
  Layout const layout = Layout::slab({8, 8, 8}, all());
  Options const shortened{.wire = {.tolerance = 1e-5}};
  auto const with = [&](auto const& change) {
    Options options = shortened;
    change(options);
    return options;
  };
  auto const planned = [&](Options const& options) {
    return [&, options] { Plan<double>(layout, MPI_COMM_WORLD, options); };
  };
  for (double tolerance : {-1e-5, 1.0, std::nan(""), HUGE_VAL})
    EXPECT_TRUE(refuses("wire", {"tolerance"},
                        planned(with([&](Options& o) { o.wire.tolerance = tolerance; }))));
  EXPECT_TRUE(refuses("wire", {"modes"}, planned(with([](Options& o) { o.modes = {4, 8, 8}; }))));
  EXPECT_TRUE(refuses("wire", {"lengths"}, planned(with([](Options& o) {
                        o.lengths = {8, 8, 16};
                      }))));
  EXPECT_TRUE(refuses("wire", {"sphere"}, planned(with([](Options& o) { o.sphere = {3}; }))));
  EXPECT_TRUE(
      refuses("wire", {"host"}, planned(with([](Options& o) { o.device = Device::emulated; }))));
  OperatorOptions of_operator;
  of_operator.wire.tolerance = 1e-5;
  EXPECT_TRUE(refuses("wire", {"operators"}, [&] {
    Operator<double>(layout, MPI_COMM_WORLD, Symbol([](PerAxis<double> const&) { return 1.0; }),
                     of_operator);
  }));
  Options unlike = shortened;
  unlike.wire.tolerance = ranks::rank() == 0 ? 1e-5 : 1e-6;
  EXPECT_TRUE(all() == 1 || refuses("wire", {}, planned(unlike)));
}

}  // namespace
}  // namespace sixstep
