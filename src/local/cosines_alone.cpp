// SPDX-License-Identifier: BSD-3-Clause
// A column is copied to another order, transformed, and its results are made of the coefficients.
#include "local/cosines_alone.hpp"

#include <algorithm>
#include <complex>
#include <string>
#include <utility>
#include <vector>

#include "base/memory.hpp"
#include "local/numbers/real_tables.hpp"
#include "local/numbers/roots.hpp"
#include "local/one_column.hpp"
#include "local/real_blocks.hpp"
#include "local/shared_transforms.hpp"

namespace sixstep::local {

namespace {

/// Calls transform(in, out, scratch) for each column of a batch.
template <class Real>
class Alone : public Transform<Real> {
 public:
  Index n() const final { return n_; }
  Index lanes() const final { return 1; }
  void run(Batch<Real> const& batch, std::byte* scratch) const final {
    check(batch);
    for (Index c = 0; c < batch.columns; ++c)
      transform(batch.in.data + batch.in.row[0] + c * batch.in.lane,
                batch.out.data + batch.out.row[0] + c * batch.out.lane, batch.scale, scratch);
  }

 protected:
  explicit Alone(Index n) : n_(n) {}
  virtual void transform(Real const* in, Real* out, Real scale, std::byte* scratch) const = 0;

 private:
  Index n_;
};

/// Kinds I by an r2c of the column and its mirror image: all points of a period.
template <class Real>
class Mirrored final : public Alone<Real> {
 public:
  Mirrored(Kind kind, Index n)
      : Alone<Real>(n),
        sines_(kind == Kind::dst1),
        period_(2 * (sines_ ? n + 1 : n - 1)),
        reals_(shared_transform<Real, std::complex<Real>>(Kind::r2c, period_, Local::own, {})) {}

  std::string describe() const override { return reals_->describe(); }
  std::size_t scratch_bytes() const override {
    return reals_bytes() + spectrum_bytes() + reals_->scratch_bytes();
  }

 private:
  std::size_t reals_bytes() const {
    return aligned(static_cast<std::size_t>(period_) * sizeof(Real));
  }
  std::size_t spectrum_bytes() const {
    return aligned(static_cast<std::size_t>(period_ / 2 + 1) * sizeof(std::complex<Real>));
  }

  void transform(Real const* in, Real* out, Real scale, std::byte* scratch) const override {
    Index const n = this->n();
    auto* const x = reinterpret_cast<Real*>(scratch);
    auto* const X = reinterpret_cast<std::complex<Real>*>(scratch + reals_bytes());
    if (sines_) {
      x[0] = x[n + 1] = 0;
      for (Index j = 0; j < n; ++j) x[j + 1] = in[j];
      for (Index j = 0; j < n; ++j) x[period_ - 1 - j] = -in[j];
    } else {
      for (Index j = 0; j < n; ++j) x[j] = in[j];
      for (Index j = 1; j < n - 1; ++j) x[period_ - j] = in[j];
    }
    reals_->run({.in = {x, RowMap::every(1), period_},
                 .out = {X, RowMap::every(1), period_},
                 .columns = 1,
                 .scale = scale},
                scratch + reals_bytes() + spectrum_bytes());
    if (sines_)
      for (Index k = 0; k < n; ++k) out[k] = -X[k + 1].imag();
    else
      for (Index k = 0; k < n; ++k) out[k] = X[k].real();
  }

  bool sines_;
  Index period_;
  std::shared_ptr<Transform<Real, std::complex<Real>> const> reals_;
};

/// Kinds IV of even n, by n/2 complex points; r2r_transform.cpp has the formula.
template <class Real>
class Fourth final : public Alone<Real> {
 public:
  using Complex = std::complex<Real>;

  Fourth(Kind kind, Index n)
      : Alone<Real>(n), sines_(kind == Kind::dst4), complex_(shared_one_column<Real>(n / 2)) {
    Roots const roots(8 * n);
    for (Index j = 0; j < n / 2; ++j) {
      before_.push_back(roots.at<Real>(4 * j + 1));
      after_.push_back(Real{2} * roots.at<Real>(4 * j));
    }
  }

  std::string describe() const override { return complex_->describe(); }
  std::size_t scratch_bytes() const override { return column_bytes() + complex_->scratch_bytes(); }

 private:
  std::size_t column_bytes() const {
    return aligned(static_cast<std::size_t>(this->n() / 2) * sizeof(Complex));
  }

  static Complex product(Real re, Real im, Complex w) {
    return {re * w.real() - im * w.imag(), re * w.imag() + im * w.real()};
  }

  void transform(Real const* in, Real* out, Real scale, std::byte* scratch) const override {
    Index const last = this->n() - 1, m = this->n() / 2;
    auto* const z = reinterpret_cast<Complex*>(scratch);
    Complex const *const before = before_.data(), *const after = after_.data();
    if (sines_)
      for (Index j = 0; j < m; ++j) z[j] = product(in[last - 2 * j], in[2 * j], before[j]);
    else
      for (Index j = 0; j < m; ++j) z[j] = product(in[2 * j], in[last - 2 * j], before[j]);
    complex_->run({.in = {z, RowMap::every(1), m},
                   .out = {z, RowMap::every(1), m},
                   .columns = 1,
                   .scale = scale},
                  scratch + column_bytes());
    Real const sign = sines_ ? 1 : -1;
    for (Index k = 0; k < m; ++k) {
      Complex const y = product(z[k].real(), z[k].imag(), after[k]);
      out[2 * k] = y.real();
      out[last - 2 * k] = sign * y.imag();
    }
  }

