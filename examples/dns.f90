! SPDX-License-Identifier: BSD-3-Clause
! The tutorial's example in Fortran, the core of a direct numerical simulation: the diffusion of a
! field in a periodic box, in waves, where each decays on its own.
program dns
  ! [plan]
  use mpi_f08
  use sixstep
  implicit none
  integer, parameter :: dp = kind(1d0), n = 32
  type(sixstep_layout) :: slab
  type(sixstep_options) :: options
  type(sixstep_plan) :: plan
  real(dp), pointer :: u(:, :, :)
  complex(dp), pointer :: u_hat(:)
  ! [plan]
  type(sixstep_part) :: mine, waves
  real(dp), parameter :: time = 0.1_dp, x = 2*acos(-1.0_dp)/n
  real(dp) :: error
  integer :: ranks, i, j, k, at

  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  ! [create]
  options%kinds = [sixstep_r2c]
  call slab%slab([n, n, n], ranks)  ! the last axis is split
  call plan%create(slab, MPI_COMM_WORLD, options=options)
  call plan%allocate(u, sixstep_input)  ! u(x, y, z) of this rank
  call plan%allocate(u_hat, sixstep_output)
  ! [create]
  mine = plan%input_part()
  do k = 1, size(u, 3)
    u(:, :, k) = cos(2*x*(mine%lower(3) + k))
  end do
  ! [step]
  call plan%forward(u, u_hat)
  waves = plan%output_part()
  do k = 1, int(waves%extent(3))
    do j = 1, int(waves%extent(2))
      do i = 1, int(waves%extent(1))
        at = 1 + int(sum(([i, j, k] - 1)*waves%stride(:3)))
        u_hat(at) = u_hat(at)*exp(-time*sum(plan%wavenumber(waves%lower + [i, j, k] - 1)**2))
      end do
    end do
  end do
  call plan%backward(u_hat, u, sixstep_by_n)
  ! [step]
  error = 0
  do k = 1, size(u, 3)
    error = max(error, maxval(abs(u(:, :, k) - exp(-4*time)*cos(2*x*(mine%lower(3) + k)))))
  end do
  call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  call sixstep_free(u)
  call sixstep_free(u_hat)
  if (mine%lower(3) == 1) print '(a, es8.1)', 'diffusion: error', error
  call finish_plan(plan)
  call MPI_Finalize()
  if (error > 1e-13_dp) error stop

contains

  ! Variables of a main program live until it ends, which is behind MPI_Finalize.
  subroutine finish_plan(done)
    type(sixstep_plan), intent(out) :: done
  end subroutine
end program
