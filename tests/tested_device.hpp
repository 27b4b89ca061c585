// SPDX-License-Identifier: BSD-3-Clause
// The device that tests of devices work on.
#pragma once

#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "sixstep/device.hpp"

namespace sixstep {

/// SIXSTEP_TEST_DEVICE: cuda; else what is emulated.
inline Device tested_device() {
  char const* const wanted = std::getenv("SIXSTEP_TEST_DEVICE");
  return wanted && wanted == std::string("cuda") ? Device::cuda : Device::emulated;
}

/// Makes the GPU of a rank current in this thread: of several it is that with the rank's number. -1
/// if there is none.
inline int take_gpu(int rank) {
  if (tested_device() != Device::cuda || devices(Device::cuda).empty()) return -1;
  int const number = rank % static_cast<int>(devices(Device::cuda).size());
  auto* const set_device = reinterpret_cast<int (*)(int)>(dlsym(RTLD_DEFAULT, "cudaSetDevice"));
  return set_device && set_device(number) == 0 ? number : -1;
}

}  // namespace sixstep
