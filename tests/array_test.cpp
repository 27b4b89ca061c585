// SPDX-License-Identifier: BSD-3-Clause
// Global arrays: every element is a function of its indices, so each result can be told point by
// point, wherever it lies.
#include "sixstep/array.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "cases.hpp"
#include "oracle.hpp"
#include "ranks.hpp"
#include "real_oracle.hpp"
#include "refuses.hpp"

namespace sixstep {
namespace {

using cases::Random;
using Complex = std::complex<double>;

/// A number that no other index has.
Complex value(Shape const& shape, Shape const& point) {
  auto const number = static_cast<double>(oracle::number_of(shape, point));
  return {std::sin(1 + number), std::cos(2 * number)};
}

Layout random_layout(Random& random, Shape const& shape) {
  Layout const layout = cases::random_layout(random, shape, ranks::count());
  if (!random.once_in(4)) return layout;
  Shape before, after;
  for (int axis = 0; axis < shape.size(); ++axis) {
    before.push_back(random.between(Index{0}, Index{2}));
    after.push_back(random.between(Index{0}, Index{2}));
  }
  return layout.with_ghosts(before, after);
}

Array<Complex> filled(Layout const& layout, Ranks const& ranks) {
  Array<Complex> array(layout, ranks);
  array.fill([&](Shape const& point) { return value(layout.shape(), point); });
  return array;
}

/// Whether each element is expected(point), as near as `error`. Looked for by the oracle's ranges.
template <class T, class Expected>
bool holds(Array<T> const& array, Expected const& expected, double error = 0) {
  LocalView<T const> const here = array.local();
  bool right = true;
  oracle::for_each_point(array.layout().box(ranks::rank()), [&](Shape const& point) {
    right = right && std::abs(here[point] - T(expected(point))) <= error;
  });
  return ranks::everywhere(right);
}

Shape permuted(Shape const& shape, Order const& axes) {
  Shape other;
  for (int axis : axes) other.push_back(shape[axis]);
  return other;
}

/// The point of the operand which `point` of its transpose is.
Shape original(Shape const& point, Order const& axes) {
  Shape other(point.size(), 0);
  for (int a = 0; a < axes.size(); ++a) other[axes[a]] = point[a];
  return other;
}

TEST(array, goes_to_any_layout_by_assignment) {
  Ranks const all(MPI_COMM_WORLD);
  Random random(1);
  for (int round = 0; round < ranks::rounds(40) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 4), 400);
    Array<Complex> const a = filled(random_layout(random, shape), all);
    Array<Complex> b(random_layout(random, shape), all), c, d(random_layout(random, shape), all);
    b = a;
    c = b;
    EXPECT_TRUE(c.layout() == b.layout());
    d = std::move(b);
    for (Array<Complex> const* one : {&a, &std::as_const(c), &std::as_const(d)})
      EXPECT_TRUE(holds(*one, [&](Shape const& i) { return value(shape, i); }))
          << a.layout().describe() << "\n"
          << d.layout().describe();
  }
}

TEST(array, is_transposed_by_any_permutation_into_any_layout) {
  Ranks const all(MPI_COMM_WORLD);
  Random random(2);
  for (int round = 0; round < ranks::rounds(40) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 4), 400);
    Order const axes = cases::random_order(random, shape.size());
    Array<Complex> a = filled(random_layout(random, shape), all);
    Array<Complex> b(random_layout(random, permuted(shape, axes)), all);
    auto const expected = [&](Shape const& i) { return value(shape, original(i, axes)); };
    b = transpose(a, axes);
    Array const relabelled(transpose(a, axes));
    EXPECT_TRUE(holds(b, expected)) << a.layout().describe() << "\n" << b.layout().describe();
    EXPECT_TRUE(holds(relabelled, expected)) << relabelled.layout().describe();
    EXPECT_TRUE(holds(a, [&](Shape const& i) { return value(shape, i); }));
    b = Complex(0);
    b = transpose(std::move(a), axes);
    EXPECT_TRUE(holds(b, expected));
  }
}

