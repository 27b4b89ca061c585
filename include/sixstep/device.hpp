// SPDX-License-Identifier: BSD-3-Clause
// Devices: a list of them, their memory, and copies to and from it. Options::device makes a plan
// work on a device.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sixstep/options.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// The names of the devices of this kind that this machine has and this library can use: the GPUs
/// in the order of their numbers, or the emulated device. Empty for Device::none.
std::vector<std::string> devices(Device device);

/// Allocates memory of a device for the user's arrays; with several GPUs, memory of CUDA's current
/// device. Plans also take memory from cudaMalloc. Errors: too little memory; no such device.
std::shared_ptr<void> allocate(Device device, std::size_t bytes);

/// Copies between the host's memory and a device's, or within the device, and waits for the end.
/// CUDA's memory may also be copied by cudaMemcpy; memory of the emulated device only this way.
/// Errors: no such device.
void copy(Device device, void* to, void const* from, std::size_t bytes);

}  // namespace sixstep
#pragma GCC visibility pop
