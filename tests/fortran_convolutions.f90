! SPDX-License-Identifier: BSD-3-Clause
! Convolutions and solvers in free space of the Fortran interface: against their sums, and what is
! refused.
module fortran_convolutions
  use, intrinsic :: ieee_arithmetic, only: ieee_positive_inf, ieee_value
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
    call free_space_is_a_sum_of_weights()
    call numbers_are_weights()
    call waves_have_sums_of_weights()
    call walls_have_waves()
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

  ! No two axes are alike.
  real(dp) function greens(x)
    real(dp), intent(in) :: x(:)
    greens = 1/(1 + x(1) + 2*x(2)**2)
  end function

  subroutine free_space_is_a_sum_of_weights()
    type(sixstep_layout) :: grid
    type(sixstep_open_poisson) :: open
    type(sixstep_part) :: box
    real(dp), allocatable :: f(:, :), u(:, :)
    real(sp), allocatable :: single(:, :)
    real(dp) :: factor
    integer :: i, j
    type(sixstep_open_poisson_options) :: options
    call grid%slab(n, ranks)
    options%spacing = [0.3_dp, 0.2_dp]
    call open%create(grid, MPI_COMM_WORLD, options, greens)
    box = open%input_part()
    allocate (f(box%extent(1), box%extent(2)), u(box%extent(1), box%extent(2)))
    do j = 1, size(f, 2)
      do i = 1, size(f, 1)
        f(i, j) = real(signal_at(int(box%lower) + [i, j] - 1), dp)
      end do
    end do
    call open%apply(f, u)
    call compare(1.0_dp)
    factor = 2
    call open%create(grid, MPI_COMM_WORLD%MPI_VAL, options, scaled)
    call open%apply(f, u)
    call compare(factor)
    call open%create(grid, MPI_COMM_WORLD, options, greens, sixstep_single)
    single = real(f, sp)
    call open%apply_in_place(single)
    u = single
    call compare(1.0_dp, 1e-4_dp)
    ! |x|/2, integrated over a cell of 0.5.
    options%greens_function = sixstep_integrated
    options%axes = [1]
    options%spacing = [0.5_dp]
    call open%create(grid, MPI_COMM_WORLD, options)
    f = 0
    f(2, :) = 1
    call open%apply(f, u)
    do i = 1, n(1)
      call expect(all(abs(u(i, :) - merge(1/32.0_dp, abs(i - 2)/8.0_dp, i == 2)) < 1e-13_dp), &
                  'a line')
    end do
  contains
    real(dp) function scaled(x)
      real(dp), intent(in) :: x(:)
      scaled = factor*greens(x)
    end function
    subroutine compare(by, bound)
      real(dp), intent(in) :: by
      real(dp), intent(in), optional :: bound
      real(dp) :: total, most
      integer :: i, j, a, b, k(2)
      most = 1e-11_dp
      if (present(bound)) most = bound
      do j = 1, size(u, 2)
        do i = 1, size(u, 1)
          k = int(box%lower) + [i, j] - 1
          total = 0
          do b = 1, n(2)
            do a = 1, n(1)
              total = total + real(signal_at([a, b]), dp)*greens([0.3_dp*abs(k(1) - a), &
                                                                  0.2_dp*abs(k(2) - b)])
            end do
          end do
          call expect(abs(u(i, j) - by*total) < most, 'a sum of weights')
        end do
      end do
    end subroutine
  end subroutine

  ! Numbers for distances along both axes, in the order of the axes.
  subroutine numbers_are_weights()
    type(sixstep_layout) :: grid, small, dealt
    type(sixstep_open_poisson) :: open
    type(sixstep_part) :: box
    real(dp), allocatable :: u(:, :), numbers(:, :)
    real(sp) :: single(1)
    character(200) :: errmsg
    integer :: i, j, stat
    call grid%slab(n, ranks)
    call dealt%slab(n, ranks, axis=1)
    box = dealt%part(rank)
    allocate (numbers(box%extent(1), box%extent(2)))
    do j = 1, size(numbers, 2)
      do i = 1, size(numbers, 1)
        numbers(i, j) = greens(real([box%lower(1) + i - 2, box%lower(2) + j - 2], dp))
      end do
    end do
    call open%create(grid, MPI_COMM_WORLD, numbers_layout=dealt, numbers=numbers)
    call compare(1.0_dp)
    call open%renew(numbers_layout=dealt, numbers=3*numbers)
    call compare(3.0_dp)
    call open%renew(greens=greens)
    call compare(1.0_dp)
    call open%create(grid, MPI_COMM_WORLD%MPI_VAL, precision=sixstep_double)
    call open%renew(sixstep_open_poisson_options(greens_function=sixstep_integrated))
    call open%renew(numbers_layout=dealt, numbers=numbers)
    call compare(1.0_dp)
    if (size(numbers) > 0) then
      if (box%lower(1) <= 2 .and. box%upper(1) >= 2) numbers(3 - box%lower(1), 5) = &
        ieee_value(1.0_dp, ieee_positive_inf)
    end if
    call open%renew(numbers_layout=dealt, numbers=numbers, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'numbers: finite numbers are needed, for the entry {2, 5} it is inf')
    call compare(1.0_dp)
    call small%slab([7, 8], ranks)
    call open%renew(numbers_layout=small, numbers=numbers, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'numbers: an array of shape (7, 9) is needed, (7, 8) was given')
    call open%renew(numbers_layout=dealt, numbers=single, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'numbers: elements of type real(8) are needed, of type real(4) were given')
    call open%create(grid, MPI_COMM_WORLD, numbers_layout=dealt, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'numbers: an array and its layout are needed, one of them was given')
  contains
    subroutine compare(by)
      real(dp), intent(in) :: by
      real(dp) :: total
      integer :: i, j, a, b, k(2)
      type(sixstep_part) :: here
      here = open%input_part()
      if (allocated(u)) deallocate (u)
      allocate (u(here%extent(1), here%extent(2)))
      do j = 1, size(u, 2)
        do i = 1, size(u, 1)
          u(i, j) = real(signal_at(int(here%lower) + [i, j] - 1), dp)
        end do
      end do
      call open%apply_in_place(u)
      do j = 1, size(u, 2)
        do i = 1, size(u, 1)
          k = int(here%lower) + [i, j] - 1
          total = 0
          do b = 1, n(2)
            do a = 1, n(1)
              total = total + real(signal_at([a, b]), dp)*greens(real([abs(k(1) - a), abs(k(2) - b)], dp))
            end do
          end do
          call expect(abs(u(i, j) - by*total) < 1e-10_dp, 'a sum of numbers')
        end do
      end do
    end subroutine
  end subroutine

  ! A Gaussian along axis 2, three spacings of 0.4 wide, by its transform.
  subroutine waves_have_sums_of_weights()
    integer, parameter :: points = 31
    type(sixstep_layout) :: grid
    type(sixstep_open_poisson) :: open
    type(sixstep_open_poisson_options) :: options
    type(sixstep_part) :: box
    real(dp), allocatable :: u(:, :)
    real(dp) :: total
    integer :: i, j, b
    call grid%slab([3, points], ranks)
    options%axes = [2]
    options%spacing = [0.4_dp]
    options%space = sixstep_waves
    call open%create(grid, MPI_COMM_WORLD, options, transform)
    box = open%input_part()
    allocate (u(box%extent(1), box%extent(2)))
    do j = 1, size(u, 2)
      do i = 1, size(u, 1)
        u(i, j) = source(int(box%lower) + [i, j] - 1)
      end do
    end do
    call open%apply_in_place(u)
    do j = 1, size(u, 2)
      do i = 1, size(u, 1)
        total = 0
        do b = 1, points
          total = total + source([int(box%lower(1)) + i - 1, b])*0.4_dp &
              *exp(-(int(box%lower(2)) + j - 1 - b)**2/18.0_dp)
        end do
        call expect(abs(u(i, j) - total) < 1e-11_dp, 'a sum of weights by waves')
      end do
    end do
  contains
    real(dp) function transform(k)
      real(dp), intent(in) :: k(:)
      transform = sqrt(8*atan(1.0_dp))*1.2_dp*exp(-(1.2_dp*k(1))**2/2)
    end function
    real(dp) function source(k)
      integer, intent(in) :: k(2)
      source = mod(5*k(1) + k(2)**2, 7)
    end function
  end subroutine

  ! Sines between two walls along axis 1, distances along axis 2.
  subroutine walls_have_waves()
    real(dp), parameter :: pi = 4*atan(1.0_dp), h(2) = [0.2_dp, 0.3_dp]
    type(sixstep_layout) :: grid
    type(sixstep_open_poisson) :: open
    type(sixstep_part) :: box
    type(sixstep_open_poisson_options) :: options
    real(dp), allocatable :: u(:, :)
    real(dp) :: wave, total
    integer :: i, j, k(2), b
    call grid%slab(n, ranks)
    options%spacing = h
    options%walls = [sixstep_dirichlet, sixstep_open]
    options%points = [sixstep_nodes, sixstep_cells]
    options%shift = [0.0_dp, 0.4_dp]
    call open%create(grid, MPI_COMM_WORLD, options, greens)
    box = open%input_part()
    allocate (u(box%extent(1), box%extent(2)))
    wave = 2*pi/((n(1) + 1)*h(1))
    do j = 1, size(u, 2)
      do i = 1, size(u, 1)
        k = int(box%lower) + [i, j] - 1
        u(i, j) = mod(k(2)**2, 7)*sin(wave*h(1)*k(1))
      end do
    end do
    call open%apply_in_place(u)
    do j = 1, size(u, 2)
      do i = 1, size(u, 1)
        k = int(box%lower) + [i, j] - 1
        total = 0
        do b = 1, n(2)
          total = total + mod(b**2, 7)*greens([wave, abs(h(2)*(k(2) - b) + 0.4_dp)])
        end do
        call expect(abs(u(i, j) - total*sin(wave*h(1)*k(1))) < 1e-12_dp, 'waves between walls')
      end do
    end do
  end subroutine

  subroutine mistakes_are_told()
    type(sixstep_layout) :: grid, small, line
    type(sixstep_convolution) :: convolution
    type(sixstep_open_poisson) :: open
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
    call open%create(grid, MPI_COMM_WORLD, sixstep_open_poisson_options( &
                     spacing=[1.0_dp, 2.0_dp, 3.0_dp]), stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'spacing: one for each of the 2 axes or one for all is needed, '// &
                      '3 were given')
    call open%create(grid, MPI_COMM_WORLD, sixstep_open_poisson_options(greens_function=2), &
                     stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'greens_function: 0 to 1 are possible, 2 was given')
  end subroutine

  subroutine what_is_empty_says_so()
    type(sixstep_convolution) :: convolution
    type(sixstep_open_poisson) :: open
    complex(dp) :: u(1)
    character(200) :: errmsg
    integer :: call_number, stat
    do call_number = 1, 4
      stat = 0
      errmsg = ''
      select case (call_number)
      case (1); call convolution%set_kernel(u, stat, errmsg)
      case (2); call convolution%apply(u, u, stat, errmsg)
      case (3); call open%apply(u, u, stat, errmsg)
      case (4); call open%renew(stat=stat, errmsg=errmsg)
      end select
      call expect(stat == 1, 'a code')
      call expect_words(errmsg, trim(merge('solver     ', 'convolution', call_number > 2))// &
                        ': it is empty; make it first')
    end do
  end subroutine
end module
