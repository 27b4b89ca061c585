// SPDX-License-Identifier: BSD-3-Clause
// Symbols for Fortran, whose wave vectors have the component of the fastest axis first.
#include <algorithm>
#include <complex>
#include <vector>

#include "c/guarded.hpp"
#include "c/handles.hpp"
#include "sixstep/symbols.hpp"

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

/// Stores the handle of what make() returns, turned.
template <class Make>
int turned(sixstep_symbol** symbol, Make const& make) {
  return guarded([&] { c::hand_out(symbol, turned(make())); });
}

}  // namespace

extern "C" {

/// Calls a procedure of Fortran with the arguments that a sixstep_symbol_numbers has.
typedef void sixstep_fortran_call(void (*procedure)(), int results, int fields, int axes,
                                  int64_t count, double const* k, void* numbers);

/// A symbol whose numbers `procedure` writes. `results` 0: numbers, no matrices.
int sixstep_fortran_symbol_function(sixstep_fortran_call* call, void (*procedure)(), int results,
                                    int fields, int numbers, sixstep_symbol** symbol) {
  return turned(symbol, [&] {
    bool const matrices = results != 0;
    auto const write = [=](int axes, Index count, double const* k, void* written) {
      call(procedure, matrices ? results : 1, matrices ? fields : 1, axes, count, k, written);
    };
    return matrices ? c::symbol_of(write, numbers, results, fields) : c::symbol_of(write, numbers);
  });
}

int sixstep_fortran_symbol_derivative(int axis, int order, sixstep_differences const* by,
                                      sixstep_symbol** symbol) {
  return turned(symbol, [&] {
    Symbol const made = symbols::derivative(axis - 1, order, c::differences_of(by));
    auto const write = [made, axis](Index count, Wavevector const* k,
                                    std::complex<double>* numbers) {
      require(count == 0 || (1 <= axis && axis <= k->size()), "axis: 1 to ",
              count == 0 ? 0 : k->size(), " are possible, ", axis, " was given");
      made.at(count, k, numbers);
    };
    return Symbol::many(write, made.is_real() ? Symbol::Numbers::real : Symbol::Numbers::complex);
  });
}

int sixstep_fortran_symbol_laplacian(sixstep_differences const* by, sixstep_symbol** symbol) {
  return turned(symbol, [&] { return symbols::laplacian(c::differences_of(by)); });
}

int sixstep_fortran_symbol_inverse_laplacian(sixstep_differences const* by,
                                             sixstep_symbol** symbol) {
  return turned(symbol, [&] { return symbols::inverse_laplacian(c::differences_of(by)); });
}

int sixstep_fortran_symbol_helmholtz(double alpha, sixstep_differences const* by,
                                     sixstep_symbol** symbol) {
  return turned(symbol, [&] { return symbols::helmholtz(alpha, c::differences_of(by)); });
}

int sixstep_fortran_symbol_shift(int axes, double const* distance, sixstep_symbol** symbol) {
  return turned(symbol, [&] { return symbols::shift(c::per_axis(axes, distance, "distance")); });
}

int sixstep_fortran_symbol_project(int axes, sixstep_differences const* by,
                                   sixstep_symbol** symbol) {
  return turned(symbol, [&] { return symbols::project(axes, c::differences_of(by)); });
}

int sixstep_fortran_symbol_gradient(int axes, sixstep_differences const* by,
                                    sixstep_symbol** symbol) {
  return turned(symbol, [&] { return symbols::gradient(axes, c::differences_of(by)); });
}

int sixstep_fortran_symbol_divergence(int axes, sixstep_differences const* by,
                                      sixstep_symbol** symbol) {
  return turned(symbol, [&] { return symbols::divergence(axes, c::differences_of(by)); });
}

int sixstep_fortran_symbol_curl(sixstep_symbol** symbol) {
  return turned(symbol, [] { return symbols::curl(); });
}
}
