// SPDX-License-Identifier: BSD-3-Clause
// Wisdom files: what is kept is read; what is damaged is noticed and not used; what is not ours is
// never changed; writers that are killed, or write at the same time, lose nothing.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "refuses.hpp"
#include "wisdom/wisdom_file.hpp"
#include "wisdom_bytes.hpp"

namespace {
int flock_failure = 0;  // 0: locks are had
std::int64_t slept_ns = 0;
}  // namespace

/// In the place of the C library's: where there is no lock to be had, time flies.
extern "C" int nanosleep(timespec const* time, timespec* rest) {
  slept_ns += time->tv_sec * 1000000000 + time->tv_nsec;
  return flock_failure == 0 ? static_cast<int>(syscall(SYS_nanosleep, time, rest)) : 0;
}

/// The same.
extern "C" int flock(int descriptor, int operation) noexcept {
  if (flock_failure == 0) return static_cast<int>(syscall(SYS_flock, descriptor, operation));
  errno = flock_failure;
  return -1;
}

namespace sixstep::wisdom {
namespace {

namespace fs = std::filesystem;
using Random = std::mt19937_64;
using wisdom_bytes::a_line;
using wisdom_bytes::framed;

/// A folder of one test; others than its owner may look into it.
class Folder {
 public:
  Folder() {
    std::string name = testing::TempDir() + "wisdom.XXXXXX";
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    path_ = name;
    fs::permissions(path_, fs::perms(0755));
  }
  ~Folder() {
    fs::permissions(path_, fs::perms(0755));
    fs::remove_all(path_);
  }
  Folder(Folder const&) = delete;
  Folder& operator=(Folder const&) = delete;

  fs::path operator/(char const* name) const { return path_ / name; }
  fs::path const& path() const { return path_; }

  std::set<std::string> names() const {
    std::set<std::string> found;
    for (auto const& file : fs::directory_iterator(path_)) found.insert(file.path().filename());
    return found;
  }

