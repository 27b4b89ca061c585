// SPDX-License-Identifier: BSD-3-Clause
// Symbols for C.
#include <complex>
#include <cstddef>
#include <utility>
#include <vector>

#include "c/guarded.hpp"
#include "c/handles.hpp"
#include "sixstep/symbols.hpp"

using namespace sixstep;
using c::given;
using c::guarded;

namespace {

/// Stores the handle of what make() returns.
template <class Make>
int made(sixstep_symbol** symbol, Make const& make) {
  return guarded([&] {
    given(symbol, "symbol");
    c::hand_out(symbol, make());
  });
}

c::WriteNumbers written_by(sixstep_symbol_numbers* function, void* context) {
  given(function, "function");
  return [=](int axes, Index count, double const* k, void* numbers) {
    int const code = function(context, axes, count, k, numbers);
    require(code == 0, "symbol: the function returned ", code, ", 0 is needed");
  };
}

/// Calls write() for the components of the vectors. `each` is the number of numbers for a vector.
Symbol::Many many(c::WriteNumbers write, bool are_real, std::size_t each) {
  return [write = std::move(write), are_real, each](Index count, Wavevector const* k,
                                                    std::complex<double>* numbers) {
    if (count == 0) return;
    std::vector<double> components;
    for (Index i = 0; i < count; ++i) components.insert(components.end(), k[i].begin(), k[i].end());
    write(k->size(), count, components.data(), numbers);
    if (!are_real) return;
    // Last first, because the reals fill the first half of the memory for the complex numbers.
    auto const* const reals = reinterpret_cast<double const*>(numbers);
    for (std::size_t i = static_cast<std::size_t>(count) * each; i-- > 0;) numbers[i] = reals[i];
  };
}

/// A function of C as the factor of an axis.
Symbol::Factor factor(sixstep_symbol_factor* function, void* context, int axis, bool is_real) {
  return [=](double k) {
    std::complex<double> number = 0;
    int const code = function(context, axis, 1, &k, &number);
    require(code == 0, "symbol: the function returned ", code, " for axis ", axis, ", 0 is needed");
    return is_real ? std::complex<double>(number.real()) : number;
  };
}

template <class Real>
Symbol array_of(Layout const& layout, Symbol::Numbers are, void const* array, Index size) {
  if (are == Symbol::Numbers::real)
    return Symbol::array(layout, static_cast<Real const*>(array), size);
  return Symbol::array(layout, static_cast<std::complex<Real> const*>(array), size);
}

}  // namespace

static_assert(static_cast<int>(Symbol::Numbers::complex) == SIXSTEP_COMPLEX_NUMBERS &&
              static_cast<int>(Symbol::Numbers::real) == SIXSTEP_REAL_NUMBERS);

Symbol c::symbol_of(WriteNumbers write, int numbers) {
  auto const are = enumerated(numbers, Symbol::Numbers::real, "numbers");
  return Symbol::many(many(std::move(write), are == Symbol::Numbers::real, 1), are);
}

Symbol c::symbol_of(WriteNumbers write, int numbers, int results, int fields) {
  auto const are = enumerated(numbers, Symbol::Numbers::real, "numbers");
  auto const each = static_cast<std::size_t>(results) * static_cast<std::size_t>(fields);
  return Symbol::many_matrices(results, fields,
                               many(std::move(write), are == Symbol::Numbers::real, each), are);
}

Differences c::differences_of(sixstep_differences const* given) {
  if (given == nullptr) return {};
  return {given->accuracy, per_axis(given->spacing_count, given->spacing, "spacing"),
          enumerated<Faces>(given->faces, "faces")};
}

int sixstep_symbol_function(sixstep_symbol_numbers* function, void* context, int numbers,
                            sixstep_symbol** symbol) {
  return made(symbol, [&] { return c::symbol_of(written_by(function, context), numbers); });
}

int sixstep_symbol_matrix(int results, int fields, sixstep_symbol_numbers* function, void* context,
                          int numbers, sixstep_symbol** symbol) {
  return made(symbol, [&] {
    return c::symbol_of(written_by(function, context), numbers, results, fields);
  });
}

int sixstep_symbol_product(int axes, sixstep_symbol_factor* function, void* context, int numbers,
                           sixstep_symbol** symbol) {
  return made(symbol, [&] {
    given(function, "function");
    require(axes >= 1, "axes: 1 or more are needed, ", axes, " were given");
    auto const are = c::enumerated(numbers, Symbol::Numbers::real, "numbers");
    std::vector<Symbol::Factor> factors;
    for (int axis = 0; axis < axes; ++axis)
      factors.push_back(factor(function, context, axis, are == Symbol::Numbers::real));
    return Symbol::product(std::move(factors), are);
  });
}

int sixstep_symbol_array(sixstep_layout const* layout, int precision, int numbers,
                         void const* array, int64_t size, sixstep_symbol** symbol) {
  return made(symbol, [&] {
    Layout const& of = given(layout, "layout").layout;
    auto const are = c::enumerated(numbers, Symbol::Numbers::real, "numbers");
    c::enumerated(precision, SIXSTEP_SINGLE, "precision");
    return precision == SIXSTEP_SINGLE ? array_of<float>(of, are, array, size)
                                       : array_of<double>(of, are, array, size);
  });
}

int sixstep_symbol_derivative(int axis, int order, sixstep_differences const* by,
                              sixstep_symbol** symbol) {
  return made(symbol, [&] { return symbols::derivative(axis, order, c::differences_of(by)); });
}

int sixstep_symbol_laplacian(sixstep_differences const* by, sixstep_symbol** symbol) {
  return made(symbol, [&] { return symbols::laplacian(c::differences_of(by)); });
}

int sixstep_symbol_inverse_laplacian(sixstep_differences const* by, sixstep_symbol** symbol) {
  return made(symbol, [&] { return symbols::inverse_laplacian(c::differences_of(by)); });
}

int sixstep_symbol_helmholtz(double alpha, sixstep_differences const* by, sixstep_symbol** symbol) {
  return made(symbol, [&] { return symbols::helmholtz(alpha, c::differences_of(by)); });
}

int sixstep_symbol_gaussian(double sigma, sixstep_symbol** symbol) {
  return made(symbol, [&] { return symbols::gaussian(sigma); });
}

int sixstep_symbol_lowpass(double limit, sixstep_symbol** symbol) {
  return made(symbol, [&] { return symbols::lowpass(limit); });
}

int sixstep_symbol_shift(int axes, double const* distance, sixstep_symbol** symbol) {
  return made(symbol, [&] { return symbols::shift(c::per_axis(axes, distance, "distance")); });
}

int sixstep_symbol_project(int axes, sixstep_differences const* by, sixstep_symbol** symbol) {
  return made(symbol, [&] { return symbols::project(axes, c::differences_of(by)); });
}

int sixstep_symbol_gradient(int axes, sixstep_differences const* by, sixstep_symbol** symbol) {
  return made(symbol, [&] { return symbols::gradient(axes, c::differences_of(by)); });
}

int sixstep_symbol_divergence(int axes, sixstep_differences const* by, sixstep_symbol** symbol) {
  return made(symbol, [&] { return symbols::divergence(axes, c::differences_of(by)); });
}

int sixstep_symbol_curl(sixstep_symbol** symbol) {
  return made(symbol, [] { return symbols::curl(); });
}

int sixstep_symbol_free(sixstep_symbol* symbol) {
  return guarded([&] { delete symbol; });
}
