! SPDX-License-Identifier: BSD-3-Clause
! What programs of 2DECOMP&FFT and P3DFFT call, with sixstep's calls in their place: parts as these
! libraries deal them out, transforms by their definition.
program pencils
  use, intrinsic :: iso_fortran_env, only: int64, error_unit, dp => real64
  use mpi_f08
  use sixstep
  implicit none
  integer, parameter :: nx = 7, ny = 6, nz = 5, n(3) = [nx, ny, nz]
  real(dp), parameter :: pi = acos(-1.0_dp)
  integer :: ranks, rank, p_row, p_col, failures, all_failures

  failures = 0
  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  p_col = merge(2, 1, mod(ranks, 2) == 0)
  p_row = ranks/p_col
  call pencils_of_2decomp()
  call transforms_of_2decomp()
  call transpositions_of_2decomp()
  call boxes_of_2decomp()
  call transforms_of_p3dfft()
  call pruned_transforms_of_p3dfft()
  call MPI_Allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Finalize()
  if (all_failures > 0) error stop

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    failures = failures + 1
    write (error_unit, '(a, i0, 2a)') 'rank ', rank, ': ', what
  end subroutine

  ! A number for each point: no two alike.
  elemental real(dp) function value(i, j, k)
    integer(int64), intent(in) :: i, j, k
    value = mod(7*i + 3*j*j + k, 11_int64) + 0.1_dp*mod(i*j + 5*k, 7_int64)
  end function

  ! The part of the field of all values.
  function field(part) result(u)
    type(sixstep_part), intent(in) :: part
    real(dp), allocatable :: u(:, :, :)
    integer(int64) :: i, j, k
    allocate (u(part%extent(1), part%extent(2), part%extent(3)))
    do concurrent(i=1:part%extent(1), j=1:part%extent(2), k=1:part%extent(3))
      u(i, j, k) = value(part%lower(1) + i - 1, part%lower(2) + j - 1, part%lower(3) + k - 1)
    end do
  end function

  ! What the point at index j, from 0, of m points contributes to coefficient k, from 0.
  elemental complex(dp) function factor(j, k, m, is_cosine)
    integer(int64), intent(in) :: j, k
    integer, intent(in) :: m
    logical, intent(in) :: is_cosine
    if (is_cosine) then  ! dct1
      factor = merge(1, 2, j == 0 .or. j == m - 1)*cos(pi*real(j*k, dp)/(m - 1))
    else
      factor = exp(cmplx(0, -2*pi*real(mod(j*k, int(m, int64)), dp)/m, dp))
    end if
  end function

  ! Coefficient k, from 1, of the field of all values, by the definition.
  complex(dp) function coefficient(k, cosines)
    integer(int64), intent(in) :: k(3)
    logical, intent(in) :: cosines  ! along the third axis
    integer(int64) :: i, j, l
    coefficient = 0
    do l = 1, nz
      do j = 1, ny
        do i = 1, nx
          coefficient = coefficient + value(i, j, l)*factor(i - 1, k(1) - 1, nx, .false.) &
                        *factor(j - 1, k(2) - 1, ny, .false.)*factor(l - 1, k(3) - 1, nz, cosines)
        end do
      end do
    end do
  end function

  ! Whether an array whose first axis is the fastest holds the coefficients of a part, those of
  ! waves(:) alone.
  subroutine expect_coefficients(u_hat, part, cosines, what)
    complex(dp), intent(in) :: u_hat(:, :, :)
    type(sixstep_part), intent(in) :: part
    logical, intent(in) :: cosines
    character(*), intent(in) :: what
    integer(int64) :: i, j, k
    real(dp) :: worst
    call expect(all(shape(u_hat, int64) == part%extent), what//': a shape')
    worst = 0
    do k = 1, part%extent(3)
      do j = 1, part%extent(2)
        do i = 1, part%extent(1)
          worst = max(worst, abs(u_hat(i, j, k) - coefficient(part%lower + [i, j, k] - 1, cosines)))
        end do
      end do
    end do
    call expect(worst < 1e-10_dp, what//': coefficients')
  end subroutine

  ! [pencils]
  ! 2DECOMP&FFT: call decomp_2d_init(nx, ny, nz, p_row, p_col)
  subroutine make_pencils(x_pencil, y_pencil, z_pencil)
    type(sixstep_layout), intent(inout) :: x_pencil, y_pencil, z_pencil
    call x_pencil%grid([nx, ny, nz], [1, p_row, p_col])
    call y_pencil%grid([nx, ny, nz], [p_row, 1, p_col])
    call z_pencil%grid([nx, ny, nz], [p_row, p_col, 1])
  end subroutine
  ! [pencils]

  subroutine pencils_of_2decomp()
    type(sixstep_layout) :: pencil(3)
    type(sixstep_part) :: part
    integer :: axis, place
    call make_pencils(pencil(1), pencil(2), pencil(3))
    do axis = 1, 3
      part = pencil(axis)%part(rank)
      call expect(all(part%extent == part%upper - part%lower + 1), 'xsize is xend - xstart + 1')
      if (part%points > 0) call expect(part%extent(axis) == n(axis), 'a pencil has its axis whole')
    end do
    part = pencil(1)%part(rank)
    place = mod(rank, p_row)
    if (part%points > 0) call expect(part%lower(2) == 1 + place*(ny/p_row) + min(place, mod(ny, p_row)), &
                                     'the longer blocks first, ranks along p_row first')
  end subroutine

  subroutine transforms_of_2decomp()
    type(sixstep_layout) :: x_pencil, y_pencil, z_pencil, z_waves
    type(sixstep_plan) :: plan, real_plan
    complex(dp), pointer :: u(:, :, :), u_hat(:, :, :)
    real(dp), pointer :: v(:, :, :)
    complex(dp), allocatable :: v_hat(:, :, :)
    type(sixstep_part) :: mine, theirs
    call make_pencils(x_pencil, y_pencil, z_pencil)
    call plan%create(x_pencil, MPI_COMM_WORLD, z_pencil)
    call plan%allocate(u, sixstep_input)
    call plan%allocate(u_hat, sixstep_output)
    mine = plan%input_part()
    theirs = plan%output_part()
    call expect(all(shape(u, int64) == mine%extent), 'alloc_x gives an x pencil')
    u = field(mine)
    call plan%forward(u, u_hat)
    call expect_coefficients(u_hat, theirs, .false., 'DECOMP_2D_FFT_FORWARD')
    u = 0
    call plan%backward(u_hat, u)
    call expect(all(abs(u - product(n)*field(mine)) < 1e-9_dp), 'DECOMP_2D_FFT_BACKWARD')
    call sixstep_free(u)
    call sixstep_free(u_hat)

    call z_waves%grid([nx/2 + 1, ny, nz], [p_row, p_col, 1])
    call real_plan%create(x_pencil, MPI_COMM_WORLD, z_waves, sixstep_options(kinds=[sixstep_r2c]))
    call real_plan%allocate(v, sixstep_input)
    theirs = real_plan%output_part()
    allocate (v_hat(theirs%extent(1), theirs%extent(2), theirs%extent(3)))
    v = field(real_plan%input_part())
    call real_plan%forward(v, v_hat)
    call expect_coefficients(v_hat, theirs, .false., 'r2c to z pencils')
    call sixstep_free(v)
  end subroutine

  subroutine transpositions_of_2decomp()
    type(sixstep_layout) :: x_pencil, y_pencil, z_pencil
    type(sixstep_redistribution) :: x_to_y, y_to_z
    real(dp), allocatable :: a(:, :, :), b(:, :, :), c(:, :, :)
    call make_pencils(x_pencil, y_pencil, z_pencil)
    call x_to_y%create(8, x_pencil, y_pencil, MPI_COMM_WORLD)
    call y_to_z%create(8, y_pencil, z_pencil, MPI_COMM_WORLD)
    a = field(x_pencil%part(rank))
    allocate (b, mold=field(y_pencil%part(rank)))
    allocate (c, mold=field(z_pencil%part(rank)))
    call x_to_y%execute(a, b)
    call expect(all(b == field(y_pencil%part(rank))), 'transpose_x_to_y')
    call y_to_z%execute(b, c)
    call expect(all(c == field(z_pencil%part(rank))), 'transpose_y_to_z')
    call y_to_z%execute(c, b, sixstep_backward)
    a = 0
    call x_to_y%execute(b, a, sixstep_backward)
    call expect(all(a == field(x_pencil%part(rank))), 'transpose_z_to_y, transpose_y_to_x')
  end subroutine

  ! As 2DECOMP&FFT deals out m points: the longer blocks last.
  subroutine dealt(m, parts, place, lower, upper)
    integer, intent(in) :: m, parts, place
    integer, intent(out) :: lower, upper
    integer :: short
    short = parts - mod(m, parts)
    lower = 1 + place*(m/parts) + max(0, place - short)
    upper = lower + m/parts - 1 + merge(1, 0, place >= short)
  end subroutine

  ! The boxes of the other library, with its numbering of ranks, that of MPI_Cart_create.
  subroutine boxes_of_2decomp()
    type(sixstep_layout) :: x_pencil
    type(sixstep_plan) :: plan
    type(sixstep_part) :: part
    integer :: xstart(3), xend(3)
    complex(dp), allocatable :: u(:, :, :), u_hat(:, :, :)
    xstart(1) = 1
    xend(1) = nx
    call dealt(ny, p_row, rank/p_col, xstart(2), xend(2))
    call dealt(nz, p_col, mod(rank, p_col), xstart(3), xend(3))
    call x_pencil%gather([nx, ny, nz], xstart, xend, MPI_COMM_WORLD)
    part = x_pencil%part(rank)
    if (part%points > 0) call expect(all(part%lower == xstart .and. part%upper == xend), 'xstart')
    call plan%create(x_pencil, MPI_COMM_WORLD)
    u = field(part)
    part = plan%output_part()
    allocate (u_hat(part%extent(1), part%extent(2), part%extent(3)))
    call plan%forward(u, u_hat)
    call expect_coefficients(u_hat, part, .false., 'boxes of 2DECOMP&FFT')
  end subroutine

  ! Without an output layout: the axes in the input's order, split wherever is cheapest.
  subroutine transforms_of_p3dfft()
    type(sixstep_layout) :: x_pencil, y_pencil, z_pencil
    type(sixstep_plan) :: fourier, cosines
    call make_pencils(x_pencil, y_pencil, z_pencil)
    call fourier%create(x_pencil, MPI_COMM_WORLD, options=sixstep_options(kinds=[sixstep_r2c]))
    call transform(fourier, .false., 'p3dfft_ftran_r2c')
    call cosines%create(x_pencil, MPI_COMM_WORLD, &
                        options=sixstep_options(kinds=[sixstep_r2c, sixstep_c2c, sixstep_dct1]))
    call transform(cosines, .true., "'ffc'")
  end subroutine

  subroutine transform(plan, is_cosine, what)
    type(sixstep_plan), intent(inout) :: plan
    logical, intent(in) :: is_cosine
    character(*), intent(in) :: what
    type(sixstep_part) :: part
    real(dp), allocatable :: u(:, :, :)
    complex(dp), allocatable :: u_hat(:, :, :)
    real(dp) :: there_and_back
    part = plan%output_part()
    allocate (u_hat(part%extent(1), part%extent(2), part%extent(3)))
    u = field(plan%input_part())
    call plan%forward(u, u_hat)
    call expect_coefficients(u_hat, part, is_cosine, what)
    u = 0
    call plan%backward(u_hat, u)
    there_and_back = real(nx*ny, dp)*merge(2*(nz - 1), nz, is_cosine)
    call expect(all(abs(u - there_and_back*field(plan%input_part())) < 1e-9_dp), what//', back')
  end subroutine

  ! Of nx, ny, nz points, nxc, nyc, nzc modes: the low waves, those of index 1 to m/2 + 1 and the
  ! negative ones behind them.
  subroutine pruned_transforms_of_p3dfft()
    integer, parameter :: nxc = 4, nyc = 4, nzc = 3
    type(sixstep_layout) :: x_pencil, y_pencil, z_pencil
    type(sixstep_plan) :: plan
    type(sixstep_part) :: part
    real(dp), allocatable :: u(:, :, :), w(:)
    complex(dp), allocatable :: u_hat(:, :, :)
    integer(int64) :: i, j, k, wave(3)
    real(dp) :: worst
    call make_pencils(x_pencil, y_pencil, z_pencil)
    call plan%create(x_pencil, MPI_COMM_WORLD, &
                     options=sixstep_options(kinds=[sixstep_r2c], modes=[nxc, nyc, nzc]))
    part = plan%output_part()
    allocate (u_hat(part%extent(1), part%extent(2), part%extent(3)))
    u = field(plan%input_part())
    call plan%forward(u, u_hat)
    worst = 0
    do k = 1, part%extent(3)
      do j = 1, part%extent(2)
        do i = 1, part%extent(1)
          w = plan%wavenumber(part%lower + [i, j, k] - 1)
          wave = modulo(nint(w, int64), int(n, int64)) + 1
          worst = max(worst, abs(u_hat(i, j, k) - coefficient(wave, .false.)))
        end do
      end do
    end do
    call expect(worst < 1e-10_dp, 'nxc, nyc, nzc')
  end subroutine

end program
