// SPDX-License-Identifier: BSD-3-Clause
// Parcels: sums over the bits that ranks leave for each other, which writers send to readers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "exchange/strategy.hpp"
#include "sweep/tally.hpp"
#include "verify/handovers.hpp"

namespace sixstep::runners {

/// A sum for each parcel of an end. `before` may be empty, and outlives the tally.
sweep::Tally tally_of(sweep::End which, verify::HandoverEnd const& end, Index element_bytes,
                      sweep::BeforeAdding const& before);

void put(sweep::Tally const& tally, std::vector<std::uint64_t>& sums);

/// The exchange of one sum for each parcel, from writers to readers. Exchanges under way at the
/// same time have different `number`s. Local.
struct SumsExchange {
  mpi::Comm comm;
  redistribution::TagRange tags;
  int number;
  std::string name;
};
std::unique_ptr<exchange::Strategy> exchange_of(verify::HandoverEnd const& written,
                                                verify::HandoverEnd const& read,
                                                SumsExchange const& how);

/// Names the first parcel that this rank has read with other bits; empty if there is none.
std::string damage_of(verify::HandoverEnd const& read, sweep::Tally const& sums,
                      std::vector<std::uint64_t> const& received, std::string const& name,
                      int rank);

}  // namespace sixstep::runners
