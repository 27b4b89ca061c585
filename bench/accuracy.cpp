// SPDX-License-Identifier: BSD-3-Clause
// How accurate local transforms are: ours beside FFTW's, MKL's and ducc0's, on the same data,
// measured by a transform in long double.
//
//   accuracy --json accuracy.json
//   accuracy --kind r2c --sizes 64,100
//
// The error of a length is |computed - exact| over |exact|, both L2 norms over several transforms.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "contender.hpp"
#include "harness.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "reference.hpp"
#include "sixstep/error.hpp"

namespace sixstep::bench {
namespace {

using Json = nlohmann::ordered_json;

std::map<std::string, Kind> const kinds = {
    {"c2c", Kind::c2c}, {"r2c", Kind::r2c}, {"c2r", Kind::c2r}, {"dct2", Kind::dct2}};

struct Options {
  Kind kind = Kind::c2c;
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
std::vector<Real> noise(Index numbers) {
  std::mt19937 random(7);
  std::uniform_real_distribution<Real> uniform(-1, 1);
  std::vector<Real> values(static_cast<std::size_t>(numbers));
  for (Real& value : values) value = uniform(random);
  return values;
}

/// The Reals of a column on one side: two for a complex element.
Index column_reals(Kind kind, bool reals, Index n) {
  return reals ? n : 2 * (kind == Kind::c2c ? n : n / 2 + 1);
}

/// A column of Reals as complex numbers: of a spectrum of reals all n, by its symmetry.
template <class Real>
Reference::Vector points_of(Kind kind, Real const* column, Index n) {
  Reference::Vector points;
  for (Index k = 0; k < n; ++k) {
    Index const place = kind == Kind::c2r ? std::min(k, n - k) : k;
    if (takes_reals(kind))
      points.emplace_back(column[k]);
    else if (kind == Kind::c2r && (2 * k == n || k == 0))
      points.emplace_back(column[2 * place]);
    else
      points.emplace_back(column[2 * place], column[2 * place + 1]);
    if (place < k) points.back() = std::conj(points.back());
  }
  return points;
}

/// The transform of one column, as many elements as the result has.
class Exact {
 public:
  Exact(Kind kind, Index n) : kind_(kind), n_(n), reference_(kind == Kind::dct2 ? 4 * n : n) {}

  Reference::Vector operator()(Reference::Vector x) const {
    if (kind_ == Kind::c2r)  // backward by conjugate input, as the result is real
      for (auto& value : x) value = std::conj(value);
    if (kind_ == Kind::dct2) x = between_zeros(x);
    Reference::Vector y = reference_(x);
    if (kind_ != Kind::c2c)
      y.resize(static_cast<std::size_t>(kind_ == Kind::r2c ? n_ / 2 + 1 : n_));
    if (gives_reals(kind_))
      for (auto& value : y) value = value.real() * (kind_ == Kind::dct2 ? 2 : 1);
    return y;
  }

 private:
  // y[k] = 2 sum_j x[j] cos(2 pi (2j+1) k / 4n).
  Reference::Vector between_zeros(Reference::Vector const& x) const {
    Reference::Vector wide(static_cast<std::size_t>(4 * n_));
    for (std::size_t j = 0; j < x.size(); ++j) wide[2 * j + 1] = x[j];
    return wide;
  }

  Kind kind_;
  Index n_;
  Reference reference_;
};

/// The transforms of contiguous columns.
template <class Real>
Reference::Vector exact_results(Problem const& problem, std::vector<Real> const& in) {
  Exact const exact(problem.kind, problem.n);
  Reference::Vector all;
  Index const reals = column_reals(problem.kind, takes_reals(problem.kind), problem.n);
  for (Index c = 0; c < problem.count; ++c) {
    Reference::Vector const y = exact(points_of(problem.kind, in.data() + c * reals, problem.n));
    all.insert(all.end(), y.begin(), y.end());
  }
  return all;
}

template <class Real>
double relative_error(std::vector<Real> const& got, bool reals, Reference::Vector const& exact) {
  long double difference = 0;
  long double size = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    Reference::Complex const value =
        reals ? Reference::Complex(got[i]) : Reference::Complex(got[2 * i], got[2 * i + 1]);
    difference += std::norm(value - exact[i]);
    size += std::norm(exact[i]);
  }
  return static_cast<double>(std::sqrt(difference / size));
}

template <class Real>
Json measure(Kind kind, Index n, std::string const& precision,
             std::vector<Contender> const& contenders) {
  Index const count = count_for(n);
  Index const in_reals = column_reals(kind, takes_reals(kind), n);
  Index const out_reals = column_reals(kind, gives_reals(kind), n);
  Problem const problem{.kind = kind,
                        .n = n,
                        .count = count,
                        .in = {1, takes_reals(kind) ? in_reals : in_reals / 2},
                        .out = {1, gives_reals(kind) ? out_reals : out_reals / 2}};
  auto data = noise<Real>(in_reals * count);
  if (kind == Kind::c2r)  // real where a spectrum of reals is
    for (Index c = 0; c < count; ++c) {
      data[static_cast<std::size_t>(c * in_reals + 1)] = 0;
      if (n % 2 == 0) data[static_cast<std::size_t>((c + 1) * in_reals - 1)] = 0;
    }
  Reference::Vector const exact = exact_results(problem, data);
  Json result = {{"precision", precision}, {"n", n}, {"errors", Json::object()}};
  for (Contender const& contender : contenders) {
    Prepare const& prepare =
        sizeof(Real) == sizeof(double) ? contender.prepare_double : contender.prepare_single;
    auto in = data;
    std::vector<Real> out(static_cast<std::size_t>(out_reals * count));
    Run const run = prepare(problem, in.data(), out.data());
    if (!run) continue;
    in = data;  // a planner may have tried its plans on it
    run();
    result["errors"][contender.name] = relative_error(out, gives_reals(kind), exact);
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
        results.push_back(precision == "double" ? measure<double>(options.kind, n, precision, all)
                                                : measure<float>(options.kind, n, precision, all));
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
      "transform of random data, forward or c2r, against a transform in long double.",
      "accuracy");
  sixstep::bench::Options options;
  options.sizes = sixstep::bench::default_sizes();
  app.add_option("--kind", options.kind, "Complex, real or cosine transforms [c2c]")
      ->transform(CLI::CheckedTransformer(sixstep::bench::kinds).description(""))
      ->option_text("c2c|r2c|c2r|dct2");
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
  return sixstep::bench::run_alone(app, argc, argv, [&] { sixstep::bench::compare(options); });
}
