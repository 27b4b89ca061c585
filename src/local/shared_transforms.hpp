// SPDX-License-Identifier: BSD-3-Clause
// Transforms and roots of unity that all plans of a process share: their tables exist once as long
// as anybody uses them.
//
// Safe to call from several threads at once, and in forked processes. Knows nothing about plans.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>

#include "local/real_transform.hpp"
#include "local/transform.hpp"

namespace sixstep::local {

/// The transform of this kind and length by the kernels of `whose`: complex to complex, r2c or c2r,
/// or real to real, as In and Out say. Equal arguments give the same object while it lives. Errors:
/// those of make_transform(), make_r2c(), make_c2r() and make_r2r().
template <class In, class Out>
std::shared_ptr<Transform<In, Out> const> shared_transform(Kind kind, Index n, Local whose,
                                                           Tuning const& tuning);

std::shared_ptr<Roots const> shared_roots(Index n);

/// An estimate of the bytes that the tables of such a transform take in either precision, by which
/// caches of plans are bounded. It is not below what they take, and may be several times as much.
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
