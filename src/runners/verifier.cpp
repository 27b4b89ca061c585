// SPDX-License-Identifier: BSD-3-Clause
// Verifying executions: the sums of all ranks in one reduction.
#include "runners/verifier.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
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

/// The largest difference of two sums over the same elements.
double change_of(local::WeightedSums const& one, local::WeightedSums const& other) {
  double most = 0;
  for (std::size_t set = 0; set < local::sums_at_once; ++set) {
    double const change = std::abs(one.sums[set] - other.sums[set]);
    most = change <= most ? most : change;  // a NaN is more than any number
  }
  return std::isfinite(most) ? most : std::numeric_limits<double>::infinity();
}

}  // namespace

Verifier::Verifier(verify::ResultCheck check, mpi::Comm const& comm, int threads,
                   Findings& findings)
    : check_(std::move(check)), comm_(comm), threads_(threads), findings_(findings) {}

void Verifier::tally(Direction direction, sweep::End end,
                     std::function<bool(EndTally&)> const& give) {
  verify::EndSums const* const sums = check_.plain_end(direction, end == sweep::End::read);
  if (sums == nullptr) return;
  auto made = std::make_unique<EndTally>(
      *sums, check_.real_bytes(), end == sweep::End::written ? &findings_.before_adding : nullptr);
  if (give(*made))
    tallies_[static_cast<std::size_t>(direction)][static_cast<std::size_t>(end)] = std::move(made);
}

Verifier::Found Verifier::run_once(Execution const& execution, std::function<void()> const& run,
                                   bool again) const {
  auto const& [direction, in, out, scaled, keeps_input] = execution;
  Found found{};
  auto const& read = tally_of(direction, sweep::End::read);
  auto const& written = tally_of(direction, sweep::End::written);
  if (!read) found.my_source = check_.source(direction, in, scaled.conjugate, threads_);
  for (auto const& tally : {read.get(), written.get()})
    if (tally) tally->begin(scaled.conjugate);
  findings_.begin(again);
  run();
  if (read) found.my_source = read->sums();
  found.my_result =
      written ? written->sums() : check_.result(direction, out, scaled.conjugate, threads_);
  Numbers all{};
  put(found.my_source, all.data());
  put(found.my_result, all.data() + numbers_of_sums);
  all[cannot_repeat] = keeps_input ? 0 : 1;
  all[damaged] = findings_.damage.empty() ? 0 : 1;
  all[compared] = static_cast<double>(findings_.compared);
  mpi::reduce_to_all(comm_, all.data(), static_cast<Index>(all.size()), MPI_DOUBLE, MPI_SUM);
  // MPI may round the sums of ranks differently, but all of them must come to the same conclusion.
  mpi::broadcast(comm_, all.data(), static_cast<Index>(sizeof all));
  found.finding =
      check_.compare(direction, taken(all.data()), taken(all.data() + numbers_of_sums), scaled);
  found.may_repeat = all[cannot_repeat] == 0;
  found.compared = static_cast<Index>(all[compared]);
  if (all[damaged] > 0) found.damage = lowest(findings_.damage);
  return found;
}

/// The words of the lowest rank that has any, on all ranks. Collective.
Verifier::Place Verifier::lowest(std::string const& words) const {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  int rank = 0;
  MPI_Comm_rank(comm_, &rank);
  std::int64_t found = words.empty() ? none : rank;
  mpi::reduce_to_all(comm_, &found, 1, MPI_INT64_T, MPI_MIN);
  if (found == none) return {};
  int const from = static_cast<int>(found);
  return {from, mpi::broadcast(comm_, words, from)};
}

/// Where two executions of the same input differed first, on all ranks. Collective. Ranks that have
/// read other bits follow one that has written them. If no bits between sweeps were others, those
/// of a result were.
Verifier::Place Verifier::change_of(Found const& first, Found const& second, double factor) const {
  if (!findings_.compares_bits) return {};
  Place const place = lowest(findings_.change);
  if (place.rank >= 0) return place;
  struct Largest {
    double change;
    int rank;
  } source{std::abs(factor) * runners::change_of(first.my_source, second.my_source), 0},
      result = source;
  result.change = runners::change_of(first.my_result, second.my_result);
  MPI_Comm_rank(comm_, &source.rank);
  result.rank = source.rank;
  mpi::reduce_to_all(comm_, &source, 1, MPI_DOUBLE_INT, MPI_MAXLOC);
  mpi::reduce_to_all(comm_, &result, 1, MPI_DOUBLE_INT, MPI_MAXLOC);
  if (!(source.change > 0 || result.change > 0)) return {};
  if (result.change > source.change)
    return {result.rank, text("the last step: rank ", result.rank, " has computed other numbers")};
  return {source.rank, text("the first step: rank ", source.rank, " has read other numbers")};
}

void Verifier::verify(Execution const& execution, std::function<void()> const& run) {
  Found const first = run_once(execution, run, false);
  if (!first.is_wrong()) return count(first);
  bool const repeats = first.may_repeat;
  Found const last = repeats ? run_once(execution, run, true) : first;
  Place place = first.damage;
  if (repeats && place.rank < 0) {
    place = change_of(first, last, execution.scaled.factor);
    if (place.rank >= 0) place.where += " than in a second execution";
  }
  bool const is_repaired = !last.is_wrong();
  if (told_)
    told_({execution.direction, is_repaired, place.rank, place.where, first.finding.difference,
           first.finding.bound});
  if (is_repaired) {
    ++so_far_.repaired;
    return count(last);
  }
  if (last.damage.rank >= 0)
    throw Error(text("verify: ", last.damage.where, repeats ? ", in a second execution too" : ""),
                ErrorCode::corrupted);
  throw Error(text("verify: the result of a ",
                   execution.direction == Direction::forward ? "forward" : "backward",
                   " transform is wrong", repeats ? ", and so was that of a second one" : "",
                   ": a weighted sum of it differs by ", last.finding.difference,
                   " from that of the input, and rounding would by at most ", last.finding.bound,
                   place.rank < 0 ? "" : text("; ", place.where)),
              ErrorCode::corrupted);
}

/// Counts an execution whose result was not wrong.
void Verifier::count(Found const& found) {
  so_far_.compared += found.compared;
  if (!found.finding.is_checked()) {
    ++so_far_.unchecked;
    return;
  }
  ++so_far_.checked;
  so_far_.largest_share = std::max(so_far_.largest_share, found.finding.share());
}

}  // namespace sixstep::runners
