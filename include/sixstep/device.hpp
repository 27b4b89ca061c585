// SPDX-License-Identifier: BSD-3-Clause
// Devices: which there are, and copies to and from their memory. Plans that work on one have
// Options::device.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sixstep/options.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// What this machine has of a device, and this library can use: the names of GPUs by number, or
/// the emulated device. None of Device::none.
std::vector<std::string> devices(Device device);

/// Memory of a device, for arrays of the user's own: of GPUs that which is CUDA's current device.
/// Plans also take what cudaMalloc gives. Errors: memory that cannot be had; a device that there is
/// not.
std::shared_ptr<void> allocate(Device device, std::size_t bytes);

/// Copies between the host's memory and a device's, or within the latter, and waits for the end.
/// For what is emulated there is no other way; with CUDA it is cudaMemcpy. Errors: a device that
/// there is not.
void copy(Device device, void* to, void const* from, std::size_t bytes);

}  // namespace sixstep
#pragma GCC visibility pop
