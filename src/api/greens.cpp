// SPDX-License-Identifier: BSD-3-Clause
// Green's functions, their transforms and integrals.
#include "api/greens.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace sixstep::greens {

namespace {

using std::numbers::pi;

/// K_order(x) exp(x) by the trapezoidal rule for the integral of exp(-x cosh t) cosh(order t) over
/// t > 0. The integrand is analytic and falls as a double exponential, so a step of 1/4 is exact to
/// rounding.
double scaled_bessel_k(int order, double x) {
  constexpr double step = 0.25, negligible = 45;
  double sum = 0.5;
  for (double t = step;; t += step) {
    double const half = std::sinh(t / 2), exponent = 2 * x * half * half;
    if (exponent > negligible + order * t) return sum * step;
    sum += std::exp(-exponent) * (order == 0 ? 1 : std::cosh(t));
  }
}

/// Places and weights of Gauss and Legendre's rule on [-1, 1].
struct GaussRule {
  static constexpr int points = 24;
  std::array<double, points> places, weights;

  GaussRule() {
    for (std::size_t i = 0; i < points; ++i) {
      double x = std::cos(pi * (static_cast<double>(i) + 0.75) / (points + 0.5)), slope = 1;
      for (int step = 0; step < 8; ++step) {
        double before = 1, value = x;
        for (int n = 2; n <= points; ++n) {
          double const next = ((2 * n - 1) * x * value - (n - 1) * before) / n;
          before = value;
          value = next;
        }
        slope = points * (x * value - before) / (x * x - 1);
        x -= value / slope;
      }
      places[i] = x;
      weights[i] = 2 / ((1 - x * x) * slope * slope);
    }
  }
};

/// The integral of K0(kappa r) over the triangle from the origin to the side from (a, 0) to (a, b).
/// In polar coordinates the integral over r is g(rho) = (1 - kappa rho K1(kappa rho))/kappa^2 for a
/// place at distance rho on the side, (a, a sinh u).
double over_triangle(double a, double b, double kappa) {
  static GaussRule const rule;
  double const half = std::asinh(b / a) / 2;
  double sum = 0;
  for (std::size_t i = 0; i < GaussRule::points; ++i) {
    double const cosh = std::cosh(half * (1 + rule.places[i])), x = kappa * a * cosh;
    sum += rule.weights[i] * (1 - x * bessel_k1(x)) / cosh;
  }
  return sum * half / (kappa * kappa);
}

/// One of three terms of the integral of 1/r over the box from the origin to (a, b, c), at distance
/// r.
double term_of_box(double a, double b, double c, double r) {
  double const product = b * c;
  return product * std::asinh(a / std::hypot(b, c)) - a * a / 2 * std::atan(product / (a * r));
}

double integral_of_wave(PerAxis<double> const& x, double kappa) {
  double const a = std::abs(x[0]), sign = std::copysign(1, x[0]);
  if (x.size() == 1) return sign * std::expm1(-kappa * a) / (2 * kappa * kappa);
  double const b = std::abs(x[1]);
  return -sign * std::copysign(1, x[1]) *
         (over_triangle(a, b, kappa) + over_triangle(b, a, kappa)) / (2 * pi);
}

}  // namespace

double bessel_k0(double x) { return scaled_bessel_k(0, x) * std::exp(-x); }
double bessel_k1(double x) {
  double const decay = std::exp(-x);
  return decay < 1e-30 ? 0 : scaled_bessel_k(1, x) * decay;
}

double at_distance(double r, double kappa, int dimensions) {
  if (dimensions == 1) return kappa == 0 ? r / 2 : -std::exp(-kappa * r) / (2 * kappa);
  if (dimensions == 2) return (kappa == 0 ? std::log(r) : -bessel_k0(kappa * r)) / (2 * pi);
  return -std::exp(-kappa * r) / (4 * pi * r);
}

Truncated::Truncated(double radius, double kappa, int dimensions)
    : radius_(radius), kappa_(kappa), dimensions_(dimensions) {
  if (kappa == 0) return;
  decay_ = std::exp(-kappa * radius);
  if (dimensions != 2) return;
  k0_ = bessel_k0(kappa * radius);
  k1_ = bessel_k1(kappa * radius);
}

double Truncated::operator()(double k) const { return kappa_ == 0 ? of_laplacian(k) : of_wave(k); }

double Truncated::of_laplacian(double k) const {
  double const kr = k * radius_;
  if (dimensions_ == 1) {
    if (k == 0) return radius_ * radius_ / 2;
    double const half = std::sin(kr / 2);
    return (kr * std::sin(kr) - 2 * half * half) / (k * k);
  }
  if (dimensions_ == 2) {
    if (k == 0) return radius_ * radius_ * (std::log(radius_) / 2 - 0.25);
    return radius_ * std::log(radius_) * ::j1(kr) / k - (1 - ::j0(kr)) / (k * k);
  }
  if (k == 0) return -radius_ * radius_ / 2;
  double const half = std::sin(kr / 2) / k;
  return -2 * half * half;
}

double Truncated::of_wave(double k) const {
  double const kr = k * radius_, norm = k * k + kappa_ * kappa_;
  if (dimensions_ == 1) return -(1 + decay_ * (k / kappa_ * std::sin(kr) - std::cos(kr))) / norm;
  if (dimensions_ == 2)
    return -(1 + radius_ * (k * ::j1(kr) * k0_ - kappa_ * ::j0(kr) * k1_)) / norm;
  double const sine = k == 0 ? radius_ : std::sin(kr) / k;
  return -(1 - decay_ * (kappa_ * sine + std::cos(kr))) / norm;
}

double integral(PerAxis<double> const& x, double kappa) {
  if (std::any_of(x.begin(), x.end(), [](double each) { return each == 0; })) return 0;
  if (kappa > 0) return integral_of_wave(x, kappa);
  if (x.size() == 1) return x[0] * std::abs(x[0]) / 4;
  if (x.size() == 2) {
    double const product = x[0] * x[1];
    return (product * (std::log(std::hypot(x[0], x[1])) - 1.5) +
            (x[0] * x[0] * std::atan(x[1] / x[0]) + x[1] * x[1] * std::atan(x[0] / x[1])) / 2) /
           (2 * pi);
  }
  double const r = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  return -(term_of_box(x[0], x[1], x[2], r) + term_of_box(x[1], x[2], x[0], r) +
           term_of_box(x[2], x[0], x[1], r)) /
         (4 * pi);
}

}  // namespace sixstep::greens
