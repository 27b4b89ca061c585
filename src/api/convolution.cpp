// SPDX-License-Identifier: BSD-3-Clause
// Convolution: lengths and first points of its transforms, and the kernel's coefficients.
#include "sixstep/convolution.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "api/alike.hpp"
#include "api/operator_runner.hpp"
#include "api/planning.hpp"
#include "base/run_team.hpp"
#include "formulas/times_array.hpp"
#include "layout/counting.hpp"
#include "layout/fields.hpp"
#include "schedule/problem.hpp"
#include "sixstep/good_size.hpp"

namespace sixstep {

namespace {

/// The part of a convolution along an axis that is the result, and the transform that makes it.
struct Along {
  Index points;  // of the result
  Index first;   // the first of them among the points of the transform
  Index length;  // of the transform
};

/// Along an axis with n points of the signal and m of the kernel.
Along along(Index n, Index m, Index given_length, Kind kind, ConvolutionOptions const& options) {
  if (options.mode == ConvolutionMode::periodic) return {n, 0, std::max(n, given_length)};
  Index const full = n + m - 1;
  Along made{full, 0, 0};
  if (options.mode == ConvolutionMode::same) made = {n, (m - 1) / 2, 0};
  if (options.mode == ConvolutionMode::valid) made = {std::abs(n - m) + 1, std::min(n, m) - 1, 0};
  // Points beyond the transform's length wrap around to its begin, where they must not meet the
  // result.
  Index const least = std::max({n, m, full - made.first, made.first + made.points});
  made.length = good_size(least, kind == Kind::r2c ? 2 : 1);
  if (options.correlate) made.first = (made.first + made.length - (m - 1)) % made.length;
  return made;
}

/// The axes of a convolution, in full.
struct Axes {
  std::vector<int> axes;
  std::vector<Kind> kinds;
  std::vector<Along> along;
};

bool is_among(std::vector<int> const& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

/// `in_waves`: axes along which the kernel has coefficients.
Axes axes_of(Shape const& signal, Shape const& kernel, ConvolutionOptions const& options,
             std::vector<int> const& in_waves = {}) {
  require(signal.size() == kernel.size(), "kernel: ", signal.size(),
          " axes are needed, like the signal's; it has ", kernel.size());
  require(options.modes.empty(), "modes: a convolution has all modes");
  require(options.sphere.empty(), "sphere: a convolution has all modes");
  require(options.columns.empty(), "columns: a convolution has all modes");
  require(
      has_name(options.mode), "mode: ", names_in_words<ConvolutionMode>(), " is needed, ",
      [&] { return to_string(options.mode); }, " was given");
  bool const periodic = options.mode == ConvolutionMode::periodic;
  require(
      periodic || options.lengths.empty(), "lengths: only the mode periodic has them, ",
      [&] { return to_string(options.mode); }, " was given");
  require(
      periodic || !options.even, "even: the mode periodic is needed, ",
      [&] { return to_string(options.mode); }, " was given");
  for (Kind const kind : options.kinds)
    require(
        !in_waves.empty() || kind == Kind::c2c || kind == Kind::r2c,
        "kinds: c2c or r2c is needed, ", [&] { return to_string(kind); }, " was given");
  schedule::Problem problem{.input = Layout::slab(signal, 1)};
  problem.axes = options.axes;
  problem.kinds = options.kinds;
  problem.lengths = options.lengths;
  problem = schedule::checked(problem);
  Axes made{problem.axes, problem.kinds, {}};
  for (int axis = 0; axis < signal.size(); ++axis)
    require(is_among(made.axes, axis) || kernel[axis] == signal[axis], "kernel: axis ",
            axis_name(axis, signal.size()), " is not transformed, so ", signal[axis],
            " points are needed, it has ", kernel[axis]);
  for (std::size_t i = 0; i < made.axes.size(); ++i) {
    int const axis = made.axes[i];
    require(kernel[axis] >= 1, "kernel: every extent must be at least 1, the shape is ",
            [&] { return to_string(kernel); });
    if (is_among(in_waves, axis)) {
      made.along.push_back({signal[axis], 0, signal[axis]});
      continue;
    }
    made.along.push_back(
        along(signal[axis], kernel[axis], problem.lengths[i], made.kinds[i], options));
    require(kernel[axis] <= made.along[i].length, "kernel: at most ", made.along[i].length,
            " points are possible along axis ", axis_name(axis, signal.size()), ", it has ",
            kernel[axis]);
  }
  return made;
}

Shape shape_of_result(Shape shape, Axes const& axes) {
  for (std::size_t i = 0; i < axes.axes.size(); ++i) shape[axes.axes[i]] = axes.along[i].points;
  return shape;
}

/// The options of the kernel's transform, from those of the signal's.
Options options_of_kernel(Options const& signal, std::vector<int> const& in_waves) {
  Options made = signal;
  made.fields = 1;
  made.trace.clear();
  made.own_workspace = true;
  made.padded = false;
  made.preserve_input = true;
  for (std::size_t i = made.axes.size(); i-- > 0;) {
    if (!is_among(in_waves, made.axes[i])) continue;
    auto const at = static_cast<std::ptrdiff_t>(i);
    made.axes.erase(made.axes.begin() + at);
    made.kinds.erase(made.kinds.begin() + at);
    made.lengths.erase(made.lengths.begin() + at);
  }
  return made;
}

}  // namespace

/// The kernel's transform and its coefficients.
template <class Real>
class Convolution<Real>::Kernel {
 public:
  Kernel(Plan<Real> plan, std::shared_ptr<formulas::Factors> factors, bool conjugate, bool even,
         mpi::Communicator comm)
      : plan_(std::move(plan)),
        factors_(std::move(factors)),
        conjugate_(conjugate),
        even_(even),
        comm_(std::move(comm)),
        rank_(comm_.rank()) {}

