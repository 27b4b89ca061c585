// SPDX-License-Identifier: BSD-3-Clause
// Files that take their names when they are complete.
#include "base/new_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "../most_bytes.hpp"
#include "../refuses.hpp"

namespace sixstep {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class new_file : public testing::Test {
 protected:
  new_file() {
    std::string pattern = (fs::temp_directory_path() / "sixstep_new_file_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~new_file() override { fs::remove_all(folder_); }

  std::string at(std::string const& name) const { return (folder_ / name).string(); }
  void put(std::string const& name, std::string const& content) const {
    std::ofstream(at(name), std::ios::binary) << content;
  }
  std::string content(std::string const& name) const {
    std::ifstream file(at(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Names names() const {
    Names found;
    for (auto const& entry : fs::directory_iterator(folder_))
      found.push_back(entry.path().filename().string());
    std::ranges::sort(found);
    return found;
  }

 private:
  fs::path folder_;
};

struct stat status_of(std::string const& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status;
}

mode_t mode_of(std::string const& path) { return status_of(path).st_mode & mode_t{07777}; }

TEST_F(new_file, is_there_when_it_is_complete) {
  put("a", "before");
  {
    NewFile file(at("a"));
    file.write("after");
    EXPECT_EQ(content("a"), "before");
    EXPECT_EQ(names().size(), 2u);
    file.keep();
    EXPECT_EQ(content("a"), "after");
  }
  EXPECT_EQ(names(), Names{"a"});
}

TEST_F(new_file, leaves_nothing_if_it_is_not_kept) {
  put("a", "before");
  { NewFile(at("a")).write("after"); }
  { NewFile(at("b")).write("after"); }
  EXPECT_EQ(content("a"), "before");
  EXPECT_EQ(names(), Names{"a"});
}

TEST_F(new_file, of_two_writers_is_whole) {
  NewFile first(at("a")), second(at("a"));
  first.write("first");
  second.write("second");
  second.keep();
  first.keep();
  EXPECT_EQ(content("a"), "first");
  EXPECT_EQ(names(), Names{"a"});
}

TEST_F(new_file, leaves_all_other_files_alone) {
  for (char const* name : {"a.new", "a.tmp", "a~"}) put(name, "mine");
  replace_file(at("a"), "after");
  EXPECT_EQ(names(), (Names{"a", "a.new", "a.tmp", "a~"}));
  for (char const* name : {"a.new", "a.tmp", "a~"}) EXPECT_EQ(content(name), "mine");
}

TEST_F(new_file, has_the_mode_of_the_file_it_replaces) {
  put("a", "before");
  fs::permissions(at("a"), fs::perms(0600));
  {
    NewFile file(at("a"));
    EXPECT_EQ(mode_of(file.name()), mode_t{0600});
    file.keep();
  }
  EXPECT_EQ(mode_of(at("a")), mode_t{0600});
  fs::permissions(at("a"), fs::perms(0664));
  replace_file(at("a"), "after");
  EXPECT_EQ(mode_of(at("a")), mode_t{0664});
}

TEST_F(new_file, has_the_mode_that_the_process_gives_to_new_files) {
  mode_t const before = umask(027);
  replace_file(at("a"), "");
  umask(before);
  EXPECT_EQ(mode_of(at("a")), mode_t{0640});
}

TEST_F(new_file, has_the_owner_of_the_file_it_replaces_where_that_is_permitted) {
  put("a", "before");
  bool const is_given_away = chown(at("a").c_str(), 12345, 23456) == 0;
  ASSERT_EQ(is_given_away, geteuid() == 0);
  struct stat const before = status_of(at("a"));
  replace_file(at("a"), "after");
  EXPECT_EQ(status_of(at("a")).st_uid, before.st_uid);
  EXPECT_EQ(status_of(at("a")).st_gid, before.st_gid);
}

TEST_F(new_file, replaces_what_a_link_leads_to) {
  fs::create_directory(at("folder"));
  fs::create_symlink("folder/a", at("link"));
  replace_file(at("link"), "new");
  EXPECT_EQ(content("folder/a"), "new");
  replace_file(at("link"), "newer");
  EXPECT_EQ(content("folder/a"), "newer");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(names(), (Names{"folder", "link"}));
}

TEST_F(new_file, leaves_other_names_of_the_replaced_file_as_they_were) {
  put("a", "before");
  fs::create_hard_link(at("a"), at("b"));
  replace_file(at("a"), "after");
  EXPECT_EQ(content("a"), "after");
  EXPECT_EQ(content("b"), "before");
}

TEST_F(new_file, may_have_a_name_as_long_as_names_may_be) {
  for (std::size_t length : {251, 252, 253, 254, 255}) {
    std::string const name(length, 'x');
    replace_file(at(name), "long");
    EXPECT_EQ(content(name), "long");
  }
  EXPECT_TRUE(refuses(at(std::string(256, 'x')), {"cannot be written", "too long"},
                      [&] { NewFile(at(std::string(256, 'x'))); }));
}

TEST_F(new_file, that_does_not_fit_leaves_what_was_there) {
  put("a", "before");
  MostBytes const limit(10);
  EXPECT_TRUE(refuses(at("a"), {"cannot be written", "too large"},
                      [&] { replace_file(at("a"), std::string(11, '.')); }));
  EXPECT_EQ(content("a"), "before");
  EXPECT_EQ(names(), Names{"a"});
}

TEST_F(new_file, is_refused_where_none_can_be) {
  fs::create_directory(at("folder"));
  auto const all_refuse = [](std::string const& path, char const* why) {
    for (Target const target : {Target::regular_file, Target::any}) {
      EXPECT_TRUE(
          refuses(path, {"cannot be written", why}, [&] { require_writable(path, target); }));
      EXPECT_TRUE(refuses(path, {"cannot be written", why}, [&] { NewFile(path, target); }));
    }
  };
  all_refuse(at("folder"), "it is a folder");
  all_refuse(at("none/a"), "No such file or directory");
  EXPECT_TRUE(refuses("''", {"no name"}, [] { require_writable(""); }));
  EXPECT_TRUE(refuses("'x\\0y'", {"zero byte"}, [] { replace_file(std::string("x\0y", 3), ""); }));
  EXPECT_EQ(names(), Names{"folder"});
}

TEST_F(new_file, does_not_replace_devices_and_pipes) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  for (std::string const& path : {at("pipe"), std::string("/dev/null")}) {
    EXPECT_TRUE(refuses(path, {"not a regular file"}, [&] { require_writable(path); }));
    EXPECT_TRUE(refuses(path, {"not a regular file"}, [&] { replace_file(path, "."); }));
    require_writable(path, Target::any);
  }
  // Nobody reads it: an error, and no wait.
  EXPECT_TRUE(refuses(at("pipe"), {"cannot be written"},
                      [&] { replace_file(at("pipe"), ".", Target::any); }));
  replace_file("/dev/null", ".", Target::any);
  EXPECT_TRUE(
      refuses("/dev/full", {"No space left"}, [] { replace_file("/dev/full", ".", Target::any); }));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
}

TEST_F(new_file, may_be_an_open_file_that_is_no_new_one) {
  put("log", "one\n");
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const log(std::fopen(at("log").c_str(), "a"),
                                                            std::fclose);
  std::string const path = "/dev/fd/" + std::to_string(fileno(log.get()));
  require_writable(path, Target::any);
  replace_file(path, "two\n", Target::any);
  std::fputs("three\n", log.get());
  std::fflush(log.get());
  EXPECT_EQ(content("log"), "one\ntwo\nthree\n");
}

}  // namespace
}  // namespace sixstep
