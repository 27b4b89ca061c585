// SPDX-License-Identifier: BSD-3-Clause
#include "by_codelets.hpp"

#include <complex>
#include <memory>
#include <utility>
#include <vector>

#include "coefficients.hpp"
#include "described.hpp"
#include "local/kernels/codelets.hpp"
#include "local/kernels/matrix_product.hpp"
#include "pass.hpp"

namespace sixstep::fftw {

namespace {

using Complex = std::complex<Real>;

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

}  // namespace

std::unique_ptr<PlanObject<Real>> by_codelets(Problem const& problem) {
  if (problem.axes.size() != 1 || !problem.loops.empty()) return nullptr;
  if (!has_interleaved_input(problem) || !has_interleaved_output(problem)) return nullptr;
  Axis const& axis = problem.axes[0];
  if (axis.in != (problem.imaginary_in == 0 ? 1 : 2)) return nullptr;
  if (axis.out != (problem.imaginary_out == 0 ? 1 : 2)) return nullptr;
  auto const makers = local::codelet_makers<Real>(local::chosen_target());
  switch (problem.numbers) {
    case Numbers::c2c:
      return one_column(problem, makers.complex(axis.n, problem.plus));
    case Numbers::r2c:
      return one_column(problem, makers.r2c(axis.n, false));
    case Numbers::c2r:
      return one_column(problem, makers.c2r(axis.n, true));
    case Numbers::r2r:
      return one_column(problem, real_codelet(problem.kinds[0], axis.n));
  }
  return nullptr;
}

}  // namespace sixstep::fftw
