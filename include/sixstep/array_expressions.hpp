// SPDX-License-Identifier: BSD-3-Clause
// Operations on global arrays element by element. array.hpp includes this file.
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
class Mapped {
 public:
  using Element =
      std::remove_cvref_t<std::invoke_result_t<F const&, typename Operands::Element const&...>>;

  explicit Mapped(F f, Operands... operands) : f_(std::move(f)), operands_(std::move(operands)...) {
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
auto elements_of(Mapped<F, Operands...> const& map, Layout const& where, Ranks const& ranks) {
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
  return Mapped<F, decltype(operand_of(std::forward<Es>(expressions)))...>(
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

}  // namespace sixstep
#pragma GCC visibility pop
