// SPDX-License-Identifier: BSD-3-Clause
// Ranks with one GPU each that exchange in their streams, by NCCL.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>

#include "device/backend.hpp"

namespace sixstep::device {

bool has_nccl();
// All calls are for this thread's current GPU. They throw Error
// - if this library was built without NCCL, or NCCL is not found;
// - if the GPUs cannot reach each other.
Invitation nccl_invitation();
std::unique_ptr<Peers> join_by_nccl(Invitation const& invitation, int peers, int number);
void exchange_by_nccl(Peers& peers, Parcels const& sends, std::byte* source,
                      Parcels const& receives, std::byte* target, cudaStream_t stream);

}  // namespace sixstep::device
