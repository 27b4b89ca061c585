// SPDX-License-Identifier: BSD-3-Clause
// The factors of real transforms: every entry is a root of unity rounded once.
#include "local/numbers/real_factors.hpp"

#include "local/numbers/at.hpp"
#include "local/numbers/roots.hpp"

namespace sixstep::local {

namespace {

// Entries of a table: k = 1 ... m/2, and as many as the longest vectors may read past them.
template <class Real>
Index factors_of(Index m) {
  return m / 2 + 64 / static_cast<Index>(sizeof(Real));
}

/// The factor u_k, computed from the roots of order 2 m or of a multiple of that.
template <class Real>
std::complex<Real> half_factor(Index k, Index m, Roots const& roots) {
  std::complex<Real> const w = roots.at<Real>(k * (roots.n() / (2 * m)));
  return {w.imag(), -w.real()};
}

}  // namespace

template <class Real>
HalfFactors<Real>::HalfFactors(Index m) : m_(m) {
  constexpr Index in_line = 32 / static_cast<Index>(sizeof(Real));  // complex numbers
  Index const lines = (factors_of<Real>(m) + in_line - 1) / in_line;
  lines_.resize(local::at(lines));
  Roots const roots(2 * m);
  for (Index i = 0; i < lines * in_line; ++i) {
    std::complex<Real> const u = half_factor<Real>(i + 1, m, roots);
    Real* const parts = lines_[local::at(i / in_line)].parts + 2 * (i % in_line);
    parts[0] = u.real();
    parts[1] = u.imag();
  }
}

template <class Real>
void CosineFactors<Real>::Parts::append(std::complex<Real> factor) {
  re.push_back(factor.real());
  im.push_back(factor.imag());
}

template <class Real>
CosineFactors<Real>::CosineFactors(Index half) : m(half) {
  Roots const roots(8 * m);
  for (Index k = 1; k <= factors_of<Real>(m); ++k) {
    halves.append(half_factor<Real>(k, m, roots));
    lower.append(roots.at<Real>(k));
    upper.append(roots.at<Real>((m - k % (8 * m) + 8 * m) % (8 * m)));
  }
}

template <class Real>
typename CosineFactors<Real>::Parts odd_cosine_factors(Index n) {
  typename CosineFactors<Real>::Parts parts;
  Roots const roots(4 * n);
  for (Index k = 1; 2 * k < n; ++k) parts.append(roots.at<Real>(k));
  return parts;
}

int sequence_radix(Index n) {
  for (int radix : {2, 3, 5, 7, 11, largest_sequence_radix})
    if (n % radix == 0) return radix;
  return 1;
}

std::vector<int> real_radices(Index n, RowAccess access) {
  if (n == 2) return {2};
  // The 16 rows of a butterfly often lie a multiple of 4 KiB apart. Then they share a set of the
  // first-level cache, which has 8 or 12 lines, and a line is gone before its second vector is
  // read. Columns of 9 to 14 points, which radix 16 leaves, are faster than those that 8 leaves.
  Index const left_by_16 = n / 16;
  bool const avoids_16 =
      access == RowAccess::parts_of_lines && n > 16 && (left_by_16 < 9 || left_by_16 > 14);
  std::vector<int> radices;
  while (n > 2) {
    int best = 0;
    for (int radix : {3, 4, 5, 7, 11, 13, 8, 9, 10, 16})  // the last that divides n is taken
      if (n == radix || (n % radix == 0 && best != n)) best = radix;
    if (best == 0) return {};
    if (best == 16 && avoids_16 && radices.empty()) best = 8;
    radices.push_back(best);
    n = n / best * (best % 2 == 0 ? 2 : 1);
  }
  return radices;
}

template <class Real>
std::vector<std::complex<Real>> sequence_factors(Index n, int radix) {
  std::vector<std::complex<Real>> factors;
  Roots const roots(n);
  for (Index k = 0; k <= n / radix / 2; ++k)
    for (Index q = 1; q < radix; ++q) factors.push_back(roots.at<Real>(q * k));
  return factors;
}

template CosineFactors<float>::Parts odd_cosine_factors<float>(Index);
template CosineFactors<double>::Parts odd_cosine_factors<double>(Index);
template std::vector<std::complex<float>> sequence_factors(Index, int);
template std::vector<std::complex<double>> sequence_factors(Index, int);
template class HalfFactors<float>;
template class HalfFactors<double>;
template struct CosineFactors<float>;
template struct CosineFactors<double>;

}  // namespace sixstep::local
