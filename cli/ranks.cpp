// SPDX-License-Identifier: BSD-3-Clause
// The commands' use of MPI: its start and end, errors on all ranks, small reductions.
#include "ranks.hpp"

#include <cstdio>
#include <cstdlib>

#include "terminal.hpp"

namespace sixstep::cli {

int launched_rank() {
  // MPICH and Intel MPI, Open MPI, PMIx, Cray PALS, and Slurm's own launcher. Slurm comes last:
  // its variable is also set, to 0, for every process that mpiexec starts in a batch script.
  for (char const* name :
       {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PALS_RANKID", "SLURM_PROCID"})
    if (char const* const value = std::getenv(name))
      if (auto const rank = read_number<int>(value)) return *rank;
  return 0;
}

int with_mpi(std::function<void(MPI_Comm)> const& command, char const* program, int level) {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, level, &provided);
  int exit_code = EXIT_SUCCESS;
  try {
    command(MPI_COMM_WORLD);
    require_printed();
  } catch (Error const& error) {
    if (rank_of(MPI_COMM_WORLD) == 0) complain(error.what(), program);
    exit_code = EXIT_FAILURE;
  } catch (std::exception const& error) {
    complain(text("rank ", rank_of(MPI_COMM_WORLD), ": ", error.what()), program);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  std::fflush(stderr);
  // No rank may exit with an error code before the message is printed: some launchers then end the
  // job.
  mpi::meet(MPI_COMM_WORLD);
  MPI_Finalize();
  return exit_code;
}

int ranks_of(MPI_Comm comm) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  return ranks;
}

double max_over(MPI_Comm comm, double value) {
  mpi::reduce_to_all(comm, &value, 1, MPI_DOUBLE, MPI_MAX);
  return value;
}

Index max_over(MPI_Comm comm, Index value) {
  mpi::reduce_to_all(comm, &value, 1, MPI_INT64_T, MPI_MAX);
  return value;
}

}  // namespace sixstep::cli
