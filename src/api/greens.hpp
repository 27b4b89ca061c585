// SPDX-License-Identifier: BSD-3-Clause
// Green's functions of laplacian u - kappa^2 u = f in free space, with one to three dimensions.
//
// kappa is the wave of axes that are not open; without such axes it is 0:
//
//                 kappa = 0        kappa > 0
//     1 axis      |x|/2            -exp(-kappa |x|)/(2 kappa)
//     2 axes      log(r)/(2 pi)    -K0(kappa r)/(2 pi)
//     3 axes      -1/(4 pi r)      -exp(-kappa r)/(4 pi r)
#pragma once

#include "sixstep/layout.hpp"

namespace sixstep::greens {

/// The modified Bessel functions of the second kind, for x > 0.
double bessel_k0(double x);
double bessel_k1(double x);

/// The Green's function at distance r > 0.
double at_distance(double r, double kappa, int dimensions);

/// The transform of the Green's function that is cut off at a radius: a smooth function of k. Vico,
/// Greengard and Ferrando (2016).
class Truncated {
 public:
  Truncated(double radius, double kappa, int dimensions);
  double operator()(double k) const;

 private:
  double of_laplacian(double k) const;
  double of_wave(double k) const;

  double radius_, kappa_;
  int dimensions_;
  double k0_ = 0, k1_ = 0, decay_ = 1;  // of kappa times the radius
};

/// The integral of the Green's function over the box from the origin to x, but for functions that
/// do not depend on all components. It is odd in each component. If kappa > 0, at most two axes are
/// possible.
double integral(PerAxis<double> const& x, double kappa);

}  // namespace sixstep::greens
