// SPDX-License-Identifier: BSD-3-Clause
#include "by_codelets.hpp"

#include <algorithm>
#include <complex>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "coefficients.hpp"
#include "described.hpp"
#include "local/kernels/codelets.hpp"
#include "local/kernels/matrix_product.hpp"
#include "pass.hpp"
#include "scratch.hpp"

namespace sixstep::fftw {

namespace {

using Complex = std::complex<Real>;
using Makers = local::CodeletMakers<Real>;

/// The most complex numbers of a box: longer passes are as fast.
constexpr Index most_box_points = 4096;

/// One contiguous column.
template <class In, class Out>
class OneColumn : public Described {
 public:
  OneColumn(Problem const& problem, std::unique_ptr<local::Codelet<In, Out> const> codelet)
      : Described(problem, "codelet"), codelet_(std::move(codelet)) {}

  void execute(Arrays<Real> const& arrays) const override {
    codelet_->run(reinterpret_cast<In const*>(arrays.re_in), reinterpret_cast<Out*>(arrays.re_out));
  }

 private:
  std::unique_ptr<local::Codelet<In, Out> const> codelet_;
};

template <class In, class Out>
std::unique_ptr<PlanObject<Real>> one_column(
    Problem const& problem, std::unique_ptr<local::Codelet<In, Out> const> codelet) {
  if (codelet == nullptr) return nullptr;
  return std::make_unique<OneColumn<In, Out>>(problem, std::move(codelet));
}

/// A transform of a few reals to reals, as the product with a matrix.
class ByMatrix : public local::Codelet<Real, Real> {
 public:
  /// `elements` are [point][result].
  ByMatrix(Index points, std::vector<Real> elements, local::MultiplyColumn<Real> multiply)
      : points_(points), elements_(std::move(elements)), multiply_(multiply) {}

  void run(Real const* in, Real* out) const override {
    multiply_(in, points_, elements_.data(), out);
  }

 private:
  Index points_;
  std::vector<Real> elements_;
  local::MultiplyColumn<Real> multiply_;
};

/// Null without a function for n results.
std::unique_ptr<local::Codelet<Real, Real> const> by_matrix(R2r kind, Index n) {
  auto const multiply = local::column_multiplier<Real>(n, local::chosen_target());
  if (multiply == nullptr) return nullptr;
  std::vector<Real> elements;
  for (Index j = 0; j < n; ++j)
    for (Index k = 0; k < n; ++k) elements.push_back(coefficient(kind, n, j, k));
  return std::make_unique<ByMatrix>(n, std::move(elements), multiply);
}

/// Longer products are less exact than codelets.
constexpr Index most_matrix_points = 16;

/// Whether a matrix takes less time than other codelets.
bool suits_matrix(R2r kind, Index n) {
  constexpr Index most_odd = 7;
  return kind > FFTW_DHT ? n <= most_matrix_points : n % 2 == 1 && n <= most_odd;
}

std::unique_ptr<local::Codelet<Real, Real> const> real_codelet(R2r kind, Index n) {
  local::Target const target = local::chosen_target();
  if (suits_matrix(kind, n))
    if (auto product = by_matrix(kind, n)) return product;
  if (kind > FFTW_DHT) return local::make_cosine_codelet<Real>(kind_of(kind), n, target);
  auto const makers = local::codelet_makers<Real>(target);
  if (kind == FFTW_HC2R) return makers.from_half_complex(n);
  return makers.to_reals(
      n, kind == FFTW_DHT ? local::RealOrder::hartley : local::RealOrder::half_complex);
}

/// Several axes of complex numbers without gaps, all but the last of them, which rows have: from
/// the second to last to the first.
class OtherAxes {
 public:
  /// `last` counts the complex numbers of a row.
  OtherAxes(Axes const& axes, Index last, bool backward, Makers const& makers) {
    Index columns = last;
    for (std::size_t i = axes.size() - 1; i-- > 0; columns *= axes[i].n)
      axes_.push_back({makers.columns(axes[i].n, backward), axes[i].n, columns});
    points_ = columns;
  }

  bool are_there() const {
    return std::all_of(axes_.begin(), axes_.end(),
                       [](auto const& axis) { return axis.codelet != nullptr; });
  }

  /// The arrays begin at the same address or do not overlap.
  void run(Complex const* in, Complex* out) const {
    for (auto const& [codelet, n, columns] : axes_) {
      for (Index begin = 0; begin < points_; begin += n * columns)
        codelet->run(in + begin, out + begin, columns);
      in = out;
    }
  }

 private:
  struct OneAxis {
    std::unique_ptr<local::ColumnsCodelet<Real> const> codelet;
    Index n;
    Index columns;
  };

  std::vector<OneAxis> axes_;
  Index points_;
};

/// The rows of a problem: their number, and the reals between them on each side.
struct Rows {
  Index count = 1;
  Index in = 0;
  Index out = 0;
};

/// Forward, and c2c: rows, then the other axes in place. c2r: the other axes into memory of its
/// own, then rows.
template <class In, class Out>
class Box : public Described {
 public:
  Box(Problem const& problem, Rows rows, std::unique_ptr<local::Codelet<In, Out> const> codelet,
      OtherAxes others)
      : Described(problem, "codelets"),
        rows_(rows),
        codelet_(std::move(codelet)),
        others_(std::move(others)) {}

