// SPDX-License-Identifier: BSD-3-Clause
// What operators and maps are checked against: the waves of coefficients, numbers that depend on
// them, and functions at points.
//
// Shares no code with the library. The transforms themselves are those of other oracles.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <type_traits>
#include <utility>
#include <vector>

#include "oracles/kinds.hpp"
#include "sixstep/batch.hpp"
#include "sixstep/symbol.hpp"

namespace solver_oracle {

using oracle::at;
using oracle::Exact;
using oracle::Index;
using oracle::Shape;
using oracle::Whole;
using sixstep::Batch;
using sixstep::Kind;
using sixstep::Symbol;
using sixstep::Wavevector;

inline bool is_periodic(Kind kind) { return kind == Kind::c2c || kind == Kind::r2c; }

/// The waves that coefficient `index` of n points stands for, if `modes` of them are kept; none if
/// it is dropped.
inline std::vector<double> waves(Kind kind, Index n, Index modes, Index index) {
  auto const i = static_cast<double>(index);
  switch (kind) {
    case Kind::c2c: {
      Index const wave = index <= (n - 1) / 2 ? index : index - n;
      if (2 * wave >= modes || 2 * wave < -modes) {
        if (!(modes == n && 2 * std::abs(wave) == n)) return {};
      }
      if (2 * std::abs(wave) == modes)
        return {0.5 * static_cast<double>(modes), -0.5 * static_cast<double>(modes)};
      return {static_cast<double>(wave)};
    }
    case Kind::r2c:
      if (index > modes / 2) return {};
      if (2 * index == modes) return {i, -i};
      return {i};
    case Kind::dst1:
    case Kind::dst2:
      return index < modes ? std::vector{i + 1} : std::vector<double>{};
    case Kind::dct3:
    case Kind::dct4:
    case Kind::dst3:
    case Kind::dst4:
      return index < modes ? std::vector{i + 0.5} : std::vector<double>{};
    default:
      return index < modes ? std::vector{i} : std::vector<double>{};
  }
}

/// The wave vectors of the coefficients of an array.
class Waves {
 public:
  /// An axis that is transformed: `modes` of the coefficients of `points` are kept.
  struct Along {
    int axis;
    Kind kind;
    Index points;
    Index modes;
  };

  /// `sides` may be empty, as in OperatorOptions.
  Waves(int axes, std::vector<Along> along, std::vector<double> sides)
      : axes_(axes), along_(std::move(along)), sides_(std::move(sides)) {}

  int axes() const { return axes_; }
  std::vector<Along> const& along() const { return along_; }
  bool has(Kind kind) const {
    return std::any_of(along_.begin(), along_.end(), [&](Along a) { return a.kind == kind; });
  }

  /// All wave vectors that a coefficient stands for; none if it is dropped.
  std::vector<Wavevector> of(Shape const& coefficient) const {
    std::vector<Wavevector> all{Wavevector(axes_, 0.0)};
    for (Along const& one : along_) {
      std::vector<Wavevector> more;
      for (Wavevector const& k : all)
        for (double wave : waves(one.kind, one.points, one.modes, coefficient[one.axis])) {
          more.push_back(k);
          more.back()[one.axis] = unit(one) * wave;
        }
      all = more;
    }
    return all;
  }

  /// `k` with 0 for the components whose sign a coefficient does not tell.
  Wavevector with_signs(Wavevector k) const {
    for (Along const& one : along_) {
      double const twice = 2 * std::abs(k[one.axis]) / unit(one);
      bool const is_either = std::abs(twice - static_cast<double>(one.modes)) < 0.5;
      if (is_periodic(one.kind) && is_either) k[one.axis] = 0;
    }
    return k;
  }

 private:
  double unit(Along const& one) const {
    double const around = is_periodic(one.kind) ? 2 * std::numbers::pi : std::numbers::pi;
    return sides_.empty() ? 1 : around / sides_[at(one.axis)];
  }

