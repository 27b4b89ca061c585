! SPDX-License-Identifier: BSD-3-Clause
! A program of several ranks that calls FFTW's interface from Fortran: a transform of ones, and back.
program fftw_mpi_program
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  include 'fftw3-mpi.f03'
  integer(C_INTPTR_T), parameter :: rows = 12, columns = 10
  integer(C_INTPTR_T) :: room, count, start
  type(C_PTR) :: memory, there, back
  complex(C_DOUBLE_COMPLEX), pointer :: field(:)
  real(C_DOUBLE) :: sum
  integer :: code, rank

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call fftw_mpi_init()
  room = fftw_mpi_local_size_2d(rows, columns, MPI_COMM_WORLD, count, start)
  memory = fftw_alloc_complex(int(room, C_SIZE_T))
  call c_f_pointer(memory, field, [room])
  there = fftw_mpi_plan_dft_2d(rows, columns, field, field, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE)
  back = fftw_mpi_plan_dft_2d(rows, columns, field, field, MPI_COMM_WORLD, FFTW_BACKWARD, FFTW_ESTIMATE)
  field = 1
  call fftw_mpi_execute_dft(there, field, field)
  sum = rows * columns
  if (rank == 0) then
    if (abs(field(1) - sum) > 1d-12) error stop 'the sum is wrong'
    if (abs(field(2)) > 1d-12) error stop 'a wave is not zero'
  end if
  call fftw_mpi_execute_dft(back, field, field)
  if (any(abs(field(1:count * columns) - sum) > 1d-10)) error stop 'the way back is wrong'
  call fftw_destroy_plan(back)
  call fftw_destroy_plan(there)
  call fftw_free(memory)
  call fftw_mpi_cleanup()
  call MPI_Finalize(code)
end program
