# SPDX-License-Identifier: BSD-3-Clause
# How everything here is compiled: build type, warnings, sanitizers, compiler cache.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

if(PROJECT_IS_TOP_LEVEL)
  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(NOT CMAKE_BUILD_TYPE AND NOT multi_config)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  find_program(CCACHE_EXECUTABLE ccache)
  if(CCACHE_EXECUTABLE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # It keeps what is compiled with precompiled headers only if it is told so.
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE_EXECUTABLE}")
  endif()
endif()

# Kernels are useless without optimisation, in whatever project they are built. They are written out by hand: what GCC
# searches them for beyond -O2, and of that, takes a third of the time, and finds nothing.
file(GLOB kernels "${CMAKE_CURRENT_SOURCE_DIR}/src/local/kernels/*.cpp")
set(kernel_options -O3 -fno-tree-vectorize)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(kernel_options -O2 -fno-tree-pre -fno-tree-pta -fno-tree-vrp -fno-ipa-cp)
endif()
# Kernels may have their multiplications joined with additions, as the compiler does unless it is told otherwise; those
# that are reproducible may not, nor may what runs beside them, nor the products of operators, which memory limits.
set(no_other_roundings -ffp-contract=off)
list(APPEND kernel_options $<IF:$<CXX_COMPILER_ID:GNU>,-ffp-contract=fast,-ffp-contract=on>)
if(DEFINED SIXSTEP_KERNEL_OPTIONS)  # scripts/test builds some that only have to be right
  set(kernel_options ${SIXSTEP_KERNEL_OPTIONS})
endif()
set_source_files_properties(${kernels} PROPERTIES COMPILE_OPTIONS "${kernel_options}")
file(GLOB reproducible_kernels "${CMAKE_CURRENT_SOURCE_DIR}/src/local/kernels/reproducible_*.cpp")
set_property(SOURCE ${reproducible_kernels} APPEND PROPERTY COMPILE_OPTIONS ${no_other_roundings})
# GCC 12 joins a multiplication with additions and subtractions in turn, as of complex numbers, in spite of this option.
set_property(SOURCE "${CMAKE_CURRENT_SOURCE_DIR}/src/local/kernels/multiply.cpp"
  "${CMAKE_CURRENT_SOURCE_DIR}/src/local/kernels/pair_transform.cpp" APPEND PROPERTY
  COMPILE_OPTIONS ${no_other_roundings} $<$<CXX_COMPILER_ID:GNU>:-fno-tree-vectorize>)
# For aarch64, GCC 12 removes dead instructions of this file without end.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set_property(SOURCE "${CMAKE_CURRENT_SOURCE_DIR}/src/local/kernels/geometric_sums.cpp" APPEND PROPERTY
    COMPILE_OPTIONS -fno-dce)
endif()

# What runs once a plan, or once for much data: more than -O1 takes a third longer to compile, and no benchmark tells
# the difference. The heap is what GCC fills before it looks for memory to use again, which it has no need to.
set(once_a_plan "$<$<NOT:$<CONFIG:Debug,MinSizeRel>>:-O1>" $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=400000>)
# But this file, alone in its folder, goes through data element by element.
set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/src/exchange/turn.cpp" PROPERTIES
  COMPILE_OPTIONS "$<$<NOT:$<CONFIG:Debug,MinSizeRel>>:-O3>")

# The half that uses MPI. The tests under the address sanitizer run little of it, so it need not be fast there.
set(once_a_plan_on_ranks "${once_a_plan}")
if(SIXSTEP_SANITIZE MATCHES "address")
  list(APPEND once_a_plan_on_ranks -O0)
endif()

# The least instruction set of x86, SSE4.2 of 2008: Highway would compile for machines without it, too.
set(least_instruction_set "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(least_instruction_set -msse4.2 -maes -mpclmul)
  set_property(SOURCE ${kernels} src/local/targets.cpp APPEND PROPERTY COMPILE_OPTIONS ${least_instruction_set})
endif()

if(SIXSTEP_SANITIZE)
  # A quarter of the compile time goes into the checks that are left out. They fail only where the address sanitizer
  # does, too.
  set(sanitizing -fsanitize=${SIXSTEP_SANITIZE} -fno-sanitize=null,object-size,vptr -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  # Sanitizers call dlopen() in our place, so that only a run path of the old kind, which holds for all, is heeded.
  add_link_options(-fsanitize=${SIXSTEP_SANITIZE} -Wl,--disable-new-dtags)
  # Sanitized kernels take long to compile: accesses of memory, by calls, in one instruction set are
  # enough.
  add_compile_definitions(HWY_COMPILE_ONLY_STATIC)
  set_source_files_properties(src/local/kernels/codelets_double.cpp src/local/kernels/codelets_float.cpp
    src/local/kernels/cosine_codelets.cpp src/local/kernels/columns_double.cpp src/local/kernels/columns_float.cpp
    src/local/kernels/matrix_product.cpp src/local/kernels/real_kernels.cpp PROPERTIES
    COMPILE_OPTIONS "-fno-sanitize=undefined;--param=asan-instrumentation-with-call-threshold=0")
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    list(APPEND sanitizing -march=x86-64-v3 -maes -mpclmul)
  endif()
  add_compile_options(${sanitizing})
endif()

add_library(sixstep_warnings INTERFACE)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(sixstep_warnings INTERFACE
    -Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${SIXSTEP_WERROR}>:-Werror>)
endif()
