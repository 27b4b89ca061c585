// SPDX-License-Identifier: BSD-3-Clause
// Parcels: tallies of their pieces, and an exchange of a number for each.
#include "runners/parcels.hpp"

#include "sixstep/error.hpp"

namespace sixstep::runners {

namespace {

/// A message of one sum for each parcel.
std::vector<redistribution::Message> messages_of(std::vector<verify::Parcel> const& parcels) {
  std::vector<redistribution::Message> made;
  for (verify::Parcel const& parcel : parcels)
    made.push_back({.rank = parcel.rank, .offset = static_cast<Index>(made.size()), .count = 1});
  return made;
}

}  // namespace

sweep::Tally tally_of(sweep::End which, verify::HandoverEnd const& end, Index element_bytes,
                      sweep::BeforeAdding const& before) {
  sweep::Tally made(which, end.box, element_bytes, end.parcels.size(), before);
  for (std::size_t i = 0; i < end.parcels.size(); ++i)
    for (layout::Piece const& piece : end.parcels[i].pieces) made.take(piece, i);
  return made;
}

void put(sweep::Tally const& tally, std::vector<std::uint64_t>& sums) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = tally.sum(i);
}

std::unique_ptr<exchange::Strategy> exchange_of(verify::HandoverEnd const& written,
                                                verify::HandoverEnd const& read,
                                                SumsExchange const& how) {
  return exchange::make_pairwise({.comm = how.comm,
                                  .element = MPI_UINT64_T,
                                  .sends = messages_of(written.parcels),
                                  .receives = messages_of(read.parcels),
                                  .number = how.number,
                                  .tags = how.tags,
                                  .names = {text("checksums of ", how.name)}});
}

std::string damage_of(verify::HandoverEnd const& read, sweep::Tally const& sums,
                      std::vector<std::uint64_t> const& received, std::string const& name,
                      int rank) {
  for (std::size_t i = 0; i < received.size(); ++i) {
    if (sums.sum(i) == received[i]) continue;
    int const writer = read.parcels[i].rank;
    return text(name, ": rank ", rank, " has read other bits than ",
                writer == rank ? std::string("it") : text("rank ", writer), " wrote");
  }
  return "";
}

}  // namespace sixstep::runners
