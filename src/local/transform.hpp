// SPDX-License-Identifier: BSD-3-Clause
// Transforms of many columns on one rank: the seam between passes and kernels.
//
// A column is one 1-D transform; where its elements lie in memory is the caller's business and is
// given by tables. This file knows nothing about layouts, ranks or MPI.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "local/numbers/roots.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/local.hpp"

namespace sixstep::local {

/// Where the rows of columns lie: a table with an entry a row, or evenly spaced.
class RowMap {
 public:
  RowMap() = default;  // all rows in one place
  RowMap(Index const* table) : table_(table) {}
  static RowMap every(Index step) {
    RowMap map;
    map.step_ = step;
    return map;
  }

  Index operator[](Index k) const { return table_ != nullptr ? table_[k] : k * step_; }

  /// From a row to the next, if that is the same for all n rows, else 0.
  Index step(Index n) const {
    if (table_ == nullptr) return step_;
    Index const step = n > 1 ? table_[1] - table_[0] : 1;
    Index uneven = 0;  // no early end: the loop then runs in vectors
    for (Index k = 2; k < n; ++k) uneven |= (table_[k] - table_[k - 1]) ^ step;
    return uneven == 0 ? step : 0;
  }

 private:
  Index const* table_ = nullptr;
  Index step_ = 0;
};

/// Where a batch of columns lies: element k of column c is data[row[k] + c * lane].
///
/// Fast when lane == 1 (columns side by side) and when rows follow each other (step 1).
template <class Element>
struct Columns {
  Element* data;
  RowMap row;
  Index lane;
};

/// The columns from `first` on.
template <class Element>
Columns<Element> from_column(Columns<Element> const& all, Index first) {
  return {all.data + first * all.lane, all.row, all.lane};
}

/// A factor w_N^(k (first + c step)) on element k of column c of the result, w_N = exp(-2 pi i / N)
/// forward and its conjugate backward. N is that of `roots`; first and step may be any integers.
///
/// Our own kernels round it to well under an ulp where first + c step < N/n, as it is between the
/// steps of a six-step transform; to about one elsewhere, and so do other libraries everywhere.
struct Twist {
  Roots const* roots = nullptr;  // none: no factor
  Index first = 0;
  Index step = 0;
};

/// The Real of a Real or a std::complex<Real>.
template <class Element>
struct RealOf {
  using type = Element;
};
template <class Real>
struct RealOf<std::complex<Real>> {
  using type = Real;
};

/// One call: `columns` transforms from `in` to `out`. `in` and `out` may be the same places, and
/// between reals and complex numbers the result of a column may begin where the column begins and
/// lie in memory that no other has (padded rows); otherwise they do not overlap. All of a group of
/// columns is read before any of it is written.
template <class In, class Out = In>
struct Batch {
  Columns<In const> in;
  Columns<Out> out;
  Index columns;
  bool backward = false;  // complex to complex: exp(+2 pi i jk/n) in place of exp(-2 pi i jk/n)
  typename RealOf<In>::type scale = 1;
  Twist twist = {};
  bool far = false;     // `in` is out of cache: columns that will be next are worth fetching ahead
  bool stream = false;  // whole lines of contiguous columns of `out` may leave past the caches
};

/// A planned transform of length n(): complex to complex, or with reals on one side or on both.
/// Immutable: any number of threads may run it at once, each with its own scratch.
template <class In, class Out = In>
class Transform {
 public:
  virtual ~Transform() = default;

  virtual Index n() const = 0;
  /// Columns that are worked on side by side: batches of a multiple of this are the fastest.
  virtual Index lanes() const = 0;
  /// Bytes that run() needs, aligned to 64.
  virtual std::size_t scratch_bytes() const = 0;
  virtual void run(Batch<In, Out> const& batch, std::byte* scratch) const = 0;
  /// "radix 4 x 8 x 8, AVX3" and the like.
  virtual std::string describe() const = 0;
};

/// Our own complex transform of any length n >= 1, for the best instruction set that this machine
/// has.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_transform(Index n);

/// The transform of length n by the kernels of `whose`. Errors: a library that cannot be loaded.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_transform(Index n, Local whose);

extern template std::unique_ptr<Transform<std::complex<float>>> make_transform(Index);
extern template std::unique_ptr<Transform<std::complex<double>>> make_transform(Index);
extern template std::unique_ptr<Transform<std::complex<float>>> make_transform(Index, Local);
extern template std::unique_ptr<Transform<std::complex<double>>> make_transform(Index, Local);

/// "FFTW (fftw-3.3.10-sse2-avx)", "AVX2" for our own kernels and the like. Errors: a library that
/// cannot be loaded.
template <class Real>
std::string kernels_of(Local whose);

extern template std::string kernels_of<float>(Local);
extern template std::string kernels_of<double>(Local);

/// The instruction set in use: "AVX3_ZEN4", "AVX2", "SSE4", "NEON" ... (Highway's names).
std::string instruction_set();

}  // namespace sixstep::local
