// SPDX-License-Identifier: BSD-3-Clause
// A column is copied to another order, transformed, and its results are made of the coefficients.
#include "local/cosines_alone.hpp"

#include <algorithm>
#include <complex>
#include <string>
#include <type_traits>
#include <vector>

#include "base/memory.hpp"
#include "local/kernels/real_kernels.hpp"
#include "local/kernels/short_real_columns.hpp"
#include "local/numbers/real_factors.hpp"
#include "local/numbers/real_tables.hpp"
#include "local/numbers/roots.hpp"
#include "local/one_column.hpp"
#include "local/real_blocks.hpp"
#include "local/shared_transforms.hpp"
#include "local/targets.hpp"

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

/// An r2c or c2r of n points inside a transform, with a column of reals and one of coefficients in
/// its scratch memory.
template <class In, class Out>
class Inside {
 public:
  using Real = typename RealOf<In>::type;
  using Complex = std::complex<Real>;

  explicit Inside(Index n)
      : n_(n), transform_(shared_transform<In, Out>(Kind::r2c, n, Local::own, {})) {}

  Index n() const { return n_; }
  std::string describe() const { return transform_->describe(); }
  std::size_t scratch_bytes() const { return columns_bytes() + transform_->scratch_bytes(); }
  Real* reals(std::byte* scratch) const { return reinterpret_cast<Real*>(scratch); }
  Complex* spectrum(std::byte* scratch) const {
    return reinterpret_cast<Complex*>(scratch + reals_bytes());
  }
  void run(Real scale, std::byte* scratch) const {
    std::byte* const after = scratch + reals_bytes();  // the column of coefficients
    constexpr bool is_forward = std::is_same_v<In, Real>;
    transform_->run(
        {.in = {reinterpret_cast<In const*>(is_forward ? scratch : after), RowMap::every(1), n_},
         .out = {reinterpret_cast<Out*>(is_forward ? after : scratch), RowMap::every(1), n_},
         .columns = 1,
         .scale = scale},
        scratch + columns_bytes());
  }

 private:
  std::size_t reals_bytes() const { return aligned(static_cast<std::size_t>(n_) * sizeof(Real)); }
  std::size_t columns_bytes() const {
    return reals_bytes() + aligned(static_cast<std::size_t>(n_ / 2 + 1) * sizeof(Complex));
  }

  Index n_;
  std::shared_ptr<Transform<In, Out> const> transform_;
};

/// Kinds I by an r2c of the column and its mirror image: all points of a period.
template <class Real>
class Mirrored final : public Alone<Real> {
 public:
  Mirrored(Kind kind, Index n)
      : Alone<Real>(n), sines_(kind == Kind::dst1), reals_(2 * (sines_ ? n + 1 : n - 1)) {}

  std::string describe() const override { return reals_.describe(); }
  std::size_t scratch_bytes() const override { return reals_.scratch_bytes(); }

 private:
  void transform(Real const* in, Real* out, Real scale, std::byte* scratch) const override {
    Index const n = this->n(), period = reals_.n();
    Real* const x = reals_.reals(scratch);
    std::complex<Real> const* const X = reals_.spectrum(scratch);
    if (sines_) {
      x[0] = x[n + 1] = 0;
      for (Index j = 0; j < n; ++j) x[j + 1] = in[j];
      for (Index j = 0; j < n; ++j) x[period - 1 - j] = -in[j];
    } else {
      for (Index j = 0; j < n; ++j) x[j] = in[j];
      for (Index j = 1; j < n - 1; ++j) x[period - j] = in[j];
    }
    reals_.run(scale, scratch);
    if (sines_)
      for (Index k = 0; k < n; ++k) out[k] = -X[k + 1].imag();
    else
      for (Index k = 0; k < n; ++k) out[k] = X[k].real();
  }

  bool sines_;
  Inside<Real, std::complex<Real>> reals_;  // a period
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

/// Kinds II of odd n by an r2c of the folded column, kinds III by a c2r to it.
template <class In, class Out>
class OddCosines final : public Alone<typename RealOf<In>::type> {
  using Real = typename RealOf<In>::type;

 public:
  OddCosines(Kind kind, Index n)
      : Alone<Real>(n),
        sines_(kind == Kind::dst2 || kind == Kind::dst3),
        reals_(n),
        kernels_(real_kernels<Real>()),
        factors_(odd_cosine_factors<Real>(n)) {}

  std::string describe() const override { return reals_.describe(); }
  std::size_t scratch_bytes() const override { return reals_.scratch_bytes(); }

