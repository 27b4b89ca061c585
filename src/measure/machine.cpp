// SPDX-License-Identifier: BSD-3-Clause
// Measuring a machine: memory, kernels, messages, each in its share of the time.
#include "measure/machine.hpp"

#include <cmath>

#include "measure/copies.hpp"
#include "measure/kernels.hpp"
#include "measure/messages.hpp"
#include "measure/team.hpp"

namespace sixstep::measure {

namespace {

/// More digits mean nothing, and are no pleasure to read.
double rounded(double figure) {
  if (figure == 0 || !std::isfinite(figure)) return figure;
  double const unit = std::pow(10, std::floor(std::log10(std::abs(figure))) - 2);
  // Divided by a whole number where it can be, so that 0.23 is not 0.22999999999999998.
  return unit < 1 ? std::round(figure / unit) / std::round(1 / unit)
                  : std::round(figure / unit) * unit;
}

void round(model::Curve& curve) {
  model::Curve::Points points = curve.points();
  for (auto& [size, figure] : points) figure = rounded(figure);
  curve = points;
}

void round(model::Machine& machine) {
  if (machine.network) {
    machine.network->latency_s = rounded(machine.network->latency_s);
    machine.network->node_bytes_per_s = rounded(machine.network->node_bytes_per_s);
    round(machine.network->rank_bytes_per_s);
  }
  machine.inside.latency_s = rounded(machine.inside.latency_s);
  if (machine.inside.meeting_s) machine.inside.meeting_s = rounded(*machine.inside.meeting_s);
  round(machine.inside.rank_bytes_per_s);
  for (model::Copies* copies : {&machine.memory->together, &*machine.memory->alone}) {
    round(copies->copied_bytes_per_s);
    round(copies->strip_share);
  }
  for (model::Rates* rates : {&machine.double_gflops, &machine.single_gflops})
    for (model::Curve* curve :
         {&rates->rows, &rates->columns, &rates->strips, &rates->twiddled, &rates->reals})
      round(*curve);
}

}  // namespace

model::Machine machine(mpi::Communicator const& comm, int threads, double seconds,
                       Steps const& step) {
  Team const team(comm, threads);
  model::Machine found;
  found.node_ranks = team.node_ranks();
  found.node_cores = team.cores();
  step("memory");
  found.memory = memory(team, 0.4 * seconds);
  step("kernels, double precision");
  found.double_gflops = double_gflops(team, 0.15 * seconds);
  step("kernels, single precision");
  found.single_gflops = single_gflops(team, 0.15 * seconds);
  step("messages inside a node");
  found.inside = inside(team, 0.15 * seconds);
  step("messages between nodes");
  found.network = network(team, 0.15 * seconds);
  found.notes = {"Rates of ranks are those while all work, but for \"alone\": figures by the bytes",
                 "that a pass works on, of a message, or by the points of a transform."};
  if (!found.network)
    found.notes.push_back(
        "One node: there is no network, so plans of more nodes cannot be priced.");
  if (found.node_ranks == 1) {
    found.inside.rank_bytes_per_s =
        found.memory->together.copied_bytes_per_s.points().rbegin()->second;
    found.notes.push_back("One rank a node: inside, messages are taken to cost a copy.");
  }
  round(found);
  return found;
}

}  // namespace sixstep::measure
