// SPDX-License-Identifier: BSD-3-Clause
// Wisdom files: the results of a tuner, kept from one program to the next.
//
// A file is trusted if it is byte for byte what would be written for its entries, including a
// checksum. Otherwise no part of it is used. Reading changes nothing and needs no lock. Writing
// replaces the whole file, by one writer at a time; a file that does not begin like a wisdom file
// is never replaced. Knows nothing about the meaning of the words, nor about MPI: one rank reads
// and writes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sixstep::wisdom {

/// Names, each once, and their values, in this order; UTF-8.
using Words = std::vector<std::pair<std::string, std::string>>;

/// The result for one problem on one machine.
struct Entry {
  Words key;                    // the problem and the machine
  Words found;                  // the fastest options
  std::string level = "quick";  // how thorough the search was: "quick" or "exhaustive"
  double seconds = 0;           // with the options found; above 0
  double default_seconds = 0;   // with the default options; above 0
  std::string when;             // UTC, in the format of now()

  bool operator==(Entry const&) const = default;
};

/// The time in UTC, such as "2026-11-22T21:45:00Z".
std::string now();

/// $SIXSTEP_WISDOM; if it is not set, sixstep/wisdom.json in $XDG_DATA_HOME or in
/// $HOME/.local/share. Empty if SIXSTEP_WISDOM is empty or there is no home: nothing is kept then.
std::optional<std::filesystem::path> default_file();

/// The entries of a file; empty if there is no file. Throws Error if it cannot be read or is not
/// trusted.
std::vector<Entry> entries_of(std::filesystem::path const& file);

/// The entries as text, for another process, and back. from_text() throws Error for any other text.
std::string to_text(std::vector<Entry> const& entries);
std::vector<Entry> from_text(std::string const& words);

struct Read {
  std::vector<Entry> entries;
  std::string report;  // why the file is not used, in one line; empty if it is used
};

/// entries_of() that never throws: it reports what is wrong.
Read read(std::filesystem::path const& file);

/// read() for each of many plans: a file that has not changed since this process last read it so is
/// not read again.
std::shared_ptr<Read const> read_if_changed(std::filesystem::path const& file);

/// Writes the entries, replacing those with the same key. Makes the file and its folder if they are
/// missing. Never throws: the report says what was wrong and what was not kept. Waits at most 2 s
/// for another writer.
std::string keep(std::filesystem::path const& file, std::vector<Entry> const& entries);

struct Change {
  std::size_t entries = 0;  // the number removed or taken
  std::string report;       // what was wrong, in one line; empty if nothing
};

/// Removes the entries that are `unwanted`. Throws Error if the file cannot be changed or is no
/// wisdom file.
Change forget(std::filesystem::path const& file, std::function<bool(Entry const&)> const& unwanted);

/// Takes those of `entries` whose key is new, or which are better than the file's entry: from a
/// more thorough search, or from an equally thorough one later. Throws Error if the file cannot be
/// changed or is no wisdom file.
Change merge(std::filesystem::path const& file, std::vector<Entry> const& entries);

/// Writes a file of exactly these entries. Throws Error
/// - if the file cannot be written;
/// - if the entries could not be read again, for example because of a repeated name or a time of 0
///   s.
void write(std::filesystem::path const& file, std::vector<Entry> const& entries);

}  // namespace sixstep::wisdom
