! SPDX-License-Identifier: BSD-3-Clause
! Maps of the Fortran interface: where their arrays lie, what they tell, and what is refused.
module fortran_map_uses
  use, intrinsic :: iso_fortran_env, only: int64, dp => real64
  use mpi_f08
  use sixstep
  use harness
  use fortran_maps, only: mix, multiply, square_reals, square_complex, options_of, n, weights, failing
  implicit none
  private
  public :: test_map_uses
contains

  subroutine test_map_uses()
    call coefficients_lie_where_the_layout_says()
    call results_lie_where_their_layout_says()
    call maps_tell_what_they_take()
    call a_procedure_that_fails_is_an_error_on_its_rank()
    call mistakes_are_told()
    call what_is_empty_says_so()
  end subroutine

  subroutine coefficients_lie_where_the_layout_says()
    type(sixstep_layout) :: grid, waves
    type(sixstep_map) :: map
    type(sixstep_part) :: expected, found
    complex(dp), allocatable :: u(:)
    character(200) :: errmsg
    integer :: stat
    call grid%slab(n, ranks)
    call waves%slab([n(1)/2 + 1, n(2:)], ranks, axis=1)
    call map%create(grid, MPI_COMM_WORLD, sixstep_of_reals(square_reals, 1), waves, &
                    options=sixstep_map_options(kinds=[sixstep_r2c]))
    expected = waves%part(rank)
    found = map%input_part()
    call expect(all(found%lower == expected%lower .and. found%upper == expected%upper), 'a layout')
    allocate (u(map%input_size()))
    u = 0
    call map%apply_in_place(u)
    call expect(all(abs(u) < 1e-14_dp), 'nothing stays nothing')
    call map%create(grid, MPI_COMM_WORLD, sixstep_of_reals(square_reals, 1), waves, &
                    options=sixstep_map_options(kinds=[sixstep_r2c], output=sixstep_as_input), &
                    stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'output: a layout and the option as_input were given; '// &
                      'give only one of the two')
  end subroutine

  ! Twice the values.
  subroutine double_values(in, out, batch)
    complex(dp), intent(in) :: in(:, :)
    complex(dp), intent(out) :: out(:, :)
    type(sixstep_batch), intent(inout) :: batch
    out = 2*in
    if (batch%points /= size(in, 1)) batch%stat = 100
  end subroutine

  subroutine results_lie_where_their_layout_says()
    type(sixstep_layout) :: grid, waves, results
    type(sixstep_map) :: map
    type(sixstep_part) :: expected, found
    complex(dp), allocatable :: u(:), v(:)
    call grid%slab(n, ranks)
    call waves%slab(n, ranks, axis=1)
    call results%slab(n, ranks, axis=2)
    call map%create(grid, MPI_COMM_WORLD, sixstep_of_complex(double_values, 1), waves, results)
    expected = results%part(rank)
    found = map%output_part()
    call expect(all(found%lower == expected%lower .and. found%upper == expected%upper), 'a layout')
    allocate (u(map%input_size()), v(map%output_size()))
    call number_points(map%input_part(), u)
    call map%apply(u, v)
    deallocate (u)
    allocate (u(map%output_size()))
    call number_points(map%output_part(), u)
    call expect(all(abs(v - 2*u) < 1e-12_dp), 'the values of each wave')
  end subroutine

  ! A number of each point of a part.
  subroutine number_points(part, u)
    type(sixstep_part), intent(in) :: part
    complex(dp), intent(out) :: u(:)
    integer(int64) :: i, j, l, place
    do l = 1, part%extent(3)
      do j = 1, part%extent(2)
        do i = 1, part%extent(1)
          place = part%offset + 1 + sum(([i, j, l] - 1)*part%stride(:3))
          u(place) = cmplx(sum(weights*(part%lower + [i, j, l])), 0.5_dp, dp)
        end do
      end do
    end do
  end subroutine

  subroutine maps_tell_what_they_take()
    type(sixstep_layout) :: grid
    type(sixstep_map) :: map
    type(sixstep_map_options) :: options
    type(sixstep_step), allocatable :: steps(:)
    complex(dp), allocatable :: u(:), found(:)
    integer(int64), allocatable :: work(:)
    character(200) :: errmsg
    integer :: stat
    call grid%slab(n, ranks)
    options = options_of(2)
    options%own_workspace = .false.
    call map%create(grid, MPI_COMM_WORLD, sixstep_of_reals(multiply, 2), &
                    before=sixstep_of_complex(mix, 3), options=options)
    call expect(index(map%describe(), 'function') > 0, 'words: '//map%describe())
    allocate (work(map%workspace_bytes()/8 + 1), u(map%input_size()), found(map%output_size()))
    u = 0
    call map%set_workspace(work)
    call map%apply(u, found)
    call expect(all(abs(found) < 1e-14_dp), 'nothing stays nothing')
    steps = map%breakdown()
    call expect(size(steps) > 0 .and. sum(steps%seconds) > 0, 'steps and their seconds')
    call expect(map%communication_seconds() >= 0, 'seconds of communication')
    call map%write_trace(stat, errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'trace') == 1, 'no trace: '//trim(errmsg))
  end subroutine

  subroutine a_procedure_that_fails_is_an_error_on_its_rank()
    type(sixstep_layout) :: grid
    type(sixstep_map) :: map
    complex(dp), allocatable :: u(:), found(:)
    character(200) :: errmsg
    integer :: stat
    call grid%slab(n, ranks)
    call map%create(grid, MPI_COMM_WORLD, sixstep_of_reals(multiply, 2), &
                    before=sixstep_of_complex(mix, 3), options=options_of(2))
    allocate (u(map%input_size()), found(map%output_size()))
    u = 0
    failing = merge(3, 0, rank == ranks - 1)
    errmsg = ''
    call map%apply(u, found, stat, errmsg)
    call expect((stat /= 0) .eqv. (rank == ranks - 1), 'the rank that fails')
    if (stat /= 0) call expect_words(errmsg, 'at_points: the function returned 3, 0 is needed')
    failing = 0
    call map%apply(u, found, stat)
    call expect(stat == 0, 'no failure')
  end subroutine

  subroutine mistakes_are_told()
    type(sixstep_layout) :: grid
    type(sixstep_map) :: map
    type(sixstep_function) :: none
    complex(dp) :: few(1), many(2*product(n))
    real(dp) :: reals(2*product(n))
    character(200) :: errmsg
    integer :: stat
    call grid%slab(n, ranks)
    call map%create(grid, MPI_COMM_WORLD, sixstep_of_complex(square_complex, 1), &
                    options=options_of(2), stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'at_points: a procedure of values of type real(8) is needed, '// &
                      'one of complex(8) was given')
    call map%create(grid, MPI_COMM_WORLD, sixstep_of_reals(multiply, 2), &
                    after=sixstep_of_reals(multiply, 2), options=options_of(2), stat=stat, &
                    errmsg=errmsg)
    call expect_words(errmsg, 'after: a procedure of values of type complex(8) is needed, '// &
                      'one of real(8) was given')
    call map%create(grid, MPI_COMM_WORLD, sixstep_of_reals(multiply, 2), options=options_of(2), &
                    precision=sixstep_single, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'at_points: a procedure of values of type real(4) is needed, '// &
                      'one of real(8) was given')
    call map%create(grid, MPI_COMM_WORLD, none, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'at_points.results: 1 or more are needed, 0 were given')
    call map%create(grid, MPI_COMM_WORLD, sixstep_of_reals(multiply, 0), options=options_of(2), &
                    stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'at_points.results: 1 or more are needed, 0 were given')
    call map%create(grid, MPI_COMM_WORLD, sixstep_of_reals(multiply, 2), options= &
                    sixstep_map_options(kinds=[sixstep_r2c], sides=[1.0_dp]), stat=stat, &
                    errmsg=errmsg)
    call expect_words(errmsg, 'sides: one for each of the 3 axes of the layout is needed, '// &
                      '1 were given')
    call map%create(grid, MPI_COMM_WORLD, sixstep_of_reals(multiply, 2), options= &
                    sixstep_map_options(kinds=[sixstep_r2c], twiddle=4), stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'twiddle: 1 to 3 are possible, or 0 for none, 4 was given')
    call map%create(grid, MPI_COMM_WORLD, sixstep_of_reals(multiply, 2), &
                    before=sixstep_of_complex(mix, 3), options=options_of(2))
    if (ranks <= minval(n)) then
      call map%apply(many, few, stat, errmsg)
      call expect(stat /= 0 .and. index(errmsg, 'out:') == 1, 'a small array')
    end if
    call map%apply(reals, many, stat, errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'in:') == 1, 'another type')
  end subroutine

  subroutine what_is_empty_says_so()
    type(sixstep_map) :: map
    type(sixstep_step), allocatable :: steps(:)
    real(dp) :: u(1)
    character(:), allocatable :: words
    character(200) :: errmsg
    integer :: call_number, stat
    do call_number = 1, 4
      stat = 0
      errmsg = ''
      select case (call_number)
      case (1); call map%apply(u, u, stat, errmsg)
      case (2); call map%apply_in_place(u, stat, errmsg)
      case (3); words = map%describe(stat, errmsg)
      case (4); steps = map%breakdown(stat, errmsg)
      end select
      call expect(stat == 1, 'a code')
      call expect_words(errmsg, 'map: it is empty; make it first')
    end do
  end subroutine
end module
