! SPDX-License-Identifier: BSD-3-Clause
! Takes means of 3 x 3 points of a plane, and solves laplacian u = f in free space for a Gaussian.
program convolution
  use mpi_f08
  use sixstep
  implicit none
  integer, parameter :: dp = kind(1d0)
  real(dp), parameter :: pi = acos(-1.0_dp), width = 0.9_dp, h = 0.4_dp
  real(dp) :: error
  integer :: ranks
  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  error = 0
  call take_means()
  call solve_in_free_space()
  call MPI_Finalize()
  if (error > 1e-12_dp) error stop
contains
  ! The mean of a linear function around a point is its value there.
  subroutine take_means()
    type(sixstep_layout) :: grid, small
    type(sixstep_convolution) :: mean
    type(sixstep_part) :: box
    real(dp), allocatable :: u(:, :), smooth(:, :)
    real(dp) :: kernel(9)
    integer :: i, j
    ! [convolution]
    call grid%slab([24, 16], ranks)
    call small%slab([3, 3], ranks)
    call mean%create(grid, small, MPI_COMM_WORLD, options=sixstep_convolution_options( &
                     kinds=[sixstep_r2c], mode=sixstep_convolve_valid))
    kernel = 1/9.0_dp  ! the part of the kernel that this rank has, if any
    call mean%set_kernel(kernel)
    ! [convolution]
    box = mean%input_part()
    u = reshape([((i + 2*j, i=1, 24), j=int(box%lower(2)), int(box%upper(2)))], &
                [24, int(box%extent(2))])
    box = mean%output_part()
    allocate (smooth(22, box%extent(2)))
    ! [apply]
    call mean%apply(u, smooth)
    ! [apply]
    do j = 1, size(smooth, 2)
      do i = 1, 22
        error = max(error, abs(smooth(i, j) - (i + 1 + 2*(j + box%lower(2)))))
      end do
    end do
    print '(a, es7.1)', 'largest error of a mean on this rank: ', error
  end subroutine

  subroutine solve_in_free_space()
    type(sixstep_layout) :: grid
    type(sixstep_open_poisson) :: solver
    type(sixstep_part) :: box
    real(dp), allocatable :: u(:, :, :), r(:, :, :)
    integer :: i, j, l
    ! [open_poisson]
    call grid%slab([40, 40, 40], ranks)
    call solver%create(grid, MPI_COMM_WORLD, sixstep_open_poisson_options(spacing=[h]))
    box = solver%input_part()
    allocate (u(box%extent(1), box%extent(2), box%extent(3)))
    ! [open_poisson]
    allocate (r, mold=u)
    do l = 1, size(r, 3)
      do j = 1, size(r, 2)
        do i = 1, size(r, 1)
          r(i, j, l) = norm2(h*(box%lower + [i, j, l] - 21.5_dp))
        end do
      end do
    end do
    ! [solve]
    u = exp(-r**2/(2*width**2))/(sqrt(2*pi)*width)**3
    call solver%apply_in_place(u)  ! -erf(r/(sqrt(2) width))/(4 pi r)
    ! [solve]
    error = maxval([abs(u + erf(r/(sqrt(2.0_dp)*width))/(4*pi*r)), error])
    print '(a, es7.1)', 'largest error on this rank: ', error
  end subroutine
end program
