// SPDX-License-Identifier: BSD-3-Clause
// Passes: blocks of columns through kernels.
#include "pass.hpp"

#include <algorithm>
#include <cstdlib>
#include <type_traits>

#include "base/memory.hpp"
#include "base/run_team.hpp"
#include "columns.hpp"
#include "local/long_reals.hpp"
#include "local/one_column.hpp"
#include "local/shared_transforms.hpp"
#include "local/staged.hpp"
#include "scratch.hpp"

namespace sixstep::fftw {

namespace {

constexpr Index block_bytes = Index{1} << 15;  // of columns whose form is not direct
constexpr Index most_block_columns = 64;
constexpr double bytes_worth_a_thread = 1 << 16;  // less is done before another thread begins

template <class Element>
constexpr Index reals = sizeof(Element) / sizeof(Real);

template <class Element>
Index rows_of(PassWork const& work) {
  return work.kind == Kind::r2c && reals<Element> == 2 ? work.n / 2 + 1 : work.n;
}

/// The offset of turn number `turn` of some loops on one side.
Index offset(Axes const& loops, Index turn, Index Axis::*stride) {
  Index at = 0;
  for (std::size_t i = loops.size(); i-- > 0; turn /= loops[i].n)
    at += turn % loops[i].n * (loops[i].*stride);
  return at;
}

Index turns(Axes const& loops) {
  Index all = 1;
  for (Axis const& loop : loops) all *= loop.n;
  return all;
}

/// Whether it is a c2c, r2c or c2r of columns that are contiguous on both sides.
bool has_contiguous_columns(PassWork const& work) {
  auto const is_contiguous = [](Side const& side, Index reals) {
    return side.form == Form::direct && side.stride == reals;
  };
  bool const is_half = work.kind == Kind::r2c;
  return (work.kind == Kind::c2c || is_half) &&
         is_contiguous(work.source, is_half && !work.backward ? 1 : 2) &&
         is_contiguous(work.target, is_half && work.backward ? 1 : 2);
}

bool is_one_column(PassWork const& work) {
  return work.loops.empty() && has_contiguous_columns(work);
}

template <class In, class Out>
std::shared_ptr<local::Transform<In, Out> const> kernel_of(PassWork const& work) {
  return local::shared_transform<In, Out>(work.kind, work.n, Local::own, {});
}

std::shared_ptr<local::Transform<Real, std::complex<Real>> const> r2c_kernel(PassWork const& work) {
  if (is_one_column(work))
    if (auto alone = local::make_r2c_one_column<Real>(work.n)) return alone;
  return kernel_of<Real, std::complex<Real>>(work);
}

std::shared_ptr<local::Transform<std::complex<Real>, Real> const> c2r_kernel(PassWork const& work) {
  if (is_one_column(work))
    if (auto alone = local::make_c2r_one_column<Real>(work.n)) return alone;
  return kernel_of<std::complex<Real>, Real>(work);
}

/// Strides of a block of `columns` columns of `rows` rows.
template <class Element>
local::Columns<Element> block_of(std::byte* memory, Index columns, Index rows, bool side_by_side) {
  auto* const data = reinterpret_cast<Element*>(memory);
  if (side_by_side) return {data, local::RowMap::every(columns), 1};
  return {data, local::RowMap::every(1), rows};
}

template <class Element>
std::size_t bytes_of(Index columns, PassWork const& work) {
  return aligned(static_cast<std::size_t>(columns * rows_of<Element>(work)) * sizeof(Element));
}

BlockColumns block_columns_of(local::Columns<std::complex<Real>> const& columns) {
  return {columns.data, columns.row[1], columns.lane};
}

}  // namespace

Pass::Pass(PassWork const& work, int threads) : work_(work), outer_(work.loops) {
  if (!outer_.empty()) {
    lane_ = outer_.back();
    outer_.pop_back();
  }
  bool const is_half = work.kind == Kind::r2c;
  if (work.kind == Kind::c2c) {
    bool const one_by_one =
        has_contiguous_columns(work) && local::suits_one_by_one<Real>(work.n, turns(work.loops));
    kernel_ =
        one_by_one ? local::shared_one_column<Real>(work.n) : kernel_of<Complex, Complex>(work);
  }
  if (is_half && !work.backward) kernel_ = r2c_kernel(work);
  if (is_half && work.backward) kernel_ = c2r_kernel(work);
  if (is_r2r(work.kind)) kernel_ = kernel_of<Real, Real>(work);

  double const bytes = static_cast<double>(work.n * turns(work.loops)) * sizeof(Real);
  threads_ =
      static_cast<int>(std::clamp<double>(bytes / bytes_worth_a_thread, 1, std::max(threads, 1)));
  bool const far = local::out_of_cache(static_cast<Index>(2 * bytes));
  far_ = far && work.source.form == Form::direct;
  far_target_ = far && work.target.form == Form::direct;
  std::visit(
      [&]<class In, class Out>(Kernel<In, Out> const& kernel) {
        block_columns_ = block_columns(kernel->lanes());
        if (work.source.form != Form::direct) source_bytes_ = bytes_of<In>(block_columns_, work);
        if (work.target.form != Form::direct) target_bytes_ = bytes_of<Out>(block_columns_, work);
        scratch_bytes_ = source_bytes_ + target_bytes_ + aligned(kernel->scratch_bytes());
      },
      kernel_);
  blocks_ = turns(outer_) * ((lane_.n + block_columns_ - 1) / block_columns_);
}

/// All columns of the lane loop, or as many as go through a block or give each thread a share.
Index Pass::block_columns(Index lanes) const {
  Index columns = lane_.n;
  if (work_.source.form != Form::direct || work_.target.form != Form::direct)
    columns =
        std::clamp<Index>(block_bytes / (work_.n * Index{sizeof(Complex)}), 1, most_block_columns);
  if (threads_ > 1) columns = std::min(columns, lane_.n / (4 * threads_));
  columns = (columns + lanes - 1) / lanes * lanes;
  return std::clamp<Index>(columns, 1, lane_.n);
}

void Pass::run(Arrays<Real> const& arrays) const {
  std::visit([&](auto const& kernel) { run_with(kernel, arrays); }, kernel_);
}

/// All columns in one call of the kernel. Nothing is computed or allocated for small transforms.
template <class In, class Out>
void Pass::run_at_once(local::Transform<In, Out> const& kernel, Arrays<Real> const& arrays) const {
  auto const columns = [&]<class Element>(Side const& side, Index lane, Element*) {
    Real* const data = side.is_input ? arrays.re_in : arrays.re_out;
    return local::Columns<Element>{reinterpret_cast<Element*>(data),
                                   local::RowMap::every(side.stride / reals<Element>),
                                   lane / reals<Element>};
  };
  Scratch const scratch(*memory_, scratch_bytes_);
  kernel.run({.in = columns(work_.source, lane_.in, static_cast<In const*>(nullptr)),
              .out = columns(work_.target, lane_.out, static_cast<Out*>(nullptr)),
              .columns = lane_.n,
              .backward = work_.kind == Kind::c2c && work_.backward,
              .far = far_,
              .far_target = far_target_},
             scratch.get());
}

template <class In, class Out>
void Pass::run_with(Kernel<In, Out> const& kernel, Arrays<Real> const& arrays) const {
  if (blocks_ == 1 && source_bytes_ + target_bytes_ == 0) return run_at_once(*kernel, arrays);
  auto const run_blocks = [&](Index lo, Index hi) {
    Scratch const scratch(*memory_, scratch_bytes_);
    for (Index block = lo; block < hi; ++block) run_block(*kernel, arrays, block, scratch.get());
  };
  if (threads_ == 1) return run_blocks(0, blocks_);
  share_in_turn(blocks_, threads_, [&](Index block, int) { run_blocks(block, block + 1); });
}

template <class In, class Out>
void Pass::run_block(local::Transform<In, Out> const& kernel, Arrays<Real> const& arrays,
                     Index block, std::byte* scratch) const {
  Index const in_lane = (lane_.n + block_columns_ - 1) / block_columns_;
  Index const turn = block / in_lane, first = block % in_lane * block_columns_;
  Index const columns = std::min(block_columns_, lane_.n - first);
  auto const array = [&](Side const& side, Index Axis::*stride) -> ArrayColumns {
    Index const at = offset(outer_, turn, stride) + first * (lane_.*stride);
    Real* const real = side.is_input ? arrays.re_in : arrays.re_out;
    Real* const imaginary = side.is_input ? arrays.im_in : arrays.im_out;
    return {real + at, imaginary == nullptr ? nullptr : imaginary + at, side.stride, lane_.*stride};
  };
  ArrayColumns const source = array(work_.source, &Axis::in);
  ArrayColumns const target = array(work_.target, &Axis::out);
  auto const direct = []<class Element>(ArrayColumns const& from, Element*) {
    return local::Columns<Element>{reinterpret_cast<Element*>(from.real),
                                   local::RowMap::every(from.stride / reals<Element>),
                                   from.lane / reals<Element>};
  };
  auto const side_by_side = [](ArrayColumns const& of) {
    return std::abs(of.lane) < std::abs(of.stride);
  };

  local::Columns<In> in = direct(source, static_cast<In*>(nullptr));
  local::Columns<Out> out = direct(target, static_cast<Out*>(nullptr));
  if (work_.source.form != Form::direct)
    in = block_of<In>(scratch, columns, rows_of<In>(work_), side_by_side(source));
  if (work_.target.form != Form::direct)
    out =
        block_of<Out>(scratch + source_bytes_, columns, rows_of<Out>(work_), side_by_side(target));
  if constexpr (reals<In> == 2) {
    if (work_.source.form == Form::split)
      gather_split(source, block_columns_of(in), columns, rows_of<In>(work_));
    if (work_.source.form == Form::half_complex)
      gather_half_complex(source, block_columns_of(in), columns, work_.n);
  }
  kernel.run({.in = local::as_source(in),
              .out = out,
              .columns = columns,
              .backward = work_.kind == Kind::c2c && work_.backward,
              .far = far_,
              .far_target = far_target_},
             scratch + source_bytes_ + target_bytes_);
  if constexpr (reals<Out> == 2) {
    if (work_.target.form == Form::split)
      scatter_split(block_columns_of(out), target, columns, rows_of<Out>(work_));
    if (work_.target.form == Form::half_complex)
      scatter_half_complex(block_columns_of(out), target, columns, work_.n);
    if (work_.target.form == Form::hartley)
      scatter_hartley(block_columns_of(out), target, columns, work_.n);
  }
}

}  // namespace sixstep::fftw
