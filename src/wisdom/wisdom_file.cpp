// SPDX-License-Identifier: BSD-3-Clause
// Wisdom files: their bytes, their lock, and the rules for replacing them.
//
//   {"sixstep_wisdom": 1,
//   "checksum": "af63bd4c8601b7df",
//   "entries": [
//   {"key": {...}, "found": {...}, "level": "quick", ...},
//   ...
//   ]}
#include "wisdom/wisdom_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string_view>
#include <thread>

#include "base/descriptor.hpp"
#include "base/new_file.hpp"
#include "base/whole_file.hpp"
#include "base/words.hpp"
#include "sixstep/error.hpp"

namespace sixstep::wisdom {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int format = 1;  // raise it when old entries can no longer be used
constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr std::chrono::seconds most_patience{2};
// Each level is more thorough than the one before.
constexpr std::array<std::string_view, 2> levels{"quick", "exhaustive"};

/// Throws Error with the system's message unless `is_done`; `what` is the participle for the
/// message.
void require_done(bool is_done, fs::path const& file, char const* what) {
  require(is_done, file.string(), ": it cannot be ", what, ": ", std::strerror(errno));
}

// The bytes of a file

constexpr std::string_view opening = "{\"sixstep_wisdom\": ";
constexpr std::string_view closing = "\n]}\n";

/// FNV-1a as 16 digits. Changing one byte always changes it.
std::string checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
  return digits.data();
}

std::string beginning(std::string_view lines) {
  return text(opening, format, ",\n\"checksum\": \"", checksum(lines), "\",\n\"entries\": [\n");
}

Json to_json(Words const& words) {
  Json json = Json::object();
  for (auto const& [name, value] : words) json[name] = value;
  return json;
}

/// One entry a line, so that files can be compared and searched line by line.
std::string to_lines(std::vector<Entry> const& entries) {
  std::string lines;
  for (Entry const& entry : entries) {
    Json const json{{"key", to_json(entry.key)},
                    {"found", to_json(entry.found)},
                    {"level", entry.level},
                    {"seconds", entry.seconds},
                    {"default_seconds", entry.default_seconds},
                    {"when", entry.when}};
    lines += (lines.empty() ? "" : ",\n") + json.dump();
  }
  return lines;
}

Words words_of(Json const& json) {
  Words words;
  for (auto const& [name, value] : json.get_ref<Json::object_t const&>())
    words.emplace_back(name, value.get<std::string>());
  return words;
}

bool is_time(std::string_view word) {
  constexpr std::string_view pattern = "0000-00-00T00:00:00Z";
  return std::equal(word.begin(), word.end(), pattern.begin(), pattern.end(),
                    [](char given, char needed) {
                      return needed == '0' ? '0' <= given && given <= '9' : given == needed;
                    });
}

bool is_valid(Entry const& entry) {
  return std::count(levels.begin(), levels.end(), entry.level) > 0 && entry.seconds > 0 &&
         entry.default_seconds > 0 && is_time(entry.when);
}

/// The entries in these lines; empty unless to_lines() would write exactly these lines for them.
std::optional<std::vector<Entry>> parsed(std::string_view lines) {
  try {
    std::vector<Entry> entries;
    for (Json const& json : Json::parse(text('[', lines, ']')))
      entries.push_back({words_of(json.at("key")), words_of(json.at("found")),
                         json.at("level").get<std::string>(), json.at("seconds").get<double>(),
                         json.at("default_seconds").get<double>(),
                         json.at("when").get<std::string>()});
    bool const valid = std::all_of(entries.begin(), entries.end(), is_valid);
    if (valid && to_lines(entries) == lines) return entries;
  } catch (Json::exception const&) {
  }
  return std::nullopt;
}

/// The entries of a file, or why it is not trusted.
struct Contents {
  std::vector<Entry> entries;
  std::string damage;
  bool may_be_replaced = true;  // it is a wisdom file of this format or an older one, or empty
};

