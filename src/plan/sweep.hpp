// SPDX-License-Identifier: BSD-3-Clause
// Running sweeps: from pieces of memory to batches of columns for the local transforms.
//
// All that can be worked out beforehand is worked out in the constructors; run() only loops. Knows
// nothing about MPI.
#pragma once

#include <complex>
#include <cstddef>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "local/staged.hpp"
#include "local/transform.hpp"
#include "plan/program.hpp"

namespace sixstep::plan {

/// Transforms and roots of unity, each made once per length and shared by the passes of a plan.
template <class Real>
class Kernels {
 public:
  explicit Kernels(Local whose = Local::own) : whose_(whose) {}

  local::Transform<std::complex<Real>> const& transform(Index n);
  local::Roots const& roots(Index n);

 private:
  Local whose_;
  std::map<Index, std::unique_ptr<local::Transform<std::complex<Real>>>> transforms_;
  std::map<Index, std::unique_ptr<local::Roots>> roots_;
};

/// Counts [lo, hi) along an axis of the local box.
struct Window {
  int axis = -1;  // none: everything
  Index lo = 0;
  Index hi = 0;
};

/// What is the same for all passes of one execution.
template <class Real>
struct Mode {
  bool backward = false;
  Real scale = 1;
};

/// A rectangle of columns whose rows lie alike: counts extent[x] from start[x] along each axis x
/// but the transformed one. Both sides cut the box into such cells, most often into a single one.
struct Cell {
  /// Rows first, first + step, ... of the transform, and where they lie at the cell's start.
  struct Rows {
    Index first, step, count;
    Index offset, stride;
    Shape strides;  // along the axes of the box
  };
  /// One side: its rows, and a table of all of them if they all move alike from column to column.
  struct Side {
    std::vector<Rows> rows;
    std::vector<Index> table;  // by row, at the cell's start
    bool alike = false;
  };

  Shape start;
  Shape extent;
  Side source;
  Side target;
  PerAxis<int> lanes;  // axes that together are the columns of a batch, slowest first
  PerAxis<int> outer;  // the others but the transformed one, slowest first
};

/// A pass with a transform.
template <class Real>
class FftPass {
 public:
  FftPass(Pass const& pass, int window_axis, Kernels<Real>& kernels);

  std::size_t scratch_bytes() const;
  void run(std::complex<Real> const* source, std::complex<Real>* target, Window const& window,
           Mode<Real> const& mode, std::byte* scratch) const;

 private:
  void run_cell(Cell const& cell, std::complex<Real> const* source, std::complex<Real>* target,
                Window const& window, Mode<Real> const& mode, std::byte* scratch) const;

  Pass pass_;
  Index n_;
  std::vector<Cell> cells_;
  local::Staged<Real> transform_;
  local::Roots const* roots_ = nullptr;
};

/// A pass that only reorders.
template <class Real>
class CopyPass {
 public:
  explicit CopyPass(Pass const& pass);

  std::size_t scratch_bytes() const { return 0; }
  void run(std::complex<Real> const* source, std::complex<Real>* target, Window const& window,
           Mode<Real> const& mode, std::byte* scratch) const;

 private:
  /// A block that both sides hold in one stride pattern; counts along an axis x are
  /// start[x] + i step[x], i < extent[x].
  struct Block {
    Shape start, step, extent;
    Index source_offset, target_offset;
    Shape source_strides, target_strides;
  };
  std::vector<Block> blocks_;
};

/// A sweep, ready to run.
template <class Real>
class SweepRunner {
 public:
  SweepRunner(Sweep const& sweep, Kernels<Real>& kernels);

  /// Bytes that each thread needs, a multiple of 64.
  std::size_t scratch_bytes() const;
  /// `scratch` holds scratch_bytes() for each of the threads.
  void run(std::complex<Real> const* source, std::complex<Real>* target, Mode<Real> const& mode,
           int threads, std::byte* scratch) const;

 private:
  void run_window(Index number, std::complex<Real> const* source, std::complex<Real>* target,
                  Mode<Real> const& mode, std::byte* scratch) const;

  using AnyPass = std::variant<FftPass<Real>, CopyPass<Real>>;
  struct Stage {
    AnyPass pass;
    bool from_scratch, to_scratch, last;
  };

  std::vector<Stage> stages_;
  int window_axis_;
  Index window_;
  Index windows_;
  Index extent_;  // along the window axis
  std::size_t between_bytes_;
  std::size_t pass_bytes_ = 0;
};

}  // namespace sixstep::plan
