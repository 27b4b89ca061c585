// SPDX-License-Identifier: BSD-3-Clause
// Solves laplacian u = 0 in a rectangle, with the values of u at its walls.
#include <math.h>
#include <sixstep.h>
#include <stdio.h>

static void check(int code) {
  if (code != SIXSTEP_OK) fprintf(stderr, "%s\n", sixstep_error_message());
  if (code != SIXSTEP_OK) MPI_Abort(MPI_COMM_WORLD, 1);
}
// [values]
static int saddle(void* context, int axis, int is_last, double const* x, double* u) {
  (void)context, (void)axis, (void)is_last;  // u is given at all walls
  *u = x[0] * x[0] - x[1] * x[1];
  return 0;
}
// [values]
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  // [solver]
  int64_t const shape[] = {24, 15};
  sixstep_poisson_options options = SIXSTEP_POISSON_OPTIONS;
  options.sides_count = 2;
  options.sides[0] = 3;
  options.sides[1] = 2;
  options.walls_count = options.points_count = 1;  // for all axes
  options.walls[0] = SIXSTEP_DIRICHLET;
  options.points[0] = SIXSTEP_NODES;
  options.accuracy = 2;  // finite differences
  sixstep_layout* slab = NULL;
  sixstep_poisson* poisson = NULL;
  sixstep_operator* arrays = NULL;  // knows the arrays' sizes
  check(sixstep_layout_slab(2, shape, ranks, 0, &slab));
  check(sixstep_poisson_create(SIXSTEP_DOUBLE, slab, MPI_COMM_WORLD, &options, &poisson));
  check(sixstep_poisson_inverse(poisson, &arrays));
  // [solver]
  void* memory = NULL;
  sixstep_part box;
  check(sixstep_operator_allocate(arrays, &memory) || sixstep_operator_input_part(arrays, &box));
  double *u = memory, error = 0, x[2], expected;
  for (int64_t at = 0; at < box.points; ++at) u[at] = 0;  // the right side
  // [solve]
  check(sixstep_poisson_solve(poisson, u, u, saddle, NULL, NULL));
  // [solve]
  for (int64_t at = 0; at < box.points; ++at) {
    int64_t const point[] = {box.lo[0] + at / shape[1], at % shape[1]};
    check(sixstep_poisson_x(poisson, point, x));
    saddle(NULL, 0, 0, x, &expected);
    error = fmax(error, fabs(u[at] - expected));
  }
  printf("largest error on this rank: %.1e\n", error);
  check(sixstep_free(memory) || sixstep_operator_free(arrays) || sixstep_poisson_free(poisson));
  check(sixstep_layout_free(slab));
  MPI_Finalize();
  return error < 1e-13 ? 0 : 1;
}
