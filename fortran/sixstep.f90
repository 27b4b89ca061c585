! SPDX-License-Identifier: BSD-3-Clause
! The Fortran interface: layouts, plans, operators, maps, Poisson solvers, convolutions and
! redistributions as types that free themselves.
!
! Shapes, boxes and axes follow Fortran: the first axis is the fastest in memory, the first index of
! an axis is 1, boxes are lower:upper. sixstep.h and the C++ headers explain everything else.
!
! Every procedure that can fail has the arguments stat= and errmsg=. Without stat= an error is
! printed and aborts the job. Objects are made by their procedures, not by assignment. They keep
! their resources until they go out of scope or are made again; both are collective for all but
! layouts and symbols.
module sixstep
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit, int64
  use mpi_f08, only: MPI_Comm, MPI_Comm_rank, MPI_COMM_WORLD, MPI_Abort
  implicit none
  private
  public :: sixstep_free, sixstep_device_copy

  ! The precision of reals, for create().
  integer, parameter, public :: sixstep_double = 0, sixstep_single = 1
  integer, parameter, public :: sixstep_forward = 0, sixstep_backward = 1
  ! The sign of the exponent, if not that of the direction: exp(-2 pi i jk/n), exp(+2 pi i jk/n).
  integer, parameter, public :: sixstep_minus = 0, sixstep_plus = 1
  ! The side of a plan, of an operator or of a redistribution, for allocate().
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
  ! When equal input has a result with equal bits: in the same plan; with the same instruction set,
  ! for any ranks, layouts and options; or also with any other instruction set.
  integer, parameter, public :: sixstep_bits_none = 0, sixstep_bits_machine = 1, &
      sixstep_bits_everywhere = 2

  ! How a plan checks each execution: not at all, by a weighted sum of the result, or also by
  ! sums of each pass.
  integer, parameter, public :: sixstep_verify_none = 0, sixstep_verify_result = 1, &
      sixstep_verify_all = 2

  ! Where the output lies if no layout is given for it: in the cheapest layout, in any memory order;
  ! in the layout of the input; or in the cheapest layout with the input's axes and memory order.
  integer, parameter, public :: sixstep_cheapest = 0, sixstep_as_input = 1, &
      sixstep_natural_axes = 2

  ! The ends of an axis of a Poisson solver: it is periodic, or u (Dirichlet) or du/dx (Neumann) is
  ! given at both walls, or one at the first and the other at the last wall; and the points between
  ! walls: the middles of equal cells, or nodes. In solvers in free space, axes may be open.
  integer, parameter, public :: sixstep_periodic = 0, sixstep_dirichlet = 1, sixstep_neumann = 2, &
      sixstep_dirichlet_neumann = 3, sixstep_neumann_dirichlet = 4, sixstep_open = 5
  integer, parameter, public :: sixstep_cells = 0, sixstep_nodes = 1

  ! The part of a convolution that is the result: all of it, the part as large as the signal, or the
  ! part that needs no point outside of both arrays; or a circular convolution.
  integer, parameter, public :: sixstep_convolve_full = 0, sixstep_convolve_same = 1, &
      sixstep_convolve_valid = 2, sixstep_convolve_periodic = 3

  ! How the Green's function of free space becomes weights of points: cut off at the diameter of the
  ! box, or integrated over the cell around each point.
  integer, parameter, public :: sixstep_truncated = 0, sixstep_integrated = 1

  ! The argument of the caller's Green's function along open axes: a distance or a wave number.
  integer, parameter, public :: sixstep_distances = 0, sixstep_waves = 1

  ! Where a grid has the components of vectors: at the points of scalars, or half a spacing above or
  ! below them.
  integer, parameter, public :: sixstep_no_faces = 0, sixstep_above = 1, sixstep_below = 2

  integer, parameter :: max_axes = 8, max_digits = 16
  integer, parameter :: alignment = 64  ! of lent memory, in bytes
  integer, parameter :: complex_numbers = 0, real_numbers = 1  ! of a symbol

  ! The options of a plan: see sixstep/options.hpp. A single kind serves several axes: r2c stands
  ! for r2c along the first of `axes` and c2c along the others, any other kind for itself along all.
  ! The default of `output` differs from C++: output arrays have the axes of the input, first to
  ! last. Columns lie along the last of `axes`: columns(:, j) are the j-th one's wave numbers along
  ! the others, first to last, and its lowest and highest wave number.
  type, public :: sixstep_options
    integer, allocatable :: axes(:), kinds(:)
    integer(int64), allocatable :: lengths(:), modes(:)
    real(c_double), allocatable :: sphere(:)
    integer(int64), allocatable :: columns(:, :)
    integer :: output = sixstep_natural_axes
    logical :: transform = .true., padded = .false.
    integer :: fields = 1
    logical :: interleaved = .false., preserve_input = .true., low_memory = .false.
    integer :: exchange = sixstep_shared, threads = 0, windows = 0
    integer :: driver = sixstep_automatic, pipelines = 0
    logical :: regrid = .false., split_untransformed = .false., own_workspace = .true.
    integer :: local = sixstep_own, reproducible = sixstep_bits_none, tuning = sixstep_model
    real(c_double) :: tuning_seconds = 10
    character(:), allocatable :: trace
    integer :: twiddle = 0  ! 0: none
    integer :: device = sixstep_none, gpu = -1  ! -1: by the rank's number on its node
    real(c_double) :: wire = 0  ! the relative error that messages may make
    integer :: verify = sixstep_verify_none
  end type

  ! The options of an operator: those of a plan but output, transform and twiddle; `kept`,
  ! without which a symbol's procedure is called at each execution, by several threads at the same
  ! time; and the lengths of the domain, by default 2 pi, or pi between walls.
  type, extends(sixstep_options), public :: sixstep_operator_options
    logical :: kept = .true.
    real(c_double), allocatable :: sides(:)
  end type

  ! The options of a map: those of a plan but transform, twiddle and device; the lengths of the
  ! domain, as above; the factors of the transforms to points and from points; and the least number
  ! of points of a batch, if there are as many in cache.
  type, extends(sixstep_options), public :: sixstep_map_options
    real(c_double), allocatable :: sides(:)
    integer :: backward = sixstep_by_n, forward = sixstep_unscaled
    integer(int64) :: batch = 16
  end type

  ! The options of a Poisson solver: those of an operator but axes, kinds, modes and fields; what is
  ! at the walls and where points are, one number for each axis or one for all, by default periodic
  ! and in cells; the order of finite differences, 2 or 4, or 0 for exact derivatives; and the mean
  ! of u where the equation leaves it open. See sixstep/poisson.hpp.
  type, extends(sixstep_operator_options), public :: sixstep_poisson_options
    integer, allocatable :: walls(:), points(:)
    integer :: accuracy = 0
    real(c_double) :: mean = 0
  end type

  ! The options of a convolution: those of a plan but output, transform, twiddle, device and modes;
  ! the part that is the result; whether it correlates with the kernel; and whether a periodic one
  ! has a kernel with conj(kernel(-l)) at l. See sixstep/convolution.hpp.
  type, extends(sixstep_options), public :: sixstep_convolution_options
    integer :: mode = sixstep_convolve_full
    logical :: correlate = .false., even = .false.
  end type

  ! The options of a solver in free space: those of a convolution but kinds and lengths; the
  ! distance between points, one number for each of `axes` or one for all, by default 1; how the
  ! Green's function becomes weights; the ends of axes, by default all open, and where points are
  ! between walls; the shift of the box in which u is the potential, by default 0; and whether a
  ! Green's function of the caller's is one of distances or of wave numbers along open axes. See
  ! sixstep/open_poisson.hpp.
  type, extends(sixstep_options), public :: sixstep_open_poisson_options
    real(c_double), allocatable :: spacing(:)
    integer :: greens_function = sixstep_truncated
    integer, allocatable :: walls(:), points(:)
    real(c_double), allocatable :: shift(:)
    integer :: space = sixstep_distances
  end type

  ! How symbols take derivatives: exactly (0), or by finite differences of this order of accuracy (2
  ! or 4) of points that are `spacing` apart along each axis: see sixstep/differences.hpp.
  type, public :: sixstep_differences
    integer :: accuracy = 0, faces = sixstep_no_faces
    real(c_double), allocatable :: spacing(:)
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

  ! Executions that were right, that could not be checked, and that were right at the second try;
  ! messages, and arrays that rest between two sweeps, whose bits were compared; and the largest
  ! difference of two sums in units of its bound.
  type, public :: sixstep_verified
    integer(c_int64_t) :: checked = 0, unchecked = 0, repaired = 0, compared = 0
    real(c_double) :: largest_share = 0
  end type

  ! An execution that the option verify has found to be wrong: its direction, whether a second one
  ! was right, the rank that has computed, or read, other numbers (-1: not known), what it has done,
  ! and the difference of two sums of the result with its bound.
  type, public :: sixstep_detection
    integer(c_int) :: direction = sixstep_forward
    logical :: repaired = .false.
    integer(c_int) :: rank = -1
    character(:), allocatable :: where
    real(c_double) :: difference = 0, bound = 0
  end type

  ! The predicted time of a forward transform or of an operator: in all, in exchanges and in passes
  ! over memory.
  type, public :: sixstep_prediction
    real(c_double) :: seconds = 0, communication = 0, computation = 0
    type(sixstep_step), allocatable :: steps(:)
  end type

  ! The decomposition of a global array: the box that each rank holds.
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
    ! Works like boxes(), but each rank gives only its own box. Collective.
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

  ! The common part of plans, operators, maps, Poisson solvers and convolutions.
  type, abstract :: planned
    private
    type(c_ptr) :: handle = c_null_ptr
    integer :: axes = 0, in_fields = 1, out_fields = 1
    logical :: interleaved = .false.
    integer :: in_element = 0, out_element = 0
    integer(int64) :: in_size = 0, out_size = 0, in_place_size = 0
  contains
    ! The number of elements of this rank's arrays.
    procedure :: input_size => planned_input_size
    procedure :: output_size => planned_output_size
    procedure :: input_part => planned_input_part
    procedure :: output_part => planned_output_part
    ! allocate(array, sixstep_input) allocates an array in memory that the ranks of a node share.
    ! The array's rank is 1, or the number of axes (plus 1 with several fields); its axes are in
    ! memory order. sixstep_free(array) frees it. Collective.
    procedure, private :: allocate_r4, allocate_c4, allocate_r8, allocate_c8
    generic :: allocate => allocate_r4, allocate_c4, allocate_r8, allocate_c8
    ! Without own_workspace: the bytes that are needed, for an array that begins at any address, and
    ! the array that lends them.
    procedure :: workspace_bytes => planned_workspace_bytes
    procedure :: set_workspace => planned_set_workspace
    procedure :: describe => planned_describe
    ! The seconds that this rank has spent in communication since the object was made.
    procedure :: communication_seconds => planned_communication_seconds
    ! Returns what the option verify has found.
    procedure :: verified => planned_verified
    ! The procedure is called on every rank when an execution was wrong, before it returns. It must
    ! not use this object. Without one, nothing is called.
    procedure :: on_detection => planned_on_detection
    ! Predicts a forward transform, an operator, a map or a convolution by a machine file, or by the
    ! file of `sixstep tune --machine`. Collective.
    procedure :: predict => planned_predict
    ! Writes the trace so far to the file options%trace. Collective.
    procedure :: write_trace => planned_write_trace
    procedure, private :: obtain => planned_obtain
    procedure, private :: copy_planned
    generic :: assignment(=) => copy_planned
  end type

  ! The common part of operators, maps and convolutions.
  type, abstract, extends(planned) :: applied
  contains
    ! Apply it to the first array and write the second, or to one array in place. Collective.
    procedure :: apply => applied_apply
    procedure :: apply_in_place => applied_apply_in_place
    ! The steps of executions, and the seconds that each has taken.
    procedure :: breakdown => applied_breakdown
  end type

  ! A distributed transform that all ranks make once and execute any number of times.
  type, extends(planned), public :: sixstep_plan
  contains
    ! Makes the plan. The communicator is one of mpi_f08 or an integer. Collective.
    procedure, private :: create_f08 => plan_create_f08
    procedure, private :: create_integer => plan_create
    generic :: create => create_f08, create_integer
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
    ! These calls work on a device, on arrays of allocate(). They return as soon as the work is
    ! in the device's queue and no other rank has to be waited for. Arrays must not be used before
    ! wait() has returned.
    procedure :: forward_async => plan_forward_async
    procedure :: backward_async => plan_backward_async
    procedure :: wait => plan_wait
    ! Makes a plan on a GPU work in this stream (a cudaStream_t) from now on.
    procedure :: set_stream => plan_set_stream
    ! The relative error that shortened messages have made in the last execution, at most.
    ! Collective.
    procedure :: wire_error => plan_wire_error
    ! The steps of executions in one direction, and the seconds that each has taken.
    procedure :: breakdown => plan_breakdown
    final :: free_plan
  end type

  ! The factor by which an operator multiplies each Fourier coefficient, a number or a matrix
  ! between fields, as a function of the wave vector k: see sixstep/symbols.hpp. `by` has finite
  ! differences; without it derivatives are exact. Component a of a vector, and of k, is that of
  ! axis a.
  type, public :: sixstep_symbol
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    ! Take a procedure that writes a number for each wave vector, by which each field is multiplied.
    procedure :: real_numbers => symbol_real_numbers
    procedure :: complex_numbers => symbol_complex_numbers
    ! Take a procedure that writes a matrix for each wave vector, with this many results and fields.
    procedure :: real_matrices => symbol_real_matrices
    procedure :: complex_matrices => symbol_complex_matrices
    ! Take a procedure that writes the numbers of one axis, whose product over the axes is the number.
    procedure :: real_factors => symbol_real_factors
    procedure :: complex_factors => symbol_complex_factors
    ! array(layout, numbers): this rank's array of numbers, one for each coefficient, in natural
    ! order and in the operator's precision. It must stay until the operator is made or renewed.
    procedure :: array => symbol_array
    procedure :: derivative => symbol_derivative
    procedure :: laplacian => symbol_laplacian
    procedure :: inverse_laplacian => symbol_inverse_laplacian
    ! The solution of (alpha - laplacian) u = f.
    procedure :: helmholtz => symbol_helmholtz
    ! A convolution with a Gaussian of standard deviation sigma.
    procedure :: gaussian => symbol_gaussian
    ! Keeps waves with |k| <= limit.
    procedure :: lowpass => symbol_lowpass
    ! u(x - distance)
    procedure :: shift => symbol_shift
    ! The part of a vector field without divergence.
    procedure :: project => symbol_project
    procedure :: gradient => symbol_gradient
    procedure :: divergence => symbol_divergence
    procedure :: curl => symbol_curl
    procedure, private :: copy_symbol
    generic :: assignment(=) => copy_symbol
    final :: free_symbol
  end type

  ! A transform, a product with a symbol and the transform back, in one call.
  type, extends(applied), public :: sixstep_operator
  contains
    ! create(layout, comm, symbol, options, precision, result, lengths, first) makes the operator.
    ! The communicator is one of mpi_f08 or an integer. The procedure of a symbol must stay valid as
    ! long as the operator may call it. Without the layout `result` the result lies as the input
    ! does. `lengths` are those of the transform back, and `first` is the first point of the result
    ! along each of `axes`: see OperatorResult in sixstep/operator.hpp. Collective.
    procedure, private :: create_f08 => operator_create_f08
    procedure, private :: create_integer => operator_create
    generic :: create => create_f08, create_integer
    ! Takes another symbol of the same size from now on. Collective.
    procedure :: renew => operator_renew
    final :: free_operator
  end type

  ! Points that follow each other along an axis: their indices are `step` apart.
  type, public :: sixstep_along
    integer :: axis = 1
    integer(int64) :: points = 1, step = 1
  end type

  ! Some points of an array, for a procedure of a map. The rows of a batch follow each other, and
  ! each has the points of `row`.
  type, public :: sixstep_batch
    integer(int64) :: points = 0
    integer :: axes = 0
    ! The index of point 1 along each axis.
    integer(int64) :: first(max_axes) = 1
    type(sixstep_along) :: row, rows
    ! k(i, a) is the component along axis a of the wave vector of point i. Null in space.
    real(c_double), pointer :: k(:, :) => null()
    ! A procedure that fails sets another number than 0, which makes apply() fail on its rank.
    integer :: stat = 0
  contains
    ! The index of point i along each axis.
    procedure :: index => batch_index
  end type

  ! A procedure of a map, and how many results it has at each point. sixstep_of_reals(procedure,
  ! results) makes one, as do the three functions for other types of values.
  type, bind(C), public :: sixstep_function
    private
    type(c_funptr) :: call = c_null_funptr, procedure = c_null_funptr
    integer(c_int) :: results = 0, element = 0
  end type
  public :: sixstep_of_reals, sixstep_of_complex
  public :: sixstep_of_single_reals, sixstep_of_single_complex

  ! Transforms of coefficients to points, a procedure of the values there and transforms of its
  ! results, in one call: see sixstep/map.hpp.
  type, extends(applied), public :: sixstep_map
  contains
    ! create(points, comm, at_points, coefficients, before, after, options, precision) makes the map
    ! of coefficients of fields in the layout `points`. All arguments behind at_points may be
    ! missing. Without the layout `coefficients` the map chooses one. `before` and `after` take
    ! coefficients, at_points takes values at points. Procedures must stay valid as long as the map;
    ! several threads call them at the same time. Collective.
    procedure, private :: create_f08 => map_create_f08
    procedure, private :: create_integer => map_create
    generic :: create => create_f08, create_integer
    final :: free_map
  end type

  ! A solver of laplacian u = f for reals, in a box that is periodic or between walls.
  type, extends(planned), public :: sixstep_poisson
    private
    type(c_ptr) :: solver = c_null_ptr
  contains
    ! Makes the solver for arrays of a layout. Collective.
    procedure, private :: create_f08 => poisson_create_f08
    procedure, private :: create_integer => poisson_create
    generic :: create => create_f08, create_integer
    ! solve(f, u, values, left_out) and solve_in_place(array, values, left_out) solve for the right
    ! side. `values` returns u or du/dx at walls, where it is 0 otherwise; it needs accuracy 2.
    ! `left_out` gets the mean of f that is left out because the equation has no solution with it,
    ! or 0. Collective.
    procedure :: solve => poisson_solve
    procedure :: solve_in_place => poisson_solve_in_place
    ! The place of a point, given by its index along each axis, and the distance between points.
    procedure :: x => poisson_x
    procedure :: spacing => poisson_spacing
    ! The steps of solutions, and the seconds that each has taken.
    procedure :: breakdown => poisson_breakdown
    final :: free_poisson
  end type

  ! A convolution or correlation of arrays with a kernel.
  type, extends(applied), public :: sixstep_convolution
    private
    integer(int64) :: kernel_size = 0
  contains
    ! create(signal, kernel, comm, result, options, precision) makes the convolution of arrays in
    ! the layout `signal` with a kernel in the layout `kernel`. Without the layout `result` the
    ! result lies as the signal does. Collective.
    procedure, private :: create_f08 => convolution_create_f08
    procedure, private :: create_integer => convolution_create
    generic :: create => create_f08, create_integer
    ! Takes a kernel, this rank's array in the kernel's layout. Collective.
    procedure :: set_kernel => convolution_set_kernel
    final :: free_convolution
  end type
  public :: sixstep_result_shape

  ! A solver of laplacian u = f for reals in free space: apply(f, u) and apply_in_place(array) solve
  ! for the right side.
  type, extends(applied), public :: sixstep_open_poisson
  contains
    ! create(layout, comm, options, greens, precision, numbers_layout, numbers) makes the solver for
    ! arrays of a layout. `greens` returns the values of another Green's function than the
    ! laplacian's; only create() and renew() call it, for different points on each rank. Or `numbers`
    ! are this rank's part of an array of its values, reals of kind c_double: GreensNumbers of
    ! sixstep/open_poisson.hpp says for which places. Collective.
    procedure, private :: create_f08 => open_poisson_create_f08
    procedure, private :: create_integer => open_poisson_create
    generic :: create => create_f08, create_integer
    ! renew(options, greens, numbers_layout, numbers) takes another Green's function from now on,
    ! without planning anew. It reads the options greens_function and space alone. Collective.
    procedure :: renew => open_poisson_renew
    final :: free_open_poisson
  end type

  ! Procedures of maps: they write out(i, result) from in(i, field) for all points i of a batch.
  ! They must call no MPI procedure.
  abstract interface
    subroutine sixstep_real_values(in, out, batch)
      import :: c_double, sixstep_batch
      real(c_double), intent(in) :: in(:, :)
      real(c_double), intent(out) :: out(:, :)
      type(sixstep_batch), intent(inout) :: batch
    end subroutine
    subroutine sixstep_complex_values(in, out, batch)
      import :: c_double_complex, sixstep_batch
      complex(c_double_complex), intent(in) :: in(:, :)
      complex(c_double_complex), intent(out) :: out(:, :)
      type(sixstep_batch), intent(inout) :: batch
    end subroutine
    subroutine sixstep_single_real_values(in, out, batch)
      import :: c_float, sixstep_batch
      real(c_float), intent(in) :: in(:, :)
      real(c_float), intent(out) :: out(:, :)
      type(sixstep_batch), intent(inout) :: batch
    end subroutine
    subroutine sixstep_single_complex_values(in, out, batch)
      import :: c_float_complex, sixstep_batch
      complex(c_float_complex), intent(in) :: in(:, :)
      complex(c_float_complex), intent(out) :: out(:, :)
      type(sixstep_batch), intent(inout) :: batch
    end subroutine
    ! Returns u, or du/dx along the axis, as its kind says, at the place x of a wall of this axis.
    real(c_double) function sixstep_wall_values(axis, is_last, x)
      import :: c_double
      integer, intent(in) :: axis
      logical, intent(in) :: is_last
      real(c_double), intent(in) :: x(:)
    end function
    ! Returns the value of a Green's function, times the volume of a cell, at the distance x between
    ! two points: a component of at least 0 for each of the axes that are transformed.
    real(c_double) function sixstep_greens_function(x)
      import :: c_double
      real(c_double), intent(in) :: x(:)
    end function
  end interface
  public :: sixstep_real_values, sixstep_complex_values
  public :: sixstep_single_real_values, sixstep_single_complex_values, sixstep_wall_values
  public :: sixstep_greens_function

  ! A procedure that is told of an execution that was wrong.
  abstract interface
    subroutine sixstep_told(found)
      import :: sixstep_detection
      type(sixstep_detection), intent(in) :: found
    end subroutine
  end interface
  public :: sixstep_told

  ! Procedures of symbols: they write the numbers, or the matrices (result, field, vector), of many
  ! wave vectors k(axis, vector).
  abstract interface
    subroutine sixstep_real_numbers(k, numbers)
      import :: c_double
      real(c_double), intent(in) :: k(:, :)
      real(c_double), intent(out) :: numbers(:)
    end subroutine
    subroutine sixstep_complex_numbers(k, numbers)
      import :: c_double, c_double_complex
      real(c_double), intent(in) :: k(:, :)
      complex(c_double_complex), intent(out) :: numbers(:)
    end subroutine
    ! The numbers of one axis for many components k along it.
    subroutine sixstep_real_factor(axis, k, numbers)
      import :: c_double
      integer, intent(in) :: axis
      real(c_double), intent(in) :: k(:)
      real(c_double), intent(out) :: numbers(:)
    end subroutine
    subroutine sixstep_complex_factor(axis, k, numbers)
      import :: c_double, c_double_complex
      integer, intent(in) :: axis
      real(c_double), intent(in) :: k(:)
      complex(c_double_complex), intent(out) :: numbers(:)
    end subroutine
    subroutine sixstep_real_matrices(k, matrices)
      import :: c_double
      real(c_double), intent(in) :: k(:, :)
      real(c_double), intent(out) :: matrices(:, :, :)
    end subroutine
    subroutine sixstep_complex_matrices(k, matrices)
      import :: c_double, c_double_complex
      real(c_double), intent(in) :: k(:, :)
      complex(c_double_complex), intent(out) :: matrices(:, :, :)
    end subroutine
  end interface
  public :: sixstep_real_numbers, sixstep_complex_numbers
  public :: sixstep_real_factor, sixstep_complex_factor
  public :: sixstep_real_matrices, sixstep_complex_matrices

  ! Moves elements of any type from layout to layout. Only the options fields, exchange, threads,
  ! preserve_input and verify count.
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
    ! Works like a plan's allocate(); `from` is the input.
    procedure, private :: move_allocate_r4, move_allocate_c4, move_allocate_r8, move_allocate_c8, &
      move_allocate_i4, move_allocate_i8
    generic :: allocate => move_allocate_r4, move_allocate_c4, move_allocate_r8, &
      move_allocate_c8, move_allocate_i4, move_allocate_i8
    procedure :: describe => redistribution_describe
    ! Work like those of a plan.
    procedure :: verified => redistribution_verified
    procedure :: on_detection => redistribution_on_detection
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

  ! A procedure of the user's for values at walls, and the number of axes.
  type, bind(C) :: wall_context
    type(c_funptr) :: procedure
    integer(c_int) :: axes
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

  ! `lists` keeps what C reads.
  function options_of(axes, given, lists) result(there)
    integer, intent(in) :: axes
    type(sixstep_options), intent(in), optional :: given
    type(c_lists), target, intent(out) :: lists
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
    if (allocated(used%lengths)) then
      there%lengths_count = size(used%lengths)
      i = min(size(used%lengths), max_axes)
      there%lengths(:i) = reversed_long(used%lengths(:i))
    end if
    if (allocated(used%modes)) then
      there%modes_count = size(used%modes)
      i = min(size(used%modes), max_axes)
      there%modes(:i) = reversed_long(used%modes(:i))
    end if
    if (allocated(used%sphere)) then
      there%sphere_count = size(used%sphere)
      i = min(size(used%sphere), max_axes)
      there%sphere(:i) = used%sphere(i:1:-1)
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
    there%reproducible = used%reproducible
    there%tuning = used%tuning
    there%tuning_seconds = used%tuning_seconds
    there%device = used%device
    there%gpu = used%gpu
    there%wire = used%wire
    there%verify = used%verify
    there%twiddle = merge(axes - used%twiddle, -1, used%twiddle /= 0)
    if (allocated(used%trace)) then
      lists%trace = [(used%trace(i:i), i=1, len(used%trace)), c_null_char]
      there%trace = c_loc(lists%trace)
    end if
    if (allocated(used%columns)) then
      i = size(used%columns, 1) - 2
      allocate (lists%columns(i + 2, size(used%columns, 2)))
      lists%columns = used%columns
      lists%columns(:i, :) = used%columns(i:1:-1, :)
      there%columns_count = size(lists%columns)
      there%columns = c_loc(lists%columns)
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
  include 'planned.inc'
  include 'plans.inc'
  include 'executions.inc'
  include 'symbols.inc'
  include 'operators.inc'
  include 'maps.inc'
  include 'poisson.inc'
  include 'convolutions.inc'
  include 'redistributions.inc'
  include 'arrays.inc'
end module