  int axes_;
  std::vector<Along> along_;
  std::vector<double> sides_;
};

/// Calls visit(one) for the axes of a kind along which an even number of modes is kept, but not
/// all.
template <class Visit>
void for_each_halved(std::vector<Waves::Along> const& along, Kind kind, Visit const& visit) {
  for (Waves::Along const& one : along)
    if (one.kind == kind && one.modes % 2 == 0 && one.modes < one.points) visit(one);
}

/// The element of an array at a point.
template <class Array>
auto& element(Array& x, Shape const& point) {
  return x.values[at(oracle::number_of(x.shape, point))];
}

/// Calls visit(coefficient of the wave -m/2, that of m/2) along an axis of c2c that keeps m modes.
template <class Array, class Visit>
void for_each_pair(Array& x, Waves::Along const& one, Visit const& visit) {
  oracle::for_each_point(x.shape, [&](Shape const& k) {
    if (k[one.axis] != one.points - one.modes / 2) return;
    Shape other = k;
    other[one.axis] = one.modes / 2;
    visit(element(x, k), element(x, other));
  });
}

/// Adds to the coefficients of the wave m/2 along an axis of r2c those of -m/2: the conjugates of
/// what lies at the opposite waves along the other axes.
template <class Array>
void add_opposite(Array& x, std::vector<Waves::Along> const& along, Waves::Along const& one) {
  Array const before = x;
  oracle::for_each_point(x.shape, [&](Shape const& k) {
    if (k[one.axis] != one.modes / 2) return;
    Shape opposite = k;
    for (Waves::Along const& each : along)
      if (each.kind == Kind::c2c)
        opposite[each.axis] = (x.shape[each.axis] - k[each.axis]) % x.shape[each.axis];
    element(x, k) += std::conj(element(before, opposite));
  });
}

/// All coefficients of a transform, where the highest wave that is kept stands for both signs: it
/// becomes the sum of both.
template <class Array>
Array with_sums(Array x, std::vector<Waves::Along> const& along) {
  for_each_halved(along, Kind::r2c, [&](Waves::Along const& one) { add_opposite(x, along, one); });
  for_each_halved(along, Kind::c2c, [&](Waves::Along const& one) {
    for_each_pair(x, one, [](auto& lower, auto const& upper) { lower += upper; });
  });
  return x;
}

/// All coefficients of a transform back, of which both signs of the highest wave get half.
template <class Array>
Array with_halves(Array x, std::vector<Waves::Along> const& along) {
  for_each_halved(along, Kind::c2c, [&](Waves::Along const& one) {
    for_each_pair(x, one, [](auto& lower, auto& upper) { upper = lower /= 2; });
  });
  for_each_halved(along, Kind::r2c, [&](Waves::Along const& one) {
    add_opposite(x, along, one);
    oracle::for_each_point(x.shape, [&](Shape const& k) {
      if (k[one.axis] == one.modes / 2) element(x, k) /= 4;
    });
  });
  return x;
}

/// A matrix at each wave vector: another number for each of row, column and `variant`, in any two
/// directions, and for k and -k. With an r2c axis the numbers at k and -k are conjugates, between
/// walls alone they are real.
class Numbers {
 public:
  /// `is_product`: the numbers are products of one number for each axis, whatever row and column.
  Numbers(Waves waves, bool is_complex, int variant = 0, bool is_product = false)
      : waves_(std::move(waves)),
        is_hermitian_(waves_.has(Kind::r2c)),
        is_complex_(is_complex && (waves_.has(Kind::c2c) || is_hermitian_)),
        variant_(variant),
        is_product_(is_product) {}

  Waves const& waves() const { return waves_; }

  /// Any change of k by a factor changes the number, and rounding errors of k do not.
  std::complex<double> operator()(Wavevector const& k, int row, int column) const {
    if (is_product_) {
      std::complex<double> product = 1;
      for (int axis = 0; axis < k.size(); ++axis) product *= factor(axis, k[axis]);
      return product;
    }
    double odd = 0, free = 0;
    for (Waves::Along const& one : waves_.along())
      (is_periodic(one.kind) ? odd : free) +=
          (1 + 0.37 * one.axis + 0.21 * column - 0.13 * row) * k[one.axis];
    double const u = std::asinh(odd), v = std::asinh(free) + 0.3 * column + 0.7 * variant_;
    double real = 0.4 + 0.2 * (row % 3) + 0.3 * std::cos(2 * u) + 0.3 * std::sin(v);
    double imaginary = 0.4 * std::sin(3 * u) * std::cos(v);
    if (!is_hermitian_) {
      real += 0.3 * std::sin(2 * u + column);
      imaginary += 0.3 * std::cos(u - row);
    }
    return {real, is_complex_ ? imaginary : 0};
  }

  /// The mean over all waves of a coefficient; 0 if it is dropped.
  Exact mean(Shape const& coefficient, int row, int column) const {
    std::vector<Wavevector> const all = waves_.of(coefficient);
    Exact sum = 0;
    for (Wavevector const& k : all) sum += Exact((*this)(k, row, column));
    return all.empty() ? 0 : sum / static_cast<long double>(all.size());
  }

  /// The number at one of the waves of a coefficient, whichever of them it is.
  Exact of_either(Shape const& coefficient, int row, int column) const {
    std::vector<Wavevector> const all = waves_.of(coefficient);
    return all.empty() ? 0 : Exact((*this)(waves_.with_signs(all[0]), row, column));
  }

