// SPDX-License-Identifier: BSD-3-Clause
// Array: a global array that is spread over ranks.
//
// One rule: an expression is evaluated in the layout of its target; an operand in another layout is
// moved there first. So b = a moves an array from one layout to another, c = 2 * a + b is a loop
// over this rank's elements, and b = fft(transpose(a)) is one plan. All functions here are
// collective unless their comment says otherwise.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "sixstep/exact_sum.hpp"
#include "sixstep/indices.hpp"
#include "sixstep/ranks.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// A type that can be assigned to an array: it has elements and a layout, and evaluates itself into
/// an array of any layout.
template <class E>
concept Expression = requires(std::remove_cvref_t<E> const& expression) {
  typename std::remove_cvref_t<E>::Element;
  expression.layout();
  expression.ranks();
};

/// Whether T is a complex number.
template <class T>
inline constexpr bool is_complex = false;
template <class Real>
inline constexpr bool is_complex<std::complex<Real>> = true;

/// The Real of a Real or a std::complex<Real>.
template <class T>
struct RealOf {
  using type = T;
};
template <class Real>
struct RealOf<std::complex<Real>> {
  using type = Real;
};

/// The scale of transforms, in NumPy's words. backward: the inverse transform is multiplied by 1/N;
/// ortho: both by 1/sqrt(N); forward: the forward transform by 1/N.
enum class Norm { backward, ortho, forward };

/// A rank's part of an array, with global indices. It is valid as long as the array exists.
template <class T>
class LocalView {
 public:
  LocalView(T* data, Layout const& layout, int rank)
      : data_(data + layout.offset(rank)), box_(layout.box(rank)), strides_(layout.strides(rank)) {}

  /// The first element of box().
  T* data() const { return data_; }
  Box const& box() const { return box_; }
  /// Elements between neighbours along each axis.
  Shape const& strides() const { return strides_; }

  /// An element of the box, or of the ghosts around it. The point is not checked.
  T& operator[](Shape const& point) const {
    Index offset = 0;
    for (int axis = 0; axis < box_.axes(); ++axis) {
      Range const& range = box_.ranges[axis];
      offset += (point[axis] - range.lo) / range.step * strides_[axis];
    }
    return data_[offset];
  }
  template <std::integral... Indices>
  T& operator()(Indices... indices) const {
    return (*this)[Shape{static_cast<Index>(indices)...}];
  }

 private:
  T* data_;
  Box box_;
  Shape strides_;
};

template <class T>
class Array;

/// An array with renamed axes, as transpose() returns it. Elements move only when it is assigned.
template <class T>
class View {
 public:
  using Element = T;

  View(Array<T> const& array) : array_(&array), layout_(array.layout()) {}
  /// A view that owns its array, so that an assignment may destroy the elements.
  View(Array<T>&& array)
      : owned_(std::make_shared<Array<T>>(std::move(array))), layout_(owned_->layout()) {
    array_ = owned_.get();
  }

  Array<T> const& array() const { return *array_; }
  bool may_be_destroyed() const { return owned_ != nullptr; }
  Layout const& layout() const { return layout_; }
  Ranks const& ranks() const { return array_->ranks(); }
  View transposed(Order const& axes) const {
    View other = *this;
    other.layout_ = ranks().checked([&] { return layout_.transposed(axes); });
    return other;
  }

  void evaluate(Array<T>& target) const;

 private:
  std::shared_ptr<Array<T>> owned_;
  Array<T> const* array_ = nullptr;
  Layout layout_;
};

/// An array of T of a global shape, spread over ranks by a layout. T is any trivially copyable
/// type; sums need numbers, and transforms need float, double or complex numbers of these.
///
/// Its memory has the layout's form, ghosts included, and begins as zeros. Ranks of a node reach it
/// directly where they can, so that transforms and assignments need no copies. Loops visit ghosts
/// too: ghosts of a result are valid if those of all operands are.
template <class T>
class Array {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  using Element = T;

