// SPDX-License-Identifier: BSD-3-Clause
// Transforms of scattered columns on a GPU. A block transforms a tile of columns: the first pass
// reads them, the last one writes them, and what lies between stays in the memory of the block.
#include "cuda/scattered.hpp"

#include <algorithm>
#include <type_traits>

namespace sixstep::device {

namespace {

constexpr int most_threads = 256;

/// What a launch works on: a kernel's argument.
struct Tiles {
  Scattered columns;
  ScatteredTables tables;
  Divisor middle, last;     // extents of the columns' axes
  std::uint32_t count;      // of columns
  std::uint32_t log_width;  // of the columns of a tile
  std::uint32_t pitch;      // elements from row to row in a block's memory
  int passes;
  int radices[ScatteredRecipe::most_passes];
  Divisor strides[ScatteredRecipe::most_passes];      // of the elements of a butterfly, in rows
  Divisor butterflies[ScatteredRecipe::most_passes];  // of a column
  std::uint32_t turns[ScatteredRecipe::most_passes];  // n / (radix stride)
};

#ifdef __CUDACC__
extern __shared__ __align__(16) unsigned char tile_memory[];
#endif

template <class Real>
__device__ Pair<Real> sum(Pair<Real> const& a, Pair<Real> const& b) {
  return {a.re + b.re, a.im + b.im};
}
template <class Real>
__device__ Pair<Real> difference(Pair<Real> const& a, Pair<Real> const& b) {
  return {a.re - b.re, a.im - b.im};
}
/// -i a
template <class Real>
__device__ Pair<Real> turned(Pair<Real> const& a) {
  return {a.im, -a.re};
}

/// The forward transform of R elements, in place.
template <int R, class Real>
struct Butterfly {
  /// Odd R: y_k = x_0 + sum_j cos(2 pi jk/R) (x_j + x_(R-j)) - i sin(2 pi jk/R) (x_j - x_(R-j)).
  static __device__ void run(Pair<Real> (&x)[R]) {
    constexpr int half = (R - 1) / 2;
    Pair<Real> sums[half], differences[half], first = x[0];
#pragma unroll
    for (int j = 0; j < half; ++j) {
      sums[j] = sum(x[j + 1], x[R - 1 - j]);
      differences[j] = turned(difference(x[j + 1], x[R - 1 - j]));
      first = sum(first, sums[j]);
    }
#pragma unroll
    for (int k = 1; k <= half; ++k) {
      Pair<Real> even = x[0], odd{0, 0};
#pragma unroll
      for (int j = 1; j <= half; ++j) {
        int const turns = j * k % R;
        Real const cosine = cos_of(turns), sine = sin_of(turns);
        even.re += cosine * sums[j - 1].re;
        even.im += cosine * sums[j - 1].im;
        odd.re += sine * differences[j - 1].re;
        odd.im += sine * differences[j - 1].im;
      }
      x[k] = sum(even, odd);
      x[R - k] = difference(even, odd);
    }
    x[0] = first;
  }

