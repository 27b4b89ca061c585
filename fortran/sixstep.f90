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
    type(sixstep_options) :: used
    integer :: i
    if (present(given)) used = given
    there%bytes = c_sizeof(there)
    there%output = used%output
    if (allocated(used%axes)) then
      there%axes_count = size(used%axes)
      i = min(size(used%axes), max_axes)
      there%axes(:i) = axes - reversed(used%axes(:i))
    end if
    if (allocated(used%kinds)) then
      there%kinds_count = size(used%kinds)
      i = min(size(used%kinds), max_axes)
      there%kinds(:i) = reversed(used%kinds(:i))
    end if
    if (allocated(used%modes)) then
      there%modes_count = size(used%modes)
      i = min(size(used%modes), max_axes)
      there%modes(:i) = reversed_long(used%modes(:i))
    end if
    there%transform = merge(1, 0, used%transform)
    there%padded = merge(1, 0, used%padded)
    there%fields = used%fields
    there%interleaved = merge(1, 0, used%interleaved)
    there%preserve_input = merge(1, 0, used%preserve_input)
    there%low_memory = merge(1, 0, used%low_memory)
    there%exchange = used%exchange
    there%threads = used%threads
    there%windows = used%windows
    there%driver = used%driver
    there%pipelines = used%pipelines
    there%regrid = merge(1, 0, used%regrid)
    there%split_untransformed = merge(1, 0, used%split_untransformed)
    there%own_workspace = merge(1, 0, used%own_workspace)
    there%local = used%local
    there%tuning = used%tuning
    there%tuning_seconds = used%tuning_seconds
    there%device = used%device
    there%gpu = used%gpu
    there%twiddle = merge(axes - used%twiddle, -1, used%twiddle /= 0)
    if (allocated(used%trace)) then
      trace = [(used%trace(i:i), i=1, len(used%trace)), c_null_char]
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

  include 'layouts.inc'
  include 'plans.inc'
  include 'executions.inc'
  include 'redistributions.inc'
  include 'arrays.inc'
end module
