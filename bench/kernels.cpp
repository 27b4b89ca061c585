// SPDX-License-Identifier: BSD-3-Clause
// Local transforms against FFTW, MKL and ducc0: one process, in turn, on the same arrays.
//
//   taskset -c 0 kernels --cases contiguous,padded --precision double --json kernels.json
//
// See README.md for how to get the rivals, and plot_kernels.py for pictures of the figures.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

#include "base/memory.hpp"
#include "check.hpp"
#include "contender.hpp"
#include "disciplines.hpp"
#include "harness.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "sixstep/error.hpp"
#include "turns.hpp"

namespace sixstep::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<Index> sizes = {8,       16,      32,      64,      128,     256,     512,
                              1024,    2048,    4096,    8192,    60,      100,     120,
                              243,     360,     1000,    1331,    1536,    2187,    3125,
                              10000,   1009,    4099,    65537,   1 << 16, 1 << 17, 1 << 18,
                              1 << 19, 1 << 20, 1 << 21, 1 << 22, 1 << 23, 1 << 24};
  std::vector<std::string> precisions = {"double", "single"};
  std::vector<std::string> cases;
  std::vector<std::string> contenders;
  double seconds = 0.3;
  std::string json;
};

struct Setting {
  Discipline discipline;
  std::string precision;
  Problem problem;
};

/// Two arrays of a problem, in huge pages.
class Arrays {
 public:
  Arrays(std::size_t in_bytes, std::size_t out_bytes)
      : out_offset_((in_bytes + page - 1) / page * page + apart),
        memory_(allocate(std::max(out_offset_ + out_bytes, huge))) {
    std::fill_n(memory_.get(), out_offset_ + out_bytes, std::byte{0});
  }
  void* in() const { return memory_.get(); }
  void* out() const { return memory_.get() + out_offset_; }

 private:
  static constexpr std::size_t page = 4096;
  static constexpr std::size_t huge = std::size_t{8} << 20;  // from here on allocate() takes them
  // A load that follows a store to the same place of another page has to wait for it: the arrays
  // begin at different places of a page.
  static constexpr std::size_t apart = 1344;
  std::size_t out_offset_;
  Memory memory_;
};

template <class Real>
void fill(Problem const& problem, void* in, std::size_t numbers) {
  std::mt19937 random(1);
  std::uniform_real_distribution<Real> uniform(-1, 1);
  auto* const values = static_cast<Real*>(in);
  for (std::size_t i = 0; i < numbers; ++i) values[i] = uniform(random);
  if (problem.kind != Kind::c2r) return;
  // The spectrum of a real array is real where it is its own mirror image.
  auto* const spectrum = static_cast<std::complex<Real>*>(in);
  for (Index c = 0; c < problem.count; ++c) {
    spectrum[c * problem.in.distance].imag(0);
    if (problem.n % 2 == 0)
      spectrum[c * problem.in.distance + problem.n / 2 * problem.in.stride].imag(0);
  }
}

struct Entry {
  Contender contender;
  Run run;
  double error;
};

/// Numbers in an array: two for a complex element.
std::size_t numbers_in(Problem const& problem, Side const& side, bool real) {
  Index const n = real || problem.kind == Kind::c2c ? problem.n : problem.n / 2 + 1;
  return static_cast<std::size_t>(extent(side, n, problem.count) * (real ? 1 : 2));
}

template <class Real>
Prepare const& prepare_of(Contender const& contender) {
  return sizeof(Real) == sizeof(double) ? contender.prepare_double : contender.prepare_single;
}

/// What a real transform is measured by: a complex one, as many bytes in the same layout.
template <class Real>
struct ComplexTwin {
  Arrays arrays;
  Run run;
  Index count;

  static std::optional<ComplexTwin> of(Setting const& setting, Contender const& contender) {
    Discipline discipline = setting.discipline;
    discipline.kind = Kind::c2c;
    auto const problem = problem_of<Real>(discipline, setting.problem.n);
    if (!problem) return std::nullopt;
    std::size_t const bytes = numbers_in(*problem, problem->in, false) * sizeof(Real);
    Arrays arrays(bytes, bytes);
    Run run = prepare_of<Real>(contender)(*problem, arrays.in(), arrays.out());
    return ComplexTwin{std::move(arrays), std::move(run), problem->count};
  }
};