TEST(array, is_computed_with_where_the_target_lies) {
  Ranks const all(MPI_COMM_WORLD);
  Random random(3);
  for (int round = 0; round < ranks::rounds(40) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 3), 300);
    auto const at = [&](Shape const& i) { return value(shape, i); };
    Array<Complex> const a = filled(random_layout(random, shape), all);
    Array<Complex> b(random_layout(random, shape), all);
    b = 2 * a + conj(a) / 4 - 1;
    EXPECT_TRUE(holds(
        b, [&](Shape const& i) { return 2.0 * at(i) + std::conj(at(i)) / 4.0 - 1.0; }, 1e-14));
    Array<Complex> c(random_layout(random, shape), all);
    c = b * a - map([](Complex x, Complex y) { return x / (y + 3.0); }, a, b);
    EXPECT_TRUE(holds(
        c,
        [&](Shape const& i) {
          Complex const y = 2.0 * at(i) + std::conj(at(i)) / 4.0 - 1.0;
          return y * at(i) - at(i) / (y + 3.0);
        },
        1e-13));
    c = a;
    c *= -c;
    EXPECT_TRUE(holds(
        c, [&](Shape const& i) { return -at(i) * at(i); }, 1e-14));
    Array<double> const r = abs(a) + real(a) * imag(a);
    EXPECT_TRUE(r.layout() == a.layout());
    EXPECT_TRUE(holds(
        r, [&](Shape const& i) { return std::abs(at(i)) + at(i).real() * at(i).imag(); }, 1e-14));
    Array<float> single = as<float>(r);
    single = 2 * single;
    EXPECT_TRUE(holds(
        single,
        [&](Shape const& i) {
          return static_cast<float>(2 * (std::abs(at(i)) + at(i).real() * at(i).imag()));
        },
        1e-6));
  }
}

/// All elements of an array that is a function of its indices, in C order.
std::vector<oracle::Exact> exact(Shape const& shape) {
  std::vector<oracle::Exact> all;
  oracle::for_each_point(shape, [&](Shape const& i) { all.emplace_back(value(shape, i)); });
  return all;
}

TEST(array, is_transformed_from_any_layout_to_any) {
  Ranks const all(MPI_COMM_WORLD);
  Random random(4);
  for (int round = 0; round < ranks::rounds(40) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 3), 300);
    std::vector<int> axes = cases::random_axes(random, shape.size());
    if (axes.empty()) axes = {0};
    Order const names = cases::random_order(random, shape.size());
    Shape const other = permuted(shape, names);
    std::vector<oracle::Exact> spectrum = exact(shape);
    double points = 1;
    for (int axis : axes) {
      oracle::transform(spectrum, shape, axis, -1);
      points *= static_cast<double>(shape[axis]);
    }
    auto const coefficient = [&](Shape const& k) {
      return Complex(spectrum[oracle::at(oracle::number_of(shape, k))]);
    };
    Array<Complex> const a = filled(random_layout(random, shape), all);
    Array<Complex> b(random_layout(random, shape), all), c(random_layout(random, other), all);
    std::vector<int> from_behind = axes;
    for (int& axis : from_behind) axis -= shape.size();
    b = fftn(a, from_behind);
    EXPECT_TRUE(holds(b, coefficient, 1e-12)) << a.layout().describe() << b.layout().describe();
    c = transpose(fftn(a, axes, Norm::ortho), names);
    EXPECT_TRUE(holds(
        c, [&](Shape const& k) { return coefficient(original(k, names)) / std::sqrt(points); },
        1e-12));
    // The same axes under their new names.
    std::vector<int> renamed;
    for (int axis : axes)
      renamed.push_back(
          static_cast<int>(std::find(names.begin(), names.end(), axis) - names.begin()));
    c = fftn(transpose(a, names), renamed);
    EXPECT_TRUE(holds(
        c, [&](Shape const& k) { return coefficient(original(k, names)); }, 1e-12));
    b = b - fftn(1 * a, axes);
    EXPECT_LE(max_norm(b), 1e-12);
    Array back(ifftn(fftn(a, axes), axes));
    EXPECT_TRUE(holds(
        back, [&](Shape const& i) { return value(shape, i); }, 1e-13));
    back = ifftn(std::move(back), axes, Norm::forward);
    back = fftn(back, axes, Norm::forward);
    EXPECT_TRUE(holds(
        back, [&](Shape const& i) { return value(shape, i); }, 1e-13));
  }
}

/// exp(sign 2 pi i j k / n).
Complex root(Index j, Index k, Index n, int sign) {
  long double const angle =
      oracle::turn * static_cast<long double>(j * k % n) / static_cast<long double>(n);
  return Complex(oracle::Exact(std::cos(angle), static_cast<long double>(sign) * std::sin(angle)));
}

