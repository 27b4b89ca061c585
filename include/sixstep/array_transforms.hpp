// SPDX-License-Identifier: BSD-3-Clause
// Transposed and transformed global arrays. array.hpp includes this file.
#pragma once

#include "sixstep/array.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

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

}  // namespace sixstep
#pragma GCC visibility pop
