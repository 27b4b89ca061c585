// SPDX-License-Identifier: BSD-3-Clause
// Measures memory: copies between two arrays, by rows and by strips, for growing sizes.
#include "measure/copies.hpp"

#include <complex>
#include <cstring>
#include <memory>
#include <vector>

#include "base/machine_memory.hpp"
#include "base/memory.hpp"
#include "local/caches.hpp"
#include "local/kernels/stream.hpp"
#include "local/staged.hpp"

namespace sixstep::measure {

namespace {

using Complex = std::complex<double>;
using local::Columns;
using local::RowMap;

constexpr Index least_bytes = Index{1} << 20, most_bytes = Index{1} << 28;
constexpr Index column_rows = 256;  // of the columns in a strip

/// Two arrays of a rank, and one buffer for each thread.
class Arrays {
 public:
  Arrays(Team const& team, Index bytes) {
    auto const size = static_cast<std::size_t>(bytes);
    if (team.node().size() > 1) {
      shared_ = std::make_unique<NodeMemory>(team.node(), size);
      data_ = shared_->segment();
    } else {
      mpi::together(team.comm(), [&] { own_ = allocate(size); });
      data_ = own_.get();
    }
    std::memset(data_, 0, size);
    Tuning const tuning;
    row_ = tuning.strip_row_bytes / element_bytes;
    pitch_ = row_ + tuning.strip_pad_bytes / element_bytes;
    buffers_.resize(static_cast<std::size_t>(team.threads()),
                    std::vector<Complex>(static_cast<std::size_t>(column_rows * pitch_)));
  }

  /// A thread's share of one of two arrays that have `bytes` bytes together.
  struct Share {
    Complex* begin;
    Index elements;
  };
  Share share(Index bytes, int threads, int thread, bool second) const {
    Index const half = bytes / 2 / element_bytes, elements = half / threads;
    return {reinterpret_cast<Complex*>(data_) + (second ? half : 0) + thread * elements, elements};
  }

  void copy_rows(Share const& from, Share const& to, bool past_caches) const {
    Index const columns = std::min<Index>(from.elements, 4096 / element_bytes);
    Index const rows = from.elements / columns;
    Columns<Complex const> const source{from.begin, RowMap::every(columns), 1};
    Columns<Complex> const target{to.begin, RowMap::every(columns), 1};
    if (past_caches)
      local::stream_strip<double>(source, target, rows, columns);
    else
      local::copy_strip<double>(source, target, rows, columns, local::Far::source);
  }

  /// Copies each strip to the buffer and back.
  void copy_strips(Share const& array, int thread) {
    Index const columns = array.elements / column_rows, row = std::min(row_, columns);
    Complex* const buffer = buffers_[static_cast<std::size_t>(thread)].data();
    for (Index column = 0; column + row <= columns; column += row) {
      Complex* const strip = array.begin + column;
      local::copy_strip<double>({strip, RowMap::every(columns), 1},
                                {buffer, RowMap::every(pitch_), 1}, column_rows, row,
                                local::Far::source);
      local::copy_strip<double>({buffer, RowMap::every(pitch_), 1},
                                {strip, RowMap::every(columns), 1}, column_rows, row,
                                local::Far::neither);
    }
  }

 private:
  static constexpr Index element_bytes = sizeof(Complex);
  std::unique_ptr<NodeMemory> shared_;
  Memory own_;
  std::byte* data_ = nullptr;
  std::vector<std::vector<Complex>> buffers_;
  Index row_ = 0;    // elements in a row of a strip
  Index pitch_ = 0;  // distance between rows of a buffer
};

model::Copies copies(Team const& team, Arrays& arrays, Index largest, double seconds,
                     Working working) {
  Index sizes = 0;
  for (Index bytes = least_bytes; bytes <= largest; bytes *= 2) ++sizes;
  double const each = seconds / static_cast<double>(2 * sizes);
  model::Curve::Points copied, strips;
  // second[thread]: whether the thread copies from the second array.
  std::vector<char> second(static_cast<std::size_t>(team.threads()));
  for (Index bytes = least_bytes; bytes <= largest; bytes *= 2) {
    bool const past_caches = local::worth_streaming(
        bytes / 2, local::of_sharer({}, local::third_sharers(team.node_ranks())));
    auto const turn = [&](int thread) { return second[static_cast<std::size_t>(thread)] ^= 1; };
    auto const share = [&](int thread, bool which) {
      return arrays.share(bytes, team.threads(), thread, which);
    };
    auto const rate = [&](auto const& action) {
      return team.per_second(each, working, action) * static_cast<double>(bytes / 2) /
             team.threads();
    };
    double const rows = rate([&](int thread) {
      bool const which = turn(thread) != 0;
      arrays.copy_rows(share(thread, which), share(thread, !which), past_caches);
    });
    copied[bytes] = rows;
    strips[bytes] = std::min(1.0, rate([&](int thread) {
                                    arrays.copy_strips(share(thread, turn(thread) != 0), thread);
                                  }) / rows);
  }
  return {copied, strips};
}

}  // namespace

model::Memory memory(Team const& team, double seconds) {
  Index largest = std::min(most_bytes, Index{machine_bytes()} / 4 / team.node_ranks());
  mpi::reduce_to_all(team.comm(), &largest, 1, MPI_INT64_T, MPI_MIN);
  largest = std::max(largest, least_bytes);
  Arrays arrays(team, largest);
  bool const has_neighbours = team.node_ranks() > 1;
  double const each = has_neighbours ? seconds / 2 : seconds;
  model::Memory found{
      copies(team, arrays, largest, each, Working::together),
      static_cast<double>(local::caches().second * team.cores()) / team.node_ranks()};
  found.alone =
      has_neighbours ? copies(team, arrays, largest, each, Working::alone) : found.together;
  return found;
}

}  // namespace sixstep::measure
