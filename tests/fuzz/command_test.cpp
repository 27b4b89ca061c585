// SPDX-License-Identifier: BSD-3-Clause
// Words of the command line: whatever they are, they are refused by an Error or an error of
// CLI11's, or mean something that can be.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "domain.hpp"
#include "fuzz/fuzz.hpp"
#include "named_symbols.hpp"
#include "numbers.hpp"

namespace sixstep::cli {
namespace {

/// Runs `action`. What is wrong with its Error, if it throws one, in words; "" if nothing is.
template <class Action>
std::string complaint_of(Action const& action) {
  try {
    return action();
  } catch (CLI::ParseError const&) {
  } catch (Error const& error) {
    std::string const message = error.what();
    if (error.code() != ErrorCode::argument || message.size() > 2000) return message;
  }
  return "";
}

std::complex<double> number_at(Symbol const& symbol, Wavevector const& k) {
  std::complex<double> number;
  symbol.at(1, &k, &number);
  return number;
}

/// What is wrong with a symbol's number, which must not depend on earlier calls.
std::string complaint_of_numbers(Symbol const& symbol) {
  Wavevector const k{0, -3, 4};
  std::complex<double> const number = number_at(symbol, k);
  complaint_of([&] {
    number_at(symbol, {5, 1, 1});
    return "";
  });
  std::complex<double> const again = number_at(symbol, k);
  if (std::isnan(number.real()) || std::isnan(number.imag())) return "it is no number";
  return number == again ? "" : "it changes";
}

std::string complaint_of_filter(std::string const& words) {
  for (bool const is_real : {false, true}) {
    std::string const complaint = complaint_of([&] {
      return complaint_of_numbers(filter_symbol(words, {3, {0, 1, 2}, is_real}));
    });
    if (!complaint.empty()) return complaint;
  }
  return complaint_of([&] { return complaint_of_numbers(operator_symbol(words, 3)); });
}

TEST(fuzz, filter) {
  fuzz::Target target;
  target.samples = {"lowpass=2.5",
                    "highpass=0",
                    "derivative=-1",
                    "laplacian",
                    "inverse-laplacian",
                    "inverse_laplacian",
                    "helmholtz=1.5",
                    "gaussian=0.1",
                    "exp(-(k/20)^2)",
                    "k > 0 ? 1/k : 0",
                    "(k0<3)*(1+k1^2)/(2.5e-1+abs(k2))",
                    "if",
                    "min(k0, max(k1, 2), sum(1, avg(k, pi), sqrt(3)))",
                    "k0 == k1 && k2 != 3 || !(k >= 1) ? sign(-k) : rint(2)"};
  target.words = {"k",     "k0",     "k7",       "pi",          "_pi", "_e",    "(",    ")",
                  ",",     "?",      ":",        "=",           "==",  "^",     "-",    "+",
                  "sin(",  "atan2(", "sum(",     "ln(",         "rnd", "\"s\"", "#1",   "0x1F",
                  "&&",    "||",     "lowpass=", "derivative=", " ",   "?:",    "k0=3", "1,2",
                  "sum()", "min(",   "k?k:",     "{",           "}"};
  target.letters = std::string("\0 (),?:=^-+*/!<&|k0.e\"#_\x80", 25);
  target.complaint = complaint_of_filter;
  target.runs = 10'000;
  fuzz::run(target);
}

TEST(words, filters_keep_the_waves_at_their_limit) {
  Wavevector const of_length_5{0, -3, 4};
  for (auto const& [words, number] :
       {std::pair("lowpass=5", 1), {"lowpass=4.99", 0}, {"highpass=5", 1}, {"highpass=5.01", 0}})
    EXPECT_EQ(number_at(filter_symbol(words, {3, {0, 1, 2}, false}), of_length_5), number * 1.)
        << words;
}

/// What options that commands share are set to.
struct Settings {
  Shape shape;
  std::vector<int> axes;
  std::vector<Kind> kinds;
  std::vector<Index> modes;
  Domain domain;
  LayoutChoice layout;
  Precision precision = Precision::automatic;
  Options options;
  int repeats = 1;
  std::string json;
};

/// A command that has all these options; it is made once, which takes longer than to read a line.
class Command {
 public:
  Command() {
    add_shape(app_, settings_.shape);
    add_axes(app_, settings_.axes);
    add_kinds(app_, settings_.kinds);
    add_modes(app_, settings_.modes);
    add_walls(app_, settings_.domain);
    add_sides(app_, settings_.domain.sides, "");
    add_layout(app_, settings_.layout);
    add_precision(app_, settings_.precision);
    add_options(app_, settings_.options,
                {"output", "exchange", "local", "threads", "windows", "driver", "pipelines", "gpu",
                 "wire", "verify", "device", "tuning", "tuning_seconds", "low_memory",
                 "split_untransformed", "trace", "preserve_input"});
    add_repeats(app_, settings_.repeats);
    add_json(app_, settings_.json);
  }

  Settings const& parse(std::vector<std::string> words) {
    settings_ = {};
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    app_.parse(words);
    return settings_;
  }

