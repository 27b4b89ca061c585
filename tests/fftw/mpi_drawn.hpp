// SPDX-License-Identifier: BSD-3-Clause
// Random problems of FFTW's interface for several ranks, and their results by the definitions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <vector>

#include "cases.hpp"
#include "fftw3-mpi.h"
#include "mpi_arrays.hpp"
#include "oracles/kinds.hpp"
#include "ranks.hpp"

namespace fftw_mpi {

using cases::Random;
using oracle::Whole;

enum class What { c2c, r2c, c2r, r2r, transpose };

struct Problem {
  What what = What::c2c;
  Shape shape;
  Index howmany = 1;
  Index in_block = 0;
  Index out_block = 0;
  bool in_transposed = false;
  bool out_transposed = false;
  bool in_place = false;
  int sign = FFTW_FORWARD;
  unsigned flags = FFTW_ESTIMATE;
  std::vector<fftw_r2r_kind> kinds = {};
  bool elsewhere = false;  // is executed on other arrays than those of planning, too
};

inline std::ostream& operator<<(std::ostream& out, Problem const& problem) {
  char const* const names[] = {"c2c", "r2c", "c2r", "r2r", "transpose"};
  out << names[static_cast<int>(problem.what)] << ' ' << to_string(problem.shape)
      << " in tuples of " << problem.howmany << ", blocks " << problem.in_block << ' '
      << problem.out_block << (problem.in_transposed ? ", transposed in" : "")
      << (problem.out_transposed ? ", transposed out" : "")
      << (problem.in_place ? ", in place" : "") << (problem.elsewhere ? ", elsewhere" : "")
      << ", sign " << problem.sign << ", kinds";
  for (fftw_r2r_kind const kind : problem.kinds) out << ' ' << kind;
  return out;
}

inline Index default_block(Index n) { return (n + ranks::count() - 1) / ranks::count(); }

/// Default blocks, or longer ones than needed.
inline Index random_block(Random& random, Index n) {
  return random.once_in(3) ? default_block(n) + random.between(Index{0}, Index{2}) : 0;
}

inline Index split_extent(Problem const& problem, bool transposed, bool is_half) {
  int const axis = transposed ? 1 : 0;
  Index const n = problem.shape[axis];
  return is_half && axis + 1 == problem.shape.size() ? n / 2 + 1 : n;
}

inline std::vector<fftw_r2r_kind> random_kinds(Random& random, Shape const& shape) {
  int const first = random.once_in(2) ? FFTW_R2HC : FFTW_REDFT00;
  std::vector<fftw_r2r_kind> kinds;
  for (Index const n : shape) do
      kinds.push_back(static_cast<fftw_r2r_kind>(random.between(first, int{FFTW_RODFT11})));
    while (n == 1 && kinds.back() == FFTW_REDFT00 && (kinds.pop_back(), true));
  return kinds;
}

inline Problem random_problem(std::uint64_t seed) {
  Random random(seed);
  Problem problem;
  problem.what = static_cast<What>(random.between(0, 4));
  bool const is_real = problem.what == What::r2c || problem.what == What::c2r;
  int const axes = problem.what == What::transpose ? 2 : random.between(is_real ? 2 : 1, 4);
  problem.shape = cases::random_shape(random, axes, 400);
  problem.howmany = random.once_in(3) ? random.between(Index{2}, Index{4}) : 1;
  if (axes > 1) {
    problem.in_transposed = random.once_in(3) && !(problem.what == What::r2c && axes == 2);
    problem.out_transposed = random.once_in(3) && !(problem.what == What::c2r && axes == 2);
  }
  bool const is_transpose = problem.what == What::transpose;
  problem.in_block = random_block(
      random,
      split_extent(problem, !is_transpose && problem.in_transposed, problem.what == What::c2r));
  problem.out_block = random_block(
      random,
      split_extent(problem, is_transpose || problem.out_transposed, problem.what == What::r2c));
  if (axes == 1) problem.out_block = problem.in_block;
  problem.in_place = random.once_in(2);
  problem.sign = random.once_in(2) ? FFTW_FORWARD : FFTW_BACKWARD;
  problem.kinds = random_kinds(random, problem.shape);
  if (random.once_in(3)) problem.flags |= FFTW_DESTROY_INPUT;
  if (random.once_in(3)) problem.flags |= FFTW_PRESERVE_INPUT;
  if (problem.in_transposed) problem.flags |= FFTW_MPI_TRANSPOSED_IN;
  if (problem.out_transposed) problem.flags |= FFTW_MPI_TRANSPOSED_OUT;
  if (axes == 1 && random.once_in(3)) problem.flags |= FFTW_MPI_SCRAMBLED_OUT;
  problem.elsewhere = random.once_in(3);
  return problem;
}

inline Shape half(Shape shape) {
  shape[shape.size() - 1] = shape[shape.size() - 1] / 2 + 1;
  return shape;
}

/// A side that has half of the last axis if the problem is `halved`, and room for that if it is
/// `padded`.
inline Side side_of(Problem const& problem, What halved, What padded, bool is_turned,
                    bool is_split_turned, Index block) {
  Shape const shape = problem.what == halved ? half(problem.shape) : problem.shape;
  Index const n = shape[shape.size() - 1];
  Side side{shape,           problem.howmany, is_turned,
            is_split_turned, block,           problem.what == padded ? 2 * (n / 2 + 1) : n,
            ranks::rank()};
  if (side.block == 0) side.block = default_block(shape[side.split()]);
  return side;
}

inline Side input_of(Problem const& problem) {
  bool const is_transpose = problem.what == What::transpose;
  return side_of(problem, What::c2r, What::r2c, problem.in_transposed && !is_transpose,
                 problem.in_transposed, problem.in_block);
}

inline Side output_of(Problem const& problem) {
  bool const is_transpose = problem.what == What::transpose;
  return side_of(problem, What::r2c, What::c2r, problem.out_transposed || is_transpose,
                 problem.out_transposed != is_transpose, problem.out_block);
}

inline bool is_complex(Problem const& problem, bool input) {
  return problem.what == What::c2c || problem.what == (input ? What::c2r : What::r2c);
}

/// The halfcomplex formats and Hartley's transform; the others are in the oracle.
inline Whole by_kind(Whole const& x, int axis, fftw_r2r_kind kind) {
  using oracle::Kind;
  Index const n = x.shape[axis];
  auto const wave = [n](Index j, Index k) { return oracle::wave(j * k % n, n); };
  if (kind == FFTW_DHT)
    return summed(x, axis, n,
                  [&](Index j, Index k) { return wave(j, k).real() + wave(j, k).imag(); });
  if (kind == FFTW_R2HC)
    return summed(x, axis, n, [&](Index j, Index k) {
      return 2 * k <= n ? wave(j, k).real() : -wave(j, n - k).imag();
    });
  if (kind == FFTW_HC2R)
    return summed(x, axis, n, [&](Index k, Index j) {
      if (k == 0 || 2 * k == n) return wave(j, k).real();
      return 2 * k < n ? 2 * wave(j, k).real() : -2 * wave(j, n - k).imag();
    });
  Kind const kinds[] = {Kind::dct1, Kind::dct3, Kind::dct2, Kind::dct4,
                        Kind::dst1, Kind::dst3, Kind::dst2, Kind::dst4};
  Kind const known = kinds[kind - FFTW_REDFT00];
  return summed(x, axis, n,
                [&](Index j, Index k) { return oracle::r2r_coefficient(known, n, j, k); });
}

inline Whole expected(Problem const& problem, Whole x) {
  oracle::Kinds kinds;
  for (int axis = 0; axis < problem.shape.size(); ++axis)
    kinds.emplace_back(axis, oracle::Kind::c2c);
  switch (problem.what) {
    case What::c2c:
      return transformed_but_real(x, kinds, problem.sign);
    case What::r2c:
      kinds.back().second = oracle::Kind::r2c;
      return forward(x, kinds);
    case What::c2r:
      kinds.back().second = oracle::Kind::r2c;
      return backward(x, kinds, problem.shape[problem.shape.size() - 1]);
    case What::r2r:
      for (int axis = 0; axis < problem.shape.size(); ++axis)
        x = by_kind(x, axis, problem.kinds[at(axis)]);
      return x;
    case What::transpose:
      return x;
  }
  return x;
}

}  // namespace fftw_mpi
