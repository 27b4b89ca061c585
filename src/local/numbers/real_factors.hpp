// SPDX-License-Identifier: BSD-3-Clause
// The factors between a real transform and the complex one of half its length that computes it.
//
// Entries are in the order in which loops read them. Tables have extra entries, because a loop may
// read several at once, past the end. Knows nothing else about vectors.
#pragma once

#include <complex>
#include <vector>

#include "sixstep/index.hpp"

namespace sixstep::local {

/// u_k = -i w_2m^k for k = 1 ... m/2, of a real transform of n = 2 m points.
template <class Real>
class HalfFactors {
 public:
  explicit HalfFactors(Index m);

  Index m() const { return m_; }
  std::complex<Real> operator[](Index k) const { return {at(k)[0], at(k)[1]}; }
  /// Re u_k, Im u_k, Re u_(k+1) ...
  Real const* at(Index k) const { return lines_.data()->parts + 2 * (k - 1); }

 private:
  struct alignas(64) Line {
    Real parts[64 / sizeof(Real)];
  };

  Index m_;
  std::vector<Line> lines_;
};

/// The factors of cosine transforms of n = 2 m points for k = 1 ... m/2, entry k - 1 of each table.
template <class Real>
struct CosineFactors {
  struct Parts {  // real and imaginary parts apart
    std::vector<Real> re;
    std::vector<Real> im;

    void append(std::complex<Real> factor);
  };
  Index m;
  Parts halves;  // -i w_2m^k
  Parts lower;   // w_4n^k
  Parts upper;   // w_4n^(m-k)

  explicit CosineFactors(Index m);
};

/// w_4n^k for k = 1 ... n/2, for cosine transforms of an odd number n of points.
template <class Real>
typename CosineFactors<Real>::Parts odd_cosine_factors(Index n);

/// The radix with which a real transform of n points becomes complex ones of n/radix points; see
/// Sequences in kernels/real_kernels.hpp. 1 if no radix with kernels divides n.
int sequence_radix(Index n);
inline constexpr int largest_sequence_radix = 13;

/// Whether a vector fills a cache line. If not, a line of each row is read several times.
enum class RowAccess { lines, parts_of_lines };

/// The real radices of the passes for n points. Each pass transforms the column that the one before
/// leaves, until at most two reals are left (kernels/real_kernels.hpp). Empty for one point, and if
/// a prime has no butterfly. `access` is that of the first pass to the rows of the caller.
std::vector<int> real_radices(Index n, RowAccess access = RowAccess::lines);

/// w_n^(q k), q = 1 ... radix - 1, for k = 0, then for k = 1 and so on up to n/radix/2.
template <class Real>
std::vector<std::complex<Real>> sequence_factors(Index n, int radix);

extern template CosineFactors<float>::Parts odd_cosine_factors<float>(Index);
extern template CosineFactors<double>::Parts odd_cosine_factors<double>(Index);
extern template std::vector<std::complex<float>> sequence_factors(Index, int);
extern template std::vector<std::complex<double>> sequence_factors(Index, int);
extern template class HalfFactors<float>;
extern template class HalfFactors<double>;
extern template struct CosineFactors<float>;
extern template struct CosineFactors<double>;

}  // namespace sixstep::local
