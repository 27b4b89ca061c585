// SPDX-License-Identifier: BSD-3-Clause
// A transform by FFTW or MKL: copies columns to a dense block, transforms them, and copies them
// back.
//
// The libraries know neither row tables nor twists. They get a block of contiguous columns in
// scratch memory, so that one plan serves columns that lie anywhere.
#pragma once

#include <memory>

#include "local/library.hpp"
#include "local/transform.hpp"

namespace sixstep::local {

/// The transform of length n by `library`. Throws Error if n < 1 or the library has no plan for n.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_dense(Index n, Library<Real> const& library,
                                                          Tuning const& tuning = {});

}  // namespace sixstep::local
