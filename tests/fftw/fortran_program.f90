! SPDX-License-Identifier: BSD-3-Clause
! FFTW's interface from Fortran: the interface of 2003, and the names of before.
module fftw3
  use, intrinsic :: iso_c_binding
  implicit none
  include 'fftw3.f03'
end module

program fortran_program
  use fftw3
  implicit none
  integer, parameter :: nx = 6, ny = 4
  complex(C_DOUBLE_COMPLEX) :: field(nx, ny), spectrum(nx, ny), half(nx/2 + 1, ny)
  real(C_DOUBLE) :: reals(nx, ny), again(nx, ny), columns(ny, nx), hartley(ny, nx)
  complex(C_FLOAT_COMPLEX) :: singles(nx, ny)
  type(C_PTR) :: plan, memory
  complex(C_DOUBLE_COMPLEX), pointer :: allocated(:)
  integer(8) :: legacy
  integer :: failures = 0, i, j, done

  ! exp(2 pi i (2 x/nx + 3 y/ny)): one coefficient.
  do j = 1, ny
    do i = 1, nx
      field(i, j) = exp(cmplx(0, 2*acos(-1d0)*(2*(i - 1)/real(nx, 8) + 3*(j - 1)/real(ny, 8)), 8))
      reals(i, j) = sin(real(i + nx*j, 8))
    end do
  end do

  plan = fftw_plan_dft_2d(ny, nx, field, spectrum, FFTW_FORWARD, FFTW_ESTIMATE)
  call fftw_execute_dft(plan, field, spectrum)
  call fftw_destroy_plan(plan)
  call expect_wave('of 2003')

  call dfftw_plan_dft_2d(legacy, nx, ny, field, spectrum, FFTW_FORWARD, FFTW_ESTIMATE)
  spectrum = 0
  call dfftw_execute(legacy)
  call expect_wave('legacy')
  spectrum = 0
  call dfftw_execute_dft(legacy, field, spectrum)
  call dfftw_destroy_plan(legacy)
  call expect_wave('legacy, other arrays')

  call dfftw_plan_dft(legacy, 2, [nx, ny], field, spectrum, FFTW_FORWARD, FFTW_ESTIMATE)
  spectrum = 0
  call dfftw_execute(legacy)
  call dfftw_destroy_plan(legacy)
  call expect_wave('legacy, any rank')

  call dfftw_plan_guru_dft(legacy, 2, [ny, nx], [nx, 1], [nx, 1], 0, [0], [0], [0], &
    field, spectrum, FFTW_FORWARD, FFTW_ESTIMATE)
  spectrum = 0
  call dfftw_execute(legacy)
  call dfftw_destroy_plan(legacy)
  call expect_wave('legacy guru')

  call dfftw_plan_dft_r2c_2d(legacy, nx, ny, reals, half, FFTW_ESTIMATE)
  call dfftw_execute_dft_r2c(legacy, reals, half)
  call dfftw_destroy_plan(legacy)
  plan = fftw_plan_dft_c2r_2d(ny, nx, half, again, FFTW_ESTIMATE)
  call fftw_execute_dft_c2r(plan, half, again)
  call fftw_destroy_plan(plan)
  call expect(maxval(abs(again/(nx*ny) - reals)) < 1e-14, 'there and back')

  ! Each row of `columns` is one of `reals`: the first coefficients are sums.
  columns = transpose(reals)
  call dfftw_plan_many_r2r(legacy, 1, [nx], ny, columns, [nx], ny, 1, hartley, [nx], ny, 1, &
    [FFTW_DHT], FFTW_ESTIMATE)
  call dfftw_execute_r2r(legacy, columns, hartley)
  call dfftw_destroy_plan(legacy)
  call expect(maxval(abs(hartley(:, 1) - sum(reals, 1))) < 1e-14, 'rows')

  singles = 1
  call sfftw_plan_dft_2d(legacy, nx, ny, singles, singles, FFTW_BACKWARD, FFTW_ESTIMATE)
  call sfftw_execute(legacy)
  call sfftw_destroy_plan(legacy)
  call expect(abs(singles(1, 1) - nx*ny) < 1e-5 .and. abs(singles(2, 2)) < 1e-5, 'single')

  memory = fftw_alloc_complex(int(8, C_SIZE_T))
  call c_f_pointer(memory, allocated, [8])
  allocated = 1
  call fftw_free(memory)

  call dfftw_init_threads(done)
  call expect(done == 1, 'threads')
  call dfftw_plan_with_nthreads(2)
  call dfftw_planner_nthreads(done)
  call expect(done == 2 .and. fftw_planner_nthreads() == 2, 'two threads')
  call dfftw_cleanup_threads()
  call dfftw_import_system_wisdom(done)
  call expect(done == 0 .or. done == 1, 'wisdom')
  if (failures > 0) stop 1

contains

  subroutine expect_wave(what)
    character(*), intent(in) :: what
    spectrum(3, 4) = spectrum(3, 4) - nx*ny
    call expect(maxval(abs(spectrum)) < 1e-13, what)
  end subroutine

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    failures = failures + 1
    print *, 'failed: ', what
  end subroutine
end program