  bool is_set() const { return is_set_; }

  template <class Element>
  void take(Element const* kernel) {
    mpi::agree(comm_, kernel == nullptr && plan_.input_size() > 0
                          ? text("kernel: an array of ", plan_.input_size(),
                                 " numbers is needed on rank ", rank_, ", it has none to give")
                          : "");
    auto coefficients = spectrum_ ? spectrum_ : plan_.template allocate<Complex>();
    plan_.forward(kernel, coefficients.get());
    is_set_ = true;
    if (even_) {
      keep_reals(coefficients.get());
      return;
    }
    if (conjugate_)
      share_in_stretches(plan_.output_size(), plan_.threads(),
                         [&](Index i, int) { coefficients[i] = std::conj(coefficients[i]); });
    spectrum_ = coefficients;
    factors_->numbers = spectrum_;
    factors_->are_real = false;
  }

 private:
  void keep_reals(Complex const* coefficients) {
    Layout const& layout = plan_.output();
    formulas::Folding const folding = formulas::folding_of(layout, rank_, factors_->folded);
    if (!reals_) reals_ = std::shared_ptr<Real[]>(new Real[static_cast<std::size_t>(folding.size)]);
    Box const box = layout.box(rank_);
    for_each(layout, rank_, plan_.threads(), [&](Shape const& index, Index place) {
      Index there = 0;
      for (int axis = 0; axis < index.size(); ++axis) {
        Range const& range = box.ranges[axis];
        Index const k = (index[axis] - range.lo) / range.step;
        if (folding.number(axis, k) != k) return;
        there += k * folding.strides[axis];
      }
      reals_[there] = coefficients[place].real();
    });
    factors_->numbers = reals_;
    factors_->are_real = true;
  }

