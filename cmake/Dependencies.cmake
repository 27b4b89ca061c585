# SPDX-License-Identifier: BSD-3-Clause
# What the library itself needs. Tests, command and benchmarks look for the rest where they use it.

set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI 3.0 REQUIRED COMPONENTS CXX)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(PkgConfig REQUIRED)
# Headers alone, for machine files.
find_package(nlohmann_json REQUIRED)

# Highway brings a CMake package in most distributions, and a pkg-config file in all.
find_package(hwy CONFIG QUIET)
if(NOT TARGET hwy::hwy)
  pkg_check_modules(libhwy REQUIRED IMPORTED_TARGET GLOBAL libhwy)
  add_library(hwy::hwy ALIAS PkgConfig::libhwy)
endif()

# Headers alone: an installed sixstep does without.
find_package(nlohmann_json REQUIRED)
