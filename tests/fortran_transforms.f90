! SPDX-License-Identifier: BSD-3-Clause
! Plans of the Fortran interface: transforms by their definition on small grids, in arrays of any
! rank and type.
module fortran_transforms
  use, intrinsic :: iso_fortran_env, only: int64, sp => real32, dp => real64
  use mpi_f08
  use sixstep
  use harness
  use fortran_points
  implicit none
  private
  public :: test_transforms
contains

  subroutine test_transforms()
    call complex_numbers_of_three_axes()
    call reals_in_pointers_of_the_plan()
    call single_precision_in_place()
    call four_axes_and_fields()
    call axes_and_kinds_are_counted_from_the_fastest()
    call the_axis_of_a_twiddle_is_counted_from_the_fastest()
    call spheres_are_counted_from_the_fastest()
    call columns_are_counted_from_the_fastest()
    call waves_between_walls_are_in_one_mode()
    call a_sign_is_independent_of_the_direction()
  end subroutine

  subroutine complex_numbers_of_three_axes()
    type(sixstep_layout) :: input, output
    type(sixstep_plan) :: plan
    type(sixstep_part) :: mine, theirs
    complex(dp), allocatable :: u(:, :, :), u_hat(:, :, :), back(:, :, :)
    call input%slab(n, ranks)
    call output%slab(n, ranks, axis=1)
    call plan%create(input, MPI_COMM_WORLD, output)
    mine = plan%input_part()
    theirs = plan%output_part()
    call expect(all(mine%extent(:2) == n(:2)), 'the last axis is the one that is split')
    call expect(all(theirs%extent(2:) == n(2:)), 'axis 1 is the one that is split')
    u = values_of(mine)
    allocate (u_hat(theirs%extent(1), theirs%extent(2), theirs%extent(3)))
    allocate (back, mold=u)
    call plan%forward(u, u_hat)
    call expect(all(abs(u_hat - coefficients_of(theirs)) < 1e-10_dp), &
                'the spectrum is that of the definition')
    call plan%backward(u_hat, back, sixstep_by_n)
    call expect(all(abs(back - u) < 1e-12_dp), 'the field comes back')
    call expect(index(plan%describe(), '6 x 5 x 4') > 0, 'words')
  end subroutine

  subroutine reals_in_pointers_of_the_plan()
    type(sixstep_layout) :: input, output
    type(sixstep_plan) :: plan
    type(sixstep_options) :: options
    type(sixstep_part) :: mine, theirs
    real(dp), pointer :: u(:, :, :)
    complex(dp), pointer :: u_hat(:)
    integer(int64) :: i, j, k, at
    real(dp), allocatable :: w(:), before(:, :, :)
    real(dp) :: expected, worst
    options%kinds = [sixstep_r2c]
    call input%slab(n, ranks)
    call output%slab([4, 5, 4], ranks, axis=2)
    call plan%create(input, MPI_COMM_WORLD%MPI_VAL, output, options)
    call plan%allocate(u, sixstep_input)
    call plan%allocate(u_hat, sixstep_output)
    mine = plan%input_part()
    theirs = plan%output_part()
    call expect(all(shape(u) == mine%extent), 'the pointer has the shape of the box')
    call expect(size(u_hat, kind=int64) == plan%output_size(), 'and the other one its size')
    do k = 1, mine%extent(3)
      do j = 1, mine%extent(2)
        do i = 1, mine%extent(1)
          u(i, j, k) = cos(two_pi*(real(mine%lower(1) + i, dp)/n(1) - &
                                   real(mine%lower(2) + j, dp)/n(2)))
        end do
      end do
    end do
    before = u
    call plan%forward(u, u_hat, scale=sixstep_by_n)
    worst = 0
    do k = 1, theirs%extent(3)
      do j = 1, theirs%extent(2)
        do i = 1, theirs%extent(1)
          at = 1 + sum(([i, j, k] - 1)*theirs%stride(:3))
          w = plan%wavenumber(theirs%lower + [i, j, k] - 1)
          expected = merge(0.5_dp, 0.0_dp, all(nint(w) == [1, -1, 0]))
          worst = max(worst, abs(abs(u_hat(at)) - expected))
        end do
      end do
    end do
    call expect(worst < 1e-14_dp, 'a wave is in one coefficient, that of its wave numbers')
    w = plan%wavenumbers(1)
    call expect(size(w) == theirs%extent(1), 'wave numbers of the fastest axis')
    if (size(w) == 4) call expect(all(nint(w) == [0, 1, 2, 3]), 'which is halved')
    call plan%backward(u_hat, u)
    call expect(all(abs(u - before) < 1e-13_dp), 'the field comes back')
    call sixstep_free(u)
    call sixstep_free(u_hat)
  end subroutine

  subroutine single_precision_in_place()
    type(sixstep_layout) :: input
    type(sixstep_plan) :: plan
    complex(sp), allocatable :: u(:, :)
    complex(sp) :: expected
    type(sixstep_part) :: mine
    call input%slab([8, 3], ranks)
    call plan%create(input, MPI_COMM_WORLD, input, precision=sixstep_single)
    mine = plan%input_part()
    allocate (u(mine%extent(1), mine%extent(2)))
    u = 1
    call plan%forward_in_place(u)
    if (mine%points > 0) then
      expected = merge(24, 0, mine%lower(2) == 1)
      call expect(abs(u(1, 1) - expected) < 1e-4_sp, 'a constant is in the first coefficient')
    end if
    call plan%backward_in_place(u, sixstep_by_n)
    call expect(all(abs(u - 1) < 1e-6_sp), 'and back')
  end subroutine

  subroutine four_axes_and_fields()
    type(sixstep_layout) :: four, three
    type(sixstep_plan) :: plan, fields
    type(sixstep_options) :: options
    real(sp), pointer :: u(:, :, :, :)
    complex(sp), pointer :: u_hat(:, :, :, :)
    real(dp), pointer :: v(:, :, :, :)
    type(sixstep_part) :: mine
    call four%brick([4, 3, 2, 5], ranks)
    options%kinds = [sixstep_r2c, sixstep_c2c, sixstep_dct2, sixstep_c2c]
    call plan%create(four, MPI_COMM_WORLD, options=options, precision=sixstep_single)
    call plan%allocate(u, sixstep_input)
    call plan%allocate(u_hat, sixstep_output)
    u = 2
    call plan%forward(u, u_hat)
    call plan%backward(u_hat, u, sixstep_by_n)
    call expect(all(abs(u - 2) < 1e-5_sp), 'four axes, there and back')
    call sixstep_free(u)
    call sixstep_free(u_hat)

    options = sixstep_options(kinds=[sixstep_dct1], fields=3)
    call three%slab(n, ranks)
    call three%set_ghosts([1, 0, 2], [0, 1, 1])
    call fields%create(three, MPI_COMM_WORLD, options=options)
    call fields%allocate(v, sixstep_input)
    mine = fields%input_part()
    if (mine%points > 0) &
      call expect(all(shape(v) == [mine%extent + [1, 1, 3], 3_int64]), 'ghosts and fields')
    call sixstep_free(v)
  end subroutine

  ! Of 6 x 5 points, cosines along the first axis alone.
  subroutine axes_and_kinds_are_counted_from_the_fastest()
    type(sixstep_layout) :: input
    type(sixstep_plan) :: plan
    type(sixstep_options) :: options
    type(sixstep_part) :: mine
    real(dp), allocatable :: u(:, :), modes(:, :)
    integer :: i
    options%axes = [1]
    options%kinds = [sixstep_dct2]
    call input%slab([6, 5], ranks)
    call plan%create(input, MPI_COMM_WORLD, input, options)
    mine = plan%input_part()
    allocate (u(mine%extent(1), mine%extent(2)))
    allocate (modes, mold=u)
    do i = 1, size(u, 1)
      u(i, :) = cos(two_pi*(i - 0.5_dp)*2/12)
    end do
    call plan%forward(u, modes)
    if (mine%points > 0) then
      call expect(all(abs(modes(3, :) - 6) < 1e-13_dp), 'the wave is in one mode')
      modes(3, :) = 0
      call expect(all(abs(modes) < 1e-13_dp), 'and in no other')
    end if
  end subroutine

  ! The transform of an impulse is 1 before it is twiddled.
  subroutine the_axis_of_a_twiddle_is_counted_from_the_fastest()
    type(sixstep_layout) :: input
    type(sixstep_plan) :: plan
    type(sixstep_part) :: mine
    complex(dp), allocatable :: u(:, :), u_hat(:, :)
    real(dp) :: angle
    integer :: j, k
    call input%slab([6, 5], ranks)
    call plan%create(input, MPI_COMM_WORLD, input, sixstep_options(axes=[1], twiddle=2))
    mine = plan%input_part()
    allocate (u(mine%extent(1), mine%extent(2)))
    allocate (u_hat, mold=u)
    u = 0
    if (mine%points > 0) u(1, :) = 1
    call plan%forward(u, u_hat)
    do j = 1, size(u, 2)
      do k = 1, size(u, 1)
        angle = two_pi*(k - 1)*(mine%lower(2) + j - 2)/(6*5)
        call expect(abs(u_hat(k, j) - cmplx(cos(angle), -sin(angle), dp)) < 1e-13_dp, &
                    'axis 2 twiddles the coefficients of axis 1')
      end do
    end do
  end subroutine

  ! That wave, in an ellipse with 5 waves of either sign along x, 2 along y.
  subroutine spheres_are_counted_from_the_fastest()
    type(sixstep_layout) :: input
    type(sixstep_plan) :: plan
    type(sixstep_part) :: mine
    complex(dp), allocatable :: u(:, :), packed(:)
    integer :: i
    call input%slab([12, 8], ranks)
    call plan%create(input, MPI_COMM_WORLD, options=sixstep_options(sphere=[5.5_dp, 2.5_dp]))
    call make_wave(plan%input_part(), u)
    mine = plan%output_part()
    allocate (packed(mine%extent(1)))
    call plan%forward(u, packed)
    do i = 1, size(packed)
      associate (w => plan%wavenumber([mine%lower(1) + i - 1]))
        call expect((w(1)/5.5_dp)**2 + (w(2)/2.5_dp)**2 < 1, 'waves lie within the ellipse')
        call expect(abs(packed(i) - merge(96, 0, nint(w(1)) == 2 .and. nint(w(2)) == -1)) < 1e-12_dp, &
                    'the wave is alone')
      end associate
    end do
  end subroutine

  ! The same wave, alone in a column (2, -2 to -1) beside another one (-3, 0 to 0).
  subroutine columns_are_counted_from_the_fastest()
    type(sixstep_layout) :: input
    type(sixstep_plan) :: plan
    type(sixstep_part) :: mine
    type(sixstep_options) :: options
    complex(dp), allocatable :: u(:, :), packed(:)
    integer :: i
    call input%slab([12, 8], ranks)
    options%columns = reshape(int([2, -2, -1, -3, 0, 0], int64), [3, 2])
    call plan%create(input, MPI_COMM_WORLD, options=options)
    call make_wave(plan%input_part(), u)
    mine = plan%output_part()
    allocate (packed(mine%extent(1)))
    call plan%forward(u, packed)
    do i = 1, size(packed)
      associate (w => nint(plan%wavenumber([mine%lower(1) + i - 1])))
        call expect((w(1) == 2 .and. w(2) >= -2 .and. w(2) <= -1) .or. all(w == [-3, 0]), &
                    'waves lie within the columns')
        call expect(abs(packed(i) - merge(96, 0, w(1) == 2 .and. w(2) == -1)) < 1e-12_dp, &
                    'the wave is alone in its column')
      end associate
    end do
  end subroutine

  ! The wave of mode 3 of each kind, at the points that sixstep/plan.hpp has for it.
  subroutine waves_between_walls_are_in_one_mode()
    integer, parameter :: points = 7, mode = 3
    ! x(j) = pi (j - 1 + first)/(points + more)
    real(dp), parameter :: first(8) = [0.0_dp, 0.5_dp, 0.0_dp, 0.5_dp, 1.0_dp, 0.5_dp, 1.0_dp, 0.5_dp]
    integer, parameter :: more(8) = [-1, 0, 0, 0, 1, 0, 0, 0]
    type(sixstep_layout) :: input
    type(sixstep_plan) :: plan
    type(sixstep_part) :: mine
    real(dp), allocatable :: u(:, :), modes(:, :), w(:)
    real(dp) :: phase
    integer :: kind, i, j
    call input%slab([points, 5], ranks)
    mine = input%part(rank)
    allocate (u(points, mine%extent(2)), modes(points, mine%extent(2)))
    do kind = sixstep_dct1, sixstep_dst4
      i = kind - sixstep_dct1 + 1
      call plan%create(input, MPI_COMM_WORLD, input, sixstep_options(axes=[1], kinds=[kind]))
      w = plan%wavenumber([int(mode, int64), 1_int64])
      do j = 1, points
        phase = w(1)*two_pi/2*(j - 1 + first(i))/(points + more(i))
        u(j, :) = merge(sin(phase), cos(phase), kind >= sixstep_dst1)
      end do
      call plan%forward(u, modes)
      modes(mode, :) = modes(mode, :) - (points + more(i))
      call expect(all(abs(modes) < 1e-13_dp), 'a wave is in one mode')
    end do
  end subroutine

  subroutine a_sign_is_independent_of_the_direction()
    type(sixstep_layout) :: slab
    type(sixstep_plan) :: plan
    type(sixstep_options) :: options
    type(sixstep_part) :: mine
    complex(dp), allocatable :: u(:, :, :), plus(:, :, :)
    complex(dp) :: expected
    real(dp) :: reals(360)
    integer :: direction, stat
    call slab%slab(n, ranks)
    call plan%create(slab, MPI_COMM_WORLD, slab)
    mine = plan%input_part()
    do direction = 1, 3
      u = values_of(mine)
      plus = u
      if (direction == 1) call plan%forward(u, plus, sign=sixstep_plus)
      if (direction == 2) call plan%backward(u, plus, sign=sixstep_plus)
      if (direction == 3) call plan%forward_in_place(plus, sign=sixstep_plus)
      if (mine%points > 0) then
        expected = coefficient(mine%upper, +1)
        call expect(abs(plus(mine%extent(1), mine%extent(2), mine%extent(3)) - expected) < 1e-10_dp, &
                    'the sign is what was asked for')
      end if
    end do
    options%kinds = [sixstep_r2c]
    call plan%create(slab, MPI_COMM_WORLD, options=options)
    call plan%forward_in_place(reals, sign=sixstep_plus, stat=stat)
    call expect(stat /= 0, 'real input has no sign of its own')
  end subroutine
end module
