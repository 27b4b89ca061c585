// SPDX-License-Identifier: BSD-3-Clause
// Cosine and sine transforms as tables around a real Fourier transform.
//
// x is a column of the cosine or sine transform, y its result; v is a column of reals and V its
// Fourier coefficients, V[0] ... V[n/2]. An Analysis computes v, V and y from x, a Synthesis V, v
// and y. Knows nothing about vectors.
#pragma once

#include <vector>

#include "sixstep/kind.hpp"

namespace sixstep::local {

/// The real sign * x[row]. If the sign is 0, it is zero for any row.
template <class Real>
struct Pick {
  Index row;
  Real sign;
};

/// The real re * Re V[row] + im * Im V[row].
template <class Real>
struct Mix {
  Index row;
  Real re;
  Real im;
};

/// v[j] is picks[j] of x; V is the Fourier transform of these picks.size() reals; y[k] is mixes[k]
/// of V.
template <class Real>
struct Analysis {
  std::vector<Pick<Real>> picks;
  std::vector<Mix<Real>> mixes;
};

/// The complex number (x[a] - i x[b]) (cosine + i sine).
template <class Real>
struct Spread {
  Index a;
  Index b;
  Real cosine;
  Real sine;
};

/// V[k] is spreads[k] of x for k = 0 ... n/2; v is the unscaled inverse Fourier transform of V;
/// y[picks[j].row] = picks[j].sign * v[j].
template <class Real>
struct Synthesis {
  std::vector<Spread<Real>> spreads;
  std::vector<Pick<Real>> picks;
};

/// The tables of a DCT-I (n >= 2), DST-I, DCT-II or DST-II, or of a DCT-IV or DST-IV of odd n.
template <class Real>
Analysis<Real> analysis(Kind kind, Index n);

/// The tables of a DCT-III or DST-III.
template <class Real>
Synthesis<Real> synthesis(Kind kind, Index n);

}  // namespace sixstep::local
