// SPDX-License-Identifier: BSD-3-Clause
// The disciplines of the comparison: how much data, how it lies, and which lengths make sense.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "contender.hpp"

namespace sixstep::bench {

enum class Way {
  contiguous,  // elements of a transform follow each other
  columns,     // a power of two of transforms side by side: the distance of their elements
  padded,      // as columns, with 128 bytes more between the elements
};

struct Discipline {
  std::string name;
  std::string title;
  Kind kind;
  Way way;
  Index bytes;  // of the input, about
  Index least_n = 2;
  int threads = 1;
};

inline std::vector<Discipline> const& disciplines() {
  constexpr Index cache = Index{256} << 10;
  constexpr Index memory = Index{256} << 20;
  static std::vector<Discipline> const all = {
      {"contiguous", "contiguous, in cache (256 KiB)", Kind::c2c, Way::contiguous, cache},
      {"columns", "columns, a power of two apart, in cache", Kind::c2c, Way::columns, cache},
      {"padded", "columns, padded by 128 bytes, in cache", Kind::c2c, Way::padded, cache},
      {"contiguous-memory", "contiguous, in memory (256 MiB)", Kind::c2c, Way::contiguous, memory},
      {"columns-memory", "columns, a power of two apart, in memory", Kind::c2c, Way::columns,
       memory},
      {"padded-memory", "columns, padded by 128 bytes, in memory", Kind::c2c, Way::padded, memory},
      {"long", "one long transform, one thread", Kind::c2c, Way::contiguous, 0, long_n},
      {"long-2", "one long transform, two threads", Kind::c2c, Way::contiguous, 0, long_n, 2},
      {"r2c", "real to complex, contiguous, in cache", Kind::r2c, Way::contiguous, cache},
      {"c2r", "complex to real, contiguous, in cache", Kind::c2r, Way::contiguous, cache},
      {"dct2", "DCT-II, contiguous, in cache", Kind::dct2, Way::contiguous, cache},
      {"r2c-padded", "real to complex, columns, padded, in cache", Kind::r2c, Way::padded, cache},
      {"c2r-padded", "complex to real, columns, padded, in cache", Kind::c2r, Way::padded, cache},
      {"dct2-padded", "DCT-II, columns, padded, in cache", Kind::dct2, Way::padded, cache},
      {"r2c-columns", "real to complex, columns, a power of two apart, in cache", Kind::r2c,
       Way::columns, cache},
      {"c2r-columns", "complex to real, columns, a power of two apart, in cache", Kind::c2r,
       Way::columns, cache},
      {"dct2-columns", "DCT-II, columns, a power of two apart, in cache", Kind::dct2, Way::columns,
       cache},
      {"r2c-memory", "real to complex, contiguous, in memory", Kind::r2c, Way::contiguous, memory},
      {"c2r-memory", "complex to real, contiguous, in memory", Kind::c2r, Way::contiguous, memory},
  };
  return all;
}

/// The problem for one length; none where the length does not suit the discipline: long ones are
/// for `long` alone, and columns have to be 128 bytes wide and yet not far more data than asked.
template <class Real>
std::optional<Problem> problem_of(Discipline const& discipline, Index n) {
  constexpr Index line_bytes = 128;
  bool const takes_long = discipline.least_n >= long_n;
  if (n < discipline.least_n || (!takes_long && n >= long_n)) return std::nullopt;
  Index const element = sizeof(Real) * (discipline.kind == Kind::c2c ? 2 : 1);
  Index const fits = std::max<Index>(discipline.bytes / (n * element), 1);
  Index const spectrum = discipline.kind == Kind::c2c ? n : n / 2 + 1;
  Problem problem{.kind = discipline.kind,
                  .n = n,
                  .count = fits,
                  .in = {1, discipline.kind == Kind::c2r ? spectrum : n},
                  .out = {1, discipline.kind == Kind::r2c ? spectrum : n},
                  .threads = discipline.threads};
  if (discipline.way == Way::contiguous) return problem;
  Index const line = line_bytes / element;
  problem.count =
      std::max(static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(fits))), line);
  if (problem.count * n * element > 4 * discipline.bytes) return std::nullopt;
  Index const stride = problem.count + (discipline.way == Way::padded ? line : 0);
  problem.in = problem.out = {stride, 1};
  return problem;
}

/// Elements that an array must hold.
inline Index extent(Side const& side, Index n, Index count) {
  return (n - 1) * side.stride + (count - 1) * side.distance + 1;
}

/// By the count of a radix-2 transform, 5 N log2 N, as is usual; half of it for real ones.
inline double flops(Problem const& problem) {
  auto const n = static_cast<double>(problem.n);
  return (problem.kind == Kind::c2c ? 5 : 2.5) * n * std::log2(n) *
         static_cast<double>(problem.count);
}

}  // namespace sixstep::bench
