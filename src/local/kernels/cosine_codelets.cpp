// SPDX-License-Identifier: BSD-3-Clause
// Cosine and sine transforms of types II and III of one contiguous column, by a codelet of as many
// reals.
//
// Makhoul (1980), doi:10.1109/TASSP.1980.1163351: v holds x[0], x[2], ... and then ..., x[3], x[1].
// With V = r2c of v and W[k] = 2 exp(-i pi k / 2n) V[k], type II is Re W[k] at k and -Im W[k] at
// n - k. Type III is the inverse times 2n. A sine transform is a cosine transform of elements with
// alternating signs, in reverse order.
#include <utility>
#include <vector>

#include "local/kernels/codelets.hpp"
#include "local/numbers/primes.hpp"
#include "local/numbers/roots.hpp"

namespace sixstep::local {
namespace {

constexpr Index largest_fast_prime = 13;

/// The most points of a codelet: beyond these, columns of an even number are faster in vectors,
/// unless it has a large prime factor, or half of it is odd and vectors hold many.
template <class Real>
Index most_cosines(Index n) {
  if (n % 2 == 1 || prime_factors(n).back() > largest_fast_prime) return most_codelet_points;
  if (n % 4 == 0) return 120;
  return sizeof(Real) == sizeof(float) ? most_codelet_points : 200;
}

/// Coefficients that are not set to zero first, as std::complex would be.
template <class Real>
class Spectrum {
 public:
  std::complex<Real>* data() { return reinterpret_cast<std::complex<Real>*>(parts_); }

 private:
  alignas(64) Real parts_[most_codelet_points + 2];
};

/// The tables of n points.
template <class Real>
struct Cosines {
  using Complex = std::complex<Real>;

  explicit Cosines(Index points) : n(points) {
    for (Index k = 0; 2 * k <= n; ++k) factors.push_back(Real{2} * root<Real>(k, 4 * n));
  }

  Index n;
  std::vector<Complex> factors;  // 2 exp(-i pi k / 2n)
};

template <class Real, bool sine>
class SecondType final : public Codelet<Real, Real> {
  using Complex = std::complex<Real>;

 public:
  SecondType(Index n, std::unique_ptr<Codelet<Real, Complex> const> r2c)
      : cosines_(n), r2c_(std::move(r2c)) {}

  void run(Real const* in, Real* out) const override {
    Index const n = cosines_.n;
    Real v[most_codelet_points];
    Spectrum<Real> memory;
    Complex* const spectrum = memory.data();
    for (Index j = 0; 2 * j < n; ++j) v[j] = in[2 * j];
    for (Index j = 0; 2 * j + 1 < n; ++j) v[n - 1 - j] = sine ? -in[2 * j + 1] : in[2 * j + 1];
    r2c_->run(v, spectrum);
    auto const at = [&](Index k) -> Real& { return out[sine ? n - 1 - k : k]; };
    at(0) = 2 * spectrum[0].real();
    for (Index k = 1; 2 * k <= n; ++k) {
      Complex const w = cosines_.factors[static_cast<std::size_t>(k)], x = spectrum[k];
      at(n - k) = -(w.real() * x.imag() + w.imag() * x.real());
      at(k) = w.real() * x.real() - w.imag() * x.imag();
    }
  }

 private:
  Cosines<Real> cosines_;
  std::unique_ptr<Codelet<Real, Complex> const> r2c_;
};

template <class Real, bool sine>
class ThirdType final : public Codelet<Real, Real> {
  using Complex = std::complex<Real>;

 public:
  ThirdType(Index n, std::unique_ptr<Codelet<Complex, Real> const> c2r)
      : cosines_(n), c2r_(std::move(c2r)) {}

  void run(Real const* in, Real* out) const override {
    Index const n = cosines_.n;
    Real v[most_codelet_points];
    Spectrum<Real> memory;
    // Reals: GCC 12 makes complex numbers of them by way of memory, which takes four times as long.
    auto const* const w = reinterpret_cast<Real const*>(cosines_.factors.data());
    auto* const spectrum = reinterpret_cast<Real*>(memory.data());
    auto const at = [&](Index k) { return in[sine ? n - 1 - k : k]; };
    spectrum[0] = at(0);
    spectrum[1] = 0;
    for (Index k = 1; 2 * k <= n; ++k) {
      Real const re = w[2 * k] / 2, im = w[2 * k + 1] / 2, a = at(k), b = at(n - k);
      spectrum[2 * k] = re * a - im * b;
      spectrum[2 * k + 1] = -im * a - re * b;
    }
    c2r_->run(memory.data(), v);
    for (Index j = 0; 2 * j < n; ++j) out[2 * j] = v[j];
    for (Index j = 0; 2 * j + 1 < n; ++j) out[2 * j + 1] = sine ? -v[n - 1 - j] : v[n - 1 - j];
  }

 private:
  Cosines<Real> cosines_;
  std::unique_ptr<Codelet<Complex, Real> const> c2r_;
};

template <class Real>
std::unique_ptr<Codelet<Real, Real> const> make(Kind kind, Index n, CodeletMakers<Real> makers) {
  if (n > most_cosines<Real>(n)) return nullptr;
  auto r2c = makers.r2c(n, false);
  auto c2r = makers.c2r(n, true);
  if (r2c == nullptr || c2r == nullptr) return nullptr;
  switch (kind) {
    case Kind::dct2:
      return std::make_unique<SecondType<Real, false>>(n, std::move(r2c));
    case Kind::dst2:
      return std::make_unique<SecondType<Real, true>>(n, std::move(r2c));
    case Kind::dct3:
      return std::make_unique<ThirdType<Real, false>>(n, std::move(c2r));
    case Kind::dst3:
      return std::make_unique<ThirdType<Real, true>>(n, std::move(c2r));
    default:
      return nullptr;
  }
}

}  // namespace

template <class Real>
std::unique_ptr<Codelet<Real, Real> const> make_cosine_codelet(Kind kind, Index n, Target target) {
  return make<Real>(kind, n, codelet_makers<Real>(target));
}

template std::unique_ptr<Codelet<float, float> const> make_cosine_codelet<float>(Kind, Index,
                                                                                 Target);
template std::unique_ptr<Codelet<double, double> const> make_cosine_codelet<double>(Kind, Index,
                                                                                    Target);

}  // namespace sixstep::local
