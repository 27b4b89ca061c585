/* SPDX-License-Identifier: BSD-3-Clause
 * FFTW's interface from C: what a program may do beside transforms, and C's own complex numbers. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fftw3.h"

static int failures = 0;

static void expect(int holds, char const* what) {
  if (holds) return;
  ++failures;
  fprintf(stderr, "failed: %s\n", what);
}

enum { n = 12 };
static fftw_complex in[4 * n * n], out[4 * n * n];
static double real_in[8 * n * n], real_out[8 * n * n];

/* exp(2 pi i 3 j/n): X[3] = n, all else 0. */
static void transforms_a_wave(void) {
  fftw_plan const plan = fftw_plan_dft_1d(n, in, out, FFTW_FORWARD, FFTW_MEASURE);
  for (int j = 0; j < n; ++j) in[j] = cexp(2 * acos(-1.0) * I * 3 * j / n);
  fftw_execute(plan);
  double error = 0;
  for (int k = 0; k < n; ++k) error += cabs(out[k] - (k == 3 ? n : 0));
  fftw_complex* const others = fftw_alloc_complex(2 * n);
  memcpy(others, in, n * sizeof *others);
  fftw_execute_dft(plan, others, others + n);
  for (int k = 0; k < n; ++k) error += cabs(others[n + k] - out[k]);
  fftw_free(others);
  fftw_destroy_plan(plan);
  expect(error < 1e-12, "a wave");
}

/* The sum over all points is the first coefficient of c2c, r2c and R2HC, and DHT's. */
static void plans_of_several_axes(void) {
  int const shape[] = {2, 3, n};
  int const points = 2 * 3 * n;
  fftw_r2r_kind const kinds[] = {FFTW_R2HC, FFTW_DHT, FFTW_R2HC};
  fftw_iodim const dims[] = {{2, 3 * n, 3 * n}, {3, n, n}, {n, 1, 1}};
  fftw_plan const real[] = {
      fftw_plan_r2r(3, shape, real_in, real_out, kinds, FFTW_ESTIMATE),
      fftw_plan_r2r_3d(2, 3, n, real_in, real_out, FFTW_DHT, FFTW_DHT, FFTW_DHT, FFTW_ESTIMATE),
      fftw_plan_guru_r2r(3, dims, 0, NULL, real_in, real_out, kinds, FFTW_ESTIMATE),
      fftw_plan_r2r_2d(6, n, real_in, real_out, FFTW_DHT, FFTW_R2HC, FFTW_ESTIMATE),
      fftw_plan_r2r_1d(points, real_in, real_out, FFTW_R2HC, FFTW_ESTIMATE),
      fftw_plan_many_r2r(1, &points, 1, real_in, NULL, 1, 0, real_out, NULL, 1, 0, kinds,
                         FFTW_ESTIMATE)};
  fftw_plan const half[] = {fftw_plan_dft_r2c(3, shape, real_in, out, FFTW_ESTIMATE),
                            fftw_plan_dft_r2c_3d(2, 3, n, real_in, out, FFTW_ESTIMATE),
                            fftw_plan_dft_r2c_2d(6, n, real_in, out, FFTW_ESTIMATE),
                            fftw_plan_dft_r2c_1d(points, real_in, out, FFTW_ESTIMATE),
                            fftw_plan_guru_dft_r2c(3, dims, 0, NULL, real_in, out, FFTW_ESTIMATE)};
  double sum = 0;
  for (int j = 0; j < points; ++j) sum += real_in[j] = sin(1.0 + j);
  for (int i = 0; i < 6; ++i) {
    fftw_execute(real[i]);
    expect(fabs(real_out[0] - sum) < 1e-12, "a sum of reals");
    fftw_execute_r2r(real[i], real_in, real_out + 1);
    expect(fabs(real_out[1] - sum) < 1e-12, "a sum of other reals");
    fftw_destroy_plan(real[i]);
  }
  for (int i = 0; i < 5; ++i) {
    fftw_execute(half[i]);
    expect(cabs(out[0] - sum) < 1e-12, "a sum of coefficients");
    fftw_execute_dft_r2c(half[i], real_in, out + 1);
    expect(cabs(out[1] - sum) < 1e-12, "a sum in another array");
    fftw_destroy_plan(half[i]);
  }
}

