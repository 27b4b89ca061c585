// SPDX-License-Identifier: BSD-3-Clause
// Cosine and sine transforms as tables around a real Fourier transform: which elements go in, and
// what is made of the coefficients that come out.
//
// Pure: no vectors, no memory but the tables.
#pragma once

#include <vector>

#include "sixstep/kind.hpp"

namespace sixstep::local {

/// `sign` times element `row` of a column; sign 0 stands for a zero, whatever the row.
template <class Real>
struct Pick {
  Index row;
  Real sign;
};

/// re Re V[row] + im Im V[row].
template <class Real>
struct Mix {
  Index row;
  Real re;
  Real im;
};

/// A real transform of picks.size() points, V, before which v[j] = picks[j] of x and after which
/// y[k] = mixes[k] of V.
template <class Real>
struct Analysis {
  std::vector<Pick<Real>> picks;
  std::vector<Mix<Real>> mixes;
};

/// (x[a] - i x[b]) (cosine + i sine).
template <class Real>
struct Spread {
  Index a;
  Index b;
  Real cosine;
  Real sine;
};

/// The transpose: V[k] = spreads[k] of x, k = 0 ... n/2; back to the reals v; y[picks[j].row] =
/// picks[j].sign v[j].
template <class Real>
struct Synthesis {
  std::vector<Spread<Real>> spreads;
  std::vector<Pick<Real>> picks;
};

/// DCT-I (n >= 2), DST-I, DCT-II, DST-II; DCT-IV and DST-IV of odd n.
template <class Real>
Analysis<Real> analysis(Kind kind, Index n);

/// DCT-III, DST-III.
template <class Real>
Synthesis<Real> synthesis(Kind kind, Index n);

}  // namespace sixstep::local