template <class Real>
Json measure(Setting const& setting, std::vector<Contender> const& contenders, double seconds) {
  Problem const& problem = setting.problem;
  std::size_t const in_numbers = numbers_in(problem, problem.in, takes_reals(problem.kind));
  std::size_t const out_numbers = numbers_in(problem, problem.out, gives_reals(problem.kind));
  Arrays const arrays(in_numbers * sizeof(Real), out_numbers * sizeof(Real));
  std::vector<Entry> entries;
  for (Contender const& contender : contenders) {
    Prepare const& prepare = prepare_of<Real>(contender);
    if (Run run = prepare(problem, arrays.in(), arrays.out()))
      entries.push_back({contender, std::move(run), 0});
  }
  fill<Real>(problem, arrays.in(), in_numbers);
  std::vector<Run> runs;
  for (Entry& entry : entries) {
    // What nobody writes stays wrong.
    std::fill_n(static_cast<Real*>(arrays.out()), out_numbers,
                std::numeric_limits<Real>::quiet_NaN());
    entry.run();
    entry.error = error_of<Real>(problem, arrays.in(), arrays.out());
    require(entry.error < tolerance<Real>(problem.n), entry.contender.name, ": ",
            setting.discipline.name, ", ", setting.precision, ", n = ", problem.n,
            ": a wrong result, error ", entry.error);
    runs.push_back(entry.run);
  }
  bool const ours = !entries.empty() && entries[0].contender.name == "sixstep";
  std::optional<ComplexTwin<Real>> twin;
  if (ours && problem.kind != Kind::c2c)
    twin = ComplexTwin<Real>::of(setting, entries[0].contender);
  if (twin) runs.push_back(twin->run);
  Trials const trials = take_turns(runs, seconds);

  Json result = {{"case", setting.discipline.name},
                 {"precision", setting.precision},
                 {"n", problem.n},
                 {"count", problem.count},
                 {"stride", problem.in.stride},
                 {"threads", problem.threads},
                 {"figures", Json::object()}};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    double const time_s = median(trials[i]);
    Json figure = {{"seconds", time_s},
                   {"least_seconds", *std::min_element(trials[i].begin(), trials[i].end())},
                   {"gflops", 1e-9 * flops(problem) / time_s},
                   {"trials", trials[i].size()},
                   {"error", entries[i].error}};
    if (ours && i > 0) figure["times_ours"] = median_ratio(trials[0], trials[i]);
    if (twin && i == 0)
      figure["complex_times_ours"] = median_ratio(trials[0], trials.back()) *
                                     static_cast<double>(problem.count) /
                                     static_cast<double>(twin->count);
    result["figures"][entries[i].contender.name] = figure;
  }
  return result;
}

/// How many times as fast we are as the fastest rival; 0 where nothing can be compared.
double lead(Json const& result) {
  double least = 0;
  for (auto const& [name, figure] : result["figures"].items())
    if (figure.contains("times_ours") && (least == 0 || figure["times_ours"] < least))
      least = figure["times_ours"];
  return least;
}

/// How many times as fast a real transform of ours is as the complex one; 0 of a complex one.
double over_complex(Json const& result) {
  auto const ours = result["figures"].find("sixstep");
  if (ours == result["figures"].end()) return 0;
  return ours->value("complex_times_ours", 0.0);
}

class Mean {
 public:
  void add(double value) {
    sum_ += std::log(value);
    ++count_;
  }
  double value() const { return std::exp(sum_ / count_); }
  bool empty() const { return count_ == 0; }

 private:
  double sum_ = 0;
  int count_ = 0;
};

void print_cell(Mean const& mean) {
  if (mean.empty())
    std::printf("%10s", "");
  else
    std::printf("%10.2f", mean.value());
}

/// One case in one precision: a line a length, and the geometric means.
void print_table(std::vector<Json> const& results, std::vector<std::string> const& names,
                 std::string const& title) {
  std::printf("\n%s: GFLOP/s, and sixstep over the best rival and over its own complex transform\n",
              title.c_str());
  std::printf("%9s", "n");
  for (auto const& name : names) std::printf("%10s", name.c_str());
  std::printf("%10s%10s\n", "rival", "complex");
  std::map<std::string, Mean> means;
  Mean mean_lead, mean_gain;
  for (Json const& result : results) {
    std::printf("%9lld", result["n"].get<long long>());
    for (auto const& name : names) {
      Mean one;
      if (result["figures"].contains(name)) one.add(result["figures"][name]["gflops"]);
      if (!one.empty()) means[name].add(one.value());
      print_cell(one);
    }
    Mean one;
    if (double const ratio = lead(result)) one.add(ratio);
    if (!one.empty()) mean_lead.add(one.value());
    print_cell(one);
    Mean gain;
    if (double const ratio = over_complex(result)) gain.add(ratio);
    if (!gain.empty()) mean_gain.add(gain.value());
    print_cell(gain);
    std::printf("\n");
  }
  std::printf("%9s", "mean");
  for (auto const& name : names) print_cell(means[name]);
  print_cell(mean_lead);
  print_cell(mean_gain);
  std::printf("\n");
}

void print_tables(Json const& results, std::vector<Contender> const& contenders) {
  std::vector<std::string> names;
  for (Contender const& contender : contenders) names.push_back(contender.name);
  for (Discipline const& discipline : disciplines())
    for (char const* precision : {"double", "single"}) {
      std::vector<Json> some;
      for (Json const& result : results)
        if (result["case"] == discipline.name && result["precision"] == precision)
          some.push_back(result);
      if (!some.empty()) print_table(some, names, discipline.title + ", " + precision);
    }
}

