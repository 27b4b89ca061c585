// SPDX-License-Identifier: BSD-3-Clause
// cuFFT, loaded when the first plan on a GPU is made: hundreds of megabytes that programs on the
// host should not have to map.
#pragma once

#include <cufft.h>
#include <cufftXt.h>

namespace sixstep::device {

/// Its functions, as cufft.h and cufftXt.h declare them.
struct CufftLibrary {
  decltype(&cufftCreate) create;
  decltype(&cufftDestroy) destroy;
  decltype(&cufftSetAutoAllocation) set_auto_allocation;
  decltype(&cufftSetStream) set_stream;
  decltype(&cufftSetWorkArea) set_work_area;
  decltype(&cufftXtMakePlanMany) make_plan_many;
  decltype(&cufftXtExec) execute;
};

/// Errors: it is not found.
CufftLibrary const& cufft();

}  // namespace sixstep::device
