// SPDX-License-Identifier: BSD-3-Clause
// Computes the tables of a transform: every entry is a root of unity rounded once.
#include "local/numbers/recipe.hpp"

#include <algorithm>
#include <complex>
#include <numeric>
#include <utility>

#include "local/numbers/at.hpp"
#include "local/numbers/double_double.hpp"
#include "local/numbers/factor.hpp"
#include "local/numbers/pair_transform.hpp"
#include "local/numbers/primes.hpp"
#include "local/numbers/root_progressions.hpp"
#include "local/numbers/roots.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

// Appends a row [re: r - 1][im: r - 1] of value(j), which are complex numbers.
template <class Real, class Value>
void append_row(std::vector<Real>& table, Index radix, Value value) {
  std::size_t const begin = table.size();
  table.resize(begin + at(2 * (radix - 1)));
  Real* const row = table.data() + begin;
  for (Index j = 1; j < radix; ++j) {
    std::complex<Real> const number = value(j);
    row[j - 1] = number.real();
    row[radix + j - 2] = number.imag();
  }
}

/// Rows for p = 0, ..., count - 1, as append_row() makes them of the roots p j.
template <class Real>
std::vector<Real> whole_table(Roots const& roots, Index radix, Index count) {
  Index const row = 2 * (radix - 1);
  std::vector<Real> table(at(row * count)), re(at(count)), im(at(count));
  for (Index j = 1; j < radix; ++j) {
    store_roots(roots, {0, j, count}, re.data(), im.data());
    Real* to = table.data() + j - 1;
    for (Index p = 0; p < count; ++p, to += row) {
      to[0] = re[at(p)];
      to[radix - 1] = im[at(p)];
    }
  }
  return table;
}

template <class Real>
DoubleDouble after_rounding(DoubleDouble value) {
  return value - DoubleDouble{static_cast<double>(rounded<Real>(value)), 0};
}

template <class Real>
Twiddles<Real> twiddles(Index radix, Index count, Index most_whole_entries) {
  Roots const roots(radix * count);  // whose powers below are less than the order
  Twiddles<Real> result;
  if (count * (radix - 1) <= most_whole_entries) {
    result.tile = count;
    result.fine = whole_table<Real>(roots, radix, count);
    return result;
  }
  auto const append_rounded = [&](std::vector<Real>& table, Index p) {
    append_row(table, radix, [&](Index j) { return roots.at<Real>(p * j); });
  };
  while (result.tile * result.tile < count) ++result.tile;
  for (Index i = 0; i < result.tile; ++i)
    append_row(result.fine, radix, [&](Index j) {
      WideComplex const value = roots.wide(i * j);
      return rounded<Real>(WideComplex{value.re - DoubleDouble{1, 0}, value.im});
    });
  for (Index p = 0; p < count; p += result.tile) {
    append_rounded(result.coarse, p);
    append_row(result.coarse_rest, radix, [&](Index j) {
      WideComplex const value = roots.wide(p * j);
      return rounded<Real>(
          WideComplex{after_rounding<Real>(value.re), after_rounding<Real>(value.im)});
    });
  }
  return result;
}

template <class Real>
Convolution<Real> rader(Index p) {
  Convolution<Real> result;
  result.rader = true;
  result.p = p;
  result.length = p - 1;
  Index const generator = primitive_root(p);
  Index const inverse = power_modulo(generator, p - 2, p);
  Roots const roots(p);
  std::vector<WidePair> operand;
  for (auto* indices : {&result.from, &result.to}) indices->reserve(at(p - 1));
  operand.reserve(at(p - 1));
  Index from = 1;
  Index to = 1;
  for (Index q = 0; q < p - 1; ++q) {
    result.from.push_back(from);
    result.to.push_back(to);
    operand.push_back(roots.pair(to));
    from = product_modulo(from, generator, p);
    to = product_modulo(to, inverse, p);
  }
  result.spectrum = mean_transform<Real>(operand);
  return result;
}

