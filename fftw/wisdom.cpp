// SPDX-License-Identifier: BSD-3-Clause
// Wisdom as text: "(sixstep-fftw3 wisdom", a line of hash and patience for each problem, and ")".
//
// Another library's wisdom is refused, as FFTW refuses ours.
#include "wisdom.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>

namespace {

using sixstep::fftw::Problem;
using sixstep::fftw::Real;

enum Patience { estimate = -1, measure, patient, exhaustive };  // estimates are not exported
using Wisdom = std::map<std::uint64_t, int>;                    // patience by the hash of a problem

constexpr char const* head = sizeof(Real) == 4 ? "(sixstep-fftw3f wisdom" : "(sixstep-fftw3 wisdom";
constexpr char const* system_file = "/etc/fftw/wisdom";
constexpr std::size_t longest_line = 80;

std::mutex mutex;
Wisdom& known() {
  static Wisdom& wisdom = *new Wisdom;  // programs may plan while others are destroyed
  return wisdom;
}

int patience_of(unsigned flags) {
  if (flags & FFTW_ESTIMATE) return estimate;
  if (flags & FFTW_EXHAUSTIVE) return exhaustive;
  return flags & FFTW_PATIENT ? patient : measure;
}

/// FNV-1a.
std::uint64_t hash_of(std::string const& words) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (char const c : words) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::string exported() {
  std::lock_guard const lock(mutex);
  std::ostringstream lines;
  lines << head << '\n';
  for (auto const& [hash, patience] : known())
    if (patience >= measure) lines << "  (" << std::hex << hash << ' ' << patience << ")\n";
  lines << ")\n";
  return lines.str();
}

/// The next line, without white space around it; read(c) tells whether there is one more character.
/// Nothing if there is none, or if it is too long for a line of ours.
template <class Read>
std::optional<std::string> next_line(Read const& read) {
  std::string line;
  for (char c; read(c);) {
    bool const is_blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (c == '\n' && !line.empty()) return line;
    if (!is_blank || (c == ' ' && !line.empty())) line += c;
    if (line == ")") return line;  // nothing behind the end is read
    if (line.size() > longest_line) return std::nullopt;
  }
  return line.empty() ? std::nullopt : std::optional(line);
}

/// Adds a line "(hash patience)".
bool add(std::string const& line, Wisdom& wisdom) {
  unsigned long long hash;
  int patience, end = 0;
  if (std::sscanf(line.c_str(), "(%llx %d)%n", &hash, &patience, &end) != 2) return false;
  if (static_cast<std::size_t>(end) != line.size() || patience < measure || patience > exhaustive)
    return false;
  wisdom[hash] = patience;
  return true;
}

/// Takes all of the wisdom that read(c) gives, or nothing.
template <class Read>
bool imported(Read const& read) {
  Wisdom found;
  std::optional<std::string> line = next_line(read);
  if (line != head) return false;
  while ((line = next_line(read)) && *line != ")")
    if (!add(*line, found)) return false;
  if (!line) return false;
  std::lock_guard const lock(mutex);
  for (auto const& [hash, patience] : found) {
    int& kept = known()[hash];
    kept = std::max(kept, patience);
  }
  return true;
}

bool imported(std::FILE* file) {
  return imported([file](char& c) {
    int const read = std::fgetc(file);
    c = static_cast<char>(read);
    return read != EOF;
  });
}

}  // namespace

namespace sixstep::fftw {

bool may_plan(Problem const& problem, int threads, unsigned flags) {
  std::uint64_t const hash = hash_of(words(problem) + " threads " + std::to_string(threads));
  int const patience = patience_of(flags);
  std::lock_guard const lock(mutex);
  auto const [entry, is_new] = known().try_emplace(hash, patience);
  bool const is_known = !is_new && entry->second >= patience;
  if (flags & FFTW_WISDOM_ONLY) {
    if (is_new) known().erase(entry);
    return is_known;
  }
  entry->second = std::max(entry->second, patience);
  return true;
}

}  // namespace sixstep::fftw

extern "C" {

void SIXSTEP_FFTW(forget_wisdom)(void) {
  std::lock_guard const lock(mutex);
  known().clear();
}

void SIXSTEP_FFTW(cleanup)(void) { SIXSTEP_FFTW(forget_wisdom)(); }

void SIXSTEP_FFTW(export_wisdom)(SIXSTEP_FFTW(write_char_func) write_char, void* data) {
  for (char const c : exported()) write_char(c, data);
}

void SIXSTEP_FFTW(export_wisdom_to_file)(std::FILE* file) { std::fputs(exported().c_str(), file); }

int SIXSTEP_FFTW(export_wisdom_to_filename)(char const* filename) {
  std::FILE* const file = std::fopen(filename, "w");
  if (file == nullptr) return 0;
  SIXSTEP_FFTW(export_wisdom_to_file)(file);
  bool const failed = std::ferror(file) != 0;
  return std::fclose(file) == 0 && !failed;
}

char* SIXSTEP_FFTW(export_wisdom_to_string)(void) { return strdup(exported().c_str()); }

int SIXSTEP_FFTW(import_wisdom)(SIXSTEP_FFTW(read_char_func) read_char, void* data) {
  return imported([=](char& c) {
    int const read = read_char(data);
    c = static_cast<char>(read);
    return read != EOF;
  });
}

int SIXSTEP_FFTW(import_wisdom_from_file)(std::FILE* file) { return imported(file); }

int SIXSTEP_FFTW(import_wisdom_from_filename)(char const* filename) {
  std::FILE* const file = std::fopen(filename, "r");
  if (file == nullptr) return 0;
  bool const done = imported(file);
  std::fclose(file);
  return done;
}

int SIXSTEP_FFTW(import_wisdom_from_string)(char const* string) {
  return imported([&](char& c) { return (c = *string) != 0 && string++ != nullptr; });
}

int SIXSTEP_FFTW(import_system_wisdom)(void) {
  return SIXSTEP_FFTW(import_wisdom_from_filename)(system_file);
}

}  // extern "C"