  void execute(Arrays<Real> const& arrays) const override {
    if constexpr (std::is_same_v<Out, Real>) {
      Scratch const scratch(*memory_, most_box_points * sizeof(Complex));
      auto* const numbers = reinterpret_cast<Real*>(scratch.get());
      others_.run(complex(arrays.re_in), complex(numbers));
      run_rows(numbers, arrays.re_out);
    } else {
      run_rows(arrays.re_in, arrays.re_out);
      others_.run(complex(arrays.re_out), complex(arrays.re_out));
    }
  }

 private:
  static Complex* complex(Real* reals) { return reinterpret_cast<Complex*>(reals); }

  void run_rows(Real const* in, Real* out) const {
    for (Index row = 0; row < rows_.count; ++row)
      codelet_->run(reinterpret_cast<In const*>(in + row * rows_.in),
                    reinterpret_cast<Out*>(out + row * rows_.out));
  }

  Rows rows_;
  std::unique_ptr<local::Codelet<In, Out> const> codelet_;
  OtherAxes others_;
  std::shared_ptr<serial::Blocks> memory_ = serial::Blocks::of_process();
};

template <class In, class Out>
std::unique_ptr<PlanObject<Real>> box(Problem const& problem, Rows rows, OtherAxes others,
                                      std::unique_ptr<local::Codelet<In, Out> const> codelet) {
  if (codelet == nullptr || !others.are_there()) return nullptr;
  return std::make_unique<Box<In, Out>>(problem, rows, std::move(codelet), std::move(others));
}

/// Whether rows follow each other at equal distances on each side, without gaps on the sides of
/// complex numbers.
bool has_even_rows(Problem const& problem) {
  Axes const& axes = problem.axes;
  std::size_t const last = axes.size() - 1;
  for (std::size_t i = 0; i + 1 < last; ++i)
    if (axes[i].in != axes[i + 1].in * axes[i + 1].n ||
        axes[i].out != axes[i + 1].out * axes[i + 1].n)
      return false;
  auto const has_no_gaps = [&](Index distance, Index points) { return distance == 2 * points; };
  return (problem.imaginary_in == 0 ||
          has_no_gaps(axes[last - 1].in, input_points(problem, last))) &&
         (problem.imaginary_out == 0 ||
          has_no_gaps(axes[last - 1].out, output_points(problem, last)));
}

std::unique_ptr<PlanObject<Real>> by_codelets_of_axes(Problem const& problem) {
  if (problem.numbers == Numbers::r2r || !has_even_rows(problem)) return nullptr;
  std::size_t const last = problem.axes.size() - 1;
  Rows rows{1, problem.axes[last - 1].in, problem.axes[last - 1].out};
  for (std::size_t i = 0; i < last; ++i) rows.count *= problem.axes[i].n;
  if (problem.in_place && rows.in != rows.out) return nullptr;
  Index const n = problem.axes[last].n;
  Index const numbers = problem.numbers == Numbers::c2c ? n : n / 2 + 1;
  if (rows.count * numbers > most_box_points) return nullptr;
  auto const makers = local::codelet_makers<Real>(local::chosen_target());
  bool const backward =
      problem.numbers == Numbers::c2c ? problem.plus : problem.numbers == Numbers::c2r;
  OtherAxes others(problem.axes, numbers, backward, makers);
  switch (problem.numbers) {
    case Numbers::c2c:
      return box(problem, rows, std::move(others), makers.complex(n, backward));
    case Numbers::r2c:
      return box(problem, rows, std::move(others), makers.r2c(n, false));
    default:
      return box(problem, rows, std::move(others), makers.c2r(n, true));
  }
}

std::unique_ptr<PlanObject<Real>> by_codelet_of_axis(Problem const& problem) {
  Index const n = problem.axes[0].n;
  auto const makers = local::codelet_makers<Real>(local::chosen_target());
  switch (problem.numbers) {
    case Numbers::c2c:
      return one_column(problem, makers.complex(n, problem.plus));
    case Numbers::r2c:
      return one_column(problem, makers.r2c(n, false));
    case Numbers::c2r:
      return one_column(problem, makers.c2r(n, true));
    case Numbers::r2r:
      return one_column(problem, real_codelet(problem.kinds[0], n));
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<PlanObject<Real>> by_codelets(Problem const& problem) {
  if (problem.axes.empty() || !problem.loops.empty()) return nullptr;
  if (!has_interleaved_input(problem) || !has_interleaved_output(problem)) return nullptr;
  Axis const& last = problem.axes.back();
  if (last.in != (problem.imaginary_in == 0 ? 1 : 2)) return nullptr;
  if (last.out != (problem.imaginary_out == 0 ? 1 : 2)) return nullptr;
  return problem.axes.size() == 1 ? by_codelet_of_axis(problem) : by_codelets_of_axes(problem);
}

}  // namespace sixstep::fftw
