# SPDX-License-Identifier: BSD-3-Clause
# A module for each of several MPIs. None is linked to a library of MPI: _library.py loads the one that is there.

# What knows no MPI, the kernels above all, is one library for all modules of the wheel, which lies beside them. Its
# name is of no other library, as a process loads a name once.
set(shown $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
sixstep_compiled(sixstep_data_shown "${no_other_roundings};${shown}" ${data_sources})
sixstep_compiled(sixstep_planning_shown "${once_a_plan};${shown}" ${planning_sources})
set_target_properties(sixstep_data_shown sixstep_planning_shown PROPERTIES CXX_VISIBILITY_PRESET default)
set(sixstep_pure
  $<TARGET_OBJECTS:sixstep_kernels> $<TARGET_OBJECTS:sixstep_data_shown> $<TARGET_OBJECTS:sixstep_planning_shown>)
sixstep_library(sixstep_without_mpi SHARED)
set(exports "${PROJECT_SOURCE_DIR}/packaging/wheels/library.map")
target_link_options(sixstep_without_mpi PRIVATE "-Wl,--version-script=${exports}")
set_target_properties(sixstep_without_mpi PROPERTIES
  OUTPUT_NAME sixstep_of_wheel-${PROJECT_VERSION} LINK_DEPENDS "${exports}")
install(TARGETS sixstep_without_mpi LIBRARY DESTINATION sixstep COMPONENT python)

add_library(sixstep_for_mpis INTERFACE)
target_compile_features(sixstep_for_mpis INTERFACE cxx_std_20)
target_compile_definitions(sixstep_for_mpis INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
target_include_directories(sixstep_for_mpis
  INTERFACE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")

set(sixstep_python_modules)
foreach(mpi IN LISTS SIXSTEP_PYTHON_MPIS)
  string(REGEX MATCH "^(mpich|openmpi|abi)=(.+)$" matched "${mpi}")
  if(NOT matched)
    message(FATAL_ERROR "SIXSTEP_PYTHON_MPIS: mpich, openmpi or abi=COMPILER is needed, ${mpi} was given")
  endif()
  set(name ${CMAKE_MATCH_1})
  set(compiler "${CMAKE_MATCH_2}")
  execute_process(COMMAND "${compiler}" -show OUTPUT_VARIABLE line COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(line UNIX_COMMAND "${line}")
  set(compile_flags ${line})
  list(FILTER compile_flags INCLUDE REGEX "^-[DI]")
  list(TRANSFORM compile_flags REPLACE "^-I" "-isystem")
  set(link_flags ${line})
  list(FILTER link_flags INCLUDE REGEX "^-([Ll]|Wl,)")

  # For the MPI that CMake finds these are the library's own, which a compiler cache may know.
  set(objects sixstep_objects)
  if(NOT compiler STREQUAL MPI_CXX_COMPILER)
    set(objects sixstep_objects_${name})
    sixstep_compiled(${objects} "${once_a_plan}" ${sixstep_sources})
    target_compile_options(${objects} PRIVATE ${compile_flags})
    target_link_libraries(${objects} PRIVATE sixstep_for_mpis)
  endif()
  add_library(sixstep_${name} STATIC $<TARGET_OBJECTS:${objects}>)
  target_compile_options(sixstep_${name} PUBLIC ${compile_flags})
  target_link_libraries(sixstep_${name}
    PUBLIC sixstep_for_mpis sixstep_without_mpi PRIVATE OpenMP::OpenMP_CXX ${CMAKE_DL_LIBS})
  set_target_properties(sixstep_${name} PROPERTIES LINKER_LANGUAGE CXX)

  add_module(_core_${name} sixstep_${name})
  target_compile_definitions(_core_${name} PRIVATE SIXSTEP_PYTHON_MPI="${name}")
  set_target_properties(_core_${name} PROPERTIES
    INSTALL_RPATH "$ORIGIN/../.."
    OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  install(TARGETS _core_${name} LIBRARY DESTINATION sixstep/_for/${name} COMPONENT python)
  list(APPEND sixstep_python_modules _core_${name})

  # Linked to MPI, to be loaded for the stub alone.
  if(NOT TARGET _core)
    add_library(_core MODULE $<TARGET_OBJECTS:_core_${name}>)
    set_target_properties(_core PROPERTIES PREFIX "" LINKER_LANGUAGE CXX)
    if(TARGET nanobind-static-abi3)
      nanobind_extension_abi3(_core)
      target_link_libraries(_core PRIVATE nanobind-static-abi3)
    else()
      nanobind_extension(_core)
      target_link_libraries(_core PRIVATE nanobind-static)
    endif()
    target_link_libraries(_core PRIVATE sixstep_${name} ${link_flags})
  endif()
endforeach()
