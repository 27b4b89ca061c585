// SPDX-License-Identifier: BSD-3-Clause
// Sums of exponentials, cosines and sines.
#include "exact.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <map>
#include <span>
#include <utility>

#include "oracles/kinds.hpp"
#include "oracles/roots.hpp"

namespace soak {

namespace {

constexpr Index longest_sum = 96;  // points along an axis that are summed by the definition

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

template <class Real>
using Values = std::vector<std::complex<Real>>;

/// Without the care for infinities that the standard's product takes.
template <class Real>
std::complex<Real> times(std::complex<Real> a, std::complex<Real> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// exp(2 pi i p / q), p = 0 ... q - 1; kept for the next time.
template <class Real>
Values<Real> const& waves(Index q) {
  static std::map<Index, Values<Real>> known;
  static Index kept = 0;
  constexpr Index most = 1 << 20;
  if (kept > most) known.clear(), kept = 0;
  Values<Real>& found = known[q];
  if (!found.empty()) return found;
  kept += q;
  for (Index p = 0; p < q; ++p) {
    oracle::Exact const root = std::conj(oracle::exact_root(p, q));
    found.emplace_back(static_cast<Real>(root.real()), static_cast<Real>(root.imag()));
  }
  return found;
}

/// An array as columns along an axis: element j of column (o, i) is at (o n + j) inner + i.
struct Columns {
  Index outer, n, inner;
};

Columns columns_of(Shape const& shape, int axis) {
  Columns columns{1, shape[axis], 1};
  for (int a = 0; a < shape.size(); ++a)
    if (a != axis) (a < axis ? columns.outer : columns.inner) *= shape[a];
  return columns;
}

/// y[k] = sum_j coefficient(j, k) x[j] along an axis, which then has `extent` points.
template <class Real, class Coefficient>
Whole<Real> summed(Whole<Real> const& x, int axis, Index extent, Coefficient const& coefficient) {
  Columns const columns = columns_of(x.shape, axis);
  Index const inner = columns.inner;
  Whole<Real> y{x.shape, {}};
  y.shape[axis] = extent;
  y.values.resize(at(columns.outer * extent * inner));
  Values<Real> table;  // coefficients of an output
  table.resize(at(columns.n));
  for (Index k = 0; k < extent; ++k) {
    for (Index j = 0; j < columns.n; ++j) table[at(j)] = coefficient(j, k);
    for (Index o = 0; o < columns.outer; ++o) {
      std::complex<Real>* const out = y.values.data() + (o * extent + k) * inner;
      for (Index j = 0; j < columns.n; ++j) {
        std::complex<Real> const* const in = x.values.data() + (o * columns.n + j) * inner;
        for (Index i = 0; i < inner; ++i) out[i] += times(table[at(j)], in[i]);
      }
    }
  }
  return y;
}

/// sum_j x[j] exp(2 pi i j k / L), L a power of two, in place.
template <class Real>
void power_of_two(std::span<std::complex<Real>> x) {
  std::size_t const n = x.size();
  Values<Real> const& wave = waves<Real>(static_cast<Index>(n));
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t start = 0; start < n; start += 2 * half)
      for (std::size_t i = 0; i < half; ++i) {
        std::complex<Real>& a = x[start + i];
        std::complex<Real>& b = x[start + i + half];
        std::complex<Real> const turned = times(b, wave[i * (n / (2 * half))]);
        b = a - turned;
        a += turned;
      }
}

/// sum_j x[j] exp(2 pi i j k / n): j k = (j^2 + k^2 - (j - k)^2) / 2 makes it a convolution.
template <class Real>
class Chirps {
 public:
  explicit Chirps(Index n)
      : n_(n), length_(static_cast<Index>(std::bit_ceil(at(2 * n - 1)))), chirp_(at(length_)) {
    for (Index k = 0; k < n; ++k)
      chirp_[at(k)] = chirp_[at((length_ - k) % length_)] = std::conj(root(k));
    power_of_two(std::span(chirp_));
  }
  std::complex<Real> root(Index k) const { return waves<Real>(2 * n_)[at(k * k % (2 * n_))]; }

