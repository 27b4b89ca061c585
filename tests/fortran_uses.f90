! SPDX-License-Identifier: BSD-3-Clause
! Plans of the Fortran interface at work: in lent memory, on a device, in a solver of the heat equation.
module fortran_uses
  use, intrinsic :: iso_c_binding, only: c_null_ptr
  use, intrinsic :: iso_fortran_env, only: int64, sp => real32, dp => real64
  use mpi_f08
  use sixstep
  use harness
  use fortran_points
  implicit none
  private
  public :: test_uses
  integer :: detections
  type(sixstep_detection) :: last
contains

  subroutine test_uses()
    call workspace_is_lent()
    call plans_work_on_a_device()
    call procedures_are_told_of_wrong_executions()
    call plans_tell_what_they_take()
    call heat_spreads_alike_on_any_number_of_ranks()
  end subroutine

  subroutine workspace_is_lent()
    type(sixstep_layout) :: slab
    type(sixstep_plan) :: plan
    type(sixstep_options) :: options
    complex(dp), allocatable :: u(:)
    real(sp), allocatable :: memory(:)
    character(200) :: errmsg
    integer :: stat
    options%own_workspace = .false.
    call slab%slab(n, ranks)
    call plan%create(slab, MPI_COMM_WORLD, slab, options)
    allocate (u(plan%input_size()), source=(1.0_dp, 0.0_dp))
    allocate (memory(plan%workspace_bytes()/4 + 1))
    if (plan%workspace_bytes() > 63) then
      call plan%set_workspace(memory(:1), stat, errmsg)
      call expect(stat /= 0, 'too little memory')
    end if
    call plan%set_workspace(memory(2::2), stat, errmsg)
    call expect(stat /= 0 .and. index(errmsg, 'memory: a contiguous') == 1, 'memory with gaps')
    call plan%set_workspace(memory)
    call plan%forward_in_place(u, sixstep_by_n)
    if (rank == 0) call expect(abs(u(1) - 1) < 1e-14_dp, 'in lent memory')
  end subroutine

  ! On the emulated device, whose memory nobody but the device may touch.
  subroutine plans_work_on_a_device()
    type(sixstep_layout) :: input
    type(sixstep_plan) :: plan
    type(sixstep_options) :: options
    complex(dp), pointer :: u(:, :, :), u_hat(:, :, :)
    complex(dp), allocatable :: given(:, :, :), got(:, :, :)
    type(sixstep_part) :: mine, theirs
    character(200) :: message
    integer :: stat
    call input%slab(n, ranks)
    options%device = sixstep_emulated
    options%output = sixstep_as_input
    call plan%create(input, MPI_COMM_WORLD, options=options)
    mine = plan%input_part()
    theirs = plan%output_part()
    call plan%allocate(u, sixstep_input)
    call plan%allocate(u_hat, sixstep_output)
    given = values_of(mine)
    allocate (got(theirs%extent(1), theirs%extent(2), theirs%extent(3)))
    call sixstep_device_copy(sixstep_emulated, u, given)
    call plan%forward_async(u, u_hat)
    call plan%wait()
    call sixstep_device_copy(sixstep_emulated, got, u_hat)
    call expect(all(abs(got - coefficients_of(theirs)) < 1e-10_dp), &
                'a plan on a device transforms as the definition')
    call plan%backward_async(u_hat, u, sixstep_by_n)
    call plan%wait()
    got = 0
    call sixstep_device_copy(sixstep_emulated, got, u)
    call expect(all(abs(got - given) < 1e-12_dp), 'and back')
    call plan%set_stream(c_null_ptr, stat, message)
    call expect(stat /= 0 .and. index(message, 'stream: a plan on a GPU is needed') == 1, &
                'streams are of GPUs: '//trim(message))
    if (size(given) > 0) then
      call sixstep_device_copy(sixstep_emulated, given(:, :, 1), given, stat, message)
      if (size(given, 3) > 1) &
        call expect(stat /= 0 .and. index(message, 'to: ') == 1, 'no room: '//trim(message))
    end if
    call sixstep_free(u)
    call sixstep_free(u_hat)
  end subroutine

  ! Arrays that overlap give a wrong result, where no messages keep them apart.
  subroutine procedures_are_told_of_wrong_executions()
    integer, parameter :: shape(2) = [128, 300]
    type(sixstep_layout) :: slab
    type(sixstep_plan) :: plan
    type(sixstep_options) :: options
    complex(dp), allocatable, target :: memory(:)
    integer :: i, stat
    options%verify = sixstep_verify_all
    call slab%slab(shape, ranks)
    call plan%create(slab, MPI_COMM_WORLD, options=options)
    call plan%on_detection(count_detection)
    detections = 0
    allocate (memory(product(shape) + 1))
    do i = 1, size(memory)
      memory(i) = cmplx(sin(real(i, dp)), cos(real(mod(7 * i, 1001), dp)), dp)
    end do
    if (ranks > 1) return
    call plan%forward(memory(1:product(shape)), memory(2:), stat=stat)
    call expect(stat /= 0 .and. detections == 1, 'a wrong result is told')
    call expect(last%bound > 0 .and. last%difference > last%bound, 'with its difference')
    call expect(.not. last%repaired .and. last%direction == sixstep_forward, 'forward')
    call expect((last%rank < 0) .eqv. (len(last%where) == 0), 'and perhaps a rank: '//last%where)
    call plan%on_detection()
    call plan%forward(memory(1:product(shape)), memory(2:), stat=stat)
    call expect(detections == 1, 'nobody is told')
  end subroutine

  subroutine count_detection(found)
    type(sixstep_detection), intent(in) :: found
    detections = detections + 1
    last = found
  end subroutine

  subroutine plans_tell_what_they_take()
    type(sixstep_layout) :: slab
    type(sixstep_plan) :: plan
    type(sixstep_options) :: options
    type(sixstep_step), allocatable :: steps(:)
    type(sixstep_prediction) :: prediction
    type(sixstep_verified) :: verified
    complex(dp), allocatable :: u(:), v(:)
    character(*), parameter :: trace = 'fortran_program.trace.json'
    character(200) :: errmsg
    integer :: stat
    logical :: there
    options%trace = trace
    call slab%slab(n, ranks)
    call plan%create(slab, MPI_COMM_WORLD, options=options)
    allocate (u(plan%input_size()), v(plan%output_size()))
    u = 1
    call plan%forward(u, v)
    steps = plan%breakdown(sixstep_forward)
    call expect(size(steps) >= merge(1, 2, ranks == 1), 'steps')
    call expect(sum(steps%seconds) > 0 .and. all(steps%bytes >= 0), 'which took their time')
    call expect(index(steps(1)%what, 'fft') > 0, 'and have words: '//steps(1)%what)
    steps = plan%breakdown(sixstep_backward)
    call expect(all(abs(steps%seconds) <= 0), 'nothing went backward')
    steps = plan%breakdown(7, stat)
    call expect(stat /= 0 .and. size(steps) == 0, 'no direction')
    call expect(plan%communication_seconds() >= 0, 'communication')
    call expect(abs(plan%wire_error()) <= 0, 'messages with all bits')
    verified = plan%verified()
    call expect(verified%checked + verified%unchecked == 0, 'nothing is checked')
    prediction = plan%predict('/no/such/machine.json', stat, errmsg)
    call expect(stat /= 0 .and. index(errmsg, '/no/such/machine.json') > 0, 'no machine')
    call plan%write_trace()
    if (rank == 0) then
      inquire (file=trace, exist=there)
      call expect(there, 'a trace')
    end if
  end subroutine

  ! du/dt = laplace u, whose waves decay each by exp(-k^2 t): in an output of the plan's choice,
  ! whose array has the axes in Fortran's order.
  subroutine heat_spreads_alike_on_any_number_of_ranks()
    integer, parameter :: points(3) = [8, 6, 10]
    real(dp), parameter :: t = 0.3_dp
    type(sixstep_layout) :: layouts(3)
    type(sixstep_plan), allocatable :: plan
    type(sixstep_part) :: mine, theirs
    real(dp), allocatable :: u(:, :, :), expected(:, :, :), k_1(:), k_2(:), k_3(:)
    complex(dp), allocatable :: u_hat(:, :, :)
    integer :: of, i, j, k
    real(dp) :: x(3)
    call layouts(1)%slab(points, ranks)
    call layouts(2)%pencil(points, ranks)
    call layouts(3)%brick(points, ranks)
    do of = 1, size(layouts)
      allocate (plan)
      call plan%create(layouts(of), MPI_COMM_WORLD, options=sixstep_options(kinds=[sixstep_r2c]))
      mine = plan%input_part()
      theirs = plan%output_part()
      allocate (u(mine%extent(1), mine%extent(2), mine%extent(3)), &
                u_hat(theirs%extent(1), theirs%extent(2), theirs%extent(3)))
      allocate (expected, mold=u)
      do k = 1, size(u, 3)
        do j = 1, size(u, 2)
          do i = 1, size(u, 1)
            x = two_pi*(mine%lower + [i, j, k] - 2)/points
            u(i, j, k) = sin(x(1)) + cos(2*x(2)) + sin(x(1) + x(2) + 3*x(3))
            expected(i, j, k) = exp(-t)*sin(x(1)) + exp(-4*t)*cos(2*x(2)) + &
                                exp(-11*t)*sin(x(1) + x(2) + 3*x(3))
          end do
        end do
      end do
      k_1 = plan%wavenumbers(1)
      k_2 = plan%wavenumbers(2)
      k_3 = plan%wavenumbers(3)
      call plan%forward(u, u_hat)
      do k = 1, size(u_hat, 3)
        do j = 1, size(u_hat, 2)
          do i = 1, size(u_hat, 1)
            u_hat(i, j, k) = u_hat(i, j, k)*exp(-t*(k_1(i)**2 + k_2(j)**2 + k_3(k)**2))
          end do
        end do
      end do
      call plan%backward(u_hat, u, sixstep_by_n)
      call expect(all(abs(u - expected) < 1e-13_dp), 'heat spreads: '//plan%describe())
      deallocate (plan, u, u_hat, expected)
    end do
  end subroutine
end module
