// SPDX-License-Identifier: BSD-3-Clause
// `sixstep info`: prints facts about the machine. It needs no ranks, and does not start MPI.
#include <hwloc.h>
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.hpp"
#include "device/backend.hpp"
#include "local/library.hpp"
#include "local/transform.hpp"
#include "ranks.hpp"
#include "runtime/arena.hpp"
#include "sixstep/device.hpp"
#include "sixstep/version.hpp"
#include "table.hpp"
#include "terminal.hpp"

namespace sixstep::cli {
namespace {

constexpr char info_examples[] = R"(Examples:
  sixstep info
  sixstep info --json | jq .cores
  mpiexec -n 4 sixstep info
      the cores that the launcher lets rank 0 use)";

struct Hardware {
  std::string processor;
  int cores = 0;
  int hardware_threads = 0;
  int usable_threads = 0;  // hardware threads on which this process may run
  int numa_nodes = 0;
  double memory_bytes = 0;
  std::array<double, 3> cache_bytes{};  // of one data cache of level 1, 2, 3; 0: none found
};

Hardware find_machine() {
  hwloc_topology_t topology = nullptr;
  require(hwloc_topology_init(&topology) == 0 && hwloc_topology_load(topology) == 0,
          "hwloc cannot tell what this machine is");
  Hardware machine;
  machine.cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
  machine.hardware_threads = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
  machine.numa_nodes = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
  machine.memory_bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));

  constexpr std::array levels = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE};
  for (std::size_t level = 0; level < levels.size(); ++level)
    if (hwloc_obj_t const cache = hwloc_get_obj_by_type(topology, levels[level], 0))
      machine.cache_bytes[level] = static_cast<double>(cache->attr->cache.size);

  hwloc_obj_t const package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
  for (hwloc_obj_t const object : {package, hwloc_get_root_obj(topology)})
    if (object != nullptr && machine.processor.empty())
      if (char const* model = hwloc_obj_get_info_by_name(object, "CPUModel"))
        machine.processor = model;

  hwloc_bitmap_t const bound = hwloc_bitmap_alloc();
  machine.usable_threads = hwloc_get_cpubind(topology, bound, HWLOC_CPUBIND_PROCESS) == 0
                               ? hwloc_bitmap_weight(bound)
                               : machine.hardware_threads;
  hwloc_bitmap_free(bound);
  hwloc_topology_destroy(topology);
  return machine;
}

std::string mpi_standard() {
  int major = 0;
  int minor = 0;
  MPI_Get_version(&major, &minor);
  return text(major, ".", minor);
}

/// The name and version of the library that --local would choose, in double precision.
std::string kernels_told(Local whose) {
  try {
    return local::library<double>(whose).name;
  } catch (Error const&) {
    return "not found";
  }
}

/// Whether ranks of a node share memory in huge pages; if not, how to turn that on.
std::string huge_pages_told() {
  std::string const word = shared_huge_pages();
  if (word.empty()) return "not known to this system";
  if (word != "never" && word != "deny") return text("on (", word, ")");
  return text("off (", word,
              "); on: echo advise > /sys/kernel/mm/transparent_hugepage/shmem_enabled, as root");
}

/// The GPUs that plans can use; if there are none, the reason.
std::string gpus_told() {
  std::string words;
  for (std::string const& name : devices(Device::cuda))
    words += text(words.empty() ? "" : ", ", name);
  if (!words.empty()) return words;
  return device::has_cuda() ? "none found" : "none (built without CUDA)";
}

void print_table(Hardware const& machine) {
  auto const size = [](double bytes) { return bytes > 0 ? bytes_text(bytes) : "none found"; };
  print(Table{
      {"sixstep", version},
      {"MPI library", mpi::library()},
      {"MPI standard", mpi_standard()},
      {"instruction set", local::instruction_set()},
      {"FFTW", kernels_told(Local::fftw)},
      {"MKL", kernels_told(Local::mkl)},
      {"processor", machine.processor.empty() ? "unknown" : machine.processor},
      {"cores", text(machine.cores, " (", machine.hardware_threads, " hardware threads, ",
                     machine.usable_threads, " of them for this process)")},
      {"level 1 data cache", size(machine.cache_bytes[0])},
      {"level 2 cache", size(machine.cache_bytes[1])},
      {"level 3 cache", size(machine.cache_bytes[2])},
      {"memory", size(machine.memory_bytes)},
      {"GPUs", gpus_told()},
      {"shared huge pages", huge_pages_told()},
      {"NUMA nodes", text(machine.numa_nodes)},
      {"OpenMP threads", text(omp_get_max_threads())},
  });
}

void print_json(Hardware const& machine) {
  nlohmann::ordered_json const facts = {
      {"version", version},
      {"mpi_library", mpi::library()},
      {"mpi_standard", mpi_standard()},
      {"instruction_set", local::instruction_set()},
      {"fftw", kernels_told(Local::fftw)},
      {"mkl", kernels_told(Local::mkl)},
      {"processor", machine.processor},
      {"cores", machine.cores},
      {"hardware_threads", machine.hardware_threads},
      {"usable_threads", machine.usable_threads},
      {"cache_bytes", machine.cache_bytes},
      {"memory_bytes", machine.memory_bytes},
      {"gpus", devices(Device::cuda)},
      {"shared_huge_pages", shared_huge_pages()},
      {"numa_nodes", machine.numa_nodes},
      {"openmp_threads", omp_get_max_threads()},
  };
  std::fputs(to_lines(facts).c_str(), stdout);
}

}  // namespace

void add_info(CLI::App& app, Run& run) {
  auto const json = std::make_shared<bool>(false);
  CLI::App& command = *app.add_subcommand(
      "info", "Print what this machine offers: MPI, instruction set, cores, caches");
  command.add_flag("--json", *json, "Print it as JSON");
  command.footer(info_examples);
  command.callback([json, &run] {
    run = [json] {
      if (launched_rank() != 0) return EXIT_SUCCESS;
      if (*json)
        print_json(find_machine());
      else
        print_table(find_machine());
      return EXIT_SUCCESS;
    };
  });
}

}  // namespace sixstep::cli