  /// Any values of x, each `stride` from the next.
  void apply(std::complex<Real>* x, Index stride) const {
    Values<Real> work(at(length_));
    for (Index j = 0; j < n_; ++j) work[at(j)] = times(x[j * stride], root(j));
    power_of_two(std::span(work));
    for (Index k = 0; k < length_; ++k) work[at(k)] = std::conj(times(work[at(k)], chirp_[at(k)]));
    power_of_two(std::span(work));
    for (Index k = 0; k < n_; ++k)
      x[k * stride] = times(std::conj(work[at(k)]), root(k)) / static_cast<Real>(length_);
  }

 private:
  Index n_, length_;
  Values<Real> chirp_;
};

template <class Real>
void conjugate(Whole<Real>& x) {
  for (std::complex<Real>& value : x.values) value = std::conj(value);
}

/// sum_j x[j] exp(-+2 pi i j k / n).
template <class Real>
Whole<Real> fourier(Whole<Real> x, int axis, Direction direction) {
  Columns const columns = columns_of(x.shape, axis);
  bool const forward = direction == Direction::forward;
  Index const n = columns.n;
  if (n <= longest_sum) {
    Values<Real> const& wave = waves<Real>(n);
    return summed(x, axis, n, [&](Index j, Index k) {
      return forward ? std::conj(wave[at(j * k % n)]) : wave[at(j * k % n)];
    });
  }
  if (forward) conjugate(x);
  Chirps<Real> const chirps(n);
  for (Index o = 0; o < columns.outer; ++o)
    for (Index i = 0; i < columns.inner; ++i)
      chirps.apply(x.values.data() + o * n * columns.inner + i, columns.inner);
  if (forward) conjugate(x);
  return x;
}

constexpr Index none = -1;

/// x[rows[0]], x[rows[1]] ... along an axis; zero where there is none.
template <class Real>
Whole<Real> rows_of(Whole<Real> const& x, int axis, std::vector<Index> const& rows) {
  Columns const columns = columns_of(x.shape, axis);
  Whole<Real> y{x.shape, {}};
  y.shape[axis] = static_cast<Index>(rows.size());
  for (Index o = 0; o < columns.outer; ++o)
    for (Index row : rows)
      for (Index i = 0; i < columns.inner; ++i)
        y.values.push_back(row == none ? std::complex<Real>()
                                       : x.values[at((o * columns.n + row) * columns.inner + i)]);
  return y;
}

/// The first points along an axis.
template <class Real>
Whole<Real> first_of(Whole<Real> const& x, int axis, Index extent) {
  std::vector<Index> rows;
  for (Index k = 0; k < extent; ++k) rows.push_back(k);
  return rows_of(x, axis, rows);
}

/// Which of all coefficients are kept: of c2c those of the lowest frequencies, of either sign.
std::vector<Index> kept_rows(AxisKind const& one) {
  std::vector<Index> rows;
  for (Index k = 0; k < coefficients(one.kind, one.modes); ++k) {
    bool const is_negative = one.kind == Kind::c2c && 2 * k >= one.modes;
    rows.push_back(is_negative ? one.points - (one.modes - k) : k);
  }
  return rows;
}

/// Real values of n points from their first n/2 + 1 coefficients: the others are conjugates of
/// these, and X[0] and X[n/2] have no imaginary part. All other axes are done by then.
template <class Real>
Whole<Real> from_half(Whole<Real> const& x, int axis, Index n) {
  Columns const half = columns_of(x.shape, axis);
  Whole<Real> full{x.shape, {}};
  full.shape[axis] = n;
  full.values.resize(at(half.outer * n * half.inner));
  auto const place = [&](Index o, Index k, Index extent) { return (o * extent + k) * half.inner; };
  for (Index o = 0; o < half.outer; ++o)
    for (Index k = 0; k < half.n; ++k)
      for (Index i = 0; i < half.inner; ++i) {
        std::complex<Real> value = x.values[at(place(o, k, half.n) + i)];
        if (k == 0 || 2 * k == n) value = value.real();
        full.values[at(place(o, (n - k) % n, n) + i)] = std::conj(value);
        full.values[at(place(o, k, n) + i)] = value;
      }
  full = fourier(std::move(full), axis, Direction::backward);
  for (std::complex<Real>& value : full.values) value = value.real();
  return full;
}

/// Cosine and sine transforms as FFTW defines them:
/// y[k] = sum_j weight(j) x[j] cos or sin(2 pi p(j) m(k) / q).
class Trigonometric {
 public:
  Trigonometric(Kind kind, Index n) : kind_(kind), n_(n) {}

