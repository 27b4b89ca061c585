// SPDX-License-Identifier: BSD-3-Clause
// Whose kernels transform what one rank holds.
#pragma once

#pragma GCC visibility push(default)
namespace sixstep {

/// own: sixstep's kernels, which need nothing else. fftw and mkl: FFTW 3 or Intel's MKL on each
/// rank, loaded when a plan first asks for them; sixstep is neither built nor linked with them.
///
/// They are looked for as the system looks for shared libraries (LD_LIBRARY_PATH, ld.so.conf):
/// libfftw3.so.3 for double and libfftw3f.so.3 for single precision, and libmkl_rt.so.
enum class Local { own, fftw, mkl };

}  // namespace sixstep
#pragma GCC visibility pop
