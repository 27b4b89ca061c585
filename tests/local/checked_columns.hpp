// SPDX-License-Identifier: BSD-3-Clause
// Columns in all ways in which they can lie in memory, and checks of their transforms against the
// definition, in long double.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <ostream>
#include <random>
#include <tuple>
#include <vector>

#include "local/field.hpp"
#include "local/transform.hpp"
#include "oracles/fourier.hpp"
#include "oracles/roots.hpp"

namespace sixstep::local {

using oracle::at;
using oracle::coefficient;
using oracle::Exact;
using oracle::exact_root;
using oracle::ExactRoots;

// Whose transforms are tested; a test of every backend sets it.
inline Local backend = Local::own;

inline std::vector<Exact> definition(std::vector<Exact> x, bool backward) {
  oracle::transform(x, {static_cast<Index>(x.size())}, 0, backward ? 1 : -1);
  return x;
}

template <class Real>
std::vector<std::complex<Real>> noise(Index count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<Real> uniform(-1, 1);
  std::vector<std::complex<Real>> values(at(count));
  for (auto& value : values) {
    Real const re = uniform(random);
    value = {re, uniform(random)};
  }
  return values;
}

template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make(Index n) {
  return make_transform<Real>(n, backend);
}

class Scratch {
 public:
  explicit Scratch(std::size_t bytes)
      : data_(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{64}))) {}
  std::byte* get() const { return data_.get(); }

 private:
  struct Free {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{64}); }
  };
  std::unique_ptr<std::byte, Free> data_;
};

template <class Real>
void run(Transform<std::complex<Real>> const& transform, Batch<std::complex<Real>> const& batch) {
  Scratch const scratch(transform.scratch_bytes());
  transform.run(batch, scratch.get());
}

// Root mean square of a - b over that of b.
template <class Real>
double distance(std::vector<std::complex<Real>> const& a, std::vector<Exact> const& b) {
  long double difference = 0;
  long double size = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += std::norm(Exact(a[i]) - b[i]);
    size += std::norm(b[i]);
  }
  if (!std::isfinite(difference)) return 1e30;
  return static_cast<double>(std::sqrt(difference / (size > 0 ? size : 1)));
}

// Columns in one of the ways a caller may lay them out.
enum class Way { rows, side_by_side, contiguous, blocked, strided };
constexpr Way ways[] = {Way::rows, Way::side_by_side, Way::contiguous, Way::blocked, Way::strided};

inline Places places(Way way, Index n, Index columns) {
  Places result;
  result.row.resize(at(n));
  switch (way) {
    case Way::rows:
      for (Index k = 0; k < n; ++k) result.row[at(k)] = k * (columns + 3);
      result.size = n * (columns + 3);
      break;
    case Way::side_by_side:  // rows in no order, with gaps
      for (Index k = 0; k < n; ++k) result.row[at(k)] = ((k * 7 + 3) % n) * (columns + 3);
      if (n % 7 == 0)
        for (Index k = 0; k < n; ++k) result.row[at(k)] = (n - 1 - k) * (columns + 3);
      result.size = n * (columns + 3);
      break;
    case Way::contiguous:
      std::iota(result.row.begin(), result.row.end(), Index{2});
      result.lane = n + 5;
      result.size = columns * result.lane + 2;
      break;
    case Way::blocked:  // stretches of 21
      for (Index k = 0; k < n; ++k) result.row[at(k)] = k / 21 * (columns * 21) + k % 21;
      result.lane = 21;
      result.size = (n / 21 + 1) * columns * 21;
      break;
    case Way::strided:
      for (Index k = 0; k < n; ++k) result.row[at(k)] = 3 * k;
      result.lane = 3 * n + 1;
      result.size = columns * result.lane + 3;
      break;
  }
  return result;
}

template <class Real>
constexpr double epsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());

// What an error may be, far above what it is and far below that of a wrong twiddle. Other libraries
// have their own notions of accuracy.
template <class Real>
double tolerance(Index n) {
  double const allowance = backend == Local::own ? 1 : 3;
  return allowance * epsilon<Real> * (1.0 + 0.2 * std::log2(static_cast<double>(n)));
}

// A multiple of one column in each column, so that one reference serves all and none may be
// confused.
template <class Real>
std::complex<Real> multiple(Index column) {
  return {static_cast<Real>(column % 5 + 1), static_cast<Real>(column - 4)};
}

template <class Real>
void check_length(Index n, std::vector<std::complex<float>> const& x,
                  std::vector<Exact> const& expected) {
  auto const transform = make<Real>(n);
  Index const columns = transform->lanes() + 1;
  for (bool backward : {false, true}) {
    Field<std::complex<Real>> in(Way::side_by_side, n, columns);
    Field<std::complex<Real>> out(Way::side_by_side, n, columns);
    for (Index c = 0; c < columns; ++c)
      for (Index k = 0; k < n; ++k) in(k, c) = std::complex<Real>(x[at(k)]) * multiple<Real>(c);
    run<Real>(*transform,
              {.in = in.source(), .out = out.sink(), .columns = columns, .backward = backward});
    for (Index c : {Index{0}, Index{1}, columns - 2, columns - 1}) {
      std::vector<std::complex<Real>> y(at(n));
      std::vector<Exact> z(at(n));
      for (Index k = 0; k < n; ++k) {
        y[at(k)] = out(k, c);
        z[at(k)] = expected[at(backward ? (n - k) % n : k)] * Exact(multiple<Real>(c));
      }
      ASSERT_LT(distance(y, z), tolerance<Real>(n)) << "n " << n << " column " << c << " backward "
                                                    << backward << " " << transform->describe();
    }
  }
}

