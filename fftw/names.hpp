// SPDX-License-Identifier: BSD-3-Clause
// The precision that a source is compiled for, and its names.
//
// Each source of this folder is compiled twice: for double precision, and with
// SIXSTEP_FFTW_SINGLE for single precision.
#pragma once

#include <cstddef>

#pragma GCC visibility push(default)
#include "sixstep-fftw/fftw3.h"

#ifdef SIXSTEP_FFTW_SINGLE
#define SIXSTEP_FFTW(name) fftwf_##name
#else
#define SIXSTEP_FFTW(name) fftw_##name
#endif

// Functions with which FFTW's interface for MPI reaches into the serial library. No program calls
// them.
extern "C" {
/// Lets fftw_malloc() ask `allocate` first, which may return null, and fftw_free() ask `release`,
/// which returns 0 for memory that is not its own. Both may be null.
void SIXSTEP_FFTW(sixstep_allocation)(void* (*allocate)(std::size_t bytes), int (*release)(void*));
/// Takes a PlanObject<Real>, which was made in `seconds`, and returns it, or one that counts.
void* SIXSTEP_FFTW(sixstep_reported)(void* plan, double seconds);
}
#pragma GCC visibility pop

namespace sixstep::fftw {

#ifdef SIXSTEP_FFTW_SINGLE
using Real = float;
#else
using Real = double;
#endif
using FftwComplex = SIXSTEP_FFTW(complex);

}  // namespace sixstep::fftw
