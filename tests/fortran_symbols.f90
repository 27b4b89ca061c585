! SPDX-License-Identifier: BSD-3-Clause
! Symbols of the Fortran interface: waves whose results are known.
module numbers_of_waves
  use, intrinsic :: iso_fortran_env, only: dp => real64
  implicit none
  real(dp) :: alpha = 0.5_dp
contains

  ! 1/(alpha + |k|^2)
  subroutine solve(k, numbers)
    real(dp), intent(in) :: k(:, :)
    real(dp), intent(out) :: numbers(:)
    numbers = 1/(alpha + sum(k**2, 1))
  end subroutine

  ! 2 k3^2 + i k1
  subroutine mixture(k, numbers)
    real(dp), intent(in) :: k(:, :)
    complex(dp), intent(out) :: numbers(:)
    numbers = cmplx(2*k(3, :)**2, k(1, :), dp)
  end subroutine

  ! The product over the axes is exp(i (k1 + 2 k2 + 3 k3)/4).
  subroutine turn(axis, k, numbers)
    integer, intent(in) :: axis
    real(dp), intent(in) :: k(:)
    complex(dp), intent(out) :: numbers(:)
    numbers = exp((0, 1)*axis*k/4)
  end subroutine

  ! The product over the axes is 1/((1 + k1^2)(2 + k2^2)(3 + k3^2)).
  subroutine fall(axis, k, numbers)
    integer, intent(in) :: axis
    real(dp), intent(in) :: k(:)
    real(dp), intent(out) :: numbers(:)
    numbers = 1/(axis + k**2)
  end subroutine

  ! From two fields to three.
  subroutine rows(k, matrices)
    real(dp), intent(in) :: k(:, :)
    complex(dp), intent(out) :: matrices(:, :, :)
    matrices = 0
    matrices(1, 1, :) = 1
    matrices(2, 1, :) = cmplx(0, k(1, :), dp)
    matrices(2, 2, :) = 2
    matrices(3, 2, :) = cmplx(0, k(2, :), dp)
  end subroutine

  ! A rotation by |k|^2.
  subroutine rotations(k, matrices)
    real(dp), intent(in) :: k(:, :)
    real(dp), intent(out) :: matrices(:, :, :)
    real(dp) :: angle(size(k, 2))
    angle = sum(k**2, 1)
    matrices(1, 1, :) = cos(angle)
    matrices(1, 2, :) = -sin(angle)
    matrices(2, 1, :) = sin(angle)
    matrices(2, 2, :) = cos(angle)
  end subroutine
end module

module fortran_symbols
  use, intrinsic :: iso_fortran_env, only: int64, sp => real32, dp => real64
  use mpi_f08
  use sixstep
  use harness
  use numbers_of_waves
  implicit none
  integer, parameter :: n(3) = [7, 9, 12]
  real(dp), parameter :: pi = acos(-1.0_dp), sides(3) = [4, 3, 2]
  real(dp), parameter :: k(3) = 2*pi*[-1, 2, 1]/sides  ! of the wave
  real(dp), parameter :: square = k(1)**2 + k(2)**2 + k(3)**2
