// SPDX-License-Identifier: BSD-3-Clause
// Words: how jobs, teams and problems are written on a line, and read from it.
#include "words.hpp"

#include <charconv>
#include <cstddef>
#include <functional>
#include <sstream>
#include <utility>

#include "sixstep/error.hpp"

namespace soak {

using sixstep::Error;
using sixstep::Exchange;
using sixstep::Local;
using sixstep::require;
using sixstep::text;

namespace {

// Numbers and lists.

template <class Number = Index>
Number number(std::string const& word) {
  Number value{};
  char const* const end = word.data() + word.size();
  auto const [stop, error] = std::from_chars(word.data(), end, value);
  require(error == std::errc() && stop == end, "\"", word, "\" is not a number");
  return value;
}

/// The parts between separators; at least one, which may be empty.
std::vector<std::string> split(std::string const& word, char separator) {
  std::vector<std::string> parts(1);
  for (char c : word)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

template <class Container>
std::string joined(Container const& values, char const* separator) {
  std::string all;
  for (auto const& value : values) {
    if (&value != &*values.begin()) all += separator;
    all += text(value);
  }
  return all;
}

template <class Number>
std::vector<Number> numbers(std::string const& word, char separator) {
  std::vector<Number> found;
  for (std::string const& part : split(word, separator)) found.push_back(number<Number>(part));
  return found;
}

/// A few names, and numbers for what has none.
template <class Value>
struct Names {
  std::vector<std::string> names;

  std::string of(Value value) const {
    auto const place = static_cast<std::size_t>(value);
    return place < names.size() ? names[place] : text(static_cast<int>(value));
  }
  Value named(std::string const& word) const {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == word) return static_cast<Value>(i);
    return static_cast<Value>(number<int>(word));
  }
};

Names<Kind> const kind_names{
    {"c2c", "r2c", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4"}};
Names<Exchange> const exchange_names{{"shared", "collective", "pairwise"}};
Names<Local> const local_names{{"own", "fftw", "mkl"}};
std::string const whose_letters = "upnoe", scale_letters = "1ns", form_end = ":@";

/// The place of a letter; errors name `what`.
template <class Value>
Value by_letter(std::string const& letters, char letter, std::string const& what) {
  std::size_t const place = letters.find(letter);
  require(place != std::string::npos, "\"", what, "\": one of ", letters, " is needed, not ",
          letter);
  return static_cast<Value>(place);
}

template <class Value>
char letter_of(std::string const& letters, Value value) {
  return letters[static_cast<std::size_t>(value)];
}

// Sharings: grid:2x1cx3@2.0.1, slab:0, pencil, brick, boxes:0:4x0:3/4:8x0:3; the order follows @.

std::string word_of(Box const& box) {
  std::vector<std::string> ranges;
  for (Range const& range : box.ranges) {
    ranges.push_back(text(range.lo, ":", range.hi));
    if (range.step != 1) ranges.back() += text(":", range.step);
  }
  return joined(ranges, "x");
}

Box read_box(std::string const& word) {
  Box box;
  for (std::string const& part : split(word, 'x')) {
    std::vector<Index> const ends = numbers<Index>(part, ':');
    require(ends.size() == 2 || ends.size() == 3, "\"", part, "\": a range is lo:hi or lo:hi:step");
    box.ranges.push_back({ends[0], ends[1], ends.size() == 3 ? ends[2] : 1});
  }
  return box;
}

std::string word_of_grid(Sharing const& sharing) {
  std::vector<std::string> parts;
  for (int axis = 0; axis < sharing.grid.size(); ++axis) {
    bool const cyclic =
        axis < sharing.distribution.size() && sharing.distribution[axis] == Distribution::cyclic;
    parts.push_back(text(sharing.grid[axis], cyclic ? "c" : ""));
  }
  return joined(parts, "x");
}

void read_grid(Sharing& sharing, std::string const& word) {
  for (std::string part : split(word, 'x')) {
    bool const cyclic = part.ends_with('c');
    if (cyclic) part.pop_back();
    sharing.grid.push_back(number<int>(part));
    sharing.distribution.push_back(cyclic ? Distribution::cyclic : Distribution::block);
  }
}

std::string word_of(Sharing const& sharing) {
  std::string word;
  switch (sharing.form) {
    case Sharing::Form::grid:
      word = "grid:" + word_of_grid(sharing);
      break;
    case Sharing::Form::slab:
      word = text("slab:", sharing.axis);
      break;
    case Sharing::Form::pencil:
      word = "pencil";
      break;
    case Sharing::Form::brick:
      word = "brick";
      break;
    case Sharing::Form::boxes: {
      std::vector<std::string> boxes;
      for (Box const& box : sharing.boxes) boxes.push_back(word_of(box));
      word = "boxes:" + joined(boxes, "/");
      break;
    }
  }
  return sharing.order.empty() ? word : word + "@" + joined(sharing.order, ".");
}

Sharing read_sharing(std::string const& word) {
  Sharing sharing;
  std::size_t const at = std::min(word.find('@'), word.size());
  if (at < word.size())
    for (int axis : numbers<int>(word.substr(at + 1), '.')) sharing.order.push_back(axis);
  std::string const form = word.substr(0, std::min(word.find_first_of(form_end), word.size()));
  std::string const rest =
      form.size() < at ? word.substr(form.size() + 1, at - form.size() - 1) : "";
  if (form == "grid") {
    sharing.form = Sharing::Form::grid;
    read_grid(sharing, rest);
  } else if (form == "slab") {
    sharing.form = Sharing::Form::slab;
    sharing.axis = rest.empty() ? 0 : number<int>(rest);
  } else if (form == "pencil") {
    sharing.form = Sharing::Form::pencil;
  } else if (form == "brick") {
    sharing.form = Sharing::Form::brick;
  } else if (form == "boxes") {
    sharing.form = Sharing::Form::boxes;
    for (std::string const& box : split(rest, '/')) sharing.boxes.push_back(read_box(box));
  } else {
    throw Error(text("\"", word, "\": grid, slab, pencil, brick or boxes is needed"));
  }
  return sharing;
}

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
      {"overwrite", [](Job& job) -> bool& { return job.options.preserve_input; }, false},
      {"low_memory", [](Job& job) -> bool& { return job.options.low_memory; }},
      {"regrid", [](Job& job) -> bool& { return job.options.regrid; }},
      {"lent", [](Job& job) -> bool& { return job.options.own_workspace; }, false},
      {"moved", [](Job& job) -> bool& { return job.moved; }},
      {"early", [](Job& job) -> bool& { return job.early; }},
      {"outlive", [](Job& job) -> bool& { return job.outlive; }},
      {"refused", [](Job& job) -> bool& { return job.refused; }}};
  return all;
}

// Words with a value.

struct Field {
  std::string key;
  std::function<void(Job&, std::string const&)> read;
  std::function<std::string(Job const&)> value;  // empty: the word is left out
};

Shape read_shape(std::string const& word) { return Shape(numbers<Index>(word, 'x')); }

std::vector<Kind> read_kinds(std::string const& word) {
  std::vector<Kind> kinds;
  for (std::string const& part : split(word, '.')) kinds.push_back(kind_names.named(part));
  return kinds;
}

std::string word_of(std::vector<Kind> const& kinds) {
  std::vector<std::string> names;
  for (Kind kind : kinds) names.push_back(kind_names.of(kind));
  return joined(names, ".");
}

std::string unless(bool usual, std::string const& word) { return usual ? "" : word; }

std::vector<Field> layout_fields() {
  return {
      {"shape", [](Job& job, std::string const& word) { job.shape = read_shape(word); },
       [](Job const& job) { return joined(job.shape, "x"); }},
      {"in", [](Job& job, std::string const& word) { job.input = read_sharing(word); },
       [](Job const& job) { return word_of(job.input); }},
      {"out", [](Job& job, std::string const& word) { job.output = read_sharing(word); },
       [](Job const& job) { return job.output ? word_of(*job.output) : ""; }},
      {"out_shape", [](Job& job, std::string const& word) { job.output_shape = read_shape(word); },
       [](Job const& job) { return joined(job.output_shape, "x"); }}};
}

std::vector<Field> option_fields() {
  return {
      {"axes",
       [](Job& job, std::string const& word) { job.options.axes = numbers<int>(word, '.'); },
       [](Job const& job) { return joined(job.options.axes, "."); }},
      {"kinds", [](Job& job, std::string const& word) { job.options.kinds = read_kinds(word); },
       [](Job const& job) { return word_of(job.options.kinds); }},
      {"exchange",
       [](Job& job, std::string const& word) { job.options.exchange = exchange_names.named(word); },
       [](Job const& job) {
         return unless(job.options.exchange == Exchange::shared,
                       exchange_names.of(job.options.exchange));
       }},
      {"threads",
       [](Job& job, std::string const& word) { job.options.threads = number<int>(word); },
       [](Job const& job) { return unless(job.options.threads == 0, text(job.options.threads)); }},
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
    for (auto const& more : {option_fields(), job_fields()})
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