 private:
  static __device__ Real cos_of(int k) {
    constexpr double of3[] = {1, -0.5};
    constexpr double of5[] = {1, 0.30901699437494742410, -0.80901699437494742410};
    constexpr double of7[] = {1, 0.62348980185873353053, -0.22252093395631440429,
                              -0.90096886790241912624};
    int const folded = 2 * k > R ? R - k : k;
    return static_cast<Real>(R == 3 ? of3[folded % 2] : R == 5 ? of5[folded % 3] : of7[folded % 4]);
  }
  static __device__ Real sin_of(int k) {
    constexpr double of3[] = {0, 0.86602540378443864676};
    constexpr double of5[] = {0, 0.95105651629515357212, 0.58778525229247312917};
    constexpr double of7[] = {0, 0.78183148246802980871, 0.97492791218182360702,
                              0.43388373911755812048};
    int const folded = 2 * k > R ? R - k : k;
    double const sine = R == 3 ? of3[folded % 2] : R == 5 ? of5[folded % 3] : of7[folded % 4];
    return static_cast<Real>(2 * k > R ? -sine : sine);
  }
};

template <class Real>
struct Butterfly<2, Real> {
  static __device__ void run(Pair<Real> (&x)[2]) {
    Pair<Real> const a = x[0];
    x[0] = sum(a, x[1]);
    x[1] = difference(a, x[1]);
  }
};

template <class Real>
struct Butterfly<4, Real> {
  static __device__ void run(Pair<Real> (&x)[4]) {
    Pair<Real> const a = sum(x[0], x[2]), b = difference(x[0], x[2]);
    Pair<Real> const c = sum(x[1], x[3]), d = turned(difference(x[1], x[3]));
    x[0] = sum(a, c);
    x[1] = sum(b, d);
    x[2] = difference(a, c);
    x[3] = difference(b, d);
  }
};

template <class Real>
struct Butterfly<8, Real> {
  static __device__ void run(Pair<Real> (&x)[8]) {
    Pair<Real> even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
    Butterfly<4, Real>::run(even);
    Butterfly<4, Real>::run(odd);
    constexpr auto root = static_cast<Real>(0.70710678118654752440);
    odd[1] = {root * (odd[1].re + odd[1].im), root * (odd[1].im - odd[1].re)};
    odd[2] = turned(odd[2]);
    odd[3] = {root * (odd[3].im - odd[3].re), -root * (odd[3].re + odd[3].im)};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      x[k] = sum(even[k], odd[k]);
      x[k + 4] = difference(even[k], odd[k]);
    }
  }
};

/// Reads the rows first, first + step, ... of a column, as the forward transform wants them: for
/// the backward one, with their parts swapped.
template <int R, class Real>
__device__ void read_rows(Tiles const& tiles, std::uint32_t column, std::uint32_t first,
                          std::uint32_t step, Pair<Real> (&x)[R]) {
  Scattered const& columns = tiles.columns;
  ScatteredSide const& side = columns.source;
  if (column >= tiles.count) {
#pragma unroll
    for (int i = 0; i < R; ++i) x[i] = {0, 0};
    return;
  }
  Index const offset = ColumnCounts::of(column, tiles.middle, tiles.last).offset_in(side);
  if (side.rows == nullptr) {
    auto const* place = static_cast<Pair<Real> const*>(side.memory) + offset +
                        static_cast<Index>(first) * side.row_stride;
    Index const distance = static_cast<Index>(step) * side.row_stride;
#pragma unroll
    for (int i = 0; i < R; ++i) x[i] = place[i * distance];
  } else {
    // All loads of a kind can be under way at once.
    RowCode rows[R];
#pragma unroll
    for (int i = 0; i < R; ++i) rows[i] = side.rows[first + i * step];
#pragma unroll
    for (int i = 0; i < R; ++i)
      x[i] = rows[i].is_there() ? *place_in<Real>(side, rows[i], offset) : Pair<Real>{0, 0};
  }
  if (!columns.backward) return;
#pragma unroll
  for (int i = 0; i < R; ++i) x[i] = swapped(x[i]);
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
  if (columns.backward) {
#pragma unroll
    for (int i = 0; i < R; ++i) x[i] = swapped(x[i]);
  }
  if (columns.phase.fine != nullptr) {
#pragma unroll
    for (int i = 0; i < R; ++i) x[i] = with_phase(columns.phase, counts, first + i * step, x[i]);
  }
  auto const* const table = static_cast<Pair<Real> const*>(columns.table);
  if (side.rows == nullptr) {
    Index const begin = offset + static_cast<Index>(first) * side.row_stride;
    Index const distance = static_cast<Index>(step) * side.row_stride;
    if (table != nullptr) {
#pragma unroll
      for (int i = 0; i < R; ++i) x[i] = product(x[i], table[begin + i * distance]);
    }
    auto* const place = static_cast<Pair<Real>*>(side.memory) + begin;
#pragma unroll
    for (int i = 0; i < R; ++i) place[i * distance] = x[i];
    return;
  }
  RowCode rows[R];
#pragma unroll
  for (int i = 0; i < R; ++i) rows[i] = side.rows[first + i * step];
  if (table != nullptr) {
#pragma unroll
    for (int i = 0; i < R; ++i)
      if (rows[i].is_there()) x[i] = product(x[i], table[rows[i].offset() + offset]);
  }
#pragma unroll
  for (int i = 0; i < R; ++i)
    if (rows[i].is_there()) *place_in<Real>(side, rows[i], offset) = x[i];
}

/// Pass number `pass` of a tile. Before it, columns are the transforms of R `stride` points that
/// remain, one behind the other. The first pass reads columns, the last one writes them.
template <int R, bool is_first, bool is_last, class Real>
__device__ void run_pass(Tiles const& tiles, int pass) {
  auto* const tile = reinterpret_cast<Pair<Real>*>(tile_memory);
  auto const* const roots = static_cast<Pair<Real> const*>(tiles.tables.roots);
  Divisor const stride = tiles.strides[pass];
  std::uint32_t const butterflies = tiles.butterflies[pass].d, width = 1u << tiles.log_width;
  // Neighbouring threads take neighbouring columns, or neighbouring rows if these lie closer.
  bool const by_rows = is_first  ? tiles.columns.source.has_rows_first
                       : is_last ? tiles.columns.target.has_rows_first
                                 : false;
  std::uint32_t const mine = butterflies << tiles.log_width;
  for (std::uint32_t b = threadIdx.x; b < mine; b += blockDim.x) {
    std::uint32_t in_tile = b & (width - 1), butterfly = b >> tiles.log_width;
    if (by_rows) {
      in_tile = tiles.butterflies[pass].divide(b);
      butterfly = b - in_tile * butterflies;
    }
    std::uint32_t const column = (blockIdx.x << tiles.log_width) + in_tile;
    std::uint32_t first = butterfly, inner = butterfly;  // its first row, its place in the stride
    if (is_last && !is_first) {
      first = tiles.tables.order[butterfly];
    } else if (!is_first) {
      std::uint32_t const outer = stride.divide(butterfly);
      inner = butterfly - outer * stride.d;
      first = outer * R * stride.d + inner;
    }
    Pair<Real>* const begin = tile + first * tiles.pitch + in_tile;
    std::uint32_t const distance = stride.d * tiles.pitch;
    Pair<Real> x[R];
    if (is_first) {
      read_rows<R>(tiles, column, first, stride.d, x);
    } else {
#pragma unroll
      for (int i = 0; i < R; ++i) x[i] = begin[i * distance];
    }
    Butterfly<R, Real>::run(x);
    if (is_last) {
      write_rows<R>(tiles, column, butterfly, butterflies, x);
      continue;
    }
    std::uint32_t const turn = inner * tiles.turns[pass];
#pragma unroll
    for (int i = 1; i < R; ++i) x[i] = product(x[i], roots[i * turn]);
#pragma unroll
    for (int i = 0; i < R; ++i) begin[i * distance] = x[i];
  }
}

template <bool is_first, bool is_last, class Real>
__device__ void run_pass_of_any_radix(Tiles const& tiles, int pass) {
  switch (tiles.radices[pass]) {
    case 2:
      return run_pass<2, is_first, is_last, Real>(tiles, pass);
    case 3:
      return run_pass<3, is_first, is_last, Real>(tiles, pass);
    case 4:
      return run_pass<4, is_first, is_last, Real>(tiles, pass);
    case 5:
      return run_pass<5, is_first, is_last, Real>(tiles, pass);
    case 7:
      return run_pass<7, is_first, is_last, Real>(tiles, pass);
    default:
      return run_pass<8, is_first, is_last, Real>(tiles, pass);
  }
}

template <class Real>
__global__ void __launch_bounds__(most_threads, 3) transform_tiles(Tiles const tiles) {
  if (tiles.passes == 1) return run_pass_of_any_radix<true, true, Real>(tiles, 0);
  run_pass_of_any_radix<true, false, Real>(tiles, 0);
  for (int pass = 1; pass < tiles.passes - 1; ++pass) {
    __syncthreads();
    run_pass_of_any_radix<false, false, Real>(tiles, pass);
  }
  __syncthreads();
  run_pass_of_any_radix<false, true, Real>(tiles, tiles.passes - 1);
}

/// Columns of a tile, and its bytes. Rows of a tile lie an odd number of elements apart, so that
/// threads find rows, and columns, in different banks.
struct Tile {
  Index width, pitch;
  std::size_t bytes;

