! SPDX-License-Identifier: BSD-3-Clause
! Layouts of the Fortran interface, redistributions between them, and where outputs lie.
module fortran_layouts
  use, intrinsic :: iso_fortran_env, only: int64, dp => real64
  use mpi_f08
  use sixstep
  use harness
  use fortran_points, only: n
  implicit none
  private
  public :: test_layouts
contains

  subroutine test_layouts()
    call layouts_hold_fortrans_boxes()
    call redistribution_moves_numbers()
    call redistribution_gives_arrays_of_anything()
    call outputs_lie_where_options_say()
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
    type(sixstep_verified) :: verified
    integer, allocatable :: a(:, :), b(:, :)
    integer :: i, j
    call from%slab([6, 5], ranks)
    call to%slab([6, 5], ranks, axis=1)
    call moves%create(4, from, to, MPI_COMM_WORLD, sixstep_options(verify=sixstep_verify_all))
    call moves%on_detection()
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
    verified = moves%verified()
    call expect(verified%checked == 1 .and. verified%repaired == 0, 'and is checked')
    call expect(verified%compared >= 1, 'part by part')
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
end module
