// SPDX-License-Identifier: BSD-3-Clause
#include "local/odd_reals.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

#include "base/memory.hpp"
#include "local/kernels/codelets.hpp"
#include "local/kernels/columns.hpp"
#include "local/numbers/factor.hpp"
#include "local/numbers/primes.hpp"
#include "local/one_by_one.hpp"
#include "local/one_column.hpp"
#include "local/real_blocks.hpp"
#include "local/targets.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {

namespace {

/// Transforms a contiguous column in place.
template <class In, class Out>
void run_in_place(Transform<In, Out> const& transform, void* column, bool backward,
                  typename RealOf<In>::type scale, std::byte* scratch) {
  transform.run({.in = {static_cast<In const*>(column), RowMap::every(1), transform.n()},
                 .out = {static_cast<Out*>(column), RowMap::every(1), transform.n()},
                 .columns = 1,
                 .backward = backward,
                 .scale = scale},
                scratch);
}

/// Columns of odd n, as complex columns without imaginary parts, which `complex` transforms.
template <class In, class Out>
class OddReals final : public Transform<In, Out> {
  using Real = typename RealOf<In>::type;
  using Complex = std::complex<Real>;
  static constexpr bool is_forward = std::is_same_v<In, Real>;

 public:
  OddReals(std::shared_ptr<Transform<Complex> const> complex, Tuning const& tuning)
      : complex_(std::move(complex)),
        one_by_one_(n(), is_forward ? n() : n() / 2 + 1, is_forward ? n() / 2 + 1 : n(), tuning) {}

  Index n() const override { return complex_->n(); }
  Index lanes() const override { return 1; }
  std::size_t scratch_bytes() const override {
    return one_by_one_.block_bytes() + column_bytes() + complex_->scratch_bytes();
  }
  std::string describe() const override {
    return text(is_forward ? "r2c" : "c2r", " by ", complex_->describe());
  }

  void run(Batch<In, Out> const& batch, std::byte* scratch) const override {
    check(batch);
    one_by_one_(batch, scratch, [&](In const* in, Out* out, std::byte* rest) {
      auto* const z = reinterpret_cast<Complex*>(rest);
      Index const all = n(), last = all / 2;
      if constexpr (is_forward) {
        std::copy_n(in, all, z);
        run_in_place(*complex_, z, !is_forward, batch.scale, rest + column_bytes());
        z[0] = z[0].real();
        std::copy_n(z, last + 1, out);
      } else {
        // Reals: GCC 12 makes complex numbers of them by way of memory, which takes longer.
        auto const* const parts = reinterpret_cast<Real const*>(in);
        auto* const points = reinterpret_cast<Real*>(z);
        points[0] = parts[0];
        points[1] = 0;
        for (Index k = 1, mirrored = all - 1; k <= last; ++k, --mirrored) {
          points[2 * k] = points[2 * mirrored] = parts[2 * k];
          points[2 * k + 1] = parts[2 * k + 1];
          points[2 * mirrored + 1] = -parts[2 * k + 1];
        }
        run_in_place(*complex_, z, !is_forward, batch.scale, rest + column_bytes());
        for (Index j = 0; j < all; ++j) out[j] = points[2 * j];
      }
    });
  }

 private:
  std::size_t column_bytes() const {
    return aligned(static_cast<std::size_t>(n()) * sizeof(Complex));
  }

  std::shared_ptr<Transform<Complex> const> complex_;
  OneByOne<In, Out> one_by_one_;
};

/// Contiguous columns by a codelet, which has a direction of its own.
template <class In, class Out>
class ByCodelet final : public Transform<In, Out> {
  static constexpr bool is_half = !std::is_same_v<In, Out>;

 public:
  ByCodelet(Index n, std::unique_ptr<Codelet<In, Out> const> codelet)
      : n_(n), codelet_(std::move(codelet)) {}

  Index n() const override { return n_; }
  Index lanes() const override { return 1; }
  std::size_t scratch_bytes() const override { return 0; }
  std::string describe() const override { return "a codelet"; }
  void run(Batch<In, Out> const& batch, std::byte*) const override {
    bool const has_coefficients = is_half && !std::is_floating_point_v<Out>;
    run_columns(*codelet_, batch, has_coefficients ? n_ / 2 + 1 : n_);
  }

 private:
  Index n_;
  std::unique_ptr<Codelet<In, Out> const> codelet_;
};

/// Columns of an odd n = A B, by a product.
template <class In, class Out>
class OddProducts final : public Transform<In, Out> {
  using Real = typename RealOf<In>::type;
  using Product = OddProduct<Real, In, Out>;
  static constexpr bool is_forward = std::is_same_v<In, Real>;

 public:
  OddProducts(std::unique_ptr<Product const> product,
              std::shared_ptr<Transform<In, Out> const> reals,
              std::shared_ptr<Transform<std::complex<Real>> const> complex, Tuning const& tuning)
      : product_(std::move(product)),
        reals_(std::move(reals)),
        complex_(std::move(complex)),
        one_by_one_(n(), is_forward ? n() : n() / 2 + 1, is_forward ? n() / 2 + 1 : n(), tuning) {}

  Index n() const override { return product_->radix() * product_->row_points(); }
  Index lanes() const override { return 1; }
  std::size_t scratch_bytes() const override {
    return one_by_one_.block_bytes() + rows_bytes() +
           std::max(reals_->scratch_bytes(), complex_->scratch_bytes());
  }
  std::string describe() const override {
    return text(is_forward ? "r2c" : "c2r", " by ", product_->radix(), " reals and ",
                complex_->describe());
  }

