! SPDX-License-Identifier: BSD-3-Clause
! Multiplies a velocity u by the slope of a temperature c, from Fourier coefficients to Fourier
! coefficients: of u = cos x and c = sin 2x it makes 2 cos x cos 2x = cos x + cos 3x.
module advection
  use sixstep
  implicit none
  integer, parameter :: dp = kind(1d0)
contains
  ! [procedures]
  ! Coefficients of u and c to those of u and dc/dx.
  subroutine differentiate(in, out, batch)
    complex(dp), intent(in) :: in(:, :)  ! point, field
    complex(dp), intent(out) :: out(:, :)  ! point, result
    type(sixstep_batch), intent(inout) :: batch
    out(:, 1) = in(:, 1)
    out(:, 2) = (0, 1)*batch%k(:, 1)*in(:, 2)  ! k(point, axis)
  end subroutine

  ! Values of u and dc/dx at points to those of their product.
  subroutine multiply(in, out, batch)
    real(dp), intent(in) :: in(:, :)
    real(dp), intent(out) :: out(:, :)
    type(sixstep_batch), intent(inout) :: batch
    out(:, 1) = in(:, 1)*in(:, 2)
  end subroutine
  ! [procedures]
end module
program map
  use mpi_f08
  use sixstep
  use advection
  implicit none
  real(dp) :: error
  integer :: ranks
  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call apply_and_compare()
  call MPI_Finalize()
  if (error > 1e-13_dp) error stop
contains
  subroutine apply_and_compare()
    integer, parameter :: n(2) = [32, 24]
    type(sixstep_layout) :: grid, waves
    type(sixstep_map) :: advect
    type(sixstep_part) :: box
    complex(dp), allocatable :: fields(:, :, :), product(:, :)
    real(dp), parameter :: half = n(1)*n(2)/2  ! the coefficient of a cosine
    ! [map]
    call grid%slab(n, ranks, axis=1)
    call waves%slab([n(1)/2 + 1, n(2)], ranks)
    call advect%create(grid, MPI_COMM_WORLD, sixstep_of_reals(multiply, results=1), waves, &
                       before=sixstep_of_complex(differentiate, results=2), &
                       options=sixstep_map_options(kinds=[sixstep_r2c], fields=2))
    ! [map]
    box = advect%input_part()
    allocate (fields(box%extent(1), box%extent(2), 2), product(box%extent(1), box%extent(2)))
    fields = 0
    if (box%points > 0 .and. box%lower(2) == 1) then
      fields(2, 1, 1) = half
      fields(3, 1, 2) = (0, -1)*half
    end if
    call advect%apply(fields, product)
    if (box%points > 0 .and. box%lower(2) == 1) product([2, 4], 1) = product([2, 4], 1) - half
    error = maxval([abs(product)/half, 0.0_dp])
    print '(a, es7.1)', 'largest error on this rank: ', error
  end subroutine
end program
