// SPDX-License-Identifier: BSD-3-Clause
// What a program of several ranks calls around plans: its beginning and end, executions on other
// arrays, and wisdom.
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "mpi_names.hpp"
#include "runtime/openable.hpp"

using namespace sixstep::fftw;

namespace {

using Planned = SIXSTEP_FFTW(plan);

struct FreeWords {
  void operator()(char* words) const { std::free(words); }
};

std::string wisdom_here() {
  std::unique_ptr<char, FreeWords> const words(SIXSTEP_FFTW(export_wisdom_to_string)());
  return words ? std::string(words.get()) : std::string();
}

/// The way out for programs that call free() for arrays of fftw_malloc.
bool shares_arrays() {
  char const* const wanted = std::getenv("SIXSTEP_FFTW_MALLOC");
  return wanted == nullptr || wanted != std::string("private");
}

int free_openable(void* array) { return sixstep::release_openable(array) ? 1 : 0; }

}  // namespace

extern "C" {

void SIXSTEP_FFTW(mpi_init)() {
  int is_running = 0, ranks = 2;  // unknown
  MPI_Initialized(&is_running);
  if (is_running != 0) MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > 1 && shares_arrays())
    SIXSTEP_FFTW(sixstep_allocation)(sixstep::allocate_openable, free_openable);
}

// Arrays may outlive this.
void SIXSTEP_FFTW(mpi_cleanup)() {
  SIXSTEP_FFTW(sixstep_allocation)(nullptr, free_openable);
  SIXSTEP_FFTW(cleanup)();
}

void SIXSTEP_FFTW(mpi_execute_dft)(Planned plan, FftwComplex* in, FftwComplex* out) {
  SIXSTEP_FFTW(execute_dft)(plan, in, out);
}

void SIXSTEP_FFTW(mpi_execute_dft_r2c)(Planned plan, Real* in, FftwComplex* out) {
  SIXSTEP_FFTW(execute_dft_r2c)(plan, in, out);
}

void SIXSTEP_FFTW(mpi_execute_dft_c2r)(Planned plan, FftwComplex* in, Real* out) {
  SIXSTEP_FFTW(execute_dft_c2r)(plan, in, out);
}

void SIXSTEP_FFTW(mpi_execute_r2r)(Planned plan, Real* in, Real* out) {
  SIXSTEP_FFTW(execute_r2r)(plan, in, out);
}

void SIXSTEP_FFTW(mpi_broadcast_wisdom)(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::string words = rank == 0 ? wisdom_here() : std::string();
  int length = static_cast<int>(words.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, comm);
  words.resize(static_cast<std::size_t>(length));
  MPI_Bcast(words.data(), length, MPI_CHAR, 0, comm);
  if (rank != 0) SIXSTEP_FFTW(import_wisdom_from_string)(words.c_str());
}

void SIXSTEP_FFTW(mpi_gather_wisdom)(MPI_Comm comm) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  std::string const words = rank == 0 ? std::string() : wisdom_here();
  int const length = static_cast<int>(words.size());
  std::vector<int> lengths(static_cast<std::size_t>(ranks)), starts(lengths.size() + 1);
  MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm);
  std::partial_sum(lengths.begin(), lengths.end(), starts.begin() + 1);
  std::string all(static_cast<std::size_t>(starts.back()), '\0');
  MPI_Gatherv(words.data(), length, MPI_CHAR, all.data(), lengths.data(), starts.data(), MPI_CHAR,
              0, comm);
  for (std::size_t other = 1; other < lengths.size() && rank == 0; ++other)
    SIXSTEP_FFTW(import_wisdom_from_string)
  (all.substr(static_cast<std::size_t>(starts[other]), static_cast<std::size_t>(lengths[other]))
       .c_str());
}

}  // extern "C"
