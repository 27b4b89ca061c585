// SPDX-License-Identifier: BSD-3-Clause
// Transforms of one contiguous column of at most some thousand points.
//
// A call takes as long as the arguments of a batch alone would.
#pragma once

#include <complex>
#include <memory>

#include "local/kernels/odd_products.hpp"
#include "local/targets.hpp"
#include "local/transform.hpp"
#include "sixstep/index.hpp"
#include "sixstep/kind.hpp"

namespace sixstep::local {

/// The most points of a complex codelet, and the most coefficients of one with reals.
inline constexpr int most_codelet_points = 1024;
inline constexpr int most_codelet_coefficients = most_codelet_points + 1;

/// Contiguous columns at equal distances.
template <class In, class Out>
struct CodeletRows {
  In const* in;
  Out* out;
  Index in_step;
  Index out_step;
  Index count;
};

/// Calls codelet.run() for each row. A class that knows its function spares the look-up of it.
template <class Codelet, class In, class Out>
[[gnu::always_inline]] inline void each_row(Codelet const& codelet,
                                            CodeletRows<In, Out> const& rows) {
  In const* in = rows.in;
  Out* out = rows.out;
  for (Index i = 0; i < rows.count; ++i, in += rows.in_step, out += rows.out_step)
    codelet.run(in, out);
}

/// The transform of one contiguous column, without a factor: complex to complex, r2c, c2r, or real
/// to real. Immutable: any number of threads may run it at once.
template <class In, class Out>
class Codelet {
 public:
  virtual ~Codelet() = default;
  /// The arrays begin at the same address or do not overlap.
  virtual void run(In const* in, Out* out) const = 0;
  /// Row after row. A row of the results may overlap the rows up to its own.
  virtual void run_rows(CodeletRows<In, Out> const& rows) const { each_row(*this, rows); }
};

/// Columns that lie side by side: element k of column c is data[k row + c].
template <class Number>
struct AdjacentColumns {
  Number* data;
  Index row;
};

/// The transform of short columns of complex numbers that lie side by side. Without a factor.
/// Immutable, as Codelet is.
template <class Real>
class ColumnsCodelet {
 public:
  virtual ~ColumnsCodelet() = default;
  /// The arrays begin at the same address and have equal rows, or do not overlap. While row k of
  /// the results is written, row k of `next` may be prefetched, unless that is null.
  virtual void run(AdjacentColumns<std::complex<Real> const> in,
                   AdjacentColumns<std::complex<Real>> out, Index columns,
                   AdjacentColumns<std::complex<Real> const> next) const = 0;
  void run(AdjacentColumns<std::complex<Real> const> in, AdjacentColumns<std::complex<Real>> out,
           Index columns) const {
    run(in, out, columns, {nullptr, 0});
  }
};

/// Transforms one column and multiplies its `results` elements by a scale.
template <class In, class Out, class Real>
void run_column(Codelet<In, Out> const& codelet, In const* in, Out* out, Real scale,
                Index results) {
  codelet.run(in, out);
  if (scale != 1)
    for (Index k = 0; k < results; ++k) out[k] *= scale;
}

/// Transforms a batch of contiguous columns, one after another. `results` counts the elements of
/// one on the side of the results.
template <class In, class Out>
void run_columns(Codelet<In, Out> const& codelet, Batch<In, Out> const& batch, Index results) {
  In const* in = batch.in.data + batch.in.row[0];
  Out* out = batch.out.data + batch.out.row[0];
  for (Index c = 0; c < batch.columns; ++c, in += batch.in.lane, out += batch.out.lane)
    run_column(codelet, in, out, batch.scale, results);
}

/// Makes the codelet for n points; null if there is none. `backward` is for complex to complex.
template <class In, class Out>
using MakeCodelet = std::unique_ptr<Codelet<In, Out> const> (*)(Index n, bool backward);

/// The order of n coefficients of n reals: Re X[k] at k and Im X[k] at n - k, or Re X[k] - Im X[k]
/// at k and Re X[k] + Im X[k] at n - k (a Hartley transform).
enum class RealOrder { half_complex, hartley };

template <class Real>
struct CodeletMakers {
  MakeCodelet<std::complex<Real>, std::complex<Real>> complex;
  MakeCodelet<Real, std::complex<Real>> r2c;
  MakeCodelet<std::complex<Real>, Real> c2r;
  std::unique_ptr<ColumnsCodelet<Real> const> (*columns)(Index n, bool backward);
  std::unique_ptr<Codelet<Real, Real> const> (*to_reals)(Index n, RealOrder order);
  std::unique_ptr<Codelet<Real, Real> const> (*from_half_complex)(Index n);
  std::unique_ptr<OddR2c<Real> const> (*odd_r2c)(Index n);
  std::unique_ptr<OddC2r<Real> const> (*odd_c2r)(Index n);
};

/// Those for the vectors of an instruction set, one of available_targets().
template <class Real>
CodeletMakers<Real> codelet_makers(Target target);

template <>
CodeletMakers<float> codelet_makers(Target target);
template <>
CodeletMakers<double> codelet_makers(Target target);

/// Whether an instruction set has codelets: those before AVX2 have none.
inline bool has_codelets(Target target) {
  return codelet_makers<double>(target).complex(2, false) != nullptr;
}

/// The codelet of a cosine or sine transform of n points; null if there is none.
template <class Real>
std::unique_ptr<Codelet<Real, Real> const> make_cosine_codelet(Kind kind, Index n, Target target);

}  // namespace sixstep::local
