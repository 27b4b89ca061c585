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
/// An exchange goes
/// - by memory if each rank shares its node with all ranks that it exchanges with;
/// - by nodes if its messages would have fewer than tuning.gathered_message_bytes and gathering
///   makes fewer messages;
/// - by messages otherwise.
/// All ranks use what suits the most demanding rank.
std::vector<redistribution::Medium> choose_media(std::vector<redistribution::Ends> const& exchanges,
                                                 int real_bytes, redistribution::Nodes const& nodes,
                                                 Tuning const& tuning);
/// Finds these media too, but each rank looks only at its own group before all ranks agree.
/// Collective.
std::vector<redistribution::Medium> choose_media(std::vector<redistribution::Ends> const& exchanges,
                                                 int real_bytes, redistribution::Nodes const& nodes,
                                                 Tuning const& tuning,
                                                 mpi::Communicator const& comm);

}  // namespace sixstep::exchange
