/* SPDX-License-Identifier: BSD-3-Clause
 *
 * FFTW 3's interface for programs of several ranks, as sixstep provides it in double and in single
 * precision.
 *
 * A program that is compiled with this header runs with FFTW's libraries for the same MPI too, and
 * the other way round. FFTW's manual documents the functions; docs/fftw.md says what differs.
 */
#ifndef FFTW3_MPI_H
#define FFTW3_MPI_H

#include <mpi.h>
#include <stddef.h>

#include "fftw3.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An axis: its points, and its blocks in both arrays. */
struct fftw_mpi_axis_in_blocks {
  ptrdiff_t n;
  ptrdiff_t ib;
  ptrdiff_t ob;
};

/* The block length with which all ranks have nearly as much. */
#define FFTW_MPI_DEFAULT_BLOCK (0)

/* Flags of planning functions. Results in any order that is not the natural one do not occur, so
 * the first two have no effect. */
#define FFTW_MPI_SCRAMBLED_IN (1U << 27)
#define FFTW_MPI_SCRAMBLED_OUT (1U << 28)
#define FFTW_MPI_TRANSPOSED_IN (1U << 29)
#define FFTW_MPI_TRANSPOSED_OUT (1U << 30)

#define FFTW_NAME(name) fftw_##name
#define FFTW_REAL double
#include "fftw3_mpi_functions.h"
#undef FFTW_NAME
#undef FFTW_REAL

#define FFTW_NAME(name) fftwf_##name
#define FFTW_REAL float
#include "fftw3_mpi_functions.h"
#undef FFTW_NAME
#undef FFTW_REAL

#ifdef __cplusplus
}
#endif

#endif
