! SPDX-License-Identifier: BSD-3-Clause
! The Fortran interface: layouts, plans and redistributions as types that free themselves.
!
! Shapes, boxes and axes follow Fortran: the first axis is the fastest in memory, the first index of
! an axis is 1, boxes are lower:upper. sixstep.h and the C++ headers explain everything else.
!
! Every procedure that can fail has the arguments stat= and errmsg=. Without stat= an error is
! printed and aborts the job. Objects are made by their procedures, not by assignment. They keep
! their resources until they go out of scope or are made again; both are collective for plans and
! redistributions.
module sixstep
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit, int64
  use mpi_f08, only: MPI_Comm, MPI_Comm_rank, MPI_COMM_WORLD, MPI_Abort
  implicit none
  private
  public :: sixstep_free

  ! The precision of reals, for create().
  integer, parameter, public :: sixstep_double = 0, sixstep_single = 1
  integer, parameter, public :: sixstep_forward = 0, sixstep_backward = 1
  ! The sign of the exponent, if not that of the direction: exp(-2 pi i jk/n), exp(+2 pi i jk/n).
  integer, parameter, public :: sixstep_minus = 0, sixstep_plus = 1
  ! The side of a plan or of a redistribution, for allocate().
  integer, parameter, public :: sixstep_input = 0, sixstep_output = 1
  ! The factor of a transform: 1, 1/N, 1/sqrt(N).
  integer, parameter, public :: sixstep_unscaled = 0, sixstep_by_n = 1, sixstep_by_sqrt_n = 2
  integer, parameter, public :: sixstep_c2c = 0, sixstep_r2c = 1, sixstep_dct1 = 2, &
      sixstep_dct2 = 3, sixstep_dct3 = 4, sixstep_dct4 = 5, sixstep_dst1 = 6, sixstep_dst2 = 7, &
      sixstep_dst3 = 8, sixstep_dst4 = 9
  integer, parameter, public :: sixstep_block = 0, sixstep_cyclic = 1
  integer, parameter, public :: sixstep_shared = 0, sixstep_collective = 1, &
      sixstep_pairwise = 2, sixstep_persistent = 3, sixstep_one_sided = 4
  integer, parameter, public :: sixstep_between = 0, sixstep_master = 1, sixstep_pipelines = 2, &
      sixstep_thread = 3, sixstep_automatic = 4
  integer, parameter, public :: sixstep_own = 0, sixstep_fftw = 1, sixstep_mkl = 2
  integer, parameter, public :: sixstep_none = 0, sixstep_cuda = 1, sixstep_emulated = 2
  integer, parameter, public :: sixstep_model = 0, sixstep_quick = 1, sixstep_exhaustive = 2
  ! Where the output lies if no layout is given for it: in the cheapest layout, in any memory order;
  ! in the layout of the input; or in the cheapest layout with the input's axes and memory order.
  integer, parameter, public :: sixstep_cheapest = 0, sixstep_as_input = 1, &
      sixstep_natural_axes = 2

  integer, parameter :: max_axes = 8, max_digits = 16
  integer, parameter :: alignment = 64  ! of lent memory, in bytes

  ! The options of a plan: see sixstep/options.hpp. A single kind serves several axes: r2c stands
  ! for r2c along the first of `axes` and c2c along the others, any other kind for itself along all.
  ! The default of `output` differs from C++: output arrays have the axes of the input, first to
  ! last.
  type, public :: sixstep_options
    integer, allocatable :: axes(:), kinds(:)
    integer(int64), allocatable :: modes(:)
    integer :: output = sixstep_natural_axes
    logical :: transform = .true., padded = .false.
    integer :: fields = 1
    logical :: interleaved = .false., preserve_input = .true., low_memory = .false.
    integer :: exchange = sixstep_shared, threads = 0, windows = 0
    integer :: driver = sixstep_automatic, pipelines = 0
    logical :: regrid = .false., split_untransformed = .false., own_workspace = .true.
    integer :: local = sixstep_own, tuning = sixstep_model
    real(c_double) :: tuning_seconds = 10
    character(:), allocatable :: trace
    integer :: twiddle = 0  ! 0: none
    integer :: device = sixstep_none, gpu = -1  ! -1: by the rank's number on its node
  end type

  ! The box of a rank and its place in the rank's array: along each axis the `extent` indices
  ! lower:upper:step, and the distance `stride` between neighbours (with several fields one more
  ! entry: the distance between fields); `offset` elements before the box, and its `points`.
  type, public :: sixstep_part
    integer :: axes = 0
    integer(int64), allocatable :: lower(:), upper(:), step(:), extent(:), stride(:)
    integer(int64) :: offset = 0, points = 0
  end type

  ! A pass over memory or an exchange: the seconds that it takes on a rank, and the bytes that it
  ! reads and writes each time.
  type, public :: sixstep_step
    character(:), allocatable :: what
    real(c_double) :: seconds = 0, bytes = 0
  end type

  ! The predicted time of a forward transform: in all, in exchanges and in passes over memory.
  type, public :: sixstep_prediction
    real(c_double) :: seconds = 0, communication = 0, computation = 0
    type(sixstep_step), allocatable :: steps(:)
  end type

  ! Which rank holds which part of an array.
  type, public :: sixstep_layout
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    ! Splits one axis (the last, or `axis`), the last two axes, or all axes.
    procedure :: slab => layout_slab
    procedure :: pencil => layout_pencil
    procedure :: brick => layout_brick
    ! Puts grid(a) ranks along axis a, the first axis fastest. `order` lists the axes, fastest
    ! first.
    procedure :: grid => layout_grid
    ! Gives rank r - 1 the box lower(a, r):upper(a, r).
    procedure :: boxes => layout_boxes
    ! As boxes(), where each rank knows only its own box. Collective.
    procedure, private :: gather_f08 => layout_gather_f08
    procedure, private :: gather_integer => layout_gather
    generic :: gather => gather_f08, gather_integer
    ! Makes the layout with which a plan with these options is fastest. Collective.
    procedure, private :: tuned_f08 => layout_tuned_f08
    procedure, private :: tuned_integer => layout_tuned
    generic :: tuned => tuned_f08, tuned_integer
    ! Keep the boxes, and change the memory order, add ghosts, or place the box of rank r - 1 after
    ! starts(a, r) elements of an array of extents(a, r).
    procedure :: set_order => layout_set_order
    procedure :: set_ghosts => layout_set_ghosts
    procedure :: set_arrays => layout_set_arrays
    procedure :: shape => layout_shape
    ! The box of `rank`, counted from 0.
    procedure :: part => layout_part
    procedure :: describe => layout_describe
    procedure, private :: copy_layout
    generic :: assignment(=) => copy_layout
    final :: free_layout
  end type

  ! A distributed transform that all ranks make once and execute any number of times.
  type, public :: sixstep_plan
    private
    type(c_ptr) :: handle = c_null_ptr
    integer :: axes = 0, fields = 1
    logical :: interleaved = .false.
    integer :: in_element = 0, out_element = 0
    integer(int64) :: in_size = 0, out_size = 0, in_place_size = 0
  contains
    ! Makes the plan. The communicator is one of mpi_f08 or an integer. Collective.
    procedure, private :: create_f08 => plan_create_f08
    procedure, private :: create_integer => plan_create
    generic :: create => create_f08, create_integer
    ! The number of elements of this rank's arrays.
    procedure :: input_size => plan_input_size
    procedure :: output_size => plan_output_size
    procedure :: input_part => plan_input_part
    procedure :: output_part => plan_output_part
    ! The wave numbers of the output point k, one for each axis of the input; and those of all
    ! indices that this rank's output has along an axis of the input.
    procedure :: wavenumber => plan_wavenumber
    procedure :: wavenumbers => plan_wavenumbers
    ! Transform the first array to the second, or one array in place. Arrays may have any rank. They
    ! must be contiguous and have the plan's types and enough elements. `sign` is for complex plans
    ! only. Collective.
    procedure :: forward => plan_forward
    procedure :: backward => plan_backward
    procedure :: forward_in_place => plan_forward_in_place
    procedure :: backward_in_place => plan_backward_in_place
    ! allocate(array, sixstep_input) allocates an array in memory that the ranks of a node share.
    ! The array's rank is 1, or the number of the plan's axes (plus 1 with several fields); its axes
    ! are in memory order. sixstep_free(array) frees it. Collective.
    procedure, private :: plan_allocate_r4, plan_allocate_c4, plan_allocate_r8, plan_allocate_c8
    generic :: allocate => plan_allocate_r4, plan_allocate_c4, plan_allocate_r8, plan_allocate_c8
    ! For a plan without own_workspace: the bytes that it needs, for an array that begins at any
    ! address, and the array that lends them.
    procedure :: workspace_bytes => plan_workspace_bytes
    procedure :: set_workspace => plan_set_workspace
    procedure :: describe => plan_describe
    ! The seconds that this rank has spent in communication since the plan was made.
    procedure :: communication_seconds => plan_communication_seconds
    ! The steps of executions in one direction, and the seconds that each has taken.
    procedure :: breakdown => plan_breakdown
    ! Predicts a forward transform by a machine file, or by the file of `sixstep tune --machine`.
    ! Collective.
    procedure :: predict => plan_predict
    ! Writes the trace so far to the file options%trace. Collective.
    procedure :: write_trace => plan_write_trace
    procedure, private :: obtain => plan_obtain
    procedure, private :: copy_plan
    generic :: assignment(=) => copy_plan
    final :: free_plan
  end type

  ! Moves elements of any type from layout to layout. Only the options fields, exchange, threads and
  ! preserve_input count.
  type, public :: sixstep_redistribution
    private
    type(c_ptr) :: handle = c_null_ptr
    integer :: rank = 0, fields = 1, element_bytes = 0
    integer(int64) :: from_size = 0, to_size = 0
  contains
    procedure, private :: create_f08 => redistribution_create_f08
    procedure, private :: create_integer => redistribution_create
    generic :: create => create_f08, create_integer
    ! Moves the elements of the first array to the second, which may be the same. Collective.
    procedure :: execute => redistribution_execute
    ! As a plan's allocate(); `from` is the input.
    procedure, private :: move_allocate_r4, move_allocate_c4, move_allocate_r8, move_allocate_c8, &
      move_allocate_i4, move_allocate_i8
    generic :: allocate => move_allocate_r4, move_allocate_c4, move_allocate_r8, &
      move_allocate_c8, move_allocate_i4, move_allocate_i8
    procedure :: describe => redistribution_describe
    procedure, private :: obtain => redistribution_obtain
    procedure, private :: copy_redistribution
    generic :: assignment(=) => copy_redistribution
    final :: free_redistribution
  end type

  ! An array: its address, its number of elements, the bytes of an element, whether it has no gaps,
  ! and the type of elements: bytes of a real, negative if complex, 0 for other types.
  type, bind(C) :: place
    type(c_ptr) :: address
    integer(c_int64_t) :: elements
    integer(c_int) :: bytes, element, dense
  end type

  ! The target of array pointers on ranks without elements, where C has NULL.
  complex(c_double_complex), target, save :: nothing(1)

  include 'c_interface.inc'

