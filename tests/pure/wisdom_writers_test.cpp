// SPDX-License-Identifier: BSD-3-Clause
// Writers of wisdom files: those that are killed, or write at the same time, lose nothing; links,
// folders and files that cannot be written; locks.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "wisdom/wisdom_file.hpp"
#include "wisdom_bytes.hpp"
#include "wisdom_files.hpp"

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

using wisdom_bytes::a_line;
using wisdom_bytes::framed;

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

}  // namespace
}  // namespace sixstep::wisdom
