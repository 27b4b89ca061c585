// SPDX-License-Identifier: BSD-3-Clause
// Whose kernels transform the columns of one rank.
#pragma once

#include "sixstep/named.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// own: sixstep's kernels, which need no other library. fftw and mkl: FFTW 3 or Intel's MKL on each
/// rank. They are loaded when a plan first needs them; sixstep is neither built nor linked with
/// them.
///
/// The system searches for them as for any shared library (LD_LIBRARY_PATH, ld.so.conf):
/// libfftw3.so.3 for double and libfftw3f.so.3 for single precision, and libmkl_rt.so.
enum class Local { own, fftw, mkl };
constexpr auto names_of(Local) { return std::array{"own", "fftw", "mkl"}; }

}  // namespace sixstep
#pragma GCC visibility pop
