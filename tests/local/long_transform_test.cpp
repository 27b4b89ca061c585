// SPDX-License-Identifier: BSD-3-Clause
// Transforms that are made of shorter ones: every output against a closed form, and a few against
// the definition, for every way that columns can lie.
#include "local/long_transform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <ostream>
#include <random>
#include <vector>

#include "base/memory.hpp"
#include "local/field.hpp"
#include "local/instruction_sets.hpp"
#include "oracles/roots.hpp"

namespace sixstep::local {
namespace {

using oracle::at;
using oracle::coefficient;
using oracle::Exact;
using oracle::ExactRoots;

/// a b mod n, of a and b below 2^31.
Index product_modulo(Index a, Index b, Index n) { return a * b % n; }

Exact conjugate_if(bool backward, Exact x) { return backward ? std::conj(x) : x; }

// Lengths that leave the caches, some with primes that are summed up; primes by Rader and by
// Bluestein; and products of primes of both kinds.
constexpr Index composites[] = {32768, 131072, 59049,       78125,
                                20000, 17017,  8 * 17 * 83, 56 * 17 * 19};
constexpr Index primes[] = {2053, 8191, 16411, 65537, 100003};
constexpr Index products_of_primes[] = {127 * 131, 2 * 2053, 2 * 16411};

std::vector<Index> all_lengths() {
  std::vector<Index> lengths(std::begin(composites), std::end(composites));
  lengths.insert(lengths.end(), std::begin(primes), std::end(primes));
  lengths.insert(lengths.end(), std::begin(products_of_primes), std::end(products_of_primes));
  return lengths;
}

enum class Way { rows, contiguous, strided, scattered, tiles };
constexpr Way ways[] = {Way::rows, Way::contiguous, Way::strided, Way::scattered, Way::tiles};

Places places(Way way, Index n, Index columns) {
  Places result;
  result.row.resize(at(n));
  std::iota(result.row.begin(), result.row.end(), Index{0});
  switch (way) {
    case Way::rows:
      for (Index& row : result.row) row *= columns + 1;
      result.size = n * (columns + 1);
      break;
    case Way::contiguous:  // not from the start of a cache line
      for (Index& row : result.row) row += 1;
      result.lane = n + 2;
      result.size = columns * result.lane + 1;
      break;
    case Way::strided:
      for (Index& row : result.row) row *= 3;
      result.lane = 3 * n + 1;
      result.size = columns * result.lane;
      break;
    case Way::scattered:
      std::ranges::shuffle(result.row, std::mt19937(3));
      result.lane = n;
      result.size = columns * n;
      break;
    case Way::tiles:  // runs of 32 rows, as they lie between two exchanges in memory
      for (Index& row : result.row) row = row / 32 * 32 * columns + row % 32;
      result.lane = 32;
      result.size = (n + 31) / 32 * 32 * columns;
      break;
  }
  return result;
}

template <class Real>
double tolerance(Index n) {
  return static_cast<double>(std::numeric_limits<Real>::epsilon()) *
         (1 + 0.2 * std::log2(static_cast<double>(n)));
}

template <class Real>
void run(Transform<std::complex<Real>> const& transform, Batch<std::complex<Real>> const& batch) {
  Memory const scratch = allocate(transform.scratch_bytes());
  transform.run(batch, scratch.get());
}

// Column c holds an impulse at impulse(c) and a wave of frequency wave(c), as large as each other
// in the result and different in each column.
class Signal {
 public:
  explicit Signal(Index n)
      : n_(n), amplitude_(1 / std::sqrt(static_cast<long double>(n))), roots_(n) {}

  Exact before(Index j, Index c, bool backward) const {
    Exact const wave = amplitude_ * conjugate_if(!backward, root(j, frequency(c)));
    return j == impulse(c) ? wave + Exact(1) : wave;
  }
  Exact after(Index k, Index c, bool backward) const {
    Exact const wave = conjugate_if(backward, root(k, impulse(c)));
    return k == frequency(c) ? wave + 1 / amplitude_ : wave;
  }