/// Parses JSON only if the checksum is right: a foreign file could contain anything.
Contents contents_of(std::string_view bytes) {
  if (bytes.empty()) return {};
  if (!bytes.starts_with(opening)) return {{}, "it is no wisdom file", false};
  int given = 0;
  std::from_chars(bytes.data() + opening.size(), bytes.data() + bytes.size(), given);
  if (given != format)
    return {{}, text("it is of format ", given, ", ", format, " is needed"), given < format};
  std::size_t const begin = beginning("").size();
  if (bytes.size() >= begin + closing.size() && bytes.ends_with(closing)) {
    auto const lines = bytes.substr(begin, bytes.size() - begin - closing.size());
    if (bytes.starts_with(beginning(lines)))
      if (auto entries = parsed(lines)) return {std::move(*entries), ""};
  }
  return {{}, "it is damaged"};
}

// Reading

/// The file that a symbolic link leads to, which is the one that is replaced.
fs::path resolved(fs::path const& file) {
  std::error_code failure;
  fs::path const found = fs::weakly_canonical(fs::absolute(file, failure), failure);
  return failure ? file : found;
}

/// Numbers that change whenever a file is written or replaced.
struct Version {
  dev_t device;
  ino_t inode;
  off_t bytes;
  std::int64_t seconds, nanoseconds;

  bool operator==(Version const&) const = default;
};

/// Empty if there is no such file.
std::optional<Version> version_of(fs::path const& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return std::nullopt;
  return Version{status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                 status.st_mtim.tv_nsec};
}

/// Throws Error if the file cannot be read.
Contents contents(fs::path const& file) {
  return contents_of(read_whole_file(file.string(), most_bytes).value_or(""));
}

// Writing

/// Keeps other writers away while it lives.
///
/// The lock is on a separate file that is never removed. A lock on the wisdom file itself would be
/// on a file that has been replaced.
class Lock {
 public:
  /// Throws Error
  /// - if the lock cannot be made, or another process does not release it;
  /// - if its file is a link, or anything else but a regular file.
  explicit Lock(fs::path const& file)
      : lock_(fs::path(file) += ".lock"),
        descriptor_(
            open(lock_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666)) {
    struct stat status {};
    require_done(descriptor_ >= 0 && fstat(descriptor_, &status) == 0, lock_, "opened");
    require(S_ISREG(status.st_mode), lock_.string(), ": a regular file is needed");
    // Does not wait in the kernel, which could last for ever if the holder is stopped. It counts
    // pauses instead of time: on a machine that is slow, the holder is slow too.
    constexpr std::chrono::milliseconds pause{5};
    std::chrono::milliseconds waited{0};
    while (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      if (errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP) {
        report_ = text(lock_.string(), ": there are no locks (", std::strerror(errno),
                       "): of writers at the same time one may be lost");
        return;
      }
      require_done(errno == EWOULDBLOCK || errno == EINTR, lock_, "locked");
      require(waited < most_patience, lock_.string(), ": another process has held it for ",
              most_patience.count(), " s");
      std::this_thread::sleep_for(pause);
      waited += pause;
    }
  }

  /// Why there are no locks; empty if there are.
  std::string const& report() const { return report_; }

 private:
  fs::path lock_;
  Descriptor descriptor_;
  std::string report_;
};

/// Throws the errors of write().
std::string to_bytes(fs::path const& file, std::vector<Entry> const& entries) {
  std::string lines;
  try {
    lines = to_lines(entries);
  } catch (Json::exception const& error) {
    throw Error(text(file.string(), ": entries in UTF-8 are needed: ", error.what()));
  }
  require(parsed(lines) == entries, file.string(),
          ": entries with each name once, a level, times above 0 and a date are needed");
  std::string const bytes = text(beginning(lines), lines, closing);
  require(bytes.size() <= most_bytes, file.string(), ": it would have ", bytes.size(),
          " bytes, at most ", most_bytes, " are possible");
  return bytes;
}

