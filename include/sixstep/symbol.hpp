// SPDX-License-Identifier: BSD-3-Clause
// Symbol: the factors by which an operator multiplies Fourier coefficients, as a function of k.
#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sixstep/error.hpp"
#include "sixstep/index.hpp"
#include "sixstep/indices.hpp"
#include "sixstep/layout.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// The wave vector of a Fourier coefficient: 2 pi/side times the wave number along a periodic axis,
/// pi/side times it between walls, 0 along an axis that is not transformed.
using Wavevector = PerAxis<double>;

/// The symbol of a linear operator that does not depend on the place: a number for each wave
/// vector, or a matrix between fields.
///
/// Real input has a real result only if symbol(-k) is the conjugate of symbol(k); only half of the
/// wave vectors are asked for then.
class Symbol {
 public:
  using Real = std::function<double(Wavevector const& k)>;
  using Complex = std::function<std::complex<double>(Wavevector const& k)>;
  /// Writes the numbers for `count` wave vectors: for each of them one, or the `results` times
  /// `fields` numbers of a matrix, row by row.
  using Many = std::function<void(Index count, Wavevector const* k, std::complex<double>* numbers)>;
  /// Writes the numbers of a matrix, row by row.
  using Matrix = std::function<void(Wavevector const& k, std::complex<double>* matrix)>;
  /// A function of one component of k.
  using Factor = std::function<std::complex<double>(double k)>;
  /// The numbers that a function writes, always as complex ones. `real`: all imaginary parts are 0,
  /// so a table keeps reals, and takes half of the memory.
  enum class Numbers { complex, real };

  /// A function that returns a number, real or complex; each field is multiplied by it.
  template <class Function, class Number = std::invoke_result_t<Function const&, Wavevector const&>>
  requires std::is_convertible_v<Number, std::complex<double>> Symbol(Function function) {
    if constexpr (std::is_convertible_v<Number, double>)
      function_ = Real(std::move(function));
    else
      function_ = Complex(std::move(function));
  }

  /// A matrix at each wave vector: result i is the sum over j of matrix[i][j] times field j.
  static Symbol matrix(int results, int fields, Matrix function,
                       Numbers numbers = Numbers::complex) {
    std::size_t const each = static_cast<std::size_t>(results) * static_cast<std::size_t>(fields);
    return many_matrices(
        results, fields,
        [each, function = std::move(function)](Index count, Wavevector const* k,
                                               std::complex<double>* written) {
          for (Index i = 0; i < count; ++i, written += each) function(k[i], written);
        },
        numbers);
  }

  /// A function that is called for many wave vectors at once and writes a number for each.
  static Symbol many(Many function, Numbers numbers = Numbers::complex) {
    Symbol made;
    made.function_ = std::move(function);
    made.numbers_ = numbers;
    return made;
  }
  /// A symbol of matrices, by such a function.
  static Symbol many_matrices(int results, int fields, Many function,
                              Numbers numbers = Numbers::complex) {
    Symbol made = many(std::move(function), numbers);
    made.is_matrix_ = true;
    made.results_ = results;
    made.fields_ = fields;
    return made;
  }

  /// The product of functions of one component of k each: a function for each axis of the layout.
  /// An operator keeps their numbers in a table for each axis, so that n0 x n1 x n2 coefficients
  /// take n0 + n1 + n2 numbers.
  static Symbol product(std::vector<Factor> factors, Numbers numbers = Numbers::complex) {
    Symbol made;
    made.function_ = std::move(factors);
    made.numbers_ = numbers;
    return made;
  }
  /// Such a product with one function for all axes, however many there are.
  static Symbol same_product(Factor factor, Numbers numbers = Numbers::complex) {
    Symbol made = product({std::move(factor)}, numbers);
    made.has_same_factors_ = true;
    return made;
  }

  /// The caller's numbers, one for each coefficient: an array with the shape of the coefficients
  /// (n/2 + 1 points along an axis of r2c, Options::modes where given), in natural order, dealt out
  /// by any layout. Coefficients are multiplied by them as they are; those of several fields by
  /// the same. The numbers have the precision of the operator, and are copied when it is made.
  /// Coefficients of an operator with an array lie in natural order, so a single long axis takes as
  /// many exchanges as a plan there and back. `size` is how many numbers this rank gives, which is
  /// compared with what is needed; -1: it is not.
  template <class Number>
  static Symbol array(Layout const& layout, Number const* numbers, Index size = -1) {
    Symbol made;
    made.function_ = Array{layout, numbers, size};
    made.numbers_ = std::is_floating_point_v<Number> ? Numbers::real : Numbers::complex;
    return made;
  }

  /// The argument of array().
  struct Array {
    Layout layout;
    std::variant<float const*, double const*, std::complex<float> const*,
                 std::complex<double> const*>
        numbers;
    Index size;
  };

  bool is_product() const { return std::holds_alternative<std::vector<Factor>>(function_); }
  /// The factor of an axis, of a symbol that is a product, in a layout of so many axes. Throws
  /// Error if there is not one factor for each axis.
  Factor const& factor(int axis, int axes) const {
    auto const& all = std::get<std::vector<Factor>>(function_);
    int const count = static_cast<int>(all.size());
    require(has_same_factors_ || count == axes, "axes: the layout has ", axes, ", ", count,
            " were given");
    return all[static_cast<std::size_t>(has_same_factors_ ? 0 : axis)];
  }
  /// Null unless the symbol is an array.
  Array const* array() const { return std::get_if<Array>(&function_); }

  bool is_matrix() const { return is_matrix_; }
  bool is_real() const {
    return numbers_ == Numbers::real || std::holds_alternative<Real>(function_);
  }
  /// The size of a matrix; 1 and 1 for a number.
  int results() const { return results_; }
  int fields() const { return fields_; }

  /// Writes the numbers for `count` wave vectors. Throws Error for an array, which is no function.
  void at(Index count, Wavevector const* k, std::complex<double>* numbers) const {
    require(array() == nullptr, "symbol: a function of k is needed, an array was given");
    if (auto const* many = std::get_if<Many>(&function_)) return (*many)(count, k, numbers);
    for (Index i = 0; i < count; ++i) numbers[i] = at(k[i]);
  }

 private:
  Symbol() = default;

  std::complex<double> at(Wavevector const& k) const {
    if (auto const* real = std::get_if<Real>(&function_)) return (*real)(k);
    if (auto const* complex = std::get_if<Complex>(&function_)) return (*complex)(k);
    std::complex<double> product = 1;
    for (int axis = 0; axis < k.size(); ++axis) product *= factor(axis, k.size())(k[axis]);
    return product;
  }

  std::variant<Real, Complex, Many, std::vector<Factor>, Array> function_;
  Numbers numbers_ = Numbers::complex;
  bool has_same_factors_ = false;
  bool is_matrix_ = false;
  int results_ = 1;
  int fields_ = 1;
};

}  // namespace sixstep
#pragma GCC visibility pop
