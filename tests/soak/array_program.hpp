// SPDX-License-Identifier: BSD-3-Clause
// A random program of global arrays, and the same done to whole arrays by plain loops.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "oracles/kinds.hpp"
#include "sixstep/array.hpp"

namespace soak {

using cases::Random;
using oracle::at;
using oracle::Exact;
using sixstep::Array;
using sixstep::Box;
using sixstep::Grid;
using sixstep::Index;
using sixstep::Kind;
using sixstep::Layout;
using sixstep::LocalView;
using sixstep::Norm;
using sixstep::Order;
using sixstep::Ranks;
using sixstep::Shape;
using sixstep::text;
using Complex = std::complex<double>;
using oracle::Whole;

inline Exact at_point(Whole const& whole, Shape const& point) {
  return whole.values[at(oracle::number_of(whole.shape, point))];
}

/// An array of `shape` whose elements are element(point).
template <class Element>
Whole made(Shape const& shape, Element const& element) {
  Whole whole{shape, {}};
  oracle::for_each_point(shape,
                         [&](Shape const& point) { whole.values.emplace_back(element(point)); });
  return whole;
}

inline Whole transposed(Whole const& whole, Order const& axes) {
  Shape shape;
  for (int axis : axes) shape.push_back(whole.shape[axis]);
  return made(shape, [&](Shape const& point) {
    Shape original(point.size(), 0);
    for (int axis = 0; axis < point.size(); ++axis) original[axes[axis]] = point[axis];
    return at_point(whole, original);
  });
}

/// A random program: statements about an array, each done to the whole array by plain loops, too.
class Program {
 public:
  Program(std::uint64_t seed, Ranks const& ranks) : random_(seed), ranks_(ranks) {
    Shape const shape = cases::random_shape(random_, random_.between(1, 4), 150);
    values_ = drawn(shape);
    array_ = placed(values_);
  }

  void run() {
    for (int left = random_.between(2, 7); left > 0; --left) {
      statement();
      compare();
    }
  }
  std::string const& words() const { return words_; }

 private:
  void say(std::string const& statement) { words_ += "\n  " + statement; }

  // What is drawn.

  Whole drawn(Shape const& shape) {
    std::uint64_t const seed = static_cast<std::uint64_t>(random_.between(1, 1'000'000));
    return {shape, oracle::values(oracle::points_of(shape), seed)};
  }
  Layout layout(Shape const& shape) {
    Layout const found = cases::random_layout(random_, shape, ranks_.size());
    return random_.once_in(4) ? found.with_ghosts(widths(shape), widths(shape)) : found;
  }
  Shape widths(Shape const& shape) {
    Shape width;
    while (width.size() < shape.size()) width.push_back(random_.between(Index{0}, Index{2}));
    return width;
  }
  Array<Complex> placed(Whole const& whole) {
    Array<Complex> array(layout(whole.shape), ranks_);
    say("an array, " + array.layout().describe());
    array.fill([&](Shape const& point) { return Complex(at_point(whole, point)); });
    return array;
  }
  std::vector<int> some_axes() {
    std::vector<int> axes = cases::random_axes(random_, array_.layout().axes());
    return axes.empty() ? std::vector{random_.between(0, array_.layout().axes() - 1)} : axes;
  }

  // Statements: each does the same to both.

  void statement() {
    switch (random_.between(0, 10)) {
      case 0:
        return move();
      case 1:
      case 2:
        return transpose();
      case 3:
        return slice();
      case 4:
        return compute();
      case 5:
        return fourier();
      case 6:
        return cosines();
      case 7:
        return reals();
      case 8:
        return scatter();
      case 9:
        return ghosts();
      default:
        return look();
    }
  }

  void move() {
    Array<Complex> other(layout(array_.shape()), ranks_);
    say("b = a, b: " + other.layout().describe());
    bool const may_be_destroyed = random_.once_in(2);
    if (may_be_destroyed)
      other = std::move(array_);
    else
      other = array_;
    array_ = Array<Complex>();
    array_ = std::move(other);
  }

  void transpose() {
    Order const axes = cases::random_order(random_, array_.layout().axes());
    values_ = transposed(values_, axes);
    if (random_.once_in(2)) {
      say("a = transpose(a), its axes named anew");
      Array<Complex> other(sixstep::transpose(array_, axes));
      array_ = Array<Complex>();
      array_ = std::move(other);
    } else {
      Array<Complex> other(layout(values_.shape), ranks_);
      say("b = transpose(a), b: " + other.layout().describe());
      other = sixstep::transpose(std::move(array_), axes);
      array_ = Array<Complex>();
      array_ = std::move(other);
    }
  }

