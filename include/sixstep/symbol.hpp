// SPDX-License-Identifier: BSD-3-Clause
// Symbol: the factors by which an operator multiplies Fourier coefficients, as a function of k.
#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>
#include <variant>

#include "sixstep/index.hpp"
#include "sixstep/indices.hpp"

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
  /// What the numbers of a function are that writes complex ones. `real`: all imaginary parts are
  /// 0, so a table keeps reals, and takes half of the memory.
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
  /// The same for matrices.
  static Symbol many_matrices(int results, int fields, Many function,
                              Numbers numbers = Numbers::complex) {
    Symbol made = many(std::move(function), numbers);
    made.is_matrix_ = true;
    made.results_ = results;
    made.fields_ = fields;
    return made;
  }

  bool is_matrix() const { return is_matrix_; }
  bool is_real() const {
    return numbers_ == Numbers::real || std::holds_alternative<Real>(function_);
  }
  /// The size of a matrix; 1 and 1 for a number.
  int results() const { return results_; }
  int fields() const { return fields_; }

  /// Writes the numbers for `count` wave vectors.
  void at(Index count, Wavevector const* k, std::complex<double>* numbers) const {
    if (auto const* many = std::get_if<Many>(&function_)) return (*many)(count, k, numbers);
    if (auto const* real = std::get_if<Real>(&function_))
      for (Index i = 0; i < count; ++i) numbers[i] = (*real)(k[i]);
    else
      for (Index i = 0; i < count; ++i) numbers[i] = std::get<Complex>(function_)(k[i]);
  }

 private:
  Symbol() = default;

  std::variant<Real, Complex, Many> function_;
  Numbers numbers_ = Numbers::complex;
  bool is_matrix_ = false;
  int results_ = 1;
  int fields_ = 1;
};

}  // namespace sixstep
#pragma GCC visibility pop