// Both precisions, against one reference.
inline void check_length(Index n) {
  std::vector<std::complex<float>> const x = noise<float>(n, static_cast<unsigned>(n));
  std::vector<Exact> const expected = definition({x.begin(), x.end()}, false);
  check_length<double>(n, x, expected);
  check_length<float>(n, x, expected);
}

// A few coefficients of one contiguous column. `roots` are of order n.
template <class Real>
double sampled_error(Transform<std::complex<Real>> const& transform, ExactRoots const& roots,
                     bool backward = false, Real scale = 1) {
  Index const n = transform.n();
  std::vector<std::complex<Real>> const x = noise<Real>(n, 5);
  std::vector<std::complex<Real>> y(at(n));
  std::vector<Index> row(at(n));
  std::iota(row.begin(), row.end(), Index{0});
  run<Real>(transform, {.in = {x.data(), row.data(), n},
                        .out = {y.data(), row.data(), n},
                        .columns = 1,
                        .backward = backward,
                        .scale = scale});
  std::vector<Exact> const wide(x.begin(), x.end());
  std::vector<std::complex<Real>> got;
  std::vector<Exact> expected;
  for (Index k : {Index{0}, Index{1}, n / 3, n / 2, n - 1, (n * 5) / 7}) {
    got.push_back(y[at(k)]);
    expected.push_back(coefficient(wide, roots, k, backward) * static_cast<long double>(scale));
  }
  // Against the size of a typical coefficient: a sample may be small by chance.
  long double size = 0;
  for (auto const& value : expected) size += std::norm(value);
  long double const typical =
      static_cast<long double>(scale) * std::sqrt(static_cast<long double>(n) * 2 / 3);
  return distance(got, expected) *
         static_cast<double>(std::sqrt(size / static_cast<long double>(got.size())) / typical);
}

// Every way in, every way out, every direction, factor and number of columns.
template <class Real>
struct Case {
  Index n;
  Index columns;
  Way in;
  Way out;
  bool backward;
  Real scale;
  Index step;  // of a twist; < 0: none
  bool far = false;

  friend std::ostream& operator<<(std::ostream& stream, Case const& c) {
    return stream << "n " << c.n << " columns " << c.columns << " ways " << int(c.in) << int(c.out)
                  << " backward " << c.backward << " scale " << c.scale << " step " << c.step
                  << " far " << c.far;
  }
};

// What check_case() compares with is the same for many cases: a column of its noise as it is
// transformed, the factors of a twist, and the table of their roots. Each is worked out once.
constexpr Index first_of_twist = 5;
Index order_of_twist(Index n) { return n * 1021; }

template <class Real>
std::vector<Exact> const& transformed_noise(std::vector<std::complex<Real>> const& noise, Index n,
                                            Index column, bool backward) {
  static std::map<std::tuple<Index, Index, bool>, std::vector<Exact>> known;
  std::vector<Exact>& values = known[{n, column, backward}];
  auto const begin = noise.begin() + column * n;
  if (values.empty()) values = definition({begin, begin + n}, backward);
  return values;
}

inline std::vector<Exact> const& factors_of(Index n, Index column, Index step) {
  static std::map<std::tuple<Index, Index, Index>, std::vector<Exact>> known;
  std::vector<Exact>& values = known[{n, column, step}];
  for (Index k = static_cast<Index>(values.size()); k < n; ++k)
    values.push_back(
        exact_root(static_cast<__int128>(k) * (first_of_twist + column * step), order_of_twist(n)));
  return values;
}

Roots const& roots_of_twist(Index n) {
  static std::map<Index, Roots> known;
  return known.try_emplace(n, order_of_twist(n)).first->second;
}

template <class Real>
void check_case(Case<Real> const& c) {
  Field<std::complex<Real>> in(c.in, c.n, c.columns);
  Field<std::complex<Real>> out(c.out, c.n, c.columns);
  std::vector<std::complex<Real>> const x = noise<Real>(c.n * c.columns, 9);
  for (Index column = 0; column < c.columns; ++column)
    for (Index k = 0; k < c.n; ++k) in(k, column) = x[at(column * c.n + k)];
  Twist twist;
  if (c.step >= 0) twist = {&roots_of_twist(c.n), first_of_twist, c.step};
  auto const transform = make<Real>(c.n);
  run<Real>(*transform, {.in = in.source(),
                         .out = out.sink(),
                         .columns = c.columns,
                         .backward = c.backward,
                         .scale = c.scale,
                         .twist = twist,
                         .far = c.far,
                         .far_target = c.far,
                         .stream = c.far});
  ASSERT_EQ(out.untouched(), out.size() - c.n * c.columns) << c;
  for (Index column = 0; column < c.columns; ++column) {
    std::vector<Exact> expected = transformed_noise(x, c.n, column, c.backward);
    std::vector<std::complex<Real>> got(at(c.n));
    for (Index k = 0; k < c.n; ++k) {
      Exact factor = c.step < 0 ? Exact(1) : factors_of(c.n, column, c.step)[at(k)];
      if (c.backward) factor = std::conj(factor);
      expected[at(k)] *= factor * static_cast<long double>(c.scale);
      got[at(k)] = out(k, column);
    }
    ASSERT_LT(distance(got, expected), tolerance<Real>(c.n)) << c << " column " << column;
  }
}

template <class Real>
void check_every_way(Index n, Index columns) {
  for (Way in : ways)
    for (Way out : ways)
      for (bool backward : {false, true}) {
        check_case<Real>({n, columns, in, out, backward, 1, -1});
        check_case<Real>({n, columns, in, out, backward, Real{0.3125}, 0});
        check_case<Real>({n, columns, in, out, backward, 1, 3});
        check_case<Real>({n, columns, in, out, backward, Real{-2}, 500009});
      }
}

}  // namespace sixstep::local