  void slice() {
    Box box;
    Shape shape;
    for (Index extent : array_.shape()) {
      Index const lo = random_.between(Index{0}, extent - 1);
      box.ranges.push_back(
          {lo, random_.between(lo + 1, extent), random_.between(Index{1}, Index{3})});
      shape.push_back(static_cast<Index>(oracle::indices(box.ranges[box.axes() - 1]).size()));
    }
    say("a.slice(" + to_string(box) + ")");
    Array<Complex> some = array_.slice(box);
    values_ = made(shape, [&](Shape point) {
      for (int axis = 0; axis < point.size(); ++axis)
        point[axis] = box.ranges[axis].lo + point[axis] * box.ranges[axis].step;
      return at_point(values_, point);
    });
    array_ = Array<Complex>();
    array_ = std::move(some);
  }

  void compute() {
    Whole const other = drawn(values_.shape);
    Array<Complex> const b = placed(other);
    say("a = 0.5 * a + a * conj(b) / 2");
    array_ = 0.5 * array_ + array_ * conj(b) / 2;
    for (std::size_t i = 0; i < values_.values.size(); ++i)
      values_.values[i] =
          0.5L * values_.values[i] + values_.values[i] * std::conj(other.values[i]) / 2.0L;
  }

  void fourier() {
    std::vector<int> const axes = some_axes();
    bool const forward = random_.once_in(2);
    long double points = 1;
    for (int axis : axes) {
      oracle::transform(values_.values, values_.shape, axis, forward ? -1 : +1);
      points *= static_cast<long double>(values_.shape[axis]);
    }
    for (Exact& value : values_.values) value /= std::sqrt(points);
    Order const names = cases::random_order(random_, array_.layout().axes());
    bool const in_place = random_.once_in(3);
    say(text(forward ? "fftn" : "ifftn", " along ", axes.size(), " axes from ", axes[0], " on",
             in_place ? ", in place" : ", transposed"));
    if (in_place) {
      if (forward)
        array_ = fftn(array_, axes, Norm::ortho);
      else
        array_ = ifftn(std::move(array_), axes, Norm::ortho);
      return;
    }
    values_ = transposed(values_, names);
    Array<Complex> other(layout(values_.shape), ranks_);
    if (forward)
      other = sixstep::transpose(fftn(array_, axes, Norm::ortho), names);
    else
      other = sixstep::transpose(ifftn(array_, axes, Norm::ortho), names);
    array_ = Array<Complex>();
    array_ = std::move(other);
  }

  /// Of real and imaginary parts each.
  void cosines() {
    auto kind = static_cast<Kind>(
        random_.between(static_cast<int>(Kind::dct1), static_cast<int>(Kind::dst4)));
    std::vector<int> const axes = some_axes();
    for (int axis : axes)
      if (values_.shape[axis] < 2) kind = Kind::dct2;  // dct1 needs two points
    oracle::Kinds kinds;
    long double size = 1;
    for (int axis : axes) {
      kinds.emplace_back(axis, kind);
      size *= oracle::there_and_back(kind, values_.shape[axis]);
    }
    values_ = oracle::forward(values_, kinds);
    for (Exact& value : values_.values) value /= size;
    bool const in_place = random_.once_in(2);
    say(text(to_string(kind), " along ", axes.size(), " axes from ", axes[0], " on",
             in_place ? ", in place" : ""));
    if (in_place) {
      array_ = transform(array_, kind, axes, Norm::forward);
    } else {
      Array<Complex> other(layout(values_.shape), ranks_);
      other = transform(array_, kind, axes, Norm::forward);
      array_ = Array<Complex>();
      array_ = std::move(other);
    }
  }

  void reals() {
    std::vector<int> const axes = some_axes();
    oracle::Kinds kinds;
    long double points = 1;
    for (int axis : axes) {
      kinds.emplace_back(axis, axis == axes.back() ? Kind::r2c : Kind::c2c);
      points *= static_cast<long double>(values_.shape[axis]);
    }
    for (Exact& value : values_.values) value = value.real();
    Array<double> const parts(real(array_));
    Whole const spectrum = oracle::forward(values_, kinds);
    Array<Complex> half(rfftn(parts, axes, Norm::forward));
    say("rfftn(real(a)), " + half.layout().describe());
    bool const ends_here = random_.once_in(2);
    if (ends_here) {
      values_ = spectrum;
      for (Exact& value : values_.values) value /= points;
      array_ = Array<Complex>();
      array_ = std::move(half);
    } else {
      say("and back");
      Index const n = values_.shape[axes.back()];
      Array<double> back(layout(values_.shape), ranks_);
      back = irfftn(half, n, axes, Norm::forward);
      array_ = as<Complex>(back);
    }
  }

