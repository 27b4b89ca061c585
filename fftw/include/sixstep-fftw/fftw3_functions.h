/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of one precision. fftw3.h includes this file once for each, with
 *   FFTW_NAME(name)  the name with the precision's prefix
 *   FFTW_REAL        the type of real numbers
 */

typedef struct FFTW_NAME(plan_s) * FFTW_NAME(plan);
typedef enum fftw_r2r_kind_of_axis FFTW_NAME(r2r_kind);
typedef struct fftw_iodim_of_ints FFTW_NAME(iodim);
typedef struct fftw_iodim_of_ptrdiffs FFTW_NAME(iodim64);
typedef fftw_character_writer FFTW_NAME(write_char_func);
typedef fftw_character_reader FFTW_NAME(read_char_func);

/* Complex to complex. */
FFTW_NAME(plan)
FFTW_NAME(plan_dft)
(int rank, const int* n, FFTW_NAME(complex) * in, FFTW_NAME(complex) * out, int sign,
 unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_dft_1d)
(int n, FFTW_NAME(complex) * in, FFTW_NAME(complex) * out, int sign, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_dft_2d)
(int n0, int n1, FFTW_NAME(complex) * in, FFTW_NAME(complex) * out, int sign, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_dft_3d)
(int n0, int n1, int n2, FFTW_NAME(complex) * in, FFTW_NAME(complex) * out, int sign,
 unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_many_dft)
(int rank, const int* n, int howmany, FFTW_NAME(complex) * in, const int* inembed, int istride,
 int idist, FFTW_NAME(complex) * out, const int* onembed, int ostride, int odist, int sign,
 unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_guru_dft)
(int rank, const FFTW_NAME(iodim) * dims, int howmany_rank, const FFTW_NAME(iodim) * howmany_dims,
 FFTW_NAME(complex) * in, FFTW_NAME(complex) * out, int sign, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_guru64_dft)
(int rank, const FFTW_NAME(iodim64) * dims, int howmany_rank,
 const FFTW_NAME(iodim64) * howmany_dims, FFTW_NAME(complex) * in, FFTW_NAME(complex) * out,
 int sign, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_guru_split_dft)
(int rank, const FFTW_NAME(iodim) * dims, int howmany_rank, const FFTW_NAME(iodim) * howmany_dims,
 FFTW_REAL* ri, FFTW_REAL* ii, FFTW_REAL* ro, FFTW_REAL* io, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_guru64_split_dft)
(int rank, const FFTW_NAME(iodim64) * dims, int howmany_rank,
 const FFTW_NAME(iodim64) * howmany_dims, FFTW_REAL* ri, FFTW_REAL* ii, FFTW_REAL* ro,
 FFTW_REAL* io, unsigned flags);

/* Real to complex. */
FFTW_NAME(plan)
FFTW_NAME(plan_dft_r2c)
(int rank, const int* n, FFTW_REAL* in, FFTW_NAME(complex) * out, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_dft_r2c_1d)(int n, FFTW_REAL* in, FFTW_NAME(complex) * out, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_dft_r2c_2d)(int n0, int n1, FFTW_REAL* in, FFTW_NAME(complex) * out, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_dft_r2c_3d)
(int n0, int n1, int n2, FFTW_REAL* in, FFTW_NAME(complex) * out, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_many_dft_r2c)
(int rank, const int* n, int howmany, FFTW_REAL* in, const int* inembed, int istride, int idist,
 FFTW_NAME(complex) * out, const int* onembed, int ostride, int odist, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_guru_dft_r2c)
(int rank, const FFTW_NAME(iodim) * dims, int howmany_rank, const FFTW_NAME(iodim) * howmany_dims,
 FFTW_REAL* in, FFTW_NAME(complex) * out, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_guru64_dft_r2c)
(int rank, const FFTW_NAME(iodim64) * dims, int howmany_rank,
 const FFTW_NAME(iodim64) * howmany_dims, FFTW_REAL* in, FFTW_NAME(complex) * out, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_guru_split_dft_r2c)
