// SPDX-License-Identifier: BSD-3-Clause
// What the library says about itself. A program that was built with FFTW has copied these arrays
// with the sizes that FFTW's had, so none is longer than in any build of FFTW.
#include "names.hpp"

extern "C" {

const char SIXSTEP_FFTW(version)[] = "fftw-3.3.10";
const char SIXSTEP_FFTW(cc)[] = "sixstep " SIXSTEP_PROJECT_VERSION;
const char SIXSTEP_FFTW(codelet_optim)[] = "";

}  // extern "C"
