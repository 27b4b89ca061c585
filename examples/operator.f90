! SPDX-License-Identifier: BSD-3-Clause
! Solves laplacian u = f in a periodic box, and takes the Laplacian of u by its own symbol.
module symbols_of_mine
  implicit none
  integer, parameter :: dp = kind(1d0)
contains
  ! [function]
  subroutine laplacian(k, numbers)
    real(dp), intent(in) :: k(:, :)  ! axis, wave vector
    real(dp), intent(out) :: numbers(:)
    numbers = -sum(k**2, 1)
  end subroutine
  ! [function]
end module
program operators
  use mpi_f08
  use sixstep
  use symbols_of_mine
  implicit none
  real(dp), parameter :: step = acos(-1.0_dp)/16
  real(dp) :: error
  integer :: ranks
  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call solve_and_compare()
  call MPI_Finalize()
  if (error > 1e-13_dp) error stop
contains
  subroutine solve_and_compare()
    ! [operator]
    integer, parameter :: n(3) = [32, 16, 8]
    type(sixstep_layout) :: grid
    type(sixstep_symbol) :: inverse, own
    type(sixstep_operator) :: solve
    ! [operator]
    type(sixstep_part) :: box
    real(dp), allocatable, dimension(:, :, :) :: f, u
    integer :: i, j, k
    ! [create]
    call grid%slab(n, ranks)
    call inverse%inverse_laplacian()
    call solve%create(grid, MPI_COMM_WORLD, inverse, &
                      sixstep_operator_options(kinds=[sixstep_r2c], sides=step*n))
    ! [create]
    box = solve%input_part()
    f = reshape([(((sin(step*i)*cos(step*2*j)*sin(step*4*k), i=1, n(1)), j=1, n(2)), &
                  k=int(box%lower(3)), int(box%upper(3)))], [n(:2), int(box%extent(3))])
    allocate (u, mold=f)
    ! [apply]
    call solve%apply(f, u)  ! laplacian u = f
    error = maxval([abs(u + f/21), 0.0_dp])
    call own%real_numbers(laplacian)
    call solve%renew(own)
    call solve%apply_in_place(u)
    ! [apply]
    error = max(error, maxval([abs(u - f), 0.0_dp]))
    print '(a, es7.1)', 'largest error on this rank: ', error
  end subroutine
end program