(int rank, const FFTW_NAME(iodim) * dims, int howmany_rank, const FFTW_NAME(iodim) * howmany_dims,
 FFTW_REAL* in, FFTW_REAL* ro, FFTW_REAL* io, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_guru64_split_dft_r2c)
(int rank, const FFTW_NAME(iodim64) * dims, int howmany_rank,
 const FFTW_NAME(iodim64) * howmany_dims, FFTW_REAL* in, FFTW_REAL* ro, FFTW_REAL* io,
 unsigned flags);

/* Complex to real. Unless FFTW_PRESERVE_INPUT is given, the input may be overwritten. */
FFTW_NAME(plan)
FFTW_NAME(plan_dft_c2r)
(int rank, const int* n, FFTW_NAME(complex) * in, FFTW_REAL* out, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_dft_c2r_1d)(int n, FFTW_NAME(complex) * in, FFTW_REAL* out, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_dft_c2r_2d)(int n0, int n1, FFTW_NAME(complex) * in, FFTW_REAL* out, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_dft_c2r_3d)
(int n0, int n1, int n2, FFTW_NAME(complex) * in, FFTW_REAL* out, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_many_dft_c2r)
(int rank, const int* n, int howmany, FFTW_NAME(complex) * in, const int* inembed, int istride,
 int idist, FFTW_REAL* out, const int* onembed, int ostride, int odist, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_guru_dft_c2r)
(int rank, const FFTW_NAME(iodim) * dims, int howmany_rank, const FFTW_NAME(iodim) * howmany_dims,
 FFTW_NAME(complex) * in, FFTW_REAL* out, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_guru64_dft_c2r)
(int rank, const FFTW_NAME(iodim64) * dims, int howmany_rank,
 const FFTW_NAME(iodim64) * howmany_dims, FFTW_NAME(complex) * in, FFTW_REAL* out, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_guru_split_dft_c2r)
(int rank, const FFTW_NAME(iodim) * dims, int howmany_rank, const FFTW_NAME(iodim) * howmany_dims,
 FFTW_REAL* ri, FFTW_REAL* ii, FFTW_REAL* out, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_guru64_split_dft_c2r)
(int rank, const FFTW_NAME(iodim64) * dims, int howmany_rank,
 const FFTW_NAME(iodim64) * howmany_dims, FFTW_REAL* ri, FFTW_REAL* ii, FFTW_REAL* out,
 unsigned flags);

/* Real to real, with a kind for each axis. */
FFTW_NAME(plan)
FFTW_NAME(plan_r2r)
(int rank, const int* n, FFTW_REAL* in, FFTW_REAL* out, const FFTW_NAME(r2r_kind) * kind,
 unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_r2r_1d)
(int n, FFTW_REAL* in, FFTW_REAL* out, FFTW_NAME(r2r_kind) kind, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_r2r_2d)
(int n0, int n1, FFTW_REAL* in, FFTW_REAL* out, FFTW_NAME(r2r_kind) kind0,
 FFTW_NAME(r2r_kind) kind1, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_r2r_3d)
(int n0, int n1, int n2, FFTW_REAL* in, FFTW_REAL* out, FFTW_NAME(r2r_kind) kind0,
 FFTW_NAME(r2r_kind) kind1, FFTW_NAME(r2r_kind) kind2, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_many_r2r)
(int rank, const int* n, int howmany, FFTW_REAL* in, const int* inembed, int istride, int idist,
 FFTW_REAL* out, const int* onembed, int ostride, int odist, const FFTW_NAME(r2r_kind) * kind,
 unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_guru_r2r)