  void run(Batch<In, Out> const& batch, std::byte* scratch) const override {
    check(batch);
    one_by_one_(batch, scratch, [&](In const* in, Out* out, std::byte* memory) {
      auto* const rows = reinterpret_cast<Real*>(memory);
      std::byte* const rest = memory + rows_bytes();
      product_->first(in, rows);
      run_in_place(*reals_, rows, false, batch.scale, rest);
      for (Index p = 1; p <= product_->radix() / 2; ++p)
        run_in_place(*complex_, rows + p * product_->pitch(), !is_forward, batch.scale, rest);
      product_->last(rows, out);
    });
  }

 private:
  std::size_t rows_bytes() const {
    return aligned(static_cast<std::size_t>(product_->rows_reals()) * sizeof(Real));
  }

  std::unique_ptr<Product const> product_;
  std::shared_ptr<Transform<In, Out> const> reals_;
  std::shared_ptr<Transform<std::complex<Real>> const> complex_;
  OneByOne<In, Out> one_by_one_;
};

/// The transform of a row in place.
template <class In, class Out>
std::shared_ptr<Transform<In, Out> const> make_row(Index n, bool backward) {
  using Real = typename RealOf<In>::type;
  CodeletMakers<Real> const makers = codelet_makers<Real>(chosen_target());
  std::unique_ptr<Codelet<In, Out> const> codelet;
  if constexpr (std::is_same_v<In, Out>)
    codelet = makers.complex(n, backward);
  else if constexpr (std::is_same_v<In, Real>)
    codelet = makers.r2c(n, false);
  else
    codelet = makers.c2r(n, true);
  if (codelet) return std::make_shared<ByCodelet<In, Out> const>(n, std::move(codelet));
  if constexpr (std::is_same_v<In, Out>)
    return shared_one_column<Real>(n);
  else
    return make_odd_reals<In, Out>(n, Tuning());
}

template <class In, class Out>
auto odd_product(Index n) {
  using Real = typename RealOf<In>::type;
  CodeletMakers<Real> const makers = codelet_makers<Real>(chosen_target());
  if constexpr (std::is_same_v<In, Real>)
    return makers.odd_r2c(n);
  else
    return makers.odd_c2r(n);
}

}  // namespace

template <class Real>
bool are_odd_reals_alone(Index n) {
  if (n % 2 == 0 || n == 1) return false;
  Index const prime = prime_factors(n).back(), lanes = vector_lanes<Real>();
  if (prime < smallest_direct || lanes > 8 || !has_codelets(chosen_target())) return false;
  // Codelets transform these primes by the definition. Columns side by side do so up to
  // largest_direct, where a convolution would be less accurate.
  constexpr Index most_complex = 31, most_real = 61;
  if (lanes <= 4) return prime > largest_direct || prime <= (n == prime ? most_real : most_complex);
  constexpr Index most_of_wide = 127;
  return n <= most_codelet_points && prime <= most_of_wide;
}

template bool are_odd_reals_alone<float>(Index);
template bool are_odd_reals_alone<double>(Index);

template <class In, class Out>
std::unique_ptr<Transform<In, Out>> make_odd_reals(Index n, Tuning const& tuning) {
  using Real = typename RealOf<In>::type;
  using Complex = std::complex<Real>;
  auto product = odd_product<In, Out>(n);
  if (product == nullptr)
    return std::make_unique<OddReals<In, Out>>(shared_one_column<Real>(n), tuning);
  Index const points = product->row_points();
  bool const backward = std::is_same_v<Out, Real>;
  return std::make_unique<OddProducts<In, Out>>(
      std::move(product), make_row<In, Out>(points, backward),
      make_row<Complex, Complex>(points, backward), tuning);
}

template <class In, class Out>
std::unique_ptr<Transform<In, Out>> make_long_odd_reals(Index n, Local whose,
                                                        Tuning const& tuning) {
  if (whose == Local::own) return make_odd_reals<In, Out>(n, tuning);
  using Real = typename RealOf<In>::type;
  return std::make_unique<OddReals<In, Out>>(make_transform<Real>(n, whose, tuning), tuning);
}

template std::unique_ptr<Transform<float, std::complex<float>>> make_odd_reals(Index,
                                                                               Tuning const&);
template std::unique_ptr<Transform<double, std::complex<double>>> make_odd_reals(Index,
                                                                                 Tuning const&);
template std::unique_ptr<Transform<std::complex<float>, float>> make_odd_reals(Index,
                                                                               Tuning const&);
template std::unique_ptr<Transform<std::complex<double>, double>> make_odd_reals(Index,
                                                                                 Tuning const&);
template std::unique_ptr<Transform<float, std::complex<float>>> make_long_odd_reals(Index, Local,
                                                                                    Tuning const&);
template std::unique_ptr<Transform<double, std::complex<double>>> make_long_odd_reals(
    Index, Local, Tuning const&);
template std::unique_ptr<Transform<std::complex<float>, float>> make_long_odd_reals(Index, Local,
                                                                                    Tuning const&);
template std::unique_ptr<Transform<std::complex<double>, double>> make_long_odd_reals(
    Index, Local, Tuning const&);

}  // namespace sixstep::local