TEST(array, is_twiddled_as_it_is_transformed) {
  Ranks const all(MPI_COMM_WORLD);
  Random random(8);
  for (int round = 0; round < ranks::rounds(40) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(2, 3), 400);
    Order const names = cases::random_order(random, shape.size());
    int const axis = names[0], other = names[1];
    Array<Complex> const a = filled(random_layout(random, shape), all);
    Array<Complex> b(random_layout(random, shape), all),
        c(random_layout(random, permuted(shape, names)), all);
    Index const n = shape[axis] * shape[other];
    for (int sign : {-1, +1}) {
      std::vector<oracle::Exact> spectrum = exact(shape);
      oracle::transform(spectrum, shape, axis, sign);
      auto const coefficient = [&](Shape const& k) {
        return Complex(spectrum[oracle::at(oracle::number_of(shape, k))]) *
               root(k[other], k[axis], n, sign);
      };
      if (sign < 0) {
        b = fft(a, axis).twiddled(other);
        c = transpose(fft(a, axis), names).twiddled(1);
      } else {
        b = ifft(a, axis, Norm::forward).twiddled(other);
        c = transpose(ifft(a, axis, Norm::forward).twiddled(other), names);
      }
      EXPECT_TRUE(holds(b, coefficient, 1e-12)) << a.layout().describe() << b.layout().describe();
      EXPECT_TRUE(holds(
          c, [&](Shape const& k) { return coefficient(original(k, names)); }, 1e-12));
    }
  }
}

TEST(array, goes_through_the_six_steps_of_a_long_transform) {
  Ranks const all(MPI_COMM_WORLD);
  for (Shape const& shape : {Shape{8, 9}, Shape{1, 30}, Shape{30, 1}, Shape{37, 5}}) {
    Index const points = shape[0] * shape[1];
    std::vector<oracle::Exact> spectrum = exact(shape);
    oracle::transform(spectrum, {points}, 0, -1);
    Array<Complex> const x = filled(Layout::slab(shape, ranks::count()), all);
    Array<Complex> work(Layout::slab({shape[1], shape[0]}, ranks::count()), all), X(work);
    work = fft(transpose(x)).twiddled(0);
    X = transpose(fft(transpose(work)));
    EXPECT_TRUE(holds(
        X,
        [&](Shape const& k) {
          return Complex(spectrum[oracle::at(oracle::number_of(X.shape(), k))]);
        },
        1e-12));
  }
}

TEST(array, of_reals_has_half_as_many_coefficients) {
  Ranks const all(MPI_COMM_WORLD);
  Random random(5);
  for (int round = 0; round < ranks::rounds(40) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 3), 300);
    std::vector<oracle::Exact> spectrum;
    oracle::for_each_point(shape,
                           [&](Shape const& i) { spectrum.emplace_back(value(shape, i).real()); });
    for (int axis = 0; axis < shape.size(); ++axis) oracle::transform(spectrum, shape, axis, -1);
    Array<double> r(random_layout(random, shape), all), back(random_layout(random, shape), all);
    r.fill([&](Shape const& i) { return value(shape, i).real(); });
    Array half(rfftn(r));
    EXPECT_EQ(half.shape()[shape.size() - 1], shape[shape.size() - 1] / 2 + 1);
    auto const coefficient = [&](Shape const& k) {
      return Complex(spectrum[oracle::at(oracle::number_of(shape, k))]);
    };
    EXPECT_TRUE(holds(half, coefficient, 1e-12)) << r.layout().describe();
    Array<Complex> elsewhere(random_layout(random, half.shape()), all);
    elsewhere = rfftn(r);
    EXPECT_TRUE(holds(elsewhere, coefficient, 1e-12)) << elsewhere.layout().describe();
    back = irfftn(elsewhere, shape[shape.size() - 1]);
    EXPECT_LE(max_norm(back - r), 1e-13);
    // The derivative along the first axis, of waves that the points can tell apart.
    for_each_wave(half, shape, [&](Shape const& wave, Complex& x) {
      EXPECT_LE(2 * std::abs(wave[0]), shape[0]);
      x *= Complex(0, 2 * wave[0] == -shape[0] ? 0.0 : static_cast<double>(wave[0]));
    });
    EXPECT_TRUE(holds(
        half,
        [&](Shape const& k) {
          Index const w = k[0] < (shape[0] + 1) / 2 || shape.size() == 1 ? k[0] : k[0] - shape[0];
          return coefficient(k) * Complex(0, 2 * w == -shape[0] ? 0.0 : static_cast<double>(w));
        },
        1e-10));
    Array<double> cosines(transform(r, Kind::dct2));
    back = inverse_transform(cosines, Kind::dct2);
    EXPECT_LE(max_norm(back - r), 1e-13);
  }
}

