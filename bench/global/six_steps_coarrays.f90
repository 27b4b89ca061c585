! SPDX-License-Identifier: BSD-3-Clause
! The six steps of a long transform with coarrays, rows by FFTW: what bench/gfft compares with. Images must divide n1
! and n2.
!
!   six_steps_coarrays n1 n2 repeats
program six_steps_coarrays
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  include "fftw3.f03"
  integer, parameter :: dp = kind(1d0)
  real(dp), parameter :: pi = acos(-1d0)
  ! Row j of an array is column j here; of this image's share.
  complex(dp), allocatable :: x(:, :), work(:, :), result(:, :), packed(:, :)[:], block(:)
  complex(dp), allocatable :: coarse(:), fine(:)
  type(c_ptr) :: of_work, of_x
  integer(int64) :: m, n, k, begin, now, rate
  integer :: n1, n2, repeats, i
  character(32) :: word
  call get_command_argument(1, word); read (word, *) n1
  call get_command_argument(2, word); read (word, *) n2
  call get_command_argument(3, word); read (word, *) repeats
  n = int(n1, int64)*n2
  m = ceiling(sqrt(real(n, dp)), int64)
  coarse = [(exp(cmplx(0, -2*pi*real(k*m, dp)/real(n, dp), dp)), k=0, m - 1)]
  fine = [(exp(cmplx(0, -2*pi*real(k, dp)/real(n, dp), dp)), k=0, m - 1)]
  allocate (x(n2, n1/num_images()), work(n1, n2/num_images()), result(n1, n2/num_images()))
  allocate (block(size(x)/num_images()), packed(size(x)/num_images(), num_images())[*])
  of_work = plan_of(work)
  of_x = plan_of(x)
  do i = 0, repeats
    x = 0
    if (this_image() == 1) x(2, 1) = 1  ! an impulse at j = 1: X(k) = w_N^k
    sync all
    call system_clock(begin, rate)
    call six_step
    sync all
    call system_clock(now)
    if (this_image() == 1 .and. i > 0) print '(a, f0.9)', "seconds ", real(now - begin, dp)/real(rate, dp)
  end do
  if (this_image() == 1) then
    k = n1/3
    print '(a, es8.1)', "error ", abs(result(k + 1, 1) - exp(cmplx(0, -2*pi*real(k, dp)/real(n, dp), dp)))
  end if
contains
  function plan_of(rows) result(plan)
    complex(dp), intent(inout) :: rows(:, :)
    type(c_ptr) :: plan
    plan = fftw_plan_many_dft(1, [size(rows, 1)], size(rows, 2), rows, [0], 1, size(rows, 1), rows, [0], 1, &
                              size(rows, 1), FFTW_FORWARD, FFTW_MEASURE)
  end function

  ! [six_steps]
  ! Packed first: elements that do not lie one behind the other are fetched one by one.
  subroutine transpose_rows(from, to)
    complex(dp), intent(in) :: from(:, :)
    complex(dp), intent(out) :: to(:, :)
    integer :: q, rows, columns
    rows = size(to, 2)
    columns = size(from, 2)
    do q = 1, num_images()
      packed(:, q) = reshape(transpose(from((q - 1)*rows + 1:q*rows, :)), [rows*columns])
    end do
    sync all
    do q = 1, num_images()
      block(:) = packed(:, this_image())[q]
      to((q - 1)*columns + 1:q*columns, :) = reshape(block, [columns, rows])
    end do
    sync all
  end subroutine

  subroutine twiddle(rows)
    complex(dp), intent(inout) :: rows(0:, 0:)
    integer(int64) :: j, k, jk
    do j = 0, size(rows, 2) - 1
      do k = 0, size(rows, 1) - 1
        jk = (j + (this_image() - 1)*size(rows, 2))*k
        rows(k, j) = rows(k, j)*coarse(jk/m + 1)*fine(mod(jk, m) + 1)
      end do
    end do
  end subroutine

  subroutine six_step
    call transpose_rows(x, work)
    call fftw_execute_dft(of_work, work, work)
    call twiddle(work)
    call transpose_rows(work, x)
    call fftw_execute_dft(of_x, x, x)
    call transpose_rows(x, result)
  end subroutine
  ! [six_steps]
end program
