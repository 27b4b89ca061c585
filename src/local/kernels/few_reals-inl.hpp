// SPDX-License-Identifier: BSD-3-Clause
// Transforms of one contiguous column of a few reals, an even number n, that stay in registers.
//
// They are split as far as this saves products:
// - n = 8 h: the coefficients 2k are those of x[j] + x[j + n/2]. The coefficients 4k + 1 are those
//   of d[j] - i d[j + n/4], where d[j] = x[j] - x[j + n/2], times w_n^j, and 4k + 3 are conjugates
//   of these.
// - n = 2 m and n = 4 m, m odd: transforms of 2 or 4 reals and of m points without twiddles. Good
//   (1958), Thomas (1963). The coefficients 0 and 1 of two reals, or 0 and 2 of four, are real.
//   Their transforms of m reals are in the two parts of a vector.
// Reals are in pairs, as in memory. Compiled once for each instruction set.
#include "local/kernels/butterflies-inl.hpp"
#include "local/kernels/interleaved-inl.hpp"

#if defined(SIXSTEP_LOCAL_FEW_REALS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_FEW_REALS_INL
#undef SIXSTEP_LOCAL_FEW_REALS_INL
#else
#define SIXSTEP_LOCAL_FEW_REALS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

#if HWY_TARGET != HWY_SCALAR

/// Points without twiddles: m columns of `rows` (2 or 4) reals, m odd. Real i of row a and column
/// b, and coefficient k of row p and column r:
///   i = m a + rows b mod n,  k = p mod rows,  k = r mod m.
template <int n>
struct Coprime {
  static constexpr int rows = n % 4 == 0 ? 4 : 2;
  static constexpr int m = n / rows;

  static constexpr int real(int row, int column) { return (m * row + rows * column) % n; }
  static constexpr int coefficient(int row, int column) {
    int k = row;
    while (k % m != column) k += rows;
    return k;
  }
  /// The column in which real i is.
  static constexpr int column(int i) {
    for (int column = 0; column < m; ++column)
      for (int row = 0; row < rows; ++row)
        if (real(row, column) == i) return column;
    return -1;
  }
  /// Whether real i is in one of the first two rows.
  static constexpr bool is_first(int i) {
    return real(0, column(i)) == i || real(1, column(i)) == i;
  }
};

template <class Real>
HWY_INLINE Interleaved<Real, 1> conjugate(Interleaved<Real, 1> x) {
  return {hn::Mul(x.parts, for_parts<Real, 1>(1, -1))};
}

/// (a + b, a - b) of x = (a, b).
template <class Real>
HWY_INLINE Interleaved<Real, 1> sum_and_difference(Interleaved<Real, 1> x) {
  return {mul_add(x.parts, for_parts<Real, 1>(1, -1), swapped(x))};
}

/// The first part of one and the second part of the other.
template <class Real>
HWY_INLINE Interleaved<Real, 1> even_odd(Interleaved<Real, 1> even, Interleaved<Real, 1> odd) {
  return {hn::OddEven(odd.parts, even.parts)};
}

/// The sums over k = 1 ... m/2 of even[k] cos(2 pi j k / m) and odd[k] sin(2 pi j k / m), times a
/// factor, and the former with `first`.
template <int m, int j, int factor, class Number>
HWY_INLINE void add_cosines_and_sines(Number first, Number const* even, Number const* odd,
                                      Number& cosines, Number& sines) {
  using Real = typename Number::Part;
  cosines = first;
  for_indices<m / 2>([&](auto index) HWY_ATTR {
    constexpr int k = index() + 1;
    constexpr auto c = static_cast<Real>(factor * cosine(j * k % m, m));
    constexpr auto s = static_cast<Real>(factor * sine(j * k % m, m));
    cosines = add_scaled(cosines, even[k], c);
    sines = k == 1 ? scaled(odd[k], s) : add_scaled(sines, odd[k], s);
  });
}

