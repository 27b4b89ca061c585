// SPDX-License-Identifier: BSD-3-Clause
// Transforms of one contiguous column of an odd number n = 2 h + 1 of reals by a product with a
// matrix, which symmetry halves twice.
//
// With e_j = x[j] + x[n-j] and o_j = x[j] - x[n-j],
//   X[k] = x[0] + sum_j (e_j cos(2 pi j k / n) - i o_j sin(2 pi j k / n)),
// and back, with twice the real and imaginary parts of X[k] as a_k and b_k,
//   x[j], x[n-j] = X[0] + sum_k (a_k cos(2 pi j k / n) -+ b_k sin(2 pi j k / n)).
// So W vectors of S numbers each take one product for each pair: of (e_j, o_j) with (cos, -sin), or
// of (Re X[k], Im X[k]) with (2 cos, 2 sin). Complex numbers are two such columns. Compiled once
// for each instruction set.
#include <array>
#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

#include "local/kernels/codelets-inl.hpp"
#include "local/kernels/codelets.hpp"
#include "local/numbers/roots.hpp"

#if defined(SIXSTEP_LOCAL_FOLDED_CODELETS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_FOLDED_CODELETS_INL
#undef SIXSTEP_LOCAL_FOLDED_CODELETS_INL
#else
#define SIXSTEP_LOCAL_FOLDED_CODELETS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

#if HWY_TARGET != HWY_SCALAR

/// The fewest and the most points. The results of n-j fill vectors of W S numbers, which must not
/// begin before those of j.
inline constexpr Index least_folded = 9;
inline constexpr Index most_folded = 127;

/// (cos, sin) of 2 pi j k / n times a factor for j = 1 ... h and for the W S numbers from k = first
/// on; zeros for k > h.
template <class Real, int S, int W>
class FoldedTable {
 public:
  struct alignas(64) Row {
    Real parts[2 * S * W] = {};
  };

  FoldedTable(Index n, Index first, std::complex<Real> factor)
      : rows_(static_cast<std::size_t>(n / 2)) {
    std::vector<std::complex<Real>> const roots = all_roots<Real>(n);
    for (Index j = 1; j <= n / 2; ++j)
      for (Index k = first; k <= n / 2; ++k) {
        auto const root = roots[static_cast<std::size_t>(j * k % n)];
        Real* const parts = rows_[static_cast<std::size_t>(j - 1)].parts + 2 * (k - first);
        parts[0] = factor.real() * root.real();
        parts[1] = -factor.imag() * root.imag();
      }
  }

  /// sum + the products of pair(j - 1) with row j, in two parts, whose errors are smaller.
  template <class Pair>
  HWY_INLINE void multiply(Pair const& pair, NumbersVector<Real, S>* sums) const {
    NumbersTag<Real, S> const d;
    constexpr bool has_registers = W <= (has_512_bits<Real> ? 8 : 4);
    NumbersVector<Real, S> others[W];
    for_indices<W>([&](auto w) HWY_ATTR { others[w()] = hn::Zero(d); });
    Index const last = static_cast<Index>(rows_.size()) - 1;
    Row const* row = rows_.data();
    Index j = 0;
    for (; j < last; j += 2, row += 2) {
      add_product(pair(j), row[0], sums);
      add_product(pair(j + 1), row[1], has_registers ? others : sums);
    }
    if (j == last) add_product(pair(j), *row, sums);
    if constexpr (has_registers)
      for_indices<W>([&](auto w) HWY_ATTR { sums[w()] = hn::Add(sums[w()], others[w()]); });
  }

 private:
  HWY_INLINE static void add_product(NumbersVector<Real, S> pair, Row const& row,
                                     NumbersVector<Real, S>* sums) {
    NumbersTag<Real, S> const d;
    for_indices<W>([&](auto w) HWY_ATTR {
      sums[w()] = hn::MulAdd(pair, hn::Load(d, row.parts + 2 * S * w()), sums[w()]);
    });
  }

  std::vector<Row> rows_;
};

