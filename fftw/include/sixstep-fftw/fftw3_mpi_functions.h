/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of one precision for programs of several ranks. fftw3-mpi.h includes this file
 * once for each, with
 *   FFTW_NAME(name)  the name with the precision's prefix
 *   FFTW_REAL        the type of real numbers
 */

typedef struct fftw_mpi_axis_in_blocks FFTW_NAME(mpi_ddim);

/* After MPI_Init and before all other functions; and when no plan is left. */
void FFTW_NAME(mpi_init)(void);
void FFTW_NAME(mpi_cleanup)(void);

/* The part of this rank, and the elements that its arrays need: complex numbers, or reals in
 * transforms of reals alone. */
ptrdiff_t FFTW_NAME(mpi_local_size)(int rank, const ptrdiff_t* n, MPI_Comm comm,
                                    ptrdiff_t* local_n0, ptrdiff_t* local_0_start);
ptrdiff_t FFTW_NAME(mpi_local_size_2d)(ptrdiff_t n0, ptrdiff_t n1, MPI_Comm comm,
                                       ptrdiff_t* local_n0, ptrdiff_t* local_0_start);
ptrdiff_t FFTW_NAME(mpi_local_size_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, MPI_Comm comm,
                                       ptrdiff_t* local_n0, ptrdiff_t* local_0_start);
ptrdiff_t FFTW_NAME(mpi_local_size_many)(int rank, const ptrdiff_t* n, ptrdiff_t howmany,
                                         ptrdiff_t block0, MPI_Comm comm, ptrdiff_t* local_n0,
                                         ptrdiff_t* local_0_start);
ptrdiff_t FFTW_NAME(mpi_local_size_transposed)(int rank, const ptrdiff_t* n, MPI_Comm comm,
                                               ptrdiff_t* local_n0, ptrdiff_t* local_0_start,
                                               ptrdiff_t* local_n1, ptrdiff_t* local_1_start);
ptrdiff_t FFTW_NAME(mpi_local_size_2d_transposed)(ptrdiff_t n0, ptrdiff_t n1, MPI_Comm comm,
                                                  ptrdiff_t* local_n0, ptrdiff_t* local_0_start,
                                                  ptrdiff_t* local_n1, ptrdiff_t* local_1_start);
ptrdiff_t FFTW_NAME(mpi_local_size_3d_transposed)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2,
                                                  MPI_Comm comm, ptrdiff_t* local_n0,
                                                  ptrdiff_t* local_0_start, ptrdiff_t* local_n1,
                                                  ptrdiff_t* local_1_start);
ptrdiff_t FFTW_NAME(mpi_local_size_many_transposed)(int rank, const ptrdiff_t* n, ptrdiff_t howmany,
                                                    ptrdiff_t block0, ptrdiff_t block1,
                                                    MPI_Comm comm, ptrdiff_t* local_n0,
                                                    ptrdiff_t* local_0_start, ptrdiff_t* local_n1,
                                                    ptrdiff_t* local_1_start);
ptrdiff_t FFTW_NAME(mpi_local_size_1d)(ptrdiff_t n0, MPI_Comm comm, int sign, unsigned flags,
                                       ptrdiff_t* local_ni, ptrdiff_t* local_i_start,
                                       ptrdiff_t* local_no, ptrdiff_t* local_o_start);
ptrdiff_t FFTW_NAME(mpi_local_size_many_1d)(ptrdiff_t n0, ptrdiff_t howmany, MPI_Comm comm,
                                            int sign, unsigned flags, ptrdiff_t* local_ni,
                                            ptrdiff_t* local_i_start, ptrdiff_t* local_no,
                                            ptrdiff_t* local_o_start);

/* Global transposes. */
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_transpose)
(ptrdiff_t n0, ptrdiff_t n1, FFTW_REAL* in, FFTW_REAL* out, MPI_Comm comm, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_many_transpose)
(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t howmany, ptrdiff_t block0, ptrdiff_t block1, FFTW_REAL* in,
 FFTW_REAL* out, MPI_Comm comm, unsigned flags);

/* Complex to complex. */
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_dft)
(int rank, const ptrdiff_t* n, FFTW_NAME(complex) * in, FFTW_NAME(complex) * out, MPI_Comm comm,
 int sign, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_dft_1d)
