// SPDX-License-Identifier: BSD-3-Clause
// Machine files: machines as JSON.
#pragma once

#include <string>

#include "model/machine.hpp"
#include "sixstep/options.hpp"

namespace sixstep::model {

/// A machine as a file holds it: indented, in the order of Machine's members.
std::string to_json(Machine const& machine);

/// What to_json() has written; `file` is named in errors.
///
/// Errors: no JSON; a key that is missing, unknown or given twice; a value of another type or out
/// of bounds; partitions that do not grow.
Machine from_json(std::string const& words, std::string const& file);

/// Where `sixstep tune --machine` puts what it has measured: what SIXSTEP_MACHINE names, else
/// sixstep/machine.json, or machine-cuda.json of that device, in $XDG_DATA_HOME or ~/.local/share.
/// Errors: none of these is set.
std::string default_machine_file(Device device = Device::none);

/// Errors: a file that cannot be read; those of from_json().
Machine read_machine(std::string const& file);

/// Errors: a file that cannot be written.
void write_machine(Machine const& machine, std::string const& file);

}  // namespace sixstep::model
