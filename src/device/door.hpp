// SPDX-License-Identifier: BSD-3-Clause
// The door for devices that come in files of their own, which the library loads when they are asked
// for.
//
// Such a file defines one C function, sixstep_device(), and takes nothing of the library but what
// that function is given. Its name has the library's version, because the seam (backend.hpp) may
// change with each.
#pragma once

#include <complex>
#include <memory>
#include <string>
#include <tuple>

#include "device/backend.hpp"
#include "local/transform.hpp"

namespace sixstep::device {

/// Makes transforms of n points by the host's kernels.
template <class Real>
struct TransformMakers {
  using Complex = std::complex<Real>;
  std::unique_ptr<local::Transform<Complex>> (*c2c)(Index n);
  std::unique_ptr<local::Transform<Real, Complex>> (*r2c)(Index n);
  std::unique_ptr<local::Transform<Complex, Real>> (*c2r)(Index n);
};

/// The transforms in both precisions that the library gives to a device.
using HostTransforms = std::tuple<TransformMakers<float>, TransformMakers<double>>;

/// The device `name`, of the file libsixstep_device_<name>. It stays loaded. Throws Error if the
/// file cannot be loaded.
Backend& load(std::string const& name);

}  // namespace sixstep::device

/// Returns the device of a file. It lives as long as the process.
extern "C" __attribute__((visibility("default"))) sixstep::device::Backend* sixstep_device(
    sixstep::device::HostTransforms const& host);