 private:
  void transform(Real const* in, Real* out, Real scale, std::byte* scratch) const override {
    Index const n = this->n();
    Real* const folded = reals_.reals(scratch);
    Real const sign = sines_ ? -1 : 1;
    if constexpr (std::is_same_v<In, Real>) {
      kernels_.fold(in, n, sign, folded);
      reals_.run(scale, scratch);
      kernels_.split_odd_cosines(reals_.spectrum(scratch), factors_, n, sines_, out);
    } else {
      kernels_.join_odd_cosines(in, factors_, n, sines_, reals_.spectrum(scratch));
      reals_.run(scale, scratch);
      kernels_.unfold(folded, n, sign, out);
    }
  }

  bool sines_;
  Inside<In, Out> reals_;
  RealKernels<Real> kernels_;
  typename CosineFactors<Real>::Parts factors_;
};

/// Kinds IV of odd n, as an Analysis describes them.
template <class Real>
class OddFourth final : public Alone<Real> {
 public:
  OddFourth(Kind kind, Index n) : Alone<Real>(n), tables_(analysis<Real>(kind, n)), reals_(n) {}

  std::string describe() const override { return reals_.describe(); }
  std::size_t scratch_bytes() const override { return reals_.scratch_bytes(); }

 private:
  void transform(Real const* in, Real* out, Real scale, std::byte* scratch) const override {
    Real* const x = reals_.reals(scratch);
    std::complex<Real> const* const X = reals_.spectrum(scratch);
    std::transform(tables_.picks.begin(), tables_.picks.end(), x,
                   [&](Pick<Real> const& pick) { return pick.sign * in[pick.row]; });
    reals_.run(scale, scratch);
    std::transform(tables_.mixes.begin(), tables_.mixes.end(), out, [&](Mix<Real> const& mix) {
      return mix.re * X[mix.row].real() + mix.im * X[mix.row].imag();
    });
  }

  Analysis<Real> tables_;
  Inside<Real, std::complex<Real>> reals_;
};

/// A kernel for the length does all the work, in registers.
template <class Real>
class Short final : public Transform<Real> {
 public:
  Short(Kind kind, Index n, ShortTransform<Real> kernel) : n_(n), kernel_(kernel) {
    bool const is_second = kind == Kind::dct2 || kind == Kind::dst2;
    Real const times = is_second ? 2 : 1;
    for (Index k = 0; 2 * k <= n; ++k) {
      std::complex<Real> const w = root<Real>(k, 4 * n);
      factors_.insert(factors_.end(), {times * w.real(), -times * w.imag()});
    }
    if (n % 2 == 0) factors_[static_cast<std::size_t>(n)] = 2 * root<Real>(1, 8).real();
  }

  Index n() const override { return n_; }
  Index lanes() const override { return 1; }
  std::size_t scratch_bytes() const override { return 0; }
  std::string describe() const override { return "straight code"; }
  void run(Batch<Real> const& batch, std::byte*) const override {
    check(batch);
    kernel_({batch.in.data + batch.in.row[0], batch.out.data + batch.out.row[0], batch.in.lane,
             batch.out.lane, batch.columns, batch.scale, factors_.data()});
  }

 private:
  Index n_;
  ShortTransform<Real> kernel_;
  std::vector<Real> factors_;
};

}  // namespace

template <class Real>
std::unique_ptr<Transform<Real>> make_short_cosines(Kind kind, Index n) {
  ShortTransform<Real> const kernel = short_transform<Real>(kind, false, n, chosen_target());
  if (kernel == nullptr) return nullptr;
  return std::make_unique<Short<Real>>(kind, n, kernel);
}

template std::unique_ptr<Transform<float>> make_short_cosines(Kind, Index);
template std::unique_ptr<Transform<double>> make_short_cosines(Kind, Index);

template <class Real>
std::unique_ptr<Transform<Real>> make_cosines_alone(Kind kind, Index n) {
  bool const third = kind == Kind::dct3 || kind == Kind::dst3;
  bool const second = kind == Kind::dct2 || kind == Kind::dst2;
  if (kind == Kind::dct1 || kind == Kind::dst1) return std::make_unique<Mirrored<Real>>(kind, n);
  if (n % 2 == 0 && (second || third)) return nullptr;
  if (n % 2 == 0) return std::make_unique<Fourth<Real>>(kind, n);
  if (third) return std::make_unique<OddCosines<std::complex<Real>, Real>>(kind, n);
  if (second) return std::make_unique<OddCosines<Real, std::complex<Real>>>(kind, n);
  return std::make_unique<OddFourth<Real>>(kind, n);
}

template std::unique_ptr<Transform<float>> make_cosines_alone(Kind, Index);
template std::unique_ptr<Transform<double>> make_cosines_alone(Kind, Index);

}  // namespace sixstep::local
