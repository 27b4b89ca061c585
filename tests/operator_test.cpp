// SPDX-License-Identifier: BSD-3-Clause
// Operators of all kinds against their definition: a transform, a product, a transform back.
#include "sixstep/operator.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "cases.hpp"
#include "ranks.hpp"
#include "real_oracle.hpp"
#include "refuses.hpp"

namespace sixstep {
namespace {

using cases::Random;
using oracle::at;
using oracle::Exact;
using oracle::Whole;
using ranks::failed_anywhere;
using ranks::rounds;

int mine() { return ranks::rank(); }
int all() { return ranks::count(); }

bool is_periodic(Kind kind) { return kind == Kind::c2c || kind == Kind::r2c; }

struct Case {
  Layout layout;
  OperatorOptions options;  // with axes and kinds in full
  int results = 0;          // of a matrix; 0: a number
  bool is_complex = true;   // numbers of the symbol

  oracle::Kinds kinds() const {
    oracle::Kinds found;
    for (std::size_t i = 0; i < options.axes.size(); ++i)
      found.emplace_back(options.axes[i], options.kinds[i]);
    return found;
  }
  bool has_real_arrays() const {
    return std::none_of(options.kinds.begin(), options.kinds.end(),
                        [](Kind kind) { return kind == Kind::c2c; }) ||
           std::count(options.kinds.begin(), options.kinds.end(), Kind::r2c) > 0;
  }
};

/// Even in every component, and with an odd imaginary part in those that are periodic.
std::complex<double> number(Case const& given, Wavevector const& k, int row, int column) {
  double even = 0.5 + row, odd = 0;
  for (int axis = 0; axis < k.size(); ++axis) {
    even += (1 + axis + column) * k[axis] * k[axis];
    auto const& axes = given.options.axes;
    auto const place = std::find(axes.begin(), axes.end(), axis) - axes.begin();
    bool const transformed = place < static_cast<std::ptrdiff_t>(axes.size());
    if (transformed && is_periodic(given.options.kinds[static_cast<std::size_t>(place)]))
      odd += (2 + axis - row) * k[axis];
  }
  double const size = 1 / (1 + even);
  return {size, given.is_complex ? size * odd : 0};
}

Symbol symbol_of(Case const& given) {
  if (given.results > 0)
    return Symbol::matrix(given.results, given.options.fields,
                          [given](Wavevector const& k, std::complex<double>* matrix) {
                            for (int row = 0; row < given.results; ++row)
                              for (int column = 0; column < given.options.fields; ++column)
                                *matrix++ = number(given, k, row, column);
                          });
  if (given.is_complex) return Symbol([given](Wavevector const& k) { return number(given, k, 0, 0); });
  return Symbol([given](Wavevector const& k) { return number(given, k, 0, 0).real(); });
}

/// The waves that coefficient `index` of n points stands for, if `modes` of them are kept; none if
/// it is dropped.
std::vector<double> waves(Kind kind, Index n, Index modes, Index index) {
  auto const i = static_cast<double>(index);
  switch (kind) {
    case Kind::c2c: {
      Index const wave = index <= (n - 1) / 2 ? index : index - n;
      if (2 * wave >= modes || 2 * wave < -modes) {
        if (!(modes == n && 2 * std::abs(wave) == n)) return {};
      }
      if (2 * std::abs(wave) == modes) return {0.5 * static_cast<double>(modes), -0.5 * static_cast<double>(modes)};
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

/// The mean of the symbol over all waves of a coefficient.
Exact factor(Case const& given, Shape const& coefficient, int row, int column) {
  std::vector<Wavevector> all{Wavevector(coefficient.size(), 0.0)};
  OperatorOptions const& options = given.options;
  for (std::size_t i = 0; i < options.axes.size(); ++i) {
    int const axis = options.axes[i];
    Index const n = given.layout.shape()[axis];
    std::vector<double> const there =
        waves(options.kinds[i], n, options.modes.empty() ? n : options.modes[i], coefficient[axis]);
    double const around = is_periodic(options.kinds[i]) ? 2 * std::numbers::pi : std::numbers::pi;
    double const unit = options.sides.empty() ? 1 : around / options.sides[at(axis)];
    std::vector<Wavevector> more;
    for (Wavevector const& k : all)
      for (double wave : there) {
        more.push_back(k);
        more.back()[axis] = unit * wave;
      }
    all = more;
  }
  Exact sum = 0;
  for (Wavevector const& k : all) sum += Exact(number(given, k, row, column));
  return all.empty() ? 0 : sum / static_cast<long double>(all.size());
}

/// What the operator makes of several fields.
std::vector<Whole> applied(Case const& given, std::vector<Whole> const& fields) {
  oracle::Kinds const kinds = given.kinds();
  Index real_points = 1;
  long double points = 1;
  for (auto const& [axis, kind] : kinds) {
    Index const n = given.layout.shape()[axis];
    if (kind == Kind::r2c) real_points = n;
    points *= oracle::there_and_back(kind, n);
  }
  std::vector<Whole> spectra;
  for (Whole const& field : fields) spectra.push_back(oracle::forward(field, kinds));
  int const results = given.results > 0 ? given.results : static_cast<int>(fields.size());
  std::vector<Whole> made;
  for (int row = 0; row < results; ++row) {
    Whole sum{spectra[0].shape, std::vector<Exact>(spectra[0].values.size())};
    for (int column = 0; column < static_cast<int>(fields.size()); ++column) {
      if (given.results == 0 && row != column) continue;
      oracle::for_each_point(sum.shape, [&](Shape const& k) {
        std::size_t const i = at(oracle::number_of(sum.shape, k));
        sum.values[i] += spectra[at(column)].values[i] *
                         (given.results > 0 ? factor(given, k, row, column) : factor(given, k, 0, 0));
      });
    }
    made.push_back(oracle::backward(sum, kinds, real_points));
    for (Exact& value : made.back().values) value /= points;
  }
  return made;
}

/// Where element `offset` of a field lies in an array of several, in elements.
Index place(Case const& given, int fields, int field, Index offset) {
  if (given.options.interleaved && given.options.fields > 1) return offset * fields + field;
  return offset + field * given.layout.local_size(mine());
}

template <class Real>
void fill(std::vector<Real>& array, Case const& given, std::vector<Whole> const& fields) {
  Index const unit = given.has_real_arrays() ? 1 : 2;
  for (int field = 0; field < static_cast<int>(fields.size()); ++field)
    oracle::for_each_element(given.layout, mine(), [&](Shape const& point, Index offset) {
      Exact const& value =
          fields[at(field)].values[at(oracle::number_of(given.layout.shape(), point))];
      Index const there = place(given, static_cast<int>(fields.size()), field, offset) * unit;
      array[at(there)] = static_cast<Real>(value.real());
      if (unit == 2) array[at(there) + 1] = static_cast<Real>(value.imag());
    });
}

template <class Real>
double difference(std::vector<Real> const& array, Case const& given,
                  std::vector<Whole> const& fields) {
  std::vector<Real> expected(array.size());
  fill(expected, given, fields);
  Index const unit = given.has_real_arrays() ? 1 : 2;
  double worst = 0;
  Index const reals =
      given.layout.local_size(mine()) * static_cast<Index>(fields.size()) * unit;
  for (Index i = 0; i < reals; ++i) {
    double const error = std::abs(static_cast<double>(array[at(i)] - expected[at(i)]));
    worst = std::isnan(error) ? HUGE_VAL : std::max(worst, error);
  }
  return worst;
}

template <class Real>
void apply(Operator<Real>& op, Case const& given, Real* in, Real* out) {
  using Complex = std::complex<Real>;
  if (given.has_real_arrays())
    op.apply(in, out);
  else
    op.apply(reinterpret_cast<Complex*>(in), reinterpret_cast<Complex*>(out));
}

std::string describe(Case const& given) {
  std::string kinds;
  for (auto const& [axis, kind] : given.kinds()) kinds += text(" ", axis, ":", to_string(kind));
  std::string modes;
  for (Index m : given.options.modes) modes += text(" ", m);
  return text(cases::describe(given.layout), "\nkinds", kinds, ", modes", modes, ", fields ",
              given.options.fields, given.options.interleaved ? " interleaved" : "", ", results ",
              given.results, ", kept ", given.options.kept, ", complex ", given.is_complex,
              ", exchange ", static_cast<int>(given.options.exchange), ", windows ",
              given.options.windows, ", sides ", given.options.sides.size());
}

template <class Real>
void expect_definition(Case const& given) {
  SCOPED_TRACE(describe(given));
  Operator<Real> op(given.layout, MPI_COMM_WORLD, symbol_of(given), given.options);
  SCOPED_TRACE(op.describe());
  bool const real = given.has_real_arrays();
  Index const points = oracle::points_of(given.layout.shape());
  std::vector<Whole> fields;
  for (int field = 0; field < given.options.fields; ++field) {
    Whole whole{given.layout.shape(), oracle::values(points, static_cast<std::uint64_t>(field + 1))};
    if (real)
      for (Exact& value : whole.values) value = value.real();
    fields.push_back(whole);
  }
  std::vector<Whole> const expected = applied(given, fields);
  auto const unit = static_cast<std::size_t>(real ? 1 : 2);
  Real const nan = std::numeric_limits<Real>::quiet_NaN();
  std::vector<Real> in(at(op.input_size()) * unit, nan), out(at(op.output_size()) * unit, nan);
  fill(in, given, fields);
  std::vector<Real> const before = in;
  double const bound =
      200 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * given.options.fields;
  apply(op, given, in.data(), out.data());
  EXPECT_LT(ranks::largest(difference(out, given, expected)), bound);
  if (given.options.preserve_input) {
    EXPECT_TRUE(before == in) << "the input was changed";
  }
  std::vector<Real> one(at(op.in_place_size()) * unit, nan);
  std::copy(before.begin(), before.end(), one.begin());
  apply(op, given, one.data(), one.data());
  EXPECT_LT(ranks::largest(difference(one, given, expected)), bound) << "in place";

  auto const own = op.template allocate<Real>();
  auto const other = op.template allocate<Real>();
  std::copy(before.begin(), before.end(), own.get());
  apply(op, given, own.get(), other.get());
  std::vector<Real> const got(other.get(), other.get() + out.size());
  EXPECT_LT(ranks::largest(difference(got, given, expected)), bound) << "allocated";
}

Case random_case(Random& random, int axes, Index points) {
  Shape const shape = cases::random_shape(random, axes, points);
  Case given{.layout = cases::random_layout(random, shape, all()), .options = {}};
  OperatorOptions& options = given.options;
  options.axes = cases::random_axes(random, axes);
  if (options.axes.empty())
    for (int axis = 0; axis < axes; ++axis) options.axes.push_back(axis);
  int const style = random.between(0, 3);  // complex, real, walls alone, mixed
  bool has_real = false;
  for (int axis : options.axes) {
    auto const wall = static_cast<Kind>(random.between(static_cast<int>(Kind::dct1), static_cast<int>(Kind::dst4)));
    bool const possible = !(wall == Kind::dct1 && shape[axis] < 2);
    Kind kind = style == 2 || (style == 3 && random.once_in(2)) ? (possible ? wall : Kind::dct2)
                                                                : Kind::c2c;
    if (kind == Kind::c2c && style % 2 == 1 && !has_real) {
      kind = Kind::r2c;
      has_real = true;
    }
    options.kinds.push_back(kind);
  }
  if (random.once_in(4))
    for (int axis : options.axes) options.modes.push_back(random.between(Index{1}, shape[axis]));
  if (random.once_in(2))
    for (int axis = 0; axis < axes; ++axis) options.sides.push_back(0.5 + axis);
  bool const walls = std::none_of(options.kinds.begin(), options.kinds.end(), is_periodic);
  given.is_complex = !walls && random.once_in(2);
  if (axes < max_axes && random.once_in(3)) {
    options.fields = random.between(2, 4);
    options.interleaved = random.once_in(2);
    if (random.once_in(2)) given.results = random.between(1, 4);
  } else if (random.once_in(8)) {
    given.results = 1;
  }
  options.kept = !random.once_in(3);
  options.preserve_input = !random.once_in(3);
  options.exchange = static_cast<Exchange>(random.between(0, 4));
  options.threads = random.between(1, 2);
  options.windows = random.once_in(2) ? 0 : random.between(1, 5);
  options.split_untransformed = random.once_in(2);
  options.regrid = random.once_in(3);
  options.low_memory = random.once_in(4);
  return given;
}

TEST(operators, is_a_transform_a_product_and_a_transform_back) {
  Random random(1);
  for (int round = 0; round < rounds(120) && !failed_anywhere(); ++round) {
    Case const given = random_case(random, random.between(1, 4), 400);
    random.once_in(4) ? expect_definition<float>(given) : expect_definition<double>(given);
  }
}

}  // namespace
}  // namespace sixstep
