// SPDX-License-Identifier: BSD-3-Clause
// Reports of `sixstep bench`: a table, lines, JSON, a picture.
#include "bench_report.hpp"

#include <cstdio>
#include <iomanip>
#include <sstream>

#include "gnuplot.hpp"
#include "local/transform.hpp"
#include "sixstep/version.hpp"
#include "table.hpp"

namespace sixstep::cli {
namespace {

std::string part_text(Part const& part) {
  std::string const rate = formatted("%.1f GB/s", 1e-9 * part.bytes / part.seconds);
  return text(part.what, ": ", seconds_text(part.seconds),
              part.bytes > 0 ? text(", ", bytes_text(part.bytes), ", ", rate) : "");
}

}  // namespace

void print(Report const& report) {
  Times const& times = report.times;
  auto const rate = [&](double seconds) { return formatted("%.4g", report.gigaflop() / seconds); };
  Table table = {
      {"kind", to_words(report.arguments.kinds)},
      {"precision", report.arguments.precision == Precision::single ? "single" : "double"},
      {"ranks", text(report.input.ranks())},
      {"threads", text(report.threads, " per rank, ", report.binding)},
      {"input", report.input.describe()},
      {"output", report.output.describe() + (report.arguments.in_place ? ", in place" : "")},
      {"plan", report.plan},
      {"planning", seconds_text(report.planning_seconds)},
      {"time", text("min ", seconds_text(times.min()), ", median ", seconds_text(times.median()),
                    ", mean ", seconds_text(times.mean()), " of ", times.seconds.size())},
      {"GFLOP/s", text(rate(times.min()), " by the min time, ", rate(times.mean()),
                       " by the mean (", report.flop(),
                       report.arguments.axes.empty() ? " N log2 N / time)"
                                                     : " N log2 n / time, n points a transform)")},
      {"communication", text(seconds_text(times.comm_seconds), ", ",
                             formatted("%.0f %%", 100 * times.comm_seconds / times.mean()),
                             " of the mean time, on the rank with the most")},
  };
  std::vector<Part> const parts = report.arguments.breakdown ? times.parts : std::vector<Part>{};
  for (Part const& part : parts)
    table.emplace_back(&part == &parts.front() ? "breakdown" : "", part_text(part));
  if (report.prediction)
    table.emplace_back("predicted", text(seconds_text(report.prediction->seconds), ", ",
                                         formatted("%+.0f %%", 100 * report.prediction_error()),
                                         " of the median"));
  bool const is_operator = !report.arguments.operator_words.empty();
  if (is_operator) table.insert(table.begin(), {"operator", report.arguments.operator_words});
  if (!report.rival.empty())
    table.emplace_back("against", text(report.rival, is_operator ? "" : ", slabs", ": median ",
                                       seconds_text(median(times.rival_seconds)), ", ",
                                       formatted("%.2f", times.advantage()),
                                       " times as long (the median of pairs, in turn)"));
  table.emplace_back("peak memory", bytes_text(static_cast<double>(report.peak_bytes)) +
                                        ", on the rank with the most");
  if (report.errors)
    table.emplace_back("error", text(formatted("%.2e", report.errors->forward), " in outputs, ",
                                     formatted("%.2e", report.errors->backward),
                                     " in inputs summed from all outputs"));
  if (report.difference)
    table.emplace_back("difference", formatted("%.2e of the largest value", *report.difference));
  print(table);
}

nlohmann::ordered_json to_json(Report const& report) {
  Times const& times = report.times;
  nlohmann::ordered_json json = {
      {"shape", std::vector<Index>(report.input.shape().begin(), report.input.shape().end())},
      {"axes", report.arguments.axes},
      {"kind", to_words(report.arguments.kinds)},
      {"modes", report.arguments.modes},
      {"operator", nullptr},
      {"ranks", report.input.ranks()},
      {"threads", report.threads},
      {"binding", report.binding},
      {"layout", to_words(report.input.grid())},
      {"output", to_word(report.arguments.options.output)},
      {"exchange", to_string(report.arguments.options.exchange)},
      {"local", to_string(report.arguments.options.local)},
      {"device", to_string(report.arguments.options.device)},
      {"precision", report.arguments.precision == Precision::single ? "single" : "double"},
      {"in_place", report.arguments.in_place},
      {"plan_arrays", report.arguments.plan_arrays},
      {"give_up_input", !report.arguments.options.preserve_input},
      {"low_memory", report.arguments.options.low_memory},
      {"seconds_min", times.min()},
      {"seconds_median", times.median()},
      {"seconds_mean", times.mean()},
      {"gflops", report.gigaflop() / times.min()},
      {"gflops_mean", report.gigaflop() / times.mean()},
      {"comm_seconds", times.comm_seconds},
      {"passes", report.passes},
      {"exchanges", report.exchanges},
      {"peak_bytes_per_rank", report.peak_bytes},
      {"error", nullptr},
      {"planning_seconds", report.planning_seconds},
      {"plan", report.plan},
      {"instruction_set", local::instruction_set()},
      {"mpi", mpi::library()},
      {"version", version},
  };
  for (Part const& part : times.parts)
    json["breakdown"].push_back(
        {{"what", part.what}, {"seconds", part.seconds}, {"bytes", part.bytes}});
  if (report.errors) json["error"] = report.errors->worst();
  if (!report.arguments.operator_words.empty()) json["operator"] = report.arguments.operator_words;
  if (report.difference) json["difference"] = *report.difference;
  if (!report.rival.empty())
    json["against"] = {{"what", report.rival},
                       {"seconds_median", median(times.rival_seconds)},
                       {"times_as_long", times.advantage()}};
  if (report.prediction) {
    auto& predicted = json["predicted"] = {{"seconds", report.prediction->seconds},
                                           {"communication", report.prediction->communication},
                                           {"computation", report.prediction->computation}};
    for (sixstep::Part const& part : report.prediction->steps)
      predicted["steps"].push_back({{"what", part.what}, {"seconds", part.seconds}});
  }
  return json;
}

void print_heading(std::string const& rival) {
  std::printf(
      "%16s %7s %9s %12s %10s %14s%s\n", "size", "passes", "exchanges", "median", "GFLOP/s",
      "communication",
      rival.empty() ? "" : text("        ", std::setw(5), rival, "  times as long").c_str());
}

void print_line(Report const& report) {
  Times const& times = report.times;
  std::printf("%16s %7d %9d %12s %10.4g %12.0f %%", to_words(report.input.shape()).c_str(),
              report.passes, report.exchanges, seconds_text(times.median()).c_str(),
              report.gigaflop() / times.median(), 100 * times.comm_seconds / times.mean());
  if (!report.rival.empty())
    std::printf(" %12s %14.2f", seconds_text(median(times.rival_seconds)).c_str(),
                times.advantage());
  std::printf("\n");
  std::fflush(stdout);
}

void plot(std::vector<Report> const& reports, std::string const& file) {
  std::ostringstream script, data;
  Report const& first = reports.front();
  script << "set title "
         << quoted_for_gnuplot(text(to_words(first.arguments.kinds), " on ", first.input.ranks(),
                                    first.input.ranks() == 1 ? " rank" : " ranks", ", medians"))
         << " noenhanced\nset ylabel 'GFLOP/s'\nset yrange [0:*]\nset xtics rotate by -30\n"
         << "set grid ytics linecolor '#e0e0e0'\nset key top left\nset offsets 0.3, 0.3, 0, 0\n";
  for (Report const& report : reports) {
    data << to_words(report.input.shape()) << ' ' << report.gigaflop() / report.times.median();
    if (!report.rival.empty())
      data << ' ' << report.gigaflop() / median(report.times.rival_seconds);
    data << '\n';
  }
  script << "$data << EOD\n"
         << data.str() << "EOD\n"
         << "plot $data using 2:xtic(1) with linespoints pointtype 7 linecolor '#3b6fb6' title "
            "'sixstep'";
  if (!first.rival.empty())
    script << ", $data using 3 with linespoints pointtype 6 linecolor '#c0504d' title "
           << quoted_for_gnuplot(first.rival);
  draw_script(script.str() + '\n', file);
}

}  // namespace sixstep::cli
