// SPDX-License-Identifier: BSD-3-Clause
// Handovers: sums of all parcels go to their readers in an exchange of their own.
#include "runners/handovers.hpp"

#include <map>
#include <utility>

#include "runners/parcels.hpp"

namespace sixstep::runners {

namespace {

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
    made.exchange =
        exchange_of(what.written, what.read,
                    {site.comm, site.tags, static_cast<int>(move->exchange), made.name});
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
    if (findings_.damage.empty())
      findings_.damage =
          damage_of(handover->what.read, handover->read, handover->received, handover->name, rank_);
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

}  // namespace sixstep::runners
