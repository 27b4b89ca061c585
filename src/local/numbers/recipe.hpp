// SPDX-License-Identifier: BSD-3-Clause
// The transform of a column of one length, as data: its passes and their tables.
//
// It is a mixed-radix decimation in frequency, in place and depth first. A pass of radix r on a
// block of r m rows takes r rows m apart, transforms them, and multiplies row j by w^(p j):
//
//   b[p + m j] = w_(r m)^(p j) sum_k w_r^(j k) b[p + m k],   p < m, j < r
//
// This leaves r blocks of m rows, which the next passes transform one after another. The last pass
// has m = 1 and puts its rows in their places in the result: the j of the first pass is the lowest
// digit of a row's index there. A recipe knows nothing about vectors; the kernels that run it are
// in kernels/walk-inl.hpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sixstep/index.hpp"
#include "tuning.hpp"

namespace sixstep::local {

template <class Real>
struct Recipe;

/// The factors w_n^(p j), 1 <= j < r, p < m, of one pass.
///
/// Row p of each table is [re: r - 1][im: r - 1], for j = 1 ... r - 1.
///
/// A short table is stored whole: `fine` has all m rows and `coarse` is empty. A long one would
/// need too much cache and is stored as two tables of O(sqrt m) rows. For p = q tile + i,
///   w^(p j) = coarse[q][j] + (coarse_rest[q][j] + coarse[q][j] fine[i][j]),
/// where coarse + coarse_rest is w^(q tile j) to twice the precision, and fine is w^(i j) - 1.
/// Because fine is small, only the last addition rounds noticeably, even without a fused
/// multiply-add.
template <class Real>
struct Twiddles {
  Index tile = 0;  // rows of `fine`; m if the table is whole
  std::vector<Real> fine;
  std::vector<Real> coarse;
  std::vector<Real> coarse_rest;

  bool whole() const { return coarse.empty(); }
};

/// The tables of a transform of prime length p that is computed as a cyclic convolution of a smooth
/// length: transform the rows, multiply by `spectrum`, transform back.
///
/// Rader (1968), length p - 1: with g a generator modulo p,
///   y[g^-q] = x[0] + sum_k x[g^k] w_p^(g^(k - q)).
/// Bluestein (1970), any length >= 2 p - 1: with b_k = w_2p^(k^2),
///   y[j] = b_j sum_k (x[k] b_k) conj(b_(j - k)).
template <class Real>
struct Convolution {
  bool rader = false;
  Index p = 0;
  Index length = 0;
  std::vector<Index> from;     // Rader: g^q; Bluestein: empty
  std::vector<Index> to;       // Rader: g^-q; Bluestein: empty
  std::vector<Real> chirp;     // Bluestein: b_k, [re, im]; Rader: empty
  std::vector<Real> spectrum;  // the other operand's transform, divided by the length, [re, im]
};

/// The cheaper convolution for the prime p. Its length is a multiple of `multiple`, which is a
/// power of two.
template <class Real>
Convolution<Real> convolution_of(Index p, Index multiple = 1);

/// A convolution, and the recipe for its length.
template <class Real>
struct PrimeTransform : Convolution<Real> {
  std::shared_ptr<Recipe<Real> const> convolution;
};

/// The roots for a prime radix p that is computed by the definition: cos(2 pi j k / p) and
/// sin(2 pi j k / p) for j, k = 1 ... (p - 1)/2.
template <class Real>
struct DirectRoots {
  Index p = 0;
  std::vector<Real> values;  // [k][j][cos, sin]
};

/// One pass, over blocks of radix * count rows each.
template <class Real>
struct Pass {
  Index radix = 1;
  Index count = 1;          // m, the butterflies of a block
  Index step = 1;           // rows between the r blocks it leaves: m, and sometimes one of
                            // padding, without which the blocks would compete for a few cache sets
  Twiddles<Real> twiddles;  // empty in the last pass
  std::optional<DirectRoots<Real>> direct;            // if the radix is computed by the definition
  std::shared_ptr<PrimeTransform<Real> const> prime;  // if it is a larger prime
};

/// The passes that transform a column of n rows.
template <class Real>
struct Recipe {
  Index n = 1;
  Index rows = 1;  // of the buffer for the passes: n and padding
  std::vector<Pass<Real>> passes;

  explicit Recipe(Index length, Tuning const& tuning = {});
  /// Passes in the order of `radices`, whose product is the length.
  Recipe(Index length, std::vector<Index> const& radices, Tuning const& tuning = {});
  /// "4 x 16", "2 x 1009 (Rader 1008)".
  std::string describe() const;
};

extern template Convolution<float> convolution_of(Index, Index);
extern template Convolution<double> convolution_of(Index, Index);
extern template struct Recipe<float>;
extern template struct Recipe<double>;

}  // namespace sixstep::local
