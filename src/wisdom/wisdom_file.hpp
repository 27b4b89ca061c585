// SPDX-License-Identifier: BSD-3-Clause
// Wisdom files: what a tuner has found, kept from one program to the next.
//
// A file is trusted if it is byte for byte what would be written for what it holds, a checksum
// included; another one is not used, not even in part. Reading changes nothing and needs no lock.
// Writing replaces the file as a whole, by one writer at a time; a file that does not begin as ours
// do is never replaced. Knows nothing about what the words mean, nor about MPI: one rank reads and
// writes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sixstep::wisdom {

/// Names, each once, and values, in their order; UTF-8.
using Words = std::vector<std::pair<std::string, std::string>>;

/// What was found for one problem on one machine.
struct Entry {
  Words key;                    // the problem and the machine
  Words found;                  // the options that are fastest
  std::string level = "quick";  // how thorough the search was: "quick" or "exhaustive"
  double seconds = 0;           // with what was found; above 0
  double default_seconds = 0;   // with the options that are the default; above 0
  std::string when;             // UTC, as now() has it

  bool operator==(Entry const&) const = default;
};

/// "2026-11-22T21:45:00Z".
std::string now();

/// $SIXSTEP_WISDOM; where it is not set, sixstep/wisdom.json in $XDG_DATA_HOME or in
/// $HOME/.local/share. None if SIXSTEP_WISDOM is empty, or there is no home: nothing is kept then.
std::optional<std::filesystem::path> default_file();

/// The entries of a file, none if there is no file.
///
/// Errors: a file that cannot be read, or is not to be trusted.
std::vector<Entry> entries_of(std::filesystem::path const& file);

struct Read {
  std::vector<Entry> entries;
  std::string report;  // why the file is not used, in a line; empty: it is
};

/// As entries_of(), but never throws: what is wrong is reported.
Read read(std::filesystem::path const& file);

/// Writes the entries, in the place of those with the same key; makes the file and its folder where
/// they are missing. Never throws: the report says what was wrong, and what was not kept because of
/// that. Waits for another writer for 2 s at most.
std::string keep(std::filesystem::path const& file, std::vector<Entry> const& entries);

struct Change {
  std::size_t entries = 0;  // that were removed, or taken
  std::string report;       // what was wrong, in a line; empty: nothing
};

/// Removes the entries that are `unwanted`. Errors: a file that cannot be changed, or is not ours.
Change forget(std::filesystem::path const& file, std::function<bool(Entry const&)> const& unwanted);

/// Takes those of `entries` that are new, or better than what the file has of their key: found by a
/// more thorough search or, by one as thorough, later. Errors: a file that cannot be changed, or is
/// not ours.
Change merge(std::filesystem::path const& file, std::vector<Entry> const& entries);

/// Writes a file of these entries, as a whole. Errors: a file that cannot be written; entries that
/// could not be read again, such as those with a name twice or a time of no seconds.
void write(std::filesystem::path const& file, std::vector<Entry> const& entries);

}  // namespace sixstep::wisdom
