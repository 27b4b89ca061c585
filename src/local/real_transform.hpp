// SPDX-License-Identifier: BSD-3-Clause
// Transforms with reals on one side or on both.
//
// Like all transforms of the seam, they are unscaled and take columns that lie anywhere. A batch
// must not set `backward`, because the inverse is a transform of another kind, nor a twist, which
// only complex transforms have. `whose` selects the kernels of the complex transform inside.
#pragma once

#include "local/transform.hpp"
#include "sixstep/kind.hpp"

namespace sixstep::local {

/// n reals in, n/2 + 1 complex numbers out, n >= 1.
template <class Real>
std::unique_ptr<Transform<Real, std::complex<Real>>> make_r2c(Index n, Local whose = Local::own,
                                                              Tuning const& tuning = {});

/// Its unscaled inverse: n/2 + 1 complex numbers in, n reals out. The imaginary parts of X[0] and,
/// for even n, of X[n/2] are ignored.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>, Real>> make_c2r(Index n, Local whose = Local::own,
                                                              Tuning const& tuning = {});

/// A cosine or sine transform of n >= 1 reals; dct1 needs n >= 2.
template <class Real>
std::unique_ptr<Transform<Real>> make_r2r(Kind kind, Index n, Local whose = Local::own,
                                          Tuning const& tuning = {});

extern template std::unique_ptr<Transform<float, std::complex<float>>> make_r2c(Index, Local,
                                                                                Tuning const&);
extern template std::unique_ptr<Transform<double, std::complex<double>>> make_r2c(Index, Local,
                                                                                  Tuning const&);
extern template std::unique_ptr<Transform<std::complex<float>, float>> make_c2r(Index, Local,
                                                                                Tuning const&);
extern template std::unique_ptr<Transform<std::complex<double>, double>> make_c2r(Index, Local,
                                                                                  Tuning const&);
extern template std::unique_ptr<Transform<float>> make_r2r(Kind, Index, Local, Tuning const&);
extern template std::unique_ptr<Transform<double>> make_r2r(Kind, Index, Local, Tuning const&);

}  // namespace sixstep::local
