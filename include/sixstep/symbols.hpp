// SPDX-License-Identifier: BSD-3-Clause
// Symbols of common operators, for sixstep::Operator.
//
// Each is a function of the wave vector k, in which exp(i k x) is the wave: a derivative along axis
// a multiplies by i k_a. Derivatives of odd order, and shifts, need periodic axes (c2c or r2c);
// those of even order are possible between walls too. An operator that is made with a symbol for
// another number of axes throws Error.
//
// Derivatives are exact, or finite differences of a grid (`by`, see differences.hpp). If there are
// faces, gradient() leads from points to faces, divergence() from faces to points, and their
// product is laplacian(). project() makes vectors without divergence(), whatever the differences.
#pragma once

#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include "sixstep/differences.hpp"
#include "sixstep/error.hpp"
#include "sixstep/symbol.hpp"

#pragma GCC visibility push(default)
namespace sixstep::symbols {

/// The axis of a wave vector; axes below 0 count from the last, -1. Throws Error unless there is
/// such an axis.
inline int axis_of(Wavevector const& k, int axis) {
  int const axes = k.size();
  require(-axes <= axis && axis < axes, "axis: ", -axes, " to ", axes - 1, " are possible, ", axis,
          " was given");
  return axis < 0 ? axis + axes : axis;
}
/// Throws Error unless the wave vector has so many axes.
inline void require_axes(Wavevector const& k, int axes) {
  require(k.size() == axes, "axes: the layout has ", k.size(), ", ", axes, " were given");
}

/// |k|^2
inline double square(Wavevector const& k) {
  double sum = 0;
  for (double component : k) sum += component * component;
  return sum;
}

/// The sum of the symbols of second derivatives: -|k|^2 where they are exact.
inline double sum_of_second(Wavevector const& k, Differences const& by) {
  double sum = 0;
  for (int axis = 0; axis < k.size(); ++axis) sum += by.second(k, axis);
  return sum;
}

/// The derivative of this order along an axis: (i k_a)^order; axes below 0 count from the last.
/// Differences of order 2 and above repeat the second one. If there are faces, a derivative of
/// odd order leads from points to faces; the one with the opposite faces leads back. Errors: the
/// order is below 0; those of Differences.
inline Symbol derivative(int axis, int order = 1, Differences by = {}) {
  require(order >= 0, "order: 0 or more is needed, ", order, " was given");
  by.check();
  auto const even = [axis, order, by](Wavevector const& k) {
    return std::pow(by.second(k, axis_of(k, axis)), order / 2);
  };
  if (order % 2 == 0) return even;
  return [axis, by = std::move(by), even](Wavevector const& k) {
    return even(k) * by.first(k, axis_of(k, axis));
  };
}

/// The sum of the second derivatives: -|k|^2.
inline Symbol laplacian(Differences by = {}) {
  by.check();
  return [by = std::move(by)](Wavevector const& k) { return sum_of_second(k, by); };
}

/// The solution of laplacian u = f whose mean is 0: -1/|k|^2, and 0 at k = 0. The mean of f, for
/// which there is no solution, is left out; Poisson (poisson.hpp) returns it.
inline Symbol inverse_laplacian(Differences by = {}) {
  by.check();
  return [by = std::move(by)](Wavevector const& k) {
    double const sum = sum_of_second(k, by);
    return sum < 0 ? 1 / sum : 0;
  };
}

/// The solution of (alpha - laplacian) u = f: 1 / (alpha + |k|^2). If alpha <= 0, some k may have
/// no solution: such a symbol is infinite there, which an operator refuses.
inline Symbol helmholtz(double alpha, Differences by = {}) {
  by.check();
  return [alpha, by = std::move(by)](Wavevector const& k) {
    return 1 / (alpha - sum_of_second(k, by));
  };
}

/// A convolution with a Gaussian of standard deviation sigma: exp(-|k|^2 sigma^2 / 2).
inline Symbol gaussian(double sigma) {
  return Symbol::same_product([sigma](double k) { return std::exp(-k * k * sigma * sigma / 2); },
                              Symbol::Numbers::real);
}

/// Keeps waves with |k| <= limit, and drops the others.
inline Symbol lowpass(double limit) {
  return [limit](Wavevector const& k) { return std::sqrt(square(k)) <= limit ? 1. : 0.; };
}

/// u(x - distance), by the same interpolation as the transform's: exp(-i k distance). `distance`
/// has a component for each axis of the layout.
inline Symbol shift(PerAxis<double> const& distance) {
  std::vector<Symbol::Factor> factors;
  for (double const by : distance)
    factors.emplace_back([by](double k) { return std::polar(1., -k * by); });
  return Symbol::product(std::move(factors));
}

/// The part without divergence of a vector field, which has as many fields as there are axes:
/// u_a - k_a (k u) / |k|^2. Waves without divergence, such as the mean, stay. On axes of even n the
/// wave n/2 is handled as by divergence() only if `by` has the spacing.
inline Symbol project(int axes, Differences by = {}) {
  by.check();
  auto const numbers = by.faces == Faces::none ? Symbol::Numbers::real : Symbol::Numbers::complex;
  return Symbol::matrix(
      axes, axes,
      [axes, by = std::move(by)](Wavevector const& k, std::complex<double>* matrix) {
        require_axes(k, axes);
        PerAxis<std::complex<double>> slopes;
        double squared = 0;
        for (int axis = 0; axis < axes; ++axis) {
          slopes.push_back(by.first(k, axis));
          squared += std::norm(slopes[axis]);
        }
        for (int a = 0; a < axes; ++a)
          for (int b = 0; b < axes; ++b)
            *matrix++ = (a == b ? 1. : 0.) -
                        (squared > 0 ? slopes[a] * std::conj(slopes[b]) / squared : 0.);
      },
      numbers);
}

/// The curl of a vector field, which has three fields.
inline Symbol curl() {
  return Symbol::matrix(3, 3, [](Wavevector const& k, std::complex<double>* matrix) {
    require_axes(k, 3);
    std::complex<double> const zero, x(0, k[0]), y(0, k[1]), z(0, k[2]);
    for (std::complex<double> const& number : {zero, -z, y, z, zero, -x, -y, x, zero})
      *matrix++ = number;
  });
}

/// The gradient of a field; it has as many fields as there are axes.
inline Symbol gradient(int axes, Differences by = {}) {
  by.check();
  return Symbol::matrix(
      axes, 1, [axes, by = std::move(by)](Wavevector const& k, std::complex<double>* matrix) {
        require_axes(k, axes);
        for (int a = 0; a < axes; ++a) *matrix++ = by.first(k, a);
      });
}

/// The divergence of a vector field, which has as many fields as there are axes.
inline Symbol divergence(int axes, Differences by = {}) {
  by.check();
  return Symbol::matrix(
      1, axes, [axes, by = std::move(by)](Wavevector const& k, std::complex<double>* matrix) {
        require_axes(k, axes);
        for (int a = 0; a < axes; ++a) *matrix++ = -std::conj(by.first(k, a));
      });
}

}  // namespace sixstep::symbols
#pragma GCC visibility pop
