// SPDX-License-Identifier: BSD-3-Clause
// OpenPoisson: the equation laplacian u = f in free space, for a source in a box.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <vector>

#include "sixstep/convolution.hpp"
#include "sixstep/named.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// How the Green's function becomes weights of points.
///
/// - `truncated`: it is cut off at the diameter of the box, which changes nothing within the box,
///   and sampled through its transform, which is then smooth. The error falls faster than any power
///   of the spacing for a smooth source that is 0 at the box's ends. Vico, Greengard and Ferrando
///   (2016), J. Comput. Phys. 323, 191.
/// - `integrated`: it is integrated over the cell around each point, where f is constant. The error
///   falls with the square of the spacing for any source. Qiang et al. (2006), Phys. Rev. ST Accel.
///   Beams 9, 044204.
enum class GreensFunction { truncated, integrated };
constexpr auto names_of(GreensFunction) { return std::array{"truncated", "integrated"}; }

/// The options of a plan, and those of the equation. Several fields are several sources.
struct OpenPoissonOptions : Options {
  /// The distance between points along each of `axes`, or one for all of them.
  std::vector<double> spacing = {1};
  GreensFunction greens_function = GreensFunction::truncated;
  /// Another Green's function in place of the laplacian's: its value, times the volume of a cell,
  /// at the distance x between two points along each of `axes`. It is even in each component, and
  /// is called for components of at least 0. It may be called for different points on each rank.
  std::function<double(PerAxis<double> const& x)> function = {};
};

/// A solver of laplacian u = f for reals without walls: u(x) is the integral of G(x - y) f(y) over
/// the box of the points, with G(x) = -1/(4 pi r) for three axes, log(r)/(2 pi) for two, and
/// |x|/2 for one.
///
/// Axes that are not transformed have an equation of their own at each point: the slices of a beam,
/// for example. u is a Convolution: transforms of twice the points, without sending or storing what
/// is zero (Hockney and Eastwood 1981).
///
/// Constructing is collective, and throws the errors of a Convolution, or, on every rank, Error
/// - if there is neither one spacing for each of the axes nor one for all, or one is not above 0;
/// - if there are more than three axes and no function of the caller's;
/// - if kinds, lengths or a sphere are given;
/// - if `function` throws.
template <class Real>
class OpenPoisson {
 public:
  OpenPoisson(Layout const& layout, MPI_Comm comm, OpenPoissonOptions const& options = {});

  /// Solves for the right side `f`, an array of the convolution's input_size(), and writes `u`, of
  /// its output_size(); both may be one array, of its in_place_size(). Collective. Errors: those of
  /// Convolution::apply().
  void solve(Real const* f, Real* u) { convolution_.apply(f, u); }

  /// The convolution, which has the arrays' sizes, boxes and memory, and tells what it does.
  Convolution<Real>& convolution() { return convolution_; }

 private:
  Convolution<Real> convolution_;
};

extern template class OpenPoisson<float>;
extern template class OpenPoisson<double>;

}  // namespace sixstep
#pragma GCC visibility pop
