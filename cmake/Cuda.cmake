# SPDX-License-Identifier: BSD-3-Clause
# Whether GPUs of NVIDIA's can be worked on: SIXSTEP_HAVE_CUDA; and where NCCL is: SIXSTEP_NCCL_INCLUDE_DIR.

set(SIXSTEP_HAVE_CUDA OFF)
if(SIXSTEP_CUDA STREQUAL "OFF" OR (SIXSTEP_SANITIZE AND NOT SIXSTEP_CUDA STREQUAL "ON"))
  return()
endif()

# Sets `reason` to why CUDA cannot be used, else to "". A toolkit that CMake does not know, or whose compiler fails, is
# no obstacle to a library without GPUs.
include(CheckLanguage)
macro(sixstep_try_cuda reason)
  set(${reason} "")
  check_language(CUDA)
  find_package(CUDAToolkit QUIET)
  if(NOT CMAKE_CUDA_COMPILER)
    set(${reason} "no nvcc that works was found")
  elseif(NOT TARGET CUDA::cufft)
    set(${reason} "cuFFT was not found")
  else()
    # Ampere, Hopper, Blackwell; later ones compile what is meant for the last.
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 100)
    endif()
    if(CCACHE_EXECUTABLE AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
      set(CMAKE_CUDA_COMPILER_LAUNCHER "${CCACHE_EXECUTABLE}")
    endif()
    enable_language(CUDA)
    if(NOT "cuda_std_17" IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
      set(${reason} "CMake ${CMAKE_VERSION} does not know how nvcc ${CMAKE_CUDA_COMPILER_VERSION} is told C++17")
    else()
      try_compile(SIXSTEP_CUDA_COMPILES "${CMAKE_CURRENT_BINARY_DIR}/cuda" "${CMAKE_CURRENT_LIST_DIR}/cuda.cu"
        CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON OUTPUT_VARIABLE cuda_output)
      if(NOT SIXSTEP_CUDA_COMPILES)
        set(${reason}
          "${CMAKE_CUDA_COMPILER} does not compile a kernel for ${CMAKE_CUDA_ARCHITECTURES}: ${cuda_output}")
      endif()
    endif()
  endif()
endmacro()

sixstep_try_cuda(no_cuda)
if(NOT no_cuda)
  set(SIXSTEP_HAVE_CUDA ON)
  find_path(SIXSTEP_NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  mark_as_advanced(SIXSTEP_NCCL_INCLUDE_DIR)
  set(with_nccl "")
  if(SIXSTEP_NCCL_INCLUDE_DIR)
    set(with_nccl ", NCCL")
  endif()
  message(STATUS "GPUs: CUDA ${CUDAToolkit_VERSION}${with_nccl}")
elseif(SIXSTEP_CUDA STREQUAL "ON")
  message(FATAL_ERROR
    "SIXSTEP_CUDA: CUDA's toolkit with nvcc and cuFFT is needed: ${no_cuda}. Name another nvcc with "
    "-DCMAKE_CUDA_COMPILER=..., or leave SIXSTEP_CUDA=AUTO")
else()
  message(STATUS "GPUs: left out, ${no_cuda}")
endif()
