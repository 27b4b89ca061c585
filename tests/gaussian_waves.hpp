// SPDX-License-Identifier: BSD-3-Clause
// Gaussians times waves as sources of Poisson's equation, and the potentials that they have.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "sixstep/open_poisson.hpp"

namespace sixstep::gaussian_waves {

using std::numbers::pi;

/// The solution of laplacian u - kappa^2 u = f in free space at distance r from the middle of a
/// Gaussian f of unit integral. It is the integral of the heat kernel over time,
///
///     -exp(-kappa^2 t) exp(-r^2/2s)/(2 pi s)^(d/2), s = width^2 + 2 t,
///
/// by the trapezoidal rule in log(t). For kappa = 0 the integral exists in three dimensions alone;
/// the other potentials are known.
class Potential {
 public:
  Potential(double width, double kappa, int dimensions)
      : width_(width), kappa_(kappa), dimensions_(dimensions) {
    if (kappa == 0) return;
    double const step = 0.15, last = std::log(45 / (kappa * kappa));
    for (double w = last - 60; w <= last; w += step) {
      double const t = std::exp(w), s = width * width + 2 * t;
      terms_.push_back(
          {step * t * std::exp(-kappa * kappa * t) / std::pow(2 * pi * s, dimensions / 2.),
           1 / (2 * s)});
    }
  }

  double operator()(double r) const {
    double const x = r / (std::sqrt(2.0) * width_);
    if (kappa_ == 0 && dimensions_ == 1)
      return (r * std::erf(x) + width_ * std::sqrt(2 / pi) * std::exp(-x * x)) / 2;
    if (kappa_ == 0 && dimensions_ == 2) return (std::log(r) - std::expint(-x * x) / 2) / (2 * pi);
    if (kappa_ == 0) return -std::erf(x) / (4 * pi * r);
    double sum = 0;
    for (Term const& term : terms_) sum -= term.weight * std::exp(-r * r * term.steepness);
    return sum;
  }

 private:
  struct Term {
    double weight, steepness;
  };

  double width_, kappa_;
  int dimensions_;
  std::vector<Term> terms_;
};

/// An axis of a problem: its ends and points, a distance, and the shift of the potential.
struct Axis {
  Index n;
  Walls walls = Walls::open;
  Points points = Points::cells;
  double shift = 0;
  double spacing = 0.3;

  /// Where point j is; open axes begin half of their length before 0.
  double x(Index j) const {
    auto const place = static_cast<double>(j);
    if (walls == Walls::open) return (place - static_cast<double>(n) / 2 + 0.3) * spacing;
    if (walls == Walls::periodic) return place * spacing;
    if (points == Points::cells) return (place + 0.5) * spacing;
    bool const begins_with_value = walls == Walls::dirichlet || walls == Walls::dirichlet_neumann;
    return (place + (begins_with_value ? 1 : 0)) * spacing;
  }
  double length() const {
    double parts = static_cast<double>(n);
    if (points == Points::nodes && walls == Walls::dirichlet) parts += 1;
    if (points == Points::nodes && walls == Walls::neumann) parts -= 1;
    return parts * spacing;
  }
  bool is_half() const {
    return walls == Walls::dirichlet_neumann || walls == Walls::neumann_dirichlet;
  }
  /// The wave of mode m, and its value.
  double wave(int m) const {
    if (walls == Walls::periodic) return 2 * pi * m / length();
    return pi * (m + (is_half() ? 0.5 : 0)) / length();
  }
  double mode(int m, double place) const {
    if (walls == Walls::periodic) return std::cos(wave(m) * place + 0.4);
    bool const is_sine = walls == Walls::dirichlet || walls == Walls::dirichlet_neumann;
    return is_sine ? std::sin(wave(m) * place) : std::cos(wave(m) * place);
  }
};

/// A source: Gaussians along the open axes times modes along the others.
struct Source {
  std::vector<Axis> axes;
  std::vector<std::vector<int>> modes;  // of each Gaussian, along each axis; open: unused
  double width = 0.8;

  int dimensions() const {
    int open = 0;
    for (Axis const& axis : axes) open += axis.walls == Walls::open;
    return open;
  }
  double distance(Shape const& point, double shifted) const {
    double square = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (axes[i].walls != Walls::open) continue;
      double const x = axes[i].x(point[static_cast<int>(i)]) + shifted * axes[i].shift;
      square += x * x;
    }
    return std::sqrt(square);
  }
  /// The sum over Gaussians m of the modes times of(m).
  template <class Of>
  double sum(Shape const& point, Of const& of) const {
    double total = 0;
    for (std::size_t m = 0; m < modes.size(); ++m) {
      double product = 1;
      for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i].walls != Walls::open)
          product *= axes[i].mode(modes[m][i], axes[i].x(point[static_cast<int>(i)]));
      total += product * of(m);
    }
    return total;
  }
  /// The wave number of Gaussian m along all axes that are not open.
  double kappa(std::size_t m) const {
    double square = 0;
    for (std::size_t i = 0; i < axes.size(); ++i)
      if (axes[i].walls != Walls::open)
        square += axes[i].wave(modes[m][i]) * axes[i].wave(modes[m][i]);
    return std::sqrt(square);
  }
  double value(Shape const& point) const {
    double const r = distance(point, 0);
    double const gaussian =
        std::exp(-r * r / (2 * width * width)) / std::pow(std::sqrt(2 * pi) * width, dimensions());
    return sum(point, [&](std::size_t) { return gaussian; });
  }
  /// The potential of each Gaussian.
  std::vector<Potential> potentials() const {
    std::vector<Potential> all;
    for (std::size_t m = 0; m < modes.size(); ++m) all.emplace_back(width, kappa(m), dimensions());
    return all;
  }
  double solution(Shape const& point, std::vector<Potential> const& potentials) const {
    double const r = distance(point, 1);
    return sum(point, [&](std::size_t m) { return potentials[m](r); });
  }
};

inline Shape shape_of(Source const& source) {
  Shape shape;
  for (Axis const& axis : source.axes) shape.push_back(axis.n);
  return shape;
}

inline OpenPoissonOptions options_of(Source const& source) {
  OpenPoissonOptions options;
  options.spacing.clear();
  options.points.clear();
  bool is_shifted = false;
  for (Axis const& axis : source.axes) {
    options.spacing.push_back(axis.spacing);
    options.walls.push_back(axis.walls);
    options.points.push_back(axis.points);
    options.shift.push_back(axis.shift);
    is_shifted = is_shifted || axis.shift != 0;
  }
  if (!is_shifted) options.shift.clear();
  return options;
}

inline Axis open(Index n, double shift = 0, double spacing = 0.3) {
  return {n, Walls::open, Points::cells, shift, spacing};
}
inline Axis closed(Index n, Walls walls, Points points = Points::cells, double spacing = 0.3) {
  return {n, walls, points, 0, spacing};
}

}  // namespace sixstep::gaussian_waves
