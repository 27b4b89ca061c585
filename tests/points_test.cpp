// SPDX-License-Identifier: BSD-3-Clause
// What a rank's arrays hold: boxes and strides, the waves of the output, boxes that are gathered.
//
// Wave numbers are found by transforming a wave: what is not zero is the coefficient of it.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <optional>
#include <set>
#include <type_traits>
#include <vector>

#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "sixstep/indices.hpp"
#include "sixstep/plan.hpp"

namespace sixstep {
namespace {

using cases::Random;
using oracle::at;
using Complex = std::complex<double>;

int mine() { return ranks::rank(); }
int all() { return ranks::count(); }

constexpr double pi = 3.14159265358979323846;

/// A wave along an axis of n points; along one that is not transformed, ones.
struct Wave {
  std::optional<Kind> kind;
  Index n;
  double number;
};

Complex at_point(Wave const& wave, Index j) {
  double const x = static_cast<double>(j), n = static_cast<double>(wave.n), w = wave.number;
  if (!wave.kind) return 1;
  switch (*wave.kind) {
    case Kind::dct1:
      return std::cos(w * pi * x / (n - 1));
    case Kind::dct3:
      return std::cos(w * pi * x / n);
    case Kind::dct2:
    case Kind::dct4:
      return std::cos(w * pi * (x + 0.5) / n);
    case Kind::dst1:
      return std::sin(w * pi * (x + 1) / (n + 1));
    case Kind::dst3:
      return std::sin(w * pi * (x + 1) / n);
    case Kind::dst2:
    case Kind::dst4:
      return std::sin(w * pi * (x + 0.5) / n);
    default:
      return std::polar(1.0, w * 2 * pi * x / n);
  }
}

/// One of the wave numbers of n modes.
double random_number(Random& random, Kind kind, Index n) {
  auto const from = [&](Index lo, Index hi) { return static_cast<double>(random.between(lo, hi)); };
  switch (kind) {
    case Kind::c2c:
      return from(-(n / 2), (n - 1) / 2);
    case Kind::r2c:
      return from(0, n / 2);
    case Kind::dst1:
    case Kind::dst2:
      return from(1, n);
    case Kind::dct1:
    case Kind::dct2:
      return from(0, n - 1);
    default:
      return from(0, n - 1) + 0.5;
  }
}

/// Whether a coefficient with these wave numbers is one of the wave's. A real wave along c2c axes
/// is two complex ones, of which r2c leaves out the one with w < 0 along its own axis.
bool belongs(std::vector<Wave> const& waves, PerAxis<double> const& numbers) {
  bool same = true, opposite = false;
  for (Wave const& wave : waves)
    if (wave.kind == Kind::r2c)
      opposite = wave.number == 0 || 2 * wave.number == static_cast<double>(wave.n);
  for (std::size_t axis = 0; axis < waves.size(); ++axis) {
    Wave const& wave = waves[axis];
    double const number = numbers[static_cast<int>(axis)];
    same = same && number == wave.number;
    bool const is_middle =
        wave.kind == Kind::r2c || 2 * wave.number == -static_cast<double>(wave.n);
    opposite = opposite && number == (is_middle ? wave.number : -wave.number);
  }
  return same || opposite;
}

struct Case {
  Layout input;
  std::optional<Layout> output = {};
  Options options = {};
};

/// The kind of each axis, none where it is not transformed.
std::vector<std::optional<Kind>> kinds_of(Case const& given) {
  std::vector<std::optional<Kind>> kinds(at(given.input.axes()));
  for (std::size_t i = 0; i < given.options.axes.size(); ++i)
    kinds[at(given.options.axes[i])] = given.options.kinds[i];
  return kinds;
}

/// Those that are kept of each axis.
std::vector<Index> modes_of(Case const& given) {
  std::vector<Index> modes(given.input.shape().begin(), given.input.shape().end());
  for (std::size_t i = 0; i < given.options.modes.size(); ++i)
    modes[at(given.options.axes[i])] = given.options.modes[i];
  return modes;
}

template <class In, class Out>
void expect_wave(Plan<double>& plan, std::vector<Wave> const& waves) {
  std::vector<In> field(at(plan.input_size()));
  for_each(plan.input_box(), plan.input_strides(), [&](Shape const& j, Index offset) {
    Complex value = 1;
    for (std::size_t axis = 0; axis < waves.size(); ++axis)
      value *= at_point(waves[axis], j[static_cast<int>(axis)]);
    if constexpr (std::is_same_v<In, double>)
      field[at(offset)] = value.real();
    else
      field[at(offset)] = value;
  });
  std::vector<Out> spectrum(at(plan.output_size()));
  plan.forward(field.data(), spectrum.data());
  double largest = 0;
  for (Out const& value : spectrum) largest = std::max(largest, std::abs(value));
  largest = ranks::largest(largest);
  double found = 0;
  oracle::for_each_element(plan.output(), mine(), [&](Shape const& k, Index offset) {
    bool const is_there = std::abs(spectrum[at(offset)]) > 1e-6 * largest;
    found += is_there ? 1 : 0;
    EXPECT_EQ(is_there, belongs(waves, plan.wavenumber(k))) << to_string(k);
  });
  EXPECT_GT(ranks::largest(found), 0);
}

/// wavenumbers() and wavenumber(axis, k) tell the same as wavenumber(k) does.
void expect_lists(Plan<double> const& plan, std::vector<std::optional<Kind>> const& kinds) {
  if (plan.output().axes() != plan.input().axes()) return;
  Box const box = plan.output_box();
  for (int axis = 0; axis < box.axes(); ++axis) {
    if (!kinds[at(axis)]) continue;
    std::vector<double> const along = plan.wavenumbers(axis);
    std::vector<Index> const indices = oracle::indices(box.ranges[axis]);
    ASSERT_EQ(along.size(), indices.size());
    for (std::size_t i = 0; i < along.size() && !box.empty(); ++i) {
      Shape k(box.axes(), 0);
      k[axis] = indices[i];
      EXPECT_EQ(along[i], plan.wavenumber(k)[axis]);
      EXPECT_EQ(along[i], plan.wavenumber(axis, indices[i]));
    }
  }
}

void expect_waves(Random& random, Case const& given) {
  SCOPED_TRACE(text("input ", cases::describe(given.input), "\noutput ",
                    given.output ? cases::describe(*given.output) : "open"));
  Plan<double> plan = given.output
                          ? Plan<double>(given.input, *given.output, MPI_COMM_WORLD, given.options)
                          : Plan<double>(given.input, MPI_COMM_WORLD, given.options);
  std::vector<std::optional<Kind>> const kinds = kinds_of(given);
  std::vector<Index> const modes = modes_of(given);
  std::vector<Wave> waves;
  bool any_real = false, any_complex = false;
  for (std::size_t axis = 0; axis < kinds.size(); ++axis) {
    Index const n = given.input.shape()[static_cast<int>(axis)];
    std::optional<Kind> const kind = kinds[axis];
    waves.push_back({kind, n, kind ? random_number(random, *kind, modes[axis]) : 0});
    any_real = any_real || kind == Kind::r2c;
    any_complex = any_complex || kind == Kind::c2c;
  }
  expect_lists(plan, kinds);
  if (any_real)
    expect_wave<double, Complex>(plan, waves);
  else if (any_complex || given.options.axes.empty())
    expect_wave<Complex, Complex>(plan, waves);
  else
    expect_wave<double, double>(plan, waves);
}

TEST(points, have_the_wave_numbers_of_the_waves_that_they_are_coefficients_of) {
  Random random(1);
  constexpr Kind kinds[] = {Kind::c2c,  Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                            Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};
  for (int round = 0; round < ranks::rounds(100) && !ranks::failed_anywhere(); ++round) {
    Shape shape = cases::random_shape(random, random.between(1, 3), 300);
    Case given{cases::random_layout(random, shape, all())};
    int real_axis = -1;
    int const flavour = random.between(0, 2);  // c2c alone, with r2c, any
    for (int axis = 0; axis < shape.size(); ++axis) {
      if (shape[axis] < 2 || random.once_in(5)) continue;
      Kind kind = flavour < 2 ? Kind::c2c : kinds[random.between(0, 8)];
      if (flavour == 1 && real_axis < 0) {
        real_axis = axis;
        kind = Kind::r2c;
      }
      given.options.axes.push_back(axis);
      given.options.kinds.push_back(kind);
    }
    if (given.options.axes.empty()) continue;
    if (random.once_in(2))
      for (int axis : given.options.axes)
        given.options.modes.push_back(random.between(Index{1}, shape[axis]));
    std::vector<Index> const modes = modes_of(given);
    for (int axis = 0; axis < shape.size(); ++axis)
      shape[axis] = axis == real_axis ? modes[at(axis)] / 2 + 1 : modes[at(axis)];
    if (random.once_in(2)) given.output = cases::random_layout(random, shape, all());
    expect_waves(random, given);
  }
}

TEST(points, have_wave_numbers_in_digits_too) {
  Random random(2);
  constexpr Distribution block = Distribution::block, cyclic = Distribution::cyclic;
  int const parts = all();
  std::set<int> axes;
  for (Layout const& input :
       {Layout::slab({144}, parts), Layout::grid({Index{6} * parts * parts}, {parts}, {cyclic}),
        Layout::grid({3, Index{4} * parts * parts}, {1, parts}, {block, cyclic}),
        Layout::grid({Index{4} * parts * parts, 3}, {parts, 1}, {cyclic, block}),
        Layout::slab({210, 1}, parts), Layout::slab({1, 256}, parts, 1)}) {
    Options options;
    for (int axis = 0; axis < input.axes(); ++axis)
      if (input.shape()[axis] > 3) {
        options.axes.push_back(axis);
        options.kinds.push_back(Kind::c2c);
      }
    if (parts > 1)
      axes.insert(Plan<double>(input, MPI_COMM_WORLD, options).output().axes() - input.axes());
    for (int round = 0; round < 4; ++round) expect_waves(random, {input, {}, options});
  }
  EXPECT_TRUE(parts == 1 || axes.contains(1)) << "no output in digits was tested";
}

TEST(points, of_an_even_length_have_the_middle_that_numpy_gives_them) {
  Layout const layout = Layout::slab({6, 8}, all());
  Plan<double> const plan(layout, MPI_COMM_WORLD, {.kinds = {Kind::r2c}});
  EXPECT_EQ(plan.wavenumber(0, 2), 2);
  EXPECT_EQ(plan.wavenumber(0, 3), -3);
  EXPECT_EQ(plan.wavenumber(0, 5), -1);
  EXPECT_EQ(plan.wavenumber(1, 4), 4);
  EXPECT_EQ(plan.wavenumber({3, 4}), (PerAxis<double>{-3, 4}));
}

// Boxes and strides.

TEST(points, lie_as_the_layouts_say) {
  Random random(3);
  for (int round = 0; round < ranks::rounds(50) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 4), 200);
    Layout const in = cases::random_layout(random, shape, all());
    Layout const out = cases::random_layout(random, shape, all());
    Plan<double> const plan(in, out, MPI_COMM_WORLD);
    EXPECT_EQ(plan.input_box(), in.box(mine()));
    EXPECT_EQ(plan.output_box(), out.box(mine()));
    EXPECT_EQ(plan.input_strides(), in.strides(mine()));
    EXPECT_EQ(plan.output_strides(), out.strides(mine()));
  }
}

