// SPDX-License-Identifier: BSD-3-Clause
// Problems of FFTW's interface, where their points lie in memory, and their results by the
// definition.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <ostream>
#include <random>
#include <vector>

#include "definition.hpp"

#ifdef FFTW_TEST_SINGLE
#define FFTW(name) fftwf_##name
using Real = float;
#else
#define FFTW(name) fftw_##name
using Real = double;
#endif

namespace guru {

using definition::Array;
using definition::Exact;
using Complex = FFTW(complex);
using Dim = FFTW(iodim64);
using Index = std::ptrdiff_t;

enum class Numbers { c2c, r2c, c2r, r2r };

/// The arguments of the advanced interface that say the same as dims and one loop.
struct Advanced {
  std::vector<int> n, in_embed, out_embed;  // without an embed: null
  int howmany = 1, in_stride = 1, in_distance = 0, out_stride = 1, out_distance = 0;
};

struct Problem {
  Numbers numbers = Numbers::c2c;
  int sign = FFTW_FORWARD;
  std::vector<Dim> dims = {}, loops = {};
  std::vector<FFTW(r2r_kind)> kinds = {};
  bool in_place = false;
  bool split = false;
  unsigned flags = FFTW_ESTIMATE;
  int threads = 1;
  bool elsewhere = false;  // is executed on other arrays than those of planning
  std::optional<Advanced> advanced = {};
};

inline std::ostream& operator<<(std::ostream& out, Problem const& problem) {
  out << "numbers " << static_cast<int>(problem.numbers) << " sign " << problem.sign;
  for (Dim const& dim : problem.dims) out << " axis " << dim.n << ':' << dim.is << ':' << dim.os;
  for (Dim const& dim : problem.loops) out << " loop " << dim.n << ':' << dim.is << ':' << dim.os;
  for (auto const kind : problem.kinds) out << " kind " << kind;
  return out << (problem.in_place ? " in place" : "") << (problem.split ? " split" : "")
             << (problem.elsewhere ? " elsewhere" : "") << (problem.advanced ? " advanced" : "")
             << " flags " << problem.flags << " threads " << problem.threads;
}

inline bool has_complex_input(Numbers numbers) {
  return numbers == Numbers::c2c || numbers == Numbers::c2r;
}
inline bool has_complex_output(Numbers numbers) {
  return numbers == Numbers::c2c || numbers == Numbers::r2c;
}

/// One side of a problem: the array's points, loops first, and their strides.
struct Side {
  std::vector<std::size_t> shape;
  std::vector<Index> strides;
  bool is_complex;

  std::size_t points() const {
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  }
  /// The element of a row-major point, from the first one in memory.
  Index place(std::size_t point) const {
    Index at = -lowest();
    for (std::size_t i = shape.size(); i-- > 0; point /= shape[i])
      at += static_cast<Index>(point % shape[i]) * strides[i];
    return at;
  }
  Index lowest() const { return reach(false); }
  Index elements() const { return reach(true) - lowest() + 1; }

 private:
  Index reach(bool highest) const {
    Index at = 0;
    for (std::size_t i = 0; i < shape.size(); ++i)
      if ((strides[i] > 0) == highest) at += static_cast<Index>(shape[i] - 1) * strides[i];
    return at;
  }
};

inline Side side_of(Problem const& problem, bool output) {
  Side side{
      {}, {}, output ? has_complex_output(problem.numbers) : has_complex_input(problem.numbers)};
  bool const is_half = side.is_complex && problem.numbers != Numbers::c2c;
  for (auto const* dims : {&problem.loops, &problem.dims})
    for (Dim const& dim : *dims) {
      side.shape.push_back(static_cast<std::size_t>(dim.n));
      side.strides.push_back(output ? dim.os : dim.is);
    }
  if (is_half) side.shape.back() = side.shape.back() / 2 + 1;
  return side;
}

/// Random numbers for all elements of an array, and where its points lie in it.
class Memory {
 public:
  Memory(Index elements, bool is_complex, bool split, std::mt19937& random)
      : unit_(is_complex && !split ? 2 : 1), imaginary_(split ? elements + 3 : 1) {
    std::uniform_real_distribution<Real> number(-1, 1);
    values_.resize(static_cast<std::size_t>((is_complex ? 2 : 1) * elements + (split ? 3 : 0)));
    for (Real& value : values_) value = number(random);
  }
  Real* real(Side const& side) { return values_.data() - side.lowest() * unit_; }
  Real* imaginary(Side const& side) { return real(side) + imaginary_; }
  Exact at(Side const& side, std::size_t point) const {
    Index const place = side.place(point) * unit_;
    auto const value = [&](Index i) { return values_[static_cast<std::size_t>(i)]; };
    return {value(place), side.is_complex ? value(place + imaginary_) : 0};
  }
  std::vector<Real> const& values() const { return values_; }
  /// Which reals belong to the array.
  std::vector<bool> owned(Side const& side) const {
    std::vector<bool> owned(values_.size());
    for (std::size_t point = 0; point < side.points(); ++point) {
      auto const place = static_cast<std::size_t>(side.place(point) * unit_);
      owned[place] = true;
      if (side.is_complex) owned[place + static_cast<std::size_t>(imaginary_)] = true;
    }
    return owned;
  }

 private:
  std::vector<Real> values_;
  Index unit_;
  Index imaginary_;
};

inline Array expected(Problem const& problem, Array x) {
  std::size_t const loops = problem.loops.size(), rank = problem.dims.size();
  auto const n = [&](std::size_t i) { return static_cast<std::size_t>(problem.dims[i].n); };
  bool const plus = problem.numbers == Numbers::c2r ||
                    (problem.numbers == Numbers::c2c && problem.sign == FFTW_BACKWARD);
  int const c2c = plus ? definition::c2c_plus : definition::c2c_minus;
  if (problem.numbers == Numbers::r2c) x = along(x, loops + rank - 1, definition::r2c, n(rank - 1));
  bool const is_half = problem.numbers == Numbers::r2c || problem.numbers == Numbers::c2r;
  for (std::size_t i = 0; i < rank - (is_half ? 1 : 0); ++i)
    x = along(x, loops + i, problem.numbers == Numbers::r2r ? problem.kinds[i] : c2c, n(i));
  if (problem.numbers == Numbers::c2r) x = along(x, loops + rank - 1, definition::c2r, n(rank - 1));
  return x;
}

}  // namespace guru
