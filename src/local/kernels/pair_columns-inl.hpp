// SPDX-License-Identifier: BSD-3-Clause
// Transforms of columns of numbers to about 75 bits, a column in each lane. Compiled once for each
// instruction set.
//
// A number is the sum of its first bits, a multiple of 2^-25, and the rest. Sums of both are exact
// or nearly so, and so is the product of first bits: far fewer instructions than pairs need that
// are rounded after each operation. Columns go through Stockham's passes: before a pass of radix r,
// number q + s (p + m k) is number p + m k of transform q among s of r m points. Each pass divides
// by its radix, so that numbers stay below 1.
#include <utility>

#include "hwy/highway.h"
#include "local/kernels/pair_columns.hpp"

#if defined(SIXSTEP_LOCAL_PAIR_COLUMNS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_PAIR_COLUMNS_INL
#undef SIXSTEP_LOCAL_PAIR_COLUMNS_INL
#else
#define SIXSTEP_LOCAL_PAIR_COLUMNS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::pair_columns::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, static_cast<std::size_t>(block)>;
using Vector = hn::Vec<Doubles>;

HWY_INLINE Index lanes() { return static_cast<Index>(hn::Lanes(Doubles())); }

/// A number in each lane.
struct Number {
  Vector first_re, first_im, rest_re, rest_im;
};

HWY_INLINE Number operator+(Number const& a, Number const& b) {
  return {hn::Add(a.first_re, b.first_re), hn::Add(a.first_im, b.first_im),
          hn::Add(a.rest_re, b.rest_re), hn::Add(a.rest_im, b.rest_im)};
}
HWY_INLINE Number operator-(Number const& a, Number const& b) {
  return {hn::Sub(a.first_re, b.first_re), hn::Sub(a.first_im, b.first_im),
          hn::Sub(a.rest_re, b.rest_re), hn::Sub(a.rest_im, b.rest_im)};
}
/// A number times i.
HWY_INLINE Number turned(Number const& a) {
  return {hn::Neg(a.first_im), a.first_re, hn::Neg(a.rest_im), a.rest_re};
}

HWY_INLINE Number load(double const* from) {
  Doubles const d;
  Index const step = lanes();
  return {hn::Load(d, from), hn::Load(d, from + step), hn::Load(d, from + 2 * step),
          hn::Load(d, from + 3 * step)};
}
HWY_INLINE void store(Number const& x, double* to) {
  Doubles const d;
  Index const step = lanes();
  hn::Store(x.first_re, d, to);
  hn::Store(x.first_im, d, to + step);
  hn::Store(x.rest_re, d, to + 2 * step);
  hn::Store(x.rest_im, d, to + 3 * step);
}
HWY_INLINE Number everywhere(FourParts const& x) {
  Doubles const d;
  return {hn::Set(d, x.first_re), hn::Set(d, x.first_im), hn::Set(d, x.rest_re),
          hn::Set(d, x.rest_im)};
}

/// Moves what is not a multiple of 2^-25 from `exact` to `rest`. The sum must be below 2^26.
HWY_INLINE void split(Vector& exact, Vector& rest) {
  Vector const shift = hn::Set(Doubles(), 0x1.8p27);  // whose last bit is 2^-25
  Vector const first = hn::Sub(hn::Add(hn::Add(exact, rest), shift), shift);
  rest = hn::Add(hn::Sub(exact, first), rest);
  exact = first;
}

HWY_INLINE Number operator*(Number const& a, Number const& b) {
  Vector const b_re = hn::Add(b.first_re, b.rest_re), b_im = hn::Add(b.first_im, b.rest_im);
  Number x{hn::Sub(hn::Mul(a.first_re, b.first_re), hn::Mul(a.first_im, b.first_im)),
           hn::Add(hn::Mul(a.first_re, b.first_im), hn::Mul(a.first_im, b.first_re)),
           hn::Sub(hn::Add(hn::Mul(a.first_re, b.rest_re), hn::Mul(a.rest_re, b_re)),
                   hn::Add(hn::Mul(a.first_im, b.rest_im), hn::Mul(a.rest_im, b_im))),
           hn::Add(hn::Add(hn::Mul(a.first_re, b.rest_im), hn::Mul(a.rest_re, b_im)),
                   hn::Add(hn::Mul(a.first_im, b.rest_re), hn::Mul(a.rest_im, b_re)))};
  split(x.first_re, x.rest_re);
  split(x.first_im, x.rest_im);
  return x;
}