  void scatter() {
    int const root = random_.between(0, ranks_.size() - 1);
    say(text("b.scatter(a.gather(", root, "), ", root, ")"));
    std::vector<Complex> const all = array_.gather(root);
    Array<Complex> other(layout(array_.shape()), ranks_);
    other.scatter(all, root);
    array_ = Array<Complex>();
    array_ = std::move(other);
  }

  void ghosts() {
    Shape const shape = array_.shape();
    Grid const grid = cases::random_grid(random_, shape.size(), ranks_.size());
    Shape const before = widths(shape), after = widths(shape);
    Layout const here = Layout::grid(shape, grid, {}, cases::random_order(random_, shape.size()))
                            .with_ghosts(before, after);
    say("update_ghosts of " + here.describe());
    Array<Complex> other(here, ranks_);
    other = array_;
    update_ghosts(other, sixstep::Boundary::periodic);
    LocalView<Complex const> const local = std::as_const(other).local();
    Box around = here.box(ranks_.rank());
    bool const is_empty = around.empty();
    for (int axis = 0; axis < around.axes(); ++axis) {
      around.ranges[axis].lo -= before[axis];
      around.ranges[axis].hi += after[axis];
    }
    bool right = true;
    if (!is_empty)
      oracle::for_each_point(around, [&](Shape const& point) {
        Shape wrapped = point;
        for (int axis = 0; axis < point.size(); ++axis)
          wrapped[axis] = (point[axis] + 2 * shape[axis]) % shape[axis];
        right = right && is_near(local[point], at_point(values_, wrapped));
      });
    expect(right, "ghosts");
    array_ = Array<Complex>();
    array_ = std::move(other);
  }

  /// What is read of it, as numbers that all ranks know.
  void look() {
    say("sum(a), max(real(a)), two_norm(a), a.at(point)");
    Exact total = 0;
    long double largest = values_.values[0].real(), squares = 0;
    for (Exact const& value : values_.values) {
      total += value;
      largest = std::max(largest, value.real());
      squares += std::norm(value);
    }
    auto const points = static_cast<double>(values_.values.size());
    expect(std::abs(sum(array_) - Complex(total)) <= 1e-12 * points * scale(), "sum");
    expect(is_near(Complex(max(real(array_))), Exact(largest)), "max");
    expect(std::abs(two_norm(array_) - static_cast<double>(std::sqrt(squares))) <=
               1e-12 * points * scale(),
           "two_norm");
    Shape point;
    for (Index extent : array_.shape()) point.push_back(random_.between(Index{0}, extent - 1));
    expect(is_near(array_.at(point), at_point(values_, point)), "at");
  }

  // The comparison.

  double scale() const {
    long double largest = 1;
    for (Exact const& value : values_.values) largest = std::max(largest, std::abs(value));
    return static_cast<double>(largest);
  }
  bool is_near(Complex found, Exact expected) const {
    return std::abs(found - Complex(expected)) <= 1e-12 * scale();
  }
  void expect(bool right, char const* what) const {
    Index wrong = right ? 0 : 1;
    ranks_.max(std::span(&wrong, 1));
    if (wrong > 0) throw sixstep::Error(text(what, ": differs from what it has to be"));
  }
  void compare() const {
    expect(array_.shape() == values_.shape, "the shape");
    std::vector<Complex> const all = array_.gather();
    double const error = 1e-12 * scale();
    bool right = all.size() == values_.values.size();
    for (std::size_t i = 0; right && i < all.size(); ++i)
      right = std::abs(all[i] - Complex(values_.values[i])) <= error;
    expect(right, "gather()");
    LocalView<Complex const> const local = array_.local();
    oracle::for_each_point(local.box(), [&](Shape const& point) {
      right = right && std::abs(local[point] - Complex(at_point(values_, point))) <= error;
    });
    expect(right, "local()");
  }

  Random random_;
  Ranks const& ranks_;
  Array<Complex> array_;
  Whole values_;
  std::string words_;
};

}  // namespace soak
