// SPDX-License-Identifier: BSD-3-Clause
// Media: what carries an exchange between ranks, given which of them share a node.
#pragma once

#include <vector>

#include "redistribution/circle.hpp"
#include "runtime/mpi.hpp"
#include "tuning.hpp"

namespace sixstep::exchange {

/// The media that suit these exchanges on all ranks; empty if messages carry all of them.
///
/// An exchange goes by memory if each rank shares its node with all that it exchanges with; by
/// nodes if its messages would have fewer than tuning.gathered_message_bytes and that makes them
/// fewer; by messages otherwise. What suits the most demanding rank is done by all.
std::vector<redistribution::Medium> choose_media(std::vector<redistribution::Ends> const& exchanges,
                                                 int real_bytes, redistribution::Nodes const& nodes,
                                                 Tuning const& tuning);
/// The same, each rank deciding for itself only. Collective.
std::vector<redistribution::Medium> choose_media(std::vector<redistribution::Ends> const& exchanges,
                                                 int real_bytes, redistribution::Nodes const& nodes,
                                                 Tuning const& tuning,
                                                 mpi::Communicator const& comm);

}  // namespace sixstep::exchange
