// SPDX-License-Identifier: BSD-3-Clause
// A column of cuFFT's: where its elements lie, and its transform by recursion over prime factors.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <numbers>
#include <utility>
#include <vector>

namespace cuda_on_host {

using Complex = std::complex<double>;
using Index = long long;

struct Side {
  std::vector<Index> extents;  // of its elements
  std::vector<Index> rows;     // inembed or onembed
  Index stride = 1, distance = 1;
  bool is_real = false;
  std::size_t real_bytes = 8;

  std::size_t element_bytes() const { return is_real ? real_bytes : 2 * real_bytes; }
  Index elements() const {
    Index all = 1;
    for (Index extent : extents) all *= extent;
    return all;
  }
  /// Where the element of that number of a column is, as the documentation of advanced data layouts
  /// has it.
  Index place(Index column, Index number) const {
    std::vector<Index> at(extents.size());
    for (std::size_t axis = extents.size(); axis-- > 0; number /= extents[axis])
      at[axis] = number % extents[axis];
    Index place = at[0];
    for (std::size_t axis = 1; axis < at.size(); ++axis) place = place * rows[axis] + at[axis];
    return column * distance + place * stride;
  }
};

/// exp(sign 2 pi i k / n), k = 0 ... n - 1.
inline std::vector<Complex> roots(Index n, int sign) {
  std::vector<Complex> all;
  for (Index k = 0; k < n; ++k) {
    long double const angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                              static_cast<long double>(n);
    all.emplace_back(static_cast<double>(std::cos(angle)),
                     static_cast<double>(sign * std::sin(angle)));
  }
  return all;
}

/// out[k] = sum_j w^(jk) in[j step], where w is the root of number all.size() / n.
inline void transform(Complex const* in, Index step, Complex* out, Index n,
                      std::vector<Complex> const& all) {
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  Index p = 2;
  while (n % p != 0) ++p;
  Index const m = n / p, turn = static_cast<Index>(all.size()) / n;
  for (Index r = 0; r < p; ++r) transform(in + r * step, step * p, out + r * m, m, all);
  std::vector<Complex> parts(static_cast<std::size_t>(p));
  for (Index k = 0; k < m; ++k) {
    for (Index r = 0; r < p; ++r) parts[static_cast<std::size_t>(r)] = out[r * m + k];
    for (Index q = 0; q < p; ++q) {
      Complex sum = 0;
      for (Index r = 0; r < p; ++r)
        sum += parts[static_cast<std::size_t>(r)] *
               all[static_cast<std::size_t>(r * (k + q * m) % n * turn)];
      out[q * m + k] = sum;
    }
  }
}

/// Along all axes of a full array.
inline void transform_all(std::vector<Complex>& array, std::vector<Index> const& lengths,
                          int sign) {
  Index inner = 1;
  for (std::size_t axis = lengths.size(); axis-- > 0; inner *= lengths[axis]) {
    Index const n = lengths[axis];
    std::vector<Complex> const all = roots(n, sign);
    std::vector<Complex> column(static_cast<std::size_t>(n));
    Index const outer = static_cast<Index>(array.size()) / (n * inner);
    for (Index i = 0; i < outer * inner; ++i) {
      Complex* const begin = array.data() + i / inner * n * inner + i % inner;
      transform(begin, inner, column.data(), n, all);
      for (Index k = 0; k < n; ++k) begin[k * inner] = column[static_cast<std::size_t>(k)];
    }
  }
}

inline Complex load(Side const& side, std::byte const* begin, Index place) {
  begin += place * static_cast<Index>(side.element_bytes());
  double parts[2] = {0, 0};
  for (int i = 0; i < (side.is_real ? 1 : 2); ++i) {
    float single;
    if (side.real_bytes == sizeof single) {
      std::memcpy(&single, begin + i * static_cast<int>(sizeof single), sizeof single);
      parts[i] = single;
    } else {
      std::memcpy(&parts[i], begin + i * static_cast<int>(sizeof parts[i]), sizeof parts[i]);
    }
  }
  return {parts[0], parts[1]};
}
inline void store(Side const& side, std::byte* begin, Index place, Complex value) {
  begin += place * static_cast<Index>(side.element_bytes());
  double const parts[2] = {value.real(), value.imag()};
  for (int i = 0; i < (side.is_real ? 1 : 2); ++i) {
    auto const single = static_cast<float>(parts[i]);
    if (side.real_bytes == sizeof single)
      std::memcpy(begin + i * static_cast<int>(sizeof single), &single, sizeof single);
    else
      std::memcpy(begin + i * static_cast<int>(sizeof parts[i]), &parts[i], sizeof parts[i]);
  }
}

/// The number in the half that is kept, and whether it is the conjugate, of one in the full array.
inline std::pair<Index, bool> in_half(std::vector<Index> const& lengths, Index number) {
  std::vector<Index> at(lengths.size());
  for (std::size_t axis = lengths.size(); axis-- > 0; number /= lengths[axis])
    at[axis] = number % lengths[axis];
  Index const half = lengths.back() / 2 + 1;
  bool const is_conjugate = at.back() >= half;
  Index found = 0;
  for (std::size_t axis = 0; axis < at.size(); ++axis) {
    Index const n = lengths[axis];
    Index const k = is_conjugate ? (n - at[axis]) % n : at[axis];
    found = found * (axis + 1 == at.size() ? half : n) + k;
  }
  return {found, is_conjugate};
}

/// The number in the half that is kept of the element whose indices are negated but for the last.
inline Index negated(std::vector<Index> const& lengths, Index number) {
  Index const half = lengths.back() / 2 + 1, k = number % half;
  Index found = 0, rest = number / half, step = half;
  for (std::size_t axis = lengths.size() - 1; axis-- > 0; rest /= lengths[axis]) {
    Index const n = lengths[axis];
    found += (n - rest % n) % n * step;
    step *= n;
  }
  return found + k;
}

}  // namespace cuda_on_host
