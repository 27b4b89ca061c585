// SPDX-License-Identifier: BSD-3-Clause
// Computes roots of unity: one by Taylor series in double-double, many by products of two.
#include "local/numbers/roots.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "local/numbers/double_double.hpp"
#include "local/numbers/pairs.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

using Wide = __int128;

// pi / 4 to 107 bits.
constexpr DoubleDouble quarter_pi{0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};

// 1 / k!, with enough terms for 106 bits up to an angle of pi / 4.
constexpr int terms = 29;
std::array<DoubleDouble, terms> const& inverse_factorials() {
  static std::array<DoubleDouble, terms> const table = [] {
    std::array<DoubleDouble, terms> values;
    values[0] = {1, 0};
    for (std::size_t k = 1; k < terms; ++k)
      values[k] = values[k - 1] / DoubleDouble{static_cast<double>(k), 0};
    return values;
  }();
  return table;
}

/// The k, as even or odd as `start`, up to which terms x^k / k! count among 106 bits.
int last_term(double square, int start) {
  std::array<DoubleDouble, terms> const& inverse = inverse_factorials();
  int k = start;
  double power = 1;
  while (k + 2 < terms && power * inverse[static_cast<std::size_t>(k)].hi > 0x1p-110) {
    k += 2;
    power *= square;
  }
  return k;
}

// (x^start / start! - x^(start + 2) / (start + 2)! + ...) / x^start, as a polynomial in `square`.
DoubleDouble alternating_series(DoubleDouble square, int start) {
  std::array<DoubleDouble, terms> const& inverse = inverse_factorials();
  int k = last_term(square.hi, start);
  DoubleDouble sum = inverse[static_cast<std::size_t>(k)];
  for (k -= 2; k >= start; k -= 2) sum = inverse[static_cast<std::size_t>(k)] - square * sum;
  return sum;
}

Index reduced(Index k, Index n) {
  Index const rest = k % n;
  return rest < 0 ? rest + n : rest;
}

/// Whether one part of w_n^k is zero, 0 <= k < n; a product would leave about 1e-33 there.
bool is_on_axis(Index k, Index n) {
  return (n % 2 == 0 && k == n / 2) || (n % 4 == 0 && (k == n / 4 || k == n / 4 + n / 2));
}

/// The angle of w_n^k, (octant + part / n) pi / 4. Odd octants are measured backwards from their
/// end.
struct Angle {
  int octant;
  Index part;

  Angle(Index k, Index n) {
    require(n >= 1, "roots of unity: the order is ", n, ", it must be positive");
    Wide const eighths = static_cast<Wide>(reduced(k, n)) * 8;
    octant = static_cast<int>(eighths / n);
    Index const rest = static_cast<Index>(eighths - static_cast<Wide>(octant) * n);
    part = octant % 2 == 0 ? rest : n - rest;
  }

  /// exp(-i angle) by the cosine and sine of the part: that of the whole angle has a minus sign.
  template <class Complex, class Number>
  Complex root(Number cosine, Number sine) const {
    switch (octant) {
      case 0:
        return {cosine, -sine};
      case 1:
        return {sine, -cosine};
      case 2:
        return {-sine, -cosine};
      case 3:
        return {-cosine, -sine};
      case 4:
        return {-cosine, sine};
      case 5:
        return {-sine, cosine};
      case 6:
        return {sine, cosine};
      default:
        return {cosine, sine};
    }
  }
};

}  // namespace

WideComplex wide_root(Index k, Index n) {
  Angle const angle(k, n);
  DoubleDouble const x = quarter_pi * (wide_integer(angle.part) / wide_integer(n));
  DoubleDouble const square = x * x;
  return angle.root<WideComplex>(alternating_series(square, 0), x * alternating_series(square, 1));
}

std::complex<double> near_root(Index k, Index n) {
  Angle const angle(k, n);
  double const x =
      std::numbers::pi / 4 * (static_cast<double>(angle.part) / static_cast<double>(n));
  return angle.root<std::complex<double>>(std::cos(x), std::sin(x));
}

template <class Real>
std::complex<Real> root(Index k, Index n) {
  return rounded<Real>(wide_root(k, n));
}

