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
/// The sums of both ends of each transform, how many ranks cannot repeat the execution, how many
/// have found damage, how many have failed, and the parcels that they have compared.
constexpr std::size_t cannot_repeat = Verifier::most_transforms * 2 * numbers_of_sums,
                      damaged = cannot_repeat + 1, failed = damaged + 1, compared = failed + 1;
using Numbers = std::array<double, compared + 1>;

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

Verifier::Verifier(std::vector<CheckedTransform> transforms, mpi::Comm const& comm, int threads,
                   Findings& findings)
    : transforms_(std::move(transforms)), comm_(comm), threads_(threads), findings_(findings) {
  require_internal(transforms_.size() <= most_transforms, "so many transforms to check");
}

Verifier::Verifier(std::unique_ptr<MovedBits> moved, mpi::Comm const& comm, Findings& findings)
    : moved_(std::move(moved)), comm_(comm), findings_(findings) {}

namespace {

/// The sums that the tallies of an end have made, or those that pass() makes.
template <class Pass>
local::WeightedSums sums_at(CheckedEnd const& end, Pass const& pass) {
  if (!end.is_at_operation && end.tallies.empty()) return pass();
  verify::LongSums all;
  for (auto const& tally : end.tallies) all.add(tally->sums());
  return all.rounded();
}

}  // namespace

/// Executes, and makes this rank's sums.
void Verifier::run_and_sum(Execution const& execution, std::function<void()> const& run,
                           Found& found) const {
  auto const try_to_run = [&] {
    try {
      run();
    } catch (...) {
      found.thrown = std::current_exception();  // until all ranks are done
    }
  };
  if (moved_) {
    moved_->before(execution.direction, execution.in);
    try_to_run();
    found.has_other_bits = moved_->after(execution.direction, execution.out);
    return;
  }
  bool const conjugate = execution.scaled.conjugate;
  auto const for_each = [&](sweep::End which, auto const& use) {
    for (std::size_t i = 0; i < transforms_.size(); ++i) {
      Direction const direction = direction_of(transforms_[i], execution);
      use(transforms_[i], direction, transforms_[i].end(direction, which), found.mine[i]);
    }
  };
  for (sweep::End const which : {sweep::End::read, sweep::End::written})
    for_each(which, [&](auto const&, Direction, CheckedEnd const& end, Sums const&) {
      for (auto const& tally : end.tallies) tally->begin(conjugate);
    });
  for_each(sweep::End::read,
           [&](CheckedTransform const& of, Direction direction, CheckedEnd const& end, Sums& mine) {
             if (!end.is_at_operation && end.tallies.empty())
               mine.source = of.check.source(direction, execution.in, conjugate, threads_);
           });
  try_to_run();
  for_each(sweep::End::read, [&](auto const&, Direction, CheckedEnd const& end, Sums& mine) {
    mine.source = sums_at(end, [&] { return mine.source; });
  });
  for_each(sweep::End::written,
           [&](CheckedTransform const& of, Direction direction, CheckedEnd const& end, Sums& mine) {
             mine.result = sums_at(end, [&] {
               return of.check.result(direction, execution.out, conjugate, threads_);
             });
           });
}

/// Compares the sums of all ranks.
void Verifier::compare(Execution const& execution, double const* sums, Found& found) const {
  for (std::size_t i = 0; i < transforms_.size(); ++i, sums += 2 * numbers_of_sums) {
    CheckedTransform const& of = transforms_[i];
    verify::Scaled scaled = execution.scaled;
    if (of.undoes) scaled.factor = execution.back;
    verify::Finding const one = of.check.compare(direction_of(of, execution), taken(sums),
                                                 taken(sums + numbers_of_sums), scaled);
    found.is_checked = found.is_checked && one.is_checked();
    if (one.share() <= found.finding.share()) continue;
    found.finding = one;
    found.transform = i;
  }
}

Verifier::Found Verifier::run_once(Execution const& execution, std::function<void()> const& run,
                                   bool again) const {
  Found found;
  findings_.begin(again);
  run_and_sum(execution, run, found);
  Numbers all{};
  for (std::size_t i = 0; i < transforms_.size(); ++i) {
    put(found.mine[i].source, all.data() + 2 * i * numbers_of_sums);
    put(found.mine[i].result, all.data() + (2 * i + 1) * numbers_of_sums);
  }
  all[cannot_repeat] = execution.keeps_input ? 0 : 1;
  all[damaged] = findings_.damage.empty() ? 0 : 1;
  all[failed] = found.thrown ? 1 : 0;
  all[compared] = static_cast<double>(findings_.compared);
  mpi::reduce_to_all(comm_, all.data(), static_cast<Index>(all.size()), MPI_DOUBLE, MPI_SUM);
  // MPI may round the sums of ranks differently, but all of them must come to the same conclusion.
  mpi::broadcast(comm_, all.data(), static_cast<Index>(sizeof all));
  found.has_failed = all[failed] > 0;
  if (found.has_failed) return found;
  compare(execution, all.data(), found);
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
  } source{
      std::abs(factor) * runners::change_of(first.mine.front().source, second.mine.front().source),
      0},
      result = source;
  std::size_t const last = transforms_.size() - 1;
  result.change = runners::change_of(first.mine[last].result, second.mine[last].result);
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
  auto const throw_if_failed = [](Found const& found) {
    if (found.thrown) std::rethrow_exception(found.thrown);
    return found.has_failed;
  };
  Found const first = run_once(execution, run, false);
  if (throw_if_failed(first)) return;
  if (!first.is_wrong()) return count(first);
  bool const repeats = first.may_repeat;
  Found const last = repeats ? run_once(execution, run, true) : first;
  if (throw_if_failed(last)) return;
  Place place = first.damage;
  if (!moved_ && repeats && place.rank < 0) {
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
  throw Error(failure(execution, last, repeats, place.where), ErrorCode::corrupted);
}

/// Says what is wrong: `found`, in a second execution too if it `repeats`.
std::string Verifier::failure(Execution const& execution, Found const& found, bool repeats,
                              std::string const& where) const {
  char const* const direction = execution.direction == Direction::forward ? "forward" : "backward";
  if (found.damage.rank >= 0)
    return text("verify: ", found.damage.where, repeats ? ", in a second execution too" : "");
  if (moved_)
    return text("verify: the elements have other bits than before a ", direction, " redistribution",
                repeats ? ", and had so in a second one" : "");
  std::string const transform =
      transforms_.size() == 1 ? text("a ", direction, " transform")
                              : text("transform ", found.transform + 1, " of ", transforms_.size());
  return text("verify: the result of ", transform, " is wrong",
              repeats ? ", and so was that of a second one" : "",
              ": a weighted sum of it differs by ", found.finding.difference,
              " from that of the input, and rounding would by at most ", found.finding.bound,
              where.empty() ? "" : text("; ", where));
}

/// Counts an execution whose result was not wrong.
void Verifier::count(Found const& found) {
  so_far_.compared += found.compared;
  if (!found.is_checked) {
    ++so_far_.unchecked;
    return;
  }
  ++so_far_.checked;
  if (!moved_) so_far_.largest_share = std::max(so_far_.largest_share, found.finding.share());
}

}  // namespace sixstep::runners