TEST(array, of_complex_numbers_has_real_and_imaginary_parts_transformed_by_cosines_and_sines) {
  Ranks const all(MPI_COMM_WORLD);
  Random random(15);
  for (int round = 0; round < ranks::rounds(40) && !ranks::failed_anywhere(); ++round) {
    Shape shape = cases::random_shape(random, random.between(1, 3), 200);
    for (Index& extent : shape) extent = std::max<Index>(2, extent);
    std::vector<int> const axes = cases::random_axes(random, shape.size());
    auto const kind = static_cast<Kind>(
        random.between(static_cast<int>(Kind::dct1), static_cast<int>(Kind::dst4)));
    Array<Complex> const a = filled(random_layout(random, shape), all);
    oracle::Kinds kinds;
    for (int axis = 0; axis < shape.size(); ++axis)
      if (axes.empty() || std::find(axes.begin(), axes.end(), axis) != axes.end())
        kinds.emplace_back(axis, kind);
    oracle::Whole const expected = oracle::forward({shape, exact(shape)}, kinds);
    auto const coefficient = [&](Shape const& k) {
      return Complex(expected.values[oracle::at(oracle::number_of(shape, k))]);
    };
    Array<Complex> b(random_layout(random, shape), all), c(random_layout(random, shape), all);
    b = transform(a, kind, axes);
    EXPECT_TRUE(holds(b, coefficient, 1e-11)) << to_string(kind) << " " << a.layout().describe();
    c = inverse_transform(b, kind, axes);
    EXPECT_LE(max_norm(c - a), 1e-12);
    b = a;
    b = transform(b, kind, axes);  // in place
    EXPECT_TRUE(holds(b, coefficient, 1e-11)) << to_string(kind) << " " << b.layout().describe();
    b = inverse_transform(std::move(b), kind, axes);
    EXPECT_LE(max_norm(b - a), 1e-12);
    Array<std::complex<float>> d(random_layout(random, shape), all);
    d = transform(as<std::complex<float>>(a), kind, axes);
    EXPECT_TRUE(holds(d, coefficient, 1e-3)) << to_string(kind) << " " << d.layout().describe();
  }
}

TEST(array, is_summed_up_without_its_ghosts) {
  Ranks const all(MPI_COMM_WORLD);
  Random random(6);
  for (int round = 0; round < ranks::rounds(40) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 3), 20'000);
    Array<Complex> a(random_layout(random, shape), all);
    a = Complex(1e6, 1e6);  // ghosts too
    Array<Index> numbers(random_layout(random, shape), all);
    a.fill([&](Shape const& i) { return value(shape, i); });
    numbers.fill([&](Shape const& i) { return oracle::number_of(shape, i); });
    std::complex<long double> total = 0;
    long double squares = 0, most = 0;
    for (oracle::Exact const& x : exact(shape)) {
      total += x;
      squares += std::norm(x);
      most = std::max(most, std::abs(x));
    }
    EXPECT_LE(std::abs(sum(a) - Complex(total)), 1e-11);
    EXPECT_NEAR(two_norm(a), static_cast<double>(std::sqrt(squares)), 1e-11);
    EXPECT_NEAR(max_norm(a), static_cast<double>(most), 1e-15);
    EXPECT_LE(std::abs(dot(a, a) - Complex(static_cast<double>(squares))), 1e-10);
    Index const points = oracle::points_of(shape);
    EXPECT_EQ(sum(numbers), points * (points - 1) / 2);
    EXPECT_EQ(max(numbers), points - 1);
    EXPECT_EQ(min(numbers + 1), 1);
  }
}

/// A number of any magnitude that float has, which depends on the point alone.
template <class T>
T wide_value(Shape const& shape, Shape const& point, int seed) {
  auto const number = static_cast<double>(oracle::number_of(shape, point) + seed);
  auto const real = [&](double x) {
    using Real = typename RealOf<T>::type;
    double const size = std::exp2(std::fmod(37 * x, 97) - 48);
    return static_cast<Real>(std::sin(1 + x) * size);
  };
  if constexpr (is_complex<T>)
    return {real(number), real(number + 0.5)};
  else
    return real(number);
}

/// The sums of two arrays on some ranks.
template <class T>
std::vector<std::complex<double>> sums_on(Ranks const& ranks, Layout const& one,
                                          Layout const& other) {
  Array<T> a(one, ranks), b(other, ranks);
  a = T(3);  // ghosts too
  a.fill([&](Shape const& i) { return wide_value<T>(one.shape(), i, 0); });
  b.fill([&](Shape const& i) { return wide_value<T>(one.shape(), i, 7); });
  return {sum(a), sum(2 * a + b), dot(a, b), dot(b, a), two_norm(a), max_norm(b)};
}

