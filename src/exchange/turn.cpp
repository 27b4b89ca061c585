// SPDX-License-Identifier: BSD-3-Clause
// Transposition in place, by tiles that pass through cache.
#include "exchange/turn.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "base/run_team.hpp"

namespace sixstep::exchange {

namespace {

constexpr Index tile_points = 1024;
constexpr Index worth_threads = 1 << 14;  // points

/// Items in rows: item (i, j) begins at data + i * row + j * (complex numbers an item).
template <class Element>
struct Rows {
  Element* data;
  Index row;
};

/// Calls body(item), so that the compiler knows small items.
template <class Body>
void with_item(Index item, Body const& body) {
  if (item == 1)
    body(std::integral_constant<Index, 1>());
  else if (item == 2)
    body(std::integral_constant<Index, 2>());
  else if (item == 4)
    body(std::integral_constant<Index, 4>());
  else
    body(item);
}

/// The work of one rank.
template <class Real>
class Turner {
 public:
  using Complex = std::complex<Real>;

  Turner(redistribution::Square const& square, int threads, Complex* scratch)
      : item_(square.item), threads_(threads), tiles_(scratch) {
    while ((edge_ + 1) * (edge_ + 1) * item_ <= tile_points) ++edge_;
  }

  /// to(j, i) = from(i, j), i < rows, j < columns. `to` does not overlap `from`.
  void copy_turned(Rows<Complex const> from, Rows<Complex> to, Index rows, Index columns) const {
    Index const down = tiles_in(rows), across = tiles_in(columns);
    share_in_stretches(down * across, threads_for(rows * columns), [&](Index tile, int thread) {
      Index const i = tile / across * edge_, j = tile % across * edge_;
      Index const n = std::min(edge_, rows - i), k = std::min(edge_, columns - j);
      Complex* const kept = tiles_of(thread);
      read(at(from, i, j), n, k, kept);
      write_turned(kept, n, k, at(to, j, i));
    });
  }

  /// to(j, i) = from(i, j), i, j < n. `to` may be `from`.
  void turn(Rows<Complex const> from, Rows<Complex> to, Index n) const {
    Index const tiles = tiles_in(n);
    share_in_turn(tiles, threads_for(n * n), [&](Index down, int thread) {
      for (Index across = down; across < tiles; ++across) {
        Index const i = down * edge_, j = across * edge_;
        Index const rows = std::min(edge_, n - i), columns = std::min(edge_, n - j);
        Complex *const upper = tiles_of(thread), *const lower = upper + tile_points;
        read(at(from, i, j), rows, columns, upper);
        if (i != j) read(at(from, j, i), columns, rows, lower);
        write_turned(upper, rows, columns, at(to, j, i));
        if (i != j) write_turned(lower, columns, rows, at(to, i, j));
      }
    });
  }

  /// to(i, j) = from(i, j).
  void copy(Rows<Complex const> from, Rows<Complex> to, Index rows, Index columns) const {
    share_in_stretches(rows, threads_for(rows * columns), [&](Index i, int) {
      std::copy_n(from.data + i * from.row, columns * item_, to.data + i * to.row);
    });
  }

 private:
  Index tiles_in(Index n) const { return (n + edge_ - 1) / edge_; }

  int threads_for(Index items) const { return items * item_ >= worth_threads ? threads_ : 1; }

  Complex* tiles_of(int thread) const { return tiles_ + 2 * tile_points * thread; }

  template <class Element>
  Rows<Element> at(Rows<Element> rows, Index i, Index j) const {
    return {rows.data + i * rows.row + j * item_, rows.row};
  }

  void read(Rows<Complex const> from, Index rows, Index columns, Complex* tile) const {
    for (Index i = 0; i < rows; ++i)
      std::copy_n(from.data + i * from.row, columns * item_, tile + i * columns * item_);
  }

  /// Writes the tile, which is rows x columns, as columns x rows.
  void write_turned(Complex const* tile, Index rows, Index columns, Rows<Complex> to) const {
    with_item(item_, [&](auto item) {
      for (Index j = 0; j < columns; ++j) {
        Complex* const row = to.data + j * to.row;
        for (Index i = 0; i < rows; ++i)
          for (Index e = 0; e < item; ++e) row[i * item + e] = tile[(i * columns + j) * item + e];
      }
    });
  }

  Index item_;
  int threads_;
  Complex* tiles_;  // two for each thread
  Index edge_ = 1;
};

}  // namespace

template <class Real>
std::size_t turn_bytes(redistribution::Square const& square, int threads) {
  // Both are whole cache lines but for a buffer's end.
  constexpr std::size_t line = 64;
  Index const points = 2 * tile_points * threads + square.buffer_points();
  std::size_t const bytes = static_cast<std::size_t>(points) * sizeof(std::complex<Real>);
  return (bytes + line - 1) / line * line;
}

template <class Real>
void turn(redistribution::Square const& square, mpi::Communicator const& comm,
          std::complex<Real> const* source, std::complex<Real>* target, int threads,
          std::byte* scratch, int tag) {
  using Complex = std::complex<Real>;
  auto* const tiles = reinterpret_cast<Complex*>(scratch);
  Complex* const outgoing = tiles + 2 * tile_points * threads;
  Complex* const incoming = outgoing + square.buffer_points() / 2;
  Turner<Real> const turner(square, threads, tiles);
  Index const block = square.block(), row = square.side * square.item;
  Index const packed = block * square.item;
  MPI_Datatype const type = mpi::complex_type(sizeof(Real));
  for (int round = 0; round < square.ranks; ++round) {
    int const partner = (round - comm.rank() + square.ranks) % square.ranks;
    Rows<Complex const> const from{source + partner * packed, row};
    Rows<Complex> const to{target + partner * packed, row};
    if (partner == comm.rank()) {
      turner.turn(from, to, block);
      continue;
    }
    // The lower rank's rows are the columns of the higher rank, which does all the transposing.
    bool const by_rows = comm.rank() < partner;
    for (Index i = 0; i < block; i += square.rows_at_once()) {
      Index const n = std::min(square.rows_at_once(), block - i);
      if (by_rows)
        turner.copy({from.data + i * row, row}, {outgoing, packed}, n, block);
      else
        turner.copy_turned({from.data + i * square.item, row}, {outgoing, packed}, block, n);
      mpi::Counted const sent(type, n * packed);
      std::array<MPI_Request, 2> requests;
      MPI_Irecv(incoming, sent.count(), sent.type(), partner, tag, comm, &requests[0]);
      MPI_Isend(outgoing, sent.count(), sent.type(), partner, tag, comm, &requests[1]);
      mpi::wait_all(requests, comm.patience(), [partner] {
        return text("a transposition: not all messages from and to rank ", partner);
      });
      if (by_rows)
        turner.copy({incoming, packed}, {to.data + i * row, row}, n, block);
      else
        turner.copy_turned({incoming, packed}, {to.data + i * square.item, row}, n, block);
    }
  }
}

template std::size_t turn_bytes<float>(redistribution::Square const&, int);
template std::size_t turn_bytes<double>(redistribution::Square const&, int);
template void turn(redistribution::Square const&, mpi::Communicator const&,
                   std::complex<float> const*, std::complex<float>*, int, std::byte*, int);
template void turn(redistribution::Square const&, mpi::Communicator const&,
                   std::complex<double> const*, std::complex<double>*, int, std::byte*, int);

}  // namespace sixstep::exchange
