// SPDX-License-Identifier: BSD-3-Clause
// Codelets of all lengths against the definition, with every instruction set.
#include "local/kernels/codelets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "local/instruction_sets.hpp"
#include "local/numbers/primes.hpp"
#include "oracles/kinds.hpp"

namespace sixstep::local {
namespace {

using oracle::Exact;

constexpr Index most_points = 2 * most_codelet_points;

std::size_t size(Index n) { return static_cast<std::size_t>(n); }

template <class Real>
class CodeletTest : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(CodeletTest, Precisions);

/// The first coefficients by the definition.
std::vector<Exact> transformed(std::vector<Exact> x, bool backward, Index results) {
  oracle::transform(x, {static_cast<Index>(x.size())}, 0, backward ? 1 : -1);
  x.resize(size(results));
  return x;
}

/// Runs a codelet out of place, on addresses that no vector is aligned to, and in place. Returns
/// the results of both, which lie between two guards.
template <class In, class Out>
std::vector<std::vector<Out>> run(Codelet<In, Out> const& codelet, std::vector<In> const& in,
                                  Index results) {
  using Real = typename RealOf<In>::type;
  constexpr std::size_t shift = 1;
  std::size_t const reals = 2 * std::max({size(most_points), in.size(), size(results)}) + 2;
  Real const guard = std::numeric_limits<Real>::quiet_NaN();
  std::vector<Real> source(reals), target(reals, guard);
  std::copy(in.begin(), in.end(), reinterpret_cast<In*>(source.data() + shift));
  std::vector<std::vector<Out>> all;
  for (Real* const to : {target.data(), source.data()}) {
    codelet.run(reinterpret_cast<In const*>(source.data() + shift),
                reinterpret_cast<Out*>(to + shift));
    auto const* const out = reinterpret_cast<Out const*>(to + shift);
    all.emplace_back(out, out + results);
  }
  std::size_t const end = shift + size(results) * sizeof(Out) / sizeof(Real);
  EXPECT_TRUE(std::isnan(target[0]) && std::isnan(target[end])) << "writes beyond its results";
  return all;
}

template <class In, class Out>
void expect_right(Codelet<In, Out> const& codelet, std::vector<In> const& in,
                  std::vector<Exact> const& exact, bool convolves) {
  using Real = typename RealOf<In>::type;
  for (auto const& results : run(codelet, in, static_cast<Index>(exact.size()))) {
    long double error = 0, norm = 0;
    for (std::size_t k = 0; k < exact.size(); ++k) {
      error += std::norm(Exact(results[k]) - exact[k]);
      norm += std::norm(exact[k]);
    }
    // Rounding errors grow with the square root of the number of levels, and a convolution has two
    // transforms, each of more points.
    long double const levels = std::log2(2.0L * static_cast<long double>(exact.size()));
    EXPECT_LE(std::sqrt(error), (convolves ? 1.0L : 0.5L) * std::sqrt(levels * norm) *
                                    std::numeric_limits<Real>::epsilon());
  }
}

/// The columns as one codelet.
template <class Real>
class OfColumns : public Codelet<std::complex<Real>, std::complex<Real>> {
 public:
  OfColumns(ColumnsCodelet<Real> const& codelet, Index columns)
      : codelet_(codelet), columns_(columns) {}
  void run(std::complex<Real> const* in, std::complex<Real>* out) const override {
    codelet_.run({in, columns_}, {out, columns_}, columns_);
  }