 private:
  Index impulse(Index c) const { return (n_ / 3 + 5 * c) % n_; }
  Index frequency(Index c) const { return (n_ / 7 + 1 + 11 * c) % n_; }
  Exact root(Index j, Index k) const { return roots_[product_modulo(j, k, n_)]; }

  Index n_;
  long double amplitude_;
  ExactRoots roots_;
};

template <class Real>
struct Case {
  Index n;
  Index columns = 1;
  Way in = Way::contiguous;
  Way out = Way::contiguous;
  bool backward = false;
  Real scale = 1;
  Index twist_step = -1;  // < 0: no twist
  bool in_place = false;
  bool far = false;
  Index twist_order = 1021 * n;

  friend std::ostream& operator<<(std::ostream& stream, Case const& c) {
    return stream << "n " << c.n << " columns " << c.columns << " ways " << int(c.in) << int(c.out)
                  << " backward " << c.backward << " scale " << c.scale << " twist " << c.twist_step
                  << " in place " << c.in_place << " far " << c.far << " bytes " << sizeof(Real);
  }
};

constexpr Index twist_first = 5;

/// Roots of a twist, worked out once: the library's, and ours to compare with.
struct Twists {
  explicit Twists(Index order) : roots(order), exact(order) {}
  Roots roots;
  ExactRoots exact;
};
Twists const& twists_of(Index order) {
  static std::map<Index, Twists> known;
  return known.try_emplace(order, order).first->second;
}

template <class Real>
void expect_closed_form(Case<Real> const& c, Signal const& signal, Field<std::complex<Real>>& out) {
  ExactRoots const& twists = twists_of(c.twist_order).exact;
  for (Index column = 0; column < c.columns; ++column) {
    long double difference = 0;
    long double size = 0;
    for (Index k = 0; k < c.n; ++k) {
      Exact expected = signal.after(k, column, c.backward) * static_cast<long double>(c.scale);
      if (c.twist_step >= 0) {
        Index const power = product_modulo(k, twist_first + column * c.twist_step, c.twist_order);
        expected *= conjugate_if(c.backward, twists[power]);
      }
      difference += std::norm(Exact(out(k, column)) - expected);
      size += std::norm(expected);
    }
    ASSERT_TRUE(std::sqrt(difference / size) < tolerance<Real>(c.n))
        << c << " column " << column << ": " << std::sqrt(difference / size);
  }
}

template <class Real>
void check(Transform<std::complex<Real>> const& transform, Case<Real> const& c) {
  Signal const signal(c.n);
  Field<std::complex<Real>> in(c.in, c.n, c.columns);
  Field<std::complex<Real>> apart(c.out, c.n, c.columns);
  Field<std::complex<Real>>& out = c.in_place ? in : apart;
  for (Index column = 0; column < c.columns; ++column)
    for (Index j = 0; j < c.n; ++j)
      in(j, column) = std::complex<Real>(signal.before(j, column, c.backward));
  Twist twist;
  if (c.twist_step >= 0) twist = {&twists_of(c.twist_order).roots, twist_first, c.twist_step};
  run<Real>(transform, {.in = in.source(),
                        .out = out.sink(),
                        .columns = c.columns,
                        .backward = c.backward,
                        .scale = c.scale,
                        .twist = twist,
                        .far = c.far,
                        .far_target = c.far});
  ASSERT_EQ(out.untouched(), out.size() - c.n * c.columns) << c;
  expect_closed_form(c, signal, out);
}

template <class Real>
void check_length(Index n) {
  auto const transform = make_transform<Real>(n);
  ASSERT_EQ(transform->n(), n);
  for (bool backward : {false, true})
    for (bool in_place : {false, true}) {
      if (sanitized() && in_place != backward) continue;
      check<Real>(*transform, {.n = n, .backward = backward, .in_place = in_place});
    }
}

TEST(long_transform, every_output_of_a_wave_and_an_impulse_is_right_in_double) {
  for (Index n : all_lengths()) check_length<double>(n);
}

TEST(long_transform, every_output_of_a_wave_and_an_impulse_is_right_in_float) {
  for (Index n : all_lengths()) check_length<float>(n);
}

TEST(long_transform, lengths_that_leave_past_the_caches_are_right) {
  check_length<double>(3 << 18);
  check_length<float>(5 << 18);
}

template <class Real>
void check_every_way(Index n, Index columns = 9, bool far = false) {
  auto const transform = make_transform<Real>(n);
  for (Way in : ways)
    for (Way out : ways) {
      bool const backward = (static_cast<int>(in) + static_cast<int>(out)) % 2 == 1;
      if (sanitized() && backward) continue;
      if (!sanitized() || in == out)
        check<Real>(*transform, {n, columns, in, out, backward, Real{-0.375}, -1, false, far});
      check<Real>(*transform, {n, columns, in, out, !backward, Real{2}, 3, false, far});
      if (in == out)
        check<Real>(*transform, {n, columns, in, out, backward, Real{3}, 7, true, far});
    }
}

TEST(long_transform, columns_of_two_levels_may_lie_in_any_way) {
  check_every_way<double>(17017);
  check_every_way<float>(20000);
}

// Strips of many columns, and what is left of them.
TEST(long_transform, columns_side_by_side_may_lie_in_any_way) {
  check_every_way<double>(8192, 43);
  check_every_way<double>(8192, 43, true);
  check_every_way<double>(3 * 4096, 8, true);
  check_every_way<float>(8192, 21, true);
  check_every_way<float>(10 * 1021, 19, true);
}

TEST(long_transform, a_twist_may_have_an_order_that_the_length_does_not_divide) {
  constexpr Index n = 65536, order = 5 * n + 3;
  auto const transform = make_transform<double>(n);
  for (bool backward : {false, true})
    check<double>(*transform, {n, 17, Way::rows, Way::rows, backward, 2, 3, false, false, order});
}

TEST(long_transform, columns_of_a_rader_prime_may_lie_in_any_way) {
  ASSERT_EQ(make_transform<double>(18433)->describe().find("Rader"), 0u);
  check_every_way<double>(18433);
}

TEST(long_transform, columns_of_a_bluestein_prime_may_lie_in_any_way) {
  ASSERT_EQ(make_transform<double>(16411)->describe().find("Bluestein"), 0u);
  check_every_way<double>(16411);
}

// A few coefficients of noise, against the size of a typical one.
template <class Real>
double sampled_error(Index n, bool backward) {
  std::mt19937 random(5);
  std::uniform_real_distribution<Real> uniform(-1, 1);
  Field<std::complex<Real>> in(Way::contiguous, n, 1);
  Field<std::complex<Real>> out(Way::contiguous, n, 1);
  for (Index j = 0; j < n; ++j) {
    Real const re = uniform(random);
    in(j, 0) = {re, uniform(random)};
  }
  run<Real>(*make_transform<Real>(n),
            {.in = in.source(), .out = out.sink(), .columns = 1, .backward = backward});
  long double difference = 0;
  ExactRoots const roots(n);
  std::vector<Exact> x;
  for (Index j = 0; j < n; ++j) x.emplace_back(in(j, 0));
  Index const samples[] = {0, 1, n / 3, n / 2, n - 1};
  for (Index k : samples)
    difference += std::norm(Exact(out(k, 0)) - coefficient(x, roots, k, backward));
  long double const typical = std::sqrt(static_cast<long double>(n) * 2 / 3);
  return static_cast<double>(std::sqrt(difference / static_cast<long double>(std::size(samples))) /
                             typical);
}

TEST(long_transform, coefficients_of_noise_agree_with_the_definition) {
  for (Index n : all_lengths())
    for (bool backward : {false, true}) {
      if (sanitized() && backward) continue;
      EXPECT_LT(sampled_error<double>(n, backward), tolerance<double>(n)) << n;
      EXPECT_LT(sampled_error<float>(n, backward), tolerance<float>(n)) << n;
    }
}

}  // namespace
}  // namespace sixstep::local
