// SPDX-License-Identifier: BSD-3-Clause
// The tables of the cosine and sine transforms.
#include "local/numbers/real_tables.hpp"

#include "local/numbers/at.hpp"
#include "local/numbers/roots.hpp"

namespace sixstep::local {

namespace {

template <class Real>
Real sign_of(Index k) {
  return k % 2 == 0 ? Real{1} : Real{-1};
}

/// The cosine transform of x[0] ... x[n-1] is half of the Fourier transform of x[0] ... x[n-1] ...
/// x[1].
template <class Real>
Analysis<Real> dct1(Index n) {
  Analysis<Real> tables;
  for (Index j = 0; j < 2 * (n - 1); ++j)
    tables.picks.push_back({j < n ? j : 2 * (n - 1) - j, Real{1}});
  for (Index k = 0; k < n; ++k) tables.mixes.push_back({k, Real{1}, Real{0}});
  return tables;
}

/// The sine transform is that of 0, x[0] ... x[n-1], 0, -x[n-1] ... -x[0]: V[k] = -i y[k-1].
template <class Real>
Analysis<Real> dst1(Index n) {
  Analysis<Real> tables;
  tables.picks.push_back({0, Real{0}});
  for (Index j = 0; j < n; ++j) tables.picks.push_back({j, Real{1}});
  tables.picks.push_back({0, Real{0}});
  for (Index j = n - 1; j >= 0; --j) tables.picks.push_back({j, Real{-1}});
  for (Index k = 0; k < n; ++k) tables.mixes.push_back({k + 1, Real{0}, Real{-1}});
  return tables;
}

/// v = x[0], x[2], x[4] ... x[5], x[3], x[1]: even elements ascending, odd ones descending. Source:
/// Makhoul (1980).
template <class Real>
std::vector<Pick<Real>> folded(Index n) {
  std::vector<Pick<Real>> picks(at(n));
  for (Index j = 0; j < n; ++j) picks[at(j % 2 == 0 ? j / 2 : n - 1 - j / 2)] = {j, Real{1}};
  return picks;
}

/// y[k] = 2 Re(w_4n^k V[k]), where V[k] = conj V[n-k] for k > n/2.
template <class Real>
Analysis<Real> dct2(Index n) {
  Analysis<Real> tables{folded<Real>(n), {}};
  Roots const roots(4 * n);
  for (Index k = 0; k < n; ++k) {
    std::complex<Real> const w = roots.at<Real>(k);
    bool const beyond = k > n / 2;
    tables.mixes.push_back({beyond ? n - k : k, 2 * w.real(), (beyond ? 2 : -2) * w.imag()});
  }
  return tables;
}

/// a^-1 8 mod n, n odd.
Index eighth_of(Index a, Index n) {
  for (int halving = 0; halving < 3; ++halving)
    a = static_cast<Index>(static_cast<__int128>(a) * ((n + 1) / 2) % n);
  return a;
}

/// The one of a, -a, 4n - a and 4n + a that is 1 mod 8, reduced mod n; a and n are odd.
///
/// For odd b, cos(2 pi a b / 8n) is the same for a and -a, and has the opposite sign for 4n - a and
/// 4n + a.
template <class Real>
Pick<Real> congruent_to_1(Index a, Index n) {
  Index const period = 8 * n;
  Pick<Real> const candidates[] = {
      {a, Real{1}}, {period - a, Real{1}}, {4 * n - a, Real{-1}}, {4 * n + a, Real{-1}}};
  for (Pick<Real> const& candidate : candidates)
    if ((candidate.row % 8 + 8) % 8 == 1) return {(candidate.row % n + n) % n, candidate.sign};
  return {0, Real{0}};
}

/// If a = b = 1 mod 8, then a b / 8n = n/8 + (a/8 mod n) b / n modulo 1 by the Chinese remainder
/// theorem: a Fourier kernel of n points and a constant angle, an odd multiple of pi/4.
/// Source: Chan, Ho (1990).
template <class Real>
Analysis<Real> odd_dct4(Index n) {
  Analysis<Real> tables;
  tables.picks.resize(at(n));
  std::complex<Real> const w = root<Real>(n % 8, 8);
  for (Index j = 0; j < n; ++j) {
    Pick<Real> const which = congruent_to_1<Real>(2 * j + 1, n);
    tables.picks[at(eighth_of(which.row, n))] = {j, which.sign};
    bool const beyond = which.row > n / 2;
    tables.mixes.push_back({beyond ? n - which.row : which.row, 2 * which.sign * w.real(),
                            (beyond ? 2 : -2) * which.sign * w.imag()});
  }
  return tables;
}

/// The DCT-II of x[j] (-1)^j, reversed, is the DST-II of x.
template <class Real>
Analysis<Real> dst2(Index n) {
  Analysis<Real> tables = dct2<Real>(n);
  for (Pick<Real>& pick : tables.picks) pick.sign = sign_of<Real>(pick.row);
  return {tables.picks, {tables.mixes.rbegin(), tables.mixes.rend()}};
}

/// The DCT-IV of the reversed x is the DST-IV with alternating signs.
template <class Real>
Analysis<Real> odd_dst4(Index n) {
  Analysis<Real> tables = odd_dct4<Real>(n);
  for (Pick<Real>& pick : tables.picks) pick.row = n - 1 - pick.row;
  for (Index k = 1; k < n; k += 2) {
    tables.mixes[at(k)].re = -tables.mixes[at(k)].re;
    tables.mixes[at(k)].im = -tables.mixes[at(k)].im;
  }
  return tables;
}

}  // namespace

template <class Real>
Analysis<Real> analysis(Kind kind, Index n) {
  switch (kind) {
    case Kind::dct1:
      return dct1<Real>(n);
    case Kind::dst1:
      return dst1<Real>(n);
    case Kind::dct2:
      return dct2<Real>(n);
    case Kind::dst2:
      return dst2<Real>(n);
    case Kind::dct4:
      return odd_dct4<Real>(n);
    default:
      return odd_dst4<Real>(n);
  }
}

/// V[k] = w_4n^-k (x[k] - i x[n-k]). The element used for x[n] only affects the imaginary part of
/// V[0], which is ignored. The DCT-III of the reversed x is the DST-III with alternating signs.
template <class Real>
Synthesis<Real> synthesis(Kind kind, Index n) {
  bool const sines = kind == Kind::dst3;
  Synthesis<Real> tables{{}, folded<Real>(n)};
  Roots const roots(4 * n);
  for (Index k = 0; k <= n / 2; ++k) {
    std::complex<Real> const w = roots.at<Real>(k);
    Index const a = k;
    Index const b = k == 0 ? 0 : n - k;
    tables.spreads.push_back({sines ? n - 1 - a : a, sines ? n - 1 - b : b, w.real(), -w.imag()});
  }
  if (sines)
    for (Pick<Real>& pick : tables.picks) pick.sign = sign_of<Real>(pick.row);
  return tables;
}

template Analysis<float> analysis(Kind, Index);
template Analysis<double> analysis(Kind, Index);
template Synthesis<float> synthesis(Kind, Index);
template Synthesis<double> synthesis(Kind, Index);

}  // namespace sixstep::local
