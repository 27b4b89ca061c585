// SPDX-License-Identifier: BSD-3-Clause
// Transforms of one short contiguous column in straight code.
//
// A call takes as long as the arguments of a batch alone would.
#pragma once

#include <complex>
#include <memory>

#include "local/targets.hpp"
#include "sixstep/index.hpp"

namespace sixstep::local {

/// The transform of one contiguous column, without a factor: complex to complex, r2c or c2r.
/// Immutable: any number of threads may run it at once.
template <class In, class Out>
class Codelet {
 public:
  virtual ~Codelet() = default;
  /// The arrays begin at the same address or do not overlap.
  virtual void run(In const* in, Out* out) const = 0;
};

/// Makes the codelet for n points; null if there is none. `backward` is for complex to complex.
template <class In, class Out>
using MakeCodelet = std::unique_ptr<Codelet<In, Out> const> (*)(Index n, bool backward);

template <class Real>
struct CodeletMakers {
  MakeCodelet<std::complex<Real>, std::complex<Real>> complex;
  MakeCodelet<Real, std::complex<Real>> r2c;
  MakeCodelet<std::complex<Real>, Real> c2r;
};

/// Those for the vectors of an instruction set, one of available_targets().
template <class Real>
CodeletMakers<Real> codelet_makers(Target target);

template <>
CodeletMakers<float> codelet_makers(Target target);
template <>
CodeletMakers<double> codelet_makers(Target target);

}  // namespace sixstep::local