  bool sines_;
  std::shared_ptr<Transform<Complex> const> complex_;
  std::vector<Complex> before_, after_;
};

/// What an Analysis describes.
template <class Real>
class OneAnalysed final : public Alone<Real> {
 public:
  OneAnalysed(Kind kind, Index n)
      : Alone<Real>(n),
        tables_(analysis<Real>(kind, n)),
        reals_(shared_transform<Real, std::complex<Real>>(Kind::r2c, n, Local::own, {})) {}

  std::string describe() const override { return reals_->describe(); }
  std::size_t scratch_bytes() const override {
    return reals_bytes() + spectrum_bytes() + reals_->scratch_bytes();
  }

 private:
  std::size_t reals_bytes() const {
    return aligned(static_cast<std::size_t>(this->n()) * sizeof(Real));
  }
  std::size_t spectrum_bytes() const {
    return aligned(static_cast<std::size_t>(this->n() / 2 + 1) * sizeof(std::complex<Real>));
  }

  void transform(Real const* in, Real* out, Real scale, std::byte* scratch) const override {
    auto* const x = reinterpret_cast<Real*>(scratch);
    auto* const X = reinterpret_cast<std::complex<Real>*>(scratch + reals_bytes());
    std::transform(tables_.picks.begin(), tables_.picks.end(), x,
                   [&](Pick<Real> const& pick) { return pick.sign * in[pick.row]; });
    reals_->run({.in = {x, RowMap::every(1), this->n()},
                 .out = {X, RowMap::every(1), this->n()},
                 .columns = 1,
                 .scale = scale},
                scratch + reals_bytes() + spectrum_bytes());
    std::transform(tables_.mixes.begin(), tables_.mixes.end(), out, [&](Mix<Real> const& mix) {
      return mix.re * X[mix.row].real() + mix.im * X[mix.row].imag();
    });
  }

  Analysis<Real> tables_;
  std::shared_ptr<Transform<Real, std::complex<Real>> const> reals_;
};

/// What a Synthesis describes.
template <class Real>
class OneSynthesised final : public Alone<Real> {
 public:
  OneSynthesised(Kind kind, Index n)
      : Alone<Real>(n),
        tables_(synthesis<Real>(kind, n)),
        reals_(shared_transform<std::complex<Real>, Real>(Kind::r2c, n, Local::own, {})) {}

  std::string describe() const override { return reals_->describe(); }
  std::size_t scratch_bytes() const override {
    return reals_bytes() + spectrum_bytes() + reals_->scratch_bytes();
  }

 private:
  std::size_t reals_bytes() const {
    return aligned(static_cast<std::size_t>(this->n()) * sizeof(Real));
  }
  std::size_t spectrum_bytes() const {
    return aligned(tables_.spreads.size() * sizeof(std::complex<Real>));
  }

  void transform(Real const* in, Real* out, Real scale, std::byte* scratch) const override {
    auto* const x = reinterpret_cast<Real*>(scratch);
    auto* const X = reinterpret_cast<std::complex<Real>*>(scratch + reals_bytes());
    // Reals: GCC 12 makes complex numbers of them by way of memory, which takes longer.
    auto* parts = reinterpret_cast<Real*>(X);
    for (Spread<Real> const& spread : tables_.spreads) {
      Real const a = in[spread.a], b = in[spread.b];
      *parts++ = a * spread.cosine + b * spread.sine;
      *parts++ = a * spread.sine - b * spread.cosine;
    }
    reals_->run({.in = {X, RowMap::every(1), this->n()},
                 .out = {x, RowMap::every(1), this->n()},
                 .columns = 1,
                 .scale = scale},
                scratch + reals_bytes() + spectrum_bytes());
    for (std::size_t j = 0; j < tables_.picks.size(); ++j)
      out[tables_.picks[j].row] = tables_.picks[j].sign * x[j];
  }

  Synthesis<Real> tables_;
  std::shared_ptr<Transform<std::complex<Real>, Real> const> reals_;
};

}  // namespace

template <class Real>
std::unique_ptr<Transform<Real>> make_cosines_alone(Kind kind, Index n) {
  bool const third = kind == Kind::dct3 || kind == Kind::dst3;
  bool const second = kind == Kind::dct2 || kind == Kind::dst2;
  if (kind == Kind::dct1 || kind == Kind::dst1) return std::make_unique<Mirrored<Real>>(kind, n);
  if (n % 2 == 0 && (second || third)) return nullptr;
  if (n % 2 == 0) return std::make_unique<Fourth<Real>>(kind, n);
  if (third) return std::make_unique<OneSynthesised<Real>>(kind, n);
  return std::make_unique<OneAnalysed<Real>>(kind, n);
}

template std::unique_ptr<Transform<float>> make_cosines_alone(Kind, Index);
template std::unique_ptr<Transform<double>> make_cosines_alone(Kind, Index);

}  // namespace sixstep::local
