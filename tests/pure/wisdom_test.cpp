// SPDX-License-Identifier: BSD-3-Clause
// Wisdom files: what is kept is read; what is damaged is noticed and not used; what is not ours is
// never changed.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "refuses.hpp"
#include "wisdom/wisdom_file.hpp"
#include "wisdom_bytes.hpp"
#include "wisdom_files.hpp"

namespace sixstep::wisdom {
namespace {

using wisdom_bytes::a_line;
using wisdom_bytes::framed;

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
