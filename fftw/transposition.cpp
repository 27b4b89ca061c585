// SPDX-License-Identifier: BSD-3-Clause
// Transposes matrices in place: which problems ask for it.
#include "transposition.hpp"

#include <algorithm>
#include <complex>
#include <optional>
#include <utility>

#include "base/run_team.hpp"
#include "described.hpp"
#include "rectangle.hpp"
#include "square.hpp"

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

/// Square matrices.
class Squares {
 public:
  Squares(Moves const& moves, Index number_bytes, int threads)
      : others_(moves.others),
        square_(moves.slow.n, {moves.slow.in, moves.fast.in}, 1, number_bytes),
        threads_(threads) {}

  template <class Element>
  void run(Element* data) const {
    Index const tile_rows = square_.tile_rows();
    share_in_turn(turns_of(others_) * tile_rows, threads_, [&](Index turn, int) {
      square_.swap_tile_row(data + offset_of(others_, turn / tile_rows), turn % tile_rows);
    });
  }

 private:
  Axes others_;
  Square square_;
  int threads_;
};

/// Other matrices, one after another.
class Rectangles {
 public:
  Rectangles(Moves const& moves, Index vector, Index number_bytes, int threads)
      : others_(moves.others),
        matrix_({moves.slow.n, moves.fast.n, vector}, number_bytes, threads) {}

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
  Index const number_bytes = unit * Index{sizeof(Real)};
  Moves rows = *moves;
  Index const vector = take_vector(rows);
  // Tiles of numbers suit squares of numbers; vectors are better moved whole.
  if (is_dense(rows, vector) && (vector > 1 || !is_square(rows)))
    return plan(problem, unit, Rectangles(rows, vector, number_bytes, team));
  if (is_square(*moves)) return plan(problem, unit, Squares(*moves, number_bytes, team));
  return nullptr;
}

}  // namespace sixstep::fftw
