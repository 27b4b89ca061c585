! SPDX-License-Identifier: BSD-3-Clause
! The numbers in the arrays of the tests of plans, and their transforms by the definition.
module fortran_points
  use, intrinsic :: iso_fortran_env, only: int64, dp => real64
  use sixstep
  implicit none
  integer, parameter :: n(3) = [6, 5, 4]
  real(dp), parameter :: two_pi = 2*acos(-1.0_dp)
contains

  ! A number for each point: no two alike.
  pure complex(dp) function value(i, j, k)
    integer(int64), intent(in) :: i, j, k
    value = cmplx(mod(7*i + 3*j*j + k, 11_int64), mod(i*j + 5*k, 7_int64), dp)
  end function

  ! X(k1, k2, k3) by the definition; the indices are from 1.
  complex(dp) function coefficient(k, sign)
    integer(int64), intent(in) :: k(3)
    integer, intent(in) :: sign
    integer(int64) :: i, j, l
    real(dp) :: angle
    coefficient = 0
    do l = 1, n(3)
      do j = 1, n(2)
        do i = 1, n(1)
          angle = two_pi*(real((i - 1)*(k(1) - 1), dp)/n(1) + real((j - 1)*(k(2) - 1), dp)/n(2) &
                          + real((l - 1)*(k(3) - 1), dp)/n(3))
          coefficient = coefficient + value(i, j, l)*cmplx(cos(angle), sign*sin(angle), dp)
        end do
      end do
    end do
  end function

  ! The numbers, and their coefficients, in a part of the grid.
  function values_of(part) result(u)
    type(sixstep_part), intent(in) :: part
    complex(dp), allocatable :: u(:, :, :)
    integer(int64) :: i, j, k
    allocate (u(part%extent(1), part%extent(2), part%extent(3)))
    do k = 1, part%extent(3)
      do j = 1, part%extent(2)
        do i = 1, part%extent(1)
          u(i, j, k) = value(part%lower(1) + i - 1, part%lower(2) + j - 1, part%lower(3) + k - 1)
        end do
      end do
    end do
  end function

  function coefficients_of(part) result(u_hat)
    type(sixstep_part), intent(in) :: part
    complex(dp), allocatable :: u_hat(:, :, :)
    integer(int64) :: i, j, k
    allocate (u_hat(part%extent(1), part%extent(2), part%extent(3)))
    do k = 1, part%extent(3)
      do j = 1, part%extent(2)
        do i = 1, part%extent(1)
          u_hat(i, j, k) = coefficient(part%lower + [i, j, k] - 1, -1)
        end do
      end do
    end do
  end function

  ! The wave exp(2 pi i (2 x/12 - y/8)).
  subroutine make_wave(mine, u)
    type(sixstep_part), intent(in) :: mine
    complex(dp), allocatable, intent(out) :: u(:, :)
    real(dp) :: phase
    integer :: i, j
    allocate (u(mine%extent(1), mine%extent(2)))
    do j = 1, size(u, 2)
      do i = 1, size(u, 1)
        phase = two_pi*(2*(mine%lower(1) + i - 2)/12._dp - (mine%lower(2) + j - 2)/8._dp)
        u(i, j) = cmplx(cos(phase), sin(phase), dp)
      end do
    end do
  end subroutine
end module
