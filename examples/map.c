// SPDX-License-Identifier: BSD-3-Clause
// Multiplies a velocity u by the slope of a temperature c, from Fourier coefficients to Fourier
// coefficients: of u = cos x and c = sin 2x it makes 2 cos x cos 2x = cos x + cos 3x.
#include <complex.h>
#include <math.h>
#include <sixstep.h>
#include <stdio.h>

static void check(int code) {
  if (code != SIXSTEP_OK) fprintf(stderr, "%s\n", sixstep_error_message());
  if (code != SIXSTEP_OK) MPI_Abort(MPI_COMM_WORLD, 1);
}
// [functions]
// Coefficients of u and c to those of u and dc/dx.
static int differentiate(void* context, sixstep_batch const* batch) {
  (void)context;
  double complex const *u = batch->in[0], *c = batch->in[1];
  double complex *same = batch->out[0], *slope = batch->out[1];
  for (int64_t i = 0; i < batch->count; ++i) {
    same[i] = u[i];
    slope[i] = I * batch->k[0][i] * c[i];
  }
  return 0;
}

// Values of u and dc/dx at points to those of their product.
static int multiply(void* context, sixstep_batch const* batch) {
  (void)context;
  double const *u = batch->in[0], *slope = batch->in[1];
  double* product = batch->out[0];
  for (int64_t i = 0; i < batch->count; ++i) product[i] = u[i] * slope[i];
  return 0;
}
// [functions]
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  // [map]
  int64_t const shape[] = {32, 24};
  sixstep_map_options options = SIXSTEP_MAP_OPTIONS;
  options.plan.kinds_count = 1;
  options.plan.kinds[0] = SIXSTEP_R2C;
  options.plan.fields = 2;  // u and c
  sixstep_map_functions const functions = {.before = {differentiate, NULL, 2},
                                           .at_points = {multiply, NULL, 1}};
  sixstep_layout* slab = NULL;
  sixstep_map* advect = NULL;
  check(sixstep_layout_slab(2, shape, ranks, 1, &slab));
  check(sixstep_map_create(SIXSTEP_DOUBLE, slab, NULL, MPI_COMM_WORLD, &functions, &options,
                           &advect));
  // [map]
  void *fields_memory = NULL, *product_memory = NULL;
  sixstep_part in, out;
  int64_t size = 0;
  check(sixstep_map_allocate(advect, &fields_memory));
  check(sixstep_map_allocate(advect, &product_memory));
  check(sixstep_map_input_part(advect, &in) || sixstep_map_output_part(advect, &out));
  check(sixstep_map_sizes(advect, &size, NULL, NULL));
  double complex *fields = fields_memory, *product = product_memory;
  double const half = 32 * 24 / 2;  // the coefficients of a cosine
  for (int64_t i = 0; i < size; ++i) fields[i] = 0;
  if (in.lo[1] == 0)  // no wave along the last axis
    for (int64_t k = in.lo[0]; k < in.hi[0]; ++k) {
      double complex* here = fields + (k - in.lo[0]) * in.stride[0];
      if (k == 1 || k == 31) here[0] = half;
      if (k == 2 || k == 30) here[in.stride[2]] = k == 2 ? -I * half : I * half;
    }
  check(sixstep_map_apply(advect, fields, product));
  double error = 0;
  for (int64_t k = out.lo[0]; k < out.hi[0]; ++k)
    for (int64_t j = out.lo[1]; j < out.hi[1]; ++j) {
      int const is_there = j == 0 && (k == 1 || k == 3 || k == 29 || k == 31);
      int64_t const at = (k - out.lo[0]) * out.stride[0] + (j - out.lo[1]) * out.stride[1];
      error = fmax(error, cabs(product[at] - (is_there ? half : 0)) / half);
    }
  printf("largest error on this rank: %.1e\n", error);
  check(sixstep_free(fields_memory) || sixstep_free(product_memory));
  check(sixstep_map_free(advect) || sixstep_layout_free(slab));
  MPI_Finalize();
  return error < 1e-13 ? 0 : 1;
}
