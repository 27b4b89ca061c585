# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Functions for scripts: FFTW's programs `bench` and `mpi-bench`, unchanged, from Debian's source package.
# They are built in build/clients, and load the libraries that LD_LIBRARY_PATH names.

# get_fftw PRECISION: FFTW's sources, and its objects for test programs. Sets source and build.
get_fftw() {
  local folder=$PWD/build/clients single=()
  source=$folder/fftw
  build=$folder/fftw-$1
  [[ ! -e $build/libbench2/libbench2.a ]] || return 0
  [[ -e $source ]] || bench/debian-source fftw3 "$source" "$folder/downloads"
  mkdir -p "$build"
  [[ $1 == double ]] || single=(--enable-float)
  (cd "$build" && ../fftw/configure --disable-fortran --disable-doc "${single[@]}" >configure.log)
  make -s -C "$build/libbench2" CFLAGS=-O2
}

# compile PROGRAM COMPILER WORDS...: from these sources and libraries, and FFTW's code for test programs. It asks for
# names that no library exports, to count FFTW's operations.
compile() {
  local hook='void install_hook(void) {} void uninstall_hook(void) {}'
  local include=(-I"$build" -I"$source" -I"$source/api" -I"$source/libbench2" -I"$source/mpi")
  program=$1
  [[ -e $program ]] || "$2" -O2 -fPIC "${include[@]}" "$source/tests/fftw-bench.c" -x c <(echo "$hook") -x none \
    "${@:3}" -lm -o "$program"
}

# build_bench PRECISION LIBRARIES: bench, linked with the libraries of that folder. Sets program.
build_bench() {
  local suffix=''
  [[ $1 == double ]] || suffix=f
  compile "$build/bench" gcc "$source/tests/bench.c" "$build/libbench2/libbench2.a" -L"$2" "-lfftw3$suffix"
}

# build_mpi_bench MPI LIBRARIES [fftw_malloc]: mpi-bench in double precision; with the third word, its arrays come from
# fftw_malloc and not from its own allocator. Sets program.
build_mpi_bench() {
  local arrays=()
  [[ -z ${3:-} ]] || arrays=(-Dbench_malloc=fftw_malloc -Dbench_free=fftw_free)
  compile "$build/mpi-bench-$1${3:+-$3}" "mpicc.$1" "${arrays[@]}" "$source/mpi/mpi-bench.c" \
    "$build/libbench2/libbench2.a" -L"$2" -lfftw3_mpi -lfftw3
}

# set_start MPI RANKS BUILD: how ranks are started. Those that wait let others run, as in the tests: there may be more
# of them than cores. Sets start.
set_start() {
  start=("mpiexec.$1" -n "$2")
  if [[ $1 == mpich ]]; then
    start+=(-genv LD_PRELOAD "$3/tests/yield_when_idle.so")
  else
    start+=(--oversubscribe)
  fi
}

export OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_pml=ob1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_vader_single_copy_mechanism=none
export UCX_LOG_LEVEL=error PMIX_MCA_gds=hash