/// Changes the entries by edit(entries) and returns the report. Throws Error if the file cannot be
/// changed or is not a wisdom file.
template <class Edit>
std::string change(fs::path const& named, Edit const& edit) {
  fs::path const file = resolved(named);
  std::error_code failure;
  fs::create_directories(file.parent_path(), failure);
  require(!failure, file.parent_path().string(),
          ": a folder is needed, it cannot be made: ", failure.message());
  contents(file);  // throws unless it is a regular file: no lock is made beside it then
  Lock const lock(file);
  Contents found = contents(file);
  require(found.may_be_replaced, file.string(), ": ", found.damage, "; it is left as it is");
  std::string report = lock.report();
  if (!found.damage.empty())
    report += text(report.empty() ? "" : "; ", file.string(), ": ", found.damage,
                   "; it was replaced, without its entries");
  edit(found.entries);
  replace_file(file.string(), to_bytes(file, found.entries));
  return report;
}

std::vector<Entry>::iterator find(std::vector<Entry>& entries, Words const& key) {
  return std::find_if(entries.begin(), entries.end(),
                      [&](Entry const& entry) { return entry.key == key; });
}

bool is_better(Entry const& a, Entry const& b) {
  auto const rank = [](Entry const& entry) {
    return std::pair(std::find(levels.begin(), levels.end(), entry.level), entry.when);
  };
  return rank(a) > rank(b);
}

}  // namespace

std::string now() {
  std::time_t const seconds = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 32> words{};
  std::strftime(words.data(), words.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return words.data();
}

std::optional<fs::path> default_file() {
  if (char const* const file = std::getenv("SIXSTEP_WISDOM"))
    return *file ? std::optional<fs::path>(file) : std::nullopt;
  for (auto const& [variable, folder] : {std::pair{"XDG_DATA_HOME", ""}, {"HOME", ".local/share"}})
    if (char const* const base = std::getenv(variable); base && fs::path(base).is_absolute())
      return fs::path(base) / folder / "sixstep" / "wisdom.json";
  return std::nullopt;
}

std::vector<Entry> entries_of(fs::path const& file) {
  Contents found = contents(file);
  require(found.damage.empty(), file.string(), ": ", found.damage);
  return std::move(found.entries);
}

std::string to_text(std::vector<Entry> const& entries) { return to_lines(entries); }

std::vector<Entry> from_text(std::string const& words) {
  auto entries = parsed(words);
  require(entries.has_value(), "wisdom: the entries as to_text() writes them are needed, ",
          shortened(words), " was given");
  return std::move(*entries);
}

Read read(fs::path const& file) {
  try {
    Contents found = contents(file);
    if (found.damage.empty()) return {std::move(found.entries), ""};
    return {{}, text(file.string(), ": ", found.damage, "; it is not used")};
  } catch (std::exception const& error) {
    return {{}, error.what()};
  }
}

std::shared_ptr<Read const> read_if_changed(fs::path const& file) {
  static std::mutex mutex;
  static fs::path last_file;
  static std::optional<Version> last_version;
  static std::shared_ptr<Read const> last;
  std::lock_guard const lock(mutex);
  std::optional<Version> const version =
      version_of(file);  // before reading: the file may change meanwhile
  if (!version || version != last_version || file != last_file) {
    last = std::make_shared<Read const>(read(file));
    last_version = version;
    last_file = file;
  }
  return last;
}

std::string keep(fs::path const& file, std::vector<Entry> const& entries) {
  try {
    return change(file, [&](std::vector<Entry>& known) {
      for (Entry const& entry : entries)
        if (auto const at = find(known, entry.key); at != known.end())
          *at = entry;
        else
          known.push_back(entry);
    });
  } catch (std::exception const& error) {
    return text("wisdom is not kept: ", error.what());
  }
}

Change forget(fs::path const& file, std::function<bool(Entry const&)> const& unwanted) {
  Change made;
  made.report = change(
      file, [&](std::vector<Entry>& entries) { made.entries = std::erase_if(entries, unwanted); });
  return made;
}

Change merge(fs::path const& file, std::vector<Entry> const& entries) {
  Change made;
  made.report = change(file, [&](std::vector<Entry>& known) {
    for (Entry const& entry : entries) {
      auto const at = find(known, entry.key);
      if (at != known.end() && !is_better(entry, *at)) continue;
      ++made.entries;
      if (at != known.end())
        *at = entry;
      else
        known.push_back(entry);
    }
  });
  return made;
}

void write(fs::path const& file, std::vector<Entry> const& entries) {
  replace_file(file.string(), to_bytes(file, entries));
}

}  // namespace sixstep::wisdom
