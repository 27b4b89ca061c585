// SPDX-License-Identifier: BSD-3-Clause
// Transforms of many columns on one rank: the seam between the passes of a plan and the kernels.
//
// A column is the data of one 1-D transform. Its elements are called rows. The caller says where
// they lie in memory: at a constant step, or as a table lists. Transform is implemented by our
// kernels (kernels/), by long lengths made of shorter ones, by real kinds made of complex
// transforms, and by FFTW and MKL. This file knows nothing about layouts, ranks or MPI.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "local/numbers/roots.hpp"
#include "sixstep/index.hpp"
#include "sixstep/local.hpp"
#include "tuning.hpp"

namespace sixstep::local {

/// The offsets of a column's rows, in elements: row k is at k * step or, if rows are not evenly
/// spaced, at table[k]. The caller owns the table, which must outlive its use.
class RowMap {
 public:
  RowMap() = default;  // all rows at 0
  RowMap(Index const* table) : table_(table) {}
  static RowMap every(Index step) {
    RowMap map;
    map.step_ = step;
    return map;
  }

  Index operator[](Index k) const { return table_ != nullptr ? table_[k] : k * step_; }

  /// The step from each of the n rows to the next, or 0 if it is not the same for all.
  Index step(Index n) const {
    if (table_ == nullptr) return step_;
    Index const step = n > 1 ? table_[1] - table_[0] : 1;
    Index uneven = 0;  // no early exit, so that the loop is vectorized
    for (Index k = 2; k < n; ++k) uneven |= (table_[k] - table_[k - 1]) ^ step;
    return uneven == 0 ? step : 0;
  }

 private:
  Index const* table_ = nullptr;
  Index step_ = 0;
};

/// The places of a batch of columns: element k of column c is data[row[k] + c * lane].
///
/// It is fast if lane == 1 (columns lie side by side) and if the step of the rows is 1 (each column
/// is contiguous).
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

/// Columns as a source: their elements are only read.
template <class Element>
Columns<Element const> as_source(Columns<Element> const& columns) {
  return {columns.data, columns.row, columns.lane};
}

/// A factor w_N^(k (first + c step)) on element k of column c of the result, w_N = exp(-2 pi i / N)
/// forward and its conjugate backward. N is that of `roots`; first and step may be any integers.
///
/// Its error with our own kernels is well under an ulp if first + c step < N/n, which always holds
/// between the steps of a six-step transform, and about an ulp otherwise. Other libraries have an
/// error of about an ulp always.
struct Twist {
  Roots const* roots = nullptr;  // null: no factor
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

/// One call of a transform: `columns` columns from `in` to `out`.
///
/// `in` and `out` either do not overlap or are the same places. Between reals and complex numbers,
/// which differ in size, the same places means that the results of a column begin where the column
/// begins, in memory that belongs to no other column (rows are padded). Columns are taken in
/// groups: all of a group is read before any of its results is written.
template <class In, class Out = In>
struct Batch {
  Columns<In const> in;
  Columns<Out> out;
  Index columns;
  bool backward = false;  // complex to complex: exp(+2 pi i jk/n) in place of exp(-2 pi i jk/n)
  typename RealOf<In>::type scale = 1;
  Twist twist = {};
  // `in`, and `out`, are out of cache: it pays to prefetch the next columns, if contiguous.
  bool far = false;
  bool far_target = false;
  bool apart = false;  // rows of `out` are far apart and out of the second-level cache: it pays to
                       // prefetch those of a tile while the previous one is written
  // The first of columns that lie side by side and are read or written after these, and the step of
  // their rows: kernels may prefetch row k of them while they write row k of the results, in place
  // of what `apart` is for. Null: nothing.
  In const* next = nullptr;
  Index next_step = 0;
  bool stream = false;  // `out` is not read again soon: whole cache lines may be written to memory
                        // at once, past the caches, if columns are contiguous
};

/// A planned transform of length n(): complex to complex, or with reals on one side or on both.
/// Immutable: any number of threads may run it at once, each with its own scratch.
template <class In, class Out = In>
class Transform {
 public:
  virtual ~Transform() = default;

  virtual Index n() const = 0;
  /// How many columns are worked on side by side. Batches of a multiple of it are fastest.
  virtual Index lanes() const = 0;
  /// Bytes of memory, aligned to 64, that run() needs as `scratch`.
  virtual std::size_t scratch_bytes() const = 0;
  virtual void run(Batch<In, Out> const& batch, std::byte* scratch) const = 0;
  /// Whether run() heeds Batch::apart, and Batch::next.
  virtual bool fetches_rows() const { return false; }
  virtual bool fetches_next() const { return false; }
  /// Such as "radix 4 x 8 x 8, AVX-512".
  virtual std::string describe() const = 0;
};

/// The complex transform of length n >= 1 by the kernels of `whose`. Our own use the best
/// instruction set that this machine has. Throws Error if a library cannot be loaded.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_transform(Index n, Local whose = Local::own,
                                                              Tuning const& tuning = {});

extern template std::unique_ptr<Transform<std::complex<float>>> make_transform(Index, Local,
                                                                               Tuning const&);
extern template std::unique_ptr<Transform<std::complex<double>>> make_transform(Index, Local,
                                                                                Tuning const&);

/// "FFTW (fftw-3.3.10-sse2-avx)", or "AVX2" for our own kernels. Throws Error if a library cannot
/// be loaded.
template <class Real>
std::string kernels_of(Local whose);

extern template std::string kernels_of<float>(Local);
extern template std::string kernels_of<double>(Local);

/// The instruction set in use: "AVX-512", "AVX2", "SSE4.2", "NEON" ...
std::string instruction_set();

}  // namespace sixstep::local
