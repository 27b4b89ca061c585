/* SPDX-License-Identifier: BSD-3-Clause
 * A program for FFTW that knows nothing of sixstep. It prints the coefficient of a wave.
 */
// [wave]
#include <fftw3.h>
#include <math.h>
#include <stdio.h>

int main(void) {
  enum { n = 240 };
  double* wave = fftw_alloc_real(n);
  fftw_complex* spectrum = fftw_alloc_complex(n / 2 + 1);
  fftw_plan plan = fftw_plan_dft_r2c_1d(n, wave, spectrum, FFTW_MEASURE);
  for (int j = 0; j < n; ++j) wave[j] = cos(2 * acos(-1.0) * 7 * j / n);
  fftw_execute(plan);
  printf("X[7] = %.1f with %s, %s\n", spectrum[7][0], fftw_version, fftw_cc);
  fftw_destroy_plan(plan);
  fftw_free(wave);
  fftw_free(spectrum);
  return 0;
}
// [wave]