TEST(points, of_padded_rows_lie_where_their_rows_begin) {
  for (Index n : {6, 7}) {
    Layout const layout = Layout::grid({5, 4, n}, {all(), 1, 1}, {}, {1, 0, 2});
    Plan<double> plan(layout, MPI_COMM_WORLD, {.kinds = {Kind::r2c}, .padded = true});
    Index const row = 2 * (n / 2 + 1), planes = layout.local_shape(mine())[0];
    EXPECT_EQ(plan.input_strides(), (Shape{row, row * planes, 1}));
    expect_wave<double, Complex>(plan, {{Kind::c2c, 5, 2}, {Kind::c2c, 4, -1}, {Kind::r2c, n, 2}});
  }
}

// Boxes that each rank knows its own of.

TEST(points, of_gathered_boxes_are_those_of_a_list) {
  Random random(4);
  for (int round = 0; round < 30; ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 4), 200);
    Order const order = cases::random_order(random, shape.size());
    std::vector<Box> const boxes = cases::random_boxes(random, shape, all());
    Layout const gathered = gather_boxes(shape, boxes[at(mine())], MPI_COMM_WORLD, order);
    EXPECT_EQ(gathered, Layout::boxes(shape, boxes, order));
    EXPECT_EQ(gathered.order(), order);
    for (int rank = 0; rank < all(); ++rank)
      EXPECT_TRUE(boxes[at(rank)].empty() || gathered.box(rank) == boxes[at(rank)]);
  }
}

}  // namespace
}  // namespace sixstep