/// Both parts times a real number, the sum of two.
HWY_INLINE Number scaled(Number const& a, double first, double rest) {
  Doubles const d;
  Vector const b = hn::Set(d, first), c = hn::Set(d, rest), sum = hn::Set(d, first + rest);
  Number x{hn::Mul(a.first_re, b), hn::Mul(a.first_im, b),
           hn::Add(hn::Mul(a.first_re, c), hn::Mul(a.rest_re, sum)),
           hn::Add(hn::Mul(a.first_im, c), hn::Mul(a.rest_im, sum))};
  split(x.first_re, x.rest_re);
  split(x.first_im, x.rest_im);
  return x;
}

/// The passes of one vector of columns, of which each row has four vectors.
class Columns {
 public:
  explicit Columns(ColumnPlan const& plan)
      : plan_(plan),
        row_(4 * lanes()),
        memory_(2 * plan.n * row_),
        from_(memory_.first()),
        to_(from_ + plan.n * row_) {}

  double* row(Index k) { return from_ + k * row_; }

  HWY_NOINLINE void run() {
    for (ColumnPlan::Pass const& pass : plan_.passes) {
      if (pass.radix == 2)
        run_2(pass);
      else if (pass.radix == 4)
        run_4(pass);
      else
        run_odd(pass);
      std::swap(from_, to_);
    }
  }

 private:
  Index m(ColumnPlan::Pass const& pass) const { return plan_.n / (pass.s * pass.radix); }

  HWY_NOINLINE void run_2(ColumnPlan::Pass const& pass) {
    Index const m = this->m(pass), s = pass.s, apart = s * m * row_;
    FourParts const* factors = pass.factors.data();
    for (Index p = 0; p < m; ++p, factors += 2) {
      Number const of_0 = everywhere(factors[0]), of_1 = everywhere(factors[1]);
      for (Index q = 0; q < s; ++q) {
        double const* const x = from_ + (q + s * p) * row_;
        double* const y = to_ + (q + s * 2 * p) * row_;
        Number const a = load(x), b = load(x + apart);
        store((a + b) * of_0, y);
        store((a - b) * of_1, y + s * row_);
      }
    }
  }

  HWY_NOINLINE void run_4(ColumnPlan::Pass const& pass) {
    Index const m = this->m(pass), s = pass.s, apart = s * m * row_;
    FourParts const* factors = pass.factors.data();
    for (Index p = 0; p < m; ++p, factors += 4)
      for (Index q = 0; q < s; ++q) {
        double const* const x = from_ + (q + s * p) * row_;
        double* const y = to_ + (q + s * 4 * p) * row_;
        Number const a = load(x), b = load(x + apart);
        Number const c = load(x + 2 * apart), e = load(x + 3 * apart);
        Number const even = a + c, even_rest = a - c, odd = b + e, odd_rest = turned(b - e);
        store((even + odd) * everywhere(factors[0]), y);
        store((even_rest - odd_rest) * everywhere(factors[1]), y + s * row_);
        store((even - odd) * everywhere(factors[2]), y + 2 * s * row_);
        store((even_rest + odd_rest) * everywhere(factors[3]), y + 3 * s * row_);
      }
  }

  // Rows k and radix - k share their products.
  HWY_NOINLINE void run_odd(ColumnPlan::Pass const& pass) {
    Index const m = this->m(pass), s = pass.s, radix = pass.radix, apart = s * m * row_;
    FourParts const* factors = pass.factors.data();
    for (Index p = 0; p < m; ++p, factors += radix)
      for (Index q = 0; q < s; ++q) {
        double* const x = from_ + (q + s * p) * row_;
        double* const y = to_ + (q + s * radix * p) * row_;
        Number const first = load(x);
        Number all = first;
        for (Index k = 1; 2 * k < radix; ++k) {  // sums and differences replace the rows
          Number const a = load(x + k * apart), b = load(x + (radix - k) * apart);
          all = all + (a + b);
          store(a + b, x + k * apart);
          store(turned(a - b), x + (radix - k) * apart);
        }
        store(all * everywhere(factors[0]), y);
        for (Index j = 1; 2 * j < radix; ++j) {
          Number even = first, odd = first - first;
          for (Index k = 1, power = j; 2 * k < radix; ++k) {
            FourParts const& root = pass.roots[at(power)];
            even = even + scaled(load(x + k * apart), root.first_re, root.rest_re);
            odd = odd + scaled(load(x + (radix - k) * apart), root.first_im, root.rest_im);
            power += power + j < radix ? j : j - radix;
          }
          store((even + odd) * everywhere(factors[j]), y + j * s * row_);
          store((even - odd) * everywhere(factors[radix - j]), y + (radix - j) * s * row_);
        }
      }
  }

  ColumnPlan const& plan_;
  Index row_;
  LinesOfDoubles memory_;
  double* from_;
  double* to_;
};

}  // namespace sixstep::local::pair_columns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
