// SPDX-License-Identifier: BSD-3-Clause
// Machines: rates that follow from their figures.
#include "model/machine.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace sixstep::model {

Index Partition::nodes() const {
  Index count = 1;
  for (Axis const& axis : axes) count *= axis.length;
  return count;
}

int Partition::longest() const {
  int longest = 1;
  for (Axis const& axis : axes)
    longest = std::max(longest, axis.mesh ? 2 * axis.length : axis.length);
  return longest;
}

double all_to_all_bytes_per_s(Torus const& torus, int nodes) {
  auto const found = std::find_if(torus.partitions.begin(), torus.partitions.end(),
                                  [&](Partition const& part) { return part.nodes() >= nodes; });
  require(found != torus.partitions.end(), "machine: its largest partition has ",
          torus.partitions.empty() ? 0 : torus.partitions.back().nodes(), " nodes, ", nodes,
          " are needed");
  return torus.efficiency * torus.link_bytes_per_s * 8 / found->longest();
}

double sent_bytes_per_s(Machine const& machine, int ranks, bool to_another_leaf) {
  double link = machine.network.node_bytes_per_s;
  if (auto const* tree = std::get_if<FatTree>(&machine.network.shape); tree && to_another_leaf)
    link *= tree->taper;
  if (auto const* torus = std::get_if<Torus>(&machine.network.shape))
    link = std::min(link, all_to_all_bytes_per_s(*torus, machine.nodes_of(ranks)));
  return std::min(machine.network.rank_bytes_per_s, link / std::min(machine.node_ranks, ranks));
}

double kernel_flops_per_s(Machine const& machine, Index length, int real_bytes) {
  Rates const& rates = real_bytes == sizeof(float) ? machine.single_gflops : machine.double_gflops;
  if (rates.empty()) return std::numeric_limits<double>::infinity();
  double const cores = static_cast<double>(machine.node_cores) / machine.node_ranks;
  auto const flops = [&](double gflops) { return 1e9 * cores * gflops; };
  auto const above = rates.lower_bound(length);
  if (above == rates.end()) return flops(rates.rbegin()->second);
  if (above == rates.begin()) return flops(above->second);
  auto const below = std::prev(above);
  auto const log = [](Index n) { return std::log(static_cast<double>(n)); };
  double const way = (log(length) - log(below->first)) / (log(above->first) - log(below->first));
  return flops(below->second + way * (above->second - below->second));
}

Machine with_node_ranks(Machine machine, int node_ranks) {
  require(node_ranks <= machine.node_cores, "node ranks: a node of ", machine.name, " has ",
          machine.node_cores, " cores, ", node_ranks, " ranks were given");
  double const share = static_cast<double>(machine.node_ranks) / node_ranks;
  machine.node_ranks = node_ranks;
  machine.inside.rank_bytes_per_s *= share;
  if (machine.memory) {
    machine.memory->copied_bytes_per_s *= share;
    machine.memory->cache_bytes *= share;
  }
  return machine;
}

}  // namespace sixstep::model
