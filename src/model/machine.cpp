// SPDX-License-Identifier: BSD-3-Clause
// Machines: rates computed from their figures.
#include "model/machine.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace sixstep::model {

double Curve::at(double size) const {
  require_internal(!points_.empty(), "a curve has no points");
  auto const above = std::find_if(points_.begin(), points_.end(), [&](auto const& point) {
    return static_cast<double>(point.first) >= size;
  });
  if (above == points_.end()) return points_.rbegin()->second;
  if (above == points_.begin()) return above->second;
  auto const below = std::prev(above);
  auto const log = [](Index n) { return std::log(static_cast<double>(n)); };
  double const way = (std::log(size) - log(below->first)) / (log(above->first) - log(below->first));
  return below->second + way * (above->second - below->second);
}

Curve& Curve::operator*=(double factor) {
  for (auto& [size, value] : points_) value *= factor;
  return *this;
}

Network const& Machine::between_nodes() const {
  require(
      network.has_value(), "machine: ", name, " has no network: more than its one node of ",
      node_ranks, node_ranks == 1 ? " rank" : " ranks",
      " cannot be priced; \"network\" in its file is needed, which `sixstep tune --machine` on ",
      "several nodes measures");
  return *network;
}

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

double sent_bytes_per_s(Machine const& machine, int ranks, bool to_another_leaf,
                        double message_bytes) {
  Network const& network = machine.between_nodes();
  double link = network.node_bytes_per_s.at(message_bytes);
  if (auto const* tree = std::get_if<FatTree>(&network.shape); tree && to_another_leaf)
    link *= tree->taper;
  if (auto const* torus = std::get_if<Torus>(&network.shape))
    link = std::min(link, all_to_all_bytes_per_s(*torus, machine.nodes_of(ranks)));
  return std::min(network.rank_bytes_per_s.at(message_bytes),
                  link / std::min(machine.node_ranks, ranks));
}

std::optional<Index> shortest_worth_a_window(Machine const& machine, int ranks) {
  constexpr Index least = Index{1} << 12, most = Index{1} << 20;
  constexpr double worth = 1.5;
  if (!machine.network) return std::nullopt;
  auto const seconds_a_byte = [&](Index bytes) {
    auto const size = static_cast<double>(bytes);
    return machine.network->overhead_s / size + 1 / sent_bytes_per_s(machine, ranks, false, size);
  };
  Index bytes = least;
  while (bytes < most && seconds_a_byte(bytes) > worth * seconds_a_byte(most)) bytes *= 2;
  return bytes;
}

double kernel_flops_per_s(Machine const& machine, Index length, int real_bytes, Curve Rates::*of) {
  Rates const& rates = real_bytes == sizeof(float) ? machine.single_gflops : machine.double_gflops;
  if (rates.rows.empty()) return std::numeric_limits<double>::infinity();
  Curve const& asked = rates.*of;
  double const cores = static_cast<double>(machine.node_cores) / machine.node_ranks;
  return 1e9 * cores * (asked.empty() ? rates.rows : asked).at(static_cast<double>(length));
}

Machine with_node_ranks(Machine machine, int node_ranks, int threads) {
  auto const cores_of_rank = [&] {
    return static_cast<double>(machine.node_cores) / machine.node_ranks;
  };
  double const share = static_cast<double>(machine.node_ranks) / node_ranks;
  double const cores_before = cores_of_rank();
  machine.node_ranks = node_ranks;
  if (threads > 0)
    machine.node_cores = static_cast<int>(
        std::min<Index>(machine.node_cores, static_cast<Index>(node_ranks) * threads));
  machine.inside.rank_bytes_per_s *= share;
  if (machine.memory) {
    machine.memory->together.copied_bytes_per_s *= share;
    if (machine.memory->alone)
      machine.memory->alone->copied_bytes_per_s *=
          std::max(1.0, cores_of_rank()) / std::max(1.0, cores_before);
    machine.memory->cache_bytes *= cores_of_rank() / cores_before;
  }
  return machine;
}

}  // namespace sixstep::model
