! SPDX-License-Identifier: BSD-3-Clause
! The Fortran interface: transforms by their definition on small grids, in arrays of any rank and
! type, and what is refused.
program fortran_program
  use, intrinsic :: iso_c_binding, only: c_null_ptr
  use, intrinsic :: iso_fortran_env, only: int64, sp => real32, dp => real64
  use mpi_f08
  use sixstep
  use harness
  implicit none
  integer, parameter :: n(3) = [6, 5, 4]
  real(dp), parameter :: two_pi = 2*acos(-1.0_dp)

  call begin()
  call complex_numbers_of_three_axes()
  call reals_in_pointers_of_the_plan()
  call single_precision_in_place()
  call four_axes_and_fields()
  call axes_and_kinds_are_counted_from_the_fastest()
  call the_axis_of_a_twiddle_is_counted_from_the_fastest()
  call spheres_are_counted_from_the_fastest()
  call columns_are_counted_from_the_fastest()
  call cosines_and_sines_are_those_of_their_definitions()
  call layouts_hold_fortrans_boxes()
  call redistribution_moves_numbers()
  call redistribution_gives_arrays_of_anything()
  call a_sign_is_independent_of_the_direction()
  call workspace_is_lent()
  call plans_work_on_a_device()
  call plans_tell_what_they_take()
  call heat_spreads_alike_on_any_number_of_ranks()
  call outputs_lie_where_options_say()
  call mistakes_are_told()
  call mistakes_are_counted_as_fortran_counts()
  call what_is_empty_says_so()
  call end_tests()