/// Coefficients 0 ... m/2 of two columns of m reals, m odd: their real parts, and their imaginary
/// parts negated.
template <int m, class Number>
HWY_INLINE void forward_two_columns(Number const* x, Number* re, Number* im) {
  Number even[m / 2 + 1], odd[m / 2 + 1];
  re[0] = x[0];
  for_indices<m / 2>([&](auto index) HWY_ATTR {
    constexpr int k = index() + 1;
    even[k] = x[k] + x[m - k];
    odd[k] = x[k] - x[m - k];
    re[0] = re[0] + even[k];
  });
  for_indices<m / 2>([&](auto index) HWY_ATTR __attribute__((always_inline)) {
    constexpr int j = index() + 1;
    add_cosines_and_sines<m, j, 1>(x[0], even, odd, re[j], im[j]);
  });
}

template <int m, class Number>
HWY_INLINE void backward_two_columns(Number const* re, Number const* im, Number* x) {
  using Real = typename Number::Part;
  x[0] = re[0];
  for_indices<m / 2>([&](auto k)
                         HWY_ATTR { x[0] = add_scaled(x[0], re[k() + 1], static_cast<Real>(2)); });
  for_indices<m / 2>([&](auto index) HWY_ATTR __attribute__((always_inline)) {
    constexpr int j = index() + 1;
    Number cosines, sines;
    add_cosines_and_sines<m, j, 2>(re[0], re, im, cosines, sines);
    x[j] = cosines + sines;
    x[m - j] = cosines - sines;
  });
}

template <int n, class Real>
HWY_INLINE void forward_coprime(Interleaved<Real, 1> const* x, Interleaved<Real, 1>* out) {
  using Of = Coprime<n>;
  NumbersTag<Real, 1> const tag;
  constexpr int m = Of::m;
  Interleaved<Real, 1> two[m];  // coefficients 0 and rows/2 of each column
  Interleaved<Real, 1> one[m];  // conjugates of coefficients 1 of four
  for_indices<m>([&](auto b) HWY_ATTR {
    auto rows = even_odd(x[Of::real(0, b()) / 2], x[Of::real(1, b()) / 2]);
    if constexpr (Of::rows == 4) {
      auto const others = even_odd(x[Of::real(2, b()) / 2], x[Of::real(3, b()) / 2]);
      one[b()] = rows - others;
      rows = rows + others;
    }
    two[b()] = sum_and_difference(rows);
  });
  Interleaved<Real, 1> re[m / 2 + 1], im[m / 2 + 1];
  forward_two_columns<m>(two, re, im);
  im[0].parts = hn::Zero(tag);
  if constexpr (Of::rows == 4 && m > 1) butterfly<m>(one);
  for_indices<n / 2 + 1>([&](auto index) HWY_ATTR {
    constexpr int k = index();
    if constexpr (k % (Of::rows / 2) == 0) {
      constexpr int column = k % m <= m / 2 ? k % m : m - k % m;
      auto const a = re[column].parts, b = im[column].parts;
      auto const both =
          k % Of::rows == 0 ? hn::InterleaveLower(tag, a, b) : hn::InterleaveUpper(tag, a, b);
      out[k].parts = both;
      if constexpr (column != 0 && column == k % m) out[k] = conjugate(out[k]);
    } else if constexpr (k % 4 == 1) {
      out[k] = conjugate(one[(m - k % m) % m]);
    } else {
      out[k] = one[k % m];
    }
  });
}

template <int n, class Real>
HWY_INLINE void backward_coprime(Interleaved<Real, 1> const* in, Interleaved<Real, 1>* x) {
  using Of = Coprime<n>;
  NumbersTag<Real, 1> const tag;
  constexpr int m = Of::m;
  Interleaved<Real, 1> re[m / 2 + 1], im[m / 2 + 1], two[m], one[m];
  for_indices<m / 2 + 1>([&](auto r) HWY_ATTR {
    constexpr int k = Of::coefficient(0, r()), other = Of::coefficient(Of::rows / 2, r());
    auto const a = in[k <= n / 2 ? k : n - k].parts;
    auto const b = in[other <= n / 2 ? other : n - other].parts;
    re[r()].parts = hn::InterleaveLower(tag, a, b);
    im[r()].parts = hn::Mul(hn::InterleaveUpper(tag, a, b),
                            for_parts<Real, 1>(k <= n / 2 ? -1 : 1, other <= n / 2 ? -1 : 1));
  });
  backward_two_columns<m>(re, im, two);
  if constexpr (Of::rows == 4) {
    for_indices<m>([&](auto r) HWY_ATTR {
      constexpr int k = Of::coefficient(1, r());
      if constexpr (k <= n / 2)
        one[r()] = conjugate(in[k]);
      else
        one[r()] = in[n - k];
    });
    if constexpr (m > 1) butterfly<m>(one);
  }
  // The reals of the first two rows and of the other two.
  Interleaved<Real, 1> first[m], second[m];
  for_indices<m>([&](auto b) HWY_ATTR {
    first[b()] = sum_and_difference(two[b()]);
    if constexpr (Of::rows == 4) {
      second[b()] = add_scaled(first[b()], one[b()], static_cast<Real>(-2));
      first[b()] = add_scaled(first[b()], one[b()], static_cast<Real>(2));
    }
  });
  auto const holder = [&](auto i) HWY_ATTR {
    constexpr int column = Of::column(i());
    return Of::is_first(i()) ? first[column] : second[column];
  };
  for_indices<n / 2>([&](auto a) HWY_ATTR {
    x[a()] = even_odd(holder(std::integral_constant<int, 2 * a()>()),
                      holder(std::integral_constant<int, 2 * a() + 1>()));
  });
}

