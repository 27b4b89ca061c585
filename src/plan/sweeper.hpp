// SPDX-License-Identifier: BSD-3-Clause
// From the passes between two exchanges to sweeps, each of which reads and writes main memory once.
#pragma once

#include "plan/program.hpp"

namespace sixstep::plan {

/// A rank's part at one end of a segment.
struct End {
  Box box;
  Number number;
  Pieces between;  // where it lies between two sweeps
};

/// What lies between two exchanges on one rank: two ends, the array's memory order, reals of so
/// many bytes.
struct Stretch {
  End here;
  End there;
  Order order;
  int real_bytes;
};

/// The sweeps that do these passes, or a copy if there are none, from `source` to `target`: as many
/// passes together as leave an axis untouched along which the box falls into windows that fit the
/// cache.
std::vector<Sweep> make_sweeps(Stretch const& stretch, std::vector<Pass> passes,
                               Pieces const& source, Pieces const& target, Limits const& limits);

}  // namespace sixstep::plan
