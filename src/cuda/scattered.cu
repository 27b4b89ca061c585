// SPDX-License-Identifier: BSD-3-Clause
// Transforms of scattered columns on a GPU. A block transforms a tile of columns: it copies them to
// its memory, where all passes work, and the last one writes them. The copies need no registers, so
// that many are under way while other blocks compute. A filter transforms, multiplies by a table
// and transforms back while the tile stays there: the passes back undo those there in the opposite
// order, so that results lie in order.
#include "cuda/scattered.hpp"

#ifdef __CUDACC__
#include <cuda_pipeline.h>
#endif

#include <algorithm>

#include "cuda/butterflies.hpp"

namespace sixstep::device {

namespace {

/// The most threads of a block. Two blocks of 384 go through columns of double precision faster
/// than three of 256, because fewer tiles compete for the cache; there and back needs the more
/// blocks, whose passes hide each other.
template <class Real, bool goes_back>
constexpr int most_threads = sizeof(Real) == sizeof(double) && !goes_back ? 384 : 256;
/// The blocks that a multiprocessor runs at a time, which limits their registers.
template <class Real, bool goes_back>
constexpr int blocks_at_a_time = 768 / most_threads<Real, goes_back>;

/// The argument of a kernel: everything that a launch works on.
struct Tiles {
  Scattered columns;
  ScatteredTables tables;
  Divisor middle, last;     // extents of the columns' axes
  std::uint32_t count;      // of columns
  std::uint32_t log_width;  // of the columns of a tile
  std::uint32_t pitch;      // elements from row to row in a block's memory
  Divisor rows;             // of a column
  int passes;
  int radices[ScatteredRecipe::most_passes];
  Divisor strides[ScatteredRecipe::most_passes];      // of the elements of a butterfly, in rows
  Divisor butterflies[ScatteredRecipe::most_passes];  // of a column
  std::uint32_t turns[ScatteredRecipe::most_passes];  // n / (radix stride)
};

#ifdef __CUDACC__
extern __shared__ __align__(16) unsigned char tile_memory[];
#endif

template <int R, class Real>
__device__ void swap_parts(Pair<Real> (&x)[R]) {
#pragma unroll
  for (int i = 0; i < R; ++i) x[i] = swapped(x[i]);
}

/// Copies the rows first, first + step, ... of a column to the memory of the block. Rows that are
/// nowhere, and those of columns beyond the last, become zeros.
template <class Real>
__device__ void copy_rows(Tiles const& tiles, std::uint32_t in_tile, std::uint32_t first,
                          std::uint32_t step) {
  ScatteredSide const& side = tiles.columns.source;
  auto* to = reinterpret_cast<Pair<Real>*>(tile_memory) + first * tiles.pitch + in_tile;
  std::uint32_t const n = tiles.rows.d, to_step = step * tiles.pitch;
  std::uint32_t const column = (blockIdx.x << tiles.log_width) + in_tile;
  if (column >= tiles.count) {
    for (std::uint32_t row = first; row < n; row += step, to += to_step) *to = {0, 0};
    return;
  }
  Index const offset = ColumnCounts::of(column, tiles.middle, tiles.last).offset_in(side);
  if (side.rows == nullptr) {
    auto const* from =
        static_cast<Pair<Real> const*>(side.memory) + offset + first * side.row_stride;
    Index const from_step = step * side.row_stride;
#pragma unroll 4
    for (std::uint32_t row = first; row < n; row += step, from += from_step, to += to_step)
      __pipeline_memcpy_async(to, from, sizeof *to);
    return;
  }
#pragma unroll 4
  for (std::uint32_t row = first; row < n; row += step, to += to_step) {
    RowCode const code = side.rows[row];
    if (code.is_there())
      __pipeline_memcpy_async(to, place_in<Real>(side, code, offset), sizeof *to);
    else
      *to = {0, 0};
  }
}

/// Copies the columns of a tile. Neighbouring threads take neighbouring columns, or neighbouring
/// rows if these lie closer.
template <class Real>
__device__ void fill_tile(Tiles const& tiles) {
  std::uint32_t const thread = threadIdx.x, threads = blockDim.x, width = 1u << tiles.log_width;
  if (tiles.columns.source.has_rows_first) {
    std::uint32_t const columns = threads < tiles.rows.d ? 1 : tiles.rows.divide(threads);
    std::uint32_t const mine = tiles.rows.divide(thread);
    for (std::uint32_t in_tile = mine; mine < columns && in_tile < width; in_tile += columns)
      copy_rows<Real>(tiles, in_tile, thread - mine * tiles.rows.d, threads);
  } else {
    copy_rows<Real>(tiles, thread & (width - 1), thread >> tiles.log_width,
                    threads >> tiles.log_width);
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
}

/// Multiplies results, the rows first, first + step, ..., by the numbers of the table.
template <int R, class Real>
__device__ void multiply_rows(Scattered const& columns, ColumnCounts const& counts,
                              std::uint32_t first, std::uint32_t step, Pair<Real> (&x)[R]) {
  ScatteredSide const& side = columns.in_table;
  Index const offset = counts.offset_in(side);
  if (side.rows == nullptr) {
    Index const begin = offset + static_cast<Index>(first) * side.row_stride;
    Index const distance = static_cast<Index>(step) * side.row_stride;
#pragma unroll
    for (int i = 0; i < R; ++i) x[i] = columns.table.times(x[i], begin + i * distance);
    return;
  }
#pragma unroll
  for (int i = 0; i < R; ++i) x[i] = with_table(columns, offset, first + i * step, x[i]);
}

/// Multiplies between the transform there and that back, where parts are as the transform wants
/// them.
template <int R, class Real>
__device__ void multiply_coefficients(Tiles const& tiles, std::uint32_t column, std::uint32_t first,
                                      std::uint32_t step, Pair<Real> (&x)[R]) {
  Scattered const& columns = tiles.columns;
  if (column >= tiles.count) return;
  if (columns.backward) swap_parts(x);
  multiply_rows<R>(columns, ColumnCounts::of(column, tiles.middle, tiles.last), first, step, x);
  if (columns.backward) swap_parts(x);
}

/// Multiplies results by all factors, and writes them as the rows first, first + step, ...
template <int R, class Real>
__device__ void write_rows(Tiles const& tiles, std::uint32_t column, std::uint32_t first,
                           std::uint32_t step, Pair<Real> (&x)[R]) {
  if (column >= tiles.count) return;
  Scattered const& columns = tiles.columns;
  ScatteredSide const& side = columns.target;
  ColumnCounts const counts = ColumnCounts::of(column, tiles.middle, tiles.last);
  Index const offset = counts.offset_in(side);
  auto const scale = static_cast<Real>(columns.scale);
#pragma unroll
  for (int i = 0; i < R; ++i) x[i] = {scale * x[i].re, scale * x[i].im};
  if (columns.backward) swap_parts(x);
  if (columns.phase.fine != nullptr) {
#pragma unroll
    for (int i = 0; i < R; ++i) x[i] = with_phase(columns.phase, counts, first + i * step, x[i]);
  }
  if (columns.table.numbers != nullptr && !columns.there_and_back)
    multiply_rows<R>(columns, counts, first, step, x);
  if (side.rows == nullptr) {
    auto* const place = static_cast<Pair<Real>*>(side.memory) + offset +
                        static_cast<Index>(first) * side.row_stride;
    Index const distance = static_cast<Index>(step) * side.row_stride;
#pragma unroll
    for (int i = 0; i < R; ++i) place[i * distance] = x[i];
    return;
  }
  RowCode rows[R];
#pragma unroll
  for (int i = 0; i < R; ++i) rows[i] = side.rows[first + i * step];
#pragma unroll
  for (int i = 0; i < R; ++i)
    if (rows[i].is_there()) *place_in<Real>(side, rows[i], offset) = x[i];
}

/// The part of a pass in the transform of a tile, as bits.
enum Role : unsigned {
  begins = 1,     // the first pass: rows are as they were read
  there = 2,      // a pass of the transform
  innermost = 4,  // the last one there, and the first one back
  back = 8,       // the inverse of a pass of the transform
  writes = 16,    // its results go to the array, not to the tile
};

/// Multiplies the elements of a butterfly by the roots between two passes, or by their conjugates.
template <int R, bool conjugate, class Real>
__device__ void turn_rows(Pair<Real> const* roots, std::uint32_t turn, Pair<Real> (&x)[R]) {
#pragma unroll
  for (int i = 1; i < R; ++i) {
    Pair<Real> root = roots[i * turn];
    if (conjugate) root.im = -root.im;
    x[i] = product(x[i], root);
  }
}

/// Pass number `pass` of a tile. Before it, columns are the transforms of R `stride` points that
/// remain, one behind the other. A pass back undoes the pass there of the same number.
template <int R, unsigned role, class Real>
__device__ void run_pass(Tiles const& tiles, int pass) {
  auto* const tile = reinterpret_cast<Pair<Real>*>(tile_memory);
  auto const* const roots = static_cast<Pair<Real> const*>(tiles.tables.roots);
  Scattered const& columns = tiles.columns;
  Divisor const stride = tiles.strides[pass];
  std::uint32_t const butterflies = tiles.butterflies[pass].d, width = 1u << tiles.log_width;
  // Neighbouring threads take neighbouring columns, or neighbouring rows if these lie closer.
  bool const by_rows = (role & writes) && columns.target.has_rows_first;
  std::uint32_t const mine = butterflies << tiles.log_width;
  for (std::uint32_t b = threadIdx.x; b < mine; b += blockDim.x) {
    std::uint32_t in_tile = b & (width - 1), butterfly = b >> tiles.log_width;
    if (by_rows) {
      in_tile = tiles.butterflies[pass].divide(b);
      butterfly = b - in_tile * butterflies;
    }
    std::uint32_t const column = (blockIdx.x << tiles.log_width) + in_tile;
    std::uint32_t first = butterfly, inner = butterfly;  // its first row, its place in the stride
    if ((role & innermost) && !(role & begins)) {
      first = tiles.tables.order[butterfly];
    } else if (!(role & (begins | writes))) {
      std::uint32_t const outer = stride.divide(butterfly);
      inner = butterfly - outer * stride.d;
      first = outer * R * stride.d + inner;
    }
    Pair<Real>* const begin = tile + first * tiles.pitch + in_tile;
    std::uint32_t const distance = stride.d * tiles.pitch;
    std::uint32_t const turn = inner * tiles.turns[pass];
    Pair<Real> x[R];
#pragma unroll
    for (int i = 0; i < R; ++i) x[i] = begin[i * distance];
    if constexpr (role & begins) {  // backward is forward of swapped parts
      if (columns.backward) swap_parts(x);
    }
    if constexpr (role & there) {
      Butterfly<R, Real>::run(x);
      if constexpr (!(role & innermost)) turn_rows<R, false>(roots, turn, x);
    }
    if constexpr (role & back) {
      if constexpr (role & innermost)
        multiply_coefficients<R>(tiles, column, butterfly, butterflies, x);
      else
        turn_rows<R, true>(roots, turn, x);
      swap_parts(x);
      Butterfly<R, Real>::run(x);
      swap_parts(x);
    }
    if constexpr ((role & writes) && (role & innermost)) {
      write_rows<R>(tiles, column, butterfly, butterflies, x);
    } else if constexpr (role & writes) {
      write_rows<R>(tiles, column, first, stride.d, x);
    } else {
#pragma unroll
      for (int i = 0; i < R; ++i) begin[i * distance] = x[i];
    }
  }
}

template <unsigned role, class Real>
__device__ void run_pass_of_any_radix(Tiles const& tiles, int pass) {
  switch (tiles.radices[pass]) {
    case 2:
      return run_pass<2, role, Real>(tiles, pass);
    case 3:
      return run_pass<3, role, Real>(tiles, pass);
    case 4:
      return run_pass<4, role, Real>(tiles, pass);
    case 5:
      return run_pass<5, role, Real>(tiles, pass);
    case 7:
      return run_pass<7, role, Real>(tiles, pass);
    default:
      return run_pass<8, role, Real>(tiles, pass);
  }
}

/// All passes there but the last.
template <class Real>
__device__ void run_passes_there(Tiles const& tiles) {
  run_pass_of_any_radix<begins | there, Real>(tiles, 0);
  for (int pass = 1; pass < tiles.passes - 1; ++pass) {
    __syncthreads();
    run_pass_of_any_radix<there, Real>(tiles, pass);
  }
  __syncthreads();
}

template <class Real>
__global__ void __launch_bounds__((most_threads<Real, false>), (blocks_at_a_time<Real, false>))
    transform_tiles(Tiles const tiles) {
  constexpr unsigned last = there | innermost | writes;
  fill_tile<Real>(tiles);
  if (tiles.passes == 1) return run_pass_of_any_radix<begins | last, Real>(tiles, 0);
  run_passes_there<Real>(tiles);
  run_pass_of_any_radix<last, Real>(tiles, tiles.passes - 1);
}

/// There, times the table, and back, where the table's rows are those of the last pass there.
template <class Real>
__global__ void __launch_bounds__((most_threads<Real, true>), (blocks_at_a_time<Real, true>))
    transform_tiles_and_back(Tiles const tiles) {
  constexpr unsigned middle = there | innermost | back;
  fill_tile<Real>(tiles);
  if (tiles.passes == 1) return run_pass_of_any_radix<begins | middle | writes, Real>(tiles, 0);
  run_passes_there<Real>(tiles);
  run_pass_of_any_radix<middle, Real>(tiles, tiles.passes - 1);
  for (int pass = tiles.passes - 2; pass > 0; --pass) {
    __syncthreads();
    run_pass_of_any_radix<back, Real>(tiles, pass);
  }
  __syncthreads();
  run_pass_of_any_radix<back | writes, Real>(tiles, 0);
}

template <class Real>
cudaError_t launch_tiles(Tiles const& tiles, unsigned blocks, Index butterflies, std::size_t bytes,
                         cudaStream_t stream) {
  bool const goes_back = tiles.columns.there_and_back;
  void (*const kernel)(Tiles) =
      goes_back ? &transform_tiles_and_back<Real> : &transform_tiles<Real>;
  constexpr Index warp = 32;
  Index const most = goes_back ? most_threads<Real, true> : most_threads<Real, false>;
  auto const threads = static_cast<unsigned>(
      std::clamp<Index>((butterflies + warp - 1) / warp * warp, warp, most));
  Tiles argument = tiles;
  void* arguments[] = {&argument};
  return cudaLaunchKernel(reinterpret_cast<void const*>(kernel), dim3(blocks), dim3(threads),
                          arguments, bytes, stream);
}

template <class Real>
cudaError_t allow_tiles_of(std::size_t bytes) {
  for (void (*const kernel)(Tiles) : {&transform_tiles<Real>, &transform_tiles_and_back<Real>}) {
    cudaError_t const status =
        cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    if (status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t allow_tiles(int real_bytes, std::size_t bytes) {
  return real_bytes == sizeof(float) ? allow_tiles_of<float>(bytes) : allow_tiles_of<double>(bytes);
}

cudaError_t put(Scattered const& columns, ScatteredRecipe const& recipe,
                ScatteredTables const& tables, std::size_t most_bytes, cudaStream_t stream,
                Index most) {
  if (columns.columns() == 0) return cudaSuccess;
  if (columns.columns() > most) {
    int longest = 0;
    for (int axis = 1; axis < ScatteredSide::most_axes; ++axis)
      if (columns.extents[axis] > columns.extents[longest]) longest = axis;
    Index const half = columns.extents[longest] / 2;
    Scattered first = columns, second = columns;
    first.extents[longest] = half;
    second.extents[longest] -= half;
    auto const bytes = [&](ScatteredSide const& side) {
      return half * side.strides[longest] * 2 * columns.real_bytes;
    };
    second.source.memory = static_cast<char*>(columns.source.memory) + bytes(columns.source);
    second.target.memory = static_cast<char*>(columns.target.memory) + bytes(columns.target);
    if (columns.table.numbers)
      second.table.numbers =
          static_cast<char const*>(columns.table.numbers) +
          half * columns.in_table.strides[longest] * columns.table.reals * columns.real_bytes;
    for (Along* along : {&second.phase.row, &second.phase.column})
      if (along->axis == longest) along->first += half * along->step;
    cudaError_t const status = put(first, recipe, tables, most_bytes, stream, most);
    if (status != cudaSuccess) return status;
    return put(second, recipe, tables, most_bytes, stream, most);
  }
  Tile const tile = Tile::wanted(columns.n, columns.real_bytes, most_bytes);
  Tiles tiles{};
  tiles.columns = columns;
  tiles.tables = tables;
  tiles.middle = Divisor::of(columns.extents[1]);
  tiles.last = Divisor::of(columns.extents[2]);
  tiles.count = static_cast<std::uint32_t>(columns.columns());
  while ((Index{1} << tiles.log_width) < tile.width) ++tiles.log_width;
  tiles.pitch = static_cast<std::uint32_t>(tile.pitch);
  tiles.rows = Divisor::of(columns.n);
  tiles.passes = recipe.passes;
  Index stride = columns.n;
  for (int pass = 0; pass < recipe.passes; ++pass) {
    tiles.radices[pass] = recipe.radices[pass];
    tiles.turns[pass] = static_cast<std::uint32_t>(columns.n / stride);
    stride /= recipe.radices[pass];
    tiles.strides[pass] = Divisor::of(stride);
    tiles.butterflies[pass] = Divisor::of(columns.n / recipe.radices[pass]);
  }
  auto const blocks = static_cast<unsigned>((columns.columns() + tile.width - 1) / tile.width);
  Index const butterflies = columns.n / recipe.radices[0] * tile.width;
  if (columns.real_bytes == sizeof(float))
    return launch_tiles<float>(tiles, blocks, butterflies, tile.bytes, stream);
  return launch_tiles<double>(tiles, blocks, butterflies, tile.bytes, stream);
}

}  // namespace sixstep::device
