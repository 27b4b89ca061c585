// SPDX-License-Identifier: BSD-3-Clause
// Transforms of FFTW's interface for MPI that are plans of sixstep.
#include <algorithm>
#include <complex>
#include <memory>
#include <optional>
#include <utility>

#include "mpi_object.hpp"
#include "mpi_problem.hpp"
#include "sixstep/plan.hpp"

namespace sixstep::fftw {

namespace {

using Complex = std::complex<Real>;

Complex* complex_at(Real* numbers) { return reinterpret_cast<Complex*>(numbers); }

double points_of(MpiProblem const& problem) {
  return static_cast<double>(volume(problem.shape)) * problem.howmany;
}

/// The plan of a transform, its kind, and its sign if it is complex.
class MpiTransform final : public MpiObject {
 public:
  enum class Elements { complex, real, real_to_complex, complex_to_real };

  MpiTransform(MpiProblem const& problem, Layout const& input, Layout const& output,
               Options const& options, Elements elements, Sign sign = Sign::minus)
      : MpiObject(points_of(problem), static_cast<double>(volume(problem.shape))),
        plan_(std::make_unique<Plan<Real>>(input, output, problem.comm, options)),
        elements_(elements),
        sign_(sign) {}

  std::string describe() const override { return plan_->describe(); }

 private:
  void run(Arrays<Real> const& arrays) const override {
    Real* const in = arrays.re_in;
    Real* const out = arrays.re_out;
    switch (elements_) {
      case Elements::complex:
        return plan_->execute(complex_at(in), complex_at(out), Direction::forward, sign_);
      case Elements::real:
        return plan_->execute(in, out, Direction::forward);
      case Elements::real_to_complex:
        return plan_->forward(in, complex_at(out));
      case Elements::complex_to_real:
        return plan_->backward(complex_at(in), out);
    }
  }

  std::unique_ptr<Plan<Real>> plan_;
  Elements elements_;
  Sign sign_;
};

Options options_of(MpiProblem const& problem) {
  Options options;
  options.fields = problem.howmany;
  options.interleaved = problem.howmany > 1;
  options.threads = std::max(1, SIXSTEP_FFTW(planner_nthreads)());
  options.preserve_input = !problem.has(FFTW_DESTROY_INPUT);
  return options;
}

/// The shape of the complex array of a transform of reals.
Shape half_complex(Shape shape) {
  Index& last = shape[shape.size() - 1];
  last = last / 2 + 1;
  return shape;
}

/// The plan from the real array of `problem`, at `real`, to its complex one, at `complex`.
std::unique_ptr<Object> make_real(MpiProblem const& problem, End const& real, End const& complex,
                                  MpiTransform::Elements elements, bool preserve_input) {
  Shape const shape = problem.shape, half = half_complex(shape);
  int const axes = shape.size();
  require(!(real.transposed && axes == 2), "the padded axis of a real array cannot be split");
  require(is_complete(complex, half, problem.ranks) && is_complete(real, shape, problem.ranks),
          "the blocks do not hold all points");
  Options options = options_of(problem);
  options.kinds = {Kind::r2c};
  options.padded = true;
  options.preserve_input = preserve_input;
  return std::make_unique<MpiTransform>(problem, layout_of(real, shape, problem.ranks),
                                        layout_of(complex, half, problem.ranks), options, elements);
}

/// sixstep's kind; empty for halfcomplex and Hartley transforms.
std::optional<Kind> kind_of(SIXSTEP_FFTW(r2r_kind) kind) {
  switch (kind) {
    case FFTW_REDFT00:
      return Kind::dct1;
    case FFTW_REDFT10:
      return Kind::dct2;
    case FFTW_REDFT01:
      return Kind::dct3;
    case FFTW_REDFT11:
      return Kind::dct4;
    case FFTW_RODFT00:
      return Kind::dst1;
    case FFTW_RODFT10:
      return Kind::dst2;
    case FFTW_RODFT01:
      return Kind::dst3;
    case FFTW_RODFT11:
      return Kind::dst4;
    case FFTW_R2HC:
    case FFTW_HC2R:
    case FFTW_DHT:
      break;
  }
  return {};
}

/// The plan with these options between arrays of the same shape.
std::unique_ptr<Object> make_same_shape(MpiProblem const& problem, Options const& options,
                                        MpiTransform::Elements elements, Sign sign = Sign::minus) {
  return std::make_unique<MpiTransform>(
      problem, layout_of(problem.in, problem.shape, problem.ranks),
      layout_of(problem.out, problem.shape, problem.ranks), options, elements, sign);
}

}  // namespace

std::unique_ptr<Object> make_c2c(MpiProblem const& problem, int sign) {
  return make_same_shape(problem, options_of(problem), MpiTransform::Elements::complex,
                         sign == FFTW_FORWARD ? Sign::minus : Sign::plus);
}

std::unique_ptr<Object> make_r2c(MpiProblem const& problem) {
  return make_real(problem, problem.in, problem.out, MpiTransform::Elements::real_to_complex,
                   !problem.has(FFTW_DESTROY_INPUT));
}

// Unlike all others, transforms to reals may overwrite their input unless that is forbidden.
std::unique_ptr<Object> make_c2r(MpiProblem const& problem) {
  return make_real(problem, problem.out, problem.in, MpiTransform::Elements::complex_to_real,
                   problem.has(FFTW_PRESERVE_INPUT));
}

std::unique_ptr<Object> make_r2r(MpiProblem const& problem, Kinds const& kinds) {
  Options options = options_of(problem);
  for (SIXSTEP_FFTW(r2r_kind) const kind : kinds) {
    std::optional<Kind> const known = kind_of(kind);
    if (!known) return make_by_axes(problem, kinds);
    options.kinds.push_back(*known);
  }
  return make_same_shape(problem, options, MpiTransform::Elements::real);
}

}  // namespace sixstep::fftw