  /// An empty array. The first assignment gives it a layout.
  Array() = default;
  /// Errors: the layout has no points, or is for another number of ranks.
  Array(Layout const& layout, Ranks const& ranks) : Array(layout, ranks, true) {}
  /// An array in blocks along the first axis.
  Array(Shape const& shape, Ranks const& ranks)
      : Array(ranks.checked([&] { return Layout::slab(shape, ranks.size()); }), ranks) {}
  /// An array in the program's own memory, which must hold the rank's part and is not copied.
  /// Transforms and assignments then go through work memory. Not collective.
  Array(Layout const& layout, Ranks const& ranks, std::shared_ptr<T[]> memory)
      : layout_(checked(layout, ranks)), ranks_(ranks), data_(std::move(memory)) {}
  /// The value of an expression, in the expression's layout: that of its first operand.
  template <Expression E>
  requires(!std::same_as<std::remove_cvref_t<E>, Array>) Array(E&& expression)
      : Array(expression.layout(), expression.ranks(), false) {
    std::forward<E>(expression).evaluate(*this);
  }
  Array(Array const& other) { *this = other; }
  Array(Array&& other) noexcept
      : layout_(std::move(other.layout_)),
        ranks_(std::exchange(other.ranks_, std::nullopt)),
        data_(std::move(other.data_)) {}

  /// Evaluates an expression of the same shape in this array's layout; an empty array takes the
  /// expression's layout. Errors: another shape.
  template <Expression E>
  Array& operator=(E&& expression) {
    if (!ranks_) *this = Array(expression.layout(), expression.ranks(), false);
    return assign(std::forward<E>(expression));
  }
  Array& operator=(Array const& other) {
    if (this == &other || !other.ranks_) return *this;
    if (!ranks_) *this = Array(other.layout(), other.ranks(), false);
    return assign(View(other));
  }
  /// Takes the memory of `other` if the layouts are the same, and its elements if not.
  Array& operator=(Array&& other) {
    if (ranks_ && other.ranks_ && !(layout_ == other.layout_))
      return assign(View(std::move(other)));
    layout_ = std::move(other.layout_);
    ranks_ = std::exchange(other.ranks_, std::nullopt);
    data_ = std::move(other.data_);
    return *this;
  }
  /// Sets all elements to `value`. Not collective.
  Array& operator=(T const& value) {
    std::fill_n(data(), local_size(), value);
    return *this;
  }

  /// False for an empty array.
  explicit operator bool() const { return ranks_.has_value(); }
  Layout const& layout() const { return layout_; }
  Shape const& shape() const { return layout_.shape(); }
  Ranks const& ranks() const {
    require(ranks_.has_value(), "array: it is empty; assign an array to it first");
    return *ranks_;
  }
  /// This rank's elements, and their number, ghosts included. Not collective.
  T* data() { return data_.get(); }
  T const* data() const { return data_.get(); }
  Index local_size() const { return layout_.array_size(ranks().rank()); }
  LocalView<T> local() { return {data(), layout_, ranks().rank()}; }
  LocalView<T const> local() const { return {data(), layout_, ranks().rank()}; }

  /// Sets each element to f(point), on all threads; point is a Shape of global indices. Not
  /// collective.
  template <class F>
  requires std::invocable<F const&, Shape const&> Array& fill(F const& f) {
    for_each(layout_, ranks().rank(), ranks().threads(),
             [&](Shape const& point, Index i) { data()[i] = static_cast<T>(f(point)); });
    return *this;
  }

  /// The element at a point, on all ranks. Errors: the point is not in the array.
  T at(Shape const& point) const {
    Box one;
    ranks().require(point.size() == shape().size(), "point: ", shape().size(),
                    " indices are needed, ", point.size(), " were given");
    for (int axis = 0; axis < point.size(); ++axis) {
      ranks().require(point[axis] >= 0 && point[axis] < shape()[axis], "point: indices of axis ",
                      axis, " are 0 to ", shape()[axis] - 1, ", ", point[axis], " was given");
      one.ranges.push_back({point[axis], point[axis] + 1});
    }
    int const owner = layout_.ranks_meeting(one).front();
    T value{};
    if (owner == ranks().rank()) value = local()[point];
    ranks().note("at", to_string(one));
    ranks().broadcast(&value, sizeof(T), owner);
    return value;
  }

