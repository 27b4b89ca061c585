// SPDX-License-Identifier: BSD-3-Clause
// Calibrations: how they are kept, and how they reach plans.
#include "tuner/calibration.hpp"

#include <algorithm>

#include "sixstep/version.hpp"
#include "tuner/here.hpp"

namespace sixstep::tuner {

namespace {

wisdom::Words key(std::string const& of, std::string const& name, std::string const& value) {
  return {{"calibration", of}, {name, value}, {"version", version}};
}

/// The entries that make sense.
std::vector<wisdom::Entry> calibrations(std::vector<wisdom::Entry> const& entries) {
  std::vector<wisdom::Entry> found;
  for (wisdom::Entry const& entry : entries) try {
      if (!is_calibration(entry)) continue;
      bool const of_messages = entry.key.front().second == "messages";
      with_dials({}, entry.found, of_messages);
      found.push_back(entry);
    } catch (Error const& error) {
      report(text("wisdom: a calibration is not for this library: ", error.what()));
    }
  return found;
}

/// The numbers in the entries for this processor and this MPI.
Calibrated applied(std::vector<wisdom::Entry> const& entries, Tuning const& tuning,
                   std::string const& named) {
  Calibrated found{tuning};
  if (entries.empty()) return found;
  std::string const processor = named.empty() ? processor_words() : named;
  for (bool const of_messages : {false, true})
    for (wisdom::Entry const& entry : entries) {
      if (entry.key != (of_messages ? key_of_messages() : key_of_processor(processor))) continue;
      if (entry.found.empty()) continue;
      found.tuning = with_dials(found.tuning, entry.found, of_messages);
      found.words +=
          text(found.words.empty() ? "" : "\n", "measured  ", to_words(entry.found), ": ",
               "sixstep tune --machine, ", entry.when.substr(0, entry.when.find('T')));
    }
  return found;
}

}  // namespace

bool is_calibration(wisdom::Entry const& entry) {
  return !entry.key.empty() && entry.key.front().first == "calibration";
}

wisdom::Words key_of_processor(std::string const& processor) {
  return key("processor", "cpu", processor);
}

wisdom::Words key_of_messages() { return key("messages", "mpi", mpi_words()); }

Calibrated calibrated(mpi::Communicator const& comm, std::vector<wisdom::Entry> const& entries,
                      Tuning const& tuning, std::string const& processor) {
  std::string words;
  if (comm.rank() == 0) words = wisdom::to_text(calibrations(entries));
  return applied(wisdom::from_text(mpi::broadcast(comm, words)), tuning, processor);
}

Calibrated calibrated(std::vector<wisdom::Entry> const& entries, Tuning const& tuning,
                      std::string const& processor) {
  return applied(calibrations(entries), tuning, processor);
}

}  // namespace sixstep::tuner