 private:
  fs::path path_;
};

std::string contents(fs::path const& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

void put(fs::path const& file, std::string const& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

Entry entry_of(std::string const& problem) {
  return {{{"problem", problem}, {"ranks", "4"}},
          {{"exchange", "pairwise"}, {"windows", "8"}},
          "quick",
          0.0125,
          0.1,
          "2026-11-22T21:45:00Z"};
}

bool holds(std::string const& words, std::string const& part) {
  return words.find(part) != std::string::npos;
}

std::size_t below(Random& random, std::size_t end) {
  return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
}

std::string replaced(std::string words, std::string const& from, std::string const& to) {
  auto const at = words.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return words.replace(at, from.size(), to);
}

std::string keep(fs::path const& file, Entry const& entry) {
  return wisdom::keep(file, std::vector{entry});
}

/// Expects of a file with these bytes that nothing of it is taken, and that it stays as it is.
void expect_ignored(fs::path const& file, std::string const& bytes, std::string const& why) {
  put(file, bytes);
  Read const found = read(file);
  EXPECT_TRUE(found.entries.empty()) << bytes.substr(0, 2000);
  EXPECT_TRUE(holds(found.report, why)) << found.report;
  EXPECT_TRUE(holds(found.report, file.string() + ": ")) << found.report;
  EXPECT_TRUE(holds(found.report, "it is not used")) << found.report;
  EXPECT_EQ(found.report.find('\n'), std::string::npos);
  EXPECT_EQ(contents(file), bytes);
}

/// Expects of a file with these bytes that no writer changes it.
void expect_left(fs::path const& file, std::string const& bytes, std::string const& why) {
  expect_ignored(file, bytes, why);
  std::string const report = keep(file, entry_of("a"));
  EXPECT_TRUE(holds(report, "wisdom is not kept: " + file.string() + ": " + why)) << report;
  EXPECT_TRUE(holds(report, "it is left as it is")) << report;
  EXPECT_EQ(contents(file), bytes);
}

TEST(wisdom, that_was_kept_is_read) {
  Folder folder;
  fs::path const file = folder / "of/mine/wisdom.json";
  EXPECT_EQ(read(file).entries, std::vector<Entry>());
  EXPECT_EQ(read(file).report, "");
  EXPECT_FALSE(fs::exists(file.parent_path()));
  EXPECT_EQ(keep(file, entry_of("a")), "");
  EXPECT_EQ(keep(file, entry_of("b")), "");
  Entry again = entry_of("a");
  again.found = {{"exchange", "collective"}};
  again.level = "exhaustive";
  EXPECT_EQ(keep(file, again), "");
  EXPECT_EQ(read(file).entries, (std::vector<Entry>{again, entry_of("b")}));
  EXPECT_EQ(read(file).report, "");
  EXPECT_EQ(entries_of(file), read(file).entries);
}

TEST(wisdom, is_read_again_when_the_file_has_changed) {
  Folder folder;
  fs::path const file = folder / "wisdom.json";
  EXPECT_EQ(read_if_changed(file)->entries, std::vector<Entry>());
  EXPECT_EQ(keep(file, entry_of("a")), "");
  auto const first = read_if_changed(file);
  EXPECT_EQ(first->entries, std::vector<Entry>{entry_of("a")});
  EXPECT_EQ(read_if_changed(file), first);  // the same object
  EXPECT_EQ(keep(file, entry_of("b")), "");
  EXPECT_EQ(read_if_changed(file)->entries, (std::vector<Entry>{entry_of("a"), entry_of("b")}));
  EXPECT_EQ(first->entries, std::vector<Entry>{entry_of("a")});
  EXPECT_EQ(keep(folder / "other.json", entry_of("c")), "");
  EXPECT_EQ(read_if_changed(folder / "other.json")->entries, std::vector<Entry>{entry_of("c")});
  put(file, "something else");
  EXPECT_TRUE(holds(read_if_changed(file)->report, "it is no wisdom file"));
  fs::remove(file);
  EXPECT_EQ(read_if_changed(file)->report, "");
  EXPECT_EQ(read_if_changed(file)->entries, std::vector<Entry>());
}

TEST(wisdom, is_written_in_a_format_that_has_a_number) {
  Folder folder;
  fs::path const file = folder / "wisdom.json";
  EXPECT_EQ(keep(file, entry_of("a")), "");
  EXPECT_EQ(contents(file), framed(a_line));
  Entry b = entry_of("b");
  EXPECT_EQ(keep(file, b), "");
  EXPECT_EQ(contents(file), framed(a_line + ",\n" + replaced(a_line, "\"a\"", "\"b\"")));
}

TEST(wisdom, survives_odd_words_and_any_seconds) {
  Folder folder;
  fs::path const file = folder / "wisdom.json";
  std::vector<std::string> const odd{"",
                                     " ",
                                     "\"",
                                     "\\",
                                     "]}\n",
                                     "a\nb\r\t\b",
                                     std::string("a\0b", 3),
                                     "\x7f\x1b[31m",
                                     "K\xc3\xb6ln \xe2\x80\xa8 \xf0\x9f\x8c\x8a",
                                     "null",
                                     "1e999",
                                     std::string(100000, 'x')};
  Random random(1);
  std::vector<Entry> entries;
  auto const seconds = [&] {
    for (;;)
      if (auto const any = std::bit_cast<double>(random()); std::isfinite(any) && any > 0)
        return any;
  };
  for (int i = 0; i < 500; ++i) {
    Entry entry = entry_of(std::to_string(i));
    std::set<std::string> used;
    for (Words* words : {&entry.key, &entry.found})
      for (std::size_t more = below(random, 4); more > 0; --more) {
        std::string const name = odd[below(random, odd.size() - 1)];
        if (used.insert(name).second) words->emplace_back(name, odd[below(random, odd.size() - 1)]);
      }
    entry.seconds = seconds();
    entry.default_seconds = seconds();
    entry.level = i % 2 ? "quick" : "exhaustive";
    entry.when = now();
    entries.push_back(entry);
  }
  entries.push_back(entry_of(odd.back()));
  write(file, entries);
  EXPECT_EQ(entries_of(file), entries);
  EXPECT_EQ(keep(file, entries[17]), "");
  EXPECT_EQ(entries_of(file), entries);
  EXPECT_EQ(folder.names(), (std::set<std::string>{"wisdom.json", "wisdom.json.lock"}));
  EXPECT_EQ(from_text(to_text(entries)), entries);
  EXPECT_EQ(from_text(to_text({})), std::vector<Entry>());
  EXPECT_TRUE(refuses("wisdom", {"to_text()", "odd"}, [] { from_text("odd"); }));
}

TEST(wisdom, that_could_not_be_read_again_is_not_written) {
  Folder folder;
  fs::path const file = folder / "wisdom.json";
  EXPECT_EQ(keep(file, entry_of("a")), "");
  std::string const before = contents(file);
  std::map<std::string, Entry> wrong;
  for (char const* name : {"twice", "no UTF-8", "level", "NaN", "infinite", "none", "when"})
    wrong[name] = entry_of(name);
  wrong["twice"].found = {{"windows", "8"}, {"windows", "8"}};
  wrong["no UTF-8"].key = {{"cpu", "\xff"}};
  wrong["level"].level = "thorough";
  wrong["NaN"].seconds = std::nan("");
  wrong["infinite"].default_seconds = HUGE_VAL;
  wrong["none"].seconds = 0;
  wrong["when"].when = "today";
  for (auto const& [name, entry] : wrong) {
    std::string const report = keep(file, entry);
    EXPECT_TRUE(holds(report, "not kept") && holds(report, "are needed")) << name << report;
    EXPECT_EQ(contents(file), before) << name;
  }
  EXPECT_TRUE(refuses(file, {"UTF-8"}, [&] { write(file, {wrong["no UTF-8"]}); }));
}

TEST(wisdom, of_others_is_neither_used_nor_changed) {
  Folder folder;
  fs::path const file = folder / "wisdom.json";
  std::string const good = framed(a_line);
  put(file, good);
  EXPECT_EQ(read(file).entries, std::vector<Entry>{entry_of("a")});
  for (std::string const& foreign :
       {std::string("{}"), std::string("[1, 2]\n"), std::string("{\"name\": NaN}"),
        std::string(1000000, '['), std::string(100, '\0'), std::string("\xff\xfe"), a_line})
    expect_left(file, foreign, "it is no wisdom file");
  for (char const* version : {"2", "10"})
    expect_left(file, replaced(good, "wisdom\": 1", std::string("wisdom\": ") + version),
                std::string("it is of format ") + version + ", 1 is needed");
  put(file, good);
  fs::resize_file(file, (64 << 20) + 1);
  EXPECT_TRUE(holds(read(file).report, "at most 67108864 are possible"));
  EXPECT_TRUE(holds(keep(file, entry_of("a")), "at most 67108864 are possible"));
  EXPECT_EQ(fs::file_size(file), std::uintmax_t{(64 << 20) + 1});
}

TEST(wisdom, with_the_right_checksum_and_the_wrong_entries_is_not_used) {
  Folder folder;
  fs::path const file = folder / "wisdom.json";
  std::string const deep(1000000, '[');
  for (std::string const& lines : {deep,
                                   deep + std::string(deep.size(), ']'),
                                   std::string("1"),
                                   std::string("{}"),
                                   std::string("]"),
                                   " " + a_line,
                                   a_line + ",",
                                   a_line + "\n",
                                   replaced(a_line, "0.0125", "NaN"),
                                   replaced(a_line, "0.0125", "1e999"),
                                   replaced(a_line, "0.0125", "-1.0"),
                                   replaced(a_line, "0.0125", "1"),
                                   replaced(a_line, "0.0125", "0.01250"),
                                   replaced(a_line, "0.0125", "\"1\""),
                                   replaced(a_line, "0.0125", std::string(100000, '9')),
                                   replaced(a_line, "quick", "slow"),
                                   replaced(a_line, "2026", "20x6"),
                                   replaced(a_line, "pairwise", "\xff"),
                                   replaced(a_line, "pairwise", "\\ud800"),
                                   replaced(a_line, "pairwise", "\\u0070airwise"),
                                   replaced(a_line, "\"pairwise\"", "4"),
                                   replaced(a_line, "\"pairwise\"", "null"),
                                   replaced(a_line, "\"windows\"", "\"exchange\""),
                                   replaced(a_line, "\"level\"", "\"more\":1,\"level\"")})
    expect_ignored(file, framed(lines), "it is damaged");
}

TEST(wisdom, is_kept_where_a_damaged_file_of_ours_was) {
  Folder folder;
  fs::path const file = folder / "wisdom.json";
  std::string const good = framed(a_line);
  for (std::string const& bytes :
       {good.substr(0, good.size() / 2), replaced(good, "0.0125", "0.0126"),
        replaced(good, "wisdom\": 1", "wisdom\": 0"),
        replaced(good, "wisdom\": 1", "wisdom\": -1")}) {
    put(file, bytes);
    EXPECT_TRUE(refuses(file, {"it is "}, [&] { entries_of(file); }));
    std::string const report = keep(file, entry_of("b"));
    EXPECT_TRUE(holds(report, "it was replaced, without its entries")) << report;
    EXPECT_EQ(read(file).entries, std::vector<Entry>{entry_of("b")});
  }
  put(file, "");
  EXPECT_EQ(read(file).report, "");
  EXPECT_EQ(keep(file, entry_of("a")), "");
  EXPECT_EQ(contents(file), good);
}

TEST(wisdom, is_written_to_no_file_that_was_planted) {
  Folder folder;
  fs::path const file = folder / "wisdom.json", mine = folder / "mine";
  put(mine, "years of work");
  fs::create_symlink("mine", folder / "wisdom.json.new");
  EXPECT_EQ(keep(file, entry_of("a")), "");
  EXPECT_EQ(contents(mine), "years of work");
  fs::remove(folder / "wisdom.json.lock");

  fs::create_symlink("elsewhere", folder / "wisdom.json.lock");
  EXPECT_TRUE(holds(keep(file, entry_of("b")), "wisdom.json.lock: it cannot be opened"));
  EXPECT_FALSE(fs::exists(folder / "elsewhere"));
  fs::remove(folder / "wisdom.json.lock");

  ASSERT_EQ(mkfifo((folder / "wisdom.json.lock").c_str(), 0600), 0);
  EXPECT_TRUE(holds(keep(file, entry_of("b")), "wisdom.json.lock: a regular file is needed"));
  EXPECT_EQ(entries_of(file), std::vector<Entry>{entry_of("a")});
}

TEST(wisdom, is_kept_in_files_only) {
  Folder folder;
  fs::path const pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  fs::create_directory(folder / "folder");
  for (fs::path const& file : {folder / "folder", pipe, fs::path("/dev/null")}) {
    EXPECT_TRUE(holds(read(file).report, "it is not a regular file"));
    EXPECT_TRUE(holds(keep(file, entry_of("a")), "it is not a regular file"));
    EXPECT_TRUE(fs::exists(file) && !fs::is_regular_file(file));
    EXPECT_FALSE(fs::exists(file.string() + ".lock"));
  }
  put(folder / "file", "");
  EXPECT_TRUE(holds(read(folder / "file/wisdom.json").report, "Not a directory"));
  EXPECT_TRUE(holds(keep(folder / "file/wisdom.json", entry_of("a")), "a folder is needed"));
}

TEST(wisdom, stays_where_a_link_leads) {
  Folder folder;
  fs::create_directory(folder / "real");
  fs::create_symlink("real/wisdom.json", folder / "wisdom.json");
  put(folder / "real/wisdom.json", framed(a_line));
  EXPECT_EQ(keep(folder / "wisdom.json", entry_of("b")), "");
  EXPECT_TRUE(fs::is_symlink(folder / "wisdom.json"));
  EXPECT_EQ(entries_of(folder / "real/wisdom.json").size(), 2u);
}

TEST(wisdom, is_forgotten_and_merged) {
  Folder folder;
  fs::path const file = folder / "wisdom.json";
  Entry old = entry_of("old"), later = old, thorough = old;
  later.when = "2026-11-23T00:00:00Z";
  later.seconds = 0.02;
  thorough.when = "2025-01-01T00:00:00Z";
  thorough.level = "exhaustive";
  EXPECT_EQ(merge(file, {old, entry_of("b")}).entries, 2u);
  EXPECT_EQ(merge(file, {old, entry_of("b")}).entries, 0u);
  EXPECT_EQ(merge(file, {later, entry_of("c")}).entries, 2u);
  EXPECT_EQ(entries_of(file), (std::vector<Entry>{later, entry_of("b"), entry_of("c")}));
  EXPECT_EQ(merge(file, {old}).entries, 0u);
  EXPECT_EQ(merge(file, {thorough, later}).entries, 1u);
  EXPECT_EQ(entries_of(file), (std::vector<Entry>{thorough, entry_of("b"), entry_of("c")}));
  Change const forgotten = forget(file, [](Entry const& entry) { return entry.level == "quick"; });
  EXPECT_EQ(forgotten.entries, 2u);
  EXPECT_EQ(forgotten.report, "");
  EXPECT_EQ(entries_of(file), std::vector<Entry>{thorough});
}

/// The exit code of a process that does `work`; or minus the signal that ended it.
int outcome(pid_t process) {
  int status = 0;
  EXPECT_EQ(waitpid(process, &status, 0), process);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

template <class Work>
pid_t in_process(Work const& work) {
  pid_t const process = fork();
  EXPECT_GE(process, 0);
  if (process == 0) _exit(work() ? 0 : 1);
  return process;
}

TEST(wisdom, of_writers_that_are_killed_is_whole) {
  Folder folder;
  fs::path const file = folder / "wisdom.json";
  // Long enough that many are killed while they write.
  Entry padded = entry_of("before");
  padded.found.emplace_back("padding", std::string(100000, 'x'));
  auto const begin = std::chrono::steady_clock::now();
  ASSERT_EQ(keep(file, padded), "");
  std::chrono::duration<double, std::micro> const duration =
      std::chrono::steady_clock::now() - begin;
  std::vector<Entry> before{padded};
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    auto const entry = [round](std::size_t i) {
      return entry_of(std::to_string(round) + ' ' + std::to_string(i));
    };
    int begun[2];  // a byte for each entry
    ASSERT_EQ(pipe(begun), 0);
    pid_t const writer = in_process([&] {
      for (std::size_t i = 0; ::write(begun[1], "", 1) == 1; ++i) keep(file, entry(i));
      return false;
    });
    std::size_t const kept = below(random, 3);
    for (std::size_t i = 0; i <= kept; ++i) {
      char byte = 0;
      ASSERT_EQ(::read(begun[0], &byte, 1), 1);
    }
    usleep(static_cast<useconds_t>(below(random, 1 + static_cast<std::size_t>(duration.count()))));
    kill(writer, SIGKILL);
    EXPECT_EQ(outcome(writer), -SIGKILL);
    close(begun[0]);
    close(begun[1]);
    Read const after = read(file);
    ASSERT_EQ(after.report, "");
    ASSERT_GE(after.entries.size(), before.size() + kept);
    ASSERT_TRUE(std::equal(before.begin(), before.end(), after.entries.begin()));
    for (std::size_t i = before.size(); i < after.entries.size(); ++i)
      ASSERT_EQ(after.entries[i], entry(i - before.size()));
    before = after.entries;
  }
  EXPECT_EQ(keep(file, entry_of("after")), "");
  before.push_back(entry_of("after"));
  EXPECT_EQ(entries_of(file), before);
  // A writer that was killed may leave what it had not completed, under a temporary name.
  std::set<std::string> names = folder.names();
  std::erase_if(names, [](std::string const& name) { return name.ends_with(".tmp"); });
  EXPECT_EQ(names, (std::set<std::string>{"wisdom.json", "wisdom.json.lock"}));
}

TEST(wisdom, of_many_writers_is_all_there) {
  Folder folder;
  fs::path const file = folder / "wisdom.json";
  constexpr int writers = 8, entries = 20;
  std::vector<pid_t> processes;
  for (int writer = 0; writer < writers; ++writer)
    processes.push_back(in_process([&] {
      for (int i = 0; i < entries; ++i)
        for (;;) {
          std::string const report =
              keep(file, entry_of(std::to_string(writer) + ' ' + std::to_string(i)));
          if (report.empty()) break;
          if (!holds(report, "has held it")) return false;  // or else this machine is slow
        }
      return true;
    }));
  // Readers always find a whole file.
  std::size_t most = 0;
  for (int i = 0; i < 200; ++i) {
    Read const found = read(file);
    EXPECT_EQ(found.report, "");
    EXPECT_GE(found.entries.size(), most);
    most = found.entries.size();
    usleep(500);
  }
  for (pid_t const process : processes) EXPECT_EQ(outcome(process), 0);
  std::set<std::string> found;
  for (Entry const& entry : read(file).entries) found.insert(entry.key[0].second);
  EXPECT_EQ(found.size(), std::size_t{writers * entries});
}

TEST(wisdom, is_read_in_a_folder_that_cannot_be_written) {
  Folder folder;
  put(folder / "wisdom.json", framed(a_line));
  put(folder / "bad.json", "bad");
  fs::permissions(folder.path(), fs::perms(0555));
  pid_t const process = in_process([&] {
    // Root may write everywhere.
    if (geteuid() == 0 && setuid(65534) != 0) return false;
    Read const good = read(folder / "wisdom.json");
    Read const bad = read(folder / "bad.json");
    std::string const kept = keep(folder / "wisdom.json", entry_of("b"));
    std::string const made = keep(folder / "new/wisdom.json", entry_of("b"));
    return good.report.empty() && good.entries == std::vector<Entry>{entry_of("a")} &&
           bad.entries.empty() && holds(bad.report, "no wisdom file") && holds(kept, "not kept") &&
           holds(kept, "Permission denied") && holds(made, "a folder is needed");
  });
  EXPECT_EQ(outcome(process), 0);
  EXPECT_EQ(folder.names(), (std::set<std::string>{"bad.json", "wisdom.json"}));
  EXPECT_EQ(contents(folder / "wisdom.json"), framed(a_line));
}

TEST(wisdom, is_kept_without_locks_where_there_are_none) {
  Folder folder;
  fs::path const file = folder / "wisdom.json";
  flock_failure = ENOLCK;
  std::string const report = keep(file, entry_of("a"));
  flock_failure = 0;
  EXPECT_TRUE(holds(report, "there are no locks")) << report;
  EXPECT_EQ(entries_of(file), std::vector<Entry>{entry_of("a")});
  EXPECT_EQ(folder.names(), (std::set<std::string>{"wisdom.json", "wisdom.json.lock"}));
}

TEST(wisdom, waits_for_a_lock_and_not_for_ever) {
  Folder folder;
  fs::path const file = folder / "wisdom.json";
  flock_failure = EWOULDBLOCK;
  slept_ns = 0;
  std::string const report = keep(file, entry_of("a"));
  flock_failure = 0;
  EXPECT_TRUE(holds(report, "another process has held it for 2 s")) << report;
  EXPECT_EQ(slept_ns, 2000000000);
  EXPECT_FALSE(fs::exists(file));
}

TEST(wisdom, has_a_default_file_where_there_is_a_home) {
  auto const found = [](std::map<std::string, std::string> const& environment) {
    for (char const* name : {"SIXSTEP_WISDOM", "XDG_DATA_HOME", "HOME"})
      if (auto const at = environment.find(name); at != environment.end())
        setenv(name, at->second.c_str(), 1);
      else
        unsetenv(name);
    return default_file().value_or("none").string();
  };
  EXPECT_EQ(found({}), "none");
  EXPECT_EQ(found({{"HOME", ""}}), "none");
  EXPECT_EQ(found({{"HOME", "/home/me"}}), "/home/me/.local/share/sixstep/wisdom.json");
  EXPECT_EQ(found({{"HOME", "/home/me"}, {"XDG_DATA_HOME", ""}}),
            "/home/me/.local/share/sixstep/wisdom.json");
  EXPECT_EQ(found({{"HOME", "/home/me"}, {"XDG_DATA_HOME", "/data"}}), "/data/sixstep/wisdom.json");
  EXPECT_EQ(found({{"HOME", "/home/me"}, {"SIXSTEP_WISDOM", "mine.json"}}), "mine.json");
  EXPECT_EQ(found({{"HOME", "/home/me"}, {"SIXSTEP_WISDOM", ""}}), "none");
}

}  // namespace
}  // namespace sixstep::wisdom
