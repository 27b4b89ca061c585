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
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "local/real_transform.hpp"
#include "local/staged.hpp"
#include "local/transform.hpp"
#include "plan/program.hpp"

namespace sixstep::plan {

/// Transforms and roots of unity, each made once per length and shared by the passes of a plan.
template <class Real>
class Kernels {
 public:
  using Complex = std::complex<Real>;

  explicit Kernels(Local whose = Local::own) : whose_(whose) {}

  /// One of this kind with n points, or n reals, from such elements to such elements.
  template <class In, class Out>
  local::Transform<In, Out> const& transform(Kind kind, Index n) {
    auto& made = std::get<Made<In, Out>>(made_)[{kind, n}];
    if (made) return *made;
    if constexpr (std::is_same_v<In, Real> && std::is_same_v<Out, Real>)
      made = local::make_r2r<Real>(kind, n, whose_);
    else if constexpr (std::is_same_v<In, Real>)
      made = local::make_r2c<Real>(n, whose_);
    else if constexpr (std::is_same_v<Out, Real>)
      made = local::make_c2r<Real>(n, whose_);
    else
      made = local::make_transform<Real>(n, whose_);
    return *made;
  }
  local::Roots const& roots(Index n);

 private:
  template <class In, class Out>
  using Made = std::map<std::pair<Kind, Index>, std::unique_ptr<local::Transform<In, Out>>>;

  Local whose_;
  std::tuple<Made<Complex, Complex>, Made<Real, Complex>, Made<Complex, Real>, Made<Real, Real>>
      made_;
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
  /// One side: its rows; of several, a table if they all move alike from column to column.
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
  int bundle = -1;     // where there are no lanes: the one of `outer` along which columns are
                       // gathered and scattered, some at a time
};

/// A transform that needs no strips: one with reals moves its columns through a block of its own.
template <class In, class Out>
class Unstaged {
 public:
  Unstaged(local::Transform<In, Out> const& transform, local::Staging) : transform_(transform) {}
  std::size_t scratch_bytes() const { return transform_.scratch_bytes(); }
  void run(local::Batch<In, Out> const& batch, std::byte* scratch) const {
    transform_.run(batch, scratch);
  }

 private:
  local::Transform<In, Out> const& transform_;
};

/// A pass with a transform.
template <class In, class Out>
class FftPass {
 public:
  using Real = typename local::RealOf<In>::type;

  FftPass(Pass const& pass, int window_axis, Kernels<Real>& kernels);

  std::size_t scratch_bytes() const;
  void run(Real const* source, Real* target, Window const& window, Mode<Real> const& mode,
           std::byte* scratch) const;

 private:
  static constexpr bool is_complex = !std::is_same_v<In, Real> && !std::is_same_v<Out, Real>;
  using Runner = std::conditional_t<is_complex, local::Staged<Real>, Unstaged<In, Out>>;

  void run_cell(Cell const& cell, In const* source, Out* target, Window const& window,
                Mode<Real> const& mode, std::byte* scratch) const;
  void run_bundles(Cell const& cell, In const* source, Out* target, Window const& window,
                   Mode<Real> const& mode, std::byte* scratch) const;
  local::Twist twist(Cell const& cell, int lane, Shape const& counts) const;
  std::size_t table_bytes() const;

  Pass pass_;
  std::vector<Cell> cells_;
  Runner transform_;
  bool far_;                     // the source is out of cache
  Index bundle_ = 1;             // columns that are gathered at a time
  std::size_t pitch_bytes_ = 0;  // from one of them to the next
  local::Roots const* roots_ = nullptr;
};

/// A pass that only reorders.
template <class Element>
class CopyPass {
 public:
  using Real = typename local::RealOf<Element>::type;

  explicit CopyPass(Pass const& pass);

  std::size_t scratch_bytes() const { return 0; }
  void run(Real const* source, Real* target, Window const& window, Mode<Real> const& mode,
           std::byte* scratch) const;

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

/// A sweep, ready to run. Arrays are of reals or of complex numbers, as the sweep says.
template <class Real>
class SweepRunner {
 public:
  SweepRunner(Sweep const& sweep, Kernels<Real>& kernels);

  /// Bytes that each thread needs, a multiple of 64.
  std::size_t scratch_bytes() const;
  /// `scratch` holds scratch_bytes() for each of the threads.
  void run(Real const* source, Real* target, Mode<Real> const& mode, int threads,
           std::byte* scratch) const;

 private:
  void run_window(Index number, Real const* source, Real* target, Mode<Real> const& mode,
                  std::byte* scratch) const;

  using Complex = std::complex<Real>;
  using AnyPass =
      std::variant<FftPass<Complex, Complex>, FftPass<Real, Complex>, FftPass<Complex, Real>,
                   FftPass<Real, Real>, CopyPass<Complex>, CopyPass<Real>>;
  struct Stage {
    AnyPass pass;
    bool from_scratch, to_scratch, last;
  };

  static AnyPass make_pass(Pass const& pass, int window_axis, Kernels<Real>& kernels);

  std::vector<Stage> stages_;
  int window_axis_;
  Index window_;
  Index windows_;
  Index extent_;  // along the window axis
  std::size_t between_bytes_;
  std::size_t pass_bytes_ = 0;
};

}  // namespace sixstep::plan
