// SPDX-License-Identifier: BSD-3-Clause
// Handovers: sums of all parcels go to their readers in an exchange of their own.
#include "runners/handovers.hpp"

#include <map>
#include <utility>

namespace sixstep::runners {

namespace {

sweep::Tally tally_of(sweep::End which, verify::HandoverEnd const& end, Index element_bytes,
                      sweep::BeforeAdding const& before) {
  sweep::Tally made(which, end.box, element_bytes, end.parcels.size(), before);
  for (std::size_t i = 0; i < end.parcels.size(); ++i)
    for (layout::Piece const& piece : end.parcels[i].pieces) made.take(piece, i);
  return made;
}

/// A message of one sum for each parcel.
std::vector<redistribution::Message> messages_of(std::vector<verify::Parcel> const& parcels) {
  std::vector<redistribution::Message> made;
  for (verify::Parcel const& parcel : parcels)
    made.push_back({.rank = parcel.rank, .offset = static_cast<Index>(made.size()), .count = 1});
  return made;
}

void put(sweep::Tally const& tally, std::vector<std::uint64_t>& sums) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = tally.sum(i);
}

bool differs(sweep::Tally const& tally, std::vector<std::uint64_t> const& sums) {
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (tally.sum(i) != sums[i]) return true;
  return false;
}

}  // namespace

Handovers::Handovers(program::Program const& program, std::vector<StepRunner>& runners,
                     int real_bytes, Site const& site)
    : program_(program), findings_(site.findings) {
  MPI_Comm_rank(site.comm, &rank_);
  std::vector<verify::Handover> const all = verify::handovers_of(program, rank_);
  site.findings.compares_bits = true;
  need_turns_ = verify::moves_twice(all, program);
  std::map<std::size_t, std::pair<sweep::Tally*, sweep::Tally*>> of_sweeps;  // read, written
  for (verify::Handover const& what : all) {
    handovers_.push_back(std::make_unique<Compared>(make(what, real_bytes, site)));
    Compared& made = *handovers_.back();
    if (what.read.sweep) of_sweeps[*what.read.sweep].first = &made.read;
    if (what.written.sweep) of_sweeps[*what.written.sweep].second = &made.written;
  }
  for (auto const& [step, tallies] : of_sweeps)
    std::get<sweep::SweepRunner>(runners[step]).count(tallies.first, tallies.second);
}

Handovers::Compared Handovers::make(verify::Handover const& what, int real_bytes,
                                    Site const& site) const {
  Index const element_bytes = real_bytes * layout::reals_of(what.number);
  Compared made{
      what,
      tally_of(sweep::End::written, what.written, element_bytes, site.findings.before_adding),
      tally_of(sweep::End::read, what.read, element_bytes, site.findings.before_adding),
      {},
      nullptr,
      std::vector<std::uint64_t>(what.written.parcels.size()),
      std::vector<std::uint64_t>(what.read.parcels.size()),
      {},
      std::vector<std::uint64_t>(what.written.parcels.size()),
      std::vector<std::uint64_t>(what.read.parcels.size())};
  program::Step const& step = program_.steps[what.step];
  auto const* const move = std::get_if<program::Move>(&step.work);
  auto const name_of = [&](std::size_t number) {
    return text("step ", number + 1, " (", program::name(program_.steps[number], site.schedule),
                ")");
  };
  made.name = move ? program::name(*move, site.schedule) : name_of(what.step);
  made.writer = what.written.sweep ? name_of(*what.written.sweep) : text("before ", made.name);
  if (move && what.keeps_bits)
    made.exchange = exchange::make_pairwise({.comm = site.comm,
                                             .element = MPI_UINT64_T,
                                             .sends = messages_of(what.written.parcels),
                                             .receives = messages_of(what.read.parcels),
                                             .number = static_cast<int>(move->exchange),
                                             .tags = site.tags,
                                             .names = {text("checksums of ", made.name)}});
  return made;
}

void Handovers::begin() {
  runs_often_ = runs_often_ || (ran_in_ == findings_.execution && ran_in_ > 0);
  knows_before_ = findings_.is_second && ran_in_ + 1 == findings_.execution && !runs_often_;
  ran_in_ = findings_.execution;
  for (auto const& handover : handovers_) {
    if (knows_before_) {
      put(handover->written, handover->wrote_before);
      put(handover->read, handover->read_before);
    }
    handover->written.begin();
    handover->read.begin();
  }
}

void Handovers::before(std::size_t step, Execution const& execution) {
  for (auto const& handover : handovers_)
    if (handover->what.step == step && !handover->what.written.sweep)
      handover->written.add_all(execution.at(handover->what.written.buffer));
}

void Handovers::after(std::size_t step, Execution const& execution) {
  for (auto const& handover : handovers_)
    if (handover->what.step == step && !handover->what.read.sweep)
      handover->read.add_all(execution.at(handover->what.read.buffer));
}

void Handovers::compare() {
  for (auto const& handover : handovers_) {
    if (!handover->what.keeps_bits) continue;
    put(handover->written, handover->sent);
    if (handover->exchange)
      handover->exchange->run(handover->sent.data(), handover->received.data());
    else
      handover->received = handover->sent;
    findings_.compared += static_cast<Index>(handover->read.parcels());
    if (findings_.damage.empty()) note(*handover);
  }
  if (knows_before_ && !findings_.has_changed) note_change();
}

/// Notes the first handover whose bits were others in the execution before. If this rank wrote
/// them, it had read the same ones.
void Handovers::note_change() {
  for (auto const& handover : handovers_) {
    bool const is_mine = differs(handover->written, handover->wrote_before);
    if (!is_mine && !differs(handover->read, handover->read_before)) continue;
    findings_.has_changed = true;
    if (is_mine)
      findings_.change = text(handover->writer, ": rank ", rank_, " has computed other numbers");
    return;
  }
}

/// Notes the first parcel whose reader has found other bits.
void Handovers::note(Compared const& handover) {
  for (std::size_t i = 0; i < handover.received.size(); ++i) {
    if (handover.read.sum(i) == handover.received[i]) continue;
    int const writer = handover.what.read.parcels[i].rank;
    findings_.damage = text(handover.name, ": rank ", rank_, " has read other bits than ",
                            writer == rank_ ? std::string("it") : text("rank ", writer), " wrote");
    return;
  }
}

}  // namespace sixstep::runners
