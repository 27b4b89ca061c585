// SPDX-License-Identifier: BSD-3-Clause
// Operations on global arrays: element by element, transposes, transforms, sums. array.hpp includes
// this file.
#pragma once

#include "sixstep/array.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

// Arrays and expressions as operands.

/// A view of an array, or of the array to which another expression is evaluated.
template <Expression E>
auto view_of(E&& expression) {
  using T = typename std::remove_cvref_t<E>::Element;
  if constexpr (std::same_as<std::remove_cvref_t<E>, View<T>>)
    return std::forward<E>(expression);
  else if constexpr (std::same_as<std::remove_cvref_t<E>, Array<T>>)
    return View<T>(std::forward<E>(expression));
  else
    return View<T>(Array<T>(std::forward<E>(expression)));
}

/// The inverse of a permutation.
inline Order inverse(Order const& axes) {
  Order other(axes.size(), 0);
  for (int a = 0; a < axes.size(); ++a) other[axes[a]] = a;
  return other;
}
/// {axes - 1, ..., 1, 0}.
inline Order reversed_axes(int axes) {
  Order order;
  while (axes > 0) order.push_back(--axes);
  return order;
}

template <class T>
void View<T>::evaluate(Array<T>& target) const {
  if (layout_ == target.layout()) {
    if (array_->data() != target.data())
      std::copy_n(array_->data(), target.local_size(), target.data());
    return;
  }
  target.ranks()
      .redistribution(layout_, target.layout(), sizeof(T), !may_be_destroyed())
      .execute(array_->data(), target.data(), Direction::forward);
}

// Element by element.

/// Elements of an operand in the layout of the target: the operand's own, or a moved copy.
template <class T>
struct Elements {
  T const* first;
  std::shared_ptr<Array<T>> moved = {};
  T const& operator[](Index i) const { return first[i]; }
};

template <Expression E>
auto elements_of(E const& expression, Layout const& where, Ranks const& ranks) {
  using T = typename E::Element;
  if constexpr (std::same_as<E, View<T>>)
    if (expression.layout() == where) return Elements<T>{expression.array().data()};
  auto moved = std::make_shared<Array<T>>(where, ranks);
  expression.evaluate(*moved);
  return Elements<T>{moved->data(), moved};
}

/// A function of the elements of several expressions.
template <class F, class... Operands>
class Map {
 public:
  using Element =
      std::remove_cvref_t<std::invoke_result_t<F const&, typename Operands::Element const&...>>;

  explicit Map(F f, Operands... operands) : f_(std::move(f)), operands_(std::move(operands)...) {
    auto const check = [&](auto const& operand) {
      ranks().require(operand.layout().shape() == layout().shape(),
                      "operands: all must have the shape of the first, ",
                      to_string(layout().shape()), "; one has the shape ",
                      to_string(operand.layout().shape()));
    };
    std::apply([&](auto const&... operand) { (check(operand), ...); }, operands_);
  }

  Layout const& layout() const { return std::get<0>(operands_).layout(); }
  Ranks const& ranks() const { return std::get<0>(operands_).ranks(); }

  /// A function that returns element i of an array in the layout `where`.
  auto elements(Layout const& where, Ranks const& ranks) const {
    return std::apply(
        [&](auto const&... operand) {
          return [f = f_, all = std::tuple(elements_of(operand, where, ranks)...)](Index i) {
            return std::apply([&](auto const&... each) { return f(at(each, i)...); }, all);
          };
        },
        operands_);
  }

  void evaluate(Array<Element>& target) const {
    auto const element = elements(target.layout(), target.ranks());
    Element* const out = target.data();
    Index const size = target.local_size();
    int const threads = target.ranks().threads();
    on_threads(threads, [&](int thread) {
      Index const end = size * (thread + 1) / threads;
      for (Index i = size * thread / threads; i < end; ++i) out[i] = element(i);
    });
  }

 private:
  template <class Each>
  static decltype(auto) at(Each const& each, Index i) {
    if constexpr (requires { each[i]; })
      return each[i];
    else
      return each(i);
  }

  F f_;
  std::tuple<Operands...> operands_;
};

template <class F, class... Operands>
auto elements_of(Map<F, Operands...> const& map, Layout const& where, Ranks const& ranks) {
  return map.elements(where, ranks);
}

/// Holds an array as a view, and any other expression by value.
template <Expression E>
auto operand_of(E&& expression) {
  using Plain = std::remove_cvref_t<E>;
  if constexpr (std::same_as<Plain, Array<typename Plain::Element>>)
    return view_of(std::forward<E>(expression));
  else
    return Plain(std::forward<E>(expression));
}

