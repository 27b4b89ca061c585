// SPDX-License-Identifier: BSD-3-Clause
// Solves laplacian u = f in a periodic box, and takes the Laplacian of u by its own symbol.
#include <math.h>
#include <sixstep.h>
#include <stdio.h>

static void check(int code) {
  if (code != SIXSTEP_OK) fprintf(stderr, "%s\n", sixstep_error_message());
  if (code != SIXSTEP_OK) MPI_Abort(MPI_COMM_WORLD, 1);
}
// [function]
static int laplacian(void* context, int axes, int64_t count, double const* k, void* numbers) {
  (void)context;
  double* const minus_square = numbers;  // -|k|^2
  for (int64_t i = 0; i < count; ++i) {
    minus_square[i] = 0;
    for (int axis = 0; axis < axes; ++axis) minus_square[i] -= pow(k[i * axes + axis], 2);
  }
  return 0;
}
// [function]
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double const step = acos(-1.0) / 16;  // of the grid
  // [operator]
  int64_t const shape[] = {32, 16, 8};  // sides are 2 pi, pi and pi / 2
  sixstep_operator_options options = SIXSTEP_OPERATOR_OPTIONS;
  options.plan.kinds_count = 1;
  options.plan.kinds[0] = SIXSTEP_R2C;
  options.sides_count = 3;
  for (int axis = 0; axis < 3; ++axis) options.sides[axis] = step * (double)shape[axis];
  sixstep_layout* slab = NULL;
  sixstep_symbol *inverse = NULL, *own = NULL;
  sixstep_operator* solve = NULL;
  check(sixstep_layout_slab(3, shape, ranks, 0, &slab));
  check(sixstep_symbol_inverse_laplacian(NULL, &inverse));
  check(sixstep_operator_create(SIXSTEP_DOUBLE, slab, inverse, MPI_COMM_WORLD, &options, &solve));
  // [operator]
  void *f_memory = NULL, *u_memory = NULL;
  sixstep_part box;
  check(sixstep_operator_allocate(solve, &f_memory) || sixstep_operator_allocate(solve, &u_memory));
  check(sixstep_operator_input_part(solve, &box));
  double *f = f_memory, *u = u_memory, error = 0;
  for (int64_t at = 0; at < box.points; ++at)  // the last axis is the fastest
    f[at] = sin(step * 4 * (double)(at % 8)) * cos(step * 2 * (double)(at / 8 % 16)) *
            sin(step * (double)(box.lo[0] + at / 128));
  check(sixstep_operator_apply(solve, f, u));
  for (int64_t at = 0; at < box.points; ++at) error = fmax(error, fabs(u[at] + f[at] / 21));
  check(sixstep_symbol_function(laplacian, NULL, SIXSTEP_REAL_NUMBERS, &own));
  check(sixstep_operator_renew(solve, own) || sixstep_operator_apply(solve, u, u));
  for (int64_t at = 0; at < box.points; ++at) error = fmax(error, fabs(u[at] - f[at]));
  printf("largest error on this rank: %.1e\n", error);
  check(sixstep_operator_free(solve) || sixstep_free(f_memory) || sixstep_free(u_memory));
  check(sixstep_symbol_free(inverse) || sixstep_symbol_free(own) || sixstep_layout_free(slab));
  MPI_Finalize();
  return error < 1e-13 ? 0 : 1;
}
