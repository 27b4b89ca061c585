! SPDX-License-Identifier: BSD-3-Clause
! Maps of the Fortran interface: against plans and loops, and known products of waves.
module fortran_maps
  use, intrinsic :: iso_fortran_env, only: int64, sp => real32, dp => real64
  use mpi_f08
  use sixstep
  use harness
  implicit none
  private
  public :: test_maps, mix, multiply, square_reals, square_complex, options_of, n, weights, failing
  integer, parameter :: n(3) = [8, 5, 7]
  real(dp), parameter :: pi = acos(-1.0_dp), sides(3) = [4, 3, 2]
  ! No two axes are alike, so that none can be taken for another one.
  real(dp), parameter :: weights(3) = [1, 2, 3]
  integer :: failing = 0  ! what `multiply` sets
contains

  subroutine test_maps()
    call maps_are_transforms_back_procedures_and_transforms_forward()
    call single_and_complex_values_serve()
    call reals_are_coefficients_between_walls()
    call a_procedure_sees_the_variables_of_its_host()
  end subroutine

  ! From fields a and b: a, b times a factor of k, and their sum.
  subroutine mix(in, out, batch)
    complex(dp), intent(in) :: in(:, :)
    complex(dp), intent(out) :: out(:, :)
    type(sixstep_batch), intent(inout) :: batch
    out(:, 1) = in(:, 1)
    out(:, 2) = in(:, 2)*(1 + matmul(batch%k**2, weights))
    out(:, 3) = in(:, 1) + in(:, 2)
    if (any(shape(in) /= [int(batch%points), 2]) .or. size(out, 2) /= 3) batch%stat = 100
  end subroutine

  ! The product of the first two, and the third one times a number of the point.
  subroutine multiply(in, out, batch)
    real(dp), intent(in) :: in(:, :)
    real(dp), intent(out) :: out(:, :)
    type(sixstep_batch), intent(inout) :: batch
    integer(int64) :: i
    out(:, 1) = in(:, 1)*in(:, 2)
    do i = 1, batch%points
      out(i, 2) = in(i, 3)*(1 + sum(weights*(batch%index(i) - 1)))
    end do
    batch%stat = failing
    if (associated(batch%k) .or. batch%axes /= 3 .or. size(in, 2) /= 3) batch%stat = 200
  end subroutine

  ! Exchanges both, and divides them by the factor.
  subroutine divide(in, out, batch)
    complex(dp), intent(in) :: in(:, :)
    complex(dp), intent(out) :: out(:, :)
    type(sixstep_batch), intent(inout) :: batch
    integer :: row
    do row = 1, 2
      out(:, row) = in(:, 3 - row)/(1 + matmul(batch%k**2, weights))
    end do
  end subroutine

  function options_of(fields) result(options)
    integer, intent(in) :: fields
    type(sixstep_map_options) :: options
    options = sixstep_map_options(kinds=[sixstep_r2c], fields=fields, sides=sides)
  end function

  subroutine maps_are_transforms_back_procedures_and_transforms_forward()
    type(sixstep_layout) :: grid
    type(sixstep_map) :: map
    type(sixstep_plan) :: plan
    type(sixstep_part) :: box, waves
    real(dp), allocatable, dimension(:, :, :) :: numbers, u, v, w
    complex(dp), allocatable, dimension(:, :, :) :: a, b, c, factor
    complex(dp), allocatable :: given(:, :, :, :), found(:, :, :, :)
    integer(int64) :: i, j, l
    call grid%slab(n, ranks)
    call map%create(grid, MPI_COMM_WORLD, sixstep_of_reals(multiply, results=2), &
                    before=sixstep_of_complex(mix, results=3), &
                    after=sixstep_of_complex(divide, results=2), options=options_of(2))
    call plan%create(grid, MPI_COMM_WORLD, options=sixstep_options(kinds=[sixstep_r2c]))
    box = plan%input_part()
    waves = plan%output_part()
    associate (e => box%extent, f => waves%extent)
      allocate (numbers(e(1), e(2), e(3)), a(f(1), f(2), f(3)), factor(f(1), f(2), f(3)))
      allocate (given(f(1), f(2), f(3), 2), found(f(1), f(2), f(3), 2))
    end associate
    do l = 1, size(numbers, 3)
      do j = 1, size(numbers, 2)
        do i = 1, size(numbers, 1)
          numbers(i, j, l) = 1 + sum(weights*(box%lower + [i, j, l] - 2))
        end do
      end do
    end do
    do l = 1, size(a, 3)
      do j = 1, size(a, 2)
        do i = 1, size(a, 1)
          factor(i, j, l) = 1 + sum(weights*(2*pi/sides* &
                                             plan%wavenumber(waves%lower + [i, j, l] - 1))**2)
        end do
      end do
    end do
    u = cos(numbers)
    v = sin(3*numbers)
    allocate (b, c, mold=a)
    allocate (w, mold=u)
    call plan%forward(u, a)
    call plan%forward(v, b)
    given(:, :, :, 1) = a
    given(:, :, :, 2) = b
    call plan%backward(a, u, sixstep_by_n)
    call plan%backward(factor*b, v, sixstep_by_n)
    call plan%backward(a + b, w, sixstep_by_n)
    call plan%forward(numbers*w, b)
    call plan%forward(u*v, c)
    call map%apply(given, found)
    call expect(all(abs(found(:, :, :, 1) - b/factor) < 1e-9_dp), 'a product with a number')
    call expect(all(abs(found(:, :, :, 2) - c/factor) < 1e-9_dp), 'a product of fields')
    call map%apply_in_place(given)
    call expect(all(abs(given - found) < 1e-9_dp), 'in place')
  end subroutine

  subroutine square(in, out, batch)
    real(sp), intent(in) :: in(:, :)
    real(sp), intent(out) :: out(:, :)
    type(sixstep_batch), intent(inout) :: batch
    out = in**2
    if (batch%row%points*batch%rows%points /= batch%points) batch%stat = 1
  end subroutine

  subroutine square_complex(in, out, batch)
    complex(dp), intent(in) :: in(:, :)
    complex(dp), intent(out) :: out(:, :)
    type(sixstep_batch), intent(inout) :: batch
    out = in**2
    if (batch%row%points*batch%rows%points /= batch%points) batch%stat = 1
  end subroutine

  subroutine halve(in, out, batch)
    complex(sp), intent(in) :: in(:, :)
    complex(sp), intent(out) :: out(:, :)
    type(sixstep_batch), intent(inout) :: batch
    out = in/2
    if (.not. associated(batch%k)) batch%stat = 1
  end subroutine

  ! The square of 3 + 2 cos x is 11 + 12 cos x + 2 cos 2x, that of exp(ix) is exp(2ix).
  subroutine single_and_complex_values_serve()
    type(sixstep_layout) :: grid, half
    type(sixstep_map) :: map
    type(sixstep_part) :: waves
    complex(sp), pointer :: u(:, :, :)
    complex(dp), pointer :: v(:, :, :)
    logical :: first
    call grid%slab(n, ranks)
    call half%slab([n(1)/2 + 1, n(2:)], ranks)
    call map%create(grid, MPI_COMM_WORLD, sixstep_of_single_reals(square, 1), half, &
                    after=sixstep_of_single_complex(halve, 1), &
                    options=sixstep_map_options(kinds=[sixstep_r2c], backward=sixstep_unscaled, &
                                                forward=sixstep_by_n), precision=sixstep_single)
    call map%allocate(u, sixstep_input)
    waves = map%input_part()
    call expect(all(shape(u) == waves%extent), 'the pointer has the shape of the box')
    first = waves%points > 0 .and. all(waves%lower == 1)
    u = 0
    if (first) u(:2, 1, 1) = [3, 1]
    call map%apply_in_place(u)
    if (first) then
      call expect(all(abs(u(:3, 1, 1) - [5.5, 3.0, 0.5]) < 1e-5), 'a square in single')
      u(:3, 1, 1) = 0
    end if
    call expect(all(abs(u) < 1e-5), 'a square in single has no other waves')
    call sixstep_free(u)

    call map%create(grid, MPI_COMM_WORLD%MPI_VAL, sixstep_of_complex(square_complex, 1), grid, &
                    options=sixstep_map_options(batch=100))
    call map%allocate(v, sixstep_output)
    waves = map%output_part()
    first = waves%points > 0 .and. all(waves%lower == 1)
    v = 0
    if (first) v(2, 1, 1) = product(n)
    call map%apply_in_place(v)
    if (first) v(3, 1, 1) = v(3, 1, 1) - product(n)
    call expect(all(abs(v) < 1e-12_dp), 'a square of complex numbers')
    call sixstep_free(v)
  end subroutine

  subroutine square_reals(in, out, batch)
    real(dp), intent(in) :: in(:, :)
    real(dp), intent(out) :: out(:, :)
    type(sixstep_batch), intent(inout) :: batch
    out = in**2
    if (batch%points < 1) batch%stat = 1
  end subroutine

  subroutine times_k1(in, out, batch)
    real(dp), intent(in) :: in(:, :)
    real(dp), intent(out) :: out(:, :)
    type(sixstep_batch), intent(inout) :: batch
    out(:, 1) = batch%k(:, 1)*in(:, 1)
  end subroutine

  subroutine reals_are_coefficients_between_walls()
    type(sixstep_layout) :: grid
    type(sixstep_map) :: map
    type(sixstep_part) :: waves
    real(dp), allocatable :: u(:, :, :)
    logical :: first
    call grid%slab(n, ranks)
    call map%create(grid, MPI_COMM_WORLD, sixstep_of_reals(square_reals, 1), grid, &
                    before=sixstep_of_reals(times_k1, 1), &
                    options=sixstep_map_options(kinds=[sixstep_dct2], sides=sides))
    waves = map%input_part()
    allocate (u(waves%extent(1), waves%extent(2), waves%extent(3)))
    u = 0
    first = waves%points > 0 .and. all(waves%lower == 1)
    ! The wave is cos(k1 x), with k1 = 3 pi/4; its square is (1 + cos(2 k1 x))/2.
    if (first) u(4, 1, 1) = 4*product(n)
    call map%apply_in_place(u)
    if (first) then
      u(1, 1, 1) = u(1, 1, 1) - 4*product(n)*(3*pi/4)**2
      u(7, 1, 1) = u(7, 1, 1) - 2*product(n)*(3*pi/4)**2
    end if
    call expect(all(abs(u) < 1e-9_dp), 'a square between walls')
  end subroutine

  subroutine a_procedure_sees_the_variables_of_its_host()
    type(sixstep_layout) :: grid
    type(sixstep_map) :: map
    type(sixstep_part) :: waves
    complex(dp), allocatable :: u(:)
    real(dp) :: amplitude
    call grid%slab(n, ranks)
    call map%create(grid, MPI_COMM_WORLD, sixstep_of_reals(scale_by_amplitude, 1), &
                    options=sixstep_map_options(kinds=[sixstep_r2c]))
    waves = map%input_part()
    allocate (u(waves%points))
    u = 0
    if (waves%points > 0 .and. all(waves%lower == 1)) u(1) = 1
    amplitude = 5
    call map%apply_in_place(u)
    amplitude = 3
    call map%apply_in_place(u)
    if (waves%points > 0 .and. all(waves%lower == 1)) u(1) = u(1) - 15
    call expect(all(abs(u) < 1e-13_dp), 'a variable of the host')
  contains
    subroutine scale_by_amplitude(in, out, batch)
      real(dp), intent(in) :: in(:, :)
      real(dp), intent(out) :: out(:, :)
      type(sixstep_batch), intent(inout) :: batch
      out = amplitude*in
      if (batch%points < 1) batch%stat = 1
    end subroutine
  end subroutine
end module
