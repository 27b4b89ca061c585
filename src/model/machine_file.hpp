// SPDX-License-Identifier: BSD-3-Clause
// Machine files: machines as JSON.
#pragma once

#include <string>

#include "model/machine.hpp"
#include "sixstep/options.hpp"

namespace sixstep::model {

/// A machine as a file holds it: indented, in the order of Machine's members.
std::string to_json(Machine const& machine);

/// The machine that to_json() has written; errors name `file`.
///
/// Throws Error
/// - if the words are not JSON
/// - if a key is missing, unknown or given twice
/// - if a value has another type or is out of bounds
/// - if the nodes of partitions do not grow.
Machine from_json(std::string const& words, std::string const& file);

/// The file where `sixstep tune --machine` writes its measurements: the one that SIXSTEP_MACHINE
/// names, else sixstep/machine.json, or machine-cuda.json for that device, in $XDG_DATA_HOME or
/// ~/.local/share. Throws Error if none of these variables is set.
std::string default_machine_file(Device device = Device::none);

/// Throws Error if the file cannot be read, and the errors of from_json().
Machine read_machine(std::string const& file);

/// Throws Error if the file cannot be written.
void write_machine(Machine const& machine, std::string const& file);

}  // namespace sixstep::model
