// SPDX-License-Identifier: BSD-3-Clause
// Options of plans on the command line: their names, words and help.
#include <algorithm>
#include <array>

#include "arguments.hpp"
#include "numbers.hpp"

namespace sixstep::cli {

namespace {

void add_option(CLI::App& command, std::string_view, Exchange& exchange) {
  add_named(
      command, "--exchange", exchange, all_exchanges,
      "How data moves: through memory that the ranks of a node share, by one MPI_Alltoallv per "
      "group of ranks, by a message per pair, by persistent messages, or by one-sided puts "
      "[shared]");
}

void add_option(CLI::App& command, std::string_view, Local& local) {
  add_named(
      command, "--local", local, all_locals,
      "Whose kernels transform columns: sixstep's, or those of FFTW or MKL, whose library the "
      "system must find (LD_LIBRARY_PATH) [own]");
}

void add_option(CLI::App& command, std::string_view, Driver& driver) {
  add_named(
      command, "--driver", driver, all_drivers,
      "Who makes messages progress while passes run: the computing thread between two parts of its "
      "work, the first thread until no message is under way, teams of threads in turn, or an extra "
      "thread; automatic is the extra thread if MPI allows it, else between [automatic]");
}

void add_option(CLI::App& command, std::string_view, Device& device) {
  add_named(command, "--device", device, all_devices,
            "The device that executes the plan, in its memory: none, the processor; a GPU; or, for "
            "tests, an emulated device [none]");
}

void add_option(CLI::App& command, std::string_view, TuningLevel& tuning) {
  add_named(command, "--tuning", tuning, all_tuning_levels,
            "How much the plan tries out: nothing, as much as --tuning-seconds allow, or all "
            "combinations [model: nothing, but earlier results are used]");
}

void add_option(CLI::App& command, std::string_view, double& tuning_seconds) {
  command
      .add_option("--tuning-seconds", tuning_seconds,
                  text("The most seconds of --tuning quick [", tuning_seconds, "]"))
      ->option_text("S")
      ->check(positive_number());
}

void add_option(CLI::App& command, std::string_view name, int& value) {
  if (name == "threads")
    command
        .add_option(
            "--threads", value,
            "OpenMP threads per rank [0: OMP_NUM_THREADS, or the cores that a rank may use]")
        ->option_text("T")
        ->transform(number_in(0, most_threads));
  if (name == "windows")
    command
        .add_option("--windows", value,
                    "The most windows of an exchange between nodes, by which passes and messages "
                    "overlap; 1: strictly in turn [0: by message size]")
        ->option_text("W")
        ->transform(number_in(0, 64));
  if (name == "gpu")
    command
        .add_option("--gpu", value,
                    "The number of the GPU [the rank's number on its node, modulo the GPUs there]")
        ->option_text("G")
        ->transform(number_in(0, most_threads));
  if (name == "pipelines")
    command
        .add_option("--pipelines", value,
                    "Number of teams of --driver pipelines [0: one for each thread]")
        ->option_text("K")
        ->transform(number_in(0, most_threads));
}

void add_option(CLI::App& command, std::string_view name, bool& value) {
  if (name == "preserve_input")
    command.add_flag_callback(
        "--give-up-input", [&value] { value = false; },
        "Let the input be overwritten, which saves work memory");
  if (name == "split_untransformed")
    command.add_flag("--split-untransformed", value,
                     "Let the plan split axes that are not transformed, too, wherever that is "
                     "cheapest");
  if (name == "low_memory")
    command.add_flag("--low-memory", value,
                     "Use less work memory and more passes in natural order; one long axis needs "
                     "little more than the memory of one vector if N = m s^2, m <= 64 and the "
                     "ranks divide s");
}

void add_option(CLI::App& command, std::string_view, std::string& value) {
  command
      .add_option("--trace", value,
                  "Write a trace of all threads of all ranks to a file, for ui.perfetto.dev or "
                  "bench/plot_trace.py")
      ->option_text("FILE");
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

// Options that have their own functions.
void add_option(CLI::App&, std::string_view, std::vector<int>&) {}
void add_option(CLI::App&, std::string_view, std::vector<Kind>&) {}
void add_option(CLI::App&, std::string_view, std::vector<Index>&) {}

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