/* r2c and c2r of dense arrays, through all that is not guru. */
static void there_and_back(void) {
  int const shape[] = {2, 3, n};
  int const points = 2 * 3 * n;
  struct {
    fftw_plan there, back;
  } const pairs[] = {
      {fftw_plan_dft_r2c(3, shape, real_in, out, FFTW_ESTIMATE),
       fftw_plan_dft_c2r(3, shape, out, real_out, FFTW_ESTIMATE)},
      {fftw_plan_dft_r2c_3d(2, 3, n, real_in, out, FFTW_ESTIMATE),
       fftw_plan_dft_c2r_3d(2, 3, n, out, real_out, FFTW_ESTIMATE)},
      {fftw_plan_dft_r2c_2d(6, n, real_in, out, FFTW_ESTIMATE),
       fftw_plan_dft_c2r_2d(6, n, out, real_out, FFTW_ESTIMATE)},
      {fftw_plan_dft_r2c_1d(points, real_in, out, FFTW_ESTIMATE),
       fftw_plan_dft_c2r_1d(points, out, real_out, FFTW_ESTIMATE)},
      {fftw_plan_many_dft_r2c(3, shape, 1, real_in, NULL, 1, 0, out, NULL, 1, 0, FFTW_ESTIMATE),
       fftw_plan_many_dft_c2r(3, shape, 1, out, NULL, 1, 0, real_out, NULL, 1, 0, FFTW_ESTIMATE)}};
  for (int j = 0; j < points; ++j) real_in[j] = cos(1.0 + j * j);
  for (int i = 0; i < 5; ++i) {
    double error = 0;
    fftw_execute(pairs[i].there);
    fftw_execute(pairs[i].back);
    for (int j = 0; j < points; ++j) error += fabs(real_out[j] / points - real_in[j]);
    expect(error < 1e-12, "there and back");
    fftw_destroy_plan(pairs[i].there);
    fftw_destroy_plan(pairs[i].back);
  }
}

/* One plan for 5 columns, in arrays that are embedded in larger ones. */
static void embedded_arrays(void) {
  int const shape[] = {3, 4}, inner[] = {3, 6}, outer[] = {3, 5};
  fftw_plan const plan = fftw_plan_many_dft(2, shape, 5, in, inner, 5, 1, out, outer, 1, 15,
                                            FFTW_BACKWARD, FFTW_ESTIMATE);
  for (int j = 0; j < 3 * 6 * 5; ++j) in[j] = sin(j) + I * cos(2.0 * j);
  fftw_execute(plan);
  double error = 0;
  for (int c = 0; c < 5; ++c) {
    fftw_complex sum = 0, alternating = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j) {
        sum += in[(i * 6 + j) * 5 + c];
        alternating += (j % 2 == 0 ? 1 : -1) * in[(i * 6 + j) * 5 + c];
      }
    error += cabs(out[15 * c] - sum) + cabs(out[15 * c + 2] - alternating);
  }
  expect(error < 1e-12, "embedded arrays");
  fftw_destroy_plan(plan);
}

static void null_where_fftw_has_no_plan(void) {
  int const empty[] = {4, 0};
  fftw_iodim const spread = {4, 1, 2};
  expect(!fftw_plan_dft_1d(0, in, out, FFTW_FORWARD, FFTW_ESTIMATE), "no points");
  expect(!fftw_plan_dft(2, empty, in, out, FFTW_FORWARD, FFTW_ESTIMATE), "an axis without points");
  expect(!fftw_plan_dft(-1, empty, in, out, FFTW_FORWARD, FFTW_ESTIMATE), "a negative rank");
  expect(!fftw_plan_r2r_1d(1, real_in, real_out, FFTW_REDFT00, FFTW_ESTIMATE), "REDFT00 of 1");
  expect(!fftw_plan_dft_c2r_2d(4, 4, in, real_out, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT),
         "c2r of two axes that preserves its input");
  expect(!fftw_plan_guru_dft(1, &spread, 0, NULL, in, in, FFTW_FORWARD, FFTW_ESTIMATE),
         "in place to other places");
  fftw_plan const nothing = fftw_plan_many_dft(1, &spread.n, 0, in, NULL, 1, 4, out, NULL, 1, 4,
                                               FFTW_FORWARD, FFTW_ESTIMATE);
  expect(nothing != NULL, "no transforms are a plan");
  fftw_execute(nothing);
  fftw_destroy_plan(nothing);
  fftw_destroy_plan(NULL);
}

static int plans_with(int points, unsigned flags) {
  fftw_plan const plan = fftw_plan_dft_1d(points, in, out, FFTW_FORWARD, flags);
  fftw_destroy_plan(plan);
  return plan != NULL;
}
static int plans_by_wisdom(int points) { return plans_with(points, FFTW_WISDOM_ONLY); }

static int read_character(void* rest) {
  char const** const next = rest;
  return **next == '\0' ? EOF : *(*next)++;
}
static void write_character(char c, void* end) { *(*(char**)end)++ = c; }

