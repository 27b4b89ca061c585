! SPDX-License-Identifier: BSD-3-Clause
! The documents' example in Fortran, a direct numerical simulation: Taylor-Green vortices of a
! periodic plane, w = 2 cos x cos 2y, decay as exp(-5 nu t) while a wind carries them along.
!
! The vorticity w of the velocity (u, v) = (-dpsi/dy, dpsi/dx), where lap psi = w, obeys
! dw/dt = nu lap w - (d2/dx2 - d2/dy2) uv - d2/dxdy (vv - uu).
program dns
  ! [plan]
  use mpi_f08
  use sixstep
  implicit none
  integer, parameter :: dp = kind(1d0), n = 48, m = 2*n/3, steps = 50  ! points, modes
  real(dp), parameter :: nu = 0.1_dp, wind = 1, dt = 0.01_dp
  type(sixstep_layout) :: grid, waves
  type(sixstep_plan), allocatable :: plan
  real(dp), allocatable :: u(:), v(:), lap(:, :), difference(:, :)
  complex(dp), allocatable, dimension(:, :) :: dx, dy, vortex, w, before, uv, vv_uu
  ! [plan]
  integer :: ranks, step, stage

  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  ! [create]
  call grid%slab([n, n], ranks)  ! the last axis is split
  call waves%slab([m/2 + 1, m], ranks, axis=1)
  allocate (plan)
  call plan%create(grid, MPI_COMM_WORLD, waves, sixstep_options(kinds=[sixstep_r2c], modes=[m, m]))
  ! [create]
  ! [waves]
  dx = (0, 1)*spread(plan%wavenumbers(1), 2, m)  ! by which d/dx multiplies each wave
  dy = (0, 1)*spread(plan%wavenumbers(2), 1, size(dx, 1))
  lap = min(real(dx**2 + dy**2), -1.0_dp)  ! -1 where w is 0
  ! [waves]
  vortex = merge(0.5_dp, 0.0_dp, nint(abs(dx)) == 1 .and. nint(abs(dy)) == 2)
  allocate (w, uv, vv_uu, source=vortex)
  allocate (u(plan%input_size()), v(plan%input_size()))
  ! [step]
  do step = 1, steps
    before = w
    do stage = 4, 1, -1  ! Runge-Kutta
      call plan%backward(-dy*w/lap, u)
      call plan%backward(dx*w/lap, v)
      call plan%forward((u + wind)*v, uv, sixstep_by_n)
      call plan%forward(v**2 - (u + wind)**2, vv_uu, sixstep_by_n)
      w = before + dt/stage*(nu*lap*w - (dx**2 - dy**2)*uv - dx*dy*vv_uu)
    end do
  end do
  ! [step]
  deallocate (plan)  ! a variable of the main program would live on after MPI_Finalize
  call MPI_Finalize()
  difference = abs(w - vortex*exp(steps*dt*(nu*lap - wind*dx)))
  if (any(abs(vortex) > 0)) print '(a, es8.1)', 'Taylor-Green vortices: error', maxval(difference)
  if (any(difference > 1e-9_dp)) error stop
end program
