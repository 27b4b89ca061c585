! SPDX-License-Identifier: BSD-3-Clause
! The Fortran interface: layouts, plans and redistributions as types that free themselves.
!
! Shapes, boxes and axes are Fortran's: the first axis is the fastest in memory, the first index of
! an axis is 1, boxes are lower:upper. Everything else is as sixstep.h and the C++ headers explain.
!
! Whatever can fail takes stat= and errmsg=. Without stat= an error is printed and aborts the job.
! Objects are made by their procedures, not by assignment, and hold their resources until they go
! out of scope or are made anew; of plans and redistributions that is collective.
module sixstep
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit, int64
  use mpi_f08, only: MPI_Comm, MPI_COMM_WORLD, MPI_Abort
  implicit none
  private
  public :: sixstep_free

  ! Of create(): which reals.
  integer, parameter, public :: sixstep_double = 0, sixstep_single = 1
  integer, parameter, public :: sixstep_forward = 0, sixstep_backward = 1
  ! Of allocate(): for which side of a plan.
  integer, parameter, public :: sixstep_input = 0, sixstep_output = 1
  ! What a transform is multiplied by: 1, 1/N, 1/sqrt(N).
  integer, parameter, public :: sixstep_unscaled = 0, sixstep_by_n = 1, sixstep_by_sqrt_n = 2
  integer, parameter, public :: sixstep_c2c = 0, sixstep_r2c = 1, sixstep_dct1 = 2, &
      sixstep_dct2 = 3, sixstep_dct3 = 4, sixstep_dct4 = 5, sixstep_dst1 = 6, sixstep_dst2 = 7, &
      sixstep_dst3 = 8, sixstep_dst4 = 9
  integer, parameter, public :: sixstep_block = 0, sixstep_cyclic = 1
  integer, parameter, public :: sixstep_shared = 0, sixstep_collective = 1, &
      sixstep_pairwise = 2, sixstep_persistent = 3, sixstep_one_sided = 4
  integer, parameter, public :: sixstep_between = 0, sixstep_master = 1, sixstep_pipelines = 2, &
      sixstep_thread = 3
  integer, parameter, public :: sixstep_own = 0, sixstep_fftw = 1, sixstep_mkl = 2
  integer, parameter, public :: sixstep_model = 0, sixstep_quick = 1, sixstep_exhaustive = 2

  integer, parameter :: max_axes = 8, max_digits = 16
  ! Elements, as bytes of a real and whether they are complex.
  integer, parameter :: real_single = 4, complex_single = -4, real_double = 8, complex_double = -8

  ! What may be chosen about a plan: sixstep/options.hpp. Of one kind for several axes: an r2c is
  ! along the first of `axes`, and c2c along the others; any other kind along all.
  type, public :: sixstep_options
    integer, allocatable :: axes(:), kinds(:)
    integer(int64), allocatable :: modes(:)
    logical :: transform = .true., padded = .false.
    integer :: fields = 1
    logical :: interleaved = .false., preserve_input = .true., low_memory = .false.
    integer :: exchange = sixstep_shared, threads = 0, windows = 0
    integer :: driver = sixstep_between, pipelines = 0
    logical :: regrid = .false., split_untransformed = .false.
    integer :: local = sixstep_own, tuning = sixstep_model
    real(c_double) :: tuning_seconds = 10
    character(:), allocatable :: trace
    integer :: twiddle = 0  ! none
  end type

  ! What a rank holds, and where: indices lower:upper:step of each axis, `extent` of them; elements
  ! between neighbours, and of several fields one entry more, from field to field; elements before
  ! the box; points of it.
  type, public :: sixstep_part
    integer :: axes = 0
    integer(int64), allocatable :: lower(:), upper(:), step(:), extent(:), stride(:)
    integer(int64) :: offset = 0, points = 0
  end type

  ! Who holds what.
  type, public :: sixstep_layout
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    ! The last axis split, or `axis`; the last two; all.
    procedure :: slab => layout_slab
    procedure :: pencil => layout_pencil
    procedure :: brick => layout_brick
    ! grid(a) ranks along axis a, the first axis fastest. An order lists axes, fastest first.
    procedure :: grid => layout_grid
    ! lower(a, r), upper(a, r) of rank r - 1.
    procedure :: boxes => layout_boxes
    ! The same where each rank knows its own box alone. Collective.
    procedure, private :: gather_f08 => layout_gather_f08
    procedure, private :: gather_integer => layout_gather
    generic :: gather => gather_f08, gather_integer
    ! What suits a plan of these options best. Collective.
    procedure, private :: tuned_f08 => layout_tuned_f08
    procedure, private :: tuned_integer => layout_tuned
    generic :: tuned => tuned_f08, tuned_integer
    ! The same boxes from now on in another order of memory, with ghosts around them, or beginning
    ! behind starts(a, r) elements of arrays of extents(a, r).
    procedure :: set_order => layout_set_order
    procedure :: set_ghosts => layout_set_ghosts
    procedure :: set_arrays => layout_set_arrays
    procedure :: shape => layout_shape
    ! What `rank` holds, 0 being the first.
    procedure :: part => layout_part
    procedure :: describe => layout_describe
    procedure, private :: copy_layout
    generic :: assignment(=) => copy_layout
    final :: free_layout
  end type

  ! A distributed transform that is made once and executed any number of times.
  type, public :: sixstep_plan
    private
    type(c_ptr) :: handle = c_null_ptr
    integer :: axes = 0, fields = 1
    logical :: interleaved = .false.
    integer :: in_element = 0, out_element = 0
    integer(int64) :: in_size = 0, out_size = 0, in_place_size = 0
  contains
    ! Collective. The communicator is of mpi_f08 or an integer.
    procedure, private :: create_f08 => plan_create_f08
    procedure, private :: create_integer => plan_create
    generic :: create => create_f08, create_integer
    ! Elements of this rank's arrays.
    procedure :: input_size => plan_input_size
    procedure :: output_size => plan_output_size
    procedure :: input_part => plan_input_part
    procedure :: output_part => plan_output_part
    ! Of the output point k, a number for each axis of the input; of all that this rank has along
    ! an axis of the input.
    procedure :: wavenumber => plan_wavenumber
    procedure :: wavenumbers => plan_wavenumbers
    procedure :: describe => plan_describe
    ! From the first array to the second, of any rank, contiguous, with as many elements as the plan
    ! needs. Collective.
    procedure, private :: forward_r4_r4, forward_r4_c4, forward_c4_c4, forward_r8_r8, &
      forward_r8_c8, forward_c8_c8
    generic :: forward => forward_r4_r4, forward_r4_c4, forward_c4_c4, forward_r8_r8, &
      forward_r8_c8, forward_c8_c8
    procedure, private :: backward_r4_r4, backward_c4_r4, backward_c4_c4, backward_r8_r8, &
      backward_c8_r8, backward_c8_c8
    generic :: backward => backward_r4_r4, backward_c4_r4, backward_c4_c4, backward_r8_r8, &
      backward_c8_r8, backward_c8_c8
    procedure, private :: forward_in_place_r4, forward_in_place_c4, forward_in_place_r8, &
      forward_in_place_c8
    generic :: forward_in_place => forward_in_place_r4, forward_in_place_c4, &
      forward_in_place_r8, forward_in_place_c8
    procedure, private :: backward_in_place_r4, backward_in_place_c4, backward_in_place_r8, &
      backward_in_place_c8
    generic :: backward_in_place => backward_in_place_r4, backward_in_place_c4, &
      backward_in_place_r8, backward_in_place_c8
    procedure, private :: allocate_r4_1, allocate_r4_2, allocate_r4_3, allocate_r4_4, &
      allocate_c4_1, allocate_c4_2, allocate_c4_3, allocate_c4_4, allocate_r8_1, allocate_r8_2, &
      allocate_r8_3, allocate_r8_4, allocate_c8_1, allocate_c8_2, allocate_c8_3, allocate_c8_4
    generic :: allocate => allocate_r4_1, allocate_r4_2, allocate_r4_3, allocate_r4_4, &
      allocate_c4_1, allocate_c4_2, allocate_c4_3, allocate_c4_4, allocate_r8_1, allocate_r8_2, &
      allocate_r8_3, allocate_r8_4, allocate_c8_1, allocate_c8_2, allocate_c8_3, allocate_c8_4
    ! allocate(array, sixstep_input): in memory that ranks of a node share, of rank 1 or as many as
    ! the plan has axes (and one for several fields), in memory order. To be freed by
    ! sixstep_free(array). Collective.
    procedure, private :: run, run_in_place, obtain
    procedure, private :: copy_plan
    generic :: assignment(=) => copy_plan
    final :: free_plan
  end type

  ! From layout to layout, elements of any type. Of the options, fields, exchange, threads and
  ! preserve_input count.
  type, public :: sixstep_redistribution
    private
    type(c_ptr) :: handle = c_null_ptr
    integer :: element_bytes = 0
    integer(int64) :: from_size = 0, to_size = 0
  contains
    procedure, private :: create_f08 => redistribution_create_f08
    procedure, private :: create_integer => redistribution_create
    generic :: create => create_f08, create_integer
    procedure, private :: move_r4, move_c4, move_r8, move_c8, move_i4, move_i8
    generic :: execute => move_r4, move_c4, move_r8, move_c8, move_i4, move_i8
    procedure, private :: move
    procedure, private :: copy_redistribution
    generic :: assignment(=) => copy_redistribution
    final :: free_redistribution
  end type

  interface sixstep_free
    module procedure free_r4, free_c4, free_r8, free_c8
  end interface

  ! An array: where it begins, how many elements it has, which, and whether they lie without gaps.
  type :: place
    type(c_ptr) :: address
    integer(int64) :: elements
    integer :: element
    logical :: dense
  end type

  ! What a pointer of a rank that holds nothing points to: C has NULL for it.
  complex(c_double_complex), target, save :: nothing(1)

  type, bind(C) :: c_options
    integer(c_size_t) :: bytes = 0
    integer(c_int) :: axes_count = 0, axes(max_axes) = 0, kinds_count = 0, kinds(max_axes) = 0
    integer(c_int) :: modes_count = 0
    integer(c_int64_t) :: modes(max_axes) = 0
    integer(c_int) :: transform = 1, padded = 0, fields = 1, interleaved = 0, preserve_input = 1
    integer(c_int) :: low_memory = 0, exchange = 0, threads = 0, windows = 0, driver = 0
    integer(c_int) :: pipelines = 0, regrid = 0, split_untransformed = 0, own_workspace = 1
    integer(c_int) :: local = 0, tuning = 0
    real(c_double) :: tuning_seconds = 10
    type(c_ptr) :: trace = c_null_ptr
    integer(c_int) :: twiddle = -1
  end type

  type, bind(C) :: c_part
    integer(c_int) :: axes
    integer(c_int64_t) :: lo(max_digits), hi(max_digits), step(max_digits)
    integer(c_int64_t) :: stride(max_digits + 1)
    integer(c_int64_t) :: offset, points
  end type

  interface
    type(c_ptr) function c_error_message() bind(C, name="sixstep_error_message")
      import
    end function
    integer(c_size_t) function c_strlen(words) bind(C, name="strlen")
      import
      type(c_ptr), value :: words
    end function
    integer(c_int) function c_slab(axes, shape, ranks, axis, made) &
        bind(C, name="sixstep_layout_slab")
      import
      integer(c_int), value :: axes, ranks, axis
      integer(c_int64_t), intent(in) :: shape(*)
      type(c_ptr), intent(inout) :: made
    end function
    integer(c_int) function c_pencil(axes, shape, ranks, made) &
        bind(C, name="sixstep_layout_pencil")
      import
      integer(c_int), value :: axes, ranks
      integer(c_int64_t), intent(in) :: shape(*)
      type(c_ptr), intent(inout) :: made
    end function
    integer(c_int) function c_brick(axes, shape, ranks, made) bind(C, name="sixstep_layout_brick")
      import
      integer(c_int), value :: axes, ranks
      integer(c_int64_t), intent(in) :: shape(*)
      type(c_ptr), intent(inout) :: made
    end function
    integer(c_int) function c_grid(axes, shape, grid, distribution, order, made) &
        bind(C, name="sixstep_layout_grid")
      import
      integer(c_int), value :: axes
      integer(c_int64_t), intent(in) :: shape(*)
      integer(c_int), intent(in) :: grid(*), distribution(*), order(*)
      type(c_ptr), intent(inout) :: made
    end function
    integer(c_int) function c_boxes(axes, shape, ranks, lo, hi, order, made) &
        bind(C, name="sixstep_layout_boxes")
      import
      integer(c_int), value :: axes, ranks
      integer(c_int64_t), intent(in) :: shape(*), lo(*), hi(*)
      integer(c_int), intent(in) :: order(*)
      type(c_ptr), intent(inout) :: made
    end function
    integer(c_int) function c_gather(axes, shape, lo, hi, order, comm, made) &
        bind(C, name="sixstep_fortran_layout_gather")
      import
      integer(c_int), value :: axes
      integer(c_int64_t), intent(in) :: shape(*), lo(*), hi(*)
      integer(c_int), intent(in) :: order(*)
      integer(c_int), value :: comm
      type(c_ptr), intent(inout) :: made
    end function
    integer(c_int) function c_tuned(precision, axes, shape, as_input, comm, options, made) &
        bind(C, name="sixstep_fortran_layout_tuned")
      import
      integer(c_int), value :: precision, axes, as_input
      integer(c_int64_t), intent(in) :: shape(*)
      integer(c_int), value :: comm
      type(c_options), intent(in) :: options
      type(c_ptr), intent(inout) :: made
    end function
    integer(c_int) function c_with_order(layout, order, made) &
        bind(C, name="sixstep_layout_with_order")
      import
      type(c_ptr), value :: layout
      integer(c_int), intent(in) :: order(*)
      type(c_ptr), intent(inout) :: made
    end function
    integer(c_int) function c_with_ghosts(layout, before, after, made) &
        bind(C, name="sixstep_layout_with_ghosts")
      import
      type(c_ptr), value :: layout
      integer(c_int64_t), intent(in) :: before(*), after(*)
      type(c_ptr), intent(inout) :: made
    end function
    integer(c_int) function c_in_arrays(layout, extents, starts, made) &
        bind(C, name="sixstep_layout_in_arrays")
      import
      type(c_ptr), value :: layout
      integer(c_int64_t), intent(in) :: extents(*), starts(*)
      type(c_ptr), intent(inout) :: made
    end function
    integer(c_int) function c_layout_counts(layout, axes, ranks) &
        bind(C, name="sixstep_layout_counts")
      import
      type(c_ptr), value :: layout
      integer(c_int), intent(out) :: axes, ranks
    end function
    integer(c_int) function c_layout_shape(layout, shape) bind(C, name="sixstep_layout_shape")
      import
      type(c_ptr), value :: layout
      integer(c_int64_t), intent(out) :: shape(*)
    end function
    integer(c_int) function c_layout_order(layout, order) bind(C, name="sixstep_layout_order")
      import
      type(c_ptr), value :: layout
      integer(c_int), intent(out) :: order(*)
    end function
    integer(c_int) function c_layout_part(layout, rank, part) bind(C, name="sixstep_layout_part")
      import
      type(c_ptr), value :: layout
      integer(c_int), value :: rank
      type(c_part), intent(out) :: part
    end function
    integer(c_int) function c_layout_describe(layout, words) &
        bind(C, name="sixstep_layout_describe")
      import
      type(c_ptr), value :: layout
      type(c_ptr), intent(out) :: words
    end function
    integer(c_int) function c_layout_free(layout) bind(C, name="sixstep_layout_free")
      import
      type(c_ptr), value :: layout
    end function
    integer(c_int) function c_plan_create(precision, input, output, comm, options, made) &
        bind(C, name="sixstep_fortran_plan_create")
      import
      integer(c_int), value :: precision
      type(c_ptr), value :: input, output
      integer(c_int), value :: comm
      type(c_options), intent(in) :: options
      type(c_ptr), intent(inout) :: made
    end function
    integer(c_int) function c_plan_free(plan) bind(C, name="sixstep_plan_free")
      import
      type(c_ptr), value :: plan
    end function
    integer(c_int) function c_plan_input(plan, made) bind(C, name="sixstep_plan_input")
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(inout) :: made
    end function
    integer(c_int) function c_plan_input_part(plan, part) bind(C, name="sixstep_plan_input_part")
      import
      type(c_ptr), value :: plan
      type(c_part), intent(out) :: part
    end function
    integer(c_int) function c_plan_output(plan, made) bind(C, name="sixstep_plan_output")
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(inout) :: made
    end function
    integer(c_int) function c_plan_output_part(plan, part) &
        bind(C, name="sixstep_plan_output_part")
      import
      type(c_ptr), value :: plan
      type(c_part), intent(out) :: part
    end function
    integer(c_int) function c_plan_sizes(plan, input, output, in_place) &
        bind(C, name="sixstep_plan_sizes")
      import
      type(c_ptr), value :: plan
      integer(c_int64_t), intent(out) :: input, output, in_place
    end function
    integer(c_int) function c_plan_element_bytes(plan, input, output) &
        bind(C, name="sixstep_plan_element_bytes")
      import
      type(c_ptr), value :: plan
      integer(c_size_t), intent(out) :: input, output
    end function
    integer(c_int) function c_wavenumber(plan, k, w) bind(C, name="sixstep_plan_wavenumber")
      import
      type(c_ptr), value :: plan
      integer(c_int64_t), intent(in) :: k(*)
      real(c_double), intent(out) :: w(*)
    end function
    integer(c_int) function c_wavenumbers(plan, axis, w) bind(C, name="sixstep_plan_wavenumbers")
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: axis
      real(c_double), intent(out) :: w(*)
    end function
    integer(c_int) function c_plan_allocate(plan, array) bind(C, name="sixstep_plan_allocate")
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(inout) :: array
    end function
    integer(c_int) function c_free(array) bind(C, name="sixstep_free")
      import
      type(c_ptr), value :: array
    end function
    integer(c_int) function c_forward(plan, in, out, scale) bind(C, name="sixstep_plan_forward")
      import
      type(c_ptr), value :: plan, in, out
      integer(c_int), value :: scale
    end function
    integer(c_int) function c_backward(plan, in, out, scale) bind(C, name="sixstep_plan_backward")
      import
      type(c_ptr), value :: plan, in, out
      integer(c_int), value :: scale
    end function
    integer(c_int) function c_plan_describe(plan, words) bind(C, name="sixstep_plan_describe")
      import
      type(c_ptr), value :: plan
      type(c_ptr), intent(out) :: words
    end function
    integer(c_int) function c_redistribution_create(element_bytes, from, to, comm, options, made) &
        bind(C, name="sixstep_fortran_redistribution_create")
      import
      integer(c_size_t), value :: element_bytes
      type(c_ptr), value :: from, to
      integer(c_int), value :: comm
      type(c_options), intent(in) :: options
      type(c_ptr), intent(inout) :: made
    end function
    integer(c_int) function c_redistribution_free(redistribution) &
        bind(C, name="sixstep_redistribution_free")
      import
      type(c_ptr), value :: redistribution
    end function
    integer(c_int) function c_redistribution_sizes(redistribution, from, to) &
        bind(C, name="sixstep_redistribution_sizes")
      import
      type(c_ptr), value :: redistribution
      integer(c_int64_t), intent(out) :: from, to
    end function
    integer(c_int) function c_move(redistribution, in, out, direction) &
        bind(C, name="sixstep_redistribution_execute")
      import
      type(c_ptr), value :: redistribution, in, out
      integer(c_int), value :: direction
    end function
  end interface

