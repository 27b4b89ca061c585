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

/// The entries as text. A checksum has shown that nobody else wrote them.
std::string to_text(std::vector<wisdom::Entry> const& entries) {
  std::string words;
  auto const add = [&](std::string const& word) { words.append(word).push_back('\0'); };
  for (wisdom::Entry const& entry : entries) {
    for (auto const* list : {&entry.key, &entry.found}) {
      add(text(list->size()));
      for (auto const& [name, value] : *list) {
        add(name);
        add(value);
      }
    }
    add(entry.when);
  }
  return words;
}

std::vector<wisdom::Entry> from_text(std::string const& words) {
  std::size_t at = 0;
  auto const take = [&] {
    std::size_t const end = words.find('\0', at);
    std::string const word = words.substr(at, end - at);
    at = end + 1;
    return word;
  };
  std::vector<wisdom::Entry> entries;
  while (at < words.size()) {
    wisdom::Entry entry;
    for (auto* list : {&entry.key, &entry.found})
      for (auto left = std::stoi(take()); left > 0; --left) {
        std::string const name = take();
        list->emplace_back(name, take());
      }
    entry.when = take();
    entries.push_back(std::move(entry));
  }
  return entries;
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
  if (comm.rank() == 0) words = to_text(calibrations(entries));
  auto bytes = static_cast<Index>(words.size());
  mpi::broadcast(comm, &bytes, sizeof bytes);
  if (bytes == 0) return {tuning};
  words.resize(static_cast<std::size_t>(bytes));
  mpi::broadcast(comm, words.data(), bytes);
  return applied(from_text(words), tuning, processor);
}

Calibrated calibrated(std::vector<wisdom::Entry> const& entries, Tuning const& tuning,
                      std::string const& processor) {
  return applied(calibrations(entries), tuning, processor);
}

}  // namespace sixstep::tuner
