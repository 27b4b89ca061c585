// SPDX-License-Identifier: BSD-3-Clause
// Measures a machine: memory, kernels and messages, each in its share of the time.
#include "measure/machine.hpp"

#include <cmath>

#include "measure/copies.hpp"
#include "measure/devices.hpp"
#include "measure/kernels.hpp"
#include "measure/messages.hpp"
#include "measure/team.hpp"

namespace sixstep::measure {

namespace {

/// Rounds to three digits: more have no meaning and are hard to read.
double rounded(double figure) {
  if (figure == 0 || !std::isfinite(figure)) return figure;
  double const unit = std::pow(10, std::floor(std::log10(std::abs(figure))) - 2);
  // It divides by a whole number if possible, so that 0.23 does not become 0.22999999999999998.
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
    machine.network->overhead_s = rounded(machine.network->overhead_s);
    round(machine.network->node_bytes_per_s);
    round(machine.network->rank_bytes_per_s);
  }
  machine.inside.overhead_s = rounded(machine.inside.overhead_s);
  machine.inside.latency_s = rounded(machine.inside.latency_s);
  if (machine.inside.meeting_s) machine.inside.meeting_s = rounded(*machine.inside.meeting_s);
  round(machine.inside.rank_bytes_per_s);
  if (machine.device && machine.device->staged_bytes_per_s)
    machine.device->staged_bytes_per_s = rounded(*machine.device->staged_bytes_per_s);
  auto const round_copies = [](model::Copies& copies) {
    round(copies.copied_bytes_per_s);
    round(copies.strip_share);
  };
  round_copies(machine.memory->together);
  if (machine.memory->alone) round_copies(*machine.memory->alone);
  for (model::Rates* rates : {&machine.double_gflops, &machine.single_gflops})
    for (model::Curve* curve :
         {&rates->rows, &rates->columns, &rates->strips, &rates->twiddled, &rates->reals})
      round(*curve);
}

}  // namespace

namespace {

/// Measures messages, which come last, and writes the notes.
void measure_messages(model::Machine& found, Team const& team, double seconds, Steps const& step) {
  step("messages inside a node");
  found.inside = inside(team, seconds / 2);
  step("messages between nodes");
  found.network = network(team, seconds / 2);
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
  measure_messages(found, team, 0.3 * seconds, step);
  round(found);
  return found;
}

model::Machine machine(mpi::Communicator const& comm, device::Backend& backend, double seconds,
                       Steps const& step) {
  Team const team(comm, 1);
  model::Machine found;
  found.node_ranks = found.node_cores = team.node_ranks();
  step("memory");
  found.memory = memory(team, backend, 0.2 * seconds);
  step("transforms, double precision");
  found.double_gflops = gflops(team, backend, sizeof(double), 0.2 * seconds);
  step("transforms, single precision");
  found.single_gflops = gflops(team, backend, sizeof(float), 0.2 * seconds);
  step("copies between device and host");
  found.device = {backend.name(), staged_bytes_per_s(team, backend, 0.1 * seconds)};
  measure_messages(found, team, 0.3 * seconds, step);
  found.notes.push_back(
      "Messages are those of the host's memory; a core is a rank's share of a device.");
  round(found);
  return found;
}

}  // namespace sixstep::measure
