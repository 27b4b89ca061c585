! SPDX-License-Identifier: BSD-3-Clause
! Mistakes in calls of the Fortran interface: what their errors say.
module fortran_mistakes
  use, intrinsic :: iso_c_binding, only: c_null_ptr
  use, intrinsic :: iso_fortran_env, only: int64, sp => real32, dp => real64
  use mpi_f08
  use sixstep
  use harness
  use fortran_points, only: n
  implicit none
  private
  public :: test_mistakes
contains

  subroutine test_mistakes()
    call mistakes_are_told()
    call mistakes_are_counted_as_fortran_counts()
    call what_is_empty_says_so()
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
    do call_number = 1, 35
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
      case (33); call plan%on_detection(stat=stat, errmsg=errmsg)
      case (34); verified = moves%verified(stat, errmsg)
      case (35); call moves%on_detection(stat=stat, errmsg=errmsg)
      end select
      call expect(stat == 1 .and. index(errmsg, ': it is empty; make it first') > 0, &
                  'a call of something empty: '//trim(errmsg))
    end do
  end subroutine

  function word(number)
    integer, intent(in) :: number
    character(:), allocatable :: word
    character(12) :: buffer
    write (buffer, '(i0)') number
    word = trim(buffer)
  end function
end module