  bool is_sine() const { return kind_ >= Kind::dst1; }
  Index q() const {
    return kind_ == Kind::dct1                          ? 2 * (n_ - 1)
           : kind_ == Kind::dst1                        ? 2 * (n_ + 1)
           : kind_ == Kind::dct4 || kind_ == Kind::dst4 ? 8 * n_
                                                        : 4 * n_;
  }
  Index p(Index j) const { return has_halves(kind_) ? 2 * j + 1 : j + first(); }
  Index m(Index k) const { return has_halves(oracle::undone_by(kind_)) ? 2 * k + 1 : k + first(); }
  int weight(Index j) const {
    bool const is_end = (j == 0 && (kind_ == Kind::dct1 || kind_ == Kind::dct3)) ||
                        (j == n_ - 1 && (kind_ == Kind::dct1 || kind_ == Kind::dst3));
    return is_end ? 1 : 2;
  }

 private:
  static bool has_halves(Kind kind) {
    return kind == Kind::dct2 || kind == Kind::dct4 || kind == Kind::dst2 || kind == Kind::dst4;
  }
  Index first() const { return is_sine() ? 1 : 0; }

  Kind kind_;
  Index n_;
};

/// As a transform of q points: x[j] at p(j), y[k] from those at m(k) and -m(k).
template <class Real>
void trigonometric_column(std::complex<Real>* x, Index n, Index stride, Trigonometric const& sums,
                          Chirps<Real> const& chirps) {
  Index const q = sums.q();
  Values<Real> z(at(q));
  for (Index j = 0; j < n; ++j)
    z[at(sums.p(j))] = x[j * stride] * static_cast<Real>(sums.weight(j));
  chirps.apply(z.data(), 1);
  for (Index k = 0; k < n; ++k) {
    Index const m = sums.m(k);
    std::complex<Real> const there = z[at(m % q)], back = z[at((q - m % q) % q)];
    std::complex<Real> const twice = sums.is_sine() ? times(there - back, {0, -1}) : there + back;
    x[k * stride] = twice / Real(2);
  }
}

template <class Real>
Whole<Real> trigonometric(Whole<Real> x, int axis, Kind kind) {
  Columns const columns = columns_of(x.shape, axis);
  Index const n = columns.n;
  Trigonometric const sums(kind, n);
  if (n <= longest_sum) {
    Index const q = sums.q();
    Values<Real> const& wave = waves<Real>(q);
    return summed(x, axis, n, [&](Index j, Index k) {
      std::complex<Real> const w = wave[at(sums.p(j) * sums.m(k) % q)];
      return std::complex<Real>(static_cast<Real>(sums.weight(j)) *
                                (sums.is_sine() ? w.imag() : w.real()));
    });
  }
  Chirps<Real> const chirps(sums.q());
  for (Index o = 0; o < columns.outer; ++o)
    for (Index i = 0; i < columns.inner; ++i)
      trigonometric_column(x.values.data() + o * n * columns.inner + i, n, columns.inner, sums,
                           chirps);
  return x;
}

}  // namespace

template <class Real>
Whole<Real> random_whole(Shape const& shape, bool is_real, std::uint64_t seed) {
  auto const value = [&](std::uint64_t number) {
    std::uint64_t x = number * 0x9e3779b97f4a7c15ull + seed;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    x ^= x >> 31;
    return static_cast<Real>(static_cast<std::int64_t>(x % 2049) - 1024) / 1024;
  };
  Whole<Real> whole{shape, {}};
  auto const points = static_cast<std::uint64_t>(sixstep::volume(shape));
  for (std::uint64_t i = 0; i < points; ++i)
    whole.values.emplace_back(value(2 * i), is_real ? 0 : value(2 * i + 1));
  return whole;
}

template <class Real>
Whole<Real> transformed(Whole<Real> x, std::vector<AxisKind> const& kinds, Direction direction,
                        Index points) {
  bool const forward = direction == Direction::forward;
  int real_axis = -1;
  for (AxisKind const& one : kinds)
    if (one.kind == Kind::r2c) real_axis = one.axis;
  if (forward && real_axis >= 0)
    x = first_of(fourier(std::move(x), real_axis, direction), real_axis, points / 2 + 1);
  for (AxisKind const& one : kinds) {
    if (one.kind == Kind::c2c) x = fourier(std::move(x), one.axis, direction);
    if (one.kind != Kind::c2c && one.kind != Kind::r2c)
      x = trigonometric(std::move(x), one.axis, forward ? one.kind : oracle::undone_by(one.kind));
  }
  return !forward && real_axis >= 0 ? from_half(x, real_axis, points) : x;
}

template <class Real>
Whole<Real> followed_by_zeros(Whole<Real> x, std::vector<AxisKind> const& kinds) {
  for (AxisKind const& one : kinds) {
    std::vector<Index> rows(at(one.points), none);
    for (Index k = 0; k < x.shape[one.axis]; ++k) rows[at(k)] = k;
    x = rows_of(x, one.axis, rows);
  }
  return x;
}

template <class Real>
Whole<Real> first_points(Whole<Real> x, Shape const& shape) {
  for (int axis = 0; axis < shape.size(); ++axis)
    if (x.shape[axis] > shape[axis]) x = first_of(x, axis, shape[axis]);
  return x;
}

template <class Real>
Whole<Real> points_from(Whole<Real> x, int axis, Index count, Index first) {
  std::vector<Index> rows;
  for (Index k = 0; k < count; ++k) rows.push_back((first + k) % x.shape[axis]);
  return rows_of(x, axis, rows);
}

template <class Real>
Whole<Real> kept_of(Whole<Real> y, std::vector<AxisKind> const& kinds) {
  for (AxisKind const& one : kinds) y = rows_of(y, one.axis, kept_rows(one));
  return y;
}

template <class Real>
Whole<Real> among_zeros(Whole<Real> y, std::vector<AxisKind> const& kinds) {
  for (AxisKind const& one : kinds) {
    std::vector<Index> rows(at(coefficients(one.kind, one.points)), none);
    std::vector<Index> const kept = kept_rows(one);
    for (std::size_t k = 0; k < kept.size(); ++k) rows[at(kept[k])] = static_cast<Index>(k);
    y = rows_of(y, one.axis, rows);
  }
  return y;
}

template Whole<double> random_whole(Shape const&, bool, std::uint64_t);
template Whole<long double> random_whole(Shape const&, bool, std::uint64_t);
template Whole<double> transformed(Whole<double>, std::vector<AxisKind> const&, Direction, Index);
template Whole<long double> transformed(Whole<long double>, std::vector<AxisKind> const&, Direction,
                                        Index);
template Whole<double> followed_by_zeros(Whole<double>, std::vector<AxisKind> const&);
template Whole<long double> followed_by_zeros(Whole<long double>, std::vector<AxisKind> const&);
template Whole<double> first_points(Whole<double>, Shape const&);
template Whole<long double> first_points(Whole<long double>, Shape const&);
template Whole<long double> points_from(Whole<long double>, int, Index, Index);
template Whole<double> kept_of(Whole<double>, std::vector<AxisKind> const&);
template Whole<long double> kept_of(Whole<long double>, std::vector<AxisKind> const&);
template Whole<double> among_zeros(Whole<double>, std::vector<AxisKind> const&);
template Whole<long double> among_zeros(Whole<long double>, std::vector<AxisKind> const&);

}  // namespace soak