template <class Real, int S, int W>
class ForwardFolded final : public Codelet<Real, std::complex<Real>> {
 public:
  explicit ForwardFolded(Index n) : n_(n), table_(n, 0, {1, -1}) {}

  void run(Real const* in, std::complex<Real>* out) const override {
    NumbersTag<Real, S> const d;
    auto const alternating = for_parts<Real, S>(1, -1);
    NumbersVector<Real, S> sums[W];
    for_indices<W>([&](auto w) HWY_ATTR { sums[w()] = for_parts<Real, S>(in[0], 0); });
    Real const* const after = in + n_ - 1;
    ++in;
    table_.multiply(
        [&](Index j)
            HWY_ATTR { return mul_add(hn::Set(d, after[-j]), alternating, hn::Set(d, in[j])); },
        sums);
    auto* const to = reinterpret_cast<Real*>(out);
    Index const parts = n_ + 1;
    for_indices<W>([&](auto w) HWY_ATTR {
      constexpr Index first = 2 * S * w();
      if (first + 2 * S <= parts)
        hn::StoreU(sums[w()], d, to + first);
      else if (first < parts)
        hn::BlendedStore(sums[w()], hn::FirstN(d, static_cast<std::size_t>(parts - first)), d,
                         to + first);
    });
  }

 private:
  Index n_;
  FoldedTable<Real, S, W> table_;
};

/// It ignores the imaginary part of the first coefficient.
template <class Real, int S, int W>
class BackwardFolded final : public Codelet<std::complex<Real>, Real> {
 public:
  explicit BackwardFolded(Index n) : n_(n), table_(n, 1, {2, 2}) {}

  void run(std::complex<Real> const* in, Real* out) const override {
    NumbersTag<Real, S> const d;
    Real const first = in->real();
    ++in;
    NumbersVector<Real, S> sums[W];
    for_indices<W>([&](auto w) HWY_ATTR { sums[w()] = for_parts<Real, S>(first, 0); });
    Real rest = 0;
    table_.multiply(
        [&](Index k) HWY_ATTR {
          rest += in[k].real();
          return for_parts<Real, S>(in[k].real(), in[k].imag());
        },
        sums);
    // Later vectors of x[n-j] come first: what they have beyond h is written again by x[j].
    Index const half = n_ / 2;
    for_indices<W / 2>([&](auto u) HWY_ATTR {
      constexpr Index place = 2 * S * (W / 2 - 1 - u());
      if (place < half) {
        auto const* const pair = sums + 2 * (W / 2 - 1 - u());
        auto const after = hn::ConcatEven(d, plus_other(pair[1]), plus_other(pair[0]));
        hn::StoreU(hn::Reverse(d, after), d, out + n_ - place - 2 * S);
      }
    });
    for_indices<W / 2>([&](auto u) HWY_ATTR {
      constexpr Index place = 2 * S * u();
      auto const* const pair = sums + 2 * u();
      auto const before = hn::ConcatEven(d, minus_other(pair[1]), minus_other(pair[0]));
      if (place + 2 * S <= half)
        hn::StoreU(before, d, out + 1 + place);
      else if (place < half)
        hn::BlendedStore(before, hn::FirstN(d, static_cast<std::size_t>(half - place)), d,
                         out + 1 + place);
    });
    out[0] = first + 2 * rest;
  }

 private:
  HWY_INLINE static NumbersVector<Real, S> plus_other(NumbersVector<Real, S> x) {
    return hn::Add(x, swapped(Interleaved<Real, S>{x}));
  }
  HWY_INLINE static NumbersVector<Real, S> minus_other(NumbersVector<Real, S> x) {
    return hn::Sub(x, swapped(Interleaved<Real, S>{x}));
  }

  Index n_;
  FoldedTable<Real, S, W> table_;
};

