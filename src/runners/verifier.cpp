// SPDX-License-Identifier: BSD-3-Clause
// Verifying executions: the sums of all ranks in one reduction.
#include "runners/verifier.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

namespace sixstep::runners {

namespace {

constexpr std::size_t numbers_of_sums = 3 * local::sums_at_once + 1;
/// The sums of both ends, how many ranks cannot repeat the execution, how many have found damage,
/// and the parcels that they have compared.
using Numbers = std::array<double, 2 * numbers_of_sums + 3>;
constexpr std::size_t cannot_repeat = 2 * numbers_of_sums, damaged = cannot_repeat + 1,
                      compared = damaged + 1;

void put(local::WeightedSums const& sums, double* to) {
  for (std::size_t set = 0; set < local::sums_at_once; ++set) {
    *to++ = sums.sums[set].real();
    *to++ = sums.sums[set].imag();
    *to++ = sums.products[set];
  }
  *to = sums.squares;
}

local::WeightedSums taken(double const* from) {
  local::WeightedSums made;
  for (std::size_t set = 0; set < local::sums_at_once; ++set, from += 3) {
    made.sums[set] = {from[0], from[1]};
    made.products[set] = from[2];
  }
  made.squares = *from;
  return made;
}

}  // namespace

Verifier::Verifier(verify::ResultCheck check, mpi::Comm const& comm, int threads,
                   Findings& findings)
    : check_(std::move(check)), comm_(comm), threads_(threads), findings_(findings) {}

void Verifier::tally(Direction direction, sweep::End end,
                     std::function<bool(EndTally&)> const& give) {
  verify::EndSums const* const sums = check_.plain_end(direction, end == sweep::End::read);
  if (sums == nullptr) return;
  auto made = std::make_unique<EndTally>(*sums, check_.real_bytes());
  if (give(*made))
    tallies_[static_cast<std::size_t>(direction)][static_cast<std::size_t>(end)] = std::move(made);
}

Verifier::Found Verifier::run_once(Execution const& execution,
                                   std::function<void()> const& run) const {
  auto const& [direction, in, out, scaled, keeps_input] = execution;
  Numbers all{};
  auto const& read = tally_of(direction, sweep::End::read);
  auto const& written = tally_of(direction, sweep::End::written);
  if (!read) put(check_.source(direction, in, scaled.conjugate, threads_), all.data());
  for (auto const& tally : {read.get(), written.get()})
    if (tally) tally->begin(scaled.conjugate);
  findings_.forget();
  run();
  if (read) put(read->sums(), all.data());
  put(written ? written->sums() : check_.result(direction, out, scaled.conjugate, threads_),
      all.data() + numbers_of_sums);
  all[cannot_repeat] = keeps_input ? 0 : 1;
  all[damaged] = findings_.damage.empty() ? 0 : 1;
  all[compared] = static_cast<double>(findings_.compared);
  mpi::reduce_to_all(comm_, all.data(), static_cast<Index>(all.size()), MPI_DOUBLE, MPI_SUM);
  // MPI may round the sums of ranks differently, but all of them must come to the same conclusion.
  mpi::broadcast(comm_, all.data(), static_cast<Index>(sizeof all));
  return {check_.compare(direction, taken(all.data()), taken(all.data() + numbers_of_sums), scaled),
          all[cannot_repeat] == 0, static_cast<Index>(all[compared]),
          all[damaged] > 0 ? damage_of_all() : std::string()};
}

/// The damage that the lowest rank has found, on all ranks. Collective.
std::string Verifier::damage_of_all() const {
  int rank = 0;
  MPI_Comm_rank(comm_, &rank);
  std::int64_t lowest = findings_.damage.empty() ? std::numeric_limits<std::int64_t>::max() : rank;
  mpi::reduce_to_all(comm_, &lowest, 1, MPI_INT64_T, MPI_MIN);
  return mpi::broadcast(comm_, findings_.damage, static_cast<int>(lowest));
}

void Verifier::verify(Execution const& execution, std::function<void()> const& run) {
  Found found = run_once(execution, run);
  bool const repeats = found.is_wrong() && found.may_repeat;
  if (repeats) found = run_once(execution, run);
  verify::Finding const& last = found.finding;
  if (!found.damage.empty())
    throw Error(text("verify: ", found.damage, repeats ? ", in a second execution too" : ""),
                ErrorCode::corrupted);
  if (last.is_wrong())
    throw Error(text("verify: the result of a ",
                     execution.direction == Direction::forward ? "forward" : "backward",
                     " transform is wrong", repeats ? ", and so was that of a second one" : "",
                     ": a weighted sum of it differs by ", last.difference,
                     " from that of the input, and rounding would by at most ", last.bound),
                ErrorCode::corrupted);
  so_far_.compared += found.compared;
  if (repeats) ++so_far_.repaired;
  if (!last.is_checked()) {
    ++so_far_.unchecked;
    return;
  }
  ++so_far_.checked;
  so_far_.largest_share = std::max(so_far_.largest_share, last.share());
}

}  // namespace sixstep::runners
