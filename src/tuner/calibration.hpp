// SPDX-License-Identifier: BSD-3-Clause
// Calibrations: numbers of Tuning that were measured once for a processor, or for a network, and
// kept as wisdom; every plan is made with them.
#pragma once

#include <string>
#include <vector>

#include "runtime/mpi.hpp"
#include "tuner/dials.hpp"
#include "tuner/here.hpp"
#include "wisdom/wisdom_file.hpp"

namespace sixstep::tuner {

/// What a calibration is kept under: the version, and the processor or the MPI.
wisdom::Words key_of_processor(std::string const& processor);
wisdom::Words key_of_messages();

/// Whether it is kept under one of these keys.
bool is_calibration(wisdom::Entry const& entry);

/// Numbers and where they come from.
struct Calibrated {
  Tuning tuning;
  std::string words = {};  // a line of describe(); empty: all as by default
};

/// `tuning` with the numbers in the wisdom that rank 0 has read: those of messages, which are the
/// same on all ranks, and those of this rank's processor, or of the one that is named. Entries that
/// make no sense are reported on rank 0 and left out. Collective.
Calibrated calibrated(mpi::Communicator const& comm, std::vector<wisdom::Entry> const& entries,
                      Tuning const& tuning, std::string const& processor = "");

/// The same for one process without MPI that has read the entries.
Calibrated calibrated(std::vector<wisdom::Entry> const& entries, Tuning const& tuning,
                      std::string const& processor = "");

/// What calibrate() has found, and the time of a transform with it and without.
struct Calibration {
  Settings values;
  double seconds = 0;
  double default_seconds = 0;
};

/// Finds the dials of a processor by races between transforms, which all ranks of a node run at the
/// same time, each by itself. `values` are known already. It takes `seconds` at most, about.
/// Collective over the node; the same on all ranks. Errors: memory that cannot be had.
Calibration calibrate(mpi::Communicator const& node, int threads, Settings const& values,
                      double seconds);

}  // namespace sixstep::tuner