/// f(a[i], b[i], ...) at every point i. Errors: the shapes differ.
template <class F, Expression... Es>
auto map(F f, Es&&... expressions) {
  return Map<F, decltype(operand_of(std::forward<Es>(expressions)))...>(
      std::move(f), operand_of(std::forward<Es>(expressions))...);
}

/// A real or complex number.
template <class N>
concept Number = std::is_arithmetic_v<N> || is_complex<N>;
/// The number in the precision of the elements with which it is combined.
template <class Element, Number N>
auto number_for(N number) {
  using Real = typename RealOf<Element>::type;
  if constexpr (is_complex<N>)
    return std::complex<Real>(number);
  else if constexpr (std::is_floating_point_v<Real>)
    return static_cast<Real>(number);
  else
    return number;
}

template <class Op, class A, class B>
auto combine(Op op, A&& a, B&& b) {
  if constexpr (!Expression<B>) {
    auto const number = number_for<typename std::remove_cvref_t<A>::Element>(b);
    return map([op, number](auto const& x) { return op(x, number); }, std::forward<A>(a));
  } else if constexpr (!Expression<A>) {
    auto const number = number_for<typename std::remove_cvref_t<B>::Element>(a);
    return map([op, number](auto const& x) { return op(number, x); }, std::forward<B>(b));
  } else {
    return map(op, std::forward<A>(a), std::forward<B>(b));
  }
}

/// Two operands: at least one is an expression, and the other is an expression or a number.
template <class A, class B>
concept Operands = (Expression<A> && (Expression<B> || Number<std::remove_cvref_t<B>>)) ||
                   (Expression<B> && Number<std::remove_cvref_t<A>>);

/// A product without the tests for infinities of std::complex.
struct Product {
  template <class A, class B>
  auto operator()(A const& a, B const& b) const {
    if constexpr (is_complex<A> && is_complex<B>)
      return A(a.real() * b.real() - a.imag() * b.imag(),
               a.real() * b.imag() + a.imag() * b.real());
    else
      return a * b;
  }
};

