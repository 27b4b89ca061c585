# SPDX-License-Identifier: BSD-3-Clause
# What the library itself needs, and how parts are come by. Tests, command and benchmarks look for the rest where they
# use it.

option(SIXSTEP_FETCH "Fetch Highway, nlohmann-json and CLI11 where the system does not have them" ON)

# Ends with what to install.
function(sixstep_require found what debian fedora conda spack)
  if(NOT found)
    message(FATAL_ERROR "${what} is needed and was not found. Packages: Debian and Ubuntu ${debian}; Fedora ${fedora}; "
      "conda ${conda}; Spack ${spack}. ${ARGN}")
  endif()
endfunction()

function(sixstep_require_target target)
  set(found OFF)
  if(TARGET ${target})
    set(found ON)
  endif()
  sixstep_require(${found} ${ARGN} "Or let it be fetched: -DSIXSTEP_FETCH=ON.")
endfunction()

# A release of a public repository on GitHub, known by its SHA-256, compiled into ours and not installed; or the folder
# that FETCHCONTENT_SOURCE_DIR_<NAME> has. What else it would build is turned off.
include(FetchContent)
function(sixstep_fetch name archive sha256)
  string(TOUPPER ${name} upper)
  if(NOT SIXSTEP_FETCH AND NOT FETCHCONTENT_SOURCE_DIR_${upper})
    return()
  endif()
  set(url "https://github.com/${archive}")
  if(FETCHCONTENT_SOURCE_DIR_${upper})
    set(url "${FETCHCONTENT_SOURCE_DIR_${upper}}")
  endif()
  message(STATUS "${name}: not on this system, taken from ${url} (SIXSTEP_FETCH=OFF forbids it)")
  foreach(option IN LISTS ARGN)
    set(${option} OFF)
  endforeach()
  set(BUILD_SHARED_LIBS OFF)
  set(BUILD_TESTING OFF)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  FetchContent_Declare(${name} URL "https://github.com/${archive}" URL_HASH SHA256=${sha256}
    DOWNLOAD_EXTRACT_TIMESTAMP ON)
  FetchContent_MakeAvailable(${name})
endfunction()

set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI 3.0 QUIET COMPONENTS CXX)
sixstep_require("${MPI_CXX_FOUND}" "MPI 3 with a C++ compiler" "libmpich-dev or libopenmpi-dev"
  "mpich-devel or openmpi-devel (and `module load mpi`)" "mpich or openmpi" "mpich or openmpi"
  "One that lies elsewhere is named by -DMPI_CXX_COMPILER=/path/to/mpicxx; on a cluster, load its module first.")
message(STATUS "MPI: ${MPI_CXX_COMPILER} ${MPI_CXX_LIBRARIES}")
find_package(OpenMP QUIET COMPONENTS CXX)
sixstep_require("${OpenMP_CXX_FOUND}"
  "OpenMP for ${CMAKE_CXX_COMPILER}" "libomp-dev (of Clang's version; GCC brings it)"
  "libomp-devel" "llvm-openmp or libgomp" "llvm-openmp")
find_package(PkgConfig QUIET)

# Headers alone: an installed sixstep does without.
find_package(nlohmann_json QUIET)
if(NOT nlohmann_json_FOUND)
  sixstep_fetch(json nlohmann/json/releases/download/v3.11.3/json.tar.xz
    d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d JSON_BuildTests JSON_Install
    JSON_MultipleHeaders)
endif()
sixstep_require_target(nlohmann_json::nlohmann_json "nlohmann-json" nlohmann-json3-dev json-devel nlohmann_json
  nlohmann-json)

# Highway brings a CMake package in most distributions, and a pkg-config file in all. Before 1.0.4 it has no NEON
# without AES, and GCC compiles no kernels with that one for any aarch64 processor. Debian 12 has 1.0.3.
set(SIXSTEP_HAS_OWN_HIGHWAY OFF)
set(highway Highway)
set(least_highway)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(highway "Highway 1.0.4 or later")
  set(least_highway 1.0.4)
endif()
find_package(hwy ${least_highway} CONFIG QUIET)
if(NOT TARGET hwy::hwy AND PkgConfig_FOUND)
  list(TRANSFORM least_highway PREPEND ">=")
  pkg_check_modules(libhwy QUIET IMPORTED_TARGET GLOBAL libhwy${least_highway})
  if(libhwy_FOUND)
    add_library(hwy::hwy ALIAS PkgConfig::libhwy)
  endif()
endif()
if(NOT TARGET hwy::hwy)
  sixstep_fetch(highway google/highway/archive/refs/tags/1.2.0.tar.gz
    7e0be78b8318e8bdbf6fa545d2ecb4c90f947df03f7aadc42c1967f019e63343
    HWY_ENABLE_TESTS HWY_ENABLE_EXAMPLES HWY_ENABLE_CONTRIB HWY_ENABLE_INSTALL)
  if(TARGET hwy)
    set(SIXSTEP_HAS_OWN_HIGHWAY ON)
    # Warnings of others are not for us.
    get_target_property(highway_headers hwy INTERFACE_INCLUDE_DIRECTORIES)
    set_target_properties(hwy PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${highway_headers}")
    add_library(hwy::hwy ALIAS hwy)
  endif()
endif()
sixstep_require_target(hwy::hwy "${highway}" libhwy-dev highway-devel libhwy highway)

if(SIXSTEP_BUILD_CLI OR SIXSTEP_BUILD_EXAMPLES OR SIXSTEP_BUILD_TESTS OR SIXSTEP_BUILD_BENCH)
  find_package(CLI11 QUIET)
  if(NOT CLI11_FOUND)
    sixstep_fetch(cli11 CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
      f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a
      CLI11_BUILD_TESTS CLI11_BUILD_EXAMPLES CLI11_BUILD_DOCS CLI11_INSTALL)
  endif()
  sixstep_require_target(CLI11::CLI11
    "CLI11, for the command sixstep and other programs" libcli11-dev cli11-devel cli11 cli11)
endif()