  /// `results` 0: a number.
  Symbol symbol(int results, int fields) const {
    if (is_product_) return product_symbol();
    if (results > 0)
      return Symbol::matrix(
          results, fields,
          [numbers = *this, results, fields](Wavevector const& k, std::complex<double>* matrix) {
            for (int row = 0; row < results; ++row)
              for (int column = 0; column < fields; ++column) *matrix++ = numbers(k, row, column);
          },
          is_complex_ ? Symbol::Numbers::complex : Symbol::Numbers::real);
    if (is_complex_)
      return Symbol([numbers = *this](Wavevector const& k) { return numbers(k, 0, 0); });
    return Symbol([numbers = *this](Wavevector const& k) { return numbers(k, 0, 0).real(); });
  }

 private:
  /// The factor of an axis: at k and -k conjugates if products must be.
  std::complex<double> factor(int axis, double k) const {
    double const u = std::asinh(k) + 0.3 * variant_ * std::abs(k);
    double real = 0.8 + 0.1 * axis + 0.4 * std::cos(2 * u);
    if (!is_hermitian_) real += 0.3 * std::sin(u + axis);
    return {real, is_complex_ ? 0.5 * std::sin(3 * u) : 0};
  }
  Symbol product_symbol() const {
    std::vector<Symbol::Factor> factors;
    for (int axis = 0; axis < waves_.axes(); ++axis)
      factors.push_back([numbers = *this, axis](double k) { return numbers.factor(axis, k); });
    return Symbol::product(std::move(factors),
                           is_complex_ ? Symbol::Numbers::complex : Symbol::Numbers::real);
  }

  Waves waves_;
  bool is_hermitian_;
  bool is_complex_;
  int variant_;
  bool is_product_;
};

/// A function of coefficients: results are sums of fields times numbers. They are no numbers if a
/// batch has no wave vectors.
template <class Real, class Value>
auto mixed(Numbers const& numbers, int fields, int results) {
  return [=](Batch<Value> const& batch) {
    for (Index i = 0; i < batch.count; ++i) {
      Wavevector k(numbers.waves().axes(), std::numeric_limits<double>::quiet_NaN());
      for (int axis = 0; batch.k && axis < k.size(); ++axis) k[axis] = batch.k[axis][i];
      k = numbers.waves().with_signs(k);
      for (int row = 0; row < results; ++row) {
        Value sum = 0;
        for (int column = 0; column < fields; ++column) {
          std::complex<Real> const number(numbers(k, row, column));
          if constexpr (std::is_same_v<Value, Real>)
            sum += batch.in[column][i] * number.real();
          else
            sum += batch.in[column][i] * number;
        }
        batch.out[row][i] = sum;
      }
    }
  };
}

/// The fields that such a function makes of these coefficients.
inline std::vector<Whole> mixed_exactly(Numbers const& numbers, std::vector<Whole> const& fields,
                                        int results) {
  std::vector<Whole> made(at(results), Whole{fields[0].shape, {}});
  for (Whole& one : made) one.values.resize(fields[0].values.size());
  oracle::for_each_point(fields[0].shape, [&](Shape const& k) {
    std::size_t const i = at(oracle::number_of(fields[0].shape, k));
    for (int row = 0; row < results; ++row)
      for (int column = 0; column < static_cast<int>(fields.size()); ++column)
        made[at(row)].values[i] += fields[at(column)].values[i] * numbers.of_either(k, row, column);
  });
  return made;
}

/// Products of neighbouring fields, and a part that depends on the place.
template <class Value>
Value product(Value const* fields, int count, int row, Shape const& point) {
  using Part = decltype(std::abs(Value()));
  Index place = 0;
  for (int axis = 0; axis < point.size(); ++axis) place += (1 + axis) * point[axis];
  return fields[row % count] * fields[(row + 1) % count] +
         fields[0] * (Part(0.125) + static_cast<Part>(place) / 128);
}

/// A function of the values at points that makes such products. It writes one result after the
/// other, so no result may lie in the memory of a value.
template <class Value>
auto multiplied(int fields, int results) {
  return [=](Batch<Value> const& batch) {
    std::vector<Value> values(at(fields));
    for (int row = 0; row < results; ++row)
      for (Index i = 0; i < batch.count; ++i) {
        for (int field = 0; field < fields; ++field) values[at(field)] = batch.in[field][i];
        batch.out[row][i] = product(values.data(), fields, row, batch.index(i));
      }
  };
}

/// The fields that such a function makes of these points.
inline std::vector<Whole> multiplied_exactly(std::vector<Whole> const& fields, int results) {
  std::vector<Whole> made(at(results), fields[0]);
  std::vector<Exact> values(fields.size());
  oracle::for_each_point(fields[0].shape, [&](Shape const& point) {
    std::size_t const i = at(oracle::number_of(fields[0].shape, point));
    for (std::size_t field = 0; field < fields.size(); ++field)
      values[field] = fields[field].values[i];
    for (int row = 0; row < results; ++row)
      made[at(row)].values[i] = product(values.data(), static_cast<int>(values.size()), row, point);
  });
  return made;
}

}  // namespace solver_oracle
