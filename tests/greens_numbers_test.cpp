// SPDX-License-Identifier: BSD-3-Clause
// Green's functions that are arrays of the caller's, against the sums that their numbers mean.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <type_traits>
#include <vector>

#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "sixstep/indices.hpp"
#include "sixstep/open_poisson.hpp"

namespace sixstep {
namespace {

using oracle::at;
using std::numbers::pi;

/// An axis of an equation, and how many numbers of a Green's function it has.
struct Axis {
  Index n;
  Walls walls = Walls::open;
  Points points = Points::cells;
  double shift = 0;  // in points
  Index numbers = 0;

  bool is_dirichlet() const {
    return walls == Walls::dirichlet || walls == Walls::dirichlet_neumann;
  }
  bool is_half() const {
    return walls == Walls::dirichlet_neumann || walls == Walls::neumann_dirichlet;
  }
  /// Mode number `entry` at point j.
  double mode(Index entry, Index j) const {
    auto const m = static_cast<double>(entry), x = static_cast<double>(j);
    if (walls == Walls::periodic) return std::cos(2 * pi * m * x / static_cast<double>(n) + 0.4);
    double length = static_cast<double>(n), place = x + 0.5;
    if (points == Points::nodes) {
      place = is_dirichlet() ? x + 1 : x;
      if (walls == Walls::dirichlet) length += 1;
      if (walls == Walls::neumann) length -= 1;
    }
    double const wave = is_half() ? m + 0.5 : walls == Walls::dirichlet ? m + 1 : m;
    return is_dirichlet() ? std::sin(pi * wave * place / length)
                          : std::cos(pi * wave * place / length);
  }
  /// What a source y (a point of an open axis, else a mode) adds to point x through a number.
  double weight(Index x, Index y, Index entry, GreensSpace space, bool is_shifted) const {
    if (walls != Walls::open) return entry == y ? mode(entry, x) : 0;
    if (space == GreensSpace::distances)
      return entry == (is_shifted ? x - y + n - 1 : std::abs(x - y)) ? 1 : 0;
    auto const most = static_cast<double>(numbers - 1);
    double const both = entry == 0 || entry == numbers - 1 ? 1 : 2;
    double const distance = static_cast<double>(x - y) + shift;
    return both * std::cos(pi * static_cast<double>(entry) * distance / most) / (2 * most);
  }
};

struct Problem {
  std::vector<Axis> axes;   // of the layout
  std::vector<int> listed;  // those that are transformed, in the order of the options
  bool is_shifted = false;
  GreensSpace space = GreensSpace::distances;

