// SPDX-License-Identifier: BSD-3-Clause
// `sixstep wisdom`: prints, exports, imports and removes the kept results of tuning. It needs no
// MPI.
#include "wisdom/wisdom_file.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "numbers.hpp"
#include "ranks.hpp"
#include "table.hpp"
#include "terminal.hpp"

namespace sixstep::cli {
namespace {

namespace fs = std::filesystem;
using wisdom::Entry;
using wisdom::Words;
using Json = nlohmann::ordered_json;

constexpr char wisdom_examples[] = R"(Examples:
  sixstep wisdom list
      the entries, numbered, one a line
  sixstep wisdom show 3
      all of entry 3
  sixstep wisdom forget 1 3
      removes entries; the next tuning searches again
The file is $SIXSTEP_WISDOM or, if that is not set, sixstep/wisdom.json in $XDG_DATA_HOME or in ~/.local/share.
`sixstep wisdom COMMAND --help` explains each command.)";

constexpr char list_examples[] = R"(Examples:
  sixstep wisdom list
  sixstep wisdom list --file cluster.json
  sixstep wisdom list --json | jq '.entries[] | select(.level == "quick") | .number'
The gain is the time with the defaults divided by the time with the entry.)";

constexpr char show_examples[] = R"(Examples:
  sixstep wisdom show 3
  sixstep wisdom show 3 --json | jq .found)";

constexpr char export_examples[] = R"(Examples:
  sixstep wisdom export mine.json
  ssh cluster sixstep wisdom import mine.json
      adds the entries elsewhere, after the file has been copied there)";

constexpr char import_examples[] = R"(Examples:
  sixstep wisdom import mine.json
  sixstep wisdom import mine.json --file ours.json
      to a file that several users read by SIXSTEP_WISDOM)";

constexpr char forget_examples[] = R"(Examples:
  sixstep wisdom forget 1 3
  sixstep wisdom forget --all
  sixstep wisdom forget $(sixstep wisdom list --json | jq '.entries[] | select(.key.ranks == "4") | .number')
      all entries for 4 ranks)";

struct WisdomArguments {
  std::string file;   // empty: the default
  std::string other;  // the file of export or import
  std::vector<int> numbers;
  bool all = false;
  bool json = false;

  fs::path path() const {
    if (!file.empty()) return file;
    auto const found = wisdom::default_file();
    require(found.has_value(), "--file: a file is needed where ",
            std::getenv("SIXSTEP_WISDOM") ? "SIXSTEP_WISDOM is empty" : "there is no home",
            ", none was given");
    return *found;
  }
};

/// The entry with this number, counted from 1.
Entry const& numbered(std::vector<Entry> const& entries, int number, fs::path const& file) {
  require(!entries.empty(), "N: ", file.string(), " has no entries, ", number, " was given");
  require(static_cast<std::size_t>(number) <= entries.size(), "N: a number from 1 to ",
          entries.size(), " is needed, ", number, " was given");
  return entries[static_cast<std::size_t>(number) - 1];
}

/// The value of a name; "" if there is none.
std::string value_of(Words const& words, char const* name) {
  auto const at = std::find_if(words.begin(), words.end(),
                               [&](auto const& word) { return word.first == name; });
  return at == words.end() ? "" : at->second;
}

std::string to_text(Words const& words, char const* between) {
  std::string line;
  for (auto const& [name, value] : words)
    line += (line.empty() ? "" : between) + name + ' ' + value;
  return line;
}

/// Words without control characters.
std::string one_line(std::string words) {
  std::replace_if(
      words.begin(), words.end(), [](unsigned char byte) { return std::iscntrl(byte) != 0; }, '?');
  return printable(words);
}

std::string entries_text(std::size_t count) {
  return text(count, count == 1 ? " entry" : " entries");
}

void tell(std::string const& report) {
  if (!report.empty()) complain(report);
}

Json to_json(Words const& words) {
  Json json = Json::object();
  for (auto const& [name, value] : words) json[name] = value;
  return json;
}

Json to_json(std::size_t number, Entry const& entry) {
  return {{"number", number},
          {"key", to_json(entry.key)},
          {"found", to_json(entry.found)},
          {"level", entry.level},
          {"seconds", entry.seconds},
          {"default_seconds", entry.default_seconds},
          {"when", entry.when}};
}

void print_json(Json const& json) { std::fputs(to_lines(json).c_str(), stdout); }

void list(WisdomArguments const& arguments) {
  fs::path const file = arguments.path();
  std::vector<Entry> const entries = wisdom::entries_of(file);
  if (arguments.json) {
    Json json = {{"file", file.string()}, {"entries", Json::array()}};
    for (std::size_t i = 0; i < entries.size(); ++i)
      json["entries"].push_back(to_json(i + 1, entries[i]));
    return print_json(json);
  }
  print(text(file.string(), ": ", entries_text(entries.size()), '\n'));
  if (entries.empty()) return;
  std::printf("\n%4s  %10s  %6s  %-10s  %-20s  %6s  %s\n", "N", "time", "gain", "level", "when",
              "ranks", "problem");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Entry const& entry = entries[i];
    std::string const problem = value_of(entry.key, "problem");
    std::printf(
        "%4zu  %10s  %6s  %-10s  %-20s  %6s  %s\n", i + 1, seconds_text(entry.seconds).c_str(),
        formatted("%.2f", entry.default_seconds / entry.seconds).c_str(), entry.level.c_str(),
        entry.when.c_str(), one_line(value_of(entry.key, "ranks")).c_str(),
        one_line(problem.empty() ? to_text(entry.key, ", ") : problem).c_str());
  }
}

