# SPDX-License-Identifier: BSD-3-Clause
# Whether GPUs of NVIDIA's can be worked on: SIXSTEP_HAVE_CUDA; and where NCCL is: SIXSTEP_NCCL_INCLUDE_DIR.

set(SIXSTEP_HAVE_CUDA OFF)
if(SIXSTEP_CUDA STREQUAL "OFF" OR (SIXSTEP_SANITIZE AND NOT SIXSTEP_CUDA STREQUAL "ON"))
  return()
endif()
include(CheckLanguage)
check_language(CUDA)
find_package(CUDAToolkit QUIET)
if(CMAKE_CUDA_COMPILER AND TARGET CUDA::cufft)
  # Ampere, Hopper, Blackwell; later ones compile what is meant for the last.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 100)
  endif()
  if(CCACHE_EXECUTABLE AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
    set(CMAKE_CUDA_COMPILER_LAUNCHER "${CCACHE_EXECUTABLE}")
  endif()
  enable_language(CUDA)
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
    "SIXSTEP_CUDA: CUDA's toolkit with nvcc and cuFFT is needed and was not found; name its nvcc with "
    "-DCMAKE_CUDA_COMPILER=..., or leave SIXSTEP_CUDA=AUTO")
endif()