template <class T>
bool chosen(std::vector<T> const& list, T const& item) {
  return list.empty() || std::find(list.begin(), list.end(), item) != list.end();
}

std::vector<Setting> settings(Options const& options) {
  std::vector<Setting> all;
  for (Discipline const& discipline : disciplines()) {
    if (!chosen(options.cases, discipline.name)) continue;
    for (std::string const& precision : options.precisions)
      for (Index const n : options.sizes) {
        auto const problem = precision == "double" ? problem_of<double>(discipline, n)
                                                   : problem_of<float>(discipline, n);
        if (problem) all.push_back({discipline, precision, *problem});
      }
  }
  return all;
}

void write(std::string const& file, Json const& results, std::vector<Contender> const& contenders) {
  Json record = {{"contenders", Json::array()}, {"cases", Json::array()}, {"results", results}};
  for (Contender const& contender : contenders)
    record["contenders"].push_back({{"name", contender.name}, {"version", contender.version}});
  for (Discipline const& discipline : disciplines())
    record["cases"].push_back({{"name", discipline.name}, {"title", discipline.title}});
  std::ofstream stream(file);
  stream << record.dump(1) << '\n';
  require(stream.good(), "--json: cannot write ", file);
}

std::vector<Contender> chosen_contenders(std::vector<std::string> const& names) {
  std::vector<Contender> some;
  for (Contender const& contender : contenders())
    if (chosen(names, contender.name)) some.push_back(contender);
  return some;
}

void compare(Options const& options) {
  std::vector<Contender> const contenders = chosen_contenders(options.contenders);
  std::vector<Setting> const todo = settings(options);
  for (Contender const& contender : contenders)
    std::printf("%-8s %s\n", contender.name.c_str(), contender.version.c_str());
  std::fflush(stdout);
  Json results = Json::array();
  {
    cli::Progress progress(0, static_cast<int>(todo.size()));
    for (Setting const& setting : todo) {
      progress.step(text(setting.discipline.name, " ", setting.precision, " ", setting.problem.n));
      results.push_back(setting.precision == "double"
                            ? measure<double>(setting, contenders, options.seconds)
                            : measure<float>(setting, contenders, options.seconds));
      if (!options.json.empty()) write(options.json, results, contenders);
    }
  }
  print_tables(results, contenders);
}

std::string footer() {
  std::string words = "Cases:\n";
  for (Discipline const& discipline : disciplines())
    words += text("  ", discipline.name, std::string(20 - discipline.name.size(), ' '),
                  discipline.title, "\n");
  return words +
         "\nExamples:\n"
         "  taskset -c 0 kernels --cases contiguous,padded --precision double\n"
         "  taskset -c 0 kernels --sizes 64,256,1024 --seconds 1 --json kernels.json\n"
         "Pin the program to a core of its own, and let nothing else run beside it.";
}

void add_options(CLI::App& app, Options& options) {
  std::vector<std::string> names, cases;
  for (Contender const& contender : contenders()) names.push_back(contender.name);
  for (Discipline const& discipline : disciplines()) cases.push_back(discipline.name);
  app.add_option("--sizes", options.sizes, "Lengths, as in 64,100 [a choice from 8 to 2^24]")
      ->delimiter(',')
      ->transform(cli::number_in(Index{2}, Index{1} << 30))
      ->option_text("N,...");
  app.add_option("--precision", options.precisions, "Precisions [both]")
      ->delimiter(',')
      ->check(CLI::IsMember({"double", "single"}))
      ->option_text("double,single");
  app.add_option("--cases", options.cases, "How data lies and how much of it; see below [all]")
      ->delimiter(',')
      ->check(CLI::IsMember(cases))
      ->option_text("NAME,...");
  app.add_option("--contenders", options.contenders,
                 text("Who takes part, of ", CLI::detail::join(names, ", "), " [all]"))
      ->delimiter(',')
      ->check(CLI::IsMember(names))
      ->option_text("NAME,...");
  app.add_option("--seconds", options.seconds,
                 "Time for each length of each case, shared by all contenders [0.3]")
      ->transform(cli::number_in(0.0, 3600.0))
      ->option_text("S");
  app.add_option("--json", options.json, "Write the figures to a file, after each length anew")
      ->option_text("FILE");
  app.footer(footer());
}

}  // namespace
}  // namespace sixstep::bench

int main(int argc, char** argv) {
  CLI::App app(
      "Times sixstep's local transforms against those of other libraries: out of place, in one\n"
      "process, in turn every millisecond. Each result is checked before it is timed. Figures\n"
      "are medians; ratios are medians of the ratios within a round.",
      "kernels");
  sixstep::bench::Options options;
  sixstep::bench::add_options(app, options);
  return sixstep::bench::run_alone(app, argc, argv, [&] { sixstep::bench::compare(options); });
}
