// SPDX-License-Identifier: BSD-3-Clause
// Operators for C.
#include "sixstep/operator.hpp"

#include <complex>

#include "c/guarded.hpp"
#include "c/handles.hpp"
#include "c/options.hpp"
#include "c/planned.hpp"
#include "runtime/mpi.hpp"

using namespace sixstep;
using c::given;
using c::guarded;
using c::with;

int c::create_operator(int precision, sixstep_layout const* layout, sixstep_symbol const* symbol,
                       MPI_Comm comm, std::function<OperatorRequest()> const& wanted,
                       sixstep_operator** op) {
  return guarded(layout, [&] {
    mpi::Communicator const all = mpi::Communicator::duplicate(comm);
    OperatorRequest of;
    mpi::together(all, [&] {
      given(op, "op");
      given(layout, "layout");
      given(symbol, "symbol");
      enumerated(precision, SIXSTEP_SINGLE, "precision");
      of = wanted();
    });
    bool const reals = has_r2c(of.options) || is_real_to_real(of.options);
    Symbol const& times = symbol->symbol;
    // The fingerprints differ between ranks that give a result and ranks that do not.
    auto const inner =
        of.result
            ? made<Operator>(precision, layout->layout, *of.result, all.get(), times, of.options)
            : made<Operator>(precision, layout->layout, all.get(), times, of.options);
    hand_out(op, Planned<Operator>{inner, reals, reals, all.rank()}, all);
  });
}

int sixstep_operator_create(int precision, sixstep_layout const* layout,
                            sixstep_symbol const* symbol, MPI_Comm comm,
                            sixstep_operator_options const* options, sixstep_operator** op) {
  auto const wanted = [&] {
    return c::OperatorRequest{c::operator_options_of(options), c::operator_result_of(options)};
  };
  return c::create_operator(precision, layout, symbol, comm, wanted, op);
}

int sixstep_operator_free(sixstep_operator* op) {
  return guarded([&] { delete op; });
}

SIXSTEP_CALLS_OF_PLANNED(sixstep_operator)

int sixstep_operator_apply(sixstep_operator* op, void const* in, void* out) {
  return guarded(op, [&] {
    with(op, [&]<class Real>(Operator<Real>& of) {
      using Complex = std::complex<Real>;
      if (op->real_input)
        of.apply(static_cast<Real const*>(in), static_cast<Real*>(out));
      else
        of.apply(static_cast<Complex const*>(in), static_cast<Complex*>(out));
    });
  });
}

int sixstep_operator_renew(sixstep_operator* op, sixstep_symbol const* symbol) {
  return guarded(op, [&] {
    mpi::together(given(op, "op").comm, [&] { given(symbol, "symbol"); });
    with(op, [&](auto& of) { of.renew(symbol->symbol); });
  });
}

int sixstep_operator_verified(sixstep_operator const* op, int64_t* checked, int64_t* unchecked,
                              int64_t* repaired, int64_t* compared, double* largest_share) {
  return c::verified(op, checked, unchecked, repaired, compared, largest_share);
}

int sixstep_operator_on_detection(sixstep_operator* op, sixstep_detection_function* function,
                                  void* context) {
  return c::on_detection(op, function, context);
}

int sixstep_operator_breakdown(sixstep_operator* op, int* steps_count, sixstep_step const** steps) {
  return c::breakdown(op, steps_count, steps);
}
