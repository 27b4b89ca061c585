// SPDX-License-Identifier: BSD-3-Clause
// A C program of somebody else, who found sixstep installed: the mean of ones is one.
#include <mpi.h>
#include <sixstep.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int64_t const shape[] = {6, 5, 4};
  sixstep_layout* layout = NULL;
  sixstep_plan* plan = NULL;
  void* array = NULL;
  sixstep_part part;
  int failed = sixstep_layout_slab(3, shape, ranks, 0, &layout) ||
               sixstep_plan_create(SIXSTEP_DOUBLE, layout, layout, MPI_COMM_WORLD, NULL, &plan) ||
               sixstep_plan_allocate(plan, &array) || sixstep_plan_input_part(plan, &part);
  double* const values = array;
  for (int64_t i = 0; i < part.points && !failed; ++i) values[2 * i] = 1, values[2 * i + 1] = 0;
  failed = failed || sixstep_plan_forward(plan, array, array, SIXSTEP_BY_N);
  if (failed) fprintf(stderr, "%s\n", sixstep_error_message());
  if (!failed && part.points > 0 && part.lo[0] == 0) failed = values[0] != 1;
  sixstep_free(array);
  sixstep_plan_free(plan);
  sixstep_layout_free(layout);
  MPI_Finalize();
  return failed;
}
