! SPDX-License-Identifier: BSD-3-Clause
! Solves laplacian u = 0 in a rectangle, with the values of u at its walls.
program poisson
  use mpi_f08
  use sixstep
  implicit none
  integer, parameter :: dp = kind(1d0)
  real(dp) :: error
  integer :: ranks
  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call solve_and_compare()
  call MPI_Finalize()
  if (error > 1e-13_dp) error stop
contains
  subroutine solve_and_compare()
    type(sixstep_layout) :: grid
    type(sixstep_poisson) :: solver
    type(sixstep_part) :: box
    real(dp), allocatable :: u(:, :)
    integer :: i, j
    ! [solve]
    call grid%slab([24, 15], ranks)
    call solver%create(grid, MPI_COMM_WORLD, sixstep_poisson_options( &
                       sides=[3.0_dp, 2.0_dp], walls=[sixstep_dirichlet], points=[sixstep_nodes], &
                       accuracy=2))  ! walls and points of all axes; finite differences
    box = solver%input_part()
    allocate (u(box%extent(1), box%extent(2)))
    u = 0  ! the right side
    call solver%solve_in_place(u, saddle)
    ! [solve]
    error = 0
    do j = 1, size(u, 2)
      do i = 1, size(u, 1)
        error = max(error, abs(u(i, j) - saddle(1, .false., solver%x(box%lower + [i, j] - 1))))
      end do
    end do
    print '(a, es7.1)', 'largest error on this rank: ', error
  end subroutine
  ! [values]
  real(dp) function saddle(axis, is_last, x)
    integer, intent(in) :: axis
    logical, intent(in) :: is_last
    real(dp), intent(in) :: x(:)
    saddle = x(1)**2 - x(2)**2
  end function
  ! [values]
end program
