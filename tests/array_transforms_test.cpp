// SPDX-License-Identifier: BSD-3-Clause
// Transforms of global arrays: from any layout to any, twiddled, of reals, and by cosines and
// sines.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include "array_cases.hpp"
#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "oracles/kinds.hpp"
#include "ranks.hpp"
#include "sixstep/array.hpp"

namespace sixstep {
namespace {

using namespace array_cases;

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

}  // namespace
}  // namespace sixstep
