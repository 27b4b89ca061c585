// SPDX-License-Identifier: BSD-3-Clause
// The figures that `sixstep gfft` reports: a table, HPCC's lines, JSON.
#include "gfft_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "local/transform.hpp"
#include "sixstep/version.hpp"
#include "table.hpp"

namespace sixstep::cli {

void print(GfftReport const& report) {
  auto const seconds = [](char const* what, double time_s) {
    return text(what, " ", seconds_text(time_s));
  };
  double const time_s = median(report.seconds);
  std::string limit = "no exchange: there is one rank";
  if (report.ranks > 1) limit = "none: there are fewer points than pairs of ranks";
  if (report.all_to_all_seconds > 0)
    limit =
        text(formatted("%.4g GFLOP/s: ", report.limit()), report.exchanges, " exchanges, each in ",
             seconds_text(report.all_to_all_seconds), " of MPI_Alltoall; ",
             formatted("%.0f %%", 100 * report.rate() / report.limit()), " reached");
  print(Table{
      {"size", text(report.points, ": ", report.why)},
      {"ranks", text(report.ranks)},
      {"threads", text(report.threads, " per rank")},
      {"plan", report.plan},
      {"time",
       text(seconds("generating", report.generating_seconds), ", ",
            seconds("planning", report.planning_seconds), "\n", seconds("transform", time_s),
            report.seconds.size() > 1 ? text(", median of ", report.seconds.size()) : "", "\n",
            seconds("inverse", report.inverse_seconds), ", ",
            seconds("check", report.check_seconds))},
      {"GFLOP/s", text(formatted("%.4g", report.rate()), ", at best ",
                       formatted("%.4g", report.best_rate()), " (5 N log2 N / time)")},
      {"limit", limit},
      {"memory", text("per rank: arrays ", bytes_text(report.array_bytes), ", work memory ",
                      bytes_text(report.work_bytes), ", peak ",
                      bytes_text(static_cast<double>(report.peak_bytes)),
                      " (pages that it has touched)\nall ranks: as much as ",
                      formatted("%.3g", report.vectors), " vectors")},
      {"error", text("max|x - x0| = ", formatted("%.3e", report.error), ", over eps ln N ",
                     formatted("%.3g", report.residual), ", below 16 passes")},
  });
}

void print_hpcc(GfftReport const& report) {
  std::array<double, 7> times{};  // alternately of passes and of exchanges
  std::size_t slot = 0;
  for (Part const& part : report.parts) {
    bool const is_exchange = part.what.starts_with("exchange");
    if (is_exchange != (slot % 2 == 1) && slot + 1 < times.size()) ++slot;
    times[slot] += part.seconds;
  }
  std::printf("\nMPIFFT_N=%lld\nMPIFFT_Gflops=%g\nMPIFFT_maxErr=%g\nMPIFFT_Procs=%d\n",
              static_cast<long long>(report.points), report.rate(), report.error, report.ranks);
  for (std::size_t i = 0; i < times.size(); ++i) std::printf("MPIFFT_time%zu=%g\n", i, times[i]);
}

nlohmann::ordered_json to_json(GfftReport const& report, Precision precision,
                               Options const& options) {
  nlohmann::ordered_json json = {
      {"points", report.points},
      {"ranks", report.ranks},
      {"threads", report.threads},
      {"precision", precision == Precision::single ? "single" : "double"},
      {"exchange", to_string(options.exchange)},
      {"low_memory", options.low_memory},
      {"seconds", report.seconds},
      {"seconds_median", median(report.seconds)},
      {"generating_seconds", report.generating_seconds},
      {"planning_seconds", report.planning_seconds},
      {"inverse_seconds", report.inverse_seconds},
      {"check_seconds", report.check_seconds},
      {"gflops", report.rate()},
      {"exchanges", report.exchanges},
      {"all_to_all_seconds", nullptr},
      {"limit_gflops", nullptr},
      {"reached", nullptr},
      {"array_bytes_per_rank", report.array_bytes},
      {"work_bytes_per_rank", report.work_bytes},
      {"peak_bytes_per_rank", report.peak_bytes},
      {"vectors", report.vectors},
      {"error", report.error},
      {"residual", report.residual},
      {"samples", report.samples},
      {"plan", report.plan},
      {"instruction_set", local::instruction_set()},
      {"mpi", mpi::library()},
      {"version", version},
  };
  if (report.all_to_all_seconds > 0) {
    json["all_to_all_seconds"] = report.all_to_all_seconds;
    json["limit_gflops"] = report.limit();
    json["reached"] = report.rate() / report.limit();
  }
  for (Part const& part : report.parts)
    json["breakdown"].push_back(
        {{"what", part.what}, {"seconds", part.seconds}, {"bytes", part.bytes}});
  return json;
}

}  // namespace sixstep::cli