contains

  ! ---- errors ----

  function text_of(words) result(text)
    type(c_ptr), intent(in) :: words
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: i
    call c_f_pointer(words, letters, [c_strlen(words)])
    allocate (character(size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function

  ! What becomes of a code.
  subroutine finish(code, stat, errmsg)
    integer, intent(in) :: code
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (code /= 0) then
      call refuse(code, text_of(c_error_message()), stat, errmsg)
    else if (present(stat)) then
      stat = 0
    end if
  end subroutine

  subroutine refuse(code, message, stat, errmsg)
    integer, intent(in) :: code
    character(*), intent(in) :: message
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (present(errmsg)) errmsg = message
    if (present(stat)) then
      stat = code
    else
      write (error_unit, '(2a)') 'sixstep: ', message
      call MPI_Abort(MPI_COMM_WORLD, 1)
    end if
  end subroutine

  function decimal(number) result(text)
    integer(int64), intent(in) :: number
    character(:), allocatable :: text
    character(20) :: buffer
    write (buffer, '(i0)') number
    text = trim(buffer)
  end function

  ! ---- from Fortran's axes to those of C ----

  pure function reversed(values) result(there)
    integer, intent(in) :: values(:)
    integer(c_int) :: there(size(values))
    there = int(values(size(values):1:-1), c_int)
  end function

  pure function reversed_long(values) result(there)
    integer(int64), intent(in) :: values(:)
    integer(int64) :: there(size(values))
    there = values(size(values):1:-1)
  end function

  ! Fastest first to slowest first; C order if there is none.
  pure function order_of(axes, order) result(there)
    integer, intent(in) :: axes
    integer, intent(in), optional :: order(:)
    integer(c_int) :: there(axes)
    integer :: i
    if (present(order)) then
      there = axes - reversed(order)
    else
      there = [(i, i=0, axes - 1)]
    end if
  end function

  ! `trace` keeps the name while C reads it.
  function options_of(axes, given, trace) result(there)
    integer, intent(in) :: axes
    type(sixstep_options), intent(in), optional :: given
    character(kind=c_char), allocatable, target, intent(out) :: trace(:)
    type(c_options) :: there
    integer :: i
    there%bytes = c_sizeof(there)
    if (.not. present(given)) return
    if (allocated(given%axes)) then
      there%axes_count = size(given%axes)
      i = min(size(given%axes), max_axes)
      there%axes(:i) = axes - reversed(given%axes(:i))
    end if
    if (allocated(given%kinds)) then
      there%kinds_count = size(given%kinds)
      i = min(size(given%kinds), max_axes)
      there%kinds(:i) = reversed(given%kinds(:i))
    end if
    if (allocated(given%modes)) then
      there%modes_count = size(given%modes)
      i = min(size(given%modes), max_axes)
      there%modes(:i) = reversed_long(given%modes(:i))
    end if
    there%transform = merge(1, 0, given%transform)
    there%padded = merge(1, 0, given%padded)
    there%fields = given%fields
    there%interleaved = merge(1, 0, given%interleaved)
    there%preserve_input = merge(1, 0, given%preserve_input)
    there%low_memory = merge(1, 0, given%low_memory)
    there%exchange = given%exchange
    there%threads = given%threads
    there%windows = given%windows
    there%driver = given%driver
    there%pipelines = given%pipelines
    there%regrid = merge(1, 0, given%regrid)
    there%split_untransformed = merge(1, 0, given%split_untransformed)
    there%local = given%local
    there%tuning = given%tuning
    there%tuning_seconds = given%tuning_seconds
    if (given%twiddle /= 0) there%twiddle = axes - given%twiddle
    if (allocated(given%trace)) then
      trace = [(given%trace(i:i), i=1, len(given%trace)), c_null_char]
      there%trace = c_loc(trace)
    end if
  end function

  function part_of(there) result(part)
    type(c_part), intent(in) :: there
    type(sixstep_part) :: part
    integer :: d
    d = there%axes
    part%axes = d
    part%lower = reversed_long(there%lo(:d)) + 1
    part%upper = reversed_long(there%hi(:d))
    part%step = reversed_long(there%step(:d))
    part%extent = max((part%upper - part%lower + part%step)/part%step, 0_int64)
    part%stride = [reversed_long(there%stride(:d)), there%stride(d + 1)]
    part%offset = there%offset
    part%points = there%points
  end function

  ! ---- layouts ----

  ! A layout in the place of what was there, if it could be made.
  subroutine take(self, code, made, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: code
    type(c_ptr), intent(in) :: made
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer :: unused
    if (code == 0) then
      unused = c_layout_free(self%handle)
      self%handle = made
    end if
    call finish(code, stat, errmsg)
  end subroutine

  subroutine layout_slab(self, shape, ranks, axis, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: shape(:), ranks
    integer, intent(in), optional :: axis
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: made
    integer :: split
    split = size(shape)
    if (present(axis)) split = axis
    call take(self, c_slab(size(shape), reversed_long(int(shape, int64)), ranks, &
                           size(shape) - split, made), made, stat, errmsg)
  end subroutine

  subroutine layout_pencil(self, shape, ranks, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: shape(:), ranks
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: made
    call take(self, c_pencil(size(shape), reversed_long(int(shape, int64)), ranks, made), made, &
              stat, errmsg)
  end subroutine

  subroutine layout_brick(self, shape, ranks, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: shape(:), ranks
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: made
    call take(self, c_brick(size(shape), reversed_long(int(shape, int64)), ranks, made), made, &
              stat, errmsg)
  end subroutine

  subroutine layout_grid(self, shape, grid, distribution, order, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: shape(:), grid(:)
    integer, intent(in), optional :: distribution(:), order(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: made
    integer :: dealt(size(shape))
    if (.not. fits(size(grid), size(shape), 'grid', stat, errmsg)) return
    if (.not. order_fits(order, size(shape), stat, errmsg)) return
    dealt = sixstep_block
    if (present(distribution)) then
      if (.not. fits(size(distribution), size(shape), 'distribution', stat, errmsg)) return
      dealt = distribution
    end if
    call take(self, c_grid(size(shape), reversed_long(int(shape, int64)), reversed(grid), &
                           reversed(dealt), order_of(size(shape), order), made), made, stat, errmsg)
  end subroutine

  ! Whether there is one entry an axis; an error if not.
  logical function fits(given, axes, name, stat, errmsg)
    integer, intent(in) :: given, axes
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    fits = given == axes
    if (.not. fits) call refuse(1, name//': an entry for each of the '// &
                      decimal(int(axes, int64))// &
                                ' axes is needed, '//decimal(int(given, int64))//' were given', &
                                stat, errmsg)
  end function

  logical function order_fits(order, axes, stat, errmsg)
    integer, intent(in), optional :: order(:)
    integer, intent(in) :: axes
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    order_fits = .true.
    if (present(order)) order_fits = fits(size(order), axes, 'order', stat, errmsg)
  end function

  subroutine layout_boxes(self, shape, lower, upper, order, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: shape(:), lower(:, :), upper(:, :)
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: made
    integer :: d
    d = size(shape)
    if (.not. fits(size(lower, 1), d, 'lower', stat, errmsg)) return
    if (.not. fits(size(upper, 1), d, 'upper', stat, errmsg)) return
    if (.not. order_fits(order, d, stat, errmsg)) return
    if (size(lower, 2) /= size(upper, 2)) then
      call refuse(1, 'lower, upper: as many boxes of either are needed', stat, errmsg)
      return
    end if
    call take(self, c_boxes(d, reversed_long(int(shape, int64)), size(lower, 2), &
                            int(lower(d:1:-1, :) - 1, int64), int(upper(d:1:-1, :), int64), &
                            order_of(d, order), made), made, stat, errmsg)
  end subroutine

  subroutine layout_gather_f08(self, shape, lower, upper, comm, order, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: shape(:), lower(:), upper(:)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call layout_gather(self, shape, lower, upper, comm%MPI_VAL, order, stat, errmsg)
  end subroutine

  subroutine layout_gather(self, shape, lower, upper, comm, order, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: shape(:), lower(:), upper(:)
    integer, intent(in) :: comm
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: made
    integer :: d
    d = size(shape)
    call take(self, c_gather(d, reversed_long(int(shape, int64)), &
                             reversed_long(int(lower - 1, int64)), &
                             reversed_long(int(upper, int64)), order_of(d, order), comm, made), &
              made, stat, errmsg)
  end subroutine

  subroutine layout_tuned_f08(self, shape, comm, as_input, options, precision, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: shape(:)
    type(MPI_Comm), intent(in) :: comm
    logical, intent(in), optional :: as_input
    type(sixstep_options), intent(in), optional :: options
    integer, intent(in), optional :: precision
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call layout_tuned(self, shape, comm%MPI_VAL, as_input, options, precision, stat, errmsg)
  end subroutine

  subroutine layout_tuned(self, shape, comm, as_input, options, precision, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: shape(:)
    integer, intent(in) :: comm
    logical, intent(in), optional :: as_input
    type(sixstep_options), intent(in), optional :: options
    integer, intent(in), optional :: precision
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable, target :: trace(:)
    type(c_ptr) :: made
    integer :: reals, natural
    reals = sixstep_double
    if (present(precision)) reals = precision
    natural = 0
    if (present(as_input)) natural = merge(1, 0, as_input)
    call take(self, c_tuned(reals, size(shape), reversed_long(int(shape, int64)), natural, comm, &
                            options_of(size(shape), options, trace), made), made, stat, errmsg)
  end subroutine

  subroutine layout_set_order(self, order, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: order(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: made
    if (.not. fits(size(order), axes_of(self), 'order', stat, errmsg)) return
    call take(self, c_with_order(self%handle, order_of(size(order), order), made), made, stat, &
              errmsg)
  end subroutine

  subroutine layout_set_ghosts(self, before, after, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: before(:), after(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: made
    if (.not. fits(size(before), axes_of(self), 'before', stat, errmsg)) return
    if (.not. fits(size(after), axes_of(self), 'after', stat, errmsg)) return
    call take(self, c_with_ghosts(self%handle, reversed_long(int(before, int64)), &
                                  reversed_long(int(after, int64)), made), made, stat, errmsg)
  end subroutine

  subroutine layout_set_arrays(self, extents, starts, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: extents(:, :), starts(:, :)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: made
    integer(c_int) :: axes, ranks
    integer :: code
    code = c_layout_counts(self%handle, axes, ranks)
    if (code /= 0) then
      call finish(code, stat, errmsg)
    else if (any([shape(extents), shape(starts)] /= [axes, ranks, axes, ranks])) then
      call refuse(1, 'extents, starts: an entry for each axis and rank is needed', stat, errmsg)
    else
      call take(self, c_in_arrays(self%handle, int(extents(axes:1:-1, :), int64), &
                                  int(starts(axes:1:-1, :), int64), made), made, stat, errmsg)
    end if
  end subroutine

  ! 0 of an empty layout.
  integer function axes_of(layout)
    class(sixstep_layout), intent(in) :: layout
    integer(c_int) :: axes, ranks
    axes_of = 0
    if (c_layout_counts(layout%handle, axes, ranks) == 0) axes_of = axes
  end function

  function layout_shape(self) result(extents)
    class(sixstep_layout), intent(in) :: self
    integer(int64), allocatable :: extents(:)
    integer(int64) :: there(max_digits)
    call finish(c_layout_shape(self%handle, there))
    extents = reversed_long(there(:axes_of(self)))
  end function

  function layout_part(self, rank) result(part)
    class(sixstep_layout), intent(in) :: self
    integer, intent(in) :: rank
    type(sixstep_part) :: part
    type(c_part) :: there
    call finish(c_layout_part(self%handle, rank, there))
    part = part_of(there)
  end function

  function layout_describe(self) result(text)
    class(sixstep_layout), intent(in) :: self
    character(:), allocatable :: text
    type(c_ptr) :: words
    call finish(c_layout_describe(self%handle, words))
    text = text_of(words)
  end function

  subroutine copy_layout(to, from)
    class(sixstep_layout), intent(inout) :: to
    type(sixstep_layout), intent(in) :: from
    if (.not. c_associated(to%handle, from%handle)) &
      call refuse(1, 'layout: it cannot be assigned, make another one')
  end subroutine

  subroutine free_layout(self)
    type(sixstep_layout), intent(inout) :: self
    integer :: unused
    unused = c_layout_free(self%handle)
    self%handle = c_null_ptr
  end subroutine

  ! ---- plans ----

  subroutine plan_create_f08(self, input, comm, output, options, precision, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    type(sixstep_layout), intent(in) :: input
    type(MPI_Comm), intent(in) :: comm
    type(sixstep_layout), intent(in), optional :: output
    type(sixstep_options), intent(in), optional :: options
    integer, intent(in), optional :: precision
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call plan_create(self, input, comm%MPI_VAL, output, options, precision, stat, errmsg)
  end subroutine

  subroutine plan_create(self, input, comm, output, options, precision, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    type(sixstep_layout), intent(in) :: input
    integer, intent(in) :: comm
    type(sixstep_layout), intent(in), optional :: output
    type(sixstep_options), intent(in), optional :: options
    integer, intent(in), optional :: precision
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable, target :: trace(:)
    type(c_ptr) :: made, wanted
    integer(c_size_t) :: in_bytes, out_bytes
    integer :: reals, code, bytes
    reals = sixstep_double
    if (present(precision)) reals = precision
    wanted = c_null_ptr
    if (present(output)) wanted = output%handle
    made = c_null_ptr
    code = c_plan_create(reals, input%handle, wanted, comm, &
                         options_of(axes_of(input), options, trace), made)
    if (code == 0) then
      call free_plan(self)
      self%handle = made
      self%axes = axes_of(input)
      if (present(options)) then
        self%fields = options%fields
        self%interleaved = options%interleaved
      end if
      code = c_plan_sizes(made, self%in_size, self%out_size, self%in_place_size)
      code = c_plan_element_bytes(made, in_bytes, out_bytes)
      bytes = merge(8, 4, reals == sixstep_double)
      self%in_element = merge(bytes, -bytes, in_bytes == bytes)
      self%out_element = merge(bytes, -bytes, out_bytes == bytes)
    end if
    call finish(code, stat, errmsg)
  end subroutine

  integer(int64) function plan_input_size(self)
    class(sixstep_plan), intent(in) :: self
    plan_input_size = self%in_size
  end function

  integer(int64) function plan_output_size(self)
    class(sixstep_plan), intent(in) :: self
    plan_output_size = self%out_size
  end function

  function plan_input_part(self) result(part)
    class(sixstep_plan), intent(in) :: self
    type(sixstep_part) :: part
    type(c_part) :: there
    call finish(c_plan_input_part(self%handle, there))
    part = part_of(there)
  end function

  function plan_output_part(self) result(part)
    class(sixstep_plan), intent(in) :: self
    type(sixstep_part) :: part
    type(c_part) :: there
    call finish(c_plan_output_part(self%handle, there))
    part = part_of(there)
  end function

  function plan_wavenumber(self, k) result(w)
    class(sixstep_plan), intent(in) :: self
    integer(int64), intent(in) :: k(:)
    real(c_double), allocatable :: w(:)
    real(c_double) :: there(max_digits)
    type(sixstep_part) :: part
    part = plan_output_part(self)
    if (size(k) /= part%axes) then
      call refuse(1, 'k: a point of the output is needed, with an index for each of its '// &
                  decimal(int(part%axes, int64))//' axes')
    end if
    call finish(c_wavenumber(self%handle, reversed_long(k - 1), there))
    w = there(self%axes:1:-1)
  end function

  function plan_wavenumbers(self, axis) result(w)
    class(sixstep_plan), intent(in) :: self
    integer, intent(in) :: axis
    real(c_double), allocatable :: w(:)
    type(sixstep_part) :: part
    part = plan_output_part(self)
    allocate (w(maxval(part%extent)))
    call finish(c_wavenumbers(self%handle, self%axes - axis, w))
    w = w(:part%extent(axis))
  end function

  function plan_describe(self) result(text)
    class(sixstep_plan), intent(in) :: self
    character(:), allocatable :: text
    type(c_ptr) :: words
    call finish(c_plan_describe(self%handle, words))
    text = text_of(words)
  end function

  ! As C has it.
  function address_of(there) result(address)
    type(c_ptr), intent(in) :: there
    type(c_ptr) :: address
    address = there
    if (c_associated(there, c_loc(nothing))) address = c_null_ptr
  end function

  ! An error if an array has gaps.
  logical function is_dense(array, name, stat, errmsg)
    type(place), intent(in) :: array
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    is_dense = array%dense
    if (.not. is_dense) call refuse(1, name//': a contiguous array is needed', stat, errmsg)
  end function

  ! Whether an array has the elements that are needed, and enough of them; an error if not.
  logical function serves(array, elements, element, name, stat, errmsg)
    type(place), intent(in) :: array
    integer(int64), intent(in) :: elements
    integer, intent(in) :: element
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    serves = is_dense(array, name, stat, errmsg)
    if (.not. serves) return
    serves = array%element == element .and. array%elements >= elements
    if (.not. serves) &
      call refuse(1, name//': '//decimal(elements)//' elements of '//word_of(element)// &
                  ' are needed, '//decimal(array%elements)//' of '//word_of(array%element)// &
                  ' were given', stat, errmsg)
  end function

  function word_of(element) result(word)
    integer, intent(in) :: element
    character(:), allocatable :: word
    word = merge('complex', 'real   ', element < 0)
    word = 'type '//trim(word)//'('//decimal(int(abs(element), int64))//')'
  end function

  subroutine run(self, in, out, direction, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    type(place), intent(in) :: in, out
    integer, intent(in) :: direction
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer :: factor
    factor = sixstep_unscaled
    if (present(scale)) factor = scale
    if (.not. c_associated(self%handle)) then
      call finish(c_forward(self%handle, address_of(in%address), address_of(out%address), &
                        factor), stat, errmsg)
    else if (direction == sixstep_forward) then
      if (.not. serves(in, self%in_size, self%in_element, 'in', stat, errmsg)) return
      if (.not. serves(out, self%out_size, self%out_element, 'out', stat, errmsg)) return
      call finish(c_forward(self%handle, address_of(in%address), address_of(out%address), &
                        factor), stat, errmsg)
    else
      if (.not. serves(in, self%out_size, self%out_element, 'in', stat, errmsg)) return
      if (.not. serves(out, self%in_size, self%in_element, 'out', stat, errmsg)) return
      call finish(c_backward(self%handle, address_of(in%address), address_of(out%address), &
                        factor), stat, errmsg)
    end if
  end subroutine

  ! The array may be of either side's elements.
  subroutine run_in_place(self, array, direction, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    type(place), intent(in) :: array
    integer, intent(in) :: direction
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: reals, needed
    integer :: factor
    factor = sixstep_unscaled
    if (present(scale)) factor = scale
    if (.not. is_dense(array, 'array', stat, errmsg)) return
    reals = array%elements*merge(2, 1, array%element < 0)
    needed = self%in_place_size*merge(2, 1, self%out_element < 0)
    if (c_associated(self%handle) .and. &
        (reals < needed .or. abs(array%element) /= abs(self%out_element))) then
      call refuse(1, 'array: '//decimal(needed)//' reals of '//word_of(abs(self%out_element))// &
                  ' are needed, '//decimal(reals)//' of '//word_of(abs(array%element))// &
                  ' were given', stat, errmsg)
      return
    end if
    if (direction == sixstep_forward) then
      call finish(c_forward(self%handle, address_of(array%address), address_of(array%address), &
                        factor), stat, errmsg)
    else
      call finish(c_backward(self%handle, address_of(array%address), address_of(array%address), &
                        factor), stat, errmsg)
    end if
  end subroutine

  ! Memory for one side, and the extents of an array of this rank there.
  subroutine obtain(self, element, side, memory, extents, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    integer, intent(in) :: element, side
    type(c_ptr), intent(out) :: memory
    integer(int64), intent(out) :: extents(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sixstep_part) :: part
    integer(int64) :: elements
    integer :: code, wanted
    memory = c_null_ptr
    extents = 0
    if (c_associated(self%handle)) then
      wanted = merge(self%in_element, self%out_element, side == sixstep_input)
      if (element /= wanted) then
        call refuse(1, 'array: elements of '//word_of(wanted)//' are needed, of '// &
                    word_of(element)//' were given', stat, errmsg)
        return
      end if
    end if
    code = c_plan_allocate(self%handle, memory)
    if (code == 0) then
      if (.not. c_associated(memory)) memory = c_loc(nothing)
      elements = merge(self%in_size, self%out_size, side == sixstep_input)
      if (side == sixstep_input) part = self%input_part()
      if (side /= sixstep_input) part = self%output_part()
      if (size(extents) == 1) then
        extents = elements
      else if (size(extents) == part%axes + merge(1, 0, self%fields > 1)) then
        extents = extents_of(self, part, elements, order_there(self, side))
      else
        code = c_free(address_of(memory))
        memory = c_null_ptr
        call refuse(1, 'array: of rank 1 or '//decimal(int(part%axes + merge(1, 0, &
                          self%fields > 1), &
                    int64))//' is needed, of rank '//decimal(size(extents, kind=int64))// &
                    ' was given', stat, errmsg)
        return
      end if
    end if
    call finish(code, stat, errmsg)
  end subroutine

  ! The axes of a side, fastest in memory first.
  function order_there(self, side) result(order)
    class(sixstep_plan), intent(in) :: self
    integer, intent(in) :: side
    integer, allocatable :: order(:)
    type(sixstep_layout) :: layout
    integer(c_int) :: there(max_digits)
    integer :: axes
    if (side == sixstep_input) call finish(c_plan_input(self%handle, layout%handle))
    if (side /= sixstep_input) call finish(c_plan_output(self%handle, layout%handle))
    call finish(c_layout_order(layout%handle, there))
    axes = axes_of(layout)
    order = axes - there(axes:1:-1)
  end function

  ! The extents of an array, ghosts and padding included, as its strides have them.
  function extents_of(self, part, elements, axes) result(extents)
    class(sixstep_plan), intent(in) :: self
    type(sixstep_part), intent(in) :: part
    integer(int64), intent(in) :: elements
    integer, intent(in) :: axes(:)
    integer(int64), allocatable :: extents(:)
    integer(int64), allocatable :: stride(:)
    integer, allocatable :: order(:)
    integer :: last
    order = axes
    if (self%fields > 1 .and. self%interleaved) order = [part%axes + 1, axes]
    if (self%fields > 1 .and. .not. self%interleaved) order = [axes, part%axes + 1]
    if (part%points == 0) then
      extents = [part%extent, int(self%fields, int64)]
      extents = extents(order)
      return
    end if
    last = size(order)
    stride = part%stride(order)
    extents = [stride(2:), elements]/stride
  end function

  subroutine copy_plan(to, from)
    class(sixstep_plan), intent(inout) :: to
    type(sixstep_plan), intent(in) :: from
    if (.not. c_associated(to%handle, from%handle)) &
      call refuse(1, 'plan: it cannot be assigned, make another one')
  end subroutine

  subroutine free_plan(self)
    type(sixstep_plan), intent(inout) :: self
    integer :: unused
    unused = c_plan_free(self%handle)
    self%handle = c_null_ptr
  end subroutine

  subroutine forward_r4_r4(self, in, out, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_float), intent(in), target :: in(..)
    real(c_float), intent(inout), target :: out(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run(place(c_loc(in), size(in, kind=int64), real_single, is_contiguous(in)), &
                  place(c_loc(out), size(out, kind=int64), real_single, is_contiguous(out)), &
                  sixstep_forward, scale, stat, errmsg)
  end subroutine

  subroutine forward_r4_c4(self, in, out, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_float), intent(in), target :: in(..)
    complex(c_float_complex), intent(inout), target :: out(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run(place(c_loc(in), size(in, kind=int64), real_single, is_contiguous(in)), &
                  place(c_loc(out), size(out, kind=int64), complex_single, is_contiguous(out)), &
                  sixstep_forward, scale, stat, errmsg)
  end subroutine

  subroutine forward_c4_c4(self, in, out, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_float_complex), intent(in), target :: in(..)
    complex(c_float_complex), intent(inout), target :: out(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run(place(c_loc(in), size(in, kind=int64), complex_single, is_contiguous(in)), &
                  place(c_loc(out), size(out, kind=int64), complex_single, is_contiguous(out)), &
                  sixstep_forward, scale, stat, errmsg)
  end subroutine

  subroutine forward_r8_r8(self, in, out, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_double), intent(in), target :: in(..)
    real(c_double), intent(inout), target :: out(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run(place(c_loc(in), size(in, kind=int64), real_double, is_contiguous(in)), &
                  place(c_loc(out), size(out, kind=int64), real_double, is_contiguous(out)), &
                  sixstep_forward, scale, stat, errmsg)
  end subroutine

  subroutine forward_r8_c8(self, in, out, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_double), intent(in), target :: in(..)
    complex(c_double_complex), intent(inout), target :: out(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run(place(c_loc(in), size(in, kind=int64), real_double, is_contiguous(in)), &
                  place(c_loc(out), size(out, kind=int64), complex_double, is_contiguous(out)), &
                  sixstep_forward, scale, stat, errmsg)
  end subroutine

  subroutine forward_c8_c8(self, in, out, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_double_complex), intent(in), target :: in(..)
    complex(c_double_complex), intent(inout), target :: out(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run(place(c_loc(in), size(in, kind=int64), complex_double, is_contiguous(in)), &
                  place(c_loc(out), size(out, kind=int64), complex_double, is_contiguous(out)), &
                  sixstep_forward, scale, stat, errmsg)
  end subroutine

  subroutine backward_r4_r4(self, in, out, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_float), intent(in), target :: in(..)
    real(c_float), intent(inout), target :: out(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run(place(c_loc(in), size(in, kind=int64), real_single, is_contiguous(in)), &
                  place(c_loc(out), size(out, kind=int64), real_single, is_contiguous(out)), &
                  sixstep_backward, scale, stat, errmsg)
  end subroutine

  subroutine backward_c4_r4(self, in, out, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_float_complex), intent(in), target :: in(..)
    real(c_float), intent(inout), target :: out(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run(place(c_loc(in), size(in, kind=int64), complex_single, is_contiguous(in)), &
                  place(c_loc(out), size(out, kind=int64), real_single, is_contiguous(out)), &
                  sixstep_backward, scale, stat, errmsg)
  end subroutine

  subroutine backward_c4_c4(self, in, out, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_float_complex), intent(in), target :: in(..)
    complex(c_float_complex), intent(inout), target :: out(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run(place(c_loc(in), size(in, kind=int64), complex_single, is_contiguous(in)), &
                  place(c_loc(out), size(out, kind=int64), complex_single, is_contiguous(out)), &
                  sixstep_backward, scale, stat, errmsg)
  end subroutine

  subroutine backward_r8_r8(self, in, out, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_double), intent(in), target :: in(..)
    real(c_double), intent(inout), target :: out(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run(place(c_loc(in), size(in, kind=int64), real_double, is_contiguous(in)), &
                  place(c_loc(out), size(out, kind=int64), real_double, is_contiguous(out)), &
                  sixstep_backward, scale, stat, errmsg)
  end subroutine

  subroutine backward_c8_r8(self, in, out, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_double_complex), intent(in), target :: in(..)
    real(c_double), intent(inout), target :: out(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run(place(c_loc(in), size(in, kind=int64), complex_double, is_contiguous(in)), &
                  place(c_loc(out), size(out, kind=int64), real_double, is_contiguous(out)), &
                  sixstep_backward, scale, stat, errmsg)
  end subroutine

  subroutine backward_c8_c8(self, in, out, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_double_complex), intent(in), target :: in(..)
    complex(c_double_complex), intent(inout), target :: out(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run(place(c_loc(in), size(in, kind=int64), complex_double, is_contiguous(in)), &
                  place(c_loc(out), size(out, kind=int64), complex_double, is_contiguous(out)), &
                  sixstep_backward, scale, stat, errmsg)
  end subroutine

  subroutine forward_in_place_r4(self, array, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_float), intent(inout), target :: array(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run_in_place(place(c_loc(array), size(array, kind=int64), real_single, &
                      is_contiguous(array)), &
                           sixstep_forward, scale, stat, errmsg)
  end subroutine

  subroutine forward_in_place_c4(self, array, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_float_complex), intent(inout), target :: array(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run_in_place(place(c_loc(array), size(array, kind=int64), complex_single, &
                      is_contiguous(array)), &
                           sixstep_forward, scale, stat, errmsg)
  end subroutine

  subroutine forward_in_place_r8(self, array, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_double), intent(inout), target :: array(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run_in_place(place(c_loc(array), size(array, kind=int64), real_double, &
                      is_contiguous(array)), &
                           sixstep_forward, scale, stat, errmsg)
  end subroutine

  subroutine forward_in_place_c8(self, array, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_double_complex), intent(inout), target :: array(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run_in_place(place(c_loc(array), size(array, kind=int64), complex_double, &
                      is_contiguous(array)), &
                           sixstep_forward, scale, stat, errmsg)
  end subroutine

  subroutine backward_in_place_r4(self, array, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_float), intent(inout), target :: array(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run_in_place(place(c_loc(array), size(array, kind=int64), real_single, &
                      is_contiguous(array)), &
                           sixstep_backward, scale, stat, errmsg)
  end subroutine

  subroutine backward_in_place_c4(self, array, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_float_complex), intent(inout), target :: array(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run_in_place(place(c_loc(array), size(array, kind=int64), complex_single, &
                      is_contiguous(array)), &
                           sixstep_backward, scale, stat, errmsg)
  end subroutine

  subroutine backward_in_place_r8(self, array, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_double), intent(inout), target :: array(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run_in_place(place(c_loc(array), size(array, kind=int64), real_double, &
                      is_contiguous(array)), &
                           sixstep_backward, scale, stat, errmsg)
  end subroutine

  subroutine backward_in_place_c8(self, array, scale, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_double_complex), intent(inout), target :: array(..)
    integer, intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%run_in_place(place(c_loc(array), size(array, kind=int64), complex_double, &
                      is_contiguous(array)), &
                           sixstep_backward, scale, stat, errmsg)
  end subroutine

  subroutine allocate_r4_1(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_float), pointer, intent(out) :: array(:)
    integer, intent(in) :: side
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: memory
    integer(int64) :: extents(1)
    nullify (array)
    call self%obtain(real_single, side, memory, extents, stat, errmsg)
    if (c_associated(memory)) call c_f_pointer(memory, array, extents)
  end subroutine

  subroutine allocate_r4_2(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_float), pointer, intent(out) :: array(:, :)
    integer, intent(in) :: side
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: memory
    integer(int64) :: extents(2)
    nullify (array)
    call self%obtain(real_single, side, memory, extents, stat, errmsg)
    if (c_associated(memory)) call c_f_pointer(memory, array, extents)
  end subroutine

  subroutine allocate_r4_3(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_float), pointer, intent(out) :: array(:, :, :)
    integer, intent(in) :: side
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: memory
    integer(int64) :: extents(3)
    nullify (array)
    call self%obtain(real_single, side, memory, extents, stat, errmsg)
    if (c_associated(memory)) call c_f_pointer(memory, array, extents)
  end subroutine

  subroutine allocate_r4_4(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_float), pointer, intent(out) :: array(:, :, :, :)
    integer, intent(in) :: side
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: memory
    integer(int64) :: extents(4)
    nullify (array)
    call self%obtain(real_single, side, memory, extents, stat, errmsg)
    if (c_associated(memory)) call c_f_pointer(memory, array, extents)
  end subroutine

  subroutine allocate_c4_1(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_float_complex), pointer, intent(out) :: array(:)
    integer, intent(in) :: side
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: memory
    integer(int64) :: extents(1)
    nullify (array)
    call self%obtain(complex_single, side, memory, extents, stat, errmsg)
    if (c_associated(memory)) call c_f_pointer(memory, array, extents)
  end subroutine

  subroutine allocate_c4_2(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_float_complex), pointer, intent(out) :: array(:, :)
    integer, intent(in) :: side
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: memory
    integer(int64) :: extents(2)
    nullify (array)
    call self%obtain(complex_single, side, memory, extents, stat, errmsg)
    if (c_associated(memory)) call c_f_pointer(memory, array, extents)
  end subroutine

  subroutine allocate_c4_3(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :)
    integer, intent(in) :: side
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: memory
    integer(int64) :: extents(3)
    nullify (array)
    call self%obtain(complex_single, side, memory, extents, stat, errmsg)
    if (c_associated(memory)) call c_f_pointer(memory, array, extents)
  end subroutine

  subroutine allocate_c4_4(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_float_complex), pointer, intent(out) :: array(:, :, :, :)
    integer, intent(in) :: side
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: memory
    integer(int64) :: extents(4)
    nullify (array)
    call self%obtain(complex_single, side, memory, extents, stat, errmsg)
    if (c_associated(memory)) call c_f_pointer(memory, array, extents)
  end subroutine

  subroutine allocate_r8_1(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_double), pointer, intent(out) :: array(:)
    integer, intent(in) :: side
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: memory
    integer(int64) :: extents(1)
    nullify (array)
    call self%obtain(real_double, side, memory, extents, stat, errmsg)
    if (c_associated(memory)) call c_f_pointer(memory, array, extents)
  end subroutine

  subroutine allocate_r8_2(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_double), pointer, intent(out) :: array(:, :)
    integer, intent(in) :: side
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: memory
    integer(int64) :: extents(2)
    nullify (array)
    call self%obtain(real_double, side, memory, extents, stat, errmsg)
    if (c_associated(memory)) call c_f_pointer(memory, array, extents)
  end subroutine

  subroutine allocate_r8_3(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_double), pointer, intent(out) :: array(:, :, :)
    integer, intent(in) :: side
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: memory
    integer(int64) :: extents(3)
    nullify (array)
    call self%obtain(real_double, side, memory, extents, stat, errmsg)
    if (c_associated(memory)) call c_f_pointer(memory, array, extents)
  end subroutine

  subroutine allocate_r8_4(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_double), pointer, intent(out) :: array(:, :, :, :)
    integer, intent(in) :: side
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: memory
    integer(int64) :: extents(4)
    nullify (array)
    call self%obtain(real_double, side, memory, extents, stat, errmsg)
    if (c_associated(memory)) call c_f_pointer(memory, array, extents)
  end subroutine

  subroutine allocate_c8_1(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_double_complex), pointer, intent(out) :: array(:)
    integer, intent(in) :: side
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: memory
    integer(int64) :: extents(1)
    nullify (array)
    call self%obtain(complex_double, side, memory, extents, stat, errmsg)
    if (c_associated(memory)) call c_f_pointer(memory, array, extents)
  end subroutine

  subroutine allocate_c8_2(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_double_complex), pointer, intent(out) :: array(:, :)
    integer, intent(in) :: side
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: memory
    integer(int64) :: extents(2)
    nullify (array)
    call self%obtain(complex_double, side, memory, extents, stat, errmsg)
    if (c_associated(memory)) call c_f_pointer(memory, array, extents)
  end subroutine

  subroutine allocate_c8_3(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :)
    integer, intent(in) :: side
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: memory
    integer(int64) :: extents(3)
    nullify (array)
    call self%obtain(complex_double, side, memory, extents, stat, errmsg)
    if (c_associated(memory)) call c_f_pointer(memory, array, extents)
  end subroutine

  subroutine allocate_c8_4(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_double_complex), pointer, intent(out) :: array(:, :, :, :)
    integer, intent(in) :: side
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: memory
    integer(int64) :: extents(4)
    nullify (array)
    call self%obtain(complex_double, side, memory, extents, stat, errmsg)
    if (c_associated(memory)) call c_f_pointer(memory, array, extents)
  end subroutine
  subroutine free_r4(array, stat, errmsg)
    real(c_float), intent(in), target :: array(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call finish(c_free(address_of(c_loc(array))), stat, errmsg)
  end subroutine

  subroutine free_c4(array, stat, errmsg)
    complex(c_float_complex), intent(in), target :: array(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call finish(c_free(address_of(c_loc(array))), stat, errmsg)
  end subroutine

  subroutine free_r8(array, stat, errmsg)
    real(c_double), intent(in), target :: array(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call finish(c_free(address_of(c_loc(array))), stat, errmsg)
  end subroutine

  subroutine free_c8(array, stat, errmsg)
    complex(c_double_complex), intent(in), target :: array(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call finish(c_free(address_of(c_loc(array))), stat, errmsg)
  end subroutine
  ! ---- redistributions ----

  subroutine redistribution_create_f08(self, element_bytes, from, to, comm, options, stat, errmsg)
    class(sixstep_redistribution), intent(inout) :: self
    integer, intent(in) :: element_bytes
    type(sixstep_layout), intent(in) :: from, to
    type(MPI_Comm), intent(in) :: comm
    type(sixstep_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call redistribution_create(self, element_bytes, from, to, comm%MPI_VAL, options, stat, errmsg)
  end subroutine

  subroutine redistribution_create(self, element_bytes, from, to, comm, options, stat, errmsg)
    class(sixstep_redistribution), intent(inout) :: self
    integer, intent(in) :: element_bytes
    type(sixstep_layout), intent(in) :: from, to
    integer, intent(in) :: comm
    type(sixstep_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable, target :: trace(:)
    type(c_ptr) :: made
    integer :: code
    made = c_null_ptr
    code = c_redistribution_create(int(max(element_bytes, 0), c_size_t), from%handle, to%handle, &
                                   comm, options_of(axes_of(from), options, trace), made)
    if (code == 0) then
      call free_redistribution(self)
      self%handle = made
      self%element_bytes = element_bytes
      code = c_redistribution_sizes(made, self%from_size, self%to_size)
    end if
    call finish(code, stat, errmsg)
  end subroutine

  subroutine move(self, in, out, direction, stat, errmsg)
    class(sixstep_redistribution), intent(inout) :: self
    type(place), intent(in) :: in, out
    integer, intent(in), optional :: direction
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: needed(2)
    integer :: way
    way = sixstep_forward
    if (present(direction)) way = direction
    if (.not. is_dense(in, 'in', stat, errmsg)) return
    if (.not. is_dense(out, 'out', stat, errmsg)) return
    needed = [self%from_size, self%to_size]
    if (way == sixstep_backward) needed = needed(2:1:-1)
    if (any([in%elements, out%elements]*in%element < needed*self%element_bytes)) then
      call refuse(1, 'in, out: '//decimal(needed(1))//' and '//decimal(needed(2))// &
                  ' elements are needed, '//decimal(in%elements)//' and '//decimal(out%elements)// &
                  ' were given', stat, errmsg)
      return
    end if
    call finish(c_move(self%handle, address_of(in%address), address_of(out%address), &
                      way), stat, errmsg)
  end subroutine

  subroutine copy_redistribution(to, from)
    class(sixstep_redistribution), intent(inout) :: to
    type(sixstep_redistribution), intent(in) :: from
    if (.not. c_associated(to%handle, from%handle)) &
      call refuse(1, 'redistribution: it cannot be assigned, make another one')
  end subroutine

  subroutine free_redistribution(self)
    type(sixstep_redistribution), intent(inout) :: self
    integer :: unused
    unused = c_redistribution_free(self%handle)
    self%handle = c_null_ptr
  end subroutine

  subroutine move_r4(self, in, out, direction, stat, errmsg)
    class(sixstep_redistribution), intent(inout) :: self
    real(c_float), intent(in), target :: in(..)
    real(c_float), intent(inout), target :: out(..)
    integer, intent(in), optional :: direction
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%move(place(c_loc(in), size(in, kind=int64), 4, is_contiguous(in)), &
                   place(c_loc(out), size(out, kind=int64), 4, is_contiguous(out)), &
                           direction, stat, errmsg)
  end subroutine

  subroutine move_c4(self, in, out, direction, stat, errmsg)
    class(sixstep_redistribution), intent(inout) :: self
    complex(c_float_complex), intent(in), target :: in(..)
    complex(c_float_complex), intent(inout), target :: out(..)
    integer, intent(in), optional :: direction
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%move(place(c_loc(in), size(in, kind=int64), 8, is_contiguous(in)), &
                   place(c_loc(out), size(out, kind=int64), 8, is_contiguous(out)), &
                           direction, stat, errmsg)
  end subroutine

  subroutine move_r8(self, in, out, direction, stat, errmsg)
    class(sixstep_redistribution), intent(inout) :: self
    real(c_double), intent(in), target :: in(..)
    real(c_double), intent(inout), target :: out(..)
    integer, intent(in), optional :: direction
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%move(place(c_loc(in), size(in, kind=int64), 8, is_contiguous(in)), &
                   place(c_loc(out), size(out, kind=int64), 8, is_contiguous(out)), &
                           direction, stat, errmsg)
  end subroutine

  subroutine move_c8(self, in, out, direction, stat, errmsg)
    class(sixstep_redistribution), intent(inout) :: self
    complex(c_double_complex), intent(in), target :: in(..)
    complex(c_double_complex), intent(inout), target :: out(..)
    integer, intent(in), optional :: direction
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%move(place(c_loc(in), size(in, kind=int64), 16, is_contiguous(in)), &
                   place(c_loc(out), size(out, kind=int64), 16, is_contiguous(out)), &
                           direction, stat, errmsg)
  end subroutine

  subroutine move_i4(self, in, out, direction, stat, errmsg)
    class(sixstep_redistribution), intent(inout) :: self
    integer(c_int32_t), intent(in), target :: in(..)
    integer(c_int32_t), intent(inout), target :: out(..)
    integer, intent(in), optional :: direction
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%move(place(c_loc(in), size(in, kind=int64), 4, is_contiguous(in)), &
                   place(c_loc(out), size(out, kind=int64), 4, is_contiguous(out)), &
                           direction, stat, errmsg)
  end subroutine

  subroutine move_i8(self, in, out, direction, stat, errmsg)
    class(sixstep_redistribution), intent(inout) :: self
    integer(c_int64_t), intent(in), target :: in(..)
    integer(c_int64_t), intent(inout), target :: out(..)
    integer, intent(in), optional :: direction
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call self%move(place(c_loc(in), size(in, kind=int64), 8, is_contiguous(in)), &
                   place(c_loc(out), size(out, kind=int64), 8, is_contiguous(out)), &
                           direction, stat, errmsg)
  end subroutine
end module
