// SPDX-License-Identifier: BSD-3-Clause
// Transforms and roots of unity that all plans of a process share: their tables exist once, while
// anything uses them.
//
// Safe to call from several threads at once, and in forked processes. Knows nothing about plans.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>

#include "local/real_transform.hpp"
#include "local/transform.hpp"

namespace sixstep::local {

/// The transform of this kind and length with the kernels of `whose`. In and Out select complex to
/// complex, r2c, c2r, or real to real. Equal arguments give the same object while it lives. Throws
/// the errors of make_transform(), make_r2c(), make_c2r() and make_r2r().
template <class In, class Out>
std::shared_ptr<Transform<In, Out> const> shared_transform(Kind kind, Index n, Local whose,
                                                           Tuning const& tuning);

std::shared_ptr<Roots const> shared_roots(Index n);

/// An upper estimate of the bytes that the tables of such a transform take in either precision. It
/// may be several times too large. Caches of plans are limited by it.
std::size_t table_bytes(Kind kind, Index n);

#define SIXSTEP_SHARED(prefix, Real)                                                           \
  prefix template std::shared_ptr<Transform<std::complex<Real>, std::complex<Real>> const>     \
  shared_transform(Kind, Index, Local, Tuning const&);                                         \
  prefix template std::shared_ptr<Transform<Real, std::complex<Real>> const> shared_transform( \
      Kind, Index, Local, Tuning const&);                                                      \
  prefix template std::shared_ptr<Transform<std::complex<Real>, Real> const> shared_transform( \
      Kind, Index, Local, Tuning const&);                                                      \
  prefix template std::shared_ptr<Transform<Real, Real> const> shared_transform(               \
      Kind, Index, Local, Tuning const&);
SIXSTEP_SHARED(extern, float)
SIXSTEP_SHARED(extern, double)

}  // namespace sixstep::local
