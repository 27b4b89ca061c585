// SPDX-License-Identifier: BSD-3-Clause
// Calibrations: numbers of Tuning that were measured once for a processor or a network, and are
// kept as wisdom. Every plan uses them.
#pragma once

#include <string>
#include <vector>

#include "runtime/mpi.hpp"
#include "tuner/dials.hpp"
#include "tuner/here.hpp"
#include "wisdom/wisdom_file.hpp"

namespace sixstep::tuner {

/// The key of a calibration: the version, and the processor or the MPI.
wisdom::Words key_of_processor(std::string const& processor);
wisdom::Words key_of_messages();

/// Whether the entry has one of these keys.
bool is_calibration(wisdom::Entry const& entry);

/// Numbers and where they come from.
struct Calibrated {
  Tuning tuning;
  std::string words = {};  // a line of describe(); empty: all are defaults
};

/// `tuning` with the numbers in the wisdom that rank 0 has read: those of messages, which are the
/// same on all ranks, and those of this rank's processor, or of `processor` if it is given. Rank 0
/// reports entries that make no sense, and they are left out. Collective.
Calibrated calibrated(mpi::Communicator const& comm, std::vector<wisdom::Entry> const& entries,
                      Tuning const& tuning, std::string const& processor = "");

/// `tuning` with the numbers in `entries`, for one process without MPI that has read them.
Calibrated calibrated(std::vector<wisdom::Entry> const& entries, Tuning const& tuning,
                      std::string const& processor = "");

/// The result of calibrate(), and the time of a transform with it and without.
struct Calibration {
  Settings values;
  double seconds = 0;
  double default_seconds = 0;
};

/// Finds the dials of a processor by races between transforms, which all ranks of a node run at the
/// same time, each for itself. `values` are known already. The search takes about `seconds` at
/// most. Collective over the node; the result is the same on all ranks. Throws Error if memory
/// cannot be allocated.
Calibration calibrate(mpi::Communicator const& node, int threads, Settings const& values,
                      double seconds);

}  // namespace sixstep::tuner
