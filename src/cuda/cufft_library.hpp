// SPDX-License-Identifier: BSD-3-Clause
// cuFFT, loaded when the first plan on a GPU is made, so that programs on the host do not have to
// map hundreds of megabytes.
#pragma once

#include <cufft.h>
#include <cufftXt.h>

namespace sixstep::device {

/// cuFFT's functions, as cufft.h and cufftXt.h declare them.
struct CufftLibrary {
  decltype(&cufftCreate) create;
  decltype(&cufftDestroy) destroy;
  decltype(&cufftSetAutoAllocation) set_auto_allocation;
  decltype(&cufftSetStream) set_stream;
  decltype(&cufftSetWorkArea) set_work_area;
  decltype(&cufftXtMakePlanMany) make_plan_many;
  decltype(&cufftXtExec) execute;
};

/// Throws Error if cuFFT is not found.
CufftLibrary const& cufft();

}  // namespace sixstep::device
