// SPDX-License-Identifier: BSD-3-Clause
// OpenPoisson: the equation laplacian u = f in free space, for a source in a box, of which some
// axes may be periodic or end at walls.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "sixstep/convolution.hpp"
#include "sixstep/named.hpp"
#include "sixstep/poisson.hpp"

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

/// The argument of the caller's Green's function along open axes: the distance between two points,
/// or the wave number.
enum class GreensSpace { distances, waves };
constexpr auto names_of(GreensSpace) { return std::array{"distances", "waves"}; }

/// Numbers of a Green's function of the caller's: an array with an axis for each of `axes`, in
/// their order, dealt out by any layout, in double precision for any solver. Along an axis that is
/// - open, with n points: of distances, n numbers at 0, spacing ... (n - 1) spacing, or, with a
///   shift, 2n - 1 at shift - (n - 1) spacing ... shift + (n - 1) spacing; of waves, m + 1 numbers
///   at 0, pi/(m spacing) ... pi/spacing, for any m of at least n (m = n: those of a transform of
///   twice the points);
/// - periodic, with n points: n/2 + 1, of the waves 0 ... n/2;
/// - between walls: one for each point, of the coefficients in their order.
struct GreensNumbers {
  Layout layout;
  double const* numbers;  ///< this rank's array; read while a solver is made or renewed
  Index size = -1;        ///< numbers of this array, which are compared with the layout; -1: they
                          ///< are not
};

/// A Green's function: that of the laplacian, unless `function` or `numbers` are given.
struct Greens {
  GreensFunction greens_function = GreensFunction::truncated;  ///< of the laplacian
  /// Along axes that are not open, x is the wave (periodic: 2 pi m/length, between walls:
  /// pi m/length); along open ones
  /// - of distances: x is the distance between two points, and the function is G(x), times the
  ///   volume of a cell of the open axes;
  /// - of waves: x is the wave number, and the function is the Fourier transform of G, the integral
  ///   of G(r) exp(-i x r) over the open axes. G has to be 0, or too small to count, beyond the
  ///   longest distance of two points: the square root of the sum of (n spacing + |shift|)^2 over
  ///   the open axes.
  /// It is even in each component, and is called for components of at least 0, for different points
  /// on each rank.
  std::function<double(PerAxis<double> const& x)> function = {};
  /// Numbers in place of a function, which mean the same. If they are numbers of waves, G repeats
  /// itself after 2 m spacing, and its images must not count within the longest distance.
  std::optional<GreensNumbers> numbers = {};
  GreensSpace space = GreensSpace::distances;  ///< of `function` or `numbers`
};

/// The options of a plan, and those of the equation. Several fields are several sources.
struct OpenPoissonOptions : Options, Greens {
  /// The distance between points along each of `axes`, or one for all of them.
  std::vector<double> spacing = {1};
  /// The ends of each of `axes`, or of all of them: one at least is open. Empty: all are open.
  std::vector<Walls> walls = {};
  /// Where points are between walls, along each of `axes` or all of them.
  std::vector<Points> points = {Points::cells};
  /// u is the potential in the box that is moved by this distance along each of `axes`, which is 0
  /// along those that are not open: u(x) is the integral of G(x + shift - y) f(y). Empty: 0. A
  /// shift costs more memory for the Green's function: its coefficients are complex.
  std::vector<double> shift = {};
};

/// A solver of laplacian u = f for reals without walls: u(x) is the integral of G(x - y) f(y) over
/// the box of the points, with G(x) = -1/(4 pi r) for three open axes, log(r)/(2 pi) for two, and
/// |x|/2 for one.
///
/// Along axes that are periodic or between walls, f and u are sums of waves of length kappa. Each
/// has an equation along the open axes, laplacian u - kappa^2 u = f, with another Green's function:
/// -exp(-kappa r)/(4 pi r) for three open axes, -K0(kappa r)/(2 pi) for two, and
/// -exp(-kappa |x|)/(2 kappa) for one. u and du/dx are 0 at walls, as Walls says.
///
/// Axes that are not transformed have an equation of their own at each point: the slices of a beam,
/// for example. u is a Convolution: transforms of twice the points along open axes, without sending
/// or storing what is zero (Hockney and Eastwood 1981).
///
/// A shifted potential is that of an image of the source. For a source beyond a wall at z = 0 where
/// u is 0, the potential of the source in the mirror, of the other sign, is added: f in reverse
/// order along z, and twice the distance between the wall and the middle of the box as the shift.
///
/// Constructing is collective, and throws the errors of a Convolution, or, on every rank, Error
/// - if there is neither one spacing (one of walls, one of points) for each of the axes nor one for
///   all, or a spacing is not above 0;
/// - if no axis is open;
/// - if there are more than three open axes and no Green's function of the caller's;
/// - if three axes are open beside others that are not, with the integrated function;
/// - if both a function and numbers are given, or numbers have another shape or are for another
///   number of ranks, or a rank has too few of them;
/// - if a value of the function or one of the numbers is infinite or no number: the message names
///   its place;
/// - if there is not one shift for each of the axes, or one is not 0 along an axis that is not
///   open;
/// - if kinds, lengths, a sphere or columns are given;
/// - if `function` throws.
template <class Real>
class OpenPoisson {
 public:
  OpenPoisson(Layout const& layout, MPI_Comm comm, OpenPoissonOptions const& options = {});

  /// Takes another Green's function from now on, without planning anew. Options of a solver will
  /// do, of which only the Green's function counts. Collective. Errors, on every rank, and the old
  /// function stays: those of the constructor about Green's functions.
  void renew(Greens const& greens);

  /// Solves for the right side `f`, an array of the convolution's input_size(), and writes `u`, of
  /// its output_size(); both may be one array, of its in_place_size(). Collective. Errors: those of
  /// Convolution::apply().
  void solve(Real const* f, Real* u) { convolution_.apply(f, u); }

  /// The convolution, which has the arrays' sizes, boxes and memory, and tells what it does.
  Convolution<Real>& convolution() { return convolution_; }

 private:
  class State;

  std::shared_ptr<State> state_;
  Convolution<Real> convolution_;
};

extern template class OpenPoisson<float>;
extern template class OpenPoisson<double>;

}  // namespace sixstep
#pragma GCC visibility pop
