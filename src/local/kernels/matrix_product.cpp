// SPDX-License-Identifier: BSD-3-Clause
// Products of small matrices, compiled for every instruction set.
//
// A block of c, some rows by some vectors, stays in registers while its products are added up. The
// last vector of a row overlaps the one before it, so no block has a remainder.
#include "local/kernels/matrix_product.hpp"

#include <algorithm>
#include <bit>

#include "local/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/matrix_product.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each further target
// Keep this order: highway.h reads what foreach_target.h has set.
#include "hwy/highway.h"
#include "local/kernels/codelets-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

constexpr Index block_rows = 4;

/// The block of R rows from `row` on and of W vectors of N numbers, which begin at `columns`.
template <int R, int W, int N, class Real>
HWY_INLINE void multiply_block(MatrixProduct<Real> const& of, Index row, Index const* columns) {
  hn::CappedTag<Real, N> const d;
  hn::VFromD<decltype(d)> sums[R * W];
  for_indices<R * W>([&](auto i) HWY_ATTR { sums[i] = hn::Zero(d); });
  Real const* const a = of.a + row * of.a_row;
  Index const a_row = of.a_row, b_row = of.b_row, depth = of.depth;
  Real const* b = of.b;
  for (Index j = 0; j < depth; ++j, b += b_row) {
    hn::VFromD<decltype(d)> factors[W];
    for_indices<W>([&](auto w) HWY_ATTR { factors[w] = hn::LoadU(d, b + columns[w]); });
    for_indices<R>([&](auto r) HWY_ATTR {
      auto const element = hn::Set(d, a[r * a_row + j]);
      for_indices<W>([&](auto w) HWY_ATTR {
        sums[r * W + w] = hn::MulAdd(element, factors[w], sums[r * W + w]);
      });
    });
  }
  for_indices<R>([&](auto r) HWY_ATTR {
    Real* const c = of.c + (row + r) * of.c_row;
    for_indices<W>([&](auto w) HWY_ATTR { hn::StoreU(sums[r * W + w], d, c + columns[w]); });
  });
}

/// R rows, W vectors at a time as long as there are so many.
template <int R, int W, int N, class Real>
HWY_INLINE void multiply_rows(MatrixProduct<Real> const& of, Index row, Index vector = 0) {
  Index const vectors = (of.columns + N - 1) / N;
  for (; vector + W <= vectors; vector += W) {
    Index columns[W];
    for (int w = 0; w < W; ++w) columns[w] = std::min((vector + w) * N, of.columns - N);
    multiply_block<R, W, N>(of, row, columns);
  }
  if constexpr (W > 1)
    if (vector < vectors) multiply_rows<R, W / 2, N>(of, row, vector);
}

template <int N, class Real>
HWY_INLINE void multiply_by_vectors(MatrixProduct<Real> const& of) {
  Index row = 0;
  for (; row + block_rows <= of.rows; row += block_rows) multiply_rows<block_rows, 2, N>(of, row);
  switch (of.rows - row) {
    case 3:
      return multiply_rows<3, 2, N>(of, row);
    case 2:
      return multiply_rows<2, 4, N>(of, row);
    case 1:
      return multiply_rows<1, 4, N>(of, row);
    default:
      return;
  }
}

template <class Real>
void multiply(MatrixProduct<Real> const& of) {
  constexpr int lanes = static_cast<int>(HWY_LANES(Real));
  if (of.columns >= lanes) return multiply_by_vectors<lanes>(of);
  if constexpr (lanes > 4)
    if (of.columns >= 4) return multiply_by_vectors<4>(of);
  if constexpr (lanes > 2)
    if (of.columns >= 2) return multiply_by_vectors<2>(of);
  multiply_by_vectors<1>(of);
}

/// Two sums for each vector of results do not wait for each other.
template <int results, class Real>
void multiply_column(Real const* in, Index points, Real const* elements, Real* out) {
  constexpr int lanes = static_cast<int>(HWY_LANES(Real));
  constexpr int N = std::min<int>(lanes, std::bit_floor(static_cast<unsigned>(results)));
  constexpr int vectors = vectors_over<N>(results);
  hn::CappedTag<Real, N> const d;
  hn::VFromD<decltype(d)> sums[2 * vectors];
  for_indices<2 * vectors>([&](auto i) HWY_ATTR { sums[i] = hn::Zero(d); });
  auto const add = [&](Index j, auto sum) HWY_ATTR {
    auto const element = hn::Set(d, in[j]);
    Real const* const row = elements + j * results;
    for_indices<vectors>([&](auto v) HWY_ATTR {
      auto& x = sums[sum * vectors + v];
      x = hn::MulAdd(element, hn::LoadU(d, row + first_of_vector<N>(results, v)), x);
    });
  };
  constexpr std::integral_constant<int, 0> first;
  constexpr std::integral_constant<int, 1> second;
  Index j = 0;
  for (; j + 2 <= points; j += 2) {
    add(j, first);
    add(j + 1, second);
  }
  if (j < points) add(j, first);
  for_indices<vectors>([&](auto v) HWY_ATTR {
    hn::StoreU(hn::Add(sums[v], sums[vectors + v]), d, out + first_of_vector<N>(results, v));
  });
}

template <class Real>
constexpr bool has_long_vectors() {
  constexpr int least_bits = 256;
  return HWY_LANES(Real) * sizeof(Real) * 8 >= least_bits;
}

template <class Real>
MultiplyMatrices<Real> multiplier() {
  return has_long_vectors<Real>() ? multiply<Real> : nullptr;
}

template <class Real>
MultiplyColumn<Real> multiplier_of_column([[maybe_unused]] Index results) {
  MultiplyColumn<Real> found = nullptr;
  if constexpr (has_long_vectors<Real>())
    for_indices<most_column_results - 1>([&](auto i) {
      if (results == i + 2) found = multiply_column<i + 2, Real>;
    });
  return found;
}

#else

template <class Real>
MultiplyMatrices<Real> multiplier() {
  return nullptr;
}

template <class Real>
MultiplyColumn<Real> multiplier_of_column(Index) {
  return nullptr;
}

#endif  // HWY_SCALAR

MultiplyMatrices<float> float_multiplier() { return multiplier<float>(); }
MultiplyMatrices<double> double_multiplier() { return multiplier<double>(); }
MultiplyColumn<float> float_column(Index results) { return multiplier_of_column<float>(results); }
MultiplyColumn<double> double_column(Index results) {
  return multiplier_of_column<double>(results);
}

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sixstep::local {

HWY_EXPORT(float_multiplier);
HWY_EXPORT(double_multiplier);
HWY_EXPORT(float_column);
HWY_EXPORT(double_column);

template <>
MultiplyMatrices<float> matrix_multiplier(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(float_multiplier), target)();
}
template <>
MultiplyMatrices<double> matrix_multiplier(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(double_multiplier), target)();
}
template <>
MultiplyColumn<float> column_multiplier(Index results, Target target) {
  return table_entry(HWY_DISPATCH_TABLE(float_column), target)(results);
}
template <>
MultiplyColumn<double> column_multiplier(Index results, Target target) {
  return table_entry(HWY_DISPATCH_TABLE(double_column), target)(results);
}

}  // namespace sixstep::local
#endif  // HWY_ONCE
