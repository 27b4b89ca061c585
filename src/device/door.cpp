// SPDX-License-Identifier: BSD-3-Clause
#include "device/door.hpp"

#include "base/loaded_library.hpp"
#include "local/real_transform.hpp"
#include "sixstep/version.hpp"

namespace sixstep::device {

namespace {

template <class Real>
constexpr TransformMakers<Real> makers() {
  return {.c2c = [](Index n) { return local::make_transform<Real>(n); },
          .r2c = [](Index n) { return local::make_r2c<Real>(n); },
          .c2r = [](Index n) { return local::make_c2r<Real>(n); }};
}

}  // namespace

Backend& load(std::string const& name) {
  // CMake defines the suffix and the folder. The run path of a program or a library leads to a file
  // that lies beside it, wherever the tree has been moved.
  LoadedLibrary const library(
      text("libsixstep_device_", name, SIXSTEP_SUFFIX "-", version, ".so"), SIXSTEP_LIBRARY_FOLDER,
      "build and install sixstep with -DSIXSTEP_EMULATED=ON, or name its folder in "
      "LD_LIBRARY_PATH");
  decltype(&sixstep_device) device;
  library.find(device, "sixstep_device");
  return *device({makers<float>(), makers<double>()});
}

}  // namespace sixstep::device