  bool is_listed(int axis) const {
    return std::find(listed.begin(), listed.end(), axis) != listed.end();
  }
  Shape shape() const {
    Shape made;
    for (Axis const& axis : axes) made.push_back(axis.n);
    return made;
  }
  Shape numbers() const {
    Shape made;
    for (int const axis : listed) made.push_back(axes[at(axis)].numbers);
    return made;
  }
  OpenPoissonOptions options() const {
    OpenPoissonOptions made;
    made.axes = listed;
    made.walls.clear();
    made.points.clear();
    made.spacing.clear();
    for (int const i : listed) {
      Axis const& axis = axes[at(i)];
      made.walls.push_back(axis.walls);
      made.points.push_back(axis.points);
      made.spacing.push_back(0.2 + 0.1 * i);
      if (is_shifted) made.shift.push_back(axis.shift * made.spacing.back());
    }
    return made;
  }
};

/// A value for each point, the same on all ranks.
double value_at(Shape const& point, int seed) {
  double angle = seed;
  for (int axis = 0; axis < point.size(); ++axis)
    angle += static_cast<double>((axis + 2) * point[axis] * point[axis] + point[axis]);
  return std::cos(angle) + 0.1;
}

/// The sum over sources and numbers of the products of the weights along each axis.
double sum_from(Problem const& problem, Shape const& x, int seed, int axis, double weight,
                Shape& source, Shape& entry) {
  if (weight == 0) return 0;
  if (axis == x.size()) return weight * value_at(source, 3) * value_at(entry, seed);
  Axis const& along = problem.axes[at(axis)];
  if (!problem.is_listed(axis)) {
    source[axis] = x[axis];
    return sum_from(problem, x, seed, axis + 1, weight, source, entry);
  }
  auto const place = std::find(problem.listed.begin(), problem.listed.end(), axis);
  int const number = static_cast<int>(place - problem.listed.begin());
  double sum = 0;
  Index const sources = along.walls == Walls::open ? along.n : along.numbers;
  for (source[axis] = 0; source[axis] < sources; ++source[axis])
    for (entry[number] = 0; entry[number] < along.numbers; ++entry[number]) {
      double const each =
          along.weight(x[axis], source[axis], entry[number], problem.space, problem.is_shifted);
      sum += sum_from(problem, x, seed, axis + 1, weight * each, source, entry);
    }
  return sum;
}

/// The right side whose modes along axes that are not open are value_at().
double right_side(Problem const& problem, Shape const& x, int axis, double weight, Shape& source) {
  if (axis == x.size()) return weight * value_at(source, 3);
  Axis const& along = problem.axes[at(axis)];
  if (!problem.is_listed(axis) || along.walls == Walls::open) {
    source[axis] = x[axis];
    return right_side(problem, x, axis + 1, weight, source);
  }
  double sum = 0;
  for (source[axis] = 0; source[axis] < along.numbers; ++source[axis])
    sum += right_side(problem, x, axis + 1, weight * along.mode(source[axis], x[axis]), source);
  return sum;
}

template <class Real>
void expect_sums(OpenPoisson<Real>& open, Problem const& problem, int seed) {
  Layout const layout = open.convolution().input();
  std::vector<Real> u(at(open.convolution().in_place_size()));
  for_each(layout, ranks::rank(), [&](Shape const& x, Index place) {
    Shape source = x;
    u[at(place)] = static_cast<Real>(right_side(problem, x, 0, 1, source));
  });
  open.solve(u.data(), u.data());
  double worst = 0, largest = 1;
  for_each(layout, ranks::rank(), [&](Shape const& x, Index place) {
    Shape source = x, entry = problem.numbers();
    double const sum = sum_from(problem, x, seed, 0, 1, source, entry);
    worst = ranks::worse(worst, std::abs(static_cast<double>(u[at(place)]) - sum));
    largest = std::max(largest, std::abs(sum));
  });
  EXPECT_LT(
      ranks::largest(worst),
      1000 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * ranks::largest(largest));
}

/// This rank's numbers of an array in a layout.
std::vector<double> numbers_of(Layout const& layout, int seed) {
  std::vector<double> numbers(at(std::max<Index>(1, layout.array_size(ranks::rank()))), 1e300);
  for_each(layout, ranks::rank(),
           [&](Shape const& entry, Index place) { numbers[at(place)] = value_at(entry, seed); });
  return numbers;
}

template <class Random>
Problem random_problem(Random const& pick) {
  Problem problem;
  int const axes = 1 + pick(3);
  Index const most = axes == 1 ? 9 : axes == 2 ? 6 : 4;
  problem.space = pick(2) == 0 ? GreensSpace::distances : GreensSpace::waves;
  problem.is_shifted = pick(2) == 0;
  for (int axis = 0; axis < axes; ++axis)
    if (axis == 0 || pick(6) > 0) problem.listed.push_back(axis);
  for (std::size_t i = problem.listed.size(); i-- > 1;)
    std::swap(problem.listed[i], problem.listed[at(pick(static_cast<int>(i) + 1))]);
  int const open = problem.listed[at(pick(static_cast<int>(problem.listed.size())))];
  for (int i = 0; i < axes; ++i) {
    Axis axis{1 + pick(static_cast<int>(most))};
    if (i != open && pick(2) == 0) axis.walls = all_values<Walls>[at(pick(5))];
    if (axis.walls != Walls::open && axis.walls != Walls::periodic) {
      axis.n += 1;  // two nodes lie on walls
      axis.points = all_values<Points>[at(pick(2))];
    }
    if (problem.is_shifted && axis.walls == Walls::open) axis.shift = 0.5 * (pick(9) - 4);
    if (axis.walls == Walls::periodic)
      axis.numbers = axis.n / 2 + 1;
    else if (axis.walls != Walls::open)
      axis.numbers = axis.n;
    else if (problem.space == GreensSpace::waves)
      axis.numbers = axis.n + 1 + pick(4);
    else
      axis.numbers = problem.is_shifted ? 2 * axis.n - 1 : axis.n;
    problem.axes.push_back(axis);
  }
  return problem;
}

TEST(greens_numbers, of_random_problems_are_summed) {
  std::mt19937 random(5);
  auto const pick = [&](int count) {
    return std::uniform_int_distribution<int>(0, count - 1)(random);
  };
  int const all = ranks::count();
  for (int number = 0; number < ranks::rounds(180); ++number) {
    Problem const problem = random_problem(pick);
    Shape const shape = problem.shape(), extents = problem.numbers();
    Layout const layout = Layout::slab(shape, all, pick(shape.size()));
    Layout const dealt = pick(2) == 0 ? Layout::brick(extents, all)
                                      : Layout::slab(extents, all, pick(extents.size()));
    SCOPED_TRACE(text("problem ", number, " of ", to_string(shape), ", numbers ",
                      to_string(extents), ", ", to_string(problem.space),
                      problem.is_shifted ? ", shifted" : ""));
    auto const solve = [&]<class Real>(Real) {
      OpenPoissonOptions options = problem.options();
      std::vector<double> const first = numbers_of(dealt, 1), second = numbers_of(dealt, 2);
      options.space = problem.space;
      options.numbers = {dealt, first.data(), static_cast<Index>(first.size())};
      OpenPoisson<Real> open(layout, MPI_COMM_WORLD, options);
      expect_sums(open, problem, 1);
      open.renew({{}, {}, GreensNumbers{dealt, second.data()}, problem.space});
      expect_sums(open, problem, 2);
      open.renew({{}, [](PerAxis<double> const&) { return 1.; }});
      open.renew(options);
      expect_sums(open, problem, 1);
    };
    if (pick(3) == 0)
      solve(float());
    else
      solve(double());
  }
}

TEST(greens_numbers, of_the_laplacian_are_what_it_has) {
  int const all = ranks::count();
  Layout const layout = Layout::slab({12, 10, 14}, all);
  OpenPoissonOptions options;
  OpenPoisson<double> laplacian(layout, MPI_COMM_WORLD, options);
  options.function = [](PerAxis<double> const& x) { return x[0] + x[1]; };
  OpenPoisson<double> renewed(layout, MPI_COMM_WORLD, options);
  renewed.renew({});
  auto const size = at(laplacian.convolution().in_place_size());
  std::vector<double> f(size), expected(size), found(size);
  for_each(layout, ranks::rank(),
           [&](Shape const& x, Index place) { f[at(place)] = value_at(x, 3); });
  laplacian.solve(f.data(), expected.data());
  renewed.solve(f.data(), found.data());
  EXPECT_EQ(found, expected);
}

TEST(greens_numbers, that_do_not_serve_are_refused) {
  int const all = ranks::count(), rank = ranks::rank();
  Layout const layout = Layout::slab({6, 5}, all);
  Layout const dealt = Layout::slab({6, 5}, all, 1);
  std::vector<double> numbers = numbers_of(dealt, 1);
  OpenPoissonOptions options;
  options.numbers = {dealt, numbers.data(), static_cast<Index>(numbers.size())};
  OpenPoisson<double> open(layout, MPI_COMM_WORLD, options);
  Problem const problem{
      {{6, Walls::open, Points::cells, 0, 6}, {5, Walls::open, Points::cells, 0, 5}}, {0, 1}};
  auto const refused = [&](char const* argument, std::initializer_list<char const*> words,
                           Greens const& greens) {
    EXPECT_TRUE(refuses(argument, words, [&] { open.renew(greens); }));
    expect_sums(open, problem, 1);  // the old numbers stay
  };
  GreensNumbers const good = *options.numbers;
  refused("numbers", {"shape (6, 5) is needed, (6, 6) was given"},
          {{}, {}, GreensNumbers{Layout::slab({6, 6}, all), numbers.data()}});
  refused("numbers", {"shape (6, 5) is needed, (6) was given"},
          {{}, {}, GreensNumbers{Layout::slab({6}, all), numbers.data()}});
  refused("numbers", {"shape (7, 6) or more along open axes is needed, (6, 5) was given"},
          {{}, {}, good, GreensSpace::waves});
  refused("numbers", {"ranks is needed, this one is for "},
          {{}, {}, GreensNumbers{Layout::slab({6, 5}, all + 1), numbers.data()}});
  refused("numbers", {"a function or numbers", "both were given"},
          {{}, [](PerAxis<double> const&) { return 1.; }, good});
  refused("numbers", {"null was given"}, {{}, {}, GreensNumbers{dealt, nullptr}});
  if (!dealt.box(0).empty())
    refused("numbers", {"an array of ", "on rank 0, 1 were given"},
            {{}, {}, GreensNumbers{dealt, numbers.data(), rank == 0 ? 1 : -1}});
  for (double const wrong :
       {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    std::vector<double> changed = numbers;
    for_each(dealt, rank, [&](Shape const& entry, Index place) {
      if (entry == Shape{4, 3}) changed[at(place)] = wrong;
    });
    refused("numbers", {"finite numbers", "for the entry {4, 3} it is ", "n"},
            {{}, {}, GreensNumbers{dealt, changed.data()}});
  }
  for (GreensSpace const space : {GreensSpace::distances, GreensSpace::waves})
    refused("function", {"finite numbers", "at (", "it is inf"},
            {{}, [](PerAxis<double> const& x) { return 1 / x[0]; }, {}, space});
  refused("greens_function", {"value 4 was given"}, {static_cast<GreensFunction>(4)});
  if (all == 1) return;
  refused("numbers", {"same"}, {{}, {}, rank == 0 ? std::optional(good) : std::nullopt});
}

}  // namespace
}  // namespace sixstep