static void wisdom_is_kept(void) {
  fftw_forget_wisdom();
  expect(!plans_by_wisdom(n), "no wisdom yet");
  char* const nothing = fftw_export_wisdom_to_string();
  expect(!plans_with(n, FFTW_WISDOM_ONLY | FFTW_ESTIMATE), "no estimate yet");
  expect(plans_with(n, FFTW_ESTIMATE), "a plan by an estimate");
  expect(plans_with(n, FFTW_WISDOM_ONLY | FFTW_ESTIMATE), "an estimate is remembered");
  char* const estimated = fftw_export_wisdom_to_string();
  expect(strcmp(nothing, estimated) == 0, "estimates are not exported");
  free(nothing);
  free(estimated);
  expect(!plans_by_wisdom(n), "estimates are no wisdom");
  fftw_destroy_plan(fftw_plan_dft_1d(n, in, out, FFTW_FORWARD, FFTW_MEASURE));
  expect(plans_by_wisdom(n), "a measured plan is wisdom");
  expect(!plans_by_wisdom(n + 1), "of its own length alone");

  char* const words = fftw_export_wisdom_to_string();
  char* const copy = calloc(strlen(words) + 1, 1);
  char* end = copy;
  fftw_export_wisdom(write_character, &end);
  expect(strcmp(words, copy) == 0, "characters are those of the string");
  char const* rest = copy;
  fftw_cleanup();
  expect(!plans_by_wisdom(n), "forgotten wisdom");
  expect(fftw_import_wisdom(read_character, &rest) && plans_by_wisdom(n), "characters read again");
  fftw_forget_wisdom();
  expect(fftw_import_wisdom_from_string(words) && plans_by_wisdom(n), "a string read again");
  expect(fftw_export_wisdom_to_filename("fftw_c_program.wisdom"), "a file is written");
  fftw_forget_wisdom();
  expect(fftw_import_wisdom_from_filename("fftw_c_program.wisdom") && plans_by_wisdom(n),
         "a file read again");
  remove("fftw_c_program.wisdom");
  expect(!fftw_import_wisdom_from_filename("/nonexistent/wisdom"), "no file");
  char const* const others[] = {
      "",
      "garbage",
      "(fftw-3.3.10 fftw_wisdom #x458a31c8 #x92381c4c #x4f974889 #xcd46f97e\n)\n",
      "(sixstep-fftw3 wisdom\n  (12 0)\n",
      "(sixstep-fftw3 wisdom\n  (12)\n)\n",
      "(sixstep-fftw3 wisdom\n  (12 7)\n)\n"};
  for (int i = 0; i < 6; ++i)
    expect(!fftw_import_wisdom_from_string(others[i]), "others' wisdom is refused");
  free(words);
  free(copy);
}

static int loops = 0;
static void loop_backwards(void* (*work)(char*), char* job, size_t size, int jobs, void* data) {
  ++*(int*)data;
  for (int i = jobs; i-- > 0;) work(job + (size_t)i * size);
}

static void threads_are_asked_for(void) {
  enum { large = 1 << 18 };
  fftw_complex* const x = fftw_alloc_complex(large);
  expect(fftw_init_threads() && fftw_planner_nthreads() == 1, "one thread at first");
  fftw_make_planner_thread_safe();
  fftw_plan_with_nthreads(2);
  expect(fftw_planner_nthreads() == 2, "two threads");
  fftw_plan const plan = fftw_plan_dft_2d(512, 512, x, x, FFTW_FORWARD, FFTW_ESTIMATE);
  memset(x, 0, large * sizeof *x);
  x[1] = 1;
  fftw_threads_set_callback(loop_backwards, &loops);
  fftw_execute(plan);
  expect(loops > 0, "the user's loop");
  int const before = loops;
  fftw_threads_set_callback(NULL, NULL);
  double error = 0;
  for (int k = 0; k < 512; ++k) error += cabs(x[k] - cexp(-2 * acos(-1.0) * I * k / 512));
  expect(error < 1e-11, "the result of the user's loop");
  fftw_execute(plan);
  expect(loops == before, "the user's loop is no longer used");
  fftw_destroy_plan(plan);
  fftw_cleanup_threads();
  expect(fftw_planner_nthreads() == 1, "one thread at last");
  fftw_free(x);
}

static void plans_tell_what_they_are(void) {
  fftw_plan const plan = fftw_plan_dft_1d(64, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
  double add = -1, multiply = -1, fused = -1;
  fftw_flops(plan, &add, &multiply, &fused);
  expect(add > 0 && multiply > 0 && fused >= 0, "flops");
  expect(fftw_cost(plan) > 0 && fftw_estimate_cost(plan) > 0, "cost");
  char* const words = fftw_sprint_plan(plan);
  char line[200] = "";
  FILE* const file = tmpfile();
  fftw_fprint_plan(plan, file);
  rewind(file);
  size_t const length = fread(line, 1, sizeof line - 1, file);
  expect(length > 0 && strcmp(words, line) == 0, "words");
  fclose(file);
  free(words);
  fftw_destroy_plan(plan);
  expect(strncmp(fftw_version, "fftw-3.", 7) == 0 && fftw_cc[0] != '\0', "version");
}

static void memory_is_aligned(void) {
  double* const x = fftw_alloc_real(3);
  expect(fftw_alignment_of(x) == 0 && fftw_alignment_of(x + 1) == 8, "alignment");
  fftw_free(x);
  fftw_free(fftw_malloc(0));
  fftw_free(NULL);
}

int main(void) {
  transforms_a_wave();
  plans_of_several_axes();
  there_and_back();
  embedded_arrays();
  null_where_fftw_has_no_plan();
  wisdom_is_kept();
  threads_are_asked_for();
  plans_tell_what_they_are();
  memory_is_aligned();
  return failures > 0;
}
