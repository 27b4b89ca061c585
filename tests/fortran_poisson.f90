! SPDX-License-Identifier: BSD-3-Clause
! Poisson's equation in the Fortran interface: exact solutions between walls of all kinds, and what
! is refused.
module fortran_poisson
  use, intrinsic :: iso_fortran_env, only: int64, sp => real32, dp => real64
  use mpi_f08
  use sixstep
  use harness
  implicit none
  private
  public :: test_poisson
  integer, parameter :: n(3) = [7, 8, 9]
  real(dp), parameter :: pi = acos(-1.0_dp), sides(3) = [2.0_dp, 0.7_dp, 1.5_dp]
contains

  subroutine test_poisson()
    call waves_between_all_walls_have_exact_derivatives()
    call walls_take_values()
    call the_mean_that_has_no_solution_is_told()
    call mistakes_are_told()
    call what_is_empty_says_so()
  end subroutine

  ! A wave that satisfies the conditions of walls at 0 and `length`: its wave number, its value.
  pure real(dp) function k_of(walls, length)
    integer, intent(in) :: walls
    real(dp), intent(in) :: length
    select case (walls)
    case (sixstep_periodic); k_of = 4*pi/length
    case (sixstep_dirichlet, sixstep_neumann); k_of = 2*pi/length
    case default; k_of = 1.5_dp*pi/length
    end select
  end function
  pure real(dp) function wave(walls, length, x)
    integer, intent(in) :: walls
    real(dp), intent(in) :: length, x
    wave = cos(k_of(walls, length)*x)
    if (walls == sixstep_dirichlet .or. walls == sixstep_dirichlet_neumann) &
      wave = sin(k_of(walls, length)*x)
  end function

  ! The place of a point of an axis, counted from 1.
  pure real(dp) function place(walls, points, count, length, i)
    integer, intent(in) :: walls, points, count
    real(dp), intent(in) :: length
    integer(int64), intent(in) :: i
    if (walls == sixstep_periodic) then
      place = length*(i - 1)/count
    else if (points == sixstep_cells) then
      place = length*(i - 0.5_dp)/count
    else
      select case (walls)
      case (sixstep_dirichlet); place = length*i/(count + 1)
      case (sixstep_neumann); place = length*(i - 1)/(count - 1)
      case (sixstep_dirichlet_neumann); place = length*i/count
      case default; place = length*(i - 1)/count
      end select
    end if
  end function

  subroutine waves_between_all_walls_have_exact_derivatives()
    type(sixstep_layout) :: grid
    type(sixstep_poisson) :: poisson
    type(sixstep_part) :: box
    integer :: first, points, walls(3), kinds(3), a
    integer(int64) :: i, j, l
    real(dp) :: x(3), left_out, square, spacing(3)
    real(dp), allocatable, dimension(:, :, :) :: u, f
    real(sp), allocatable, dimension(:, :, :) :: single
    call grid%slab(n, ranks)
    box = grid%part(rank)
    allocate (u(box%extent(1), box%extent(2), box%extent(3)))
    do first = sixstep_periodic, sixstep_neumann_dirichlet
      do points = sixstep_cells, sixstep_nodes
        walls = [sixstep_periodic, modulo(first + 2, 5), first]
        kinds = [sixstep_nodes, sixstep_cells, points]
        call poisson%create(grid, MPI_COMM_WORLD, sixstep_poisson_options( &
                            sides=sides, walls=walls, points=kinds))
        do l = 1, size(u, 3)
          do j = 1, size(u, 2)
            do i = 1, size(u, 1)
              x = [(place(walls(a), kinds(a), n(a), sides(a), &
                          box%lower(a) - 1 + merge(i, merge(j, l, a == 2), a == 1)), a=1, 3)]
              call expect(all(abs(poisson%x(box%lower + [i, j, l] - 1) - x) < 1e-14_dp), 'a place')
              u(i, j, l) = product([(wave(walls(a), sides(a), x(a)), a=1, 3)])
            end do
          end do
        end do
        spacing = [(place(walls(a), kinds(a), n(a), sides(a), 2_int64) - &
                    place(walls(a), kinds(a), n(a), sides(a), 1_int64), a=1, 3)]
        call expect(all(abs(poisson%spacing() - spacing) < 1e-14_dp), 'the spacing')
        square = sum([(k_of(walls(a), sides(a))**2, a=1, 3)])
        f = -square*u
        call poisson%solve_in_place(f, left_out=left_out)
        call expect(all(abs(f - u) < 1e-13_dp) .and. .not. abs(left_out) > 0, 'a wave')
        call poisson%create(grid, MPI_COMM_WORLD%MPI_VAL, sixstep_poisson_options( &
                            sides=sides, walls=walls, points=kinds), precision=sixstep_single)
        single = real(-square*u, sp)
        call poisson%solve_in_place(single)
        call expect(all(abs(single - u) < 1e-4_dp), 'a wave in single')
      end do
    end do
  end subroutine

  ! Differences of second order are exact for it, also behind walls that have nodes.
  pure real(dp) function parabola(x)
    real(dp), intent(in) :: x(3)
    parabola = x(3)**2 - 2*x(2)**2 + x(3)*x(2) + x(1)/2
  end function

  ! u at both walls of the first axis; u at the last and its slope at the first wall of the second
  ! axis; u at the first and its slope at the last wall of the third one.
  real(dp) function at_walls(axis, is_last, x)
    integer, intent(in) :: axis
    logical, intent(in) :: is_last
    real(dp), intent(in) :: x(:)
    at_walls = parabola(x)
    if (axis == 2 .and. .not. is_last) at_walls = -4*x(2) + x(3)
    if (axis == 3 .and. is_last) at_walls = 2*x(3) + x(2)
  end function

  subroutine walls_take_values()
    type(sixstep_layout) :: grid
    type(sixstep_poisson) :: poisson
    type(sixstep_part) :: box
    real(dp), allocatable, dimension(:, :, :) :: f, u
    real(dp) :: worst, factor
    integer(int64) :: i, j, l
    integer, parameter :: walls(3) = [sixstep_dirichlet, sixstep_neumann_dirichlet, &
                                      sixstep_dirichlet_neumann]
    call grid%slab(n, ranks)
    call poisson%create(grid, MPI_COMM_WORLD, sixstep_poisson_options( &
                        sides=sides, walls=walls, points=[sixstep_nodes], accuracy=2))
    box = poisson%input_part()
    allocate (f(box%extent(1), box%extent(2), box%extent(3)))
    allocate (u, mold=f)
    f = -2
    call poisson%solve(f, u, at_walls)
    call compare(1.0_dp)
    factor = 3
    f = -6
    call poisson%solve(f, u, scaled)
    call compare(factor)
    call expect(index(poisson%describe(), 'times symbol') > 0, 'words')
    call expect(size(poisson%breakdown()) > 0, 'steps')
  contains
    real(dp) function scaled(axis, is_last, x)
      integer, intent(in) :: axis
      logical, intent(in) :: is_last
      real(dp), intent(in) :: x(:)
      scaled = factor*at_walls(axis, is_last, x)
    end function
    subroutine compare(by)
      real(dp), intent(in) :: by
      worst = 0
      do l = 1, size(u, 3)
        do j = 1, size(u, 2)
          do i = 1, size(u, 1)
            worst = max(worst, abs(u(i, j, l) - by*parabola(poisson%x(box%lower + [i, j, l] - 1))))
          end do
        end do
      end do
      call expect(worst < 1e-12_dp, 'a parabola with given values at walls')
    end subroutine
  end subroutine

  subroutine the_mean_that_has_no_solution_is_told()
    type(sixstep_layout) :: grid
    type(sixstep_poisson) :: poisson
    real(dp), pointer :: u(:, :, :)
    real(dp) :: left_out
    call grid%slab(n, ranks)
    call poisson%create(grid, MPI_COMM_WORLD, sixstep_poisson_options(mean=2.0_dp))
    call poisson%allocate(u, sixstep_output)
    u = -0.25_dp
    call poisson%solve(u, u, left_out=left_out)
    call expect(abs(left_out + 0.25_dp) < 1e-15_dp, 'the mean that is left out')
    call expect(all(abs(u - 2) < 1e-14_dp), 'the mean of u')
    call sixstep_free(u)
  end subroutine

  subroutine mistakes_are_told()
    type(sixstep_layout) :: grid, flat
    type(sixstep_poisson) :: poisson
    real(dp) :: f(product(n))
    complex(dp) :: complexes(product(n))
    character(200) :: errmsg
    integer :: stat
    call grid%slab(n, ranks)
    call poisson%create(grid, MPI_COMM_WORLD, sixstep_poisson_options(walls=[1, 2]), stat=stat, &
                        errmsg=errmsg)
    call expect_words(errmsg, 'walls: one for each of the 3 axes or one for all is needed, '// &
                      '2 were given')
    call poisson%create(grid, MPI_COMM_WORLD, sixstep_poisson_options(points=[2]), stat=stat, &
                        errmsg=errmsg)
    call expect_words(errmsg, 'points: 0 to 1 are possible, 2 was given')
    call poisson%create(grid, MPI_COMM_WORLD, sixstep_poisson_options(accuracy=3), stat=stat, &
                        errmsg=errmsg)
    call expect_words(errmsg, 'accuracy: 0 (exact), 2 or 4 is needed, 3 was given')
    call poisson%create(grid, MPI_COMM_WORLD, sixstep_poisson_options(kinds=[sixstep_r2c]), &
                        stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'kinds: the walls determine them')
    call flat%slab([1, 4, 5], ranks)
    call poisson%create(flat, MPI_COMM_WORLD, &
                        sixstep_poisson_options(walls=[sixstep_neumann], points=[sixstep_nodes]), &
                        stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'points: nodes between Neumann walls need at least 2 points '// &
                      'along axis 1')
    call poisson%create(grid, MPI_COMM_WORLD)
    call poisson%solve(f, f, at_walls, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'values: accuracy 2 is needed for values at walls, 0 was given')
    call poisson%solve(complexes, f, stat=stat, errmsg=errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'f:') == 1, 'another type')
    call poisson%solve(f, complexes, stat=stat, errmsg=errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'u:') == 1, 'another type of the result')
  end subroutine

  subroutine what_is_empty_says_so()
    type(sixstep_poisson) :: poisson
    type(sixstep_step), allocatable :: steps(:)
    real(dp), allocatable :: x(:)
    real(dp) :: u(1)
    character(200) :: errmsg
    integer :: call_number, stat
    do call_number = 1, 5
      stat = 0
      errmsg = ''
      select case (call_number)
      case (1); call poisson%solve(u, u, stat=stat, errmsg=errmsg)
      case (2); call poisson%solve_in_place(u, stat=stat, errmsg=errmsg)
      case (3); x = poisson%x([1_int64], stat, errmsg)
      case (4); x = poisson%spacing(stat, errmsg)
      case (5); steps = poisson%breakdown(stat, errmsg)
      end select
      call expect(stat == 1, 'a code')
      call expect_words(errmsg, 'solver: it is empty; make it first')
    end do
  end subroutine
end module
