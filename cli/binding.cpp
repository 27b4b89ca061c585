// SPDX-License-Identifier: BSD-3-Clause
// Binds threads to cores, by hwloc.
#include "binding.hpp"

#include <hwloc.h>
#include <hwloc/glibc-sched.h>
#include <omp.h>
#include <sched.h>

#include <atomic>
#include <climits>
#include <vector>

#include "base/run_team.hpp"
#include "ranks.hpp"
#include "runtime/mpi.hpp"

namespace sixstep::cli {
namespace {

/// The cores that the ranks of a node may use, and their threads.
struct Neighbours {
  std::vector<cpu_set_t> cores;  // of each rank
  std::vector<int> threads;
  int self = 0;
};

Neighbours find_neighbours(MPI_Comm comm, int threads) {
  MPI_Comm node = MPI_COMM_NULL;
  mpi::meet(comm);
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank_of(comm), MPI_INFO_NULL, &node);
  auto const ranks = static_cast<std::size_t>(ranks_of(node));
  Neighbours found{std::vector<cpu_set_t>(ranks), std::vector<int>(ranks), rank_of(node)};
  cpu_set_t mine;
  CPU_ZERO(&mine);
  sched_getaffinity(0, sizeof mine, &mine);
  mpi::gather_to_all(node, &mine, found.cores.data(), sizeof mine);
  mpi::gather_to_all(node, &threads, found.threads.data(), sizeof threads);
  MPI_Comm_free(&node);
  return found;
}

/// A core for each thread of this rank; empty if there are too few cores.
std::vector<hwloc_bitmap_t> deal(hwloc_topology_t topology, Neighbours const& node) {
  auto const self = static_cast<std::size_t>(node.self);
  int before = 0, all = 0;  // threads of the ranks that share these cores
  for (std::size_t rank = 0; rank < node.cores.size(); ++rank) {
    cpu_set_t common;
    CPU_AND(&common, &node.cores[rank], &node.cores[self]);
    if (CPU_COUNT(&common) == 0) continue;
    if (!CPU_EQUAL(&node.cores[rank], &node.cores[self])) return {};
    if (rank < self) before += node.threads[rank];
    all += node.threads[rank];
  }
  hwloc_bitmap_t const mine = hwloc_bitmap_alloc();
  hwloc_cpuset_from_glibc_sched_affinity(topology, mine, &node.cores[self], sizeof(cpu_set_t));
  hwloc_topology_restrict(topology, mine, 0);
  hwloc_bitmap_free(mine);
  if (all > hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE)) return {};
  std::vector<hwloc_bitmap_t> sets(static_cast<std::size_t>(all));
  hwloc_obj_t root = hwloc_get_root_obj(topology);
  hwloc_distrib(topology, &root, 1, sets.data(), static_cast<unsigned>(all), INT_MAX, 0);
  std::vector<hwloc_bitmap_t> own;
  for (int i = 0; i < all; ++i) {
    hwloc_bitmap_t const set = sets[static_cast<std::size_t>(i)];
    if (i >= before && i < before + node.threads[self])
      own.push_back(set);
    else
      hwloc_bitmap_free(set);
  }
  return own;
}

}  // namespace

std::string bind_threads(MPI_Comm comm, int threads) {
  Neighbours const node = find_neighbours(comm, threads);
  Index const bound = max_over(comm, Index{omp_get_proc_bind() != omp_proc_bind_false});
  if (bound != 0) return "bound by OpenMP";
  hwloc_topology_t topology = nullptr;
  bool const found = hwloc_topology_init(&topology) == 0 && hwloc_topology_load(topology) == 0;
  std::vector<hwloc_bitmap_t> const cores =
      found ? deal(topology, node) : std::vector<hwloc_bitmap_t>();
  bool const all = max_over(comm, Index{cores.empty()}) == 0;
  std::atomic<int> failed = 0;
  if (all)
    run_team(threads, [&](int thread, int) {
      hwloc_bitmap_t const core = cores[static_cast<std::size_t>(thread)];
      if (hwloc_set_cpubind(topology, core, HWLOC_CPUBIND_THREAD) != 0) ++failed;
    });
  for (hwloc_bitmap_t core : cores) hwloc_bitmap_free(core);
  if (topology != nullptr) hwloc_topology_destroy(topology);
  bool const done = max_over(comm, Index{failed.load()}) == 0;
  return all && done ? "each bound to a core of its own" : "not bound";
}

}  // namespace sixstep::cli
