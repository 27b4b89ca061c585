// SPDX-License-Identifier: BSD-3-Clause
// Reads machine files for all ranks.
#include "runners/machine_of.hpp"

#include <filesystem>

#include "model/machine_file.hpp"
#include "runtime/node.hpp"
#include "sixstep/error.hpp"

namespace sixstep::runners {

namespace {

/// The text of the file that `file` names, or of the default one, whose name it gets.
std::string machine_text(std::string& file, Device device) {
  if (file.empty()) {
    file = model::default_machine_file(device);
    require(std::filesystem::exists(file), "machine file: ", file,
            " does not exist; run `sixstep tune --machine",
            device == Device::none ? "" : " --device " + to_string(device), "`, or name another");
  }
  model::Machine const read = model::read_machine(file);
  auto const place = [](bool on_device) { return on_device ? "on a device" : "on the host"; };
  require(read.device.has_value() == (device != Device::none), "machine file: ", file,
          " describes ranks that work ", place(read.device.has_value()),
          ", those of this plan work ", place(device != Device::none));
  return to_json(read);
}

}  // namespace

model::Machine machine_of(std::string const& file, Options const& options,
                          mpi::Communicator const& comm) {
  std::string name = file, words;
  mpi::together(comm, [&] {
    if (comm.rank() == 0) words = machine_text(name, options.device);
  });
  model::Machine const read = model::from_json(mpi::broadcast(comm, words), name);
  int node_ranks = Node(comm).size();
  mpi::reduce_to_all(comm, &node_ranks, 1, MPI_INT, MPI_MAX);
  return with_node_ranks(read, node_ranks, options.threads);
}

}  // namespace sixstep::runners
