// SPDX-License-Identifier: BSD-3-Clause
// An operator and the array to which it is applied.
#pragma once

#include <mpi.h>

#include <cmath>
#include <complex>
#include <memory>

#include "arguments.hpp"
#include "layout/counting.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/operator.hpp"

namespace sixstep::cli {

/// A symbol with the same values, whose function throws Error where a value is not finite.
inline Symbol finite(Symbol const& symbol) {
  auto const numbers = symbol.is_real() ? Symbol::Numbers::real : Symbol::Numbers::complex;
  return Symbol::many(
      [symbol](Index count, Wavevector const* k, std::complex<double>* found) {
        symbol.at(count, k, found);
        for (Index i = 0; i < count; ++i)
          if (!std::isfinite(found[i].real()) || !std::isfinite(found[i].imag()))
            throw Error(text("symbol: finite numbers are needed, at k = (", list(k[i], ", "),
                             ") it is ", found[i].real()));
      },
      numbers);
}

/// An operator and an array in its memory, of reals or, unless `is_real`, of complex numbers.
template <class Real>
class Operated {
 public:
  using Complex = std::complex<Real>;

  /// The kinds in `options` are for the elements of the array: between walls alone, the real and
  /// the imaginary parts of complex numbers are two fields. Collective. Errors: those of Operator.
  Operated(Layout const& layout, MPI_Comm comm, Symbol const& symbol, OperatorOptions options,
           bool is_real)
      : comm_(comm),
        takes_reals_(is_real_input(options.kinds)),
        operator_(layout, comm, finite(symbol), with_fields(options, !is_real && takes_reals_)) {
    array_ = allocate();
  }

  Layout const& layout() const { return operator_.input(); }
  /// Another array of the same size.
  std::shared_ptr<Complex[]> allocate() {
    if (!takes_reals_) return operator_.template allocate<Complex>();
    auto const reals = operator_.template allocate<Real>();
    return {reals, reinterpret_cast<Complex*>(reals.get())};
  }
  /// The array, which has reals if it was made so.
  Complex* array() const { return array_.get(); }
  /// The elements of this rank's part, as reals.
  Real* reals() const { return reinterpret_cast<Real*>(array_.get()); }
  Index count_of_reals() const { return operator_.input_size() * (takes_reals_ ? 1 : 2); }

  /// Collective. Errors, on all ranks: those of the symbol.
  void apply() {
    mpi::together(comm_, [&] {
      if (takes_reals_)
        operator_.apply(reals(), reals());
      else
        operator_.apply(array(), array());
    });
  }
  void renew(Symbol const& symbol) { operator_.renew(finite(symbol)); }

 private:
  static OperatorOptions with_fields(OperatorOptions options, bool two) {
    options.kept = false;  // a table would be read once or twice
    options.fields = two ? 2 : 1;
    options.interleaved = two;
    return options;
  }

  MPI_Comm comm_;
  bool takes_reals_;
  Operator<Real> operator_;
  std::shared_ptr<Complex[]> array_;
};

}  // namespace sixstep::cli
