// SPDX-License-Identifier: BSD-3-Clause
// Copies of boxes on a GPU. One thread copies each element, in the order of the side that is in
// main memory; if the two sides have different orders, blocks copy tiles.
#include "cuda/copies.hpp"

#include <cstdint>
#include <type_traits>

#include "device/scattered.hpp"

namespace sixstep::device {

namespace {

constexpr int block_threads = 256;
constexpr int tile_side = 32;
constexpr int tile_rows = 8;  // rows of threads

/// A copy of fewer than 2^31 elements, with divisors that turn an element's number into its counts.
struct Launch {
  Copy copy;
  Divisor extents[Copy::most_axes];
  std::uint32_t elements;
};

/// The counts of element `number`, and its offsets on both sides.
__device__ void find(Launch const& launch, std::uint32_t number, Index* counts, Index& from,
                     Index& to) {
  from = to = 0;
#pragma unroll 1
  for (int axis = launch.copy.axes - 1; axis >= 0; --axis) {
    std::uint32_t const rest = launch.extents[axis].divide(number);
    std::uint32_t const count = number - rest * launch.extents[axis].d;
    counts[axis] = count;
    from += count * launch.copy.from[axis];
    to += count * launch.copy.to[axis];
    number = rest;
  }
}

Launch launch_of(Copy const& copy) {
  Launch made{copy, {}, static_cast<std::uint32_t>(copy.elements())};
  for (int axis = 0; axis < copy.axes; ++axis) made.extents[axis] = Divisor::of(copy.extent[axis]);
  return made;
}

/// One thread for each element.
template <class Work>
__global__ void each(Launch const launch) {
  std::uint32_t const number = blockIdx.x * block_threads + threadIdx.x;
  if (number >= launch.elements) return;
  Index counts[Copy::most_axes];
  Index from, to;
  find(launch, number, counts, from, to);
  Work::run(launch.copy, counts, from, to);
}

template <class Real>
struct Change {
  static __device__ void run(Copy const& copy, Index const* counts, Index from, Index to) {
    store<Real>(copy, changed<Real>(copy, counts, from), counts, to);
  }
};

/// One thread for each element of a work.
template <class Real, class Work>
__global__ void each_of(Work const work) {
  Index const number = static_cast<Index>(blockIdx.x) * block_threads + threadIdx.x;
  if (number < work.elements()) work.template run<Real>(number);
}

/// A word of 32 bytes.
struct TwoWords {
  uint4 first, second;
};

template <class Word>
struct Move {
  static __device__ void run(Copy const& copy, Index const*, Index from, Index to) {
    auto const* const source = static_cast<Word const*>(copy.source);
    static_cast<Word*>(copy.target)[to] = source ? source[from] : Word{};
  }
};

/// Launches without <<<>>>, so that any compiler can read the code.
template <class Argument>
cudaError_t launch(void (*kernel)(Argument), unsigned blocks, dim3 threads,
                   std::remove_const_t<Argument> argument, cudaStream_t stream) {
  void* arguments[] = {&argument};
  return cudaLaunchKernel(reinterpret_cast<void const*>(kernel), dim3(blocks), threads, arguments,
                          0, stream);
}

template <class Work>
cudaError_t put_each(Copy const& copy, cudaStream_t stream) {
  unsigned const blocks =
      static_cast<unsigned>((copy.elements() + block_threads - 1) / block_threads);
  return launch(&each<Work>, blocks, dim3(block_threads), launch_of(copy), stream);
}

/// Two axes of a copy: the fastest one of the source and the fastest one of the target. A block
/// copies a square of the two through memory that its threads share.
struct Turn {
  Launch others;                                       // all axes but these two
  Index from_columns, from_rows, to_columns, to_rows;  // strides
  Index columns, rows;
  std::uint32_t column_tiles, row_tiles;
};

template <class Word>
__global__ void turn(Turn const turn) {
  __shared__ Word square[tile_side][tile_side + 1];
  std::uint32_t number = blockIdx.x;
  Index const column = static_cast<Index>(number % turn.column_tiles) * tile_side;
  number /= turn.column_tiles;
  Index const row = static_cast<Index>(number % turn.row_tiles) * tile_side;
  Index counts[Copy::most_axes];
  Index from, to;
  find(turn.others, number / turn.row_tiles, counts, from, to);
  auto const* const source = static_cast<Word const*>(turn.others.copy.source) + from;
  auto* const target = static_cast<Word*>(turn.others.copy.target) + to;
  Index const x = threadIdx.x;
  for (Index y = threadIdx.y; y < tile_side; y += tile_rows)
    if (column + x < turn.columns && row + y < turn.rows)
      square[y][x] = source[(column + x) * turn.from_columns + (row + y) * turn.from_rows];
  __syncthreads();
  for (Index y = threadIdx.y; y < tile_side; y += tile_rows)
    if (column + y < turn.columns && row + x < turn.rows)
      target[(column + y) * turn.to_columns + (row + x) * turn.to_rows] = square[x][y];
}

/// The axis with the smallest stride.
int fastest(Copy const& copy, Index const (&strides)[Copy::most_axes]) {
  int found = 0;
  for (int axis = 1; axis < copy.axes; ++axis)
    if (strides[axis] < strides[found]) found = axis;
  return found;
}

template <class Word>
cudaError_t put_move(Copy const& copy, cudaStream_t stream) {
  if (copy.axes < 2 || copy.source == nullptr) return put_each<Move<Word>>(copy, stream);
  int const column = fastest(copy, copy.from), row = fastest(copy, copy.to);
  constexpr Index worth_a_tile = 8;
  if (column == row || copy.extent[column] < worth_a_tile || copy.extent[row] < worth_a_tile)
    return put_each<Move<Word>>(copy, stream);
  Copy others = copy;
  others.axes = 0;
  for (int axis = 0; axis < copy.axes; ++axis) {
    if (axis == column || axis == row) continue;
    others.extent[others.axes] = copy.extent[axis];
    others.from[others.axes] = copy.from[axis];
    others.to[others.axes] = copy.to[axis];
    ++others.axes;
  }
  auto const tiles = [](Index extent) {
    return static_cast<std::uint32_t>((extent + tile_side - 1) / tile_side);
  };
  Turn const made{
      launch_of(others),      copy.from[column],   copy.from[row],   copy.to[column],
      copy.to[row],           copy.extent[column], copy.extent[row], tiles(copy.extent[column]),
      tiles(copy.extent[row])};
  unsigned const blocks = made.column_tiles * made.row_tiles * made.others.elements;
  return launch(&turn<Word>, blocks, dim3(tile_side, tile_rows), made, stream);
}

template <class Work>
cudaError_t put_work(Work const& work, cudaStream_t stream) {
  auto const blocks = static_cast<unsigned>((work.elements() + block_threads - 1) / block_threads);
  if (blocks == 0) return cudaSuccess;
  auto* const kernel =
      work.real_bytes == sizeof(float) ? &each_of<float, Work> : &each_of<double, Work>;
  return launch(kernel, blocks, dim3(block_threads), work, stream);
}

cudaError_t put_small(Copy const& copy, cudaStream_t stream) {
  if (copy.changes) {
    if (copy.real_bytes == sizeof(float)) return put_each<Change<float>>(copy, stream);
    return put_each<Change<double>>(copy, stream);
  }
  switch (copy.real_bytes * copy.from_reals) {
    case 1:
      return put_move<std::uint8_t>(copy, stream);
    case 2:
      return put_move<std::uint16_t>(copy, stream);
    case 4:
      return put_move<std::uint32_t>(copy, stream);
    case 8:
      return put_move<std::uint64_t>(copy, stream);
    case 16:
      return put_move<uint4>(copy, stream);
    default:  // 32
      return put_move<TwoWords>(copy, stream);
  }
}

}  // namespace

cudaError_t put(Copy const& copy, cudaStream_t stream, Index most) {
  Index const elements = copy.elements();
  if (elements == 0) return cudaSuccess;
  if (elements <= most) return put_small(copy, stream);
  int longest = 0;
  for (int axis = 1; axis < copy.axes; ++axis)
    if (copy.extent[axis] > copy.extent[longest]) longest = axis;
  Index const half = copy.extent[longest] / 2;
  Copy first = copy, second = copy;
  first.extent[longest] = half;
  second.extent[longest] -= half;
  auto const bytes = [&](Index many, int reals) { return many * reals * copy.real_bytes; };
  if (copy.source != nullptr)
    second.source =
        static_cast<char const*>(copy.source) + bytes(half * copy.from[longest], copy.from_reals);
  second.target = static_cast<char*>(copy.target) + bytes(half * copy.to[longest], copy.to_reals);
  if (copy.table.numbers != nullptr)
    second.table.numbers = static_cast<char const*>(copy.table.numbers) +
                           bytes(half * copy.in_table[longest], copy.table.reals);
  for (Along* along : {&second.row, &second.phase.row, &second.phase.column})
    if (along->axis == longest) along->first += half * along->step;
  cudaError_t const status = put(first, stream, most);
  return status == cudaSuccess ? put(second, stream, most) : status;
}

cudaError_t put(HermitianPart const& part, cudaStream_t stream) { return put_work(part, stream); }
cudaError_t put(Fold const& fold, cudaStream_t stream) { return put_work(fold, stream); }

}  // namespace sixstep::device
