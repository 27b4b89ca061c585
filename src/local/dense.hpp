// SPDX-License-Identifier: BSD-3-Clause
// A transform by FFTW or MKL: columns are gathered into dense rows, transformed, and scattered.
//
// The libraries know neither row tables nor twists; what they see is a block of columns in scratch,
// each contiguous, so that one plan serves whatever way the columns lie in.
#pragma once

#include <memory>

#include "local/library.hpp"
#include "local/transform.hpp"

namespace sixstep::local {

/// Errors: n < 1; the library has no plan for n.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_dense(Index n, Library<Real> const& library);

}  // namespace sixstep::local
