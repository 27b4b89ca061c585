// SPDX-License-Identifier: BSD-3-Clause
// Who takes part in a comparison of local transforms, and in which discipline.
//
// A contender plans a problem once and then runs it any number of times. This file knows nothing
// about clocks or tables; rivals/ has one source for each contender.
#pragma once

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "sixstep/layout.hpp"

namespace sixstep::bench {

enum class Kind { c2c, r2c, c2r, dct2 };

/// From here on a length is a case of its own: one transform, not a batch.
inline constexpr Index long_n = 65536;

/// How transforms lie on one side: element k of transform c at k * stride + c * distance, counted
/// in the side's own elements, real or complex. A spectrum of r2c or c2r has n/2 + 1 of them.
struct Side {
  Index stride;
  Index distance;
};

inline bool takes_reals(Kind kind) { return kind == Kind::r2c || kind == Kind::dct2; }
inline bool gives_reals(Kind kind) { return kind == Kind::c2r || kind == Kind::dct2; }

/// `count` forward transforms (c2r: backward) of length n, out of place, the input preserved,
/// unscaled.
struct Problem {
  Kind kind = Kind::c2c;
  Index n;
  Index count;
  Side in;
  Side out;
  int threads = 1;
};

/// A plan, ready to run; empty where the contender does not do such problems.
using Run = std::function<void()>;

/// Plans may be tried out on the arrays: whatever they held is lost.
using Prepare = std::function<Run(Problem const& problem, void* in, void* out)>;

struct Contender {
  std::string name;
  std::string version;
  Prepare prepare_double;
  Prepare prepare_single;
};

Contender sixstep_contender();
Contender fftw_contender();
Contender mkl_contender();
Contender ducc_contender();

/// Ourselves first, then every rival that this program was built with.
inline std::vector<Contender> contenders() {
  return {
      sixstep_contender(),
#ifdef SIXSTEP_HAVE_FFTW
      fftw_contender(),
#endif
#ifdef SIXSTEP_HAVE_MKL
      mkl_contender(),
#endif
#ifdef SIXSTEP_HAVE_DUCC
      ducc_contender(),
#endif
  };
}

}  // namespace sixstep::bench