/// An odd number of complex points: with t_j = x[j] + x[n-j] and s_j = x[j] - x[n-j],
///   X[k], X[n-k] = x[0] + sum_j (t_j cos(2 pi j k / n) -+ i s_j sin(2 pi j k / n)).
template <class Real, int S, int W>
class ComplexFolded final : public AnyComplexCodelet<Real> {
 public:
  ComplexFolded(Index n, bool backward) : n_(n), rows_(static_cast<std::size_t>(n / 2)) {
    std::vector<std::complex<Real>> const roots = all_roots<Real>(n);
    for (Index j = 1; j <= n / 2; ++j)
      for (Index k = 1; k <= n / 2; ++k) {
        auto const root = roots[static_cast<std::size_t>(j * k % n)];
        Row& row = rows_[static_cast<std::size_t>(j - 1)];
        Real const sine = backward ? root.imag() : -root.imag();
        for (Index part = 2 * (k - 1); part < 2 * k; ++part) row.cosines[part] = root.real();
        row.sines[2 * (k - 1)] = sine;
        row.sines[2 * k - 1] = -sine;
      }
  }

  void run(std::complex<Real> const* in, std::complex<Real>* out) const override {
    NumbersTag<Real, S> const d;
    auto const number = [](std::complex<Real> x)
                            HWY_ATTR { return for_parts<Real, S>(x.real(), x.imag()); };
    NumbersVector<Real, S> even[W], odd[W];
    auto const first = number(in[0]);
    for_indices<W>([&](auto w) HWY_ATTR {
      even[w()] = first;
      odd[w()] = hn::Zero(d);
    });
    auto sum = first;
    Index j = 0;
    for (Row const& row : rows_) {
      ++j;
      auto const x = number(in[j]), y = number(in[n_ - j]);
      auto const t = hn::Add(x, y);
      auto const s = swapped(Interleaved<Real, S>{hn::Sub(x, y)});
      sum = hn::Add(sum, t);
      for_indices<W>([&](auto w) HWY_ATTR {
        even[w()] = hn::MulAdd(t, hn::Load(d, row.cosines + 2 * S * w()), even[w()]);
        odd[w()] = hn::MulAdd(s, hn::Load(d, row.sines + 2 * S * w()), odd[w()]);
      });
    }
    // Later vectors of X[n-k] come first: what they have beyond h is written again by X[k].
    auto* const to = reinterpret_cast<Real*>(out);
    Index const half = n_ / 2;
    for_indices<W>([&](auto u) HWY_ATTR {
      constexpr int w = W - 1 - u();
      if (w * S < half)
        store_numbers(reversed_numbers(Interleaved<Real, S>{hn::Sub(even[w], odd[w])}),
                      to + 2 * (n_ - w * S - S));
    });
    for_indices<W>([&](auto w) HWY_ATTR {
      auto const x = hn::Add(even[w()], odd[w()]);
      Real* const place = to + 2 * (1 + w() * S);
      Index const count = half - w() * S;
      if (count >= S)
        hn::StoreU(x, d, place);
      else if (count > 0)
        hn::BlendedStore(x, hn::FirstN(d, static_cast<std::size_t>(2 * count)), d, place);
    });
    store_first_numbers<1>(Interleaved<Real, S>{sum}, to);
  }

 private:
  struct alignas(64) Row {
    Real cosines[2 * S * W] = {};
    Real sines[2 * S * W] = {};
  };

  Index n_;
  std::vector<Row> rows_;
};

/// Null if n is not odd, or none of these numbers. `results` counts the numbers in vectors, of
/// which there are at most `most`.
template <class Base, template <class, int, int> class Folded, class Real, int most,
          int S = numbers<Real>, class... More>
std::unique_ptr<Base const> make_folded(Index n, Index results, More... more) {
  if (n % 2 == 0 || n < least_folded || n > most_folded) return nullptr;
  if constexpr (S > 4)
    if (2 * S > n) return make_folded<Base, Folded, Real, most, S / 2>(n, results, more...);
  std::unique_ptr<Base const> codelet;
  constexpr std::array vectors{2, 4, 8, 16};
  for_indices<vectors.size()>([&](auto i) {
    constexpr int W = vectors[i];
    if constexpr (W <= most)
      if (codelet == nullptr && results <= W * S)
        codelet = std::make_unique<Folded<Real, S, W>>(n, more...);
  });
  return codelet;
}

#endif  // HWY_SCALAR

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