template <class T>
void check_sums(Random& random, Ranks const& all, Ranks const& alone) {
  Shape const shape = cases::random_shape(random, random.between(1, 3), 5'000);
  Layout const one = random_layout(random, shape), other = random_layout(random, shape);
  auto const here = sums_on<T>(all, one, other);
  auto const expected = sums_on<T>(alone, Layout::slab(shape, 1), Layout::slab(shape, 1));
  for (std::size_t i = 0; i < here.size(); ++i) {
    EXPECT_EQ(here[i], expected[i]) << i << " " << one.describe() << "\n" << other.describe();
    EXPECT_EQ(std::signbit(here[i].imag()), std::signbit(expected[i].imag())) << i;
  }
}

TEST(array, has_sums_with_the_same_bits_on_any_ranks_in_any_layout) {
  Ranks const all(MPI_COMM_WORLD), alone(MPI_COMM_SELF);
  Random random(16);
  for (int round = 0; round < ranks::rounds(40) && !ranks::failed_anywhere(); ++round) {
    check_sums<double>(random, all, alone);
    check_sums<float>(random, all, alone);
    check_sums<Complex>(random, all, alone);
    check_sums<std::complex<float>>(random, all, alone);
  }
}

TEST(array, has_a_sum_beside_which_all_else_cancels) {
  Ranks const all(MPI_COMM_WORLD);
  Shape const shape{40, 30};
  Array<double> a(Layout::slab(shape, all.size()), all);
  double const most = std::numeric_limits<double>::max();
  a.fill([&](Shape const& i) { return i[1] % 2 == 0 ? most : -most; });
  EXPECT_EQ(sum(a), 0);
  a.fill([&](Shape const& i) {
    return oracle::number_of(shape, i) == 17 ? 1e-300
           : i[0] == 0                       ? 0
                                             : (i[1] % 2 == 0 ? 1e300 : -1e300);
  });
  EXPECT_EQ(sum(a), 1e-300);
  a.fill(
      [&](Shape const& i) { return i[0] == 39 ? std::numeric_limits<double>::infinity() : -most; });
  EXPECT_EQ(sum(a), std::numeric_limits<double>::infinity());
  a = -0.0;
  EXPECT_FALSE(std::signbit(sum(a)));
}

TEST(array, with_an_element_that_is_no_number_has_no_largest_one) {
  Ranks const all(MPI_COMM_WORLD);
  Shape const shape{5, 4};
  Array<double> a(Layout::slab(shape, all.size()), all);
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for (Index const strange : {0, 7, 19}) {
    a.fill([&](Shape const& i) { return oracle::number_of(shape, i) == strange ? nan : 1.0; });
    EXPECT_TRUE(std::isnan(max(a))) << strange;
    EXPECT_TRUE(std::isnan(min(a))) << strange;
    EXPECT_TRUE(std::isnan(sum(a))) << strange;
    EXPECT_TRUE(std::isnan(two_norm(a))) << strange;
  }
}

TEST(array, has_a_largest_element_of_any_size_and_a_zero_of_either_sign) {
  Ranks const all(MPI_COMM_WORLD);
  Shape const shape{5, 4};
  Array<double> a(Layout::slab(shape, all.size()), all);
  double const infinity = std::numeric_limits<double>::infinity();
  for (double const value : {-infinity, -1e308, -1e-320, -0.0, 0.0, 1e-320, 1e308, infinity}) {
    a = value;
    EXPECT_EQ(max(a), value);
    EXPECT_EQ(min(a), value);
    EXPECT_EQ(std::signbit(max(a)), std::signbit(value));
  }
  for (Index const first : {0, 1}) {
    a.fill([&](Shape const& i) { return (i[0] + first) % 2 == 0 ? 0.0 : -0.0; });
    EXPECT_FALSE(std::signbit(max(a)));
    EXPECT_TRUE(std::signbit(min(a)));
  }
}

TEST(array, has_its_ghosts_from_those_who_have_the_points) {
  Ranks const all(MPI_COMM_WORLD);
  Random random(9);
  for (int round = 0; round < ranks::rounds(100) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 3), 200);
    Layout layout = cases::random_layout(random, shape, ranks::count());
    PerAxis<Boundary> boundaries;
    Shape before, after;
    for (int axis = 0; axis < shape.size(); ++axis) {
      boundaries.push_back(random.once_in(2) ? Boundary::periodic : Boundary::open);
      bool const cyclic = layout.distribution()[axis] == Distribution::cyclic;
      before.push_back(cyclic ? 0 : random.between(Index{0}, Index{4}));
      after.push_back(cyclic ? 0 : random.between(Index{0}, Index{4}));
    }
    layout = layout.with_ghosts(before, after);
    Array<Complex> a(layout, all);
    Complex const untouched(7, 7);
    a = untouched;
    a.fill([&](Shape const& i) { return value(shape, i); });
    update_ghosts(a, boundaries);
    LocalView<Complex> const here = a.local();
    Box surroundings = here.box();
    bool right = true;
    for (int axis = 0; axis < shape.size() && !here.box().empty(); ++axis) {
      Range& range = surroundings.ranges[axis];
      if (before[axis] + after[axis] > 0) range = {range.lo - before[axis], range.hi + after[axis]};
    }
    oracle::for_each_point(surroundings, [&](Shape const& point) {
      Shape image = point;
      bool is_there = true;
      for (int axis = 0; axis < shape.size(); ++axis) {
        Index const n = shape[axis];
        bool const outside = point[axis] < 0 || point[axis] >= n;
        is_there = is_there && !(outside && boundaries[axis] == Boundary::open);
        image[axis] = ((point[axis] % n) + n) % n;
      }
      right = right && here[point] == (is_there ? value(shape, image) : untouched);
    });
    EXPECT_TRUE(ranks::everywhere(right)) << layout.describe();
  }
}

