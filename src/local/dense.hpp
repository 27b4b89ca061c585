// SPDX-License-Identifier: BSD-3-Clause
// A transform by FFTW or MKL: columns are copied to a dense block, transformed, and copied back.
//
// The libraries know neither row tables nor twists. What they see is a block of contiguous columns
// in scratch memory, so that one plan of theirs serves columns that lie anywhere.
#pragma once

#include <memory>

#include "local/library.hpp"
#include "local/transform.hpp"

namespace sixstep::local {

/// The transform of length n by `library`. Errors: n < 1; the library has no plan for n.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_dense(Index n, Library<Real> const& library,
                                                          Tuning const& tuning = {});

}  // namespace sixstep::local