(ptrdiff_t n0, FFTW_NAME(complex) * in, FFTW_NAME(complex) * out, MPI_Comm comm, int sign,
 unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_dft_2d)
(ptrdiff_t n0, ptrdiff_t n1, FFTW_NAME(complex) * in, FFTW_NAME(complex) * out, MPI_Comm comm,
 int sign, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_dft_3d)
(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, FFTW_NAME(complex) * in, FFTW_NAME(complex) * out,
 MPI_Comm comm, int sign, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_many_dft)
(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block, ptrdiff_t tblock,
 FFTW_NAME(complex) * in, FFTW_NAME(complex) * out, MPI_Comm comm, int sign, unsigned flags);

/* Real to complex. */
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_dft_r2c)
(int rank, const ptrdiff_t* n, FFTW_REAL* in, FFTW_NAME(complex) * out, MPI_Comm comm,
 unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_dft_r2c_2d)
(ptrdiff_t n0, ptrdiff_t n1, FFTW_REAL* in, FFTW_NAME(complex) * out, MPI_Comm comm,
 unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_dft_r2c_3d)
(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, FFTW_REAL* in, FFTW_NAME(complex) * out, MPI_Comm comm,
 unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_many_dft_r2c)
(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock, ptrdiff_t oblock, FFTW_REAL* in,
 FFTW_NAME(complex) * out, MPI_Comm comm, unsigned flags);

/* Complex to real. */
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_dft_c2r)
(int rank, const ptrdiff_t* n, FFTW_NAME(complex) * in, FFTW_REAL* out, MPI_Comm comm,
 unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_dft_c2r_2d)
(ptrdiff_t n0, ptrdiff_t n1, FFTW_NAME(complex) * in, FFTW_REAL* out, MPI_Comm comm,
 unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_dft_c2r_3d)
(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, FFTW_NAME(complex) * in, FFTW_REAL* out, MPI_Comm comm,
 unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_many_dft_c2r)
(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock, ptrdiff_t oblock,
 FFTW_NAME(complex) * in, FFTW_REAL* out, MPI_Comm comm, unsigned flags);

/* Real to real. */
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_r2r)
(int rank, const ptrdiff_t* n, FFTW_REAL* in, FFTW_REAL* out, MPI_Comm comm,
 const FFTW_NAME(r2r_kind) * kinds, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_r2r_2d)
(ptrdiff_t n0, ptrdiff_t n1, FFTW_REAL* in, FFTW_REAL* out, MPI_Comm comm,
 FFTW_NAME(r2r_kind) kind0, FFTW_NAME(r2r_kind) kind1, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_r2r_3d)
(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, FFTW_REAL* in, FFTW_REAL* out, MPI_Comm comm,
 FFTW_NAME(r2r_kind) kind0, FFTW_NAME(r2r_kind) kind1, FFTW_NAME(r2r_kind) kind2, unsigned flags);
FFTW_NAME(plan)
FFTW_NAME(mpi_plan_many_r2r)
(int rank, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock, ptrdiff_t oblock, FFTW_REAL* in,
 FFTW_REAL* out, MPI_Comm comm, const FFTW_NAME(r2r_kind) * kinds, unsigned flags);

/* Executions on other arrays than the plan was made with. */
void FFTW_NAME(mpi_execute_dft)(FFTW_NAME(plan) plan, FFTW_NAME(complex) * in,
                                FFTW_NAME(complex) * out);
void FFTW_NAME(mpi_execute_dft_r2c)(FFTW_NAME(plan) plan, FFTW_REAL* in, FFTW_NAME(complex) * out);
void FFTW_NAME(mpi_execute_dft_c2r)(FFTW_NAME(plan) plan, FFTW_NAME(complex) * in, FFTW_REAL* out);
void FFTW_NAME(mpi_execute_r2r)(FFTW_NAME(plan) plan, FFTW_REAL* in, FFTW_REAL* out);

/* Wisdom of all ranks to the first one, and of the first one to all. */
void FFTW_NAME(mpi_gather_wisdom)(MPI_Comm comm);
void FFTW_NAME(mpi_broadcast_wisdom)(MPI_Comm comm);
