// SPDX-License-Identifier: BSD-3-Clause
// Copies, in tiles.
#include "copy.hpp"

#include <algorithm>
#include <complex>
#include <cstdlib>

#include "base/run_team.hpp"

namespace sixstep::fftw {

namespace {

constexpr Index tile = 16;                         // rows and columns of a tile
constexpr double points_worth_a_thread = 1 << 14;  // less is copied before another thread begins

template <Index Axis::*stride>
bool is_closer(Axis const& a, Axis const& b) {
  return std::abs(a.*stride) < std::abs(b.*stride);
}

/// Takes the loop with the closest neighbours on one side out of `loops`.
template <Index Axis::*stride>
Axis take_closest(Axes& loops) {
  if (loops.empty()) return {1, 0, 0};
  auto const found = std::min_element(loops.begin(), loops.end(), is_closer<stride>);
  Axis const axis = *found;
  loops.erase(found);
  return axis;
}

}  // namespace

Copy::Copy(Problem const& problem, int threads)
    : is_interleaved_(problem.imaginary_in != 0 && has_interleaved_input(problem) &&
                      has_interleaved_output(problem)),
      is_split_(problem.imaginary_in != 0 && !is_interleaved_) {
  outer_ = problem.loops;
  for (std::size_t i = 0; i < problem.axes.size(); ++i)
    outer_.push_back({input_points(problem, i), problem.axes[i].in, problem.axes[i].out});
  outer_ = joined(outer_);
  if (is_interleaved_)
    for (Axis& loop : outer_) loop = {loop.n, loop.in / 2, loop.out / 2};
  double all = 1;
  for (Axis const& loop : outer_) all *= static_cast<double>(loop.n);
  threads_ =
      static_cast<int>(std::clamp<double>(all / points_worth_a_thread, 1, std::max(threads, 1)));
  fast_ = take_closest<&Axis::out>(outer_);
  slow_ = take_closest<&Axis::in>(outer_);
}

void Copy::run(Arrays<Real> const& arrays) const {
  using Complex = std::complex<Real>;
  if (is_interleaved_)
    return copy(reinterpret_cast<Complex const*>(arrays.re_in),
                reinterpret_cast<Complex*>(arrays.re_out));
  copy(arrays.re_in, arrays.re_out);
  if (is_split_) copy(arrays.im_in, arrays.im_out);
}

template <class Element>
void Copy::copy(Element const* in, Element* out) const {
  // Rows of tiles are a loop, too: there may be no other to share among threads.
  Index const tiles = (slow_.n + tile - 1) / tile;
  Index turns = tiles;
  for (Axis const& loop : outer_) turns *= loop.n;
  bool const is_transposed = is_closer<&Axis::in>(slow_, fast_) && slow_.n > 1;
  Index const width = is_transposed ? tile : fast_.n;
  share_in_turn(turns, threads_, [&](Index turn, int) {
    Index const first = turn % tiles * tile, last = std::min(first + tile, slow_.n);
    Index rest = turn / tiles, from = 0, to = 0;
    for (std::size_t i = outer_.size(); i-- > 0; rest /= outer_[i].n) {
      from += rest % outer_[i].n * outer_[i].in;
      to += rest % outer_[i].n * outer_[i].out;
    }
    for (Index left = 0; left < fast_.n; left += width) {
      Index const right = std::min(left + width, fast_.n);
      for (Index j = first; j < last; ++j)
        for (Index k = left; k < right; ++k)
          out[to + j * slow_.out + k * fast_.out] = in[from + j * slow_.in + k * fast_.in];
    }
  });
}

}  // namespace sixstep::fftw
