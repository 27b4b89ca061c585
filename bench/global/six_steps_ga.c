// SPDX-License-Identifier: BSD-3-Clause
// The six steps of a long transform with Global Arrays, rows by FFTW: what bench/gfft compares
// with.
//
//   six_steps_ga n1 n2 repeats
#include <complex.h>
#include <fftw3.h>
#include <ga.h>
#include <macdecls.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double complex *coarse, *fine;  // w_N^k = coarse[k / m] fine[k % m]
static long m;

static void make_roots(long n) {
  m = (long)ceil(sqrt((double)n));
  coarse = malloc((size_t)m * sizeof *coarse);
  fine = malloc((size_t)m * sizeof *fine);
  for (long k = 0; k < m; ++k) {
    coarse[k] = cexp(-2 * M_PI * I * (double)(k * m) / (double)n);
    fine[k] = cexp(-2 * M_PI * I * (double)k / (double)n);
  }
}

static int rows_of(char const* name, int rows, int columns) {
  int dims[2] = {rows, columns}, chunk[2] = {-1, columns};
  return NGA_Create(C_DCPL, 2, dims, (char*)name, chunk);
}

static fftw_plan plan_of(int array) {
  int lo[2], hi[2], ld[1];
  double complex* rows;
  NGA_Distribution(array, GA_Nodeid(), lo, hi);
  int n[1] = {hi[1] + 1};
  NGA_Access(array, lo, hi, &rows, ld);
  fftw_plan plan = fftw_plan_many_dft(1, n, hi[0] - lo[0] + 1, rows, NULL, 1, ld[0], rows, NULL, 1,
                                      ld[0], FFTW_FORWARD, FFTW_MEASURE);
  NGA_Release_update(array, lo, hi);
  return plan;
}

// [six_steps]
static void transform_rows(int array, fftw_plan plan, int twiddles) {
  int lo[2], hi[2], ld[1];
  double complex* rows;
  NGA_Distribution(array, GA_Nodeid(), lo, hi);
  NGA_Access(array, lo, hi, &rows, ld);
  fftw_execute(plan);
  for (long j = lo[0]; twiddles && j <= hi[0]; ++j)
    for (long k = 0; k <= hi[1]; ++k)
      rows[(j - lo[0]) * ld[0] + k] *= coarse[j * k / m] * fine[j * k % m];
  NGA_Release_update(array, lo, hi);
}

static void six_step(int x, int work, int X, fftw_plan of_work, fftw_plan of_x) {
  GA_Transpose(x, work);
  transform_rows(work, of_work, 1);
  GA_Transpose(work, x);
  transform_rows(x, of_x, 0);
  GA_Transpose(x, X);
}
// [six_steps]

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  GA_Initialize();
  int const n1 = atoi(argv[1]), n2 = atoi(argv[2]), repeats = atoi(argv[3]);
  double const points = (double)n1 * n2;
  MA_init(MT_DCPL, 1 << 20, (int)(points / GA_Nnodes() * 4 + (1 << 20)));
  make_roots((long)n1 * n2);
  int const x = rows_of("x", n1, n2), work = rows_of("work", n2, n1), X = rows_of("X", n2, n1);
  fftw_plan const of_work = plan_of(work), of_x = plan_of(x);
  double complex const one[1] = {1}, zero[1] = {0};
  for (int i = 0; i <= repeats; ++i) {
    GA_Fill(x, (void*)zero);
    // An impulse at j = 1: X[k] = w_N^k.
    int at[2] = {n2 > 1 ? 0 : 1, n2 > 1 ? 1 : 0}, ld[1] = {1};
    if (GA_Nodeid() == 0) NGA_Put(x, at, at, (void*)one, ld);
    GA_Sync();
    double const begin = MPI_Wtime();
    six_step(x, work, X, of_work, of_x);
    GA_Sync();
    if (GA_Nodeid() == 0 && i > 0) printf("seconds %.9f\n", MPI_Wtime() - begin);
  }
  if (GA_Nodeid() == 0) {
    int at[2] = {n2 / 3, n1 / 3}, ld[1] = {1};
    double complex found;
    NGA_Get(X, at, at, &found, ld);
    double const k = n1 / 3 + (double)n1 * (n2 / 3);
    printf("error %.1e\n", cabs(found - cexp(-2 * M_PI * I * k / points)));
  }
  GA_Terminate();
  MPI_Finalize();
}