contains

  ! A number for each point: no two alike.
  pure complex(dp) function value(i, j, k)
    integer(int64), intent(in) :: i, j, k
    value = cmplx(mod(7*i + 3*j*j + k, 11_int64), mod(i*j + 5*k, 7_int64), dp)
  end function

  ! X(k1, k2, k3) by the definition; the indices are from 1.
  complex(dp) function coefficient(k, sign)
    integer(int64), intent(in) :: k(3)
    integer, intent(in) :: sign
    integer(int64) :: i, j, l
    real(dp) :: angle
    coefficient = 0
    do l = 1, n(3)
      do j = 1, n(2)
        do i = 1, n(1)
          angle = two_pi*(real((i - 1)*(k(1) - 1), dp)/n(1) + real((j - 1)*(k(2) - 1), dp)/n(2) &
                          + real((l - 1)*(k(3) - 1), dp)/n(3))
          coefficient = coefficient + value(i, j, l)*cmplx(cos(angle), sign*sin(angle), dp)
        end do
      end do
    end do
  end function

  subroutine complex_numbers_of_three_axes()
    type(sixstep_layout) :: input, output
    type(sixstep_plan) :: plan
    type(sixstep_part) :: mine, theirs
    complex(dp), allocatable :: u(:, :, :), u_hat(:, :, :), back(:, :, :)
    integer(int64) :: i, j, k
    real(dp) :: worst
    call input%slab(n, ranks)
    call output%slab(n, ranks, axis=1)
    call plan%create(input, MPI_COMM_WORLD, output)
    mine = plan%input_part()
    theirs = plan%output_part()
    call expect(all(mine%extent(:2) == n(:2)), 'the last axis is the one that is split')
    call expect(all(theirs%extent(2:) == n(2:)), 'axis 1 is the one that is split')
    allocate (u(mine%extent(1), mine%extent(2), mine%extent(3)), &
              u_hat(theirs%extent(1), theirs%extent(2), theirs%extent(3)))
    allocate (back, mold=u)
    do k = 1, mine%extent(3)
      do j = 1, mine%extent(2)
        do i = 1, mine%extent(1)
          u(i, j, k) = value(mine%lower(1) + i - 1, mine%lower(2) + j - 1, mine%lower(3) + k - 1)
        end do
      end do
    end do
    call plan%forward(u, u_hat)
    worst = 0
    do k = 1, theirs%extent(3)
      do j = 1, theirs%extent(2)
        do i = 1, theirs%extent(1)
          worst = max(worst, abs(u_hat(i, j, k) - coefficient(theirs%lower + [i, j, k] - 1, -1)))
        end do
      end do
    end do
    call expect(worst < 1e-10_dp, 'the spectrum is that of the definition')
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

  ! The wave exp(2 pi i (2 x/12 - y/8)).
  subroutine make_wave(mine, u)
    type(sixstep_part), intent(in) :: mine
    complex(dp), allocatable, intent(out) :: u(:, :)
    real(dp) :: phase
    integer :: i, j
    allocate (u(mine%extent(1), mine%extent(2)))
    do j = 1, size(u, 2)
      do i = 1, size(u, 1)
        phase = two_pi*(2*(mine%lower(1) + i - 2)/12._dp - (mine%lower(2) + j - 2)/8._dp)
        u(i, j) = cmplx(cos(phase), sin(phase), dp)
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

  ! Along the first axis, as sixstep/kind.hpp has them.
  subroutine cosines_and_sines_are_those_of_their_definitions()
    integer, parameter :: points = 7
    type(sixstep_layout) :: input
    type(sixstep_plan) :: plan
    type(sixstep_options) :: options
    type(sixstep_part) :: mine
    real(dp), parameter :: x(points) = [3, -1, 4, 1, -5, 9, 2], pi = two_pi/2
    real(dp), allocatable :: u(:, :), modes(:, :)
    real(dp) :: expected(points)
    integer :: kind, k, j
    real(dp) :: last
    call input%slab([points, 5], ranks)
    mine = input%part(rank)
    allocate (u(mine%extent(1), mine%extent(2)), modes(mine%extent(1), mine%extent(2)))
    do kind = sixstep_dct1, sixstep_dst4
      do k = 0, points - 1
        last = merge(1, -1, mod(k, 2) == 0)*x(points)
        select case (kind)
        case (sixstep_dct1); expected(k + 1) = x(1) + last + &
              2*sum([(x(j + 1)*cos(pi*j*k/(points - 1)), j=1, points - 2)])
        case (sixstep_dct2); expected(k + 1) = &
              2*sum([(x(j + 1)*cos(pi*(j + 0.5_dp)*k/points), j=0, points - 1)])
        case (sixstep_dct3); expected(k + 1) = x(1) + &
              2*sum([(x(j + 1)*cos(pi*j*(k + 0.5_dp)/points), j=1, points - 1)])
        case (sixstep_dct4); expected(k + 1) = &
              2*sum([(x(j + 1)*cos(pi*(j + 0.5_dp)*(k + 0.5_dp)/points), j=0, points - 1)])
        case (sixstep_dst1); expected(k + 1) = &
              2*sum([(x(j + 1)*sin(pi*(j + 1)*(k + 1)/(points + 1)), j=0, points - 1)])
        case (sixstep_dst2); expected(k + 1) = &
              2*sum([(x(j + 1)*sin(pi*(j + 0.5_dp)*(k + 1)/points), j=0, points - 1)])
        case (sixstep_dst3); expected(k + 1) = last + &
              2*sum([(x(j + 1)*sin(pi*(j + 1)*(k + 0.5_dp)/points), j=0, points - 2)])
        case (sixstep_dst4); expected(k + 1) = &
              2*sum([(x(j + 1)*sin(pi*(j + 0.5_dp)*(k + 0.5_dp)/points), j=0, points - 1)])
        end select
      end do
      options = sixstep_options(axes=[1], kinds=[kind])
      call plan%create(input, MPI_COMM_WORLD, input, options)
      u = spread(x, 2, size(u, 2))
      call plan%forward(u, modes)
      call expect(all(abs(modes - spread(expected, 2, size(u, 2))) < 1e-12_dp), 'modes')
      call plan%backward(modes, u, sixstep_by_n)
      call expect(all(abs(u - spread(x, 2, size(u, 2))) < 1e-13_dp), 'the points come back')
    end do
  end subroutine

  subroutine layouts_hold_fortrans_boxes()
    type(sixstep_layout) :: boxes, gathered, dealt
    type(sixstep_part) :: part
    integer :: lower(2, ranks), upper(2, ranks), r
    do r = 1, ranks
      lower(:, r) = [1, 1 + (r - 1)*7]
      upper(:, r) = [4, r*7]
    end do
    call boxes%boxes([4, 7*ranks], lower, upper)
    call gathered%gather([4, 7*ranks], lower(:, rank + 1), upper(:, rank + 1), MPI_COMM_WORLD)
    call expect(boxes%describe() == gathered%describe(), 'own boxes are all boxes')
    part = gathered%part(rank)
    call expect(all(part%lower == lower(:, rank + 1) .and. part%upper == upper(:, rank + 1)), &
                'a box is what was given')
    call expect(all(gathered%shape() == [4, 7*ranks]), 'a shape, too')
    call dealt%grid([5, 3], [ranks, 1], [sixstep_cyclic, sixstep_block], order=[2, 1])
    part = dealt%part(rank)
    call expect(part%extent(1) == merge((4 - rank)/ranks + 1, 0, rank < 5), 'rows in turn')
    if (part%points > 0) then
      call expect(part%lower(1) == rank + 1, 'dealt out in turn')
      call expect(part%stride(2) == 1, 'the second axis is the fastest')
    end if
  end subroutine

  subroutine redistribution_moves_numbers()
    type(sixstep_layout) :: from, to
    type(sixstep_redistribution) :: moves
    type(sixstep_part) :: mine, theirs
    integer, allocatable :: a(:, :), b(:, :)
    integer :: i, j
    call from%slab([6, 5], ranks)
    call to%slab([6, 5], ranks, axis=1)
    call moves%create(4, from, to, MPI_COMM_WORLD)
    mine = from%part(rank)
    theirs = to%part(rank)
    allocate (a(mine%extent(1), mine%extent(2)), b(theirs%extent(1), theirs%extent(2)))
    do j = 1, size(a, 2)
      do i = 1, size(a, 1)
        a(i, j) = int(mine%lower(1)) + i + 100*(int(mine%lower(2)) + j)
      end do
    end do
    call moves%execute(a, b)
    do j = 1, size(b, 2)
      do i = 1, size(b, 1)
        call expect(b(i, j) == int(theirs%lower(1)) + i + 100*(int(theirs%lower(2)) + j), &
                    'each number is where it belongs')
      end do
    end do
  end subroutine

  ! Elements of a derived type, and pointers of either side, with ghosts and fields.
  subroutine redistribution_gives_arrays_of_anything()
    type :: particle
      integer :: number
      real(dp) :: place
    end type
    type(sixstep_layout) :: from, to
    type(sixstep_redistribution) :: moves
    type(sixstep_part) :: mine, theirs
    type(particle), allocatable :: a(:, :), b(:, :)
    integer(int64), pointer :: c(:, :, :), d(:)
    real(dp), pointer :: wrong(:, :)
    integer :: i, j, stat
    character(200) :: errmsg
    call from%slab([6, 5], ranks)
    call to%slab([6, 5], ranks, axis=1)
    mine = from%part(rank)
    theirs = to%part(rank)
    call moves%create(16, from, to, MPI_COMM_WORLD)
    allocate (a(mine%extent(1), mine%extent(2)), b(theirs%extent(1), theirs%extent(2)))
    do j = 1, size(a, 2)
      do i = 1, size(a, 1)
        a(i, j) = particle(int(mine%lower(2)) + j, mine%lower(1) + i)
      end do
    end do
    call moves%execute(a, b)
    do j = 1, size(b, 2)
      do i = 1, size(b, 1)
        call expect(b(i, j)%number == theirs%lower(2) + j .and. &
                    nint(b(i, j)%place) == theirs%lower(1) + i, 'particles are where they belong')
      end do
    end do
    call expect(index(moves%describe(), '16 bytes') > 0, 'words of a redistribution')

    call from%set_ghosts([1, 0], [2, 1])
    call moves%create(8, from, to, MPI_COMM_WORLD, sixstep_options(fields=2))
    call moves%allocate(c, sixstep_input)
    call moves%allocate(d, sixstep_output)
    if (mine%points > 0) call expect(all(shape(c) == [mine%extent + [3, 1], 2_int64]), 'ghosts too')
    c = 3
    d = 0
    call moves%execute(c, d)
    call expect(size(d) == 2*theirs%points .and. all(d == 3), 'two fields')
    call moves%execute(d, c, sixstep_backward, stat)
    call expect(stat == 0, 'and back')
    call moves%allocate(wrong, sixstep_input, stat, errmsg)
    call expect(stat /= 0 .and. .not. associated(wrong), 'a pointer of another rank')
    if (ranks <= 6) then  ! any array is large enough for a rank without points, which would execute
      call moves%execute(c, c(:1, :1, 1), stat=stat, errmsg=errmsg)
      call expect(stat /= 0 .and. index(errmsg, 'in, out:') == 1, 'too small')
    end if
    call sixstep_free(c)
    call sixstep_free(d)
  end subroutine

  subroutine a_sign_is_independent_of_the_direction()
    type(sixstep_layout) :: slab
    type(sixstep_plan) :: plan
    type(sixstep_options) :: options
    type(sixstep_part) :: mine
    complex(dp), allocatable :: u(:, :, :), plus(:, :, :)
    complex(dp) :: expected
    real(dp) :: reals(360)
    integer(int64) :: i, j, k
    integer :: direction, stat
    call slab%slab(n, ranks)
    call plan%create(slab, MPI_COMM_WORLD, slab)
    mine = plan%input_part()
    allocate (u(mine%extent(1), mine%extent(2), mine%extent(3)))
    do direction = 1, 3
      do k = 1, mine%extent(3)
        do j = 1, mine%extent(2)
          do i = 1, mine%extent(1)
            u(i, j, k) = value(mine%lower(1) + i - 1, mine%lower(2) + j - 1, mine%lower(3) + k - 1)
          end do
        end do
      end do
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

  ! On the emulated device, whose memory nobody but the device may touch.
  subroutine plans_work_on_a_device()
    type(sixstep_layout) :: input
    type(sixstep_plan) :: plan
    type(sixstep_options) :: options
    complex(dp), pointer :: u(:, :, :), u_hat(:, :, :)
    complex(dp), allocatable :: given(:, :, :), got(:, :, :)
    type(sixstep_part) :: mine, theirs
    character(200) :: message
    integer(int64) :: i, j, k
    integer :: stat
    real(dp) :: worst
    call input%slab(n, ranks)
    options%device = sixstep_emulated
    options%output = sixstep_as_input
    call plan%create(input, MPI_COMM_WORLD, options=options)
    mine = plan%input_part()
    theirs = plan%output_part()
    call plan%allocate(u, sixstep_input)
    call plan%allocate(u_hat, sixstep_output)
    allocate (given(mine%extent(1), mine%extent(2), mine%extent(3)))
    allocate (got(theirs%extent(1), theirs%extent(2), theirs%extent(3)))
    do k = 1, mine%extent(3)
      do j = 1, mine%extent(2)
        do i = 1, mine%extent(1)
          given(i, j, k) = value(mine%lower(1) + i - 1, mine%lower(2) + j - 1, &
                                 mine%lower(3) + k - 1)
        end do
      end do
    end do
    call sixstep_device_copy(sixstep_emulated, u, given)
    call plan%forward_async(u, u_hat)
    call plan%wait()
    call sixstep_device_copy(sixstep_emulated, got, u_hat)
    worst = 0
    do k = 1, theirs%extent(3)
      do j = 1, theirs%extent(2)
        do i = 1, theirs%extent(1)
          worst = max(worst, abs(got(i, j, k) - coefficient([theirs%lower(1) + i - 1, &
            theirs%lower(2) + j - 1, theirs%lower(3) + k - 1], -1)))
        end do
      end do
    end do
    call expect(worst < 1e-10_dp, 'a plan on a device transforms as the definition')
    call plan%backward_async(u_hat, u, sixstep_by_n)
    call plan%wait()
    got = 0
    call sixstep_device_copy(sixstep_emulated, got, u)
    call expect(all(abs(got - given) < 1e-12_dp), 'and back')
    call plan%set_stream(c_null_ptr, stat, message)
    call expect(stat /= 0 .and. index(message, 'stream: a plan on a GPU is needed') == 1, &
                'streams are of GPUs: '//trim(message))
    if (size(given) > 0) then
      call sixstep_device_copy(sixstep_emulated, given(:, :, 1), given, stat, message)
      if (size(given, 3) > 1) &
        call expect(stat /= 0 .and. index(message, 'to: ') == 1, 'no room: '//trim(message))
    end if
    call sixstep_free(u)
    call sixstep_free(u_hat)
  end subroutine

  subroutine workspace_is_lent()
    type(sixstep_layout) :: slab
    type(sixstep_plan) :: plan
    type(sixstep_options) :: options
    complex(dp), allocatable :: u(:)
    real(sp), allocatable :: memory(:)
    character(200) :: errmsg
    integer :: stat
    options%own_workspace = .false.
    call slab%slab(n, ranks)
    call plan%create(slab, MPI_COMM_WORLD, slab, options)
    allocate (u(plan%input_size()), source=(1.0_dp, 0.0_dp))
    allocate (memory(plan%workspace_bytes()/4 + 1))
    if (plan%workspace_bytes() > 63) then
      call plan%set_workspace(memory(:1), stat, errmsg)
      call expect(stat /= 0, 'too little memory')
    end if
    call plan%set_workspace(memory(2::2), stat, errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'memory: a contiguous') == 1, 'memory with gaps')
    call plan%set_workspace(memory)
    call plan%forward_in_place(u, sixstep_by_n)
    if (rank == 0) call expect(abs(u(1) - 1) < 1e-14_dp, 'in lent memory')
  end subroutine

  subroutine plans_tell_what_they_take()
    type(sixstep_layout) :: slab
    type(sixstep_plan) :: plan
    type(sixstep_options) :: options
    type(sixstep_step), allocatable :: steps(:)
    type(sixstep_prediction) :: prediction
    type(sixstep_verified) :: verified
    complex(dp), allocatable :: u(:), v(:)
    character(*), parameter :: trace = 'fortran_program.trace.json'
    character(200) :: errmsg
    integer :: stat
    logical :: there
    options%trace = trace
    call slab%slab(n, ranks)
    call plan%create(slab, MPI_COMM_WORLD, options=options)
    allocate (u(plan%input_size()), v(plan%output_size()))
    u = 1
    call plan%forward(u, v)
    steps = plan%breakdown(sixstep_forward)
    call expect(size(steps) >= merge(1, 2, ranks == 1), 'steps')
    call expect(sum(steps%seconds) > 0 .and. all(steps%bytes >= 0), 'which took their time')
    call expect(index(steps(1)%what, 'fft') > 0, 'and have words: '//steps(1)%what)
    steps = plan%breakdown(sixstep_backward)
    call expect(all(abs(steps%seconds) <= 0), 'nothing went backward')
    steps = plan%breakdown(7, stat)
    call expect(stat /= 0 .and. size(steps) == 0, 'no direction')
    call expect(plan%communication_seconds() >= 0, 'communication')
    call expect(abs(plan%wire_error()) <= 0, 'messages with all bits')
    verified = plan%verified()
    call expect(verified%checked + verified%unchecked == 0, 'nothing is checked')
    prediction = plan%predict('/no/such/machine.json', stat, errmsg)
    call expect(stat /= 0 .and. index(errmsg, '/no/such/machine.json') > 0, 'no machine')
    call plan%write_trace()
    if (rank == 0) then
      inquire (file=trace, exist=there)
      call expect(there, 'a trace')
    end if
  end subroutine

  ! du/dt = laplace u, whose waves decay each by exp(-k^2 t): in an output of the plan's choice,
  ! whose array has the axes in Fortran's order.
  subroutine heat_spreads_alike_on_any_number_of_ranks()
    integer, parameter :: points(3) = [8, 6, 10]
    real(dp), parameter :: t = 0.3_dp
    type(sixstep_layout) :: layouts(3)
    type(sixstep_plan), allocatable :: plan
    type(sixstep_part) :: mine, theirs
    real(dp), allocatable :: u(:, :, :), expected(:, :, :), k_1(:), k_2(:), k_3(:)
    complex(dp), allocatable :: u_hat(:, :, :)
    integer :: of, i, j, k
    real(dp) :: x(3)
    call layouts(1)%slab(points, ranks)
    call layouts(2)%pencil(points, ranks)
    call layouts(3)%brick(points, ranks)
    do of = 1, size(layouts)
      allocate (plan)
      call plan%create(layouts(of), MPI_COMM_WORLD, options=sixstep_options(kinds=[sixstep_r2c]))
      mine = plan%input_part()
      theirs = plan%output_part()
      allocate (u(mine%extent(1), mine%extent(2), mine%extent(3)), &
                u_hat(theirs%extent(1), theirs%extent(2), theirs%extent(3)))
      allocate (expected, mold=u)
      do k = 1, size(u, 3)
        do j = 1, size(u, 2)
          do i = 1, size(u, 1)
            x = two_pi*(mine%lower + [i, j, k] - 2)/points
            u(i, j, k) = sin(x(1)) + cos(2*x(2)) + sin(x(1) + x(2) + 3*x(3))
            expected(i, j, k) = exp(-t)*sin(x(1)) + exp(-4*t)*cos(2*x(2)) + &
                                exp(-11*t)*sin(x(1) + x(2) + 3*x(3))
          end do
        end do
      end do
      k_1 = plan%wavenumbers(1)
      k_2 = plan%wavenumbers(2)
      k_3 = plan%wavenumbers(3)
      call plan%forward(u, u_hat)
      do k = 1, size(u_hat, 3)
        do j = 1, size(u_hat, 2)
          do i = 1, size(u_hat, 1)
            u_hat(i, j, k) = u_hat(i, j, k)*exp(-t*(k_1(i)**2 + k_2(j)**2 + k_3(k)**2))
          end do
        end do
      end do
      call plan%backward(u_hat, u, sixstep_by_n)
      call expect(all(abs(u - expected) < 1e-13_dp), 'heat spreads: '//plan%describe())
      deallocate (plan, u, u_hat, expected)
    end do
  end subroutine

  subroutine outputs_lie_where_options_say()
    type(sixstep_layout) :: slab
    type(sixstep_plan), allocatable :: plan
    type(sixstep_part) :: mine, theirs
    character(200) :: errmsg
    integer :: lies, stat
    call slab%slab(n, ranks)
    do lies = sixstep_cheapest, sixstep_natural_axes
      allocate (plan)
      call plan%create(slab, MPI_COMM_WORLD, options=sixstep_options(output=lies))
      mine = plan%input_part()
      theirs = plan%output_part()
      if (lies == sixstep_as_input) then
        call expect(all(theirs%lower == mine%lower) .and. all(theirs%upper == mine%upper), &
                    'an output that lies as the input')
      else if (lies == sixstep_natural_axes) then
        call expect(theirs%points == 0 .or. theirs%stride(1) == 1, 'the first axis is the fastest')
        call expect(ranks == 1 .or. theirs%extent(3) == n(3), 'the output is split elsewhere')
      end if
      deallocate (plan)
      if (lies == sixstep_natural_axes) cycle
      allocate (plan)
      call plan%create(slab, MPI_COMM_WORLD, slab, sixstep_options(output=lies), stat=stat, &
                       errmsg=errmsg)
      call expect(stat /= 0 .and. index(errmsg, 'output: a layout and the option') == 1, &
                  'a layout and another output: '//trim(errmsg))
      deallocate (plan)
    end do
  end subroutine

  function word(number)
    integer, intent(in) :: number
    character(:), allocatable :: word
    character(12) :: buffer
    write (buffer, '(i0)') number
    word = trim(buffer)
  end function

  ! From 1, the first axis being the fastest; as they were given.
  subroutine mistakes_are_counted_as_fortran_counts()
    type(sixstep_layout) :: input, list
    type(sixstep_plan) :: plan
    character(200) :: errmsg
    real(dp), allocatable :: w(:)
    integer :: stat
    integer, parameter :: not_there(4) = [4, 0, -1, -3]
    integer :: i
    call input%slab(n, ranks)
    do i = 1, size(not_there)
      call plan%create(input, MPI_COMM_WORLD, options=sixstep_options(axes=not_there(i:i)), &
                       stat=stat, errmsg=errmsg)
      call expect_words(errmsg, 'axes: 1 to 3 are possible, '//word(not_there(i))//' was given')
      call list%slab(n, ranks, axis=not_there(i), stat=stat, errmsg=errmsg)
      call expect_words(errmsg, 'axis: 1 to 3 is needed, '//word(not_there(i))//' was given')
      if (not_there(i) == 0) cycle
      call plan%create(input, MPI_COMM_WORLD, stat=stat, errmsg=errmsg, &
                       options=sixstep_options(axes=[1], twiddle=not_there(i)))
      call expect_words(errmsg, 'twiddle: 1 to 3 are possible, or 0 for none, '// &
                        word(not_there(i))//' was given')
    end do
    call plan%create(input, MPI_COMM_WORLD, options=sixstep_options(axes=[3, 1, 3]), stat=stat, &
                     errmsg=errmsg)
    call expect_words(errmsg, 'axes: axis 3 is named twice')
    call plan%create(input, MPI_COMM_WORLD, stat=stat, errmsg=errmsg, &
                     options=sixstep_options(modes=[7_int64, 5_int64, 4_int64]))
    call expect_words(errmsg, 'modes: 1 to 6 of axis 1 can be kept, 7 were asked for')
    call list%grid(n, [ranks, 0, 1], stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'grid: at least 1 rank along each axis is needed, axis 2 has 0')
    call list%grid(n, [ranks, 1, 1], order=[1, 4, 2], stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'order: a permutation of 1 to 3 is needed, {1, 4, 2} was given')
    call list%slab([6, -5, 4], ranks, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'shape: extents must not be negative, axis 2 is -5')
    call list%boxes([6, 4], reshape([1, 1], [2, 1]), reshape([7, 4], [2, 1]), stat=stat, &
                    errmsg=errmsg)
    call expect_words(errmsg, 'boxes: box 0, 1:7 x 1:4, sticks out of the shape 6 x 4')
    call input%set_ghosts([0, 0, -1], [0, 0, 0], stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'ghosts: 0 or more are needed, axis 3 has -1')
    call plan%create(input, MPI_COMM_WORLD, options=sixstep_options(axes=[2, 1]))
    w = plan%wavenumbers(4, stat, errmsg)
    call expect_words(errmsg, 'axis: 1 to 3 are possible, 4 was given')
    w = plan%wavenumbers(3, stat, errmsg)
    call expect_words(errmsg, 'axis: one that is transformed is needed, axis 3 is not')
    w = plan%wavenumber([7_int64, 1_int64, 2_int64], stat, errmsg)
    call expect_words(errmsg, &
                      "k: a point of the output's shape, 6 x 5 x 4, is needed, {7, 1, 2} was given")
    call list%grid(n, [1, 1, ranks], distribution=[sixstep_block, sixstep_block, sixstep_cyclic], &
                   order=[2, 1, 3])
    errmsg = list%describe()
    call expect_words(errmsg, '6 x 5 x 4 over 1 x 1 x '//word(ranks)//' ranks ('// &
              trim(merge('whole', 'slab ', ranks == 1))//')'// &
              trim(merge('               ', ', axis 3 cyclic', ranks == 1))// &
              ', memory order 2 1 3')
    call plan%create(input, MPI_COMM_WORLD)
    if (ranks > 1) call expect(index(plan%describe(), 'axis 3 is split') > 0, 'the axis in words')
  end subroutine

  subroutine mistakes_are_told()
    type(sixstep_layout) :: input, none
    type(sixstep_plan) :: plan
    type(sixstep_options) :: plan_options
    complex(dp) :: large(120), small(1)
    complex(sp) :: single(120)
    real(dp) :: reals(120)
    complex(dp), pointer :: wrong_rank(:, :)
    real(dp), pointer :: wrong_type(:)
    type(sixstep_part) :: part
    real(dp), allocatable :: w(:)
    character(200) :: errmsg
    integer :: stat
    call input%slab([4, -2], ranks, stat=stat, errmsg=errmsg)
    call expect(stat /= 0 .and. index(errmsg, '-2') > 0, 'a negative extent')
    call input%grid(n, [ranks, 1], stat=stat, errmsg=errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'grid:') == 1, 'a short grid')
    call input%gather(n, [1, 1], n, MPI_COMM_WORLD, stat=stat, errmsg=errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'lower:') == 1, 'a short box')
    if (rank == ranks - 1) then
      call input%gather(n, [1], n, MPI_COMM_WORLD, stat=stat, errmsg=errmsg)
    else
      call input%gather(n, [1, 1, 1], n, MPI_COMM_WORLD, stat=stat, errmsg=errmsg)
    end if
    call expect(stat /= 0 .and. index(errmsg, 'lower: an entry for each') == 1, 'a short box of one rank')
    plan_options%fields = merge(2, 1, rank == ranks - 1)
    call input%slab(n, ranks)
    if (ranks > 1) then
      call plan%create(input, MPI_COMM_WORLD, options=plan_options, stat=stat, errmsg=errmsg)
      call expect(stat /= 0 .and. index(errmsg, 'fields: all ranks must give the same; 1 was') == 1, &
                  'fields of one rank alone')
    end if
    call plan%create(none, MPI_COMM_WORLD, stat=stat, errmsg=errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'input:') == 1, 'an empty layout')
    call plan%forward(large, large, stat=stat, errmsg=errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'plan:') == 1, 'an empty plan')
    call input%slab(n, ranks + 1)
    call plan%create(input, MPI_COMM_WORLD, stat=stat, errmsg=errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'input: a layout for the') == 1, 'other ranks')
    call input%slab(n, ranks, stat=stat)
    call expect(stat == 0, 'no mistake')
    call plan%create(input, MPI_COMM_WORLD, input)
    call plan%forward(single, single, stat=stat, errmsg=errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'complex(8)') > 0, 'another precision')
    call plan%forward(reals, reals, stat=stat, errmsg=errmsg)
    call expect(stat /= 0, 'another type')
    if (ranks <= n(3)) then  ! any array is large enough for a rank without points
      call plan%forward(large, small, stat=stat, errmsg=errmsg)
      call expect(stat /= 0 .and. index(errmsg, 'out:') == 1, 'a small array')
      call plan%forward_in_place(small, stat=stat, errmsg=errmsg)
      call expect(stat /= 0 .and. index(errmsg, 'array:') == 1, 'a small array in place')
    end if
    call plan%forward(large, large(::2), stat=stat, errmsg=errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'out: a contiguous') == 1, 'an array with gaps')
    call plan%allocate(wrong_rank, sixstep_input, stat, errmsg)
    call expect(stat /= 0 .and. .not. associated(wrong_rank), 'a pointer of another rank')
    call plan%allocate(wrong_type, sixstep_input, stat, errmsg)
    call expect(stat /= 0 .and. .not. associated(wrong_type), 'a pointer of another type')
    part = input%part(ranks, stat, errmsg)
    call expect(stat /= 0 .and. part%axes == 0, 'a rank that is not there')
    w = plan%wavenumbers(4, stat, errmsg)
    call expect(stat /= 0 .and. size(w) == 0, 'an axis that is not there')
    w = plan%wavenumber([7_int64, 1_int64, 1_int64], stat, errmsg)
    call expect(stat /= 0, 'a wave that is not there')
    w = plan%wavenumber([1_int64, 1_int64], stat, errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'k:') == 1, 'a point of two axes')
    call plan%write_trace(stat, errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'trace') == 1, 'no trace: '//trim(errmsg))
  end subroutine

  ! Whatever is asked of what was never made.
  subroutine what_is_empty_says_so()
    type(sixstep_layout) :: layout
    type(sixstep_plan) :: plan
    type(sixstep_redistribution) :: moves
    type(sixstep_part) :: part
    type(sixstep_prediction) :: prediction
    type(sixstep_verified) :: verified
    type(sixstep_step), allocatable :: steps(:)
    complex(dp), pointer :: array(:)
    complex(dp) :: u(1)
    real(dp), allocatable :: w(:)
    real(dp) :: seconds
    integer(int64), allocatable :: extents(:)
    integer(int64) :: elements
    character(:), allocatable :: words
    character(200) :: errmsg
    integer :: call_number, stat
    do call_number = 1, 32
      stat = 0
      errmsg = ''
      select case (call_number)
      case (1); call layout%set_order([1, 2], stat, errmsg)
      case (2); call layout%set_ghosts([1, 2], [1, 2], stat, errmsg)
      case (3); call layout%set_arrays(reshape([1], [1, 1]), reshape([1], [1, 1]), stat, errmsg)
      case (4); extents = layout%shape(stat, errmsg)
      case (5); part = layout%part(0, stat, errmsg)
      case (6); words = layout%describe(stat, errmsg)
      case (7); elements = plan%input_size(stat, errmsg)
      case (8); elements = plan%output_size(stat, errmsg)
      case (9); part = plan%input_part(stat, errmsg)
      case (10); part = plan%output_part(stat, errmsg)
      case (11); w = plan%wavenumber([1_int64], stat, errmsg)
      case (12); w = plan%wavenumbers(1, stat, errmsg)
      case (13); call plan%forward(u, u, stat=stat, errmsg=errmsg)
      case (14); call plan%backward(u, u, stat=stat, errmsg=errmsg)
      case (15); call plan%forward_in_place(u, stat=stat, errmsg=errmsg)
      case (16); call plan%backward_in_place(u, stat=stat, errmsg=errmsg)
      case (17); call plan%allocate(array, sixstep_input, stat, errmsg)
      case (18); elements = plan%workspace_bytes(stat, errmsg)
      case (19); call plan%set_workspace(u, stat, errmsg)
      case (20); words = plan%describe(stat, errmsg)
      case (21); seconds = plan%communication_seconds(stat, errmsg)
      case (22); steps = plan%breakdown(sixstep_forward, stat, errmsg)
      case (23); prediction = plan%predict(stat=stat, errmsg=errmsg)
      case (24); call moves%execute(u, u, stat=stat, errmsg=errmsg)
      case (25); call moves%allocate(array, sixstep_input, stat, errmsg)
      case (26); words = moves%describe(stat, errmsg)
      case (27); call plan%forward_async(u, u, stat=stat, errmsg=errmsg)
      case (28); call plan%backward_async(u, u, stat=stat, errmsg=errmsg)
      case (29); call plan%wait(stat, errmsg)
      case (30); call plan%set_stream(c_null_ptr, stat, errmsg)
      case (31); seconds = plan%wire_error(stat, errmsg)
      case (32); verified = plan%verified(stat, errmsg)
      end select
      call expect(stat == 1 .and. index(errmsg, ': it is empty; make it first') > 0, &
                  'a call of something empty: '//trim(errmsg))
    end do
  end subroutine

end program
