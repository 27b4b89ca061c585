// SPDX-License-Identifier: BSD-3-Clause
// Runs of numbers change places: [a][t][b] becomes [b][t][a] in place, along the cycles of this
// permutation.
//
// Threads share the cycles. A long one is cut into pieces, whose first runs are saved before
// anything moves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/run_team.hpp"
#include "sixstep/index.hpp"

namespace sixstep::fftw {

class Runs {
 public:
  /// a t b runs of `length` numbers.
  Runs(Index a, Index t, Index b, Index length, int threads)
      : a_(a), t_(t), b_(b), length_(length), threads_(threads) {}

  /// Throws std::bad_alloc before anything has moved.
  template <class Element>
  void permute(Element* data) const {
    std::vector<Piece> const pieces = pieces_of_cycles();
    std::vector<Element> saved = first_runs(data, pieces);
    std::vector<Element> held(static_cast<std::size_t>(threads_ * length_));
    share_in_turn(static_cast<Index>(pieces.size()), threads_, [&](Index number, int thread) {
      Piece const& piece = pieces[static_cast<std::size_t>(number)];
      Element* last = saved.data() + piece.next * length_;
      if (piece.next < 0) {
        last = held.data() + thread * length_;
        std::copy_n(data + piece.first * length_, length_, last);
      }
      Index to = piece.first;
      for (Index left = piece.runs; left > 1; --left) {
        Index const from = source(to);
        std::copy_n(data + from * length_, length_, data + to * length_);
        to = from;
      }
      std::copy_n(last, length_, data + to * length_);
    });
  }

 private:
  /// Runs that move one after another: the first place, and the piece that begins with the run for
  /// the last place; -1 if the piece is a whole cycle.
  struct Piece {
    Index first;
    Index runs;
    Index next;
  };

  /// The place from which the run for place `to` comes.
  Index source(Index to) const {
    Index const i = to % a_, rest = to / a_;
    return (i * t_ + rest % t_) * b_ + rest / t_;
  }

  std::vector<Piece> pieces_of_cycles() const {
    Index const all = a_ * t_ * b_;
    Index const most = threads_ == 1 ? all : all / (pieces_a_thread * threads_) + 1;
    std::vector<bool> met(static_cast<std::size_t>(all));
    std::vector<Piece> pieces, whole;
    for (Index start = 0; start < all; ++start) {
      if (met[static_cast<std::size_t>(start)]) continue;
      Index runs = 0, at = start;
      auto const first_piece = static_cast<Index>(pieces.size());
      do {
        met[static_cast<std::size_t>(at)] = true;
        if (runs % most == 0) pieces.push_back({at, 0, static_cast<Index>(pieces.size()) + 1});
        ++pieces.back().runs;
        ++runs;
        at = source(at);
      } while (at != start);
      pieces.back().next = first_piece;
      if (runs > most) continue;
      pieces.pop_back();
      if (runs > 1) whole.push_back({start, runs, -1});
    }
    pieces.insert(pieces.end(), whole.begin(), whole.end());
    return pieces;
  }

  template <class Element>
  std::vector<Element> first_runs(Element const* data, std::vector<Piece> const& pieces) const {
    std::vector<Element> saved;
    for (Piece const& piece : pieces)
      if (piece.next >= 0)
        saved.insert(saved.end(), data + piece.first * length_, data + (piece.first + 1) * length_);
    return saved;
  }

  static constexpr Index pieces_a_thread = 4;

  Index a_, t_, b_;
  Index length_;
  int threads_;
};

}  // namespace sixstep::fftw
