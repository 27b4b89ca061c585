! SPDX-License-Identifier: BSD-3-Clause
! Convolutions of the Fortran interface: against their sums, and what is refused.
module fortran_convolutions
  use, intrinsic :: iso_fortran_env, only: int64, sp => real32, dp => real64
  use mpi_f08
  use sixstep
  use harness
  implicit none
  private
  public :: test_convolutions
  integer, parameter :: n(2) = [7, 9], m(2) = [5, 4]
contains

  subroutine test_convolutions()
    call convolutions_are_their_sums()
    call single_and_real_arrays_serve()
    call mistakes_are_told()
    call what_is_empty_says_so()
  end subroutine

  ! Values of the signal and of the kernel at a point; no two axes are alike.
  pure complex(dp) function signal_at(j)
    integer, intent(in) :: j(2)
    signal_at = cmplx(modulo(3*j(1) + 5*j(2), 7), modulo(j(1)*j(2), 5), dp)
  end function
  pure complex(dp) function kernel_at(l)
    integer, intent(in) :: l(2)
    kernel_at = cmplx(2*l(1) - 3*l(2) + 1, l(1) + l(2), dp)
  end function

  ! Point k of the result, by the sum that defines it.
  pure complex(dp) function expected_at(k, options) result(total)
    integer, intent(in) :: k(2)
    type(sixstep_convolution_options), intent(in) :: options
    integer :: l1, l2, j(2), first(2)
    first = 0
    if (options%mode == sixstep_convolve_same) first = ishft(m - 1, -1)
    if (options%mode == sixstep_convolve_valid) first = min(n, m) - 1
    total = 0
    do l2 = 1, m(2)
      do l1 = 1, m(1)
        j = k + first - [l1, l2] + 1
        if (options%correlate) j = k + first + [l1, l2] - m
        if (options%mode == sixstep_convolve_periodic) then
          if (options%correlate) j = j + m - 1
          j = modulo(j - 1, n) + 1
        end if
        if (any(j < 1 .or. j > n)) cycle
        if (options%correlate) then
          total = total + signal_at(j)*conjg(kernel_at([l1, l2]))
        else
          total = total + signal_at(j)*kernel_at([l1, l2])
        end if
      end do
    end do
  end function

  subroutine convolutions_are_their_sums()
    type(sixstep_layout) :: grid, small, there
    type(sixstep_convolution) :: convolution
    type(sixstep_convolution_options) :: options
    type(sixstep_part) :: box
    complex(dp), allocatable :: signal(:, :), kernel(:, :), found(:, :)
    complex(dp), pointer :: both(:)
    integer(int64) :: shape(2)
    integer :: mode, correlate, i, j
    call grid%slab(n, ranks)
    call small%slab(m, ranks, axis=1)
    do mode = sixstep_convolve_full, sixstep_convolve_periodic
      do correlate = 0, 1
        options = sixstep_convolution_options(mode=mode, correlate=correlate == 1)
        shape = sixstep_result_shape(int(n, int64), int(m, int64), options)
        select case (mode)
        case (sixstep_convolve_full); call expect(all(shape == n + m - 1), 'a full shape')
        case (sixstep_convolve_valid); call expect(all(shape == n - m + 1), 'a valid shape')
        case default; call expect(all(shape == n), 'the shape of the signal')
        end select
        if (mode == sixstep_convolve_valid) then
          call there%slab(int(shape), ranks, axis=1)
          call convolution%create(grid, small, MPI_COMM_WORLD%MPI_VAL, there, options)
        else
          call convolution%create(grid, small, MPI_COMM_WORLD, options=options)
        end if
        box = small%part(rank)
        allocate (kernel(box%extent(1), box%extent(2)))
        do j = 1, size(kernel, 2)
          do i = 1, size(kernel, 1)
            kernel(i, j) = kernel_at(int(box%lower) + [i, j] - 1)
          end do
        end do
        call convolution%set_kernel(kernel)
        box = convolution%input_part()
        allocate (signal(box%extent(1), box%extent(2)))
        do j = 1, size(signal, 2)
          do i = 1, size(signal, 1)
            signal(i, j) = signal_at(int(box%lower) + [i, j] - 1)
          end do
        end do
        box = convolution%output_part()
        if (mode == sixstep_convolve_valid) then
          call expect(box%points == 0 .or. box%extent(2) == n(2) - m(2) + 1, 'the layout is given')
        end if
        allocate (found(box%extent(1), box%extent(2)))
        call convolution%apply(signal, found)
        call convolution%allocate(both, sixstep_output)
        if (mode == sixstep_convolve_full) then
          both(:size(signal)) = reshape(signal, [size(signal)])
          call convolution%apply_in_place(both)
          call expect(all(abs(both(:size(found)) - reshape(found, [size(found)])) < 1e-10_dp), &
                      'in place')
        end if
        do j = 1, size(found, 2)
          do i = 1, size(found, 1)
            found(i, j) = found(i, j) - expected_at(int(box%lower) + [i, j] - 1, options)
          end do
        end do
        call expect(all(abs(found) < 1e-11_dp), 'a sum')
        call sixstep_free(both)
        deallocate (signal, kernel, found)
      end do
    end do
    call expect(index(convolution%describe(), 'times kernel') > 0, 'words')
    call expect(size(convolution%breakdown()) > 0, 'steps')
    call expect(convolution%communication_seconds() >= 0, 'seconds of communication')
  end subroutine

  ! An even kernel along one of two axes: row by row 2 f(i) + 3 (f(i-1) + f(i+1)).
  subroutine single_and_real_arrays_serve()
    type(sixstep_layout) :: grid
    type(sixstep_convolution) :: convolution
    type(sixstep_part) :: box
    real(sp), allocatable :: u(:, :), kernel(:, :), expected(:, :)
    integer :: i
    call grid%slab(n, ranks)
    call convolution%create(grid, grid, MPI_COMM_WORLD, options=sixstep_convolution_options( &
                            axes=[1], kinds=[sixstep_r2c], mode=sixstep_convolve_periodic, &
                            even=.true.), precision=sixstep_single)
    box = grid%part(rank)
    allocate (u(box%extent(1), box%extent(2)))
    allocate (kernel, expected, mold=u)
    kernel = 0
    kernel(1, :) = 2
    kernel([2, n(1)], :) = 3
    call convolution%set_kernel(kernel)
    do i = 1, n(1)
      u(i, :) = real(signal_at([i, rank + 1]), sp)
    end do
    expected = 2*u + 3*(cshift(u, 1) + cshift(u, -1))
    call convolution%apply_in_place(u)
    call expect(all(abs(u - expected) < 1e-4), 'an even kernel in single')
  end subroutine

  subroutine mistakes_are_told()
    type(sixstep_layout) :: grid, small, line
    type(sixstep_convolution) :: convolution
    complex(dp) :: array(400)
    real(dp) :: reals(400)
    integer(int64) :: shape(2)
    character(200) :: errmsg
    integer :: stat
    call grid%slab(n, ranks)
    call small%slab(m, ranks)
    call line%slab([4], ranks)
    call convolution%create(grid, line, MPI_COMM_WORLD, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, "kernel: 2 axes are needed, like the signal's; it has 1")
    call convolution%create(grid, small, MPI_COMM_WORLD, grid, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'result: the shape 11 x 12 is needed, 7 x 9 was given')
    call convolution%create(grid, small, MPI_COMM_WORLD, options= &
                            sixstep_convolution_options(mode=4), stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'mode: 0 to 3 are possible, 4 was given')
    call convolution%create(grid, small, MPI_COMM_WORLD, options= &
                            sixstep_convolution_options(axes=[2]), stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'kernel: axis 1 is not transformed, so 7 points are needed, it has 5')
    shape = sixstep_result_shape([4_int64, 4_int64], [4_int64], stat=stat, errmsg=errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'kernel:') == 1, 'a short shape')
    call convolution%create(grid, small, MPI_COMM_WORLD)
    call convolution%apply(array, array, stat, errmsg)
    call expect_words(errmsg, 'kernel: there is none yet; call set_kernel() first')
    call convolution%set_kernel(reals, stat, errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'kernel:') == 1, 'another type')
    call convolution%set_kernel(array(:0), stat, errmsg)
    call expect(stat /= 0, 'a small kernel')
  end subroutine

  subroutine what_is_empty_says_so()
    type(sixstep_convolution) :: convolution
    complex(dp) :: u(1)
    character(200) :: errmsg
    integer :: stat
    call convolution%set_kernel(u, stat, errmsg)
    call expect_words(errmsg, 'convolution: it is empty; make it first')
    errmsg = ''
    call convolution%apply(u, u, stat, errmsg)
    call expect_words(errmsg, 'convolution: it is empty; make it first')
    call expect(stat == 1, 'a code')
  end subroutine
end module
