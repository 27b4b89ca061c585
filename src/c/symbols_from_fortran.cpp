// SPDX-License-Identifier: BSD-3-Clause
// Symbols for Fortran, whose wave vectors have the component of the fastest axis first.
#include <algorithm>
#include <complex>
#include <iterator>
#include <utility>
#include <vector>

#include "c/guarded.hpp"
#include "c/handles.hpp"
#include "sixstep/symbol.hpp"

using namespace sixstep;
using c::guarded;

namespace {

/// The symbol as a function of wave vectors in Fortran's order.
Symbol turned(Symbol const& symbol) {
  auto const numbers = symbol.is_real() ? Symbol::Numbers::real : Symbol::Numbers::complex;
  auto const write = [symbol](Index count, Wavevector const* k, std::complex<double>* written) {
    std::vector<Wavevector> vectors(k, k + count);
    for (Wavevector& vector : vectors) std::reverse(vector.begin(), vector.end());
    symbol.at(count, vectors.data(), written);
  };
  return symbol.is_matrix()
             ? Symbol::many_matrices(symbol.results(), symbol.fields(), write, numbers)
             : Symbol::many(write, numbers);
}

/// Turns the symbol that a call of C has made, if its code says so.
int turned(int code, sixstep_symbol** symbol) {
  if (code != SIXSTEP_OK) return code;
  return guarded([&] { (*symbol)->symbol = turned((*symbol)->symbol); });
}

}  // namespace

extern "C" {

/// Calls a procedure of Fortran with the arguments that a sixstep_symbol_numbers has.
typedef void sixstep_fortran_call(void (*procedure)(), int results, int fields, int axes,
                                  int64_t count, double const* k, void* numbers);

/// Calls a procedure with the arguments of a sixstep_symbol_factor.
typedef void sixstep_fortran_factor(void (*procedure)(), int axis, int64_t count, double const* k,
                                    void* numbers);

/// A symbol whose numbers `procedure` writes. `results` 0: numbers, no matrices.
int sixstep_fortran_symbol_function(sixstep_fortran_call* call, void (*procedure)(), int results,
                                    int fields, int numbers, sixstep_symbol** symbol) {
  return guarded([&] {
    bool const matrices = results != 0;
    auto const write = [=](int axes, Index count, double const* k, void* written) {
      call(procedure, matrices ? results : 1, matrices ? fields : 1, axes, count, k, written);
    };
    c::hand_out(symbol, turned(matrices ? c::symbol_of(write, numbers, results, fields)
                                        : c::symbol_of(write, numbers)));
  });
}

int sixstep_fortran_symbol_derivative(int axis, int order, sixstep_differences const* by,
                                      sixstep_symbol** symbol) {
  int const code = sixstep_symbol_derivative(axis - 1, order, by, symbol);
  if (code != SIXSTEP_OK) return code;
  return guarded([&] {
    Symbol const made = (*symbol)->symbol;
    auto const write = [made, axis](Index count, Wavevector const* k,
                                    std::complex<double>* numbers) {
      for (Index i = 0; i < count; ++i)
        require(1 <= axis && axis <= k[i].size(), "axis: 1 to ", k[i].size(), " are possible, ",
                axis, " was given");
      made.at(count, k, numbers);
    };
    (*symbol)->symbol = turned(
        Symbol::many(write, made.is_real() ? Symbol::Numbers::real : Symbol::Numbers::complex));
  });
}

int sixstep_fortran_symbol_laplacian(sixstep_differences const* by, sixstep_symbol** symbol) {
  return turned(sixstep_symbol_laplacian(by, symbol), symbol);
}

int sixstep_fortran_symbol_inverse_laplacian(sixstep_differences const* by,
                                             sixstep_symbol** symbol) {
  return turned(sixstep_symbol_inverse_laplacian(by, symbol), symbol);
}

int sixstep_fortran_symbol_helmholtz(double alpha, sixstep_differences const* by,
                                     sixstep_symbol** symbol) {
  return turned(sixstep_symbol_helmholtz(alpha, by, symbol), symbol);
}

int sixstep_fortran_symbol_shift(int axes, double const* distance, sixstep_symbol** symbol) {
  std::vector<double> const turned(std::reverse_iterator(distance + axes),
                                   std::reverse_iterator(distance));
  return sixstep_symbol_shift(axes, turned.data(), symbol);
}

/// A symbol that is a product, whose factors `procedure` writes; it counts axes from 1.
int sixstep_fortran_symbol_product(sixstep_fortran_factor* call, void (*procedure)(), int axes,
                                   int numbers, sixstep_symbol** symbol) {
  return guarded([&] {
    require(axes >= 1, "axes: 1 or more are needed, ", axes, " were given");
    auto const are = c::enumerated(numbers, Symbol::Numbers::real, "numbers");
    std::vector<Symbol::Factor> factors;
    for (int axis = axes; axis >= 1; --axis)
      factors.emplace_back([=](double k) {
        std::complex<double> number = 0;
        call(procedure, axis, 1, &k, &number);
        return number;
      });
    c::hand_out(symbol, Symbol::product(std::move(factors), are));
  });
}

int sixstep_fortran_symbol_project(int axes, sixstep_differences const* by,
                                   sixstep_symbol** symbol) {
  return turned(sixstep_symbol_project(axes, by, symbol), symbol);
}

int sixstep_fortran_symbol_gradient(int axes, sixstep_differences const* by,
                                    sixstep_symbol** symbol) {
  return turned(sixstep_symbol_gradient(axes, by, symbol), symbol);
}

int sixstep_fortran_symbol_divergence(int axes, sixstep_differences const* by,
                                      sixstep_symbol** symbol) {
  return turned(sixstep_symbol_divergence(axes, by, symbol), symbol);
}

int sixstep_fortran_symbol_curl(sixstep_symbol** symbol) {
  return turned(sixstep_symbol_curl(symbol), symbol);
}
}