template <class A, class B>
requires Operands<A, B>
auto operator+(A&& a, B&& b) {
  return combine(std::plus<>(), std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
requires Operands<A, B>
auto operator-(A&& a, B&& b) {
  return combine(std::minus<>(), std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
requires Operands<A, B>
auto operator*(A&& a, B&& b) { return combine(Product(), std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B>
requires Operands<A, B>
auto operator/(A&& a, B&& b) {
  return combine(std::divides<>(), std::forward<A>(a), std::forward<B>(b));
}
template <Expression E>
auto operator-(E&& e) {
  return map(std::negate<>(), std::forward<E>(e));
}

template <class T, class B>
requires Operands<Array<T>, B> Array<T>
&operator+=(Array<T>& a, B&& b) { return a = a + std::forward<B>(b); }
template <class T, class B>
requires Operands<Array<T>, B> Array<T>
&operator-=(Array<T>& a, B&& b) { return a = a - std::forward<B>(b); }
template <class T, class B>
requires Operands<Array<T>, B> Array<T>
&operator*=(Array<T>& a, B&& b) { return a = a * std::forward<B>(b); }
template <class T, class B>
requires Operands<Array<T>, B> Array<T>
&operator/=(Array<T>& a, B&& b) { return a = a / std::forward<B>(b); }

template <Expression E>
auto abs(E&& e) {
  return map([](auto const& x) { return std::abs(x); }, std::forward<E>(e));
}
template <Expression E>
auto real(E&& e) {
  return map([](auto const& x) { return std::real(x); }, std::forward<E>(e));
}
template <Expression E>
auto imag(E&& e) {
  return map([](auto const& x) { return std::imag(x); }, std::forward<E>(e));
}
template <Expression E>
auto conj(E&& e) {
  return map(
      [](auto const& x) {
        if constexpr (is_complex<std::remove_cvref_t<decltype(x)>>)
          return std::conj(x);
        else
          return x;
      },
      std::forward<E>(e));
}
template <Expression E>
auto exp(E&& e) {
  return map([](auto const& x) { return std::exp(x); }, std::forward<E>(e));
}
template <Expression E>
auto log(E&& e) {
  return map([](auto const& x) { return std::log(x); }, std::forward<E>(e));
}
template <Expression E>
auto sqrt(E&& e) {
  return map([](auto const& x) { return std::sqrt(x); }, std::forward<E>(e));
}
template <Expression E>
auto sin(E&& e) {
  return map([](auto const& x) { return std::sin(x); }, std::forward<E>(e));
}
template <Expression E>
auto cos(E&& e) {
  return map([](auto const& x) { return std::cos(x); }, std::forward<E>(e));
}

/// The elements, converted to T.
template <class T, Expression E>
auto as(E&& e) {
  return map([](auto const& x) { return static_cast<T>(x); }, std::forward<E>(e));
}

// Points.

/// Calls visit(point, element) for this rank's elements, on all threads; point is a Shape of global
/// indices. Not collective.
template <class T, class Visit>
void for_each_index(Array<T>& array, Visit const& visit) {
  T* const data = array.data();
  for_each(array.layout(), array.ranks().rank(), array.ranks().threads(),
           [&](Shape const& point, Index i) { visit(point, data[i]); });
}

/// As for_each_index(), with wave numbers in place of indices, for the transform of an array of the
/// shape `points`. The wave number of index k is k, or k - n if k >= n/2; along an axis with n/2 +
/// 1 coefficients (r2c) it is k.
template <class T, class Visit>
void for_each_wave(Array<T>& array, Shape const& points, Visit const& visit) {
  Shape const coefficients = array.shape();
  require(points.size() == coefficients.size(), "points: ", coefficients.size(),
          " extents are needed, ", points.size(), " were given");
  for_each_index(array, [&](Shape const& k, T& element) {
    Shape wave = k;
    for (int axis = 0; axis < k.size(); ++axis)
      if (points[axis] == coefficients[axis] && 2 * k[axis] >= points[axis])
        wave[axis] -= points[axis];
    visit(std::as_const(wave), element);
  });
}

/// Fills the ghosts of an array, corners included, from the ranks that hold the points. Each axis
/// has a boundary, periodic or open. Errors: not one boundary an axis; a cyclic axis has ghosts.
template <class T>
void update_ghosts(Array<T>& array, PerAxis<Boundary> const& boundaries) {
  array.ranks().update_ghosts(array.layout(), boundaries, array.data(), sizeof(T));
}
template <class T>
void update_ghosts(Array<T>& array, Boundary boundary) {
  update_ghosts(array, PerAxis<Boundary>(array.layout().axes(), boundary));
}

// Sums.

/// Combines this rank's elements, without ghosts, to their sum or maximum. Runs of some thousand
/// elements are combined separately, so that rounding errors stay small.
template <class Sum, class Element, class Combine>
Sum reduce_points(Layout const& layout, Ranks const& ranks, Element const& element, Sum const& zero,
                  Combine const& combine) {
  constexpr Index run = 4096;
  int const threads = ranks.threads();
  std::vector<Sum> sums(static_cast<std::size_t>(threads), zero);
  Walk const walk(layout.box(ranks.rank()), layout.strides(ranks.rank()));
  Index const begin = layout.offset(ranks.rank()), points = walk.points();
  bool const is_dense = layout.array_size(ranks.rank()) == points;
  on_threads(threads, [&](int thread) {
    Index const end = points * (thread + 1) / threads;
    Sum sum = zero;
    for (Index first = points * thread / threads; first < end; first += run) {
      Index const last = std::min(first + run, end);
      Sum part = zero;
      if (is_dense) {
        for (Index i = first; i < last; ++i) part = combine(part, static_cast<Sum>(element(i)));
      } else {
        auto const visit = [&](Shape const&, Index i) {
          part = combine(part, static_cast<Sum>(element(begin + i)));
        };
        walk(first, last, visit);
      }
      sum = combine(sum, part);
    }
    sums[static_cast<std::size_t>(thread)] = sum;
  });
  return std::accumulate(sums.begin(), sums.end(), zero, combine);
}

/// The type of a sum of elements, with components of 64 bits.
template <class T>
using SumOf = std::conditional_t<is_complex<T>, std::complex<double>,
                                 std::conditional_t<std::is_integral_v<T>, Index, double>>;

/// The sum of all elements, the same on all ranks.
template <Expression E>
auto sum(E&& expression) {
  auto const operand = operand_of(std::forward<E>(expression));
  Layout const& layout = operand.layout();
  Ranks const& ranks = operand.ranks();
  auto const elements = map([](auto const& x) { return x; }, operand).elements(layout, ranks);
  using Sum = SumOf<typename std::remove_cvref_t<E>::Element>;
  Sum all = reduce_points(layout, ranks, elements, Sum(0), std::plus<>());
  if constexpr (is_complex<Sum>)
    ranks.sum(std::span(reinterpret_cast<double*>(&all), 2));
  else
    ranks.sum(std::span(&all, 1));
  return all;
}

/// The largest or the smallest of real elements, the same on all ranks.
template <Expression E>
auto max(E&& expression) {
  using Real = SumOf<typename std::remove_cvref_t<E>::Element>;
  auto const operand = operand_of(std::forward<E>(expression));
  Layout const& layout = operand.layout();
  Ranks const& ranks = operand.ranks();
  auto const elements = map([](auto const& x) { return x; }, operand).elements(layout, ranks);
  Real all = reduce_points(layout, ranks, elements, std::numeric_limits<Real>::lowest(),
                           [](Real a, Real b) { return b > a || b != b ? b : a; });
  ranks.max(std::span(&all, 1));
  return all;
}
template <Expression E>
auto min(E&& expression) {
  return -max(-std::forward<E>(expression));
}

/// sum conj(a) b.
template <Expression A, Expression B>
auto dot(A&& a, B&& b) {
  return sum(conj(std::forward<A>(a)) * std::forward<B>(b));
}
/// sqrt(sum |a|^2).
template <Expression E>
double two_norm(E&& e) {
  return std::sqrt(sum(
      map([](auto const& x) { return static_cast<double>(std::norm(x)); }, std::forward<E>(e))));
}
/// max |a|.
template <Expression E>
double max_norm(E&& e) {
  return static_cast<double>(max(abs(std::forward<E>(e))));
}

// Transposed and transformed.

/// The transform of a view. One plan evaluates it into an array of any layout.
template <class In, class Out>
class Transform {
 public:
  using Element = Out;
  using Real = typename RealOf<Out>::type;

  /// Transforms `axes` of the view (none: all) by one `kind`, as Options::kinds does. `points`: the
  /// extent of a c2r result along the last of `axes`; 0: even. Errors: an axis does not exist; the
  /// elements have the wrong type for the kind.
  Transform(View<In> source, std::vector<int> axes, Kind kind, Direction direction, Norm norm,
            Index points = 0)
      : source_(std::move(source)),
        axes_(std::move(axes)),
        kind_(kind),
        direction_(direction),
        norm_(norm) {
    int const all = source_.layout().axes();
    for (int& axis : axes_) {
      ranks().require(axis >= -all && axis < all, "axes: ", -all, " to ", all - 1,
                      " are possible, ", axis, " was given");
      axis += axis < 0 ? all : 0;
    }
    if (axes_.empty())
      for (int axis : c_order(all)) axes_.push_back(axis);
    ranks().require(!is_by_parts() || all < max_axes, "kind: ", to_string(kind),
                    " takes complex arrays of at most ", max_axes - 1, " axes, this one has ", all,
                    "; transform real() and imag() separately");
    layout_ = kind == Kind::r2c ? with_extent(points) : source_.layout().dense();
  }

  Layout const& layout() const { return layout_; }
  Ranks const& ranks() const { return source_.ranks(); }
  Transform transposed(Order const& axes) const {
    Transform other = *this;
    other.layout_ = ranks().checked([&] { return layout_.transposed(axes); });
    Order names;
    for (int axis : axes) names.push_back(names_.empty() ? axis : names_[axis]);
    other.names_ = names;
    return other;
  }
  /// The transform multiplied by exp(-+2 pi i j k/N), as with Options::twiddle: k is the index
  /// along the transformed axis, j the index along `axis` of the expression. Errors: the axis does
  /// not exist. Evaluating has the errors of a plan.
  Transform twiddled(int axis) const {
    ranks().require(axis >= 0 && axis < layout_.axes(), "axis: 0 to ", layout_.axes() - 1,
                    " is needed, ", axis, " was given");
    Transform other = *this;
    other.twiddle_ = names_.empty() ? axis : names_[axis];
    return other;
  }

  void evaluate(Array<Out>& target) const {
    Layout const& before = source_.layout();
    Layout const behind =
        names_.empty() ? target.layout() : target.layout().transposed(inverse(names_));
    Options options;
    options.axes = axes_;
    options.kinds = {kind_};
    options.twiddle = twiddle_;
    options.preserve_input = !source_.may_be_destroyed();
    if (is_by_parts()) {
      options.fields = 2;
      options.interleaved = true;
    }
    In const* const in = source_.array().data();
    Out* const out = target.data();
    // One plan transforms complex numbers with both signs, from the source's layout to the
    // target's.
    bool const turned = kind_ != Kind::c2c && direction_ == Direction::backward;
    Plan<Real>& plan = turned ? target.ranks().template plan<Real>(behind, before, options)
                              : target.ranks().template plan<Real>(before, behind, options);
    Scale const scale = scale_of();
    if constexpr (!std::same_as<In, Out>)
      plan.execute(in, out, scale);
    else if (is_by_parts())
      plan.execute(reinterpret_cast<Real const*>(in), reinterpret_cast<Real*>(out), direction_,
                   scale);
    else if constexpr (is_complex<In>)
      plan.execute(in, out, turned ? Direction::backward : Direction::forward,
                   direction_ == Direction::forward ? Sign::minus : Sign::plus, scale);
    else
      plan.execute(in, out, direction_, scale);
  }

 private:
  /// Whether complex numbers are transformed as two fields of reals that lie side by side.
  bool is_by_parts() const { return is_complex<In> && is_r2r(kind_); }

  Scale scale_of() const {
    if (norm_ == Norm::ortho) return Scale::by_sqrt_n;
    bool const scaled = (norm_ == Norm::forward) == (direction_ == Direction::forward);
    return scaled ? Scale::by_n : Scale::none;
  }

  /// The layout of the n/2 + 1 coefficients of n reals, or of the n reals.
  Layout with_extent(Index points) const {
    Layout const layout = source_.layout().dense();
    int const axis = axes_.back();
    Index const here = layout.shape()[axis];
    bool const forward = direction_ == Direction::forward;
    if (!forward && points == 0) points = 2 * (here - 1);
    ranks().require(forward || (points >= 1 && points / 2 + 1 == here), "n: ", 2 * (here - 1),
                    " or ", 2 * here - 1, " is needed, as there are ", here, " coefficients, ",
                    points, " was given");
    Index const there = forward ? here / 2 + 1 : points;
    if (layout.whole(axis)) return layout.with_extent(axis, there);
    Shape shape = layout.shape();
    shape[axis] = there;
    if (layout.grid().empty()) return Layout::slab(shape, layout.ranks());
    return Layout::grid(shape, layout.grid(), layout.distribution(), layout.order());
  }

  View<In> source_;
  std::vector<int> axes_;
  Kind kind_;
  Direction direction_;
  Norm norm_;
  Layout layout_;  // of the expression, where no target gives another
  Order names_;    // axis a of the expression is axis names_[a] of the transform; empty: axis a
  int twiddle_ = -1;
};

/// Axis a of the result is axis axes[a] of the operand; without `axes`, the order is reversed. An
/// array or a transform moves only once, to the layout of the target. `transpose(std::move(a))` may
/// destroy a, which saves memory. Errors: `axes` is no permutation.
template <Expression E>
auto transpose(E&& expression, Order const& axes) {
  if constexpr (requires { expression.transposed(axes); })
    return expression.transposed(axes);
  else
    return view_of(std::forward<E>(expression)).transposed(axes);
}
template <Expression E>
auto transpose(E&& expression) {
  int const axes = expression.layout().axes();
  return transpose(std::forward<E>(expression), reversed_axes(axes));
}

/// A view of an expression's elements as complex numbers.
template <Expression E>
auto complex_view(E&& e) {
  using T = typename std::remove_cvref_t<E>::Element;
  if constexpr (is_complex<T>)
    return view_of(std::forward<E>(e));
  else
    return view_of(as<std::complex<T>>(std::forward<E>(e)));
}

/// Complex transforms as in NumPy, of complex or real elements, along one axis or several (none:
/// all). Errors: those of a plan.
template <Expression E>
auto fftn(E&& e, std::vector<int> axes = {}, Norm norm = Norm::backward) {
  auto view = complex_view(std::forward<E>(e));
  using Complex = typename decltype(view)::Element;
  return Transform<Complex, Complex>(std::move(view), std::move(axes), Kind::c2c,
                                     Direction::forward, norm);
}
template <Expression E>
auto ifftn(E&& e, std::vector<int> axes = {}, Norm norm = Norm::backward) {
  auto view = complex_view(std::forward<E>(e));
  using Complex = typename decltype(view)::Element;
  return Transform<Complex, Complex>(std::move(view), std::move(axes), Kind::c2c,
                                     Direction::backward, norm);
}
template <Expression E>
auto fft(E&& e, int axis = -1, Norm norm = Norm::backward) {
  return fftn(std::forward<E>(e), {axis}, norm);
}
template <Expression E>
auto ifft(E&& e, int axis = -1, Norm norm = Norm::backward) {
  return ifftn(std::forward<E>(e), {axis}, norm);
}

/// Real transforms as in NumPy: from n reals along the last axis to n/2 + 1 complex numbers, and
/// back to n reals; n = 0 stands for the even one of the two possible lengths.
template <Expression E>
auto rfftn(E&& e, std::vector<int> axes = {}, Norm norm = Norm::backward) {
  using Real = typename std::remove_cvref_t<E>::Element;
  return Transform<Real, std::complex<Real>>(view_of(std::forward<E>(e)), std::move(axes),
                                             Kind::r2c, Direction::forward, norm);
}
template <Expression E>
auto irfftn(E&& e, Index n = 0, std::vector<int> axes = {}, Norm norm = Norm::backward) {
  using Complex = typename std::remove_cvref_t<E>::Element;
  return Transform<Complex, typename Complex::value_type>(
      view_of(std::forward<E>(e)), std::move(axes), Kind::r2c, Direction::backward, norm, n);
}
template <Expression E>
auto rfft(E&& e, int axis = -1, Norm norm = Norm::backward) {
  return rfftn(std::forward<E>(e), {axis}, norm);
}
template <Expression E>
auto irfft(E&& e, Index n = 0, int axis = -1, Norm norm = Norm::backward) {
  return irfftn(std::forward<E>(e), n, {axis}, norm);
}

/// The cosine or sine transform `kind` along axes, of reals or of real and imaginary parts
/// separately; and its inverse.
template <Expression E>
auto transform(E&& e, Kind kind, std::vector<int> axes = {}, Norm norm = Norm::backward) {
  using T = typename std::remove_cvref_t<E>::Element;
  e.ranks().require(is_r2r(kind), "kind: a cosine or sine transform is needed, ", to_string(kind),
                    " was given");
  return Transform<T, T>(view_of(std::forward<E>(e)), std::move(axes), kind, Direction::forward,
                         norm);
}
template <Expression E>
auto inverse_transform(E&& e, Kind kind, std::vector<int> axes = {}, Norm norm = Norm::backward) {
  using T = typename std::remove_cvref_t<E>::Element;
  e.ranks().require(is_r2r(kind), "kind: a cosine or sine transform is needed, ", to_string(kind),
                    " was given");
  return Transform<T, T>(view_of(std::forward<E>(e)), std::move(axes), kind, Direction::backward,
                         norm);
}

template <class T>
Array<T> Array<T>::slice(Box const& box) const {
  ranks().require(box.axes() == layout_.axes(), "box: ", layout_.axes(), " ranges are needed, ",
                  box.axes(), " were given");
  for (int axis = 0; axis < box.axes(); ++axis) {
    Range const& range = box.ranges[axis];
    ranks().require(!range.empty() && range.step >= 1 && range.lo >= 0 && range.hi <= shape()[axis],
                    "box: indices of axis ", axis, " are 0 to ", shape()[axis] - 1, ", ",
                    to_string(box), " was given");
  }
  ranks().note("slice", to_string(box));
  bool const cyclic = std::ranges::count(layout_.distribution(), Distribution::cyclic) > 0;
  if (cyclic) {
    Array blocks(Layout::slab(shape(), ranks().size()), ranks(), false);
    blocks = *this;
    return blocks.slice(box);
  }
  std::vector<Box> parts;
  for (int rank = 0; rank < ranks().size(); ++rank) {
    Box part = intersect(layout_.box(rank), box);
    for (int axis = 0; axis < box.axes(); ++axis) {
      Range const all = box.ranges[axis], mine = part.ranges[axis];
      Index const lo = (mine.lo - all.lo) / all.step;
      part.ranges[axis] = part.empty() ? Range{} : Range{lo, lo + mine.count()};
    }
    parts.push_back(part.empty() ? Box{PerAxis<Range>(box.axes(), Range{})} : part);
  }
  Array some(Layout::boxes(box.shape(), parts, layout_.order()), ranks(), false);
  LocalView<T const> const here = local();
  for_each_index(some, [&](Shape point, T& element) {
    for (int axis = 0; axis < point.size(); ++axis)
      point[axis] = box.ranges[axis].lo + point[axis] * box.ranges[axis].step;
    element = here[point];
  });
  return some;
}

}  // namespace sixstep
#pragma GCC visibility pop
