// SPDX-License-Identifier: BSD-3-Clause
// Convolution: an array convolved or correlated with a kernel, linear or periodic.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "sixstep/named.hpp"
#include "sixstep/operator.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// The part of a convolution that is the result, in SciPy's words. Along an axis with n points of
/// the signal and m of the kernel:
///
///     full      all n + m - 1 points of the linear convolution
///     same      n points, from point (m - 1)/2 of the full result on
///     valid     the |n - m| + 1 points that depend on no point outside of both arrays
///     periodic  n points of the circular convolution of arrays with n points, of which the kernel
///               has the first m; with Options::lengths, of arrays with so many points
enum class ConvolutionMode { full, same, valid, periodic };
constexpr auto names_of(ConvolutionMode) { return std::array{"full", "same", "valid", "periodic"}; }

/// The options of a plan, and those of a convolution. Kinds are c2c or r2c; axes that are not
/// transformed belong to convolutions of their own, one for each of their points.
struct ConvolutionOptions : Options {
  ConvolutionMode mode = ConvolutionMode::full;
  /// true: r[k] = sum_l signal[l + k] conj(kernel[l]) in place of
  /// r[k] = sum_l signal[k - l] kernel[l]. The full result begins at k = 1 - m.
  bool correlate = false;
  /// true, only for the mode periodic: the kernel has kernel[l] = conj(kernel[-l]), so its
  /// coefficients are real. They take half the memory; imaginary parts are dropped.
  bool even = false;
};

/// A convolution of arrays with a kernel by Fourier transforms. The kernel's coefficients are kept,
/// so they serve any number of arrays.
///
/// It is an Operator whose symbol is the kernel's transform: a transform, the product and the
/// transform back in one call, three passes over memory for slabs. Transforms of linear
/// convolutions are longer than the arrays, but the zeros behind an array are neither stored nor
/// sent, and what is not part of the result is neither sent nor written. input() and output() are
/// the layouts of the signal and of the result.
///
/// Constructing is collective, and throws the errors of a Plan, or, on every rank, Error
/// - if the kernel has other axes than the signal, or other extents along axes that are not
///   transformed;
/// - if the kernel has more points than the transform (mode periodic);
/// - if a kind is neither c2c nor r2c, or an option is set that a convolution does not have:
///   output, transform, twiddle, device, modes, sphere, columns, and lengths but in the mode
///   periodic;
/// - if `even` is set with another mode than periodic.
template <class Real>
class Convolution : public Planned<Real> {
 public:
  using typename Planned<Real>::Complex;

  /// An empty convolution. Any call on it but bool() throws Error.
  Convolution() noexcept = default;
  /// The result is dealt out as the signal is.
  Convolution(Layout const& signal, Layout const& kernel, MPI_Comm comm,
              ConvolutionOptions const& options = {});
  Convolution(Layout const& signal, Layout const& kernel, Layout const& result, MPI_Comm comm,
              ConvolutionOptions const& options = {});

  /// The shape of the result.
  static Shape result_shape(Shape const& signal, Shape const& kernel,
                            ConvolutionOptions const& options = {});

  /// Takes a kernel, an array in the kernel's layout. Reals with an r2c axis. Collective. Errors,
  /// on every rank: one that has a part of the kernel passes a null pointer.
  void set_kernel(Complex const* kernel);
  void set_kernel(Real const* kernel);

  /// Convolves `in`, an array of input_size() elements, and writes `out`, of output_size(). If `in`
  /// and `out` are one array, it has in_place_size(). Collective. Errors: those of Plan::execute(),
  /// and Error if there is no kernel yet.
  void apply(Complex const* in, Complex* out);
  void apply(Real const* in, Real* out);

 private:
  class Kernel;

  Convolution(std::shared_ptr<Kernel> kernel,
              std::unique_ptr<runners::CompositionRunner> runner) noexcept;
  template <class>
  friend class OpenPoisson;
  /// The facts that a solver knows about its kernel. If the kernel is even along each axis, k and
  /// -k share one stored coefficient along the axes that a rank holds whole. Along the axes
  /// `in_waves`, whose kinds may be any but r2c, the kernel has an element for each coefficient of
  /// the signal, and is not transformed.
  struct Known {
    bool is_even_along_each_axis = false;
    std::vector<int> in_waves = {};
  };
  static Convolution made(Layout const& signal, Layout const& kernel, Layout const* result,
                          MPI_Comm comm, ConvolutionOptions const& options,
                          Known const& known = {false, {}});
  template <class Element>
  void take_kernel(Element const* kernel);
  template <class Element>
  void convolve(Element const* in, Element* out);

  std::shared_ptr<Kernel> kernel_;
};

extern template class Convolution<float>;
extern template class Convolution<double>;

}  // namespace sixstep
#pragma GCC visibility pop
