/* SPDX-License-Identifier: BSD-3-Clause
 *
 * FFTW 3's serial interface, as sixstep provides it in double and in single precision.
 *
 * A program that is compiled with this header runs with FFTW's libraries too, and the other way
 * round. FFTW's manual documents the functions; docs/fftw.md says what differs.
 */
#ifndef FFTW3_H
#define FFTW3_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of a real to real transform. */
enum fftw_r2r_kind_of_axis {
  FFTW_R2HC,
  FFTW_HC2R,
  FFTW_DHT,
  FFTW_REDFT00,
  FFTW_REDFT01,
  FFTW_REDFT10,
  FFTW_REDFT11,
  FFTW_RODFT00,
  FFTW_RODFT01,
  FFTW_RODFT10,
  FFTW_RODFT11
};

/* A loop or an axis of the guru interface: its points, and its strides in both arrays. */
struct fftw_iodim_of_ints {
  int n;
  int is;
  int os;
};
struct fftw_iodim_of_ptrdiffs {
  ptrdiff_t n;
  ptrdiff_t is;
  ptrdiff_t os;
};

typedef void (*fftw_character_writer)(char, void*);
typedef int (*fftw_character_reader)(void*);
typedef void (*fftw_loop_in_parallel)(void* (*work)(char*), char* job_data, size_t job_size,
                                      int jobs, void* data);

/* The sign of the exponent. */
#define FFTW_FORWARD (-1)
#define FFTW_BACKWARD (+1)

#define FFTW_NO_TIMELIMIT (-1.0)

/* Flags. All ways of planning are alike: they measure nothing and leave the arrays alone. */
#define FFTW_MEASURE (0U)
#define FFTW_DESTROY_INPUT (1U << 0)
#define FFTW_UNALIGNED (1U << 1)
#define FFTW_CONSERVE_MEMORY (1U << 2)
#define FFTW_EXHAUSTIVE (1U << 3)
#define FFTW_PRESERVE_INPUT (1U << 4)
#define FFTW_PATIENT (1U << 5)
#define FFTW_ESTIMATE (1U << 6)
#define FFTW_WISDOM_ONLY (1U << 21)

/* Flags for FFTW's planner, which have no effect. */
#define FFTW_ESTIMATE_PATIENT (1U << 7)
#define FFTW_BELIEVE_PCOST (1U << 8)
#define FFTW_NO_DFT_R2HC (1U << 9)
#define FFTW_NO_NONTHREADED (1U << 10)
#define FFTW_NO_BUFFERING (1U << 11)
#define FFTW_NO_INDIRECT_OP (1U << 12)
#define FFTW_ALLOW_LARGE_GENERIC (1U << 13)
#define FFTW_NO_RANK_SPLITS (1U << 14)
#define FFTW_NO_VRANK_SPLITS (1U << 15)
#define FFTW_NO_VRECURSE (1U << 16)
#define FFTW_NO_SIMD (1U << 17)
#define FFTW_NO_SLOW (1U << 18)
#define FFTW_NO_FIXED_RADIX_LARGE_N (1U << 19)
#define FFTW_ALLOW_PRUNING (1U << 20)

/* C's complex numbers where <complex.h> was included before, otherwise two reals. */
#if !defined(FFTW_NO_Complex) && defined(_Complex_I) && defined(complex) && defined(I)
typedef double _Complex fftw_complex;
typedef float _Complex fftwf_complex;
#else
typedef double fftw_complex[2];
typedef float fftwf_complex[2];
#endif

#define FFTW_NAME(name) fftw_##name
#define FFTW_REAL double
#include "fftw3_functions.h"
#undef FFTW_NAME
#undef FFTW_REAL

#define FFTW_NAME(name) fftwf_##name
#define FFTW_REAL float
#include "fftw3_functions.h"
#undef FFTW_NAME
#undef FFTW_REAL

#ifdef __cplusplus
}
#endif

#endif
