! SPDX-License-Identifier: BSD-3-Clause
! A Fortran program of somebody else, who found sixstep installed: what a block makes, it frees.
program consumer
  use mpi_f08
  use sixstep
  implicit none
  integer :: ranks
  real(kind(1d0)) :: sum_of_all
  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call impulse()
  call MPI_Finalize()
  if (sum_of_all /= 120) error stop

contains

  subroutine impulse()
    type(sixstep_layout) :: layout
    type(sixstep_plan) :: plan
    type(sixstep_part) :: part
    complex(kind(1d0)), pointer :: u(:)
    call layout%slab([4, 5, 6], ranks)
    call plan%create(layout, MPI_COMM_WORLD, layout)
    call plan%allocate(u, sixstep_input)
    part = plan%input_part()
    u = 0
    if (part%lower(3) == 1) u(1) = 1
    call plan%forward_in_place(u)
    sum_of_all = sum(real(u))
    call MPI_Allreduce(MPI_IN_PLACE, sum_of_all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    call sixstep_free(u)
  end subroutine
end program
