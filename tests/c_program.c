// SPDX-License-Identifier: BSD-3-Clause
// The C interface from C: a wave in, one coefficient out, and back.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sixstep.h"

static int failures = 0;

static void expect(int holds, char const* what) {
  if (holds) return;
  ++failures;
  fprintf(stderr, "%s: %s\n", what, sixstep_error_message());
}

// cos(2 pi (j0 + 2 j2) / 8) on a grid of 8^3: X[1, 0, 2] = X[7, 0, 6] = 8^3 / 2, all else 0.
static void transform_a_wave(int ranks) {
  int64_t const shape[] = {8, 8, 8};
  double const step = 2 * acos(-1.0) / 8;
  sixstep_options options = SIXSTEP_OPTIONS;
  options.kinds_count = 1;
  options.kinds[0] = SIXSTEP_R2C;
  sixstep_layout* input = NULL;
  sixstep_plan* plan = NULL;
  expect(!sixstep_layout_pencil(3, shape, ranks, &input), "layout");
  expect(!sixstep_plan_create(SIXSTEP_DOUBLE, input, NULL, MPI_COMM_WORLD, &options, &plan),
         "plan");
  sixstep_layout_free(input);  // the plan keeps what it needs

  void *field = NULL, *spectrum = NULL;
  expect(!sixstep_plan_allocate(plan, &field), "allocate");
  expect(!sixstep_plan_allocate(plan, &spectrum), "allocate");
  double* const u = field;
  double* const u_hat = spectrum;  // two reals each
  sixstep_part in, out;
  sixstep_plan_input_part(plan, &in);
  sixstep_plan_output_part(plan, &out);
  for (int64_t i = in.lo[0]; i < in.hi[0]; ++i)
    for (int64_t j = in.lo[1]; j < in.hi[1]; ++j)
      for (int64_t k = in.lo[2]; k < in.hi[2]; ++k)
        u[(i - in.lo[0]) * in.stride[0] + (j - in.lo[1]) * in.stride[1] +
          (k - in.lo[2]) * in.stride[2]] = cos(step * (double)(i + 2 * k));
  expect(!sixstep_plan_forward(plan, u, u_hat, SIXSTEP_UNSCALED), "forward");
  double worst = 0;
  for (int64_t i = out.lo[0]; i < out.hi[0]; ++i)
    for (int64_t j = out.lo[1]; j < out.hi[1]; ++j)
      for (int64_t k = out.lo[2]; k < out.hi[2]; ++k) {
        int64_t const at = (i - out.lo[0]) * out.stride[0] + (j - out.lo[1]) * out.stride[1] +
                           (k - out.lo[2]) * out.stride[2];
        double const expected = i == 1 && j == 0 && k == 2 ? 256 : 0;
        worst = fmax(worst, hypot(u_hat[2 * at] - expected, u_hat[2 * at + 1]));
      }
  expect(worst < 1e-11, "the spectrum");
  expect(!sixstep_plan_backward(plan, u_hat, u, SIXSTEP_BY_N), "backward");
  if (in.points > 0)
    expect(fabs(u[0] - cos(step * (double)(in.lo[0] + 2 * in.lo[2]))) < 1e-13, "the field");
  expect(!sixstep_plan_free(plan), "free");
  expect(!sixstep_free(field) && !sixstep_free(spectrum), "arrays");
}

static void fail_in_words(void) {
  sixstep_layout* layout = NULL;
  int64_t const shape[] = {8, -1};
  expect(sixstep_layout_slab(2, shape, 2, 0, &layout) == SIXSTEP_ERROR_ARGUMENT, "a code");
  expect(strstr(sixstep_error_message(), "-1") != NULL, "words");
  expect(layout == NULL, "no layout");
  expect(sixstep_plan_forward(NULL, NULL, NULL, 0) == SIXSTEP_ERROR_ARGUMENT, "no plan");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  transform_a_wave(ranks);
  fail_in_words();
  int all = 0;
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
