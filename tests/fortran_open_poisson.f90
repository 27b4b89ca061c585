! SPDX-License-Identifier: BSD-3-Clause
! Solvers in free space of the Fortran interface: against sums of weights, and what is refused.
module fortran_open_poisson
  use, intrinsic :: ieee_arithmetic, only: ieee_positive_inf, ieee_value
  use, intrinsic :: iso_fortran_env, only: int64, sp => real32, dp => real64
  use mpi_f08
  use sixstep
  use harness
  implicit none
  private
  public :: test_open_poisson
  integer, parameter :: n(2) = [7, 9]
  real(dp), parameter :: pi = acos(-1.0_dp), distances(2) = [0.3_dp, 0.2_dp]
contains

  subroutine test_open_poisson()
    call free_space_is_a_sum_of_weights()
    call numbers_are_weights()
    call procedures_get_waves()
    call walls_have_waves()
    call mistakes_are_told()
    call what_is_empty_says_so()
  end subroutine

  ! A Green's function; no two axes are alike.
  real(dp) function greens(x)
    real(dp), intent(in) :: x(:)
    greens = 1/(1 + x(1) + 2*x(2)**2)
  end function

  pure real(dp) function source_at(j)
    integer, intent(in) :: j(2)
    source_at = modulo(3*j(1) + 5*j(2), 7)
  end function

  ! This rank's part of the source.
  function sources(open) result(f)
    type(sixstep_open_poisson), intent(in) :: open
    real(dp), allocatable :: f(:, :)
    type(sixstep_part) :: box
    integer :: i, j
    box = open%input_part()
    allocate (f(box%extent(1), box%extent(2)))
    do j = 1, size(f, 2)
      do i = 1, size(f, 1)
        f(i, j) = source_at(int(box%lower) + [i, j] - 1)
      end do
    end do
  end function

  ! Whether u is `by` times the sum over all points of the source times greens() of their distances
  ! along both axes, in units of h.
  subroutine expect_sums(open, u, h, by, bound)
    type(sixstep_open_poisson), intent(in) :: open
    real(dp), intent(in) :: u(:, :), h(2), by, bound
    type(sixstep_part) :: box
    real(dp) :: total
    integer :: i, j, a, b, k(2)
    box = open%input_part()
    do j = 1, size(u, 2)
      do i = 1, size(u, 1)
        k = int(box%lower) + [i, j] - 1
        total = sum([((source_at([a, b])*greens(h*abs(k - [a, b])), a=1, n(1)), b=1, n(2))])
        call expect(abs(u(i, j) - by*total) < bound, 'a sum of weights')
      end do
    end do
  end subroutine

  subroutine free_space_is_a_sum_of_weights()
    type(sixstep_layout) :: grid
    type(sixstep_open_poisson) :: open
    real(dp), allocatable :: f(:, :), u(:, :)
    real(sp), allocatable :: single(:, :)
    real(dp) :: factor
    integer :: i
    type(sixstep_open_poisson_options) :: options
    call grid%slab(n, ranks)
    options%spacing = distances
    call open%create(grid, MPI_COMM_WORLD, options, greens)
    f = sources(open)
    allocate (u, mold=f)
    call open%apply(f, u)
    call expect_sums(open, u, distances, 1.0_dp, 1e-11_dp)
    factor = 2
    call open%create(grid, MPI_COMM_WORLD%MPI_VAL, options, scaled)
    call open%apply(f, u)
    call expect_sums(open, u, distances, factor, 1e-11_dp)
    call open%create(grid, MPI_COMM_WORLD, options, greens, sixstep_single)
    single = real(f, sp)
    call open%apply_in_place(single)
    call expect_sums(open, real(single, dp), distances, 1.0_dp, 1e-4_dp)
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
  end subroutine

  ! Numbers for distances along both axes, in the order of the axes.
  subroutine numbers_are_weights()
    type(sixstep_layout) :: grid, small, dealt
    type(sixstep_open_poisson) :: open
    type(sixstep_part) :: box
    real(dp), allocatable :: numbers(:, :)
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
    call expect_result(1.0_dp)
    call open%renew(numbers_layout=dealt, numbers=3*numbers)
    call expect_result(3.0_dp)
    call open%renew(greens=greens)
    call expect_result(1.0_dp)
    call open%create(grid, MPI_COMM_WORLD%MPI_VAL, precision=sixstep_double)
    call open%renew(sixstep_open_poisson_options(greens_function=sixstep_integrated))
    call open%renew(numbers_layout=dealt, numbers=numbers)
    call expect_result(1.0_dp)
    if (size(numbers) > 0) then
      if (box%lower(1) <= 2 .and. box%upper(1) >= 2) numbers(3 - box%lower(1), 5) = &
        ieee_value(1.0_dp, ieee_positive_inf)
    end if
    call open%renew(numbers_layout=dealt, numbers=numbers, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'numbers: finite numbers are needed, for the entry {2, 5} it is inf')
    call expect_result(1.0_dp)
    call small%slab([7, 8], ranks)
    call open%renew(numbers_layout=small, numbers=numbers, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'numbers: an array of shape (7, 9) is needed, (7, 8) was given')
    call open%renew(numbers_layout=dealt, numbers=single, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'numbers: elements of type real(8) are needed, of type real(4) were given')
    call open%create(grid, MPI_COMM_WORLD, numbers_layout=dealt, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'numbers: an array and its layout are needed, one of them was given')
  contains
    subroutine expect_result(by)
      real(dp), intent(in) :: by
      real(dp), allocatable :: u(:, :)
      u = sources(open)
      call open%apply_in_place(u)
      call expect_sums(open, u, [1.0_dp, 1.0_dp], by, 1e-10_dp)
    end subroutine
  end subroutine

  ! With this space, a procedure is called for wave numbers up to pi/spacing.
  subroutine procedures_get_waves()
    type(sixstep_layout) :: grid
    type(sixstep_open_poisson) :: open
    type(sixstep_open_poisson_options) :: options
    real(dp) :: largest
    call grid%slab([3, 31], ranks)
    options%axes = [2]
    options%spacing = [0.4_dp]
    options%space = sixstep_waves
    largest = 0
    call open%create(grid, MPI_COMM_WORLD, options, transform)
    call MPI_Allreduce(MPI_IN_PLACE, largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
    call expect(abs(largest - pi/0.4_dp) < 1e-12_dp, 'the shortest wave')
  contains
    real(dp) function transform(k)
      real(dp), intent(in) :: k(:)
      transform = exp(-k(1)**2)
      largest = max(largest, k(1))
    end function
  end subroutine

  ! Sines between two walls along axis 1, distances along axis 2.
  subroutine walls_have_waves()
    real(dp), parameter :: h(2) = [0.2_dp, 0.3_dp], wave = 2*pi/((n(1) + 1)*h(1))
    type(sixstep_layout) :: grid
    type(sixstep_open_poisson) :: open
    type(sixstep_part) :: box
    type(sixstep_open_poisson_options) :: options
    real(dp), allocatable :: u(:, :)
    real(dp) :: total
    integer :: i, j, k(2), b
    call grid%slab(n, ranks)
    options%spacing = h
    options%walls = [sixstep_dirichlet, sixstep_open]
    options%points = [sixstep_nodes, sixstep_cells]
    options%shift = [0.0_dp, 0.4_dp]
    call open%create(grid, MPI_COMM_WORLD, options, greens)
    box = open%input_part()
    allocate (u(box%extent(1), box%extent(2)))
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
        total = sum([(mod(b**2, 7)*greens([wave, abs(h(2)*(k(2) - b) + 0.4_dp)]), b=1, n(2))])
        call expect(abs(u(i, j) - total*sin(wave*h(1)*k(1))) < 1e-12_dp, 'waves between walls')
      end do
    end do
  end subroutine

  subroutine mistakes_are_told()
    type(sixstep_layout) :: grid
    type(sixstep_open_poisson) :: open
    character(200) :: errmsg
    integer :: stat
    call grid%slab(n, ranks)
    call open%create(grid, MPI_COMM_WORLD, sixstep_open_poisson_options( &
                     spacing=[1.0_dp, 2.0_dp, 3.0_dp]), stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'spacing: one for each of the 2 axes or one for all is needed, '// &
                      '3 were given')
    call open%create(grid, MPI_COMM_WORLD, sixstep_open_poisson_options(greens_function=2), &
                     stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'greens_function: 0 to 1 are possible, 2 was given')
    call open%create(grid, MPI_COMM_WORLD, sixstep_open_poisson_options(space=2), stat=stat, &
                     errmsg=errmsg)
    call expect_words(errmsg, 'space: 0 to 1 are possible, 2 was given')
  end subroutine

  subroutine what_is_empty_says_so()
    type(sixstep_open_poisson) :: open
    complex(dp) :: u(1)
    character(200) :: errmsg
    integer :: stat
    call open%apply(u, u, stat, errmsg)
    call expect_words(errmsg, 'solver: it is empty; make it first')
    errmsg = ''
    call open%renew(stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'solver: it is empty; make it first')
    call expect(stat == 1, 'a code')
  end subroutine
end module
