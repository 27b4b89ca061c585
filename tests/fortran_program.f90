! SPDX-License-Identifier: BSD-3-Clause
! The Fortran interface: layouts, plans and redistributions, and what is refused.
program fortran_program
  use harness
  use fortran_layouts, only: test_layouts
  use fortran_mistakes, only: test_mistakes
  use fortran_transforms, only: test_transforms
  use fortran_uses, only: test_uses
  implicit none

  call begin()
  call test_transforms()
  call test_layouts()
  call test_uses()
  call test_mistakes()
  call end_tests()
end program
