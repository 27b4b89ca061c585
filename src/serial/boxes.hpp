// SPDX-License-Identifier: BSD-3-Clause
// Small transforms of one process, one after another, by codelets of rows and of columns.
//
// Knows nothing about plans: SerialPlan and FFTW's interface have it in common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "base/run_team.hpp"
#include "serial/box_side.hpp"
#include "serial/strided_axis.hpp"

namespace sixstep::serial {

enum class BoxKind { c2c, r2c, c2r };

/// Transforms of complex numbers, or from or to reals along the last axis. Strides count reals.
struct BoxProblem {
  BoxKind kind = BoxKind::c2c;
  bool plus = false;       // the sign of the exponent of c2c
  StridedAxes axes = {};   // transformed
  StridedAxes loops = {};  // over transforms, joined
  Elements in = Elements::interleaved;
  Elements out = Elements::interleaved;
  bool in_place = false;
};

/// The complex numbers of a row of n points.
inline Index row_numbers(BoxKind kind, Index n) { return kind == BoxKind::c2c ? n : n / 2 + 1; }

/// In place: whether each column along the last axis has memory of its own before and after its
/// transform from or to reals, which no other column uses.
bool has_columns_apart(BoxProblem const& problem);

/// Arrays of a problem; the imaginary ones of split numbers alone.
template <class Real>
struct BoxArrays {
  Real const* re_in;
  Real const* im_in;
  Real* re_out;
  Real* im_out;
};

/// A problem, ready to be solved any number of times, on several threads at once.
template <class Real>
class Boxes {
 public:
  virtual ~Boxes() = default;

  /// How many threads are worth while.
  int threads() const { return threads_; }
  /// Bytes of memory, aligned, that run() needs as `scratch`.
  std::size_t scratch_bytes() const { return scratch_bytes_; }
  /// Whether it may run in place, too, if it was made for other executions.
  bool works_in_place() const { return works_in_place_; }
  /// Bytes of tables, of which other plans have none in common.
  std::size_t bytes() const { return bytes_; }

  /// Calls work(lo, hi, thread) for parts of the boxes that together are all of them, on as many
  /// threads as are worth while.
  template <class Work>
  void share(Work const& work) const {
    if (threads_ == 1) return work(0, count_, 0);
    Index const parts = std::min<Index>(4 * threads_, count_);
    share_in_turn(parts, threads_, [&](Index i, int thread) {
      work(i * count_ / parts, (i + 1) * count_ / parts, thread);
    });
  }
  /// Boxes number `lo` to `hi` - 1. The results are multiplied by a scale.
  void run(BoxArrays<Real> const& arrays, Index lo, Index hi, Real scale, std::byte* scratch) const;

 protected:
  /// Boxes of so many complex numbers. `loops` are over boxes.
  Boxes(StridedAxes loops, Index numbers, int threads);

  virtual void run_box(BoxArrays<Real> const& box, Real scale, std::byte* scratch) const = 0;

  std::size_t scratch_bytes_ = 0;
  std::size_t bytes_ = 0;
  bool works_in_place_ = false;

 private:
  StridedAxes loops_;
  Index count_;
  int threads_;
};

/// Null if passes of kernels take less time, a length has no codelet, or boxes would overwrite what
/// others have not read yet.
template <class Real>
std::unique_ptr<Boxes<Real> const> make_boxes(BoxProblem const& problem, int threads);

}  // namespace sixstep::serial
