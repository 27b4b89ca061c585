// SPDX-License-Identifier: BSD-3-Clause
// The documents' example in C: ones, whose spectrum is one number.
#include <sixstep.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  // [plan]
  int64_t const shape[] = {64, 60, 50};
  sixstep_options options = SIXSTEP_OPTIONS;
  options.kinds_count = 1;
  options.kinds[0] = SIXSTEP_R2C;
  sixstep_layout* slab = NULL;
  sixstep_plan* plan = NULL;
  if (sixstep_layout_slab(3, shape, ranks, 0, &slab) ||
      sixstep_plan_create(SIXSTEP_DOUBLE, slab, NULL, MPI_COMM_WORLD, &options, &plan)) {
    fprintf(stderr, "%s\n", sixstep_error_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  // [plan]
  // [use]
  void *field = NULL, *spectrum = NULL;  // collective; ranks of a node share them
  sixstep_plan_allocate(plan, &field);
  sixstep_plan_allocate(plan, &spectrum);
  sixstep_part in, out;  // what this rank holds, and where it lies
  sixstep_plan_input_part(plan, &in);
  sixstep_plan_output_part(plan, &out);
  for (int64_t i = 0; i < in.points; ++i) ((double*)field)[i] = 1;
  int failed = sixstep_plan_forward(plan, field, spectrum, SIXSTEP_UNSCALED);
  // [use]
  if (!failed && out.points > 0 && out.lo[0] == 0 && out.lo[1] == 0 && out.lo[2] == 0) {
    printf("X[0] = %g\n", *(double*)spectrum);
    failed = *(double*)spectrum != 64 * 60 * 50;
  }
  sixstep_free(field);
  sixstep_free(spectrum);
  sixstep_plan_free(plan);
  sixstep_layout_free(slab);
  MPI_Finalize();
  return failed;
}
