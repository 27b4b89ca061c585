// SPDX-License-Identifier: BSD-3-Clause
#include "by_matrices.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "coefficients.hpp"
#include "described.hpp"
#include "local/kernels/matrix_product.hpp"
#include "scratch.hpp"

namespace sixstep::fftw {

namespace {

using Multiply = local::MultiplyMatrices<Real>;

/// Longer axes take less time in passes.
constexpr Index most_points_of_axis = 24;
constexpr Index most_points = 4096;

/// One axis: the products that transform it, for all columns of the array.
struct AxisMatrix {
  Index n;
  Index columns;               // that lie side by side; 1 for the last axis
  std::vector<Real> elements;  // [result][point]; of the last axis [point][result]
};

AxisMatrix matrix_of(R2r kind, Index n, Index columns) {
  AxisMatrix matrix{n, columns, std::vector<Real>(static_cast<std::size_t>(n * n))};
  for (Index j = 0; j < n; ++j)
    for (Index k = 0; k < n; ++k)
      matrix.elements[static_cast<std::size_t>(columns == 1 ? j * n + k : k * n + j)] =
          coefficient(kind, n, j, k);
  return matrix;
}

/// Axis after axis, the last one first, from one block of scratch to another, and from there to the
/// output: it may be the input.
class ByMatrices : public Described {
 public:
  ByMatrices(Problem const& problem, Multiply multiply)
      : Described(problem, "matrices"), multiply_(multiply) {
    for (std::size_t i = problem.axes.size(); i-- > 0; points_ *= problem.axes[i].n)
      axes_.push_back(matrix_of(problem.kinds[i], problem.axes[i].n, points_));
    copies_ = problem.in_place && axes_.size() == 1;
  }

  void execute(Arrays<Real> const& arrays) const override {
    Scratch const scratch(*memory_, 2 * static_cast<std::size_t>(points_) * sizeof(Real));
    auto* const first = reinterpret_cast<Real*>(scratch.get());
    Real const* source = arrays.re_in;
    if (copies_) {
      std::copy_n(source, points_, first);
      source = first;
    }
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      Real* const target =
          i + 1 == axes_.size() ? arrays.re_out : first + (i % 2 == 0 ? 0 : points_);
      run(axes_[i], source, target);
      source = target;
    }
  }

 private:
  void run(AxisMatrix const& axis, Real const* in, Real* out) const {
    Index const n = axis.n, columns = axis.columns;
    Real const* const elements = axis.elements.data();
    if (columns == 1) return multiply_({in, elements, out, n, n, n, points_ / n, n, n});
    for (Index at = 0; at < points_; at += n * columns)
      multiply_({elements, in + at, out + at, n, columns, columns, n, n, columns});
  }

  Multiply multiply_;
  std::vector<AxisMatrix> axes_;  // the last axis first
  Index points_ = 1;
  bool copies_ = false;  // the input, which the only product would overwrite
  std::shared_ptr<serial::Blocks> memory_ = serial::Blocks::of_process();
};

bool is_contiguous(Axes const& axes) {
  Index distance = 1;
  for (std::size_t i = axes.size(); i-- > 0; distance *= axes[i].n)
    if (axes[i].in != distance || axes[i].out != distance) return false;
  return distance <= most_points;
}

bool has_short_axes(Problem const& problem) {
  return std::all_of(problem.axes.begin(), problem.axes.end(),
                     [](Axis const& axis) { return axis.n <= most_points_of_axis; });
}

}  // namespace

std::unique_ptr<PlanObject<Real>> by_matrices(Problem const& problem) {
  if (problem.numbers != Numbers::r2r || problem.axes.empty() || !problem.loops.empty())
    return nullptr;
  if (!is_contiguous(problem.axes) || !has_short_axes(problem)) return nullptr;
  Multiply const multiply = local::matrix_multiplier<Real>(local::chosen_target());
  return multiply == nullptr ? nullptr : std::make_unique<ByMatrices>(problem, multiply);
}

}  // namespace sixstep::fftw
