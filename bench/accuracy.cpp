// SPDX-License-Identifier: BSD-3-Clause
// How accurate local transforms are: ours beside FFTW's, MKL's and ducc0's, on the same data,
// measured by a transform in long double.
//
//   accuracy --json accuracy.json
//
// The error of a length is |computed - exact| over |exact|, both L2 norms over several transforms.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>

#include "contender.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "reference.hpp"
#include "sixstep/error.hpp"

namespace sixstep::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<Index> sizes;
  std::vector<std::string> precisions = {"double", "single"};
  std::string json;
};

std::vector<Index> default_sizes() {
  std::vector<Index> sizes = {
      72,    81,     96,     97,     100,    101,     105,     120,     125,    144,   169,
      210,   243,    343,    360,    480,    625,     720,     1000,    1009,   1331,  1536,
      2187,  2310,   2401,   3125,   4099,   5040,    10000,   15625,   19683,  30030, 65537,
      78125, 100000, 177147, 196608, 300300, 1000000, 1000003, 1594323, 4000000};
  for (Index n = 2; n <= 64; ++n) sizes.push_back(n);
  for (Index n = 128; n <= Index{1} << 22; n *= 2) sizes.push_back(n);
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

/// Short transforms are many, so that chance averages out; and never one, which sixstep would do as
/// a plan and not as a local transform.
Index count_for(Index n) {
  constexpr Index points = 16384;
  return std::max<Index>(points / n, 2);
}

template <class Real>
std::vector<std::complex<Real>> noise(Index points) {
  std::mt19937 random(7);
  std::uniform_real_distribution<Real> uniform(-1, 1);
  std::vector<std::complex<Real>> values(static_cast<std::size_t>(points));
  for (auto& value : values) {
    Real const re = uniform(random);
    value = {re, uniform(random)};
  }
  return values;
}

/// The transforms of `count` contiguous columns.
template <class Real>
Reference::Vector exact_results(std::vector<std::complex<Real>> const& in, Index n) {
  Reference const reference(n);
  Reference::Vector all;
  for (auto begin = in.begin(); begin != in.end(); begin += n) {
    Reference::Vector const y = reference({begin, begin + n});
    all.insert(all.end(), y.begin(), y.end());
  }
  return all;
}

template <class Real>
double relative_error(std::vector<std::complex<Real>> const& got, Reference::Vector const& exact) {
  long double difference = 0;
  long double size = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    difference += std::norm(Reference::Complex(got[i]) - exact[i]);
    size += std::norm(exact[i]);
  }
  return static_cast<double>(std::sqrt(difference / size));
}

template <class Real>
Json measure(Index n, std::string const& precision, std::vector<Contender> const& contenders) {
  Problem const problem{.n = n, .count = count_for(n), .in = {1, n}, .out = {1, n}};
  auto const data = noise<Real>(n * problem.count);
  Reference::Vector const exact = exact_results(data, n);
  Json result = {{"precision", precision}, {"n", n}, {"errors", Json::object()}};
  for (Contender const& contender : contenders) {
    Prepare const& prepare =
        sizeof(Real) == sizeof(double) ? contender.prepare_double : contender.prepare_single;
    auto in = data;
    auto out = data;
    Run const run = prepare(problem, in.data(), out.data());
    if (!run) continue;
    in = data;  // a planner may have tried its plans on it
    run();
    result["errors"][contender.name] = relative_error(out, exact);
  }
  return result;
}

void print_row(Json const& result, std::vector<Contender> const& contenders) {
  std::printf("%9lld %-7s", result["n"].get<long long>(),
              result["precision"].get<std::string>().c_str());
  for (Contender const& contender : contenders)
    if (result["errors"].contains(contender.name))
      std::printf("  %9.3g", result["errors"][contender.name].get<double>());
    else
      std::printf("  %9s", "");
  std::printf("\n");
}

/// Lengths at which we are less accurate than `rival` by more than 5 %, which is within chance.
void print_comparison(Json const& results, std::string const& rival) {
  int better = 0, compared = 0;
  std::string worse;
  for (Json const& result : results) {
    if (!result["errors"].contains(rival)) continue;
    double const ratio =
        result["errors"]["sixstep"].get<double>() / result["errors"][rival].get<double>();
    ++compared;
    better += ratio <= 1.05;
    if (ratio > 1.05)
      worse += text(" ", result["n"], result["precision"] == "double" ? "" : "f", " (", ratio, ")");
  }
  if (compared > 0)
    std::printf("no worse than %s at %d of %d%s%s\n", rival.c_str(), better, compared,
                worse.empty() ? "" : "; worse, with the ratio and f for single:", worse.c_str());
}

void compare(Options const& options) {
  std::vector<Contender> const all = contenders();
  Json results = Json::array();
  {
    cli::Progress progress(0, static_cast<int>(options.sizes.size() * options.precisions.size()));
    for (std::string const& precision : options.precisions)
      for (Index const n : options.sizes) {
        progress.step(text(precision, " ", n));
        results.push_back(precision == "double" ? measure<double>(n, precision, all)
                                                : measure<float>(n, precision, all));
      }
  }
  std::printf("%17s", "");
  for (Contender const& contender : all) std::printf("  %9s", contender.name.c_str());
  std::printf("\n");
  for (Json const& result : results) print_row(result, all);
  for (Contender const& contender : all)
    if (contender.name != "sixstep") print_comparison(results, contender.name);
  if (options.json.empty()) return;
  Json record = {{"contenders", Json::array()}, {"results", results}};
  for (Contender const& contender : all)
    record["contenders"].push_back({{"name", contender.name}, {"version", contender.version}});
  std::ofstream stream(options.json);
  stream << record.dump(1) << '\n';
  require(stream.good(), "--json: cannot write ", options.json);
}

}  // namespace
}  // namespace sixstep::bench

int main(int argc, char** argv) {
  CLI::App app(
      "The error of local transforms, L2 norm over L2 norm, beside that of other libraries: one\n"
      "forward transform of random data, against a transform in long double.",
      "accuracy");
  try {
    sixstep::bench::Options options;
    options.sizes = sixstep::bench::default_sizes();
    app.add_option("--sizes", options.sizes,
                   "Lengths, as in 64,100 [2 to 64, powers of two to 2^22 and a choice of others]")
        ->delimiter(',')
        ->transform(sixstep::cli::number_in(sixstep::Index{2}, sixstep::Index{1} << 26))
        ->option_text("N,...");
    app.add_option("--precision", options.precisions, "Precisions [both]")
        ->delimiter(',')
        ->check(CLI::IsMember({"double", "single"}))
        ->option_text("double,single");
    app.add_option("--json", options.json, "Write the errors to a file")->option_text("FILE");
    app.footer(
        "Examples:\n"
        "  accuracy --json accuracy.json\n"
        "  accuracy --precision double --sizes 1000,1009,1024");
    CLI11_PARSE(app, argc, argv);
    sixstep::bench::compare(options);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "accuracy: %s\n", error.what());
    return 1;
  }
}
