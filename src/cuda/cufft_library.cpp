// SPDX-License-Identifier: BSD-3-Clause
// Loads cuFFT in the version that this library was built with.
#include "cuda/cufft_library.hpp"

#include "base/loaded_library.hpp"

namespace sixstep::device {

namespace {

CufftLibrary load() {
  LoadedLibrary const library(text("libcufft.so.", CUFFT_VER_MAJOR), SIXSTEP_CUDA_LIBRARY_DIR);
  CufftLibrary found{};
  library.find(found.create, "cufftCreate");
  library.find(found.destroy, "cufftDestroy");
  library.find(found.set_auto_allocation, "cufftSetAutoAllocation");
  library.find(found.set_stream, "cufftSetStream");
  library.find(found.set_work_area, "cufftSetWorkArea");
  library.find(found.make_plan_many, "cufftXtMakePlanMany");
  library.find(found.execute, "cufftXtExec");
  return found;
}

}  // namespace

CufftLibrary const& cufft() {
  static CufftLibrary const loaded = load();
  return loaded;
}

}  // namespace sixstep::device
