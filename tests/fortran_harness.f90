! SPDX-License-Identifier: BSD-3-Clause
! What the tests of the Fortran interface share: their ranks, and the failures that they count.
module harness
  use, intrinsic :: iso_fortran_env, only: error_unit
  use mpi_f08
  implicit none
  integer :: ranks, rank
  integer, private :: failures = 0
contains

  subroutine begin()
    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  end subroutine

  ! Fails if anything has failed on any rank.
  subroutine end_tests()
    integer :: all_failures
    call MPI_Allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call MPI_Finalize()
    if (all_failures > 0) error stop
  end subroutine

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    failures = failures + 1
    write (error_unit, '(a, i0, 2a)') 'rank ', rank, ': ', what
  end subroutine

  subroutine expect_words(told, words)
    character(*), intent(in) :: told, words
    call expect(told == words, "'"//words//"' is needed, '"//trim(told)//"' is told")
  end subroutine
end module