contains

  ! ---- errors ----

  function text_of(words) result(text)
    type(c_ptr), intent(in) :: words
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer(c_size_t) :: length
    integer :: i
    length = 0
    if (c_associated(words)) length = c_strlen(words)
    call c_f_pointer(words, letters, [length])
    allocate (character(size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function

  ! Handles the code that a C function has returned.
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

  ! Whether an object has been made; raises an error if not.
  logical function exists(handle, name, stat, errmsg)
    type(c_ptr), intent(in) :: handle
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    exists = c_associated(handle)
    if (.not. exists) call refuse(1, name//': it is empty; make it first', stat, errmsg)
  end function

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

  ! An order with the fastest axis first as one with the slowest first; C order if it is absent.
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
    there%output = sixstep_natural_axes
    if (.not. present(given)) return
    there%output = given%output
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
    there%own_workspace = merge(1, 0, given%own_workspace)
    there%local = given%local
    there%tuning = given%tuning
    there%tuning_seconds = given%tuning_seconds
    there%device = given%device
    there%gpu = given%gpu
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

  ! Replaces a layout by the new one, if that could be made.
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
    integer :: code
    integer :: split
    split = size(shape)
    if (present(axis)) split = axis
    code = c_slab(size(shape), reversed_long(int(shape, int64)), ranks, size(shape) - split, made)
    call take(self, code, made, stat, errmsg)
  end subroutine

  subroutine layout_pencil(self, shape, ranks, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: shape(:), ranks
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: made
    integer :: code
    code = c_pencil(size(shape), reversed_long(int(shape, int64)), ranks, made)
    call take(self, code, made, stat, errmsg)
  end subroutine

  subroutine layout_brick(self, shape, ranks, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: shape(:), ranks
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: made
    integer :: code
    code = c_brick(size(shape), reversed_long(int(shape, int64)), ranks, made)
    call take(self, code, made, stat, errmsg)
  end subroutine

  subroutine layout_grid(self, shape, grid, distribution, order, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: shape(:), grid(:)
    integer, intent(in), optional :: distribution(:), order(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: made
    integer :: code
    integer :: dealt(size(shape))
    if (.not. fits(size(grid), size(shape), 'grid', stat, errmsg)) return
    if (.not. order_fits(order, size(shape), stat, errmsg)) return
    dealt = sixstep_block
    if (present(distribution)) then
      if (.not. fits(size(distribution), size(shape), 'distribution', stat, errmsg)) return
      dealt = distribution
    end if
    code = c_grid(size(shape), reversed_long(int(shape, int64)), reversed(grid), reversed(dealt), &
                  order_of(size(shape), order), made)
    call take(self, code, made, stat, errmsg)
  end subroutine

  ! Whether there is one entry an axis; raises an error if not.
  logical function fits(given, axes, name, stat, errmsg)
    integer, intent(in) :: given, axes
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    fits = given == axes
    if (.not. fits) call refuse(1, misfit(given, axes, name), stat, errmsg)
  end function

  function misfit(given, axes, name) result(text)
    integer, intent(in) :: given, axes
    character(*), intent(in) :: name
    character(:), allocatable :: text
    text = name//': an entry for each of the '//decimal(int(axes, int64))// &
           ' axes is needed, '//decimal(int(given, int64))//' were given'
  end function

  ! As above, before a collective call: all ranks get the error.
  logical function fits_together(comm, given, axes, name, stat, errmsg)
    integer, intent(in) :: comm, given, axes
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    fits_together = given == axes
    if (.not. fits_together) &
      call finish(c_fail(comm, misfit(given, axes, name)//c_null_char), stat, errmsg)
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
    integer :: code
    integer :: d
    d = size(shape)
    if (.not. fits(size(lower, 1), d, 'lower', stat, errmsg)) return
    if (.not. fits(size(upper, 1), d, 'upper', stat, errmsg)) return
    if (.not. order_fits(order, d, stat, errmsg)) return
    if (size(lower, 2) /= size(upper, 2)) then
      call refuse(1, 'lower, upper: the same number of boxes is needed in both', stat, errmsg)
      return
    end if
    code = c_boxes(d, reversed_long(int(shape, int64)), size(lower, 2), &
                   int(lower(d:1:-1, :) - 1, int64), int(upper(d:1:-1, :), int64), &
                   order_of(d, order), made)
    call take(self, code, made, stat, errmsg)
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
    integer :: code
    integer :: d
    d = size(shape)
    if (.not. fits_together(comm, size(lower), d, 'lower', stat, errmsg)) return
    if (.not. fits_together(comm, size(upper), d, 'upper', stat, errmsg)) return
    if (present(order)) then
      if (.not. fits_together(comm, size(order), d, 'order', stat, errmsg)) return
    end if
    code = c_gather(d, reversed_long(int(shape, int64)), reversed_long(int(lower - 1, int64)), &
                    reversed_long(int(upper, int64)), order_of(d, order), comm, made)
    call take(self, code, made, stat, errmsg)
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
    integer :: code
    integer :: reals, output
    reals = sixstep_double
    if (present(precision)) reals = precision
    output = sixstep_cheapest  ! means the output of the options
    if (present(as_input)) output = merge(sixstep_as_input, sixstep_cheapest, as_input)
    code = c_tuned(reals, size(shape), reversed_long(int(shape, int64)), output, comm, &
                   options_of(size(shape), options, trace), made)
    call take(self, code, made, stat, errmsg)
  end subroutine

  subroutine layout_set_order(self, order, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: order(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: made
    integer :: code
    if (.not. exists(self%handle, 'layout', stat, errmsg)) return
    if (.not. fits(size(order), axes_of(self), 'order', stat, errmsg)) return
    code = c_with_order(self%handle, order_of(size(order), order), made)
    call take(self, code, made, stat, errmsg)
  end subroutine

  subroutine layout_set_ghosts(self, before, after, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: before(:), after(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: made
    integer :: code
    if (.not. exists(self%handle, 'layout', stat, errmsg)) return
    if (.not. fits(size(before), axes_of(self), 'before', stat, errmsg)) return
    if (.not. fits(size(after), axes_of(self), 'after', stat, errmsg)) return
    code = c_with_ghosts(self%handle, reversed_long(int(before, int64)), &
                         reversed_long(int(after, int64)), made)
    call take(self, code, made, stat, errmsg)
  end subroutine

  subroutine layout_set_arrays(self, extents, starts, stat, errmsg)
    class(sixstep_layout), intent(inout) :: self
    integer, intent(in) :: extents(:, :), starts(:, :)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: made
    integer :: code
    integer(c_int) :: axes, ranks
    if (.not. exists(self%handle, 'layout', stat, errmsg)) return
    call finish(c_layout_counts(self%handle, axes, ranks), stat, errmsg)
    if (any([shape(extents), shape(starts)] /= [axes, ranks, axes, ranks])) then
      call refuse(1, 'extents, starts: an entry for each axis and rank is needed', stat, errmsg)
    else
      code = c_in_arrays(self%handle, int(extents(axes:1:-1, :), int64), &
                         int(starts(axes:1:-1, :), int64), made)
      call take(self, code, made, stat, errmsg)
    end if
  end subroutine

  ! The number of axes; 0 for an empty layout.
  integer function axes_of(layout)
    class(sixstep_layout), intent(in) :: layout
    integer(c_int) :: axes, ranks
    axes_of = 0
    if (c_layout_counts(layout%handle, axes, ranks) == 0) axes_of = axes
  end function

  function layout_shape(self, stat, errmsg) result(extents)
    class(sixstep_layout), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: extents(:)
    integer(int64) :: there(max_digits)
    allocate (extents(0))
    if (.not. exists(self%handle, 'layout', stat, errmsg)) return
    call finish(c_layout_shape(self%handle, there), stat, errmsg)
    extents = reversed_long(there(:axes_of(self)))
  end function

  function layout_part(self, rank, stat, errmsg) result(part)
    class(sixstep_layout), intent(in) :: self
    integer, intent(in) :: rank
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sixstep_part) :: part
    type(c_part) :: there
    part = part_of(there)
    if (.not. exists(self%handle, 'layout', stat, errmsg)) return
    call finish(c_layout_part(self%handle, rank, there), stat, errmsg)
    part = part_of(there)
  end function

  function layout_describe(self, stat, errmsg) result(text)
    class(sixstep_layout), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(:), allocatable :: text
    type(c_ptr) :: words
    text = ''
    if (.not. exists(self%handle, 'layout', stat, errmsg)) return
    words = c_null_ptr
    call finish(c_layout_describe(self%handle, words), stat, errmsg)
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
    integer :: reals, code, bytes, twiddle
    reals = sixstep_double
    if (present(precision)) reals = precision
    twiddle = 0
    if (present(options)) twiddle = options%twiddle
    wanted = c_null_ptr
    if (present(output)) wanted = output%handle
    made = c_null_ptr
    code = c_plan_create(reals, input%handle, wanted, comm, &
                         options_of(axes_of(input), options, trace), twiddle, made)
    if (code == 0) then
      call free_plan(self)
      self%handle = made
      self%axes = axes_of(input)
      self%fields = 1
      self%interleaved = .false.
      if (present(options)) self%fields = options%fields
      if (present(options)) self%interleaved = options%interleaved
      code = c_plan_sizes(made, self%in_size, self%out_size, self%in_place_size)
      code = c_plan_element_bytes(made, in_bytes, out_bytes)
      bytes = merge(8, 4, reals == sixstep_double)
      self%in_element = merge(bytes, -bytes, in_bytes == bytes)
      self%out_element = merge(bytes, -bytes, out_bytes == bytes)
    end if
    call finish(code, stat, errmsg)
  end subroutine

  integer(int64) function plan_input_size(self, stat, errmsg) result(elements)
    class(sixstep_plan), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    elements = self%in_size
    if (exists(self%handle, 'plan', stat, errmsg)) call finish(0, stat, errmsg)
  end function

  integer(int64) function plan_output_size(self, stat, errmsg) result(elements)
    class(sixstep_plan), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    elements = self%out_size
    if (exists(self%handle, 'plan', stat, errmsg)) call finish(0, stat, errmsg)
  end function

  function plan_input_part(self, stat, errmsg) result(part)
    class(sixstep_plan), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sixstep_part) :: part
    type(c_part) :: there
    if (exists(self%handle, 'plan', stat, errmsg)) &
      call finish(c_plan_input_part(self%handle, there), stat, errmsg)
    part = part_of(there)
  end function

  function plan_output_part(self, stat, errmsg) result(part)
    class(sixstep_plan), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sixstep_part) :: part
    type(c_part) :: there
    if (exists(self%handle, 'plan', stat, errmsg)) &
      call finish(c_plan_output_part(self%handle, there), stat, errmsg)
    part = part_of(there)
  end function

  function plan_wavenumber(self, k, stat, errmsg) result(w)
    class(sixstep_plan), intent(in) :: self
    integer(int64), intent(in) :: k(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(c_double), allocatable :: w(:)
    real(c_double) :: there(max_digits)
    type(sixstep_part) :: part
    allocate (w(0))
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    part = plan_output_part(self)
    if (.not. fits(size(k), part%axes, 'k', stat, errmsg)) return
    there = 0
    call finish(c_wavenumber(self%handle, reversed_long(k - 1), there), stat, errmsg)
    w = there(self%axes:1:-1)
  end function

  function plan_wavenumbers(self, axis, stat, errmsg) result(w)
    class(sixstep_plan), intent(in) :: self
    integer, intent(in) :: axis
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(c_double), allocatable :: w(:)
    integer(int64) :: indices
    integer :: code
    allocate (w(0))
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    code = c_wavenumbers(self%handle, self%axes - axis, indices)
    if (code == 0) then
      deallocate (w)
      allocate (w(indices))
      code = c_wavenumbers(self%handle, self%axes - axis, indices, w)
    end if
    call finish(code, stat, errmsg)
  end function

  function plan_describe(self, stat, errmsg) result(text)
    class(sixstep_plan), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(:), allocatable :: text
    type(c_ptr) :: words
    text = ''
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    words = c_null_ptr
    call finish(c_plan_describe(self%handle, words), stat, errmsg)
    text = text_of(words)
  end function

  real(c_double) function plan_communication_seconds(self, stat, errmsg) result(seconds)
    class(sixstep_plan), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    seconds = 0
    if (exists(self%handle, 'plan', stat, errmsg)) &
      call finish(c_communication_seconds(self%handle, seconds), stat, errmsg)
  end function

  function plan_breakdown(self, direction, stat, errmsg) result(steps)
    class(sixstep_plan), intent(in) :: self
    integer, intent(in) :: direction
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sixstep_step), allocatable :: steps(:)
    type(c_ptr) :: there
    integer(c_int) :: steps_count
    integer :: code
    allocate (steps(0))
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    code = c_breakdown(self%handle, direction, steps_count, there)
    if (code == 0) steps = steps_of(steps_count, there)
    call finish(code, stat, errmsg)
  end function

  function plan_predict(self, machine_file, stat, errmsg) result(prediction)
    class(sixstep_plan), intent(in) :: self
    character(*), intent(in), optional :: machine_file
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sixstep_prediction) :: prediction
    type(c_prediction) :: there
    integer :: code
    allocate (prediction%steps(0))
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    if (present(machine_file)) then
      code = c_predict(self%handle, trim(machine_file)//c_null_char, there)
    else
      code = c_predict(self%handle, prediction=there)
    end if
    if (code == 0) then
      prediction%seconds = there%seconds
      prediction%communication = there%communication
      prediction%computation = there%computation
      prediction%steps = steps_of(there%steps_count, there%steps)
    end if
    call finish(code, stat, errmsg)
  end function

  function steps_of(steps_count, there) result(steps)
    integer(c_int), intent(in) :: steps_count
    type(c_ptr), intent(in) :: there
    type(sixstep_step), allocatable :: steps(:)
    type(c_step), pointer :: all(:)
    integer :: i
    call c_f_pointer(there, all, [steps_count])
    allocate (steps(steps_count))
    do i = 1, steps_count
      steps(i)%what = text_of(all(i)%what)
      steps(i)%seconds = all(i)%seconds
      steps(i)%bytes = all(i)%bytes
    end do
  end function

  subroutine plan_write_trace(self, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (exists(self%handle, 'plan', stat, errmsg)) &
      call finish(c_write_trace(self%handle), stat, errmsg)
  end subroutine

  ! Fortran's arrays may begin at any address, but the library needs an aligned one.
  integer(int64) function plan_workspace_bytes(self, stat, errmsg) result(bytes)
    class(sixstep_plan), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_size_t) :: there
    bytes = 0
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    call finish(c_workspace_bytes(self%handle, there), stat, errmsg)
    bytes = there + alignment - 1
  end function

  subroutine plan_set_workspace(self, memory, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    type(*), intent(inout), target :: memory(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(place) :: there
    integer(c_intptr_t) :: begin
    integer(int64) :: bytes
    there = place_of(memory)
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    if (.not. is_dense(there, 'memory', stat, errmsg)) return
    begin = transfer(there%address, begin)
    bytes = there%elements*there%bytes - modulo(-begin, int(alignment, c_intptr_t))
    begin = begin + modulo(-begin, int(alignment, c_intptr_t))
    call finish(c_set_workspace(self%handle, transfer(begin, there%address), &
                                int(max(bytes, 0_int64), c_size_t)), stat, errmsg)
  end subroutine

  ! The address of an array as C expects it: null for an array without elements.
  function address_of(array) result(address)
    type(place), intent(in) :: array
    type(c_ptr) :: address
    address = array%address
    if (c_associated(address, c_loc(nothing))) address = c_null_ptr
  end function

  ! Whether an array has no gaps; raises an error if it has.
  logical function is_dense(array, name, stat, errmsg)
    type(place), intent(in) :: array
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    is_dense = array%dense /= 0
    if (.not. is_dense) call refuse(1, name//': a contiguous array is needed', stat, errmsg)
  end function

  ! Whether an array has elements of the needed type, and enough of them; raises an error if not.
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
    word = 'another type'
    if (element > 0) word = 'type real('//decimal(int(element, int64))//')'
    if (element < 0) word = 'type complex('//decimal(int(-element, int64))//')'
  end function

  subroutine plan_forward(self, in, out, scale, sign, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    type(*), intent(in), target :: in(..)
    type(*), intent(inout), target :: out(..)
    integer, intent(in), optional :: scale, sign
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(place) :: from, to
    from = place_of(in)
    to = place_of(out)
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    if (.not. serves(from, self%in_size, self%in_element, 'in', stat, errmsg)) return
    if (.not. serves(to, self%out_size, self%out_element, 'out', stat, errmsg)) return
    call run(self, from, to, sixstep_forward, scale, sign, stat, errmsg)
  end subroutine

  subroutine plan_backward(self, in, out, scale, sign, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    type(*), intent(in), target :: in(..)
    type(*), intent(inout), target :: out(..)
    integer, intent(in), optional :: scale, sign
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(place) :: from, to
    from = place_of(in)
    to = place_of(out)
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    if (.not. serves(from, self%out_size, self%out_element, 'in', stat, errmsg)) return
    if (.not. serves(to, self%in_size, self%in_element, 'out', stat, errmsg)) return
    call run(self, from, to, sixstep_backward, scale, sign, stat, errmsg)
  end subroutine

  subroutine plan_forward_in_place(self, array, scale, sign, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    type(*), intent(inout), target :: array(..)
    integer, intent(in), optional :: scale, sign
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(place) :: there
    there = place_of(array)
    if (serves_both(self, there, stat, errmsg)) &
      call run(self, there, there, sixstep_forward, scale, sign, stat, errmsg)
  end subroutine

  subroutine plan_backward_in_place(self, array, scale, sign, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    type(*), intent(inout), target :: array(..)
    integer, intent(in), optional :: scale, sign
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(place) :: there
    there = place_of(array)
    if (serves_both(self, there, stat, errmsg)) &
      call run(self, there, there, sixstep_backward, scale, sign, stat, errmsg)
  end subroutine

  ! Whether an array, with the element type of either side, has room for both; raises an error if
  ! not.
  logical function serves_both(self, array, stat, errmsg)
    class(sixstep_plan), intent(in) :: self
    type(place), intent(in) :: array
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(int64) :: reals, needed
    serves_both = exists(self%handle, 'plan', stat, errmsg)
    if (serves_both) serves_both = is_dense(array, 'array', stat, errmsg)
    if (.not. serves_both) return
    reals = array%elements*merge(2, 1, array%element < 0)
    needed = self%in_place_size*merge(2, 1, self%out_element < 0)
    serves_both = reals >= needed .and. abs(array%element) == abs(self%out_element)
    if (.not. serves_both) &
      call refuse(1, 'array: '//decimal(needed)//' reals of '//word_of(abs(self%out_element))// &
                  ' are needed, '//decimal(reals)//' of '//word_of(abs(array%element))// &
                  ' were given', stat, errmsg)
  end function

  subroutine run(self, in, out, direction, scale, sign, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    type(place), intent(in) :: in, out
    integer, intent(in) :: direction
    integer, intent(in), optional :: scale, sign
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer :: factor, code
    factor = sixstep_unscaled
    if (present(scale)) factor = scale
    if (present(sign)) then
      code = c_execute(self%handle, address_of(in), address_of(out), direction, sign, factor)
    else if (direction == sixstep_forward) then
      code = c_forward(self%handle, address_of(in), address_of(out), factor)
    else
      code = c_backward(self%handle, address_of(in), address_of(out), factor)
    end if
    call finish(code, stat, errmsg)
  end subroutine

  ! ---- arrays ----

  ! Allocates memory for one side of a plan, and returns the extents of this rank's array.
  subroutine plan_obtain(self, element, rank, side, memory, extents, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    integer, intent(in) :: element, rank, side
    type(c_ptr), intent(out) :: memory
    integer(int64), allocatable, intent(out) :: extents(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sixstep_layout) :: layout
    type(sixstep_part) :: part
    integer(int64) :: elements
    integer :: wanted, fastest
    memory = c_null_ptr
    if (.not. exists(self%handle, 'plan', stat, errmsg)) return
    wanted = merge(self%in_element, self%out_element, side == sixstep_input)
    if (element /= wanted) then
      call refuse(1, 'array: elements of '//word_of(wanted)//' are needed, of '// &
                  word_of(element)//' were given', stat, errmsg)
      return
    end if
    if (side == sixstep_input) then
      elements = self%in_size
      part = self%input_part()
      call finish(c_plan_input(self%handle, layout%handle))
    else
      elements = self%out_size
      part = self%output_part()
      call finish(c_plan_output(self%handle, layout%handle))
    end if
    fastest = merge(1, part%axes + 1, self%interleaved)
    extents = extents_of(layout, part, elements, self%fields, fastest)
    if (.not. rank_fits(rank, elements, extents, stat, errmsg)) return
    call give(c_plan_allocate(self%handle, memory), memory, stat, errmsg)
  end subroutine

  ! As plan_obtain, for a redistribution whose elements have this number of bytes.
  subroutine redistribution_obtain(self, element, rank, side, memory, extents, stat, errmsg)
    class(sixstep_redistribution), intent(inout) :: self
    integer, intent(in) :: element, rank, side
    type(c_ptr), intent(out) :: memory
    integer(int64), allocatable, intent(out) :: extents(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(sixstep_layout) :: layout
    type(sixstep_part) :: part
    integer(int64) :: elements
    memory = c_null_ptr
    if (.not. exists(self%handle, 'redistribution', stat, errmsg)) return
    if (element /= self%element_bytes) then
      call refuse(1, 'array: elements of '//decimal(int(self%element_bytes, int64))// &
                  ' bytes are needed, of '//decimal(int(element, int64))//' were given', stat, &
                  errmsg)
      return
    end if
    if (side == sixstep_input) then
      elements = self%from_size
      call finish(c_redistribution_from(self%handle, layout%handle))
    else
      elements = self%to_size
      call finish(c_redistribution_to(self%handle, layout%handle))
    end if
    part = layout%part(self%rank)
    part%stride = [part%stride(:part%axes), elements/self%fields]
    extents = extents_of(layout, part, elements, self%fields, part%axes + 1)
    if (.not. rank_fits(rank, elements, extents, stat, errmsg)) return
    call give(c_redistribution_allocate(self%handle, memory), memory, stat, errmsg)
  end subroutine

  subroutine give(code, memory, stat, errmsg)
    integer, intent(in) :: code
    type(c_ptr), intent(inout) :: memory
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (code == 0 .and. .not. c_associated(memory)) memory = c_loc(nothing)
    call finish(code, stat, errmsg)
  end subroutine

  ! Whether an array may have this rank: 1, or the number of extents; raises an error if not.
  logical function rank_fits(rank, elements, extents, stat, errmsg)
    integer, intent(in) :: rank
    integer(int64), intent(in) :: elements
    integer(int64), allocatable, intent(inout) :: extents(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    rank_fits = rank == 1 .or. rank == size(extents)
    if (.not. rank_fits) &
      call refuse(1, 'array: of rank 1 or '//decimal(size(extents, kind=int64))// &
                  ' is needed, of rank '//decimal(int(rank, int64))//' was given', stat, errmsg)
    if (rank == 1) extents = [elements]
  end function

  ! The extents of an array in memory order, ghosts and padding included, computed from its strides.
  ! With several fields, axis `field` counts them.
  function extents_of(layout, part, elements, fields, field) result(extents)
    type(sixstep_layout), intent(in) :: layout
    type(sixstep_part), intent(in) :: part
    integer(int64), intent(in) :: elements
    integer, intent(in) :: fields, field
    integer(int64), allocatable :: extents(:), stride(:)
    integer, allocatable :: order(:)
    integer(c_int) :: there(max_digits)
    integer :: axes
    axes = part%axes
    call finish(c_layout_order(layout%handle, there))
    order = axes - there(axes:1:-1)
    if (fields > 1) order = [order(:field - 1), axes + 1, order(field:)]
    if (part%points == 0) then
      extents = [part%extent, int(fields, int64)]
      extents = extents(order)
    else
      stride = part%stride(order)
      extents = [stride(2:), elements]/stride
    end if
  end function

  subroutine plan_allocate_r4(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_float), pointer, intent(out) :: array(..)
    integer, parameter :: element = 4
    include 'allocate.inc'
  end subroutine

  subroutine plan_allocate_c4(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_float_complex), pointer, intent(out) :: array(..)
    integer, parameter :: element = -4
    include 'allocate.inc'
  end subroutine

  subroutine plan_allocate_r8(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    real(c_double), pointer, intent(out) :: array(..)
    integer, parameter :: element = 8
    include 'allocate.inc'
  end subroutine

  subroutine plan_allocate_c8(self, array, side, stat, errmsg)
    class(sixstep_plan), intent(inout) :: self
    complex(c_double_complex), pointer, intent(out) :: array(..)
    integer, parameter :: element = -8
    include 'allocate.inc'
  end subroutine

  subroutine move_allocate_r4(self, array, side, stat, errmsg)
    class(sixstep_redistribution), intent(inout) :: self
    real(c_float), pointer, intent(out) :: array(..)
    integer, parameter :: element = 4
    include 'allocate.inc'
  end subroutine

  subroutine move_allocate_c4(self, array, side, stat, errmsg)
    class(sixstep_redistribution), intent(inout) :: self
    complex(c_float_complex), pointer, intent(out) :: array(..)
    integer, parameter :: element = 8
    include 'allocate.inc'
  end subroutine

  subroutine move_allocate_r8(self, array, side, stat, errmsg)
    class(sixstep_redistribution), intent(inout) :: self
    real(c_double), pointer, intent(out) :: array(..)
    integer, parameter :: element = 8
    include 'allocate.inc'
  end subroutine

  subroutine move_allocate_c8(self, array, side, stat, errmsg)
    class(sixstep_redistribution), intent(inout) :: self
    complex(c_double_complex), pointer, intent(out) :: array(..)
    integer, parameter :: element = 16
    include 'allocate.inc'
  end subroutine

  subroutine move_allocate_i4(self, array, side, stat, errmsg)
    class(sixstep_redistribution), intent(inout) :: self
    integer(c_int32_t), pointer, intent(out) :: array(..)
    integer, parameter :: element = 4
    include 'allocate.inc'
  end subroutine

  subroutine move_allocate_i8(self, array, side, stat, errmsg)
    class(sixstep_redistribution), intent(inout) :: self
    integer(c_int64_t), pointer, intent(out) :: array(..)
    integer, parameter :: element = 8
    include 'allocate.inc'
  end subroutine

  subroutine sixstep_free(array, stat, errmsg)
    type(*), intent(in), target :: array(..)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call finish(c_free(address_of(place_of(array))), stat, errmsg)
  end subroutine

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
      self%fields = 1
      if (present(options)) self%fields = options%fields
      call MPI_Comm_rank(MPI_Comm(comm), self%rank)
      code = c_redistribution_sizes(made, self%from_size, self%to_size)
    end if
    call finish(code, stat, errmsg)
  end subroutine

  subroutine redistribution_execute(self, in, out, direction, stat, errmsg)
    class(sixstep_redistribution), intent(inout) :: self
    type(*), intent(in), target :: in(..)
    type(*), intent(inout), target :: out(..)
    integer, intent(in), optional :: direction
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(place) :: from, to
    integer(int64) :: needed(2)
    integer :: way
    from = place_of(in)
    to = place_of(out)
    if (.not. exists(self%handle, 'redistribution', stat, errmsg)) return
    way = sixstep_forward
    if (present(direction)) way = direction
    if (.not. is_dense(from, 'in', stat, errmsg)) return
    if (.not. is_dense(to, 'out', stat, errmsg)) return
    needed = [self%from_size, self%to_size]
    if (way == sixstep_backward) needed = needed(2:1:-1)
    if (any([from%elements*from%bytes, to%elements*to%bytes] < needed*self%element_bytes)) then
      call refuse(1, 'in, out: '//decimal(needed(1))//' and '//decimal(needed(2))// &
                  ' elements of '//decimal(int(self%element_bytes, int64))// &
                  ' bytes are needed, '//decimal(from%elements)//' of '// &
                  decimal(int(from%bytes, int64))//' and '//decimal(to%elements)//' of '// &
                  decimal(int(to%bytes, int64))//' were given', stat, errmsg)
      return
    end if
    call finish(c_move(self%handle, address_of(from), address_of(to), way), stat, errmsg)
  end subroutine

  function redistribution_describe(self, stat, errmsg) result(text)
    class(sixstep_redistribution), intent(in) :: self
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(:), allocatable :: text
    type(c_ptr) :: words
    text = ''
    if (.not. exists(self%handle, 'redistribution', stat, errmsg)) return
    words = c_null_ptr
    call finish(c_redistribution_describe(self%handle, words), stat, errmsg)
    text = text_of(words)
  end function

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
end module
