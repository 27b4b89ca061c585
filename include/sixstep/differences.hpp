// SPDX-License-Identifier: BSD-3-Clause
// Differences: how symbols take derivatives, exactly or by finite differences of grid points.
#pragma once

#include <cmath>
#include <complex>

#include "sixstep/error.hpp"
#include "sixstep/indices.hpp"
#include "sixstep/named.hpp"
#include "sixstep/symbol.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// Where a grid has the components of vectors. none: at the points of scalars. above: component a
/// of cell i lies on its upper face along axis a, half a spacing after the scalar; below: on its
/// lower face, half a spacing before it.
enum class Faces { none, above, below };
constexpr auto names_of(Faces) { return std::array{"none", "above", "below"}; }

/// How derivatives are taken. Finite differences multiply the wave exp(i k x) by a number, too, so
/// an operator with them solves the equations of a grid code to rounding. Weights: Fornberg (1988).
///
///     order  faces         first difference of u, times the spacing
///     2      none          (u[i+1] - u[i-1]) / 2
///     4      none          (8 (u[i+1] - u[i-1]) - (u[i+2] - u[i-2])) / 12
///     2      above, below  u[i+1/2] - u[i-1/2]
///     4      above, below  (27 (u[i+1/2] - u[i-1/2]) - (u[i+3/2] - u[i-3/2])) / 24
///
///     order  faces         second difference of u, times the square of the spacing
///     2      all           u[i+1] - 2 u[i] + u[i-1]
///     4      none          (16 (u[i+1] + u[i-1]) - (u[i+2] + u[i-2]) - 30 u[i]) / 12
///     4      above, below  the first difference of the first difference
struct Differences {
  /// The order of accuracy: 0 (exact derivatives), 2 or 4.
  int accuracy = 0;
  /// The distance between points along each axis. Exact derivatives only need it in project(), and
  /// only for even n: the wave n/2, whose k is pi/spacing, has no first derivative.
  PerAxis<double> spacing = {};
  Faces faces = Faces::none;

  /// Throws Error
  /// - if the order of accuracy is none of the three;
  /// - if exact derivatives are asked for on faces;
  /// - if a spacing is not above 0.
  void check() const {
    require(accuracy == 0 || accuracy == 2 || accuracy == 4,
            "accuracy: 0 (exact), 2 or 4 is needed, ", accuracy, " was given");
    require(accuracy > 0 || faces == Faces::none,
            "accuracy: 2 or 4 is needed for vectors on faces, 0 (exact) was given");
    for (double h : spacing)
      require(std::isfinite(h) && h > 0, "spacing: distances above 0 are needed, ", h,
              " was given");
  }

  /// The symbol of the first difference along an axis. If there are faces, it leads from points to
  /// faces.
  std::complex<double> first(Wavevector const& k, int axis) const {
    if (accuracy == 0 && spacing.empty()) return {0, k[axis]};
    double const h = spacing_along(k, axis);
    double const angle = k[axis] * h / (faces == Faces::none ? 1 : 2);
    double const sine = std::sin(angle);
    if (faces == Faces::none) {
      // The wave n/2 has none. In floating point the sine of pi is not 0.
      if (std::abs(sine) < 1e-12) return 0;
      if (accuracy == 0) return {0, k[axis]};
      return {0, sine / h * (accuracy == 2 ? 1 : (4 - std::cos(angle)) / 3)};
    }
    double const size = sine / h * (accuracy == 2 ? 2 : 2 + sine * sine / 3);
    double const along = faces == Faces::above ? 1 : -1;  // by half a spacing
    return {-along * size * sine, size * std::cos(angle)};
  }

  /// The symbol of the second difference along an axis, from points to points.
  double second(Wavevector const& k, int axis) const {
    if (accuracy == 0) return -k[axis] * k[axis];
    double const h = spacing_along(k, axis), sine = std::sin(k[axis] * h / 2),
                 squared = sine * sine;
    double const better = faces == Faces::none ? 1 + squared / 3 : std::pow(1 + squared / 6, 2);
    return -4 * squared / (h * h) * (accuracy == 2 ? 1 : better);
  }

 private:
  double spacing_along(Wavevector const& k, int axis) const {
    require(spacing.size() == k.size(), "spacing: one for each of the ", k.size(),
            " axes of the layout is needed, ", spacing.size(), " were given");
    return spacing[axis];
  }
};

}  // namespace sixstep
#pragma GCC visibility pop