contains

  subroutine test_symbols()
    call named_symbols_do_what_their_names_say()
    call named_symbols_act_on_vectors()
    call symbols_take_finite_differences()
    call procedures_are_symbols()
    call factors_and_arrays_are_symbols()
  end subroutine

  ! The phases of the wave at the points of a box, moved by `steps` points along an axis.
  function phases(box, axis, steps) result(angles)
    type(sixstep_part), intent(in) :: box
    integer, intent(in), optional :: axis
    real(dp), intent(in), optional :: steps
    real(dp) :: angles(box%extent(1), box%extent(2), box%extent(3))
    integer(int64) :: i, j, l
    real(dp) :: moved(3)
    moved = 0
    if (present(axis)) moved(axis) = steps
    do l = 1, box%extent(3)
      do j = 1, box%extent(2)
        do i = 1, box%extent(1)
          angles(i, j, l) = sum(k*sides*(box%lower + [i, j, l] - 2 + moved)/n)
        end do
      end do
    end do
  end function

  function options_of(fields, kept) result(options)
    integer, intent(in) :: fields
    logical, intent(in), optional :: kept
    type(sixstep_operator_options) :: options
    options = sixstep_operator_options(kinds=[sixstep_r2c], fields=fields, sides=sides)
    if (present(kept)) options%kept = kept
  end function

  ! A symbol makes sines of amplitudes u(:, 1) and cosines of amplitudes u(:, 2), one row a field,
  ! from those of `in`: with a table and without.
  subroutine expect_results(symbol, in, out, what)
    type(sixstep_symbol), intent(in) :: symbol
    real(dp), intent(in) :: in(:, :), out(:, :)
    character(*), intent(in) :: what
    type(sixstep_layout) :: grid
    type(sixstep_operator) :: op
    type(sixstep_part) :: box
    real(dp), allocatable :: u(:, :, :, :), found(:, :, :, :), angles(:, :, :)
    integer :: field, pass
    call grid%slab(n, ranks)
    do pass = 1, 2
      call op%create(grid, MPI_COMM_WORLD, symbol, options_of(size(in, 1), pass == 1))
      box = op%input_part()
      angles = phases(box)
      if (allocated(u)) deallocate (u, found)
      allocate (u(box%extent(1), box%extent(2), box%extent(3), size(in, 1)), &
                found(box%extent(1), box%extent(2), box%extent(3), size(out, 1)))
      do field = 1, size(in, 1)
        u(:, :, :, field) = in(field, 1)*sin(angles) + in(field, 2)*cos(angles)
      end do
      call expect(op%output_size() == size(found), what//' has results')
      call op%apply(u, found)
      do field = 1, size(out, 1)
        call expect(all(abs(found(:, :, :, field) - out(field, 1)*sin(angles) - &
                            out(field, 2)*cos(angles)) < 1e-12_dp), what)
      end do
    end do
  end subroutine

  ! The same for one field, a sine.
  subroutine expect_wave(symbol, sine, cosine, what)
    type(sixstep_symbol), intent(in) :: symbol
    real(dp), intent(in) :: sine, cosine
    character(*), intent(in) :: what
    call expect_results(symbol, reshape([1.0_dp, 0.0_dp], [1, 2]), &
                        reshape([sine, cosine], [1, 2]), what)
  end subroutine

  subroutine named_symbols_do_what_their_names_say()
    type(sixstep_symbol) :: symbol
    real(dp), parameter :: distance(3) = [0.3_dp, -0.2_dp, 0.1_dp]
    real(dp) :: angle
    call symbol%derivative(2)
    call expect_wave(symbol, 0.0_dp, k(2), 'a derivative')
    call symbol%derivative(1, order=2)
    call expect_wave(symbol, -k(1)**2, 0.0_dp, 'a second derivative')
    call symbol%laplacian()
    call expect_wave(symbol, -square, 0.0_dp, 'laplacian')
    call symbol%inverse_laplacian()
    call expect_wave(symbol, -1/square, 0.0_dp, 'inverse_laplacian')
    call symbol%helmholtz(2.5_dp)
    call expect_wave(symbol, 1/(2.5_dp + square), 0.0_dp, 'helmholtz')
    call symbol%gaussian(0.2_dp)
    call expect_wave(symbol, exp(-square*0.02_dp), 0.0_dp, 'gaussian')
    call symbol%lowpass(sqrt(square) - 0.1_dp)
    call expect_wave(symbol, 0.0_dp, 0.0_dp, 'lowpass')
    call symbol%shift(distance)
    angle = sum(k*distance)
    call expect_wave(symbol, cos(angle), -sin(angle), 'shift')
  end subroutine

  ! The amplitudes of sines; or of cosines.
  function sines(amplitudes) result(both)
    real(dp), intent(in) :: amplitudes(:)
    real(dp) :: both(size(amplitudes), 2)
    both(:, 1) = amplitudes
    both(:, 2) = 0
  end function

  function cosines(amplitudes) result(both)
    real(dp), intent(in) :: amplitudes(:)
    real(dp) :: both(size(amplitudes), 2)
    both(:, 1) = 0
    both(:, 2) = amplitudes
  end function

  subroutine named_symbols_act_on_vectors()
    type(sixstep_symbol) :: symbol
    real(dp), parameter :: u(3) = [1.0_dp, -2.0_dp, 0.5_dp]
    real(dp), parameter :: ku = k(1)*u(1) + k(2)*u(2) + k(3)*u(3)
    call symbol%gradient(3)
    call expect_results(symbol, sines([1.0_dp]), cosines(k), 'gradient')
    call symbol%divergence(3)
    call expect_results(symbol, sines(u), cosines([ku]), 'divergence')
    call symbol%curl()
    call expect_results(symbol, sines(u), cosines([k(2)*u(3) - k(3)*u(2), k(3)*u(1) - k(1)*u(3), &
                                                   k(1)*u(2) - k(2)*u(1)]), 'curl')
    call symbol%project(3)
    call expect_results(symbol, sines(u), sines(u - k*ku/square), 'project')
  end subroutine

  subroutine symbols_take_finite_differences()
    type(sixstep_symbol) :: symbol
    type(sixstep_differences) :: by
    real(dp) :: h(3), half(3), second
    h = sides/n
    half = k*h/2
    second = -sum((2*sin(half)/h)**2)
    by = sixstep_differences(accuracy=2, spacing=h)
    call symbol%laplacian(by)
    call expect_wave(symbol, second, 0.0_dp, 'laplacian by differences')
    call symbol%inverse_laplacian(by)
    call expect_wave(symbol, 1/second, 0.0_dp, 'inverse_laplacian by differences')
    call symbol%helmholtz(2.0_dp, by)
    call expect_wave(symbol, 1/(2 - second), 0.0_dp, 'helmholtz by differences')
    call symbol%derivative(1, by=by)
    call expect_wave(symbol, 0.0_dp, sin(2*half(1))/h(1), 'a difference')
    by%faces = sixstep_below  ! u(i) - u(i - 1)
    call symbol%gradient(3, by)
    call expect_results(symbol, sines([1.0_dp]), &
                        reshape([(1 - cos(2*half))/h, sin(2*half)/h], [3, 2]), 'gradient on faces')
    call symbol%divergence(3, by)
    call expect_results(symbol, sines([0.0_dp, 1.0_dp, 0.0_dp]), &
                        reshape([(cos(2*half(2)) - 1)/h(2), sin(2*half(2))/h(2)], [1, 2]), &
                        'divergence from faces')
  end subroutine

  subroutine procedures_are_symbols()
    type(sixstep_symbol) :: symbol
    real(dp) :: two(2, 2)
    call symbol%real_numbers(solve)
    call expect_wave(symbol, 1/(alpha + square), 0.0_dp, 'real numbers')
    call symbol%complex_numbers(mixture)
    call expect_wave(symbol, 2*k(3)**2, k(1), 'complex numbers')
    two = reshape([1, 0, 0, 1], [2, 2])  ! a sine and a cosine
    call symbol%complex_matrices(3, 2, rows)
    call expect_results(symbol, two, reshape([1.0_dp, 0.0_dp, -k(2), 0.0_dp, k(1) + 2, 0.0_dp], &
                                             [3, 2]), 'complex matrices')
    call symbol%real_matrices(2, 2, rotations)
    call expect_results(symbol, two, reshape([cos(square), sin(square), -sin(square), &
                                              cos(square)], [2, 2]), 'real matrices')
  end subroutine

  subroutine factors_and_arrays_are_symbols()
    type(sixstep_layout) :: grid, coefficients
    type(sixstep_symbol) :: symbol
    type(sixstep_operator) :: op
    real(dp) :: angle
    real(dp), allocatable :: u(:, :, :), found(:, :, :)
    real(dp) :: three(1000)
    complex(sp) :: few(1)
    character(200) :: errmsg
    integer :: stat
    call symbol%complex_factors(3, turn)
    angle = sum(k*[1, 2, 3])/4
    call expect_wave(symbol, cos(angle), sin(angle), 'complex factors')
    call symbol%real_factors(3, fall)
    call expect_wave(symbol, 1/product([1, 2, 3] + k**2), 0.0_dp, 'real factors')
    call grid%slab(n, ranks)
    call coefficients%slab([(n(1) + 1)/2, n(2), n(3)], ranks)
    three = 3
    call symbol%array(coefficients, three)
    call op%create(grid, MPI_COMM_WORLD, symbol, options_of(1))
    u = sin(phases(op%input_part()))
    allocate (found, mold=u)
    call op%apply(u, found)
    call expect(all(abs(found - 3*u) < 1e-12_dp), 'an array of numbers')
    call symbol%array(coefficients, few)
    call op%renew(symbol, stat, errmsg)
    call expect_words(errmsg, 'symbol: numbers with 8 bytes a real are needed, as the operator has; '// &
                      'these have 4')
    call symbol%gaussian(0.0_dp)
    call op%renew(symbol)
    call op%apply(u, found)
    call expect(all(abs(found - u) < 1e-12_dp), 'a function in place of an array')
    call symbol%array(coefficients, three)
    call op%renew(symbol)
    call op%apply(u, found)
    call expect(all(abs(found - 3*u) < 1e-12_dp), 'an array in place of a function')
    call symbol%array(coefficients, [1, 2], stat, errmsg)
    call expect_words(errmsg, 'numbers: reals or complex numbers are needed, another type was given')
  end subroutine
end module