template <class Real>
Convolution<Real> bluestein(Index p, Index length) {
  Convolution<Real> result;
  result.p = p;
  result.length = length;
  result.chirp.resize(at(2 * p));
  Roots const roots(2 * p);
  std::vector<WidePair> operand(at(p));  // and their mirror images, with zeros between
  auto const put = [&](Index k, std::complex<Real> chirp, WidePair const& conjugate) {
    result.chirp[at(2 * k)] = chirp.real();
    result.chirp[at(2 * k + 1)] = chirp.imag();
    operand[at(k)] = conjugate;
  };
  // b_(p - k) = w_2p^(p^2) b_k, which is b_k or, if p is odd, -b_k.
  Real const sign = p % 2 == 0 ? Real{1} : Real{-1};
  Index square = 0;  // k^2 mod 2 p
  for (Index k = 0; 2 * k <= p; ++k) {
    std::complex<Real> const chirp = roots.at<Real>(square);
    WidePair const conjugate = conj(roots.pair(square));
    put(k, chirp, conjugate);
    if (k > 0) put(p - k, sign * chirp, scaled(conjugate, static_cast<double>(sign)));
    square = (square + 2 * k + 1) % (2 * p);
  }
  result.spectrum = mean_transform_of_even<Real>(operand, length);
  return result;
}

template <class Real>
DirectRoots<Real> direct_roots(Index p) {
  Roots const roots(p);
  DirectRoots<Real> result{p, {}};
  for (Index k = 1; k <= p / 2; ++k)
    for (Index j = 1; j <= p / 2; ++j) {
      std::complex<Real> const root = roots.at<Real>(j * k);
      result.values.push_back(root.real());
      result.values.push_back(-root.imag());
    }
  return result;
}

template <class Real>
std::shared_ptr<PrimeTransform<Real> const> prime_transform(Index p, Tuning const& tuning) {
  auto result = std::make_shared<PrimeTransform<Real>>();
  static_cast<Convolution<Real>&>(*result) = convolution_of<Real>(p);
  result->convolution = std::make_shared<Recipe<Real> const>(result->length, tuning);
  return result;
}

// Rows of padding after a block. Blocks a multiple of a page apart would share a few cache sets.
Index padding(Index n, Index count, Tuning const& tuning) {
  // The row pass of contiguous transforms writes up to this many rows at once, all of one block.
  constexpr Index most_at_once = 16;
  bool const padded = count > 1 && n >= tuning.padded_column_rows && count % most_at_once == 0;
  return padded && count % tuning.padded_block_rows == 0 ? 1 : 0;
}

}  // namespace

template <class Real>
Convolution<Real> convolution_of(Index p, Index multiple) {
  Index const length = cheapest_smooth(2 * p - 1, multiple);
  bool const use_rader =
      (p - 1) % multiple == 0 && is_smooth(p - 1) && smooth_cost(p - 1) < smooth_cost(length);
  return use_rader ? rader<Real>(p) : bluestein<Real>(p, length);
}

template <class Real>
Recipe<Real>::Recipe(Index length, Tuning const& tuning)
    : Recipe(length, local::radices(length, tuning.radix_order), tuning) {}

template <class Real>
Recipe<Real>::Recipe(Index length, std::vector<Index> const& radices, Tuning const& tuning)
    : n(length) {
  Index block = n;
  for (Index radix : radices) {
    Pass<Real> pass;
    pass.radix = radix;
    pass.count = block / radix;
    pass.step = pass.count + (passes.empty() ? padding(n, pass.count, tuning) : 0);
    if (pass.count > 1)
      pass.twiddles = local::twiddles<Real>(radix, pass.count, tuning.whole_table_entries);
    if (is_direct(radix)) pass.direct = direct_roots<Real>(radix);
    if (radix > largest_direct) pass.prime = prime_transform<Real>(radix, tuning);
    block = pass.count;
    passes.push_back(std::move(pass));
  }
  if (!passes.empty()) rows = passes.front().radix * passes.front().step;
}

template <class Real>
std::string Recipe<Real>::describe() const {
  if (passes.empty()) return "1";
  std::string result;
  for (Pass<Real> const& pass : passes) {
    if (!result.empty()) result += " x ";
    result += std::to_string(pass.radix);
    if (pass.prime)
      result +=
          text(pass.prime->rader ? " (Rader " : " (Bluestein ", pass.prime->convolution->n, ")");
  }
  return result;
}

template Convolution<float> convolution_of(Index, Index);
template Convolution<double> convolution_of(Index, Index);
template struct Recipe<float>;
template struct Recipe<double>;

}  // namespace sixstep::local