TEST(array, is_read_by_global_index) {
  Ranks const all(MPI_COMM_WORLD);
  Random random(7);
  for (int round = 0; round < ranks::rounds(40) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 3), 300);
    Array<Complex> const a = filled(random_layout(random, shape), all);
    Shape point;
    Box box;
    for (Index n : shape) {
      point.push_back(random.between(Index{0}, n - 1));
      Index const lo = random.between(Index{0}, n - 1);
      box.ranges.push_back({lo, random.between(lo + 1, n), random.between(Index{1}, Index{3})});
    }
    EXPECT_EQ(a.at(point), value(shape, point));
    Array<Complex> const some = a.slice(box);
    EXPECT_TRUE(holds(some,
                      [&](Shape const& i) {
                        Shape whole;
                        for (int axis = 0; axis < i.size(); ++axis)
                          whole.push_back(box.ranges[axis].lo + i[axis] * box.ranges[axis].step);
                        return value(shape, whole);
                      }))
        << to_string(box) << " of " << a.layout().describe();
    Array<Complex> const turned(transpose(a));
    std::reverse(box.ranges.begin(), box.ranges.end());
    EXPECT_TRUE(holds(turned.slice(box),
                      [&](Shape const& i) {
                        Shape whole(i.size(), 0);
                        for (int axis = 0; axis < i.size(); ++axis)
                          whole[i.size() - 1 - axis] =
                              box.ranges[axis].lo + i[axis] * box.ranges[axis].step;
                        return value(shape, whole);
                      }))
        << to_string(box) << " of " << turned.layout().describe();
    std::vector<Complex> everything = a.gather();
    ASSERT_EQ(static_cast<Index>(everything.size()), oracle::points_of(shape));
    oracle::for_each_point(shape, [&](Shape const& i) {
      EXPECT_EQ(everything[oracle::at(oracle::number_of(shape, i))], value(shape, i));
    });
    int const root = random.between(0, ranks::count() - 1);
    EXPECT_EQ(a.gather(root).size(), ranks::rank() == root ? everything.size() : 0);
    Array<Complex> b(random_layout(random, shape), all);
    if (ranks::rank() != root) everything.clear();
    b.scatter(everything, root);
    EXPECT_TRUE(holds(b, [&](Shape const& i) { return value(shape, i); }));
  }
}

TEST(array, lies_in_memory_of_the_program_too) {
  Ranks const all(MPI_COMM_WORLD);
  Layout const layout = Layout::slab({9, 5}, ranks::count());
  std::shared_ptr<Complex[]> const memory(
      new Complex[oracle::at(layout.array_size(ranks::rank()) + 1)]);
  Array<Complex> a(layout, all, memory);
  a.fill([&](Shape const& i) { return value({9, 5}, i); });
  EXPECT_EQ(a.data(), memory.get());
  Array<Complex> b(Layout::slab({5, 9}, ranks::count()), all);
  b = transpose(a);
  EXPECT_TRUE(holds(b, [&](Shape const& i) { return value({9, 5}, {i[1], i[0]}); }));
}