(int rank, const FFTW_NAME(iodim) * dims, int howmany_rank, const FFTW_NAME(iodim) * howmany_dims,
 FFTW_REAL* in, FFTW_REAL* out, const FFTW_NAME(r2r_kind) * kind, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(plan_guru64_r2r)
(int rank, const FFTW_NAME(iodim64) * dims, int howmany_rank,
 const FFTW_NAME(iodim64) * howmany_dims, FFTW_REAL* in, FFTW_REAL* out,
 const FFTW_NAME(r2r_kind) * kind, unsigned flags);
/* Executing. Any number of threads may execute one plan at the same time, on arrays of their own.
 */

void FFTW_NAME(execute)(const FFTW_NAME(plan) p);
void FFTW_NAME(execute_dft)(const FFTW_NAME(plan) p, FFTW_NAME(complex) * in,
                            FFTW_NAME(complex) * out);
void FFTW_NAME(execute_split_dft)(const FFTW_NAME(plan) p, FFTW_REAL* ri, FFTW_REAL* ii,
                                  FFTW_REAL* ro, FFTW_REAL* io);
void FFTW_NAME(execute_dft_r2c)(const FFTW_NAME(plan) p, FFTW_REAL* in, FFTW_NAME(complex) * out);
void FFTW_NAME(execute_split_dft_r2c)(const FFTW_NAME(plan) p, FFTW_REAL* in, FFTW_REAL* ro,
                                      FFTW_REAL* io);
void FFTW_NAME(execute_dft_c2r)(const FFTW_NAME(plan) p, FFTW_NAME(complex) * in, FFTW_REAL* out);
void FFTW_NAME(execute_split_dft_c2r)(const FFTW_NAME(plan) p, FFTW_REAL* ri, FFTW_REAL* ii,
                                      FFTW_REAL* out);
void FFTW_NAME(execute_r2r)(const FFTW_NAME(plan) p, FFTW_REAL* in, FFTW_REAL* out);
void FFTW_NAME(destroy_plan)(FFTW_NAME(plan) p);

/* What a plan is, and what it costs. */
void FFTW_NAME(flops)(const FFTW_NAME(plan) p, double* add, double* mul, double* fmas);
double FFTW_NAME(estimate_cost)(const FFTW_NAME(plan) p);
double FFTW_NAME(cost)(const FFTW_NAME(plan) p);
void FFTW_NAME(fprint_plan)(const FFTW_NAME(plan) p, FILE* output_file);
void FFTW_NAME(print_plan)(const FFTW_NAME(plan) p);
char* FFTW_NAME(sprint_plan)(const FFTW_NAME(plan) p);

/* Memory. */
void* FFTW_NAME(malloc)(size_t n);
FFTW_REAL* FFTW_NAME(alloc_real)(size_t n);
FFTW_NAME(complex) * FFTW_NAME(alloc_complex)(size_t n);
void FFTW_NAME(free)(void* p);
int FFTW_NAME(alignment_of)(FFTW_REAL* p);

/* Planning: time and threads. */
void FFTW_NAME(set_timelimit)(double t);
void FFTW_NAME(cleanup)(void);
int FFTW_NAME(init_threads)(void);
void FFTW_NAME(plan_with_nthreads)(int nthreads);
int FFTW_NAME(planner_nthreads)(void);
void FFTW_NAME(threads_set_callback)(fftw_loop_in_parallel parallel_loop, void* data);
void FFTW_NAME(make_planner_thread_safe)(void);
void FFTW_NAME(cleanup_threads)(void);

/* Wisdom. */
void FFTW_NAME(forget_wisdom)(void);
int FFTW_NAME(export_wisdom_to_filename)(const char* filename);
void FFTW_NAME(export_wisdom_to_file)(FILE* output_file);
char* FFTW_NAME(export_wisdom_to_string)(void);
void FFTW_NAME(export_wisdom)(FFTW_NAME(write_char_func) write_char, void* data);
int FFTW_NAME(import_system_wisdom)(void);
int FFTW_NAME(import_wisdom_from_filename)(const char* filename);
int FFTW_NAME(import_wisdom_from_file)(FILE* input_file);
int FFTW_NAME(import_wisdom_from_string)(const char* input_string);
int FFTW_NAME(import_wisdom)(FFTW_NAME(read_char_func) read_char, void* data);

extern const char FFTW_NAME(version)[];
extern const char FFTW_NAME(cc)[];
extern const char FFTW_NAME(codelet_optim)[];