  Plan<Real> plan_;
  std::shared_ptr<formulas::Factors> factors_;
  bool conjugate_, even_;
  mpi::Communicator comm_;
  int rank_;
  bool is_set_ = false;
  std::shared_ptr<Complex[]> spectrum_;
  std::shared_ptr<Real[]> reals_;
};

template <class Real>
Shape Convolution<Real>::result_shape(Shape const& signal, Shape const& kernel,
                                      ConvolutionOptions const& options) {
  return shape_of_result(signal, axes_of(signal, kernel, options));
}

template <class Real>
Convolution<Real> Convolution<Real>::made(Layout const& signal, Layout const& kernel,
                                          Layout const* given, MPI_Comm user_comm,
                                          ConvolutionOptions const& options, Known const& known) {
  mpi::Communicator const comm = mpi::Communicator::duplicate(user_comm);
  OperatorWanted wanted{signal, std::nullopt, {options}, {.name = "times kernel"}};
  wanted.product.numbers = 1;
  wanted.product.are_real = options.even;
  mpi::together(comm, [&] {
    Axes const axes = axes_of(signal.shape(), kernel.shape(), options, known.in_waves);
    Shape const shape = shape_of_result(signal.shape(), axes);
    require(
        !given || given->shape() == shape, "result: the shape ", [&] { return to_string(shape); },
        " is needed, ", [&] { return given ? to_string(given->shape()) : ""; }, " was given");
    wanted.result = OperatorResult{
        given ? *given : schedule::resized(signal, shape, "result: a layout like the signal's")};
    OperatorResult& result = *wanted.result;
    OperatorOptions& inner = wanted.options;
    inner.axes = axes.axes;
    inner.kinds = axes.kinds;
    inner.lengths.clear();
    for (Along const& one : axes.along) {
      inner.lengths.push_back(one.length);
      result.first.push_back(one.first);
    }
    result.lengths = inner.lengths;
  });
  AlikeArguments()
      .add("kernel", kernel)
      .add("mode", options.mode)
      .add("correlate", options.correlate)
      .add("even", options.even)
      .require(comm);
  auto const factors = std::make_shared<formulas::Factors>();
  // Whether an axis is folded depends on its layout, and a folded one has the numbers of one half.
  bool const may_fold = known.is_even_along_each_axis && options.reproducible == Bits::none;
  for (std::size_t i = 0; may_fold && i < wanted.options.axes.size(); ++i)
    if (wanted.options.kinds[i] == Kind::c2c) factors->folded.push_back(wanted.options.axes[i]);
  std::optional<Layout> coefficients;
  wanted.product.formula = [&](formulas::Spectrum const& spectrum) {
    Layout const& layout = spectrum.placement().layout;
    coefficients = options.fields > 1 ? of_one_field(layout) : layout;
    return std::make_shared<formulas::TimesArray>(*coefficients, factors);
  };
  auto runner = make_operator(wanted, comm, sizeof(Real));
  auto kept = std::make_shared<Kernel>(
      Plan<Real>(kernel, *coefficients, comm, options_of_kernel(wanted.options, known.in_waves)),
      factors, options.correlate, options.even, comm);
  return {std::move(kept), std::move(runner)};
}

template <class Real>
Convolution<Real>::Convolution(std::shared_ptr<Kernel> kernel,
                               std::unique_ptr<runners::CompositionRunner> runner) noexcept
    : Planned<Real>(std::move(runner)), kernel_(std::move(kernel)) {}

template <class Real>
Convolution<Real>::Convolution(Layout const& signal, Layout const& kernel, MPI_Comm comm,
                               ConvolutionOptions const& options)
    : Convolution(made(signal, kernel, nullptr, comm, options)) {}

template <class Real>
Convolution<Real>::Convolution(Layout const& signal, Layout const& kernel, Layout const& result,
                               MPI_Comm comm, ConvolutionOptions const& options)
    : Convolution(made(signal, kernel, &result, comm, options)) {}

template <class Real>
template <class Element>
void Convolution<Real>::take_kernel(Element const* kernel) {
  require_number(this->runner(),
                 std::is_same_v<Element, Real> ? layout::Number::real : layout::Number::complex,
                 "convolution");
  kernel_->take(kernel);
}

template <class Real>
void Convolution<Real>::set_kernel(Complex const* kernel) {
  take_kernel(kernel);
}

template <class Real>
void Convolution<Real>::set_kernel(Real const* kernel) {
  take_kernel(kernel);
}

template <class Real>
template <class Element>
void Convolution<Real>::convolve(Element const* in, Element* out) {
  require_number(this->runner(),
                 std::is_same_v<Element, Real> ? layout::Number::real : layout::Number::complex,
                 "convolution");
  require(kernel_->is_set(), "kernel: there is none yet; call set_kernel() first");
  this->runner().execute(in, out, Direction::forward, Scale::none, false, Scale::by_n);
}

template <class Real>
void Convolution<Real>::apply(Complex const* in, Complex* out) {
  convolve(in, out);
}

template <class Real>
void Convolution<Real>::apply(Real const* in, Real* out) {
  convolve(in, out);
}

template class Convolution<float>;
template class Convolution<double>;

}  // namespace sixstep