TEST(array, refuses_what_does_not_fit) {
  Ranks const all(MPI_COMM_WORLD);
  Array<double> a(Shape{4, 6}, all), b(Shape{6, 4}, all), none;
  std::vector<std::string> const messages = {
      message_of([&] { a = b; }),
      message_of([&] { a = a + b; }),
      message_of([&] { a = transpose(a); }),
      message_of([&] { Array<double>(Layout::slab({4}, all.size() + 1), all); }),
      message_of([&] {
        Array<double>(Shape{4, 0}, all);
      }),
      message_of([&] { static_cast<void>(sum(none)); }),
      message_of([&] {
        static_cast<void>(a.at({4, 0}));
      }),
      message_of([&] {
        static_cast<void>(a.slice({{{0, 7}, {0, 6}}}));
      }),
      message_of([&] { static_cast<void>(a.gather(all.size())); }),
      message_of([&] { a.scatter(std::vector<double>(23)); }),
      message_of([&] {
        transpose(a, {0, 0});
      }),
      message_of([&] { rfft(a, 2); }),
      message_of([&] { irfft(as<Complex>(a), 9); }),
      message_of([&] { transform(a, Kind::r2c); }),
      message_of([&] { transform(Array<Complex>(Shape(8, 2), all), Kind::dct2); }),
      message_of([&] { update_ghosts(a, PerAxis<Boundary>{Boundary::open}); }),
      message_of([&] {
        Layout const cyclic = Layout::grid({9}, {all.size()}, {Distribution::cyclic});
        Array<double> c(cyclic.with_ghosts({1}, {1}), all);
        update_ghosts(c, Boundary::periodic);
        if (all.size() == 1) throw Error("cyclic");  // which is no cycle on one rank
      }),
      message_of([&] { static_cast<void>(fft(a).twiddled(2)); }),
      message_of([&] { Array const c(fft(a).twiddled(1)); }),
      message_of([&] { Array const c(fftn(a).twiddled(1)); })};
  std::vector<std::string> const needed = {"4 x 6",
                                           "4 x 6",
                                           "4 x 6",
                                           text("the ", all.size(), " ranks"),
                                           "4 x 0",
                                           "it is empty",
                                           "axis 0 are 0 to 3",
                                           "0 to 3",
                                           "root",
                                           "24 elements",
                                           "axes",
                                           "2 was given",
                                           "10 or 11",
                                           "r2c",
                                           "at most 7 axes",
                                           "2 are needed",
                                           "cyclic",
                                           "0 to 1",
                                           "not transformed",
                                           "a single c2c axis"};
  for (std::size_t i = 0; i < messages.size(); ++i)
    EXPECT_NE(messages[i].find(needed[i]), std::string::npos) << i << ": " << messages[i];
  EXPECT_FALSE(none);
}

/// What ranks do of which the last goes wrong, and a part of the message that all then get.
struct Mistake {
  char const* words;
  std::function<void(bool is_wrong)> action;
};

/// All ranks get the same message, and are in step afterwards.
void expect_all_refuse(std::vector<Mistake> const& mistakes, Array<double> const& a) {
  double const points = sum(map([](double) { return 1.0; }, a));
  for (Mistake const& mistake : mistakes) {
    std::string const message =
        message_of([&] { mistake.action(ranks::rank() == ranks::count() - 1); });
    EXPECT_NE(message.find(mistake.words), std::string::npos) << mistake.words << ": " << message;
    for (std::string const& other : ranks::gather(message)) EXPECT_EQ(other, message);
    EXPECT_EQ(sum(map([](double) { return 1.0; }, a)), points) << mistake.words;
  }
}

TEST(array, is_refused_on_every_rank_if_it_is_on_one) {
  Ranks const all(MPI_COMM_WORLD);
  int const size = all.size();
  Array<double> a(Shape{4, 6}, all), b(Shape{6, 4}, all), d(Layout::slab({4, 6}, size, 1), all);
  Array<Complex> c(Shape{4, 6}, all), half(Shape{4, 4}, all);
  std::vector<double> const elements(24);
  PerAxis<Boundary> const one(1, Boundary::open), two(2, Boundary::open);
  expect_all_refuse(
      {{"4 x 0",
        [&](bool is_wrong) {
          Array<double>(is_wrong ? Shape{4, 0} : Shape{4, 6}, all);
        }},
       {"-1",
        [&](bool is_wrong) {
          Array<double>(is_wrong ? Shape{4, -1} : Shape{4, 6}, all);
        }},
       {"layout: a layout for the",
        [&](bool is_wrong) { Array<double>(Layout::slab({4}, size + (is_wrong ? 1 : 0)), all); }},
       {"4 x 6 is needed", [&](bool is_wrong) { d = is_wrong ? transpose(a) : View(a); }},
       {"operands: ", [&](bool is_wrong) { Array const e(a + (is_wrong ? b : a)); }},
       {"axes",
        [&](bool is_wrong) {
          b = transpose(a, is_wrong ? Order{0, 0} : Order{1, 0});
        }},
       {"axes",
        [&](bool is_wrong) {
          c = transpose(fft(b), {1, is_wrong ? 1 : 0});
        }},
       {"axis 0 are 0 to 3",
        [&](bool is_wrong) {
          a.at({is_wrong ? 4 : 0, 0});
        }},
       {"point: 2 indices",
        [&](bool is_wrong) {
          a.at(is_wrong ? Shape{0} : Shape{0, 0});
        }},
       {"box: ",
        [&](bool is_wrong) {
          a.slice({{{0, is_wrong ? 7 : 4}, {0, 6}}});
        }},
       {"root: ", [&](bool is_wrong) { a.gather(is_wrong ? size : 0); }},
       {"root: ", [&](bool is_wrong) { a.scatter(elements, is_wrong ? -1 : 0); }},
       {"axes: ", [&](bool is_wrong) { c = fft(a, is_wrong ? 2 : 1); }},
       {"n: ", [&](bool is_wrong) { a = irfft(half, is_wrong ? 9 : 6); }},
       {"kind: ", [&](bool is_wrong) { a = transform(a, is_wrong ? Kind::r2c : Kind::dct2); }},
       {"axis: 0 to 1", [&](bool is_wrong) { c = fft(a, 0).twiddled(is_wrong ? 2 : 1); }},
       {"from: a rank", [&](bool is_wrong) { all.broadcast(nullptr, 0, is_wrong ? size : 0); }}},
      a);
}