 private:
  Settings settings_;
  CLI::App app_{"", "sixstep"};
};

bool is_possible(Settings const& settings) {
  auto const is_in = [](int number, int least, int most) {
    return number >= least && number <= most;
  };
  Options const& options = settings.options;
  return settings.shape.size() >= 1 && settings.shape.size() <= max_axes &&
         std::ranges::all_of(settings.shape, [](Index n) { return n >= 1; }) &&
         std::ranges::all_of(settings.modes, [](Index n) { return n >= 1; }) &&
         std::ranges::all_of(settings.domain.sides,
                             [](double side) { return side > 0 && std::isfinite(side); }) &&
         std::ranges::all_of(settings.layout.grid, [](int parts) { return parts >= 1; }) &&
         is_in(options.threads, 0, most_threads) && is_in(options.windows, 0, 64) &&
         is_in(options.gpu, -1, most_threads) && is_in(options.pipelines, 0, most_threads) &&
         options.tuning_seconds > 0 && std::isfinite(options.tuning_seconds) &&
         is_in(settings.repeats, 1, most_repeats);
}

std::string complaint_of_settings(Settings const& settings) {
  if (!is_possible(settings)) return "the settings are impossible";
  if (read_shape({to_words(settings.shape)}) != settings.shape) return "another shape is read";
  if (!settings.kinds.empty() && read_kinds(to_words(settings.kinds)) != settings.kinds)
    return "other kinds are read";
  int const count = settings.shape.size();
  std::string const of_axes = complaint_of([&] {
    std::vector<int> const counted = axes_of(settings.axes, count);
    for (std::size_t i = 0; i < counted.size(); ++i) {
      if (counted[i] < 0 || counted[i] >= count) return "an axis is impossible";
      if ((counted[i] - settings.axes[i]) % count != 0) return "another axis is meant";
    }
    return "";
  });
  if (!of_axes.empty()) return of_axes;
  std::string const of_domain = complaint_of([&] {
    Domain const domain = settings.domain.with_axes(count);
    bool const are_right = domain.kinds(false).size() == static_cast<std::size_t>(count) &&
                           domain.reversed().reversed().kinds(true) == domain.kinds(true);
    return are_right ? "" : "the kinds do not fit";
  });
  if (!of_domain.empty()) return of_domain;
  for (int const ranks : {1, 12}) {
    std::string const of_layout = complaint_of([&] {
      bool const is_right = layout_of(settings.layout, settings.shape, ranks).ranks() == ranks;
      return is_right ? "" : "the layout is of other ranks";
    });
    if (!of_layout.empty()) return of_layout;
  }
  return "";
}

/// Each word by itself, as an option's value would be.
std::string complaint_of_word(std::string const& word) {
  auto const try_to_read = [&](auto const& read) {
    return complaint_of([&] {
      read(word);
      return "";
    });
  };
  for (std::string const& complaint :
       {try_to_read(read_shapes), try_to_read(read_axes), try_to_read(read_sides),
        try_to_read(read_kinds), try_to_read(read_layout), try_to_read(read_walls),
        try_to_read(read_points)})
    if (!complaint.empty()) return complaint;
  if (shortened(word).size() > 250) return "it is not shortened";
  bool const is_harmless = std::ranges::all_of(printable(word), [](char letter) {
    return letter == '\n' || letter == '\t' || letter < 0 || (letter >= ' ' && letter < 0x7f);
  });
  return is_harmless ? "" : "control characters are printed";
}

std::string complaint_of_line(Command& command, std::string const& line) {
  std::vector<std::string> words(1);
  for (char const letter : line)
    if (letter == '\n')
      words.emplace_back();
    else
      words.back() += letter;
  for (std::string const& word : words)
    if (auto const complaint = complaint_of_word(word); !complaint.empty()) return complaint;
  return complaint_of([&] { return complaint_of_settings(command.parse(words)); });
}

TEST(fuzz, arguments) {
  fuzz::Target target;
  target.samples = {
      "64\n48\n30\n--axes\n0,-1\n--kind\nr2c,c2c\n--modes\n16,12\n--layout\n3x4",
      "256x256x256\n--layout=pencil\n--precision=single\n--sides=1,1,2.5\n--threads=4",
      "8\n--exchange\nshared\n--local\nown\n--windows\n16\n--driver\nbetween",
      "8x8\n--device\nnone\n--tuning\nquick\n--tuning-seconds\n1e1\n--repeats\n10",
      "--gpu\n0\n--pipelines\n2\n--low-memory\n--give-up-input\n--json\nf\n12\n12",
      "8\n6\n--walls\nperiodic,dirichlet_neumann\n--at\nnodes\n--sides\n1,2",
      "5\n5\n--output\nnatural_axes\n--split-untransformed\n--trace\nt\n--layout\n12"};
  target.words = {"--", "\n", "\n--axes\n", "\n--kind\n", "\n--layout\n", "--help",  "=",  ",",
                  "x",  "-",  "[1,2]",      "slab",       "brick",        "dct4",    "%%", "''",
                  "{}", "\"", "--json=",    "-1,-1",      "\x1b[31m",     "\xc2\x9b"};
  target.letters = "\n-0x";
  target.runs = 2'000;
  Command command;
  target.complaint = [&](std::string const& line) { return complaint_of_line(command, line); };
  fuzz::run(target);
}

}  // namespace
}  // namespace sixstep::cli
