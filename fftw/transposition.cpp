// SPDX-License-Identifier: BSD-3-Clause
// Transposes matrices in place: which problems ask for it, and square matrices.
#include "transposition.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/run_team.hpp"
#include "described.hpp"
#include "rectangle.hpp"

namespace sixstep::fftw {

namespace {

/// The two loops that change places, and those that stay, in the numbers that are moved: reals or
/// complex numbers.
struct Moves {
  Axis slow;  // whose neighbours are far apart in the input
  Axis fast;
  Axes others;  // sorted, the largest stride first
};

std::optional<Moves> moves_of(Problem const& problem, Index unit) {
  Moves moves{};
  Axes changed;
  for (Axis const& loop : problem.loops) {
    Axis const axis = {loop.n, loop.in / unit, loop.out / unit};
    (axis.in == axis.out ? moves.others : changed).push_back(axis);
  }
  if (changed.size() != 2) return std::nullopt;
  if (changed[0].in < changed[1].in) std::swap(changed[0], changed[1]);
  moves.slow = changed[0];
  moves.fast = changed[1];
  return moves;
}

bool is_square(Moves const& moves) {
  return moves.slow.n == moves.fast.n && moves.slow.in == moves.fast.out &&
         moves.slow.out == moves.fast.in;
}

/// Takes the loop over neighbours out of the others: the numbers of a vector, 1 if there is none.
Index take_vector(Moves& moves) {
  if (moves.others.empty() || moves.others.back().in != 1) return 1;
  Index const numbers = moves.others.back().n;
  moves.others.pop_back();
  return numbers;
}

bool is_dense(Moves const& moves, Index vector) {
  auto const& [slow, fast, others] = moves;
  return fast.in == vector && slow.out == vector && slow.in == fast.n * vector &&
         fast.out == slow.n * vector;
}

Index turns_of(Axes const& loops) {
  Index turns = 1;
  for (Axis const& loop : loops) turns *= loop.n;
  return turns;
}

Index offset_of(Axes const& loops, Index turn) {
  Index at = 0;
  for (std::size_t i = loops.size(); i-- > 0; turn /= loops[i].n)
    at += turn % loops[i].n * loops[i].in;
  return at;
}

/// Square matrices: pairs of tiles change places.
class Square {
 public:
  Square(Moves moves, int threads) : moves_(std::move(moves)), threads_(threads) {}

  template <class Element>
  void run(Element* data) const {
    Index const tiles = (moves_.slow.n + side - 1) / side;
    share_in_turn(turns_of(moves_.others) * tiles, threads_, [&](Index turn, int) {
      Element* const matrix = data + offset_of(moves_.others, turn / tiles);
      for (Index right = turn % tiles; right < tiles; ++right)
        swap_tiles(matrix, turn % tiles * side, right * side);
    });
  }

 private:
  static constexpr Index side = 16;
  template <class Element>
  using Tile = std::array<Element, side * side>;

  /// Swaps the tile that begins in this row and column, and the one on the other side of the
  /// diagonal. One goes through a buffer: rows of both may compete for a few sets of the
  /// first-level cache.
  template <class Element>
  void swap_tiles(Element* matrix, Index row, Index column) const {
    Tile<Element> tile;
    Index const rows = std::min(side, moves_.slow.n - row);
    Index const columns = std::min(side, moves_.fast.n - column);
    Index const down = moves_.slow.in, across = moves_.fast.in;
    Element* const upper = matrix + row * down + column * across;
    Element* const lower = matrix + column * down + row * across;
    copy(upper, {down, across}, tile.data(), {1, side}, rows, columns);
    if (row != column) copy(lower, {across, down}, upper, {down, across}, rows, columns);
    copy(tile.data(), {side, 1}, lower, {down, across}, columns, rows);
  }

  /// The distances between rows and between columns.
  struct Strides {
    Index down, across;
  };

  template <class Element>
  static void copy(Element const* from, Strides in, Element* to, Strides out, Index rows,
                   Index columns) {
    auto const copy_all = [&](auto all_rows, auto all_columns) {
      for (Index i = 0; i < all_rows; ++i)
        for (Index j = 0; j < all_columns; ++j)
          to[i * out.down + j * out.across] = from[i * in.down + j * in.across];
    };
    // Most tiles have this size, with which loops are unrolled.
    using Side = std::integral_constant<Index, side>;
    if (rows == side && columns == side)
      copy_all(Side(), Side());
    else
      copy_all(rows, columns);
  }

  Moves moves_;
  int threads_;
};

/// Other matrices, one after another.
class Rectangles {
 public:
  Rectangles(Moves moves, Index vector, int threads)
      : others_(std::move(moves.others)), matrix_(moves.slow.n, moves.fast.n, vector, threads) {}

  template <class Element>
  void run(Element* data) const {
    for (Index turn = 0; turn < turns_of(others_); ++turn)
      matrix_.transpose(data + offset_of(others_, turn));
  }

 private:
  Axes others_;
  Rectangle matrix_;
};

template <class Matrices>
class Transposition : public Described {
 public:
  Transposition(Problem const& problem, Index unit, Matrices matrices)
      : Described(problem, "transposition"),
        is_split_(unit == 1 && problem.imaginary_in != 0),
        is_complex_(unit == 2),
        matrices_(std::move(matrices)) {}

  void execute(Arrays<Real> const& arrays) const override {
    if (is_complex_) return matrices_.run(reinterpret_cast<std::complex<Real>*>(arrays.re_out));
    matrices_.run(arrays.re_out);
    if (is_split_) matrices_.run(arrays.im_out);
  }

 private:
  bool is_split_;
  bool is_complex_;
  Matrices matrices_;
};

template <class Matrices>
std::unique_ptr<PlanObject<Real>> plan(Problem const& problem, Index unit, Matrices matrices) {
  return std::make_unique<Transposition<Matrices>>(problem, unit, std::move(matrices));
}

/// The fewest numbers for which another thread begins.
constexpr double numbers_worth_a_thread = 1 << 14;

}  // namespace

std::unique_ptr<PlanObject<Real>> transposed_in_place(Problem const& problem, int threads) {
  bool const same_sides = problem.imaginary_in == problem.imaginary_out;
  if (!problem.in_place || !problem.axes.empty() || !same_sides || !is_nested(problem))
    return nullptr;
  bool const is_interleaved = problem.imaginary_in != 0 && has_interleaved_input(problem) &&
                              has_interleaved_output(problem);
  Index const unit = is_interleaved ? 2 : 1;
  std::optional<Moves> moves = moves_of(problem, unit);
  if (!moves) return nullptr;
  int const team = static_cast<int>(
      std::clamp<double>(points(problem) / numbers_worth_a_thread, 1, std::max(threads, 1)));
  Moves rows = *moves;
  Index const vector = take_vector(rows);
  // Tiles of numbers suit squares of numbers; vectors are better moved whole.
  if (is_dense(rows, vector) && (vector > 1 || !is_square(rows)))
    return plan(problem, unit, Rectangles(std::move(rows), vector, team));
  if (is_square(*moves)) return plan(problem, unit, Square(std::move(*moves), team));
  return nullptr;
}

}  // namespace sixstep::fftw