  static Tile of(Index n, int real_bytes, Index width) {
    Index const pitch = width | 1;
    return {width, pitch, static_cast<std::size_t>(n * pitch * 2 * real_bytes)};
  }
};

/// The widest tile of at most 128 bytes a row that leaves room for two others, or at least fits.
Tile tile_for(Index n, int real_bytes, std::size_t most_bytes) {
  constexpr Index row_bytes = 128;
  constexpr Index least_row_bytes = 32;
  Index width = row_bytes / (2 * real_bytes);
  Tile tile = Tile::of(n, real_bytes, width);
  while (width * 2 * real_bytes > least_row_bytes && tile.bytes > most_bytes / 3)
    tile = Tile::of(n, real_bytes, width /= 2);
  return tile;
}

template <class Real>
cudaError_t launch_tiles(Tiles const& tiles, unsigned blocks, unsigned threads, std::size_t bytes,
                         cudaStream_t stream) {
  void (*const kernel)(Tiles) = &transform_tiles<Real>;
  Tiles argument = tiles;
  void* arguments[] = {&argument};
  return cudaLaunchKernel(reinterpret_cast<void const*>(kernel), dim3(blocks), dim3(threads),
                          arguments, bytes, stream);
}

template <class Real>
cudaError_t allow_tiles_of(std::size_t bytes) {
  void (*const kernel)(Tiles) = &transform_tiles<Real>;
  return cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel),
                              cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
}

}  // namespace