TEST(array, has_arguments_that_are_the_same_on_all_ranks) {
  if (ranks::count() == 1) return;
  Ranks const all(MPI_COMM_WORLD);
  Array<double> a(Shape{4, 6}, all), b(Layout::slab({4, 6}, all.size(), 1), all);
  Array<Complex> c(Shape{4, 6}, all);
  Array<double> around(a.layout().with_ghosts({1, 1}, {1, 1}), all);
  // Both calls are kept already, so neither of them plans.
  for (int axis : {0, 1}) c = fft(a, axis);
  for (Boundary boundary : {Boundary::open, Boundary::periodic}) update_ghosts(around, boundary);
  std::vector<char> bytes(8 * static_cast<std::size_t>(all.size()));
  expect_all_refuse(
      {{"axes: all ranks", [&](bool is_wrong) { c = fft(a, is_wrong ? 1 : 0); }},
       {"kinds: all ranks",
        [&](bool is_wrong) { a = transform(a, is_wrong ? Kind::dct2 : Kind::dst2); }},
       {"twiddle: all ranks", [&](bool is_wrong) { c = fft(a, 0).twiddled(is_wrong ? 0 : 1); }},
       {"boundaries: all ranks must give the same; ['periodic', 'periodic'] was given on rank",
        [&](bool is_wrong) {
          update_ghosts(around, is_wrong ? Boundary::open : Boundary::periodic);
        }},
       {"boundaries: all ranks",
        [&](bool is_wrong) {
          update_ghosts(around, PerAxis<Boundary>(is_wrong ? 1 : 2, Boundary::open));
        }},
       {"at: all ranks",
        [&](bool is_wrong) {
          a.at({0, is_wrong ? 1 : 0});
        }},
       {"slice: all ranks",
        [&](bool is_wrong) {
          a.slice({{{0, 2}, {is_wrong ? 1 : 0, 6}}});
        }},
       {"gather: all ranks", [&](bool is_wrong) { a.gather(is_wrong ? 1 : 0); }},
       {"scatter: all ranks",
        [&](bool is_wrong) { a.scatter(std::vector<double>(24), is_wrong ? 1 : 0); }},
       {"to: all ranks",
        [&](bool is_wrong) {
          Layout const cyclic =
              Layout::grid({4, 6}, {all.size(), 1}, {Distribution::cyclic, Distribution::block});
          Array<double> blocks(Shape{4, 6}, all), others(cyclic, all);
          (is_wrong ? blocks : others) = b;
        }},
       {"layout: all ranks",
        [&](bool is_wrong) { Array<double>(is_wrong ? Shape{4} : Shape{5}, all); }},
       {"bytes of an element: all ranks",
        [&](bool is_wrong) {
          if (is_wrong)
            Array<float>(Shape{4}, all);
          else
            Array<double>(Shape{4}, all);
        }},
       {"call: all ranks must give the same; sum of reals was given on rank",
        [&](bool is_wrong) { is_wrong ? max(a) : sum(a); }},
       {"call: all ranks",
        [&](bool is_wrong) {
          is_wrong ? a.at({0, 0}) : sum(a);
        }},
       {"from: all ranks",
        [&](bool is_wrong) { all.broadcast(bytes.data(), 8, is_wrong ? 1 : 0); }},
       {"bytes: all ranks",
        [&](bool is_wrong) { all.gather_to_all(bytes.data(), bytes.data(), is_wrong ? 1 : 2); }}},
      a);
}

TEST(array, keeps_plans_and_memory_in_a_loop) {
  Ranks const all(MPI_COMM_WORLD);
  Array<Complex> a = filled(Layout::slab({12, 10}, ranks::count()), all);
  Array<Complex> b(Layout::slab({10, 12}, ranks::count()), all);
  Plan<double>* first = nullptr;
  for (int round = 0; round < 40; ++round) {
    b = fft(transpose(a), 0);
    Plan<double>& plan = all.plan<double>(a.layout().transposed({1, 0}), b.layout(),
                                          {.axes = {0}, .kinds = {Kind::c2c}});
    if (!first) first = &plan;
    EXPECT_EQ(first, &plan);
    a = transpose(ifft(b, 0));
  }
  EXPECT_TRUE(holds(
      a,
      [&](Shape const& i) {
        return value({12, 10}, i);
      },
      1e-12));
}

}  // namespace
}  // namespace sixstep