 private:
  ColumnsCodelet<Real> const& codelet_;
  Index columns_;
};

template <class Number>
std::vector<Number> random_numbers(Index n) {
  static std::mt19937 random(1);
  using Real = typename RealOf<Number>::type;
  std::uniform_real_distribution<Real> part(-1, 1);
  std::vector<Number> numbers;
  for (Index i = 0; i < n; ++i) {
    if constexpr (std::is_floating_point_v<Number>)
      numbers.push_back(part(random));
    else
      numbers.push_back({part(random), part(random)});
  }
  return numbers;
}

template <class Number>
std::vector<Exact> exact_numbers(std::vector<Number> const& numbers) {
  return {numbers.begin(), numbers.end()};
}

/// The n points of a spectrum with n/2 + 1 of them.
template <class Complex>
std::vector<Exact> whole_spectrum(std::vector<Complex> const& half, Index n) {
  std::vector<Exact> all(size(n));
  for (Index k = 0; 2 * k <= n; ++k) {
    all[size(k)] = half[size(k)];
    all[size((n - k) % n)] = std::conj(Exact(half[size(k)]));
  }
  all[0] = half[0].real();
  if (n % 2 == 0) all[size(n / 2)] = half[size(n / 2)].real();
  return all;
}

/// Whether a prime factor is longer than the radices.
bool convolves(Index n) { return !prime_factors(n).empty() && prime_factors(n).back() > 13; }

/// All short ones, and some longer ones.
std::vector<Index> lengths_of_reals() {
  std::vector<Index> lengths(300);
  std::iota(lengths.begin(), lengths.end(), 1);
  lengths.insert(lengths.end(), {315, 347, 360, 405,  500,  507,  509,  512,  525,  605, 694,
                                 729, 875, 961, 1000, 1001, 1005, 1009, 1023, 1458, 2000});
  return lengths;
}

TYPED_TEST(CodeletTest, is_right_for_every_length_that_it_has) {
  using Real = TypeParam;
  using Complex = std::complex<Real>;
  for (std::string const& isa : available()) {
    Environment const environment(isa.c_str());
    CodeletMakers<Real> const make = codelet_makers<Real>(chosen_target());
    for (Index n = 1; n <= most_codelet_points; ++n) {
      SCOPED_TRACE(testing::Message() << isa << ", " << n << " points");
      for (bool backward : {false, true})
        if (auto const codelet = make.complex(n, backward)) {
          auto const in = random_numbers<Complex>(n);
          expect_right(*codelet, in, transformed(exact_numbers(in), backward, n), convolves(n));
        }
    }
    for (Index n : lengths_of_reals()) {
      SCOPED_TRACE(testing::Message() << isa << ", " << n << " reals");
      if (auto const codelet = make.r2c(n, false)) {
        auto const in = random_numbers<Real>(n);
        expect_right(*codelet, in, transformed(exact_numbers(in), false, n / 2 + 1), convolves(n));
      }
      if (auto const codelet = make.c2r(n, true)) {
        auto const in = random_numbers<Complex>(n / 2 + 1);
        expect_right(*codelet, in, transformed(whole_spectrum(in, n), true, n), convolves(n));
      }
    }
  }
}

/// The n reals in half-complex order, or Hartley's, of a whole spectrum.
std::vector<Exact> reals_of(std::vector<Exact> const& spectrum, RealOrder order) {
  std::vector<Exact> reals;
  Index const n = static_cast<Index>(spectrum.size());
  for (Index k = 0; k < n; ++k) {
    Exact const x = spectrum[size(k)];
    if (order == RealOrder::hartley)
      reals.push_back(x.real() - x.imag());
    else
      reals.push_back(2 * k <= n ? x.real() : spectrum[size(n - k)].imag());
  }
  return reals;
}

/// The spectrum of reals in half-complex order.
std::vector<Exact> spectrum_of(std::vector<Exact> const& reals) {
  std::vector<Exact> spectrum;
  Index const n = static_cast<Index>(reals.size());
  for (Index k = 0; 2 * k <= n; ++k) {
    bool const is_real = k == 0 || 2 * k == n;
    spectrum.emplace_back(reals[size(k)].real(), is_real ? 0 : reals[size(n - k)].real());
  }
  return whole_spectrum(spectrum, n);
}

TYPED_TEST(CodeletTest, puts_coefficients_in_the_order_of_reals) {
  using Real = TypeParam;
  for (std::string const& isa : available()) {
    Environment const environment(isa.c_str());
    CodeletMakers<Real> const make = codelet_makers<Real>(chosen_target());
    for (Index n : lengths_of_reals()) {
      SCOPED_TRACE(testing::Message() << isa << ", " << n << " reals");
      auto const in = random_numbers<Real>(n);
      std::vector<Exact> const exact = exact_numbers(in);
      for (RealOrder order : {RealOrder::half_complex, RealOrder::hartley})
        if (auto const codelet = make.to_reals(n, order))
          expect_right(*codelet, in, reals_of(transformed(exact, false, n), order), convolves(n));
      if (auto const codelet = make.from_half_complex(n))
        expect_right(*codelet, in, transformed(spectrum_of(exact), true, n), convolves(n));
    }
  }
}

/// Cosines or sines by the definition.
std::vector<Exact> real_sums(Kind kind, std::vector<Exact> const& x) {
  Index const n = static_cast<Index>(x.size());
  return oracle::summed(
             {Shape{n}, x}, 0, n,
             [&](Index j, Index k) { return Exact(oracle::r2r_coefficient(kind, n, j, k)); })
      .values;
}

// Lengths of each way: few points, odd ones, and even ones with and without a large prime factor.
TYPED_TEST(CodeletTest, sums_cosines_and_sines) {
  for (std::string const& isa : available()) {
    Environment const environment(isa.c_str());
    for (Index n : {2, 5, 16, 17, 45, 120, 150, 198, 202, 210, 268, 450, 508, 974, 1021})
      for (Kind kind : {Kind::dct2, Kind::dct3, Kind::dst2, Kind::dst3}) {
        SCOPED_TRACE(testing::Message() << isa << ", " << to_string(kind) << " of " << n);
        auto const in = random_numbers<TypeParam>(n);
        if (auto const codelet = make_cosine_codelet<TypeParam>(kind, n, chosen_target()))
          expect_right(*codelet, in, real_sums(kind, exact_numbers(in)), true);
      }
  }
}

/// The relative L2 error of a codelet's results.
template <class In, class Out>
long double relative_error(Codelet<In, Out> const& codelet, std::vector<In> const& in,
                           std::vector<Exact> const& exact) {
  std::vector<Out> const results = run(codelet, in, static_cast<Index>(exact.size())).front();
  long double error = 0, norm = 0;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    error += std::norm(Exact(results[k]) - exact[k]);
    norm += std::norm(exact[k]);
  }
  return std::sqrt(error / norm);
}

// As n/2 complex points they had up to 1.28 times the error of FFTW.
TYPED_TEST(CodeletTest, of_few_even_reals_is_as_accurate_as_real_arithmetic) {
  using Real = TypeParam;
  using Complex = std::complex<Real>;
  if (instruction_set() == "SSE4.2") return;  // it rounds products before they are added
  CodeletMakers<Real> const make = codelet_makers<Real>(chosen_target());
  constexpr int rounds = 1000;
  for (Index n = 6; n <= 32; n += 2) {
    long double forward = 0, backward = 0;
    for (int round = 0; round < rounds; ++round) {
      auto const reals = random_numbers<Real>(n);
      forward += std::pow(relative_error(*make.r2c(n, false), reals,
                                         transformed(exact_numbers(reals), false, n / 2 + 1)),
                          2);
      auto spectrum = random_numbers<Complex>(n / 2 + 1);
      backward += std::pow(relative_error(*make.c2r(n, true), spectrum,
                                          transformed(whole_spectrum(spectrum, n), true, n)),
                           2);
    }
    long double const most = 0.27L * std::numeric_limits<Real>::epsilon() *
                             std::sqrt(std::log2(static_cast<long double>(n)));
    EXPECT_LE(std::sqrt(forward / rounds), most) << n << " reals, forward";
    EXPECT_LE(std::sqrt(backward / rounds), most) << n << " reals, backward";
  }
}

// The spectra of convolutions are rounded once. Errors were 1.25 and 1.54 when a codelet itself
// transformed rounded roots.
TYPED_TEST(CodeletTest, convolutions_are_as_accurate_as_their_transforms) {
  using Complex = std::complex<TypeParam>;
  struct Length {
    Index n;
    long double most;  // RMS error, in epsilons
  };
  for (std::string const& isa : available()) {
    Environment const environment(isa.c_str());
    CodeletMakers<TypeParam> const make = codelet_makers<TypeParam>(chosen_target());
    for (Length const& length : {Length{97, 1.14L}, Length{127, 1.39L}}) {
      auto const codelet = make.complex(length.n, false);
      if (codelet == nullptr) continue;
      long double error = 0, norm = 0;
      for (int column = 0; column < 100; ++column) {
        auto const in = random_numbers<Complex>(length.n);
        std::vector<Exact> const exact = transformed(exact_numbers(in), false, length.n);
        auto const results = run(*codelet, in, length.n).front();
        for (std::size_t k = 0; k < exact.size(); ++k) {
          error += std::norm(Exact(results[k]) - exact[k]);
          norm += std::norm(exact[k]);
        }
      }
      EXPECT_LT(std::sqrt(error / norm), length.most * std::numeric_limits<TypeParam>::epsilon())
          << length.n << " " << isa;
    }
  }
}

/// Rows of numbers, `row` apart, in memory that is NaN elsewhere.
template <class Number>
std::vector<Number> apart(std::vector<Number> const& dense, Index columns, Index row) {
  using Real = typename RealOf<Number>::type;
  Index const rows = static_cast<Index>(dense.size()) / columns;
  std::vector<Number> all(size(rows * row + 1), std::numeric_limits<Real>::quiet_NaN());
  for (Index k = 0; k < rows; ++k)
    std::copy_n(dense.begin() + k * columns, columns, all.begin() + k * row);
  return all;
}

// Rows of 256 numbers or a multiple of it compete for cache sets.
TYPED_TEST(CodeletTest, transforms_columns_whose_rows_have_gaps) {
  using Complex = std::complex<TypeParam>;
  auto const bytes = [](std::vector<Complex> const& of) {
    return std::string(reinterpret_cast<char const*>(of.data()), of.size() * sizeof(Complex));
  };
  for (std::string const& isa : available()) {
    Environment const environment(isa.c_str());
    CodeletMakers<TypeParam> const make = codelet_makers<TypeParam>(chosen_target());
    for (Index n : {2, 7, 9, 10, 12, 15, 16, 20, 36, 48, 144})
      for (Index columns : {1, 3, 8, 21, 70, 100})
        for (Index const row : {columns + 3, Index{256}, Index{512}}) {
          SCOPED_TRACE(testing::Message() << isa << ", " << columns << " columns of " << n);
          auto const codelet = make.columns(n, n % 2 == 0);
          if (codelet == nullptr) continue;
          auto const in = random_numbers<Complex>(n * columns);
          std::vector<Complex> dense(in.size());
          codelet->run({in.data(), columns}, {dense.data(), columns}, columns);
          std::vector<Complex> const wanted = apart(dense, columns, row);
          std::vector<Complex> out = apart(std::vector<Complex>(in.size()), columns, row);
          codelet->run({in.data(), columns}, {out.data(), row}, columns);
          EXPECT_EQ(bytes(out), bytes(wanted));
          std::vector<Complex> both = apart(in, columns, row);
          codelet->run({both.data(), row}, {both.data(), row}, columns);
          EXPECT_EQ(bytes(both), bytes(wanted));
        }
  }
}

// Numbers of columns that fill vectors, and others; in place and out of place.
TYPED_TEST(CodeletTest, transforms_columns_side_by_side) {
  using Complex = std::complex<TypeParam>;
  for (std::string const& isa : available()) {
    Environment const environment(isa.c_str());
    CodeletMakers<TypeParam> const make = codelet_makers<TypeParam>(chosen_target());
    for (Index n = 1; n <= 150; ++n)
      for (Index columns : {1, 2, 3, 8, 9, 15, 22, 256}) {
        SCOPED_TRACE(testing::Message() << isa << ", " << columns << " columns of " << n);
        bool const backward = (n + columns) % 2 == 0;
        auto const codelet = make.columns(n, backward);
        if (codelet == nullptr) continue;
        auto const in = random_numbers<Complex>(n * columns);
        std::vector<Exact> exact = exact_numbers(in);
        oracle::transform(exact, {n, columns}, 0, backward ? 1 : -1);
        expect_right(OfColumns<TypeParam>(*codelet, columns), in, exact, false);
      }
  }
}

// Programs do one short transform a call, of any length.
TYPED_TEST(CodeletTest, is_there_for_every_length) {
  CodeletMakers<TypeParam> const make = codelet_makers<TypeParam>(chosen_target());
  if (instruction_set() == "SSE4.2") return;  // it has none
  // Straight code for rows takes less time there. AVX2 has half as many registers as the others,
  // and single precision fills half of these.
  std::set<Index> have_rows{1024};
  if (instruction_set() == "AVX2")
    have_rows = {768, 1024};
  else if (sizeof(TypeParam) == 8)
    have_rows = {360, 384, 512, 768, 1000, 1024};
  for (Index n = 2; n <= most_codelet_points; ++n) {
    EXPECT_EQ(make.complex(n, false) == nullptr, have_rows.count(n) == 1) << n;
    EXPECT_NE(make.r2c(n, false), nullptr) << n;
    EXPECT_NE(make.c2r(n, true), nullptr) << n;
    EXPECT_NE(make.to_reals(n, RealOrder::half_complex), nullptr) << n;
    EXPECT_NE(make.to_reals(n, RealOrder::hartley), nullptr) << n;
    EXPECT_NE(make.from_half_complex(n), nullptr) << n;
    if (n % 2 == 1 || prime_factors(n).back() > 13) {
      EXPECT_NE(make_cosine_codelet<TypeParam>(Kind::dct3, n, chosen_target()), nullptr) << n;
    }
  }
}

}  // namespace
}  // namespace sixstep::local