ScatteredRecipe ScatteredRecipe::of(Index n, int real_bytes, std::size_t most_bytes) {
  ScatteredRecipe made;
  made.n = n;
  if (n < 2 || tile_for(n, real_bytes, most_bytes).bytes > most_bytes) return made;
  Index rest = n;
  for (int radix : {7, 5, 3, 8, 4, 2})
    for (; rest % radix == 0; rest /= radix) {
      if (made.passes == most_passes) return {n};
      made.radices[made.passes++] = radix;
    }
  if (rest != 1) return {n};
  // 8 2 is 4 4.
  if (made.passes >= 2 && made.radices[made.passes - 1] == 2 && made.radices[made.passes - 2] == 8)
    made.radices[made.passes - 1] = made.radices[made.passes - 2] = 4;
  std::sort(made.radices, made.radices + made.passes, [](int a, int b) { return a > b; });
  return made;
}

std::vector<std::uint32_t> ScatteredRecipe::order() const {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(n));
  for (Index row = 0; row < n; ++row) {
    Index rest = row, place = 0, stride = n;
    for (int pass = 0; pass < passes; ++pass) {
      stride /= radices[pass];
      place += rest % radices[pass] * stride;
      rest /= radices[pass];
    }
    order[static_cast<std::size_t>(row)] = static_cast<std::uint32_t>(place);
  }
  return order;
}

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
    if (columns.table)
      second.table = static_cast<char const*>(columns.table) + bytes(columns.target);
    for (Along* along : {&second.phase.row, &second.phase.column})
      if (along->axis == longest) along->first += half * along->step;
    cudaError_t const status = put(first, recipe, tables, most_bytes, stream, most);
    if (status != cudaSuccess) return status;
    return put(second, recipe, tables, most_bytes, stream, most);
  }
  Tile const tile = tile_for(columns.n, columns.real_bytes, most_bytes);
  Tiles tiles{};
  tiles.columns = columns;
  tiles.tables = tables;
  tiles.middle = Divisor::of(columns.extents[1]);
  tiles.last = Divisor::of(columns.extents[2]);
  tiles.count = static_cast<std::uint32_t>(columns.columns());
  while ((Index{1} << tiles.log_width) < tile.width) ++tiles.log_width;
  tiles.pitch = static_cast<std::uint32_t>(tile.pitch);
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
  constexpr Index warp = 32;
  Index const butterflies = columns.n / recipe.radices[0] * tile.width;
  auto const threads = static_cast<unsigned>(
      std::clamp<Index>((butterflies + warp - 1) / warp * warp, warp, most_threads));
  if (columns.real_bytes == sizeof(float))
    return launch_tiles<float>(tiles, blocks, threads, tile.bytes, stream);
  return launch_tiles<double>(tiles, blocks, threads, tile.bytes, stream);
}

}  // namespace sixstep::device
