! SPDX-License-Identifier: BSD-3-Clause
! Written by fftw/make-fortran from fftw3.h and fftw3_functions.h: change those.

  integer, parameter :: C_FFTW_R2R_KIND = C_INT32_T

  integer(C_INT), parameter :: FFTW_R2HC = 0
  integer(C_INT), parameter :: FFTW_HC2R = 1
  integer(C_INT), parameter :: FFTW_DHT = 2
  integer(C_INT), parameter :: FFTW_REDFT00 = 3
  integer(C_INT), parameter :: FFTW_REDFT01 = 4
  integer(C_INT), parameter :: FFTW_REDFT10 = 5
  integer(C_INT), parameter :: FFTW_REDFT11 = 6
  integer(C_INT), parameter :: FFTW_RODFT00 = 7
  integer(C_INT), parameter :: FFTW_RODFT01 = 8
  integer(C_INT), parameter :: FFTW_RODFT10 = 9
  integer(C_INT), parameter :: FFTW_RODFT11 = 10
  integer(C_INT), parameter :: FFTW_FORWARD = -1
  integer(C_INT), parameter :: FFTW_BACKWARD = 1
  integer(C_INT), parameter :: FFTW_MEASURE = 0
  integer(C_INT), parameter :: FFTW_DESTROY_INPUT = 1
  integer(C_INT), parameter :: FFTW_UNALIGNED = 2
  integer(C_INT), parameter :: FFTW_CONSERVE_MEMORY = 4
  integer(C_INT), parameter :: FFTW_EXHAUSTIVE = 8
  integer(C_INT), parameter :: FFTW_PRESERVE_INPUT = 16
  integer(C_INT), parameter :: FFTW_PATIENT = 32
  integer(C_INT), parameter :: FFTW_ESTIMATE = 64
  integer(C_INT), parameter :: FFTW_WISDOM_ONLY = 2097152
  integer(C_INT), parameter :: FFTW_ESTIMATE_PATIENT = 128
  integer(C_INT), parameter :: FFTW_BELIEVE_PCOST = 256
  integer(C_INT), parameter :: FFTW_NO_DFT_R2HC = 512
  integer(C_INT), parameter :: FFTW_NO_NONTHREADED = 1024
  integer(C_INT), parameter :: FFTW_NO_BUFFERING = 2048
  integer(C_INT), parameter :: FFTW_NO_INDIRECT_OP = 4096
  integer(C_INT), parameter :: FFTW_ALLOW_LARGE_GENERIC = 8192
  integer(C_INT), parameter :: FFTW_NO_RANK_SPLITS = 16384
  integer(C_INT), parameter :: FFTW_NO_VRANK_SPLITS = 32768
  integer(C_INT), parameter :: FFTW_NO_VRECURSE = 65536
  integer(C_INT), parameter :: FFTW_NO_SIMD = 131072
  integer(C_INT), parameter :: FFTW_NO_SLOW = 262144
  integer(C_INT), parameter :: FFTW_NO_FIXED_RADIX_LARGE_N = 524288
  integer(C_INT), parameter :: FFTW_ALLOW_PRUNING = 1048576

  type, bind(C) :: fftw_iodim
    integer(C_INT) :: n, is, os
  end type

  type, bind(C) :: fftw_iodim64
    integer(C_INTPTR_T) :: n, is, os
  end type

  type, bind(C) :: fftwf_iodim
    integer(C_INT) :: n, is, os
  end type

  type, bind(C) :: fftwf_iodim64
    integer(C_INTPTR_T) :: n, is, os
  end type

  interface
    function fftw_plan_dft( &
      rank, n, in, out, sign, flags) &
      bind(C, name='fftw_plan_dft')
      import
      type(C_PTR) :: fftw_plan_dft
      integer(C_INT), value :: rank
      integer(C_INT), dimension(*), intent(in) :: n
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: sign
      integer(C_INT), value :: flags
    end function
    function fftw_plan_dft_1d( &
      n, in, out, sign, flags) &
      bind(C, name='fftw_plan_dft_1d')
      import
      type(C_PTR) :: fftw_plan_dft_1d
      integer(C_INT), value :: n
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: sign
      integer(C_INT), value :: flags
    end function
    function fftw_plan_dft_2d( &
      n0, n1, in, out, sign, flags) &
      bind(C, name='fftw_plan_dft_2d')
      import
      type(C_PTR) :: fftw_plan_dft_2d
      integer(C_INT), value :: n0
      integer(C_INT), value :: n1
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: sign
      integer(C_INT), value :: flags
    end function
    function fftw_plan_dft_3d( &
      n0, n1, n2, in, out, sign, flags) &
      bind(C, name='fftw_plan_dft_3d')
      import
      type(C_PTR) :: fftw_plan_dft_3d
      integer(C_INT), value :: n0
      integer(C_INT), value :: n1
      integer(C_INT), value :: n2
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: sign
      integer(C_INT), value :: flags
    end function
    function fftw_plan_many_dft( &
      rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, sign, flags) &
      bind(C, name='fftw_plan_many_dft')
      import
      type(C_PTR) :: fftw_plan_many_dft
      integer(C_INT), value :: rank
      integer(C_INT), dimension(*), intent(in) :: n
      integer(C_INT), value :: howmany
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      integer(C_INT), dimension(*), intent(in) :: inembed
      integer(C_INT), value :: istride
      integer(C_INT), value :: idist
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), dimension(*), intent(in) :: onembed
      integer(C_INT), value :: ostride
      integer(C_INT), value :: odist
      integer(C_INT), value :: sign
      integer(C_INT), value :: flags
    end function
    function fftw_plan_guru_dft( &
      rank, dims, howmany_rank, howmany_dims, in, out, sign, flags) &
      bind(C, name='fftw_plan_guru_dft')
      import
      type(C_PTR) :: fftw_plan_guru_dft
      integer(C_INT), value :: rank
      type(fftw_iodim), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftw_iodim), dimension(*), intent(in) :: howmany_dims
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: sign
      integer(C_INT), value :: flags
    end function
    function fftw_plan_guru64_dft( &
      rank, dims, howmany_rank, howmany_dims, in, out, sign, flags) &
      bind(C, name='fftw_plan_guru64_dft')
      import
      type(C_PTR) :: fftw_plan_guru64_dft
      integer(C_INT), value :: rank
      type(fftw_iodim64), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftw_iodim64), dimension(*), intent(in) :: howmany_dims
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: sign
      integer(C_INT), value :: flags
    end function
    function fftw_plan_guru_split_dft( &
      rank, dims, howmany_rank, howmany_dims, ri, ii, ro, io, flags) &
      bind(C, name='fftw_plan_guru_split_dft')
      import
      type(C_PTR) :: fftw_plan_guru_split_dft
      integer(C_INT), value :: rank
      type(fftw_iodim), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftw_iodim), dimension(*), intent(in) :: howmany_dims
      real(C_DOUBLE), dimension(*), intent(inout) :: ri
      real(C_DOUBLE), dimension(*), intent(inout) :: ii
      real(C_DOUBLE), dimension(*), intent(inout) :: ro
      real(C_DOUBLE), dimension(*), intent(inout) :: io
      integer(C_INT), value :: flags
    end function
    function fftw_plan_guru64_split_dft( &
      rank, dims, howmany_rank, howmany_dims, ri, ii, ro, io, flags) &
      bind(C, name='fftw_plan_guru64_split_dft')
      import
      type(C_PTR) :: fftw_plan_guru64_split_dft
      integer(C_INT), value :: rank
      type(fftw_iodim64), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftw_iodim64), dimension(*), intent(in) :: howmany_dims
      real(C_DOUBLE), dimension(*), intent(inout) :: ri
      real(C_DOUBLE), dimension(*), intent(inout) :: ii
      real(C_DOUBLE), dimension(*), intent(inout) :: ro
      real(C_DOUBLE), dimension(*), intent(inout) :: io
      integer(C_INT), value :: flags
    end function
    function fftw_plan_dft_r2c( &
      rank, n, in, out, flags) &
      bind(C, name='fftw_plan_dft_r2c')
      import
      type(C_PTR) :: fftw_plan_dft_r2c
      integer(C_INT), value :: rank
      integer(C_INT), dimension(*), intent(in) :: n
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftw_plan_dft_r2c_1d( &
      n, in, out, flags) &
      bind(C, name='fftw_plan_dft_r2c_1d')
      import
      type(C_PTR) :: fftw_plan_dft_r2c_1d
      integer(C_INT), value :: n
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftw_plan_dft_r2c_2d( &
      n0, n1, in, out, flags) &
      bind(C, name='fftw_plan_dft_r2c_2d')
      import
      type(C_PTR) :: fftw_plan_dft_r2c_2d
      integer(C_INT), value :: n0
      integer(C_INT), value :: n1
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftw_plan_dft_r2c_3d( &
      n0, n1, n2, in, out, flags) &
      bind(C, name='fftw_plan_dft_r2c_3d')
      import
      type(C_PTR) :: fftw_plan_dft_r2c_3d
      integer(C_INT), value :: n0
      integer(C_INT), value :: n1
      integer(C_INT), value :: n2
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftw_plan_many_dft_r2c( &
      rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, flags) &
      bind(C, name='fftw_plan_many_dft_r2c')
      import
      type(C_PTR) :: fftw_plan_many_dft_r2c
      integer(C_INT), value :: rank
      integer(C_INT), dimension(*), intent(in) :: n
      integer(C_INT), value :: howmany
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      integer(C_INT), dimension(*), intent(in) :: inembed
      integer(C_INT), value :: istride
      integer(C_INT), value :: idist
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), dimension(*), intent(in) :: onembed
      integer(C_INT), value :: ostride
      integer(C_INT), value :: odist
      integer(C_INT), value :: flags
    end function
    function fftw_plan_guru_dft_r2c( &
      rank, dims, howmany_rank, howmany_dims, in, out, flags) &
      bind(C, name='fftw_plan_guru_dft_r2c')
      import
      type(C_PTR) :: fftw_plan_guru_dft_r2c
      integer(C_INT), value :: rank
      type(fftw_iodim), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftw_iodim), dimension(*), intent(in) :: howmany_dims
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftw_plan_guru64_dft_r2c( &
      rank, dims, howmany_rank, howmany_dims, in, out, flags) &
      bind(C, name='fftw_plan_guru64_dft_r2c')
      import
      type(C_PTR) :: fftw_plan_guru64_dft_r2c
      integer(C_INT), value :: rank
      type(fftw_iodim64), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftw_iodim64), dimension(*), intent(in) :: howmany_dims
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftw_plan_guru_split_dft_r2c( &
      rank, dims, howmany_rank, howmany_dims, in, ro, io, flags) &
      bind(C, name='fftw_plan_guru_split_dft_r2c')
      import
      type(C_PTR) :: fftw_plan_guru_split_dft_r2c
      integer(C_INT), value :: rank
      type(fftw_iodim), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftw_iodim), dimension(*), intent(in) :: howmany_dims
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: ro
      real(C_DOUBLE), dimension(*), intent(inout) :: io
      integer(C_INT), value :: flags
    end function
    function fftw_plan_guru64_split_dft_r2c( &
      rank, dims, howmany_rank, howmany_dims, in, ro, io, flags) &
      bind(C, name='fftw_plan_guru64_split_dft_r2c')
      import
      type(C_PTR) :: fftw_plan_guru64_split_dft_r2c
      integer(C_INT), value :: rank
      type(fftw_iodim64), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftw_iodim64), dimension(*), intent(in) :: howmany_dims
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: ro
      real(C_DOUBLE), dimension(*), intent(inout) :: io
      integer(C_INT), value :: flags
    end function
    function fftw_plan_dft_c2r( &
      rank, n, in, out, flags) &
      bind(C, name='fftw_plan_dft_c2r')
      import
      type(C_PTR) :: fftw_plan_dft_c2r
      integer(C_INT), value :: rank
      integer(C_INT), dimension(*), intent(in) :: n
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftw_plan_dft_c2r_1d( &
      n, in, out, flags) &
      bind(C, name='fftw_plan_dft_c2r_1d')
      import
      type(C_PTR) :: fftw_plan_dft_c2r_1d
      integer(C_INT), value :: n
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftw_plan_dft_c2r_2d( &
      n0, n1, in, out, flags) &
      bind(C, name='fftw_plan_dft_c2r_2d')
      import
      type(C_PTR) :: fftw_plan_dft_c2r_2d
      integer(C_INT), value :: n0
      integer(C_INT), value :: n1
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftw_plan_dft_c2r_3d( &
      n0, n1, n2, in, out, flags) &
      bind(C, name='fftw_plan_dft_c2r_3d')
      import
      type(C_PTR) :: fftw_plan_dft_c2r_3d
      integer(C_INT), value :: n0
      integer(C_INT), value :: n1
      integer(C_INT), value :: n2
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftw_plan_many_dft_c2r( &
      rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, flags) &
      bind(C, name='fftw_plan_many_dft_c2r')
      import
      type(C_PTR) :: fftw_plan_many_dft_c2r
      integer(C_INT), value :: rank
      integer(C_INT), dimension(*), intent(in) :: n
      integer(C_INT), value :: howmany
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      integer(C_INT), dimension(*), intent(in) :: inembed
      integer(C_INT), value :: istride
      integer(C_INT), value :: idist
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_INT), dimension(*), intent(in) :: onembed
      integer(C_INT), value :: ostride
      integer(C_INT), value :: odist
      integer(C_INT), value :: flags
    end function
    function fftw_plan_guru_dft_c2r( &
      rank, dims, howmany_rank, howmany_dims, in, out, flags) &
      bind(C, name='fftw_plan_guru_dft_c2r')
      import
      type(C_PTR) :: fftw_plan_guru_dft_c2r
      integer(C_INT), value :: rank
      type(fftw_iodim), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftw_iodim), dimension(*), intent(in) :: howmany_dims
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftw_plan_guru64_dft_c2r( &
      rank, dims, howmany_rank, howmany_dims, in, out, flags) &
      bind(C, name='fftw_plan_guru64_dft_c2r')
      import
      type(C_PTR) :: fftw_plan_guru64_dft_c2r
      integer(C_INT), value :: rank
      type(fftw_iodim64), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftw_iodim64), dimension(*), intent(in) :: howmany_dims
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftw_plan_guru_split_dft_c2r( &
      rank, dims, howmany_rank, howmany_dims, ri, ii, out, flags) &
      bind(C, name='fftw_plan_guru_split_dft_c2r')
      import
      type(C_PTR) :: fftw_plan_guru_split_dft_c2r
      integer(C_INT), value :: rank
      type(fftw_iodim), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftw_iodim), dimension(*), intent(in) :: howmany_dims
      real(C_DOUBLE), dimension(*), intent(inout) :: ri
      real(C_DOUBLE), dimension(*), intent(inout) :: ii
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftw_plan_guru64_split_dft_c2r( &
      rank, dims, howmany_rank, howmany_dims, ri, ii, out, flags) &
      bind(C, name='fftw_plan_guru64_split_dft_c2r')
      import
      type(C_PTR) :: fftw_plan_guru64_split_dft_c2r
      integer(C_INT), value :: rank
      type(fftw_iodim64), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftw_iodim64), dimension(*), intent(in) :: howmany_dims
      real(C_DOUBLE), dimension(*), intent(inout) :: ri
      real(C_DOUBLE), dimension(*), intent(inout) :: ii
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftw_plan_r2r( &
      rank, n, in, out, kind, flags) &
      bind(C, name='fftw_plan_r2r')
      import
      type(C_PTR) :: fftw_plan_r2r
      integer(C_INT), value :: rank
      integer(C_INT), dimension(*), intent(in) :: n
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_FFTW_R2R_KIND), dimension(*), intent(in) :: kind
      integer(C_INT), value :: flags
    end function
    function fftw_plan_r2r_1d( &
      n, in, out, kind, flags) &
      bind(C, name='fftw_plan_r2r_1d')
      import
      type(C_PTR) :: fftw_plan_r2r_1d
      integer(C_INT), value :: n
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_FFTW_R2R_KIND), value :: kind
      integer(C_INT), value :: flags
    end function
    function fftw_plan_r2r_2d( &
      n0, n1, in, out, kind0, kind1, flags) &
      bind(C, name='fftw_plan_r2r_2d')
      import
      type(C_PTR) :: fftw_plan_r2r_2d
      integer(C_INT), value :: n0
      integer(C_INT), value :: n1
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_FFTW_R2R_KIND), value :: kind0
      integer(C_FFTW_R2R_KIND), value :: kind1
      integer(C_INT), value :: flags
    end function
    function fftw_plan_r2r_3d( &
      n0, n1, n2, in, out, kind0, kind1, kind2, flags) &
      bind(C, name='fftw_plan_r2r_3d')
      import
      type(C_PTR) :: fftw_plan_r2r_3d
      integer(C_INT), value :: n0
      integer(C_INT), value :: n1
      integer(C_INT), value :: n2
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_FFTW_R2R_KIND), value :: kind0
      integer(C_FFTW_R2R_KIND), value :: kind1
      integer(C_FFTW_R2R_KIND), value :: kind2
      integer(C_INT), value :: flags
    end function
    function fftw_plan_many_r2r( &
      rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, kind, flags) &
      bind(C, name='fftw_plan_many_r2r')
      import
      type(C_PTR) :: fftw_plan_many_r2r
      integer(C_INT), value :: rank
      integer(C_INT), dimension(*), intent(in) :: n
      integer(C_INT), value :: howmany
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      integer(C_INT), dimension(*), intent(in) :: inembed
      integer(C_INT), value :: istride
      integer(C_INT), value :: idist
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_INT), dimension(*), intent(in) :: onembed
      integer(C_INT), value :: ostride
      integer(C_INT), value :: odist
      integer(C_FFTW_R2R_KIND), dimension(*), intent(in) :: kind
      integer(C_INT), value :: flags
    end function
    function fftw_plan_guru_r2r( &
      rank, dims, howmany_rank, howmany_dims, in, out, kind, flags) &
      bind(C, name='fftw_plan_guru_r2r')
      import
      type(C_PTR) :: fftw_plan_guru_r2r
      integer(C_INT), value :: rank
      type(fftw_iodim), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftw_iodim), dimension(*), intent(in) :: howmany_dims
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_FFTW_R2R_KIND), dimension(*), intent(in) :: kind
      integer(C_INT), value :: flags
    end function
    function fftw_plan_guru64_r2r( &
      rank, dims, howmany_rank, howmany_dims, in, out, kind, flags) &
      bind(C, name='fftw_plan_guru64_r2r')
      import
      type(C_PTR) :: fftw_plan_guru64_r2r
      integer(C_INT), value :: rank
      type(fftw_iodim64), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftw_iodim64), dimension(*), intent(in) :: howmany_dims
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
      integer(C_FFTW_R2R_KIND), dimension(*), intent(in) :: kind
      integer(C_INT), value :: flags
    end function
    subroutine fftw_execute_dft( &
      p, in, out) &
      bind(C, name='fftw_execute_dft')
      import
      type(C_PTR), value :: p
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
    end subroutine
    subroutine fftw_execute_split_dft( &
      p, ri, ii, ro, io) &
      bind(C, name='fftw_execute_split_dft')
      import
      type(C_PTR), value :: p
      real(C_DOUBLE), dimension(*), intent(inout) :: ri
      real(C_DOUBLE), dimension(*), intent(inout) :: ii
      real(C_DOUBLE), dimension(*), intent(inout) :: ro
      real(C_DOUBLE), dimension(*), intent(inout) :: io
    end subroutine
    subroutine fftw_execute_dft_r2c( &
      p, in, out) &
      bind(C, name='fftw_execute_dft_r2c')
      import
      type(C_PTR), value :: p
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: out
    end subroutine
    subroutine fftw_execute_split_dft_r2c( &
      p, in, ro, io) &
      bind(C, name='fftw_execute_split_dft_r2c')
      import
      type(C_PTR), value :: p
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: ro
      real(C_DOUBLE), dimension(*), intent(inout) :: io
    end subroutine
    subroutine fftw_execute_dft_c2r( &
      p, in, out) &
      bind(C, name='fftw_execute_dft_c2r')
      import
      type(C_PTR), value :: p
      complex(C_DOUBLE_COMPLEX), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
    end subroutine
    subroutine fftw_execute_split_dft_c2r( &
      p, ri, ii, out) &
      bind(C, name='fftw_execute_split_dft_c2r')
      import
      type(C_PTR), value :: p
      real(C_DOUBLE), dimension(*), intent(inout) :: ri
      real(C_DOUBLE), dimension(*), intent(inout) :: ii
      real(C_DOUBLE), dimension(*), intent(inout) :: out
    end subroutine
    subroutine fftw_execute_r2r( &
      p, in, out) &
      bind(C, name='fftw_execute_r2r')
      import
      type(C_PTR), value :: p
      real(C_DOUBLE), dimension(*), intent(inout) :: in
      real(C_DOUBLE), dimension(*), intent(inout) :: out
    end subroutine
    subroutine fftw_destroy_plan( &
      p) &
      bind(C, name='fftw_destroy_plan')
      import
      type(C_PTR), value :: p
    end subroutine
    subroutine fftw_flops( &
      p, add, mul, fmas) &
      bind(C, name='fftw_flops')
      import
      type(C_PTR), value :: p
      real(C_DOUBLE), intent(out) :: add
      real(C_DOUBLE), intent(out) :: mul
      real(C_DOUBLE), intent(out) :: fmas
    end subroutine
    function fftw_estimate_cost( &
      p) &
      bind(C, name='fftw_estimate_cost')
      import
      real(C_DOUBLE) :: fftw_estimate_cost
      type(C_PTR), value :: p
    end function
    function fftw_cost( &
      p) &
      bind(C, name='fftw_cost')
      import
      real(C_DOUBLE) :: fftw_cost
      type(C_PTR), value :: p
    end function
    subroutine fftw_fprint_plan( &
      p, output_file) &
      bind(C, name='fftw_fprint_plan')
      import
      type(C_PTR), value :: p
      type(C_PTR), value :: output_file
    end subroutine
    subroutine fftw_print_plan( &
      p) &
      bind(C, name='fftw_print_plan')
      import
      type(C_PTR), value :: p
    end subroutine
    function fftw_sprint_plan( &
      p) &
      bind(C, name='fftw_sprint_plan')
      import
      type(C_PTR) :: fftw_sprint_plan
      type(C_PTR), value :: p
    end function
    function fftw_malloc( &
      n) &
      bind(C, name='fftw_malloc')
      import
      type(C_PTR) :: fftw_malloc
      integer(C_SIZE_T), value :: n
    end function
    function fftw_alloc_real( &
      n) &
      bind(C, name='fftw_alloc_real')
      import
      type(C_PTR) :: fftw_alloc_real
      integer(C_SIZE_T), value :: n
    end function
    function fftw_alloc_complex( &
      n) &
      bind(C, name='fftw_alloc_complex')
      import
      type(C_PTR) :: fftw_alloc_complex
      integer(C_SIZE_T), value :: n
    end function
    subroutine fftw_free( &
      p) &
      bind(C, name='fftw_free')
      import
      type(C_PTR), value :: p
    end subroutine
    function fftw_alignment_of( &
      p) &
      bind(C, name='fftw_alignment_of')
      import
      integer(C_INT) :: fftw_alignment_of
      real(C_DOUBLE), dimension(*), intent(inout) :: p
    end function
    subroutine fftw_set_timelimit( &
      t) &
      bind(C, name='fftw_set_timelimit')
      import
      real(C_DOUBLE), value :: t
    end subroutine
    subroutine fftw_cleanup( &
      ) &
      bind(C, name='fftw_cleanup')
      import
    end subroutine
    function fftw_init_threads( &
      ) &
      bind(C, name='fftw_init_threads')
      import
      integer(C_INT) :: fftw_init_threads
    end function
    subroutine fftw_plan_with_nthreads( &
      nthreads) &
      bind(C, name='fftw_plan_with_nthreads')
      import
      integer(C_INT), value :: nthreads
    end subroutine
    function fftw_planner_nthreads( &
      ) &
      bind(C, name='fftw_planner_nthreads')
      import
      integer(C_INT) :: fftw_planner_nthreads
    end function
    subroutine fftw_make_planner_thread_safe( &
      ) &
      bind(C, name='fftw_make_planner_thread_safe')
      import
    end subroutine
    subroutine fftw_cleanup_threads( &
      ) &
      bind(C, name='fftw_cleanup_threads')
      import
    end subroutine
    subroutine fftw_forget_wisdom( &
      ) &
      bind(C, name='fftw_forget_wisdom')
      import
    end subroutine
    function fftw_export_wisdom_to_filename( &
      filename) &
      bind(C, name='fftw_export_wisdom_to_filename')
      import
      integer(C_INT) :: fftw_export_wisdom_to_filename
      character(C_CHAR), dimension(*), intent(in) :: filename
    end function
    subroutine fftw_export_wisdom_to_file( &
      output_file) &
      bind(C, name='fftw_export_wisdom_to_file')
      import
      type(C_PTR), value :: output_file
    end subroutine
    function fftw_export_wisdom_to_string( &
      ) &
      bind(C, name='fftw_export_wisdom_to_string')
      import
      type(C_PTR) :: fftw_export_wisdom_to_string
    end function
    subroutine fftw_export_wisdom( &
      write_char, data) &
      bind(C, name='fftw_export_wisdom')
      import
      type(C_FUNPTR), value :: write_char
      type(C_PTR), value :: data
    end subroutine
    function fftw_import_system_wisdom( &
      ) &
      bind(C, name='fftw_import_system_wisdom')
      import
      integer(C_INT) :: fftw_import_system_wisdom
    end function
    function fftw_import_wisdom_from_filename( &
      filename) &
      bind(C, name='fftw_import_wisdom_from_filename')
      import
      integer(C_INT) :: fftw_import_wisdom_from_filename
      character(C_CHAR), dimension(*), intent(in) :: filename
    end function
    function fftw_import_wisdom_from_file( &
      input_file) &
      bind(C, name='fftw_import_wisdom_from_file')
      import
      integer(C_INT) :: fftw_import_wisdom_from_file
      type(C_PTR), value :: input_file
    end function
    function fftw_import_wisdom_from_string( &
      input_string) &
      bind(C, name='fftw_import_wisdom_from_string')
      import
      integer(C_INT) :: fftw_import_wisdom_from_string
      character(C_CHAR), dimension(*), intent(in) :: input_string
    end function
    function fftw_import_wisdom( &
      read_char, data) &
      bind(C, name='fftw_import_wisdom')
      import
      integer(C_INT) :: fftw_import_wisdom
      type(C_FUNPTR), value :: read_char
      type(C_PTR), value :: data
    end function
    function fftwf_plan_dft( &
      rank, n, in, out, sign, flags) &
      bind(C, name='fftwf_plan_dft')
      import
      type(C_PTR) :: fftwf_plan_dft
      integer(C_INT), value :: rank
      integer(C_INT), dimension(*), intent(in) :: n
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: sign
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_dft_1d( &
      n, in, out, sign, flags) &
      bind(C, name='fftwf_plan_dft_1d')
      import
      type(C_PTR) :: fftwf_plan_dft_1d
      integer(C_INT), value :: n
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: sign
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_dft_2d( &
      n0, n1, in, out, sign, flags) &
      bind(C, name='fftwf_plan_dft_2d')
      import
      type(C_PTR) :: fftwf_plan_dft_2d
      integer(C_INT), value :: n0
      integer(C_INT), value :: n1
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: sign
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_dft_3d( &
      n0, n1, n2, in, out, sign, flags) &
      bind(C, name='fftwf_plan_dft_3d')
      import
      type(C_PTR) :: fftwf_plan_dft_3d
      integer(C_INT), value :: n0
      integer(C_INT), value :: n1
      integer(C_INT), value :: n2
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: sign
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_many_dft( &
      rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, sign, flags) &
      bind(C, name='fftwf_plan_many_dft')
      import
      type(C_PTR) :: fftwf_plan_many_dft
      integer(C_INT), value :: rank
      integer(C_INT), dimension(*), intent(in) :: n
      integer(C_INT), value :: howmany
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      integer(C_INT), dimension(*), intent(in) :: inembed
      integer(C_INT), value :: istride
      integer(C_INT), value :: idist
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), dimension(*), intent(in) :: onembed
      integer(C_INT), value :: ostride
      integer(C_INT), value :: odist
      integer(C_INT), value :: sign
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_guru_dft( &
      rank, dims, howmany_rank, howmany_dims, in, out, sign, flags) &
      bind(C, name='fftwf_plan_guru_dft')
      import
      type(C_PTR) :: fftwf_plan_guru_dft
      integer(C_INT), value :: rank
      type(fftwf_iodim), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftwf_iodim), dimension(*), intent(in) :: howmany_dims
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: sign
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_guru64_dft( &
      rank, dims, howmany_rank, howmany_dims, in, out, sign, flags) &
      bind(C, name='fftwf_plan_guru64_dft')
      import
      type(C_PTR) :: fftwf_plan_guru64_dft
      integer(C_INT), value :: rank
      type(fftwf_iodim64), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftwf_iodim64), dimension(*), intent(in) :: howmany_dims
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: sign
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_guru_split_dft( &
      rank, dims, howmany_rank, howmany_dims, ri, ii, ro, io, flags) &
      bind(C, name='fftwf_plan_guru_split_dft')
      import
      type(C_PTR) :: fftwf_plan_guru_split_dft
      integer(C_INT), value :: rank
      type(fftwf_iodim), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftwf_iodim), dimension(*), intent(in) :: howmany_dims
      real(C_FLOAT), dimension(*), intent(inout) :: ri
      real(C_FLOAT), dimension(*), intent(inout) :: ii
      real(C_FLOAT), dimension(*), intent(inout) :: ro
      real(C_FLOAT), dimension(*), intent(inout) :: io
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_guru64_split_dft( &
      rank, dims, howmany_rank, howmany_dims, ri, ii, ro, io, flags) &
      bind(C, name='fftwf_plan_guru64_split_dft')
      import
      type(C_PTR) :: fftwf_plan_guru64_split_dft
      integer(C_INT), value :: rank
      type(fftwf_iodim64), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftwf_iodim64), dimension(*), intent(in) :: howmany_dims
      real(C_FLOAT), dimension(*), intent(inout) :: ri
      real(C_FLOAT), dimension(*), intent(inout) :: ii
      real(C_FLOAT), dimension(*), intent(inout) :: ro
      real(C_FLOAT), dimension(*), intent(inout) :: io
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_dft_r2c( &
      rank, n, in, out, flags) &
      bind(C, name='fftwf_plan_dft_r2c')
      import
      type(C_PTR) :: fftwf_plan_dft_r2c
      integer(C_INT), value :: rank
      integer(C_INT), dimension(*), intent(in) :: n
      real(C_FLOAT), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_dft_r2c_1d( &
      n, in, out, flags) &
      bind(C, name='fftwf_plan_dft_r2c_1d')
      import
      type(C_PTR) :: fftwf_plan_dft_r2c_1d
      integer(C_INT), value :: n
      real(C_FLOAT), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_dft_r2c_2d( &
      n0, n1, in, out, flags) &
      bind(C, name='fftwf_plan_dft_r2c_2d')
      import
      type(C_PTR) :: fftwf_plan_dft_r2c_2d
      integer(C_INT), value :: n0
      integer(C_INT), value :: n1
      real(C_FLOAT), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_dft_r2c_3d( &
      n0, n1, n2, in, out, flags) &
      bind(C, name='fftwf_plan_dft_r2c_3d')
      import
      type(C_PTR) :: fftwf_plan_dft_r2c_3d
      integer(C_INT), value :: n0
      integer(C_INT), value :: n1
      integer(C_INT), value :: n2
      real(C_FLOAT), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_many_dft_r2c( &
      rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, flags) &
      bind(C, name='fftwf_plan_many_dft_r2c')
      import
      type(C_PTR) :: fftwf_plan_many_dft_r2c
      integer(C_INT), value :: rank
      integer(C_INT), dimension(*), intent(in) :: n
      integer(C_INT), value :: howmany
      real(C_FLOAT), dimension(*), intent(inout) :: in
      integer(C_INT), dimension(*), intent(in) :: inembed
      integer(C_INT), value :: istride
      integer(C_INT), value :: idist
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), dimension(*), intent(in) :: onembed
      integer(C_INT), value :: ostride
      integer(C_INT), value :: odist
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_guru_dft_r2c( &
      rank, dims, howmany_rank, howmany_dims, in, out, flags) &
      bind(C, name='fftwf_plan_guru_dft_r2c')
      import
      type(C_PTR) :: fftwf_plan_guru_dft_r2c
      integer(C_INT), value :: rank
      type(fftwf_iodim), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftwf_iodim), dimension(*), intent(in) :: howmany_dims
      real(C_FLOAT), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_guru64_dft_r2c( &
      rank, dims, howmany_rank, howmany_dims, in, out, flags) &
      bind(C, name='fftwf_plan_guru64_dft_r2c')
      import
      type(C_PTR) :: fftwf_plan_guru64_dft_r2c
      integer(C_INT), value :: rank
      type(fftwf_iodim64), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftwf_iodim64), dimension(*), intent(in) :: howmany_dims
      real(C_FLOAT), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_guru_split_dft_r2c( &
      rank, dims, howmany_rank, howmany_dims, in, ro, io, flags) &
      bind(C, name='fftwf_plan_guru_split_dft_r2c')
      import
      type(C_PTR) :: fftwf_plan_guru_split_dft_r2c
      integer(C_INT), value :: rank
      type(fftwf_iodim), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftwf_iodim), dimension(*), intent(in) :: howmany_dims
      real(C_FLOAT), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: ro
      real(C_FLOAT), dimension(*), intent(inout) :: io
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_guru64_split_dft_r2c( &
      rank, dims, howmany_rank, howmany_dims, in, ro, io, flags) &
      bind(C, name='fftwf_plan_guru64_split_dft_r2c')
      import
      type(C_PTR) :: fftwf_plan_guru64_split_dft_r2c
      integer(C_INT), value :: rank
      type(fftwf_iodim64), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftwf_iodim64), dimension(*), intent(in) :: howmany_dims
      real(C_FLOAT), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: ro
      real(C_FLOAT), dimension(*), intent(inout) :: io
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_dft_c2r( &
      rank, n, in, out, flags) &
      bind(C, name='fftwf_plan_dft_c2r')
      import
      type(C_PTR) :: fftwf_plan_dft_c2r
      integer(C_INT), value :: rank
      integer(C_INT), dimension(*), intent(in) :: n
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_dft_c2r_1d( &
      n, in, out, flags) &
      bind(C, name='fftwf_plan_dft_c2r_1d')
      import
      type(C_PTR) :: fftwf_plan_dft_c2r_1d
      integer(C_INT), value :: n
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_dft_c2r_2d( &
      n0, n1, in, out, flags) &
      bind(C, name='fftwf_plan_dft_c2r_2d')
      import
      type(C_PTR) :: fftwf_plan_dft_c2r_2d
      integer(C_INT), value :: n0
      integer(C_INT), value :: n1
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_dft_c2r_3d( &
      n0, n1, n2, in, out, flags) &
      bind(C, name='fftwf_plan_dft_c2r_3d')
      import
      type(C_PTR) :: fftwf_plan_dft_c2r_3d
      integer(C_INT), value :: n0
      integer(C_INT), value :: n1
      integer(C_INT), value :: n2
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_many_dft_c2r( &
      rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, flags) &
      bind(C, name='fftwf_plan_many_dft_c2r')
      import
      type(C_PTR) :: fftwf_plan_many_dft_c2r
      integer(C_INT), value :: rank
      integer(C_INT), dimension(*), intent(in) :: n
      integer(C_INT), value :: howmany
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      integer(C_INT), dimension(*), intent(in) :: inembed
      integer(C_INT), value :: istride
      integer(C_INT), value :: idist
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_INT), dimension(*), intent(in) :: onembed
      integer(C_INT), value :: ostride
      integer(C_INT), value :: odist
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_guru_dft_c2r( &
      rank, dims, howmany_rank, howmany_dims, in, out, flags) &
      bind(C, name='fftwf_plan_guru_dft_c2r')
      import
      type(C_PTR) :: fftwf_plan_guru_dft_c2r
      integer(C_INT), value :: rank
      type(fftwf_iodim), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftwf_iodim), dimension(*), intent(in) :: howmany_dims
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_guru64_dft_c2r( &
      rank, dims, howmany_rank, howmany_dims, in, out, flags) &
      bind(C, name='fftwf_plan_guru64_dft_c2r')
      import
      type(C_PTR) :: fftwf_plan_guru64_dft_c2r
      integer(C_INT), value :: rank
      type(fftwf_iodim64), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftwf_iodim64), dimension(*), intent(in) :: howmany_dims
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_guru_split_dft_c2r( &
      rank, dims, howmany_rank, howmany_dims, ri, ii, out, flags) &
      bind(C, name='fftwf_plan_guru_split_dft_c2r')
      import
      type(C_PTR) :: fftwf_plan_guru_split_dft_c2r
      integer(C_INT), value :: rank
      type(fftwf_iodim), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftwf_iodim), dimension(*), intent(in) :: howmany_dims
      real(C_FLOAT), dimension(*), intent(inout) :: ri
      real(C_FLOAT), dimension(*), intent(inout) :: ii
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_guru64_split_dft_c2r( &
      rank, dims, howmany_rank, howmany_dims, ri, ii, out, flags) &
      bind(C, name='fftwf_plan_guru64_split_dft_c2r')
      import
      type(C_PTR) :: fftwf_plan_guru64_split_dft_c2r
      integer(C_INT), value :: rank
      type(fftwf_iodim64), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftwf_iodim64), dimension(*), intent(in) :: howmany_dims
      real(C_FLOAT), dimension(*), intent(inout) :: ri
      real(C_FLOAT), dimension(*), intent(inout) :: ii
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_r2r( &
      rank, n, in, out, kind, flags) &
      bind(C, name='fftwf_plan_r2r')
      import
      type(C_PTR) :: fftwf_plan_r2r
      integer(C_INT), value :: rank
      integer(C_INT), dimension(*), intent(in) :: n
      real(C_FLOAT), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_FFTW_R2R_KIND), dimension(*), intent(in) :: kind
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_r2r_1d( &
      n, in, out, kind, flags) &
      bind(C, name='fftwf_plan_r2r_1d')
      import
      type(C_PTR) :: fftwf_plan_r2r_1d
      integer(C_INT), value :: n
      real(C_FLOAT), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_FFTW_R2R_KIND), value :: kind
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_r2r_2d( &
      n0, n1, in, out, kind0, kind1, flags) &
      bind(C, name='fftwf_plan_r2r_2d')
      import
      type(C_PTR) :: fftwf_plan_r2r_2d
      integer(C_INT), value :: n0
      integer(C_INT), value :: n1
      real(C_FLOAT), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_FFTW_R2R_KIND), value :: kind0
      integer(C_FFTW_R2R_KIND), value :: kind1
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_r2r_3d( &
      n0, n1, n2, in, out, kind0, kind1, kind2, flags) &
      bind(C, name='fftwf_plan_r2r_3d')
      import
      type(C_PTR) :: fftwf_plan_r2r_3d
      integer(C_INT), value :: n0
      integer(C_INT), value :: n1
      integer(C_INT), value :: n2
      real(C_FLOAT), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_FFTW_R2R_KIND), value :: kind0
      integer(C_FFTW_R2R_KIND), value :: kind1
      integer(C_FFTW_R2R_KIND), value :: kind2
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_many_r2r( &
      rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, kind, flags) &
      bind(C, name='fftwf_plan_many_r2r')
      import
      type(C_PTR) :: fftwf_plan_many_r2r
      integer(C_INT), value :: rank
      integer(C_INT), dimension(*), intent(in) :: n
      integer(C_INT), value :: howmany
      real(C_FLOAT), dimension(*), intent(inout) :: in
      integer(C_INT), dimension(*), intent(in) :: inembed
      integer(C_INT), value :: istride
      integer(C_INT), value :: idist
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_INT), dimension(*), intent(in) :: onembed
      integer(C_INT), value :: ostride
      integer(C_INT), value :: odist
      integer(C_FFTW_R2R_KIND), dimension(*), intent(in) :: kind
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_guru_r2r( &
      rank, dims, howmany_rank, howmany_dims, in, out, kind, flags) &
      bind(C, name='fftwf_plan_guru_r2r')
      import
      type(C_PTR) :: fftwf_plan_guru_r2r
      integer(C_INT), value :: rank
      type(fftwf_iodim), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftwf_iodim), dimension(*), intent(in) :: howmany_dims
      real(C_FLOAT), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_FFTW_R2R_KIND), dimension(*), intent(in) :: kind
      integer(C_INT), value :: flags
    end function
    function fftwf_plan_guru64_r2r( &
      rank, dims, howmany_rank, howmany_dims, in, out, kind, flags) &
      bind(C, name='fftwf_plan_guru64_r2r')
      import
      type(C_PTR) :: fftwf_plan_guru64_r2r
      integer(C_INT), value :: rank
      type(fftwf_iodim64), dimension(*), intent(in) :: dims
      integer(C_INT), value :: howmany_rank
      type(fftwf_iodim64), dimension(*), intent(in) :: howmany_dims
      real(C_FLOAT), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
      integer(C_FFTW_R2R_KIND), dimension(*), intent(in) :: kind
      integer(C_INT), value :: flags
    end function
    subroutine fftwf_execute_dft( &
      p, in, out) &
      bind(C, name='fftwf_execute_dft')
      import
      type(C_PTR), value :: p
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
    end subroutine
    subroutine fftwf_execute_split_dft( &
      p, ri, ii, ro, io) &
      bind(C, name='fftwf_execute_split_dft')
      import
      type(C_PTR), value :: p
      real(C_FLOAT), dimension(*), intent(inout) :: ri
      real(C_FLOAT), dimension(*), intent(inout) :: ii
      real(C_FLOAT), dimension(*), intent(inout) :: ro
      real(C_FLOAT), dimension(*), intent(inout) :: io
    end subroutine
    subroutine fftwf_execute_dft_r2c( &
      p, in, out) &
      bind(C, name='fftwf_execute_dft_r2c')
      import
      type(C_PTR), value :: p
      real(C_FLOAT), dimension(*), intent(inout) :: in
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: out
    end subroutine
    subroutine fftwf_execute_split_dft_r2c( &
      p, in, ro, io) &
      bind(C, name='fftwf_execute_split_dft_r2c')
      import
      type(C_PTR), value :: p
      real(C_FLOAT), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: ro
      real(C_FLOAT), dimension(*), intent(inout) :: io
    end subroutine
    subroutine fftwf_execute_dft_c2r( &
      p, in, out) &
      bind(C, name='fftwf_execute_dft_c2r')
      import
      type(C_PTR), value :: p
      complex(C_FLOAT_COMPLEX), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
    end subroutine
    subroutine fftwf_execute_split_dft_c2r( &
      p, ri, ii, out) &
      bind(C, name='fftwf_execute_split_dft_c2r')
      import
      type(C_PTR), value :: p
      real(C_FLOAT), dimension(*), intent(inout) :: ri
      real(C_FLOAT), dimension(*), intent(inout) :: ii
      real(C_FLOAT), dimension(*), intent(inout) :: out
    end subroutine
    subroutine fftwf_execute_r2r( &
      p, in, out) &
      bind(C, name='fftwf_execute_r2r')
      import
      type(C_PTR), value :: p
      real(C_FLOAT), dimension(*), intent(inout) :: in
      real(C_FLOAT), dimension(*), intent(inout) :: out
    end subroutine
    subroutine fftwf_destroy_plan( &
      p) &
      bind(C, name='fftwf_destroy_plan')
      import
      type(C_PTR), value :: p
    end subroutine
    subroutine fftwf_flops( &
      p, add, mul, fmas) &
      bind(C, name='fftwf_flops')
      import
      type(C_PTR), value :: p
      real(C_DOUBLE), intent(out) :: add
      real(C_DOUBLE), intent(out) :: mul
      real(C_DOUBLE), intent(out) :: fmas
    end subroutine
    function fftwf_estimate_cost( &
      p) &
      bind(C, name='fftwf_estimate_cost')
      import
      real(C_DOUBLE) :: fftwf_estimate_cost
      type(C_PTR), value :: p
    end function
    function fftwf_cost( &
      p) &
      bind(C, name='fftwf_cost')
      import
      real(C_DOUBLE) :: fftwf_cost
      type(C_PTR), value :: p
    end function
    subroutine fftwf_fprint_plan( &
      p, output_file) &
      bind(C, name='fftwf_fprint_plan')
      import
      type(C_PTR), value :: p
      type(C_PTR), value :: output_file
    end subroutine
    subroutine fftwf_print_plan( &
      p) &
      bind(C, name='fftwf_print_plan')
      import
      type(C_PTR), value :: p
    end subroutine
    function fftwf_sprint_plan( &
      p) &
      bind(C, name='fftwf_sprint_plan')
      import
      type(C_PTR) :: fftwf_sprint_plan
      type(C_PTR), value :: p
    end function
    function fftwf_malloc( &
      n) &
      bind(C, name='fftwf_malloc')
      import
      type(C_PTR) :: fftwf_malloc
      integer(C_SIZE_T), value :: n
    end function
    function fftwf_alloc_real( &
      n) &
      bind(C, name='fftwf_alloc_real')
      import
      type(C_PTR) :: fftwf_alloc_real
      integer(C_SIZE_T), value :: n
    end function
    function fftwf_alloc_complex( &
      n) &
      bind(C, name='fftwf_alloc_complex')
      import
      type(C_PTR) :: fftwf_alloc_complex
      integer(C_SIZE_T), value :: n
    end function
    subroutine fftwf_free( &
      p) &
      bind(C, name='fftwf_free')
      import
      type(C_PTR), value :: p
    end subroutine
    function fftwf_alignment_of( &
      p) &
      bind(C, name='fftwf_alignment_of')
      import
      integer(C_INT) :: fftwf_alignment_of
      real(C_FLOAT), dimension(*), intent(inout) :: p
    end function
    subroutine fftwf_set_timelimit( &
      t) &
      bind(C, name='fftwf_set_timelimit')
      import
      real(C_DOUBLE), value :: t
    end subroutine
    subroutine fftwf_cleanup( &
      ) &
      bind(C, name='fftwf_cleanup')
      import
    end subroutine
    function fftwf_init_threads( &
      ) &
      bind(C, name='fftwf_init_threads')
      import
      integer(C_INT) :: fftwf_init_threads
    end function
    subroutine fftwf_plan_with_nthreads( &
      nthreads) &
      bind(C, name='fftwf_plan_with_nthreads')
      import
      integer(C_INT), value :: nthreads
    end subroutine
    function fftwf_planner_nthreads( &
      ) &
      bind(C, name='fftwf_planner_nthreads')
      import
      integer(C_INT) :: fftwf_planner_nthreads
    end function
    subroutine fftwf_make_planner_thread_safe( &
      ) &
      bind(C, name='fftwf_make_planner_thread_safe')
      import
    end subroutine
    subroutine fftwf_cleanup_threads( &
      ) &
      bind(C, name='fftwf_cleanup_threads')
      import
    end subroutine
    subroutine fftwf_forget_wisdom( &
      ) &
      bind(C, name='fftwf_forget_wisdom')
      import
    end subroutine
    function fftwf_export_wisdom_to_filename( &
      filename) &
      bind(C, name='fftwf_export_wisdom_to_filename')
      import
      integer(C_INT) :: fftwf_export_wisdom_to_filename
      character(C_CHAR), dimension(*), intent(in) :: filename
    end function
    subroutine fftwf_export_wisdom_to_file( &
      output_file) &
      bind(C, name='fftwf_export_wisdom_to_file')
      import
      type(C_PTR), value :: output_file
    end subroutine
    function fftwf_export_wisdom_to_string( &
      ) &
      bind(C, name='fftwf_export_wisdom_to_string')
      import
      type(C_PTR) :: fftwf_export_wisdom_to_string
    end function
    subroutine fftwf_export_wisdom( &
      write_char, data) &
      bind(C, name='fftwf_export_wisdom')
      import
      type(C_FUNPTR), value :: write_char
      type(C_PTR), value :: data
    end subroutine
    function fftwf_import_system_wisdom( &
      ) &
      bind(C, name='fftwf_import_system_wisdom')
      import
      integer(C_INT) :: fftwf_import_system_wisdom
    end function
    function fftwf_import_wisdom_from_filename( &
      filename) &
      bind(C, name='fftwf_import_wisdom_from_filename')
      import
      integer(C_INT) :: fftwf_import_wisdom_from_filename
      character(C_CHAR), dimension(*), intent(in) :: filename
    end function
    function fftwf_import_wisdom_from_file( &
      input_file) &
      bind(C, name='fftwf_import_wisdom_from_file')
      import
      integer(C_INT) :: fftwf_import_wisdom_from_file
      type(C_PTR), value :: input_file
    end function
    function fftwf_import_wisdom_from_string( &
      input_string) &
      bind(C, name='fftwf_import_wisdom_from_string')
      import
      integer(C_INT) :: fftwf_import_wisdom_from_string
      character(C_CHAR), dimension(*), intent(in) :: input_string
    end function
    function fftwf_import_wisdom( &
      read_char, data) &
      bind(C, name='fftwf_import_wisdom')
      import
      integer(C_INT) :: fftwf_import_wisdom
      type(C_FUNPTR), value :: read_char
      type(C_PTR), value :: data
    end function
  end interface