void show(WisdomArguments const& arguments) {
  fs::path const file = arguments.path();
  int const number = arguments.numbers.front();
  std::vector<Entry> const entries = wisdom::entries_of(file);
  Entry const& entry = numbered(entries, number, file);
  if (arguments.json) return print_json(to_json(static_cast<std::size_t>(number), entry));
  Table table(entry.key.begin(), entry.key.end());
  table.emplace_back("found", to_text(entry.found, "\n"));
  table.emplace_back("time", seconds_text(entry.seconds));
  table.emplace_back("time by default", seconds_text(entry.default_seconds));
  table.emplace_back("gain", formatted("%.2f", entry.default_seconds / entry.seconds));
  table.emplace_back("level", entry.level);
  table.emplace_back("when", entry.when);
  print(table);
}

void export_to(WisdomArguments const& arguments) {
  require(!fs::exists(arguments.other), "FILE: a new file is needed, ", arguments.other,
          " already exists");
  std::vector<Entry> const entries = wisdom::entries_of(arguments.path());
  wisdom::write(arguments.other, entries);
  print(text(arguments.other, ": ", entries_text(entries.size()), '\n'));
}

void import_from(WisdomArguments const& arguments) {
  require(fs::exists(arguments.other), "FILE: a wisdom file is needed, ", arguments.other,
          " does not exist");
  std::vector<Entry> const entries = wisdom::entries_of(arguments.other);
  fs::path const file = arguments.path();
  wisdom::Change const taken = wisdom::merge(file, entries);
  tell(taken.report);
  print(text(file.string(), ": ", entries_text(taken.entries), " of ", entries.size(), " taken\n"));
}

void forget(WisdomArguments const& arguments) {
  fs::path const file = arguments.path();
  std::vector<Words> keys;  // entry numbers may change if others write the file
  if (!arguments.all) {
    std::vector<Entry> const entries = wisdom::entries_of(file);
    for (int const number : arguments.numbers) keys.push_back(numbered(entries, number, file).key);
  }
  wisdom::Change const gone = wisdom::forget(file, [&](Entry const& entry) {
    return arguments.all || std::count(keys.begin(), keys.end(), entry.key) > 0;
  });
  tell(gone.report);
  print(text(file.string(), ": ", entries_text(gone.entries), " forgotten\n"));
}

/// A command of `sixstep wisdom`.
struct Command {
  char const* name;
  char const* does;
  char const* examples;
  void (*act)(WisdomArguments const&);
};

/// Adds a command, with --file.
CLI::App& add(CLI::App& wisdom, Run& run, Command const& command,
              std::shared_ptr<WisdomArguments> const& arguments) {
  CLI::App& added = *wisdom.add_subcommand(command.name, command.does);
  added.footer(command.examples);
  added.add_option("--file", arguments->file, "Another wisdom file than the default one")
      ->option_text("FILE");
  added.callback([arguments, act = command.act, &run] {
    run = [arguments, act] {
      // All ranks would do the same work.
      if (launched_rank() == 0) act(*arguments);
      return EXIT_SUCCESS;
    };
  });
  return added;
}

CLI::Option& add_numbers(CLI::App& command, WisdomArguments& arguments, std::string const& help) {
  return *command.add_option("N", arguments.numbers, help)
              ->option_text(" ")
              ->transform(number_in(1, 1000000000));
}

void add_other(CLI::App& command, WisdomArguments& arguments, std::string const& help) {
  command.add_option("FILE", arguments.other, help)->option_text(" ")->required();
}

}  // namespace

void add_wisdom(CLI::App& app, Run& run) {
  auto const arguments = std::make_shared<WisdomArguments>();
  CLI::App& command = *app.add_subcommand(
      "wisdom", "Print, export, import or forget the settings that were found and kept");
  command.require_subcommand(1);
  command.footer(wisdom_examples);

  CLI::App& listing =
      add(command, run, {"list", "Print the entries, numbered, one a line", list_examples, list},
          arguments);
  CLI::App& showing =
      add(command, run, {"show", "Print all of an entry", show_examples, show}, arguments);
  add_numbers(showing, *arguments, "The entry's number, as in list").required()->expected(1);
  for (CLI::App* const printing : {&listing, &showing})
    printing->add_flag("--json", arguments->json, "Print it as JSON");

  CLI::App& exporting =
      add(command, run, {"export", "Write all entries to a new file", export_examples, export_to},
          arguments);
  CLI::App& importing =
      add(command, run,
          {"import",
           "Add entries of another file that are new, more thorough, or as thorough "
           "and later",
           import_examples, import_from},
          arguments);
  add_other(exporting, *arguments, "The new file");
  add_other(importing, *arguments, "A file from `sixstep wisdom export`, or a wisdom file");

  CLI::App& forgetting =
      add(command, run, {"forget", "Remove entries", forget_examples, forget}, arguments);
  CLI::Option& numbers = add_numbers(forgetting, *arguments, "Numbers of entries, as in list");
  CLI::Option& all =
      *forgetting.add_flag("--all", arguments->all, "All entries")->excludes(&numbers);
  forgetting.parse_complete_callback([&numbers, &all] {
    if (numbers.count() == 0 && all.count() == 0) throw CLI::RequiredError("N or --all");
  });
}

}  // namespace sixstep::cli
