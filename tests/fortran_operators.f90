! SPDX-License-Identifier: BSD-3-Clause
! Operators of the Fortran interface: results for a wave, and what is refused. Also runs the tests of
! symbols, maps, Poisson solvers and convolutions.
program fortran_operators
  use, intrinsic :: iso_fortran_env, only: int64, sp => real32, dp => real64
  use mpi_f08
  use sixstep
  use harness
  use fortran_convolutions, only: test_convolutions
  use fortran_map_uses, only: test_map_uses
  use fortran_maps, only: test_maps
  use fortran_open_poisson, only: test_open_poisson
  use fortran_poisson, only: test_poisson
  use fortran_symbols
  use numbers_of_waves, only: alpha, solve
  implicit none

  call begin()
  call test_symbols()
  call complex_and_single_arrays_serve()
  call operators_have_results_with_other_points()
  call operators_take_another_symbol()
  call operators_tell_what_they_take()
  call mistakes_are_told()
  call what_is_empty_says_so()
  call test_maps()
  call test_map_uses()
  call test_poisson()
  call test_convolutions()
  call test_open_poisson()
  call end_tests()

contains

  subroutine complex_and_single_arrays_serve()
    type(sixstep_layout) :: grid
    type(sixstep_symbol) :: symbol
    type(sixstep_operator) :: op
    type(sixstep_part) :: box
    complex(dp), pointer :: u(:, :, :)
    real(sp), pointer :: v(:, :, :), grad(:, :, :, :)
    complex(dp), allocatable :: before(:, :, :)
    integer :: axis
    call grid%slab(n, ranks)
    call symbol%derivative(3)
    call op%create(grid, MPI_COMM_WORLD%MPI_VAL, symbol, sixstep_operator_options(sides=sides))
    call op%allocate(u, sixstep_input)
    box = op%input_part()
    before = exp((0, 1)*phases(box))
    u = before
    call op%apply_in_place(u)
    call expect(all(abs(u - (0, 1)*k(3)*before) < 1e-12_dp), 'a complex wave in place')
    call sixstep_free(u)

    call symbol%gradient(3)
    call op%create(grid, MPI_COMM_WORLD, symbol, options_of(1), precision=sixstep_single)
    call op%allocate(v, sixstep_input)
    call op%allocate(grad, sixstep_output)
    call expect(all(shape(grad) == [box%extent, 3_int64]), 'the pointer has room for the results')
    v = real(aimag(before), sp)
    call op%apply(v, grad)
    do axis = 1, 3
      call expect(all(abs(grad(:, :, :, axis) - k(axis)*real(before)) < 1e-4_dp), 'in single')
    end do
    call sixstep_free(v)
    call sixstep_free(grad)
  end subroutine

  ! Points of a finer grid, from some point on.
  subroutine operators_have_results_with_other_points()
    type(sixstep_layout) :: grid, there
    type(sixstep_symbol) :: laplacian
    type(sixstep_operator) :: op
    type(sixstep_part) :: box
    integer, parameter :: points(3) = [6, 15, 8]
    integer(int64), parameter :: finer(3) = [7, 15, 24], first(3) = [2, 4, 21]
    real(dp), allocatable :: found(:, :, :)
    real(dp) :: worst
    character(200) :: errmsg
    integer :: stat
    integer(int64) :: i, j, l
    call grid%slab(n, ranks)
    call there%slab(points, ranks, axis=2)
    call laplacian%laplacian()
    call op%create(grid, MPI_COMM_WORLD, laplacian, options_of(1), result=there, lengths=finer, &
                   first=first)
    box = op%output_part()
    allocate (found(box%extent(1), box%extent(2), box%extent(3)))
    call op%apply(sin(phases(op%input_part())), found)
    worst = 0
    do l = 1, size(found, 3)
      do j = 1, size(found, 2)
        do i = 1, size(found, 1)
          worst = max(worst, abs(found(i, j, l) + square* &
                                 sin(sum(k*sides*(first + box%lower + [i, j, l] - 3)/finer))))
        end do
      end do
    end do
    call expect(worst < 1e-12_dp, 'points of a finer grid')
    call op%create(grid, MPI_COMM_WORLD%MPI_VAL, laplacian, options_of(1), first=first, stat=stat, &
                   errmsg=errmsg)
    call expect_words(errmsg, 'result: a layout is needed with its lengths or first points')
  end subroutine

  subroutine operators_take_another_symbol()
    type(sixstep_layout) :: grid
    type(sixstep_symbol) :: symbol, none
    type(sixstep_operator) :: op
    real(dp), allocatable :: u(:, :, :), found(:, :, :)
    character(200) :: errmsg
    integer :: stat
    call grid%slab(n, ranks)
    call symbol%laplacian()
    call op%create(grid, MPI_COMM_WORLD, symbol, options_of(1))
    call symbol%helmholtz(1.0_dp)
    call op%renew(symbol)
    u = sin(phases(op%input_part()))
    allocate (found, mold=u)
    call op%apply(u, found)
    call expect(all(abs(found - u/(1 + square)) < 1e-13_dp), 'another symbol')
    call symbol%gradient(3)
    call op%renew(symbol, stat, errmsg)
    call expect_words(errmsg, 'symbol: a number, 1 x 1, is needed as before, 3 x 1 was given')
    call op%renew(none, stat, errmsg)
    call expect_words(errmsg, 'symbol: a pointer is needed, NULL was given')
    call op%apply(u, found, stat)
    call expect(stat == 0 .and. all(abs(found - u/(1 + square)) < 1e-13_dp), 'the old one stays')
  end subroutine

  subroutine operators_tell_what_they_take()
    type(sixstep_layout) :: grid
    type(sixstep_symbol) :: symbol
    type(sixstep_operator) :: op
    type(sixstep_operator_options) :: options
    type(sixstep_part) :: box, theirs
    type(sixstep_step), allocatable :: steps(:)
    type(sixstep_verified) :: verified
    real(dp), allocatable :: u(:), found(:)
    integer(int64), allocatable :: work(:)
    character(200) :: errmsg
    integer :: stat
    call grid%slab(n, ranks)
    call symbol%curl()
    options = options_of(3)
    options%own_workspace = .false.
    options%verify = sixstep_verify_all
    call op%create(grid, MPI_COMM_WORLD, symbol, options)
    box = grid%part(rank)
    theirs = op%output_part()
    call expect(all(theirs%lower == box%lower) .and. all(theirs%upper == box%upper), 'the box')
    call expect(op%input_size() == 3*box%points, 'the size')
    call expect(box%points == 0 .or. theirs%stride(4) == box%points, 'the distance of fields')
    call expect(index(op%describe(), 'times symbol') > 0, 'words: '//op%describe())
    allocate (work(op%workspace_bytes()/8 + 1), u(op%input_size()), found(op%output_size()))
    u = 1
    call op%set_workspace(work)
    call op%apply(u, found)
    call expect(all(abs(found) < 1e-14_dp), 'constants do not rotate')
    steps = op%breakdown()
    call expect(size(steps) > 0 .and. sum(steps%seconds) > 0, 'steps and their seconds')
    call expect(op%communication_seconds() >= 0, 'seconds of communication')
    verified = op%verified()
    call expect(verified%checked == 1 .and. verified%repaired == 0, 'it is verified')
    call op%write_trace(stat, errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'trace') == 1, 'no trace: '//trim(errmsg))
  end subroutine

  subroutine mistakes_are_told()
    type(sixstep_layout) :: grid
    type(sixstep_symbol) :: symbol, none
    type(sixstep_operator) :: op
    type(sixstep_operator_options) :: options
    real(dp) :: few(1), reals(7*9*12)
    complex(dp) :: complexes(7*9*12)
    character(200) :: errmsg
    integer :: stat
    call grid%slab(n, ranks)
    call op%create(grid, MPI_COMM_WORLD, none, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'symbol: a pointer is needed, NULL was given')
    call symbol%derivative(4)
    call op%create(grid, MPI_COMM_WORLD, symbol, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'axis: 1 to 3 are possible, 4 was given')
    call symbol%derivative(0)
    call op%create(grid, MPI_COMM_WORLD, symbol, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'axis: 1 to 3 are possible, 0 was given')
    call symbol%derivative(1, order=-1, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'order: 0 or more is needed, -1 was given')
    call symbol%laplacian(sixstep_differences(accuracy=3), stat, errmsg)
    call expect_words(errmsg, 'accuracy: 0 (exact), 2 or 4 is needed, 3 was given')
    call symbol%laplacian()
    call op%create(grid, MPI_COMM_WORLD, symbol, sixstep_operator_options(sides=[1.0_dp]), &
                   stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'sides: one for each of the 3 axes of the layout is needed, '// &
                      '1 were given')
    call op%create(grid, MPI_COMM_WORLD, symbol, &
                   sixstep_operator_options(output=sixstep_as_input), stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'output: an operator has none; its result lies as the input does')
    call op%create(grid, MPI_COMM_WORLD, symbol, sixstep_operator_options(twiddle=1), stat=stat, &
                   errmsg=errmsg)
    call expect_words(errmsg, 'twiddle: an operator has none')
    alpha = 0
    call symbol%real_numbers(solve)
    call op%create(grid, MPI_COMM_WORLD, symbol, stat=stat, errmsg=errmsg)
    call expect_words(errmsg, 'symbol: finite numbers are needed, at k = (0, 0, 0) it is inf')
    alpha = 0.5_dp
    if (ranks > 1) then
      options%kept = rank > 0
      call op%create(grid, MPI_COMM_WORLD, symbol, options, stat=stat, errmsg=errmsg)
      call expect(index(errmsg, 'kept: all ranks must give the same') == 1, errmsg)
    end if
    call op%create(grid, MPI_COMM_WORLD, symbol, options_of(1))
    if (ranks <= n(3)) then
      call op%apply(reals, few, stat, errmsg)
      call expect(stat /= 0 .and. index(errmsg, 'out:') == 1, 'a small array')
    end if
    call op%apply(complexes, reals, stat, errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'in:') == 1, 'another type')
  end subroutine

  subroutine what_is_empty_says_so()
    type(sixstep_operator) :: op
    type(sixstep_symbol) :: symbol
    type(sixstep_part) :: part
    type(sixstep_prediction) :: prediction
    type(sixstep_step), allocatable :: steps(:)
    type(sixstep_verified) :: verified
    real(dp), pointer :: array(:)
    real(dp) :: u(1), seconds
    integer(int64) :: elements
    character(:), allocatable :: words
    character(200) :: errmsg
    integer :: call_number, stat
    do call_number = 1, 16
      stat = 0
      errmsg = ''
      select case (call_number)
      case (1); elements = op%input_size(stat, errmsg)
      case (2); elements = op%output_size(stat, errmsg)
      case (3); part = op%input_part(stat, errmsg)
      case (4); part = op%output_part(stat, errmsg)
      case (5); call op%apply(u, u, stat, errmsg)
      case (6); call op%apply_in_place(u, stat, errmsg)
      case (7); call op%renew(symbol, stat, errmsg)
      case (8); call op%allocate(array, sixstep_input, stat, errmsg)
      case (9); elements = op%workspace_bytes(stat, errmsg)
      case (10); call op%set_workspace(u, stat, errmsg)
      case (11); words = op%describe(stat, errmsg)
      case (12); seconds = op%communication_seconds(stat, errmsg)
      case (13); steps = op%breakdown(stat, errmsg)
      case (14); prediction = op%predict(stat=stat, errmsg=errmsg)
      case (15); verified = op%verified(stat, errmsg)
      case (16); call op%on_detection(stat=stat, errmsg=errmsg)
      end select
      call expect(stat == 1, 'a code')
      call expect_words(errmsg, 'operator: it is empty; make it first')
    end do
  end subroutine

end program
