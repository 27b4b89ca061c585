// SPDX-License-Identifier: BSD-3-Clause
// Takes means of 3 x 3 points of a plane, and solves laplacian u = f in free space for a Gaussian.
#include <math.h>
#include <sixstep.h>
#include <stdio.h>

static void check(int code) {
  if (code != SIXSTEP_OK) fprintf(stderr, "%s\n", sixstep_error_message());
  if (code != SIXSTEP_OK) MPI_Abort(MPI_COMM_WORLD, 1);
}

// The mean of a linear function around a point is its value there.
static double error_of_means(int ranks, int rank) {
  // [convolution]
  int64_t const shape[] = {24, 16}, few[] = {3, 3};
  sixstep_convolution_options options = SIXSTEP_CONVOLUTION_OPTIONS;
  options.plan.kinds_count = 1;
  options.plan.kinds[0] = SIXSTEP_R2C;
  options.mode = SIXSTEP_CONVOLVE_VALID;
  sixstep_layout *slab = NULL, *small = NULL;
  sixstep_convolution* mean = NULL;
  check(sixstep_layout_slab(2, shape, ranks, 0, &slab));
  check(sixstep_layout_slab(2, few, ranks, 0, &small));
  check(sixstep_convolution_create(SIXSTEP_DOUBLE, slab, small, NULL, MPI_COMM_WORLD, &options,
                                   &mean));
  // [convolution]
  void *in_memory = NULL, *out_memory = NULL;
  sixstep_part in, out;
  check(sixstep_convolution_allocate(mean, &in_memory));
  check(sixstep_convolution_allocate(mean, &out_memory));
  check(sixstep_convolution_input_part(mean, &in) || sixstep_convolution_output_part(mean, &out));
  double *u = in_memory, *smooth = out_memory, error = 0, kernel[9];
  for (int64_t i = in.lo[0]; i < in.hi[0]; ++i)
    for (int64_t j = 0; j < 16; ++j) u[(i - in.lo[0]) * 16 + j] = (double)(i + 2 * j);
  // [apply]
  for (int i = 0; i < 9; ++i) kernel[i] = 1. / 9;  // this rank's rows of the kernel, if it has any
  check(sixstep_convolution_set_kernel(mean, kernel));
  check(sixstep_convolution_apply(mean, u, smooth));
  // [apply]
  for (int64_t i = out.lo[0]; i < out.hi[0]; ++i)
    for (int64_t j = 0; j < 14; ++j)
      error = fmax(error, fabs(smooth[(i - out.lo[0]) * 14 + j] - (double)(i + 1 + 2 * (j + 1))));
  printf("rank %d: largest error of a mean: %.1e\n", rank, error);
  check(sixstep_free(in_memory) || sixstep_free(out_memory) || sixstep_convolution_free(mean));
  check(sixstep_layout_free(slab) || sixstep_layout_free(small));
  return error;
}

// The distance of an element from the middle of 40 x 40 x 40 points.
static double distance(sixstep_part const* box, int64_t at) {
  int64_t const point[] = {box->lo[0] + at / 1600, at / 40 % 40, at % 40};
  double square = 0;
  for (int axis = 0; axis < 3; ++axis) square += pow(0.4 * ((double)point[axis] - 19.5), 2);
  return sqrt(square);
}
static double const pi = 3.14159265358979323846, width = 0.9;
static double gaussian(double r) {
  return exp(-r * r / (2 * width * width)) / pow(sqrt(2 * pi) * width, 3);
}
static double potential(double r) { return -erf(r / (sqrt(2) * width)) / (4 * pi * r); }

static double error_in_free_space(int ranks, int rank) {
  // [open_poisson]
  int64_t const shape[] = {40, 40, 40};
  sixstep_open_poisson_options options = SIXSTEP_OPEN_POISSON_OPTIONS;
  options.spacing_count = 1;  // of all axes
  options.spacing[0] = 0.4;
  sixstep_layout* slab = NULL;
  sixstep_convolution* solve = NULL;
  check(sixstep_layout_slab(3, shape, ranks, 0, &slab));
  check(sixstep_open_poisson_create(SIXSTEP_DOUBLE, slab, MPI_COMM_WORLD, &options, &solve));
  // [open_poisson]
  void* memory = NULL;
  sixstep_part box;
  check(sixstep_convolution_allocate(solve, &memory) ||
        sixstep_convolution_input_part(solve, &box));
  double *u = memory, error = 0;
  for (int64_t at = 0; at < box.points; ++at) u[at] = gaussian(distance(&box, at));
  // [solve]
  check(sixstep_convolution_apply(solve, u, u));
  // [solve]
  for (int64_t at = 0; at < box.points; ++at)
    error = fmax(error, fabs(u[at] - potential(distance(&box, at))));
  printf("rank %d: largest error of a potential: %.1e\n", rank, error);
  check(sixstep_free(memory) || sixstep_convolution_free(solve) || sixstep_layout_free(slab));
  return error;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double const error = fmax(error_of_means(ranks, rank), error_in_free_space(ranks, rank));
  MPI_Finalize();
  return error < 1e-12 ? 0 : 1;
}