namespace {

/// w_n^(k step), 0 <= k < count. A series costs twenty times what a product does, so it is used
/// where k is a power of two; another root is the product of those of its bits, which loses a bit
/// or two.
std::vector<WideComplex> roots_of_steps(Index count, Index step, Index n) {
  std::vector<WideComplex> roots;
  for (Index k = 0; k < count; ++k) {
    Index const lowest = k & -k;
    bool const is_product = k != lowest && !is_on_axis(k * step, n);
    roots.push_back(is_product ? roots[static_cast<std::size_t>(k - lowest)] *
                                     roots[static_cast<std::size_t>(lowest)]
                               : wide_root(k * step, n));
  }
  return roots;
}

/// Whether both parts, with an error of up to 2^-75, are so large, and so far from half way between
/// two doubles, that `hi` is the exact value rounded.
bool tells_rounding(WidePair const& value) {
  constexpr double least = 0x1p-10, margin = 1 + 0x1p-10;
  Pair const farther = value.hi + value.lo * both(margin);
  return std::abs(value.hi[0]) >= least && std::abs(value.hi[1]) >= least &&
         farther[0] == value.hi[0] && farther[1] == value.hi[1];
}

}  // namespace

/// w^k = coarse[k / m] fine[k mod m], m = 2^shift.
struct Roots::Tables {
  explicit Tables(Index order) : n(order) {
    while (Index{1} << shift < n >> shift) ++shift;
    fine = roots_of_steps(Index{1} << shift, 1, n);
    coarse = roots_of_steps(((n - 1) >> shift) + 1, Index{1} << shift, n);
    for (WideComplex const& number : fine) split_fine.emplace_back(SplitPair(number));
    for (WideComplex const& number : coarse) split_coarse.emplace_back(number);
  }

  SIXSTEP_INLINE WidePair pair(Index k) const {
    Index const block = k >> shift;
    Index const rest = k - (block << shift);
    return split_coarse[static_cast<std::size_t>(block)] *
           split_fine[static_cast<std::size_t>(rest)];
  }

  Index n;
  int shift = 0;
  std::vector<WideComplex> coarse;
  std::vector<WideComplex> fine;
  std::vector<SplitPair> split_coarse;
  std::vector<SplitFactor> split_fine;
};

/// Plans ask for the same few orders again and again: each thread keeps its last short tables.
std::shared_ptr<Roots::Tables const> Roots::tables_of(Index n) {
  constexpr Index most_kept = 1 << 15;
  if (n > most_kept) return std::make_shared<Tables const>(n);
  thread_local std::array<std::shared_ptr<Tables const>, 8> kept;
  thread_local std::size_t next = 0;
  for (auto const& tables : kept)
    if (tables != nullptr && tables->n == n) return tables;
  auto const made = std::make_shared<Tables const>(n);
  kept[next++ % kept.size()] = made;
  return made;
}

Roots::Roots(Index n) : n_(n) {
  require(n >= 1, "roots of unity: the order is ", n, ", it must be positive");
  tables_ = tables_of(n);
}

WideComplex Roots::wide(Index k) const {
  if (k >= n_) k %= n_;
  auto const& [n, shift, coarse, fine, split_coarse, split_fine] = *tables_;
  Index const block = k >> shift;
  Index const rest = k - (block << shift);
  if (rest == 0) return coarse[static_cast<std::size_t>(block)];
  if (is_on_axis(k, n_)) return wide_root(k, n_);
  return coarse[static_cast<std::size_t>(block)] * fine[static_cast<std::size_t>(rest)];
}

WidePair Roots::pair(Index k) const { return tables_->pair(k >= n_ ? k % n_ : k); }

template <class Real>
std::complex<Real> Roots::at(Index k) const {
  WidePair const root = tables_->pair(k >= n_ ? k % n_ : k);
  if (!tells_rounding(root)) return rounded<Real>(wide(k));
  return {rounded<Real>(DoubleDouble{root.hi[0], root.lo[0]}),
          rounded<Real>(DoubleDouble{root.hi[1], root.lo[1]})};
}

template std::complex<float> root(Index, Index);
template std::complex<double> root(Index, Index);
template std::complex<float> Roots::at(Index) const;
template std::complex<double> Roots::at(Index) const;

}  // namespace sixstep::local