/// n/2 pairs of reals; n/2 + 1 coefficients.
template <int n, class Real>
HWY_INLINE void forward_few(Interleaved<Real, 1> const* x, Interleaved<Real, 1>* out) {
  if constexpr (n % 8 != 0) {
    forward_coprime<n>(x, out);
  } else {
    NumbersTag<Real, 1> const d;
    constexpr int h = n / 4;
    Interleaved<Real, 1> sums[h], z[h], even[h + 1];
    for_indices<h>([&](auto i) HWY_ATTR { sums[i()] = x[i()] + x[i() + h]; });
    for_indices<h / 2>([&](auto i) HWY_ATTR {
      auto const re = (x[i()] - x[i() + h]).parts;
      auto const im = (x[i() + h / 2 + h] - x[i() + h / 2]).parts;
      z[2 * i()].parts = hn::InterleaveLower(d, re, im);
      z[2 * i() + 1].parts = hn::InterleaveUpper(d, re, im);
    });
    for_indices<h>([&](auto j) HWY_ATTR { z[j()] = times_root<j(), n>(z[j()]); });
    butterfly<h, Eighths::last>(z);
    forward_few<n / 2>(sums, even);
    for_indices<h + 1>([&](auto k) HWY_ATTR { out[2 * k()] = even[k()]; });
    for_indices<h / 2>([&](auto k) HWY_ATTR {
      out[4 * k() + 1] = z[k()];
      out[4 * k() + 3] = conjugate(z[h - 1 - k()]);
    });
  }
}

/// It ignores the imaginary parts of the first coefficient and of the last.
template <int n, class Real>
HWY_INLINE void backward_few(Interleaved<Real, 1> const* in, Interleaved<Real, 1>* x) {
  if constexpr (n % 8 != 0) {
    backward_coprime<n>(in, x);
  } else {
    NumbersTag<Real, 1> const d;
    constexpr int h = n / 4;
    Interleaved<Real, 1> z[h], even[h + 1], sums[h];
    for_indices<h / 2>([&](auto k) HWY_ATTR {
      z[k()] = conjugate(in[4 * k() + 1]);
      z[h - 1 - k()] = in[4 * k() + 3];
    });
    butterfly<h, Eighths::last>(z);
    for_indices<h>([&](auto j) HWY_ATTR { z[j()] = times_root<j(), n>(z[j()]); });
    for_indices<h + 1>([&](auto k) HWY_ATTR { even[k()] = in[2 * k()]; });
    backward_few<n / 2>(even, sums);
    auto const store = [&](auto i, auto difference) HWY_ATTR {
      x[i()] = add_scaled(sums[i()], difference, static_cast<Real>(2));
      x[i() + h] = add_scaled(sums[i()], difference, static_cast<Real>(-2));
    };
    for_indices<h / 2>([&](auto i) HWY_ATTR {
      auto const a = z[2 * i()].parts, b = z[2 * i() + 1].parts;
      store(i, Interleaved<Real, 1>{hn::InterleaveLower(d, a, b)});
      store(std::integral_constant<int, i() + h / 2>(),
            Interleaved<Real, 1>{hn::InterleaveUpper(d, a, b)});
    });
  }
}

#endif  // HWY_SCALAR

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
