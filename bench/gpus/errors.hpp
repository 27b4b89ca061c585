// SPDX-License-Identifier: BSD-3-Clause
// Errors of transforms, against transforms in long double of an input that is a product of three
// functions of one index each, so that three transforms of one axis by their definition suffice.
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <type_traits>
#include <vector>

#include "gpus/whole.hpp"

namespace sixstep::bench {

/// An input of the shape n0 x n1 x n2, and its transform.
class ProductInput {
 public:
  using Exact = std::complex<long double>;

  ProductInput(Shape const& shape, bool has_reals) {
    for (int axis = 0; axis < 3; ++axis) {
      auto const n = static_cast<std::size_t>(axis < shape.size() ? shape[axis] : 1);
      std::vector<float> drawn = reals_without_pattern<float>(static_cast<Index>(2 * n),
                                                              static_cast<std::uint64_t>(axis) + 2);
      // Multiples of 1/64, so that products of three are exact in either precision.
      for (float& value : drawn) value = std::round(64 * value) / 64;
      std::vector<Exact>& points = points_[static_cast<std::size_t>(axis)];
      for (std::size_t i = 0; i < n; ++i)
        points.emplace_back(drawn[i], has_reals ? 0 : drawn[n + i]);
      waves_[static_cast<std::size_t>(axis)] = transformed(points);
    }
    if (has_reals) {
      std::vector<Exact>& last = waves_[static_cast<std::size_t>(shape.size() - 1)];
      last.resize(last.size() / 2 + 1);
    }
  }

  /// The points, in the order of C: complex numbers, or reals.
  template <class Number>
  std::vector<Number> points() const {
    std::vector<Number> made;
    for_each(points_, [&](Exact const& value) {
      if constexpr (std::is_floating_point_v<Number>)
        made.push_back(static_cast<Number>(value.real()));
      else
        made.emplace_back(static_cast<typename Number::value_type>(value.real()),
                          static_cast<typename Number::value_type>(value.imag()));
    });
    return made;
  }

  /// The error of a transform's coefficients, by their root of mean squares.
  template <class Real>
  double error(std::vector<std::complex<Real>> const& found) const {
    long double errors = 0, all = 0;
    std::size_t i = 0;
    for_each(waves_, [&](Exact const& value) {
      errors += std::norm(Exact(found[i].real(), found[i].imag()) - value);
      all += std::norm(value);
      ++i;
    });
    return static_cast<double>(std::sqrt(errors / all));
  }

 private:
  using Axes = std::array<std::vector<Exact>, 3>;

  template <class Use>
  static void for_each(Axes const& axes, Use const& use) {
    for (Exact const& a : axes[0])
      for (Exact const& b : axes[1]) {
        Exact const ab = a * b;
        for (Exact const& c : axes[2]) use(ab * c);
      }
  }

  static std::vector<Exact> transformed(std::vector<Exact> const& points) {
    std::size_t const n = points.size();
    std::vector<Exact> roots(n), made(n);
    for (std::size_t k = 0; k < n; ++k)
      roots[k] = std::polar(1.0L, -2 * std::numbers::pi_v<long double> *
                                      static_cast<long double>(k) / static_cast<long double>(n));
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) made[k] += points[j] * roots[j * k % n];
    return made;
  }

  Axes points_, waves_;
};

}  // namespace sixstep::bench
