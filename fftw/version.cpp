// SPDX-License-Identifier: BSD-3-Clause
// What the library says about itself: it begins with the version of FFTW whose interface it has.
#include "names.hpp"

extern "C" {

const char SIXSTEP_FFTW(version)[] = "fftw-3.3.10-sixstep-" SIXSTEP_PROJECT_VERSION;
const char SIXSTEP_FFTW(cc)[] = __VERSION__;
const char SIXSTEP_FFTW(codelet_optim)[] = "";

}  // extern "C"
