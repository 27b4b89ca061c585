// SPDX-License-Identifier: BSD-3-Clause
// Words: how jobs, teams and problems are written on a line, and read from it.
#include "words.hpp"

#include <cstddef>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "fields.hpp"
#include "sixstep/error.hpp"
#include "tokens.hpp"

namespace soak {

using sixstep::Driver;
using sixstep::Error;
using sixstep::Exchange;
using sixstep::Local;
using sixstep::require;
using sixstep::text;

namespace {

Names<Make> const make_names{{"plan", "operator", "map", "convolution", "open_poisson"}};
Names<Kind> const kind_names{
    {"c2c", "r2c", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4"}};
Names<Exchange> const exchange_names{
    {"shared", "collective", "pairwise", "persistent", "one_sided"}};
Names<Driver> const driver_names{{"between", "master", "pipelines", "thread", "automatic"}};
Names<Device> const device_names{{"none", "cuda", "emulated"}};
Names<Local> const local_names{{"own", "fftw", "mkl"}};
Names<sixstep::Verify> const verify_names{{"none", "result", "all"}};
Names<sixstep::Bits> const bits_names{{"none", "machine", "everywhere"}};
std::string const whose_letters = "upnoe";

// Executions: fup1 is forward from the user's array to one of the plan's, unscaled; Fps is in
// place.

std::string word_of(Execution const& one) {
  bool const forward = one.direction == Direction::forward;
  std::string word(1, one.in_place ? (forward ? 'F' : 'B') : (forward ? 'f' : 'b'));
  if (!one.in_place) word += letter_of(whose_letters, one.input);
  word += letter_of(whose_letters, one.output);
  word += letter_of(scale_letters, one.scale);
  return word;
}

Execution read_execution(std::string const& word) {
  require(!word.empty(), "run: an execution is missing");
  auto const kind = by_letter<int>("fbFB", word[0], word);
  Execution one;
  one.direction = kind % 2 == 0 ? Direction::forward : Direction::backward;
  one.in_place = kind >= 2;
  std::size_t const length = one.in_place ? 3 : 4;
  require(word.size() == length, "\"", word, "\": ", length, " letters are needed");
  one.input = by_letter<Whose>(whose_letters, word[1], word);
  one.output = by_letter<Whose>(whose_letters, word[length - 2], word);
  one.scale = by_letter<Scale>(scale_letters, word[length - 1], word);
  return one;
}

// Words that stand for themselves.

struct Flag {
  std::string word;
  std::function<bool&(Job&)> field;
  bool value = true;
};

std::vector<Flag> const& flags() {
  static std::vector<Flag> const all{
      {"float", [](Job& job) -> bool& { return job.single; }},
      {"double", [](Job& job) -> bool& { return job.single; }, false},
      {"padded", [](Job& job) -> bool& { return job.options.padded; }},
      {"interleaved", [](Job& job) -> bool& { return job.options.interleaved; }},
      {"overwrite", [](Job& job) -> bool& { return job.options.preserve_input; }, false},
      {"low_memory", [](Job& job) -> bool& { return job.options.low_memory; }},
      {"regrid", [](Job& job) -> bool& { return job.options.regrid; }},
      {"split_untransformed", [](Job& job) -> bool& { return job.options.split_untransformed; }},
      {"lent", [](Job& job) -> bool& { return job.options.own_workspace; }, false},
      {"sides", [](Job& job) -> bool& { return job.solver.has_sides; }},
      {"real", [](Job& job) -> bool& { return job.solver.real; }},
      {"product", [](Job& job) -> bool& { return job.solver.product; }},
      {"array", [](Job& job) -> bool& { return job.solver.array; }},
      {"called", [](Job& job) -> bool& { return job.solver.called; }},
      {"renewed", [](Job& job) -> bool& { return job.solver.renewed; }},
      {"correlate", [](Job& job) -> bool& { return job.solver.correlate; }},
      {"even", [](Job& job) -> bool& { return job.solver.even; }},
      {"serial", [](Job& job) -> bool& { return job.serial; }},
      {"moved", [](Job& job) -> bool& { return job.moved; }},
      {"early", [](Job& job) -> bool& { return job.early; }},
      {"outlive", [](Job& job) -> bool& { return job.outlive; }},
      {"refused", [](Job& job) -> bool& { return job.refused; }}};
  return all;
}

// Words with a value.

std::vector<Field> layout_fields() {
  return {
      {"make", [](Job& job, std::string const& word) { job.make = make_names.named(word); },
       [](Job const& job) { return unless(job.make == Make::plan, make_names.of(job.make)); }},
      {"shape", [](Job& job, std::string const& word) { job.shape = read_shape(word); },
       [](Job const& job) { return joined(job.shape, "x"); }},
      {"in", [](Job& job, std::string const& word) { job.input = read_sharing(word); },
       [](Job const& job) { return word_of(job.input); }},
      {"out", [](Job& job, std::string const& word) { job.output = read_sharing(word); },
       [](Job const& job) { return job.output ? word_of(*job.output) : ""; }},
      {"in_strides",
       [](Job& job, std::string const& word) { job.input_strides = read_shape(word); },
       [](Job const& job) { return joined(job.input_strides, "x"); }},
      {"out_strides",
       [](Job& job, std::string const& word) { job.output_strides = read_shape(word); },
       [](Job const& job) { return joined(job.output_strides, "x"); }},
      {"out_shape", [](Job& job, std::string const& word) { job.output_shape = read_shape(word); },
       [](Job const& job) { return joined(job.output_shape, "x"); }}};
}

std::vector<Field> option_fields() {
  return {
      {"axes",
       [](Job& job, std::string const& word) { job.options.axes = numbers<int>(word, '.'); },
       [](Job const& job) { return joined(job.options.axes, "."); }},
      {"kinds",
       [](Job& job, std::string const& word) { job.options.kinds = read_names(kind_names, word); },
       [](Job const& job) { return word_of(kind_names, job.options.kinds); }},
      {"lengths",
       [](Job& job, std::string const& word) { job.options.lengths = numbers<Index>(word, '.'); },
       [](Job const& job) { return joined(job.options.lengths, "."); }},
      {"modes",
       [](Job& job, std::string const& word) { job.options.modes = numbers<Index>(word, '.'); },
       [](Job const& job) { return joined(job.options.modes, "."); }},
      {"sphere",
       [](Job& job, std::string const& word) { job.options.sphere = numbers<double>(word, '/'); },
       [](Job const& job) { return joined(job.options.sphere, "/"); }},
      {"columns",
       [](Job& job, std::string const& word) { job.options.columns = numbers<Index>(word, '.'); },
       [](Job const& job) { return joined(job.options.columns, "."); }},
      {"wire",
       [](Job& job, std::string const& word) {
         job.options.wire.tolerance = numbers<double>(word, '/').front();
       },
       [](Job const& job) {
         return unless(job.options.wire.tolerance == 0, text(job.options.wire.tolerance));
       }},
      {"reproducible",
       [](Job& job, std::string const& word) { job.options.reproducible = bits_names.named(word); },
       [](Job const& job) {
         return unless(job.options.reproducible == sixstep::Bits::none,
                       bits_names.of(job.options.reproducible));
       }},
      {"verify",
       [](Job& job, std::string const& word) { job.options.verify = verify_names.named(word); },
       [](Job const& job) {
         return unless(job.options.verify == sixstep::Verify::none,
                       verify_names.of(job.options.verify));
       }},
      {"exchange",
       [](Job& job, std::string const& word) { job.options.exchange = exchange_names.named(word); },
       [](Job const& job) {
         return unless(job.options.exchange == Exchange::shared,
                       exchange_names.of(job.options.exchange));
       }},
      {"threads",
       [](Job& job, std::string const& word) { job.options.threads = number<int>(word); },
       [](Job const& job) { return unless(job.options.threads == 0, text(job.options.threads)); }},
      {"fields", [](Job& job, std::string const& word) { job.options.fields = number<int>(word); },
       [](Job const& job) { return unless(job.options.fields == 1, text(job.options.fields)); }},
      {"windows",
       [](Job& job, std::string const& word) { job.options.windows = number<int>(word); },
       [](Job const& job) { return unless(job.options.windows == 0, text(job.options.windows)); }},
      {"driver",
       [](Job& job, std::string const& word) { job.options.driver = driver_names.named(word); },
       [](Job const& job) {
         return unless(job.options.driver == Driver::automatic,
                       driver_names.of(job.options.driver));
       }},
      {"pipelines",
       [](Job& job, std::string const& word) { job.options.pipelines = number<int>(word); },
       [](Job const& job) {
         return unless(job.options.pipelines == 0, text(job.options.pipelines));
       }},
      {"device",
       [](Job& job, std::string const& word) { job.options.device = device_names.named(word); },
       [](Job const& job) {
         return unless(job.options.device == Device::none, device_names.of(job.options.device));
       }},
      {"local",
       [](Job& job, std::string const& word) { job.options.local = local_names.named(word); },
       [](Job const& job) {
         return unless(job.options.local == Local::own, local_names.of(job.options.local));
       }}};
}

std::vector<Execution> read_executions(std::string const& word) {
  std::vector<Execution> executions;
  for (std::string const& part : split(word, '.')) executions.push_back(read_execution(part));
  return executions;
}

std::string word_of(std::vector<Execution> const& executions) {
  std::vector<std::string> words;
  for (Execution const& one : executions) words.push_back(word_of(one));
  return joined(words, ".");
}

void read_odd(Job& job, std::string const& word) {
  std::size_t const colon = word.find(':');
  require(colon != std::string::npos, "\"on=", word, "\": on=RANK:WORD is needed");
  job.odd_rank = number<int>(word.substr(0, colon));
  job.odd_word = word.substr(colon + 1);
}

std::vector<Field> job_fields() {
  return {
      {"node_ranks", [](Job& job, std::string const& word) { job.node_ranks = number<int>(word); },
       [](Job const& job) { return unless(job.node_ranks == 0, text(job.node_ranks)); }},
      {"isa", [](Job& job, std::string const& word) { job.isa = word; },
       [](Job const& job) { return job.isa; }},
      {"late", [](Job& job, std::string const& word) { job.late = number<int>(word); },
       [](Job const& job) { return unless(job.late == 0, text(job.late)); }},
      {"on", read_odd,
       [](Job const& job) {
         return unless(job.odd_rank < 0, text(job.odd_rank, ":", job.odd_word));
       }},
      {"run", [](Job& job, std::string const& word) { job.executions = read_executions(word); },
       [](Job const& job) { return word_of(job.executions); }}};
}

std::vector<Field> const& fields() {
  static std::vector<Field> const all = [] {
    std::vector<Field> found = layout_fields();
    for (auto const& more : {option_fields(), solver_fields(), job_fields()})
      found.insert(found.end(), more.begin(), more.end());
    return found;
  }();
  return all;
}

/// Words and the separators of jobs and teams.
std::vector<std::string> tokens_of(std::string const& line) {
  std::istringstream stream(line);
  std::vector<std::string> tokens;
  for (std::string token; stream >> token;) tokens.push_back(token);
  return tokens;
}

}  // namespace

void read_word(Job& job, std::string const& word) {
  for (Flag const& flag : flags())
    if (flag.word == word) {
      flag.field(job) = flag.value;
      return;
    }
  std::size_t const equals = word.find('=');
  for (Field const& field : fields())
    if (equals != std::string::npos && field.key == word.substr(0, equals))
      return field.read(job, word.substr(equals + 1));
  throw Error(text("\"", word, "\" is no word of a problem"));
}

std::string words_of(Job const& job) {
  std::vector<std::string> words{job.single ? "float" : "double"};
  for (Field const& field : fields())
    if (std::string const value = field.value(job); !value.empty())
      words.push_back(field.key + "=" + value);
  Job usual, given = job;
  for (Flag const& flag : flags())
    if (flag.word != "float" && flag.word != "double" && flag.field(given) != flag.field(usual))
      words.push_back(flag.word);
  return joined(words, " ");
}

std::string print(Problem const& problem) {
  std::vector<std::string> teams;
  for (Team const& team : problem) {
    std::vector<std::string> jobs;
    for (Job const& job : team.jobs) jobs.push_back(words_of(job));
    std::string const ranks = team.ranks.empty() ? "" : "ranks=" + joined(team.ranks, ".") + " ";
    teams.push_back(ranks + joined(jobs, " + "));
  }
  return joined(teams, " | ");
}

Problem parse(std::string const& line) {
  Problem problem(1, Team{{}, {Job{}}});
  for (std::string const& token : tokens_of(line)) {
    Team& team = problem.back();
    if (token == "|")
      problem.push_back(Team{{}, {Job{}}});
    else if (token == "+")
      team.jobs.emplace_back();
    else if (token.starts_with("ranks="))
      team.ranks = numbers<int>(token.substr(6), '.');
    else
      read_word(team.jobs.back(), token);
  }
  return problem;
}

}  // namespace soak
