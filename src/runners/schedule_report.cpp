// SPDX-License-Identifier: BSD-3-Clause
// How a schedule runs, in words, traces and seconds.
#include "runners/schedule_runner.hpp"
#include "sweep/kernel_words.hpp"

namespace sixstep::runners {

std::string ScheduleRunner::run_words() const {
  std::string const run = text(exchange_words(), windows_words(), ", ", threads(),
                               threads() == 1 ? " thread" : " threads", " per rank");
  if (device_) return text(run, ", on ", device_->backend().name());
  if (!schedule_.transforms()) return run;
  return run + sweep::kernel_words(schedule_.real_bytes, options_.local, options_.reproducible);
}

std::string ScheduleRunner::exchange_words() const {
  if (sends_in_queue() && !memory_ && schedule_.exchanges() > 0 && comm_.size() > 1)
    return site_.words("", nullptr);
  std::string const messages = site_.words(message_words(), staging_.get());
  if (options_.exchange != sixstep::Exchange::shared || comm_.size() == 1) return messages;
  if (schedule_.exchanges() == 0) return "nothing to exchange";
  if (!not_shared_.empty()) return messages + " (" + not_shared_ + ")";
  if (!options_.own_workspace) return messages + " (the workspace is not shared)";
  if (memory_ && node_.size() == 1) return "gathered messages (this rank has a node of its own)";
  char const* const whose = device_ ? "device memory" : "memory";
  if (memory_) return text(whose, " shared by the ", node_.size(), " ranks of a node");
  return messages + (node_.size() == 1 ? " (each rank has a node of its own)"
                                       : " (messages between nodes are large)");
}

std::string ScheduleRunner::message_words() const {
  std::string const words = decision::way_of(decision_.messages)->words;
  auto const* const wanted = decision::way_of(options_.exchange);
  bool const is_told = wanted && wanted->why_not && wanted->exchange != decision_.messages;
  return is_told ? text(words, " (", wanted->why_not, ")") : words;
}

std::string ScheduleRunner::windows_words() const {
  if (!program(!meets_.forward).flows) return "";
  auto const& [driver, reason] = decision_.driver;
  std::string const who = driver == Driver::between     ? "between two parts of the passes"
                          : driver == Driver::master    ? "by the first thread"
                          : driver == Driver::pipelines ? "by teams of threads in turn"
                                                        : "by a thread of its own";
  return text(" in up to ", windows(), " windows, driven ", who,
              reason.empty() ? "" : " (" + reason + ")");
}

void ScheduleRunner::trace_to(Trace& trace) {
  meeting_ = trace.label(Trace::Kind::meeting, "meeting");
  for (Trip& there : trips_)
    for (ProgramRunner& runner : there.runners) runner.trace_to(trace, there.schedule);
}

double ScheduleRunner::communication_seconds(Purpose purpose) const {
  double sum = 0;
  for (Trip const& trip : trips_)
    for (ProgramRunner const& runner : trip.runners) sum += runner.communication_seconds(purpose);
  return sum;
}

std::vector<Part> ScheduleRunner::breakdown(bool backward, Purpose purpose) const {
  Trip const& there = trip(backward);
  return there.runners[there.last].breakdown(there.schedule, purpose);
}

std::vector<exchange::SumsOfHops> ScheduleRunner::rounding(bool backward) const {
  Trip const& there = trip(backward);
  return there.runners[there.last].rounding(static_cast<std::size_t>(schedule_.exchanges()));
}

}  // namespace sixstep::runners
