// SPDX-License-Identifier: BSD-3-Clause
// Plan::predict: what a machine file says of a plan, and errors on all ranks alike.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "machines.hpp"
#include "model/machine_file.hpp"
#include "ranks.hpp"
#include "sixstep/sixstep.hpp"

namespace sixstep {
namespace {

using machines::MachineFile;
using machines::made_up;
using machines::ranks_of_node;

Plan<double> cube(Options const& options = {}) {
  return {Layout::slab({16, 16, 16}, ranks::count()), MPI_COMM_WORLD, options};
}

std::string message_of(Plan<double> const& plan, std::string const& file) {
  try {
    plan.predict(file);
  } catch (Error const& error) {
    return error.what();
  }
  return "";
}

bool same_everywhere(std::string const& words) {
  std::vector<std::string> const all = ranks::gather(words);
  return std::count(all.begin(), all.end(), words) == ranks::count();
}

TEST(predict, messages_and_meetings_cost_what_the_file_says) {
  int const ranks = ranks::count();
  MachineFile const file(made_up());
  Prediction const by_messages = cube({.exchange = Exchange::pairwise}).predict(file.name());
  double const bytes = 16.0 * 16 * 16 * 16 / ranks / ranks;
  if (16 % ranks == 0) {
    EXPECT_NEAR(by_messages.seconds, (ranks - 1) * (1e-3 + bytes / 1e9), 1e-9);
  }
  EXPECT_EQ(by_messages.computation, 0);
  EXPECT_EQ(by_messages.steps.size(), ranks == 1 ? 2 : 3);
  // The exchange is a meeting, and nobody leaves before all have read.
  Prediction const in_memory = cube().predict(file.name());
  if (ranks_of_node() == ranks) {
    EXPECT_DOUBLE_EQ(in_memory.communication, ranks == 1 ? 0 : 2);
  }
}

TEST(predict, without_a_name_is_by_what_was_measured_here) {
  MachineFile const file(made_up());
  setenv("SIXSTEP_MACHINE", file.name().c_str(), 1);
  Plan<double> const plan = cube();
  EXPECT_EQ(plan.predict().seconds, plan.predict(file.name()).seconds);
  setenv("SIXSTEP_MACHINE", "/no/such/machine.json", 1);
  std::string const message = message_of(plan, "");
  EXPECT_NE(message.find("/no/such/machine.json"), std::string::npos) << message;
  EXPECT_NE(message.find("sixstep tune --machine"), std::string::npos) << message;
  EXPECT_TRUE(same_everywhere(message));
  unsetenv("SIXSTEP_MACHINE");
}

TEST(predict, fails_on_all_ranks_alike) {
  Plan<double> const plan = cube();
  MachineFile const file(made_up());
  if (ranks::rank() == 0) std::ofstream(file.name()) << "{}";
  std::string const message = message_of(plan, file.name());
  EXPECT_NE(message.find("name: a value is needed"), std::string::npos) << message;
  EXPECT_TRUE(same_everywhere(message));
  if (ranks::rank() == 0) write_machine(made_up(), file.name());
  EXPECT_GT(plan.predict(file.name()).seconds, -1);
}

TEST(predict, of_several_nodes_needs_a_network) {
  if (ranks_of_node() == ranks::count()) return;
  Plan<double> const plan = cube();
  model::Machine machine = made_up();
  machine.network.reset();
  std::string const message = message_of(plan, MachineFile(machine).name());
  EXPECT_NE(message.find("has no network"), std::string::npos) << message;
  EXPECT_TRUE(same_everywhere(message));
  EXPECT_GT(plan.predict(MachineFile(made_up()).name()).communication, 0);
}

TEST(predict, on_a_device_messages_may_be_staged) {
  int const ranks = ranks::count();
  Options options{.exchange = Exchange::pairwise, .device = Device::emulated};
  options.windows = 1;
  model::Machine machine = made_up();
  std::string const refused = message_of(cube(options), MachineFile(machine).name());
  EXPECT_NE(refused.find("describes ranks that work on the host"), std::string::npos) << refused;
  EXPECT_TRUE(same_everywhere(refused));
  machine.device = model::Devices{"a device"};
  double const direct = cube(options).predict(MachineFile(machine).name()).communication;
  machine.device->staged_bytes_per_s = 1e8;
  double const staged = cube(options).predict(MachineFile(machine).name()).communication;
  // To other nodes: out, by messages, and in. Within a node: out and in at the same time.
  double const bytes = 16.0 * 16 * 16 * 16 / ranks * (ranks - 1) / ranks;
  if (16 % ranks == 0 && ranks_of_node() == 1) {
    EXPECT_NEAR(staged - direct, 2 * bytes / 1e8, 1e-9);
  }
  if (16 % ranks == 0 && ranks_of_node() == ranks) {
    EXPECT_NEAR(staged, bytes / 1e8, 1e-9);
  }
  Plan<double> const here = cube();
  std::string const other = message_of(here, MachineFile(machine).name());
  EXPECT_NE(other.find("describes ranks that work on a device"), std::string::npos) << other;
}

}  // namespace
}  // namespace sixstep
