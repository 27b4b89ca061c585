// SPDX-License-Identifier: BSD-3-Clause
// Media: what carries an exchange between ranks, given which of them share a node.
#pragma once

#include <vector>

#include "exchange/redistribution.hpp"
#include "runtime/node.hpp"
#include "tuning.hpp"

namespace sixstep::exchange {

/// The media that suit these exchanges on all ranks; empty if messages carry all of them. Messages
/// between nodes are gathered if they have fewer bytes than tuning.gathered_message_bytes.
/// Collective.
std::vector<Medium> choose_media(std::vector<Ends> const& exchanges, int real_bytes,
                                 mpi::Communicator const& comm, Node const& node,
                                 Tuning const& tuning);

}  // namespace sixstep::exchange