  /// The elements of a box, whose ranges may have steps, as an array of the box's shape. They stay
  /// on their ranks; if an axis is cyclic, they are moved to blocks along the first axis. Errors:
  /// the box is empty, or leaves the array.
  Array slice(Box const& box) const;

  /// All elements in C order on rank `root`, and an empty vector on the others; without `root`, all
  /// elements on every rank.
  std::vector<T> gather(int root) const {
    Layout const together = on_one_rank(root);
    ranks().note("gather", text("root ", root));
    Array all(together, ranks(), false);
    all = *this;
    return {all.data(), all.data() + all.local_size()};
  }
  std::vector<T> gather() const {
    std::vector<T> all = gather(0);
    all.resize(static_cast<std::size_t>(volume(shape())));
    ranks().broadcast(all.data(), all.size() * sizeof(T), 0);
    return all;
  }
  /// Distributes the elements `all`, in C order, from rank `root`; other ranks may pass any span.
  /// Errors: `all` has not as many elements as the array.
  Array& scatter(std::span<T const> all, int root = 0) {
    Layout const together = on_one_rank(root);
    ranks().note("scatter", text("root ", root));
    Array source(together, ranks(), false);
    Index given = ranks().rank() == root ? static_cast<Index>(all.size()) : 0;
    ranks().sum(std::span(&given, 1));
    require(given == volume(shape()), "all: ", volume(shape()), " elements are needed on rank ",
            root, ", ", given, " were given");
    if (ranks().rank() == root) std::copy(all.begin(), all.end(), source.data());
    return *this = std::move(source);
  }

  /// Copies this array, as an expression, to `target`.
  void evaluate(Array& target) const { View(*this).evaluate(target); }

 private:
  template <class U>
  friend class Array;
  template <Expression E>
  friend auto materialized(E&& expression);

  Array(Layout const& layout, Ranks const& ranks, bool zeros)
      : layout_(checked(layout, ranks)),
        ranks_(ranks),
        data_(std::static_pointer_cast<T[]>(ranks.allocate(layout, sizeof(T), zeros))) {}

  static Layout const& checked(Layout const& layout, Ranks const& ranks) {
    ranks.require(layout.ranks() == ranks.size(), "layout: a layout for the ", ranks.size(),
                  " ranks is needed, it is for ", layout.ranks());
    ranks.require(volume(layout.shape()) > 0, "layout: at least one point is needed, the shape is ",
                  to_string(layout.shape()));
    return layout;
  }

  Layout on_one_rank(int root) const {
    ranks().require(root >= 0 && root < ranks().size(), "root: 0 to ", ranks().size() - 1,
                    " is needed, ", root, " was given");
    std::vector<Box> boxes(static_cast<std::size_t>(ranks().size()),
                           Box{PerAxis<Range>(shape().size(), Range{})});
    for (int axis = 0; axis < shape().size(); ++axis)
      boxes[static_cast<std::size_t>(root)].ranges[axis] = {0, shape()[axis]};
    return Layout::boxes(shape(), boxes);
  }

  template <Expression E>
  Array& assign(E&& expression) {
    ranks().require(expression.layout().shape() == shape(), "array: an array of the shape ",
                    to_string(shape()), " is needed, one of the shape ",
                    to_string(expression.layout().shape()), " was given");
    std::forward<E>(expression).evaluate(*this);
    return *this;
  }

  Layout layout_;
  std::optional<Ranks> ranks_;
  std::shared_ptr<T[]> data_;
};

template <Expression E>
Array(E) -> Array<typename E::Element>;

}  // namespace sixstep
#pragma GCC visibility pop

#include "sixstep/array_expressions.hpp"
#include "sixstep/array_sums.hpp"
#include "sixstep/array_transforms.hpp"
