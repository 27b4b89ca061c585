// SPDX-License-Identifier: BSD-3-Clause
// Options of plans on the command line: their names, words and help.
#include <algorithm>
#include <array>
#include <iterator>
#include <type_traits>

#include "arguments.hpp"
#include "numbers.hpp"

namespace sixstep::cli {

namespace {

/// An option as the command shows it.
struct Shown {
  std::string_view name;
  char const* help;
  char const* word = "";  // of its value
  int most = 0;           // of a number, which is 0 or more
};

constexpr Shown all_shown[] = {
    {"exchange",
     "How data moves: through memory that the ranks of a node share, by one MPI_Alltoallv per "
     "group of ranks, by a message per pair, by persistent messages, or by one-sided puts "
     "[shared]"},
    {"local",
     "Whose kernels transform columns: sixstep's, or those of FFTW or MKL, whose library the "
     "system must find (LD_LIBRARY_PATH) [own]"},
    {"reproducible",
     "Give a result with the same bits for any ranks, layouts, threads and options: machine, with "
     "the "
     "same instruction set; everywhere, with any other too [none]"},
    {"driver",
     "Who makes messages progress while passes run: the computing thread between two parts of its "
     "work, the first thread until no message is under way, teams of threads in turn, or an extra "
     "thread; automatic is the extra thread if MPI allows it and no device computes, else between "
     "[automatic]"},
    {"device",
     "The device that executes the plan, in its memory: none, the processor; a GPU; or, for "
     "tests, an emulated device [none]"},
    {"tuning",
     "How much the plan tries out: nothing, as much as --tuning-seconds allow, or all "
     "combinations [model: nothing, but earlier results are used]"},
    {"tuning_seconds", "The most seconds of --tuning quick [10]", "S"},
    {"threads", "OpenMP threads per rank [0: OMP_NUM_THREADS, or the cores that a rank may use]",
     "T", most_threads},
    {"windows",
     "The most windows of an exchange between nodes, by which passes and messages overlap; 1: "
     "strictly in turn [0: by message size]",
     "W", 64},
    {"gpu", "The number of the GPU [the rank's number on its node, modulo the GPUs there]", "G",
     most_threads},
    {"wire",
     "Shorten messages between nodes as far as the relative error of the result stays below T "
     "[messages carry all bits]",
     "T"},
    {"verify",
     "Check the result by a random weighted sum of it and of the input; with all, also compare the "
     "bits of messages and work arrays; repeat a transform that went wrong, or fail [none]"},
    {"pipelines", "Number of teams of --driver pipelines [0: one for each thread]", "K",
     most_threads},
    {"preserve_input", "Let the input be overwritten, which saves work memory"},
    {"split_untransformed",
     "Let the plan split axes that are not transformed, too, wherever that is cheapest"},
    {"low_memory",
     "Use less work memory and more passes in natural order; one long axis needs little more than "
     "the memory of one vector if N = m s^2, m <= 64 and the ranks divide s"},
    {"trace",
     "Write a trace of all threads of all ranks to a file, for ui.perfetto.dev or "
     "bench/plot_trace.py",
     "FILE"},
};

template <class Value>
void add_option(CLI::App& command, std::string_view name, Value& value) {
  auto const* const shown = std::find_if(std::begin(all_shown), std::end(all_shown),
                                         [&](Shown const& each) { return each.name == name; });
  if (shown == std::end(all_shown)) return;  // it has its own function
  std::string flag = text("--", name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  if constexpr (Named<Value>) {
    add_named(command, flag, value, all_values<Value>, shown->help);
  } else if constexpr (std::is_same_v<Value, bool>) {
    if (name == "preserve_input")
      command.add_flag_callback(
          "--give-up-input", [&value] { value = false; }, shown->help);
    else
      command.add_flag(flag, value, shown->help);
  } else if constexpr (std::is_arithmetic_v<Value> || std::is_same_v<Value, std::string>) {
    CLI::Option& option = *command.add_option(flag, value, shown->help)->option_text(shown->word);
    if constexpr (std::is_same_v<Value, int>) option.transform(number_in(0, shown->most));
    if constexpr (std::is_same_v<Value, double>) option.check(positive_number());
  }
}

constexpr std::array outputs_by_word{
    std::pair("natural", Output::as_input), std::pair("transposed", Output::cheapest),
    std::pair("natural_axes", Output::natural_axes), std::pair("as_input", Output::as_input),
    std::pair("cheapest", Output::cheapest)};

void add_option(CLI::App& command, std::string_view, Output& output) {
  std::vector<std::string> words;
  for (auto const& [word, meant] : outputs_by_word) words.emplace_back(word);
  add_read(
      command, "--output", output,
      [words](std::string const& word) {
        auto const found = std::find(words.begin(), words.end(), word);
        return outputs_by_word[static_cast<std::size_t>(found - words.begin())].second;
      },
      "The layout of the output: natural (or as_input), that of the input; transposed (or "
      "cheapest), the cheapest, which saves an exchange; natural_axes, the cheapest in the input's "
      "memory order [transposed]")
      ->option_text("natural|transposed|natural_axes")
      ->check(CLI::IsMember(words));
}

}  // namespace

std::string to_word(Output output) {
  return std::find_if(outputs_by_word.begin(), outputs_by_word.end(),
                      [&](auto const& each) { return each.second == output; })
      ->first;
}

void add_options(CLI::App& command, Options& options, std::set<std::string_view> const& names) {
  for_each_option(options, [&](std::string_view name, auto& value) {
    if (names.count(name) > 0) add_option(command, name, value);
  });
}

}  // namespace sixstep::cli
