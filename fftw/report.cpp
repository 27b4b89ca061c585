// SPDX-License-Identifier: BSD-3-Clause
#include "report.hpp"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "beside.hpp"

namespace sixstep::fftw {

namespace {

/// What is known of all plans with the same words.
struct Record {
  std::atomic<long> plans = 0;
  std::atomic<double> planning_s = 0;
  std::atomic<long> executions = 0;
  std::atomic<double> executing_s = 0;
  std::optional<Problem> problem = {};  // of a serial plan
  unsigned rigor = 0;
  std::once_flag is_compared = {};
  std::atomic<double> ratio = 0;  // FFTW's time over ours; 0: not measured
};
using Line = std::pair<std::string, Record const*>;

struct Book {
  std::mutex mutex;
  std::atomic<double> comparing_s = 0;
  std::map<std::string, Record> records;
};

char const* destination() { return std::getenv("SIXSTEP_FFTW_REPORT"); }

/// Lasts longer than any plan: it is never destroyed.
Book& book() {
  static Book& pages = *new Book;
  return pages;
}

std::string formatted(char const* format, auto... values) {
  std::vector<char> words(static_cast<std::size_t>(std::snprintf(nullptr, 0, format, values...)) +
                          1);
  std::snprintf(words.data(), words.size(), format, values...);
  return words.data();
}

/// Those that took most time first.
std::vector<Line> sorted_lines() {
  std::vector<Line> lines;
  std::scoped_lock const lock(book().mutex);
  for (auto const& [words, record] : book().records) lines.emplace_back(words, &record);
  std::stable_sort(lines.begin(), lines.end(), [](Line const& a, Line const& b) {
    return a.second->executing_s > b.second->executing_s;
  });
  return lines;
}

std::string heading(std::vector<Line> const& lines) {
  long plans = 0, executions = 0;
  double planning_s = 0, executing_s = 0;
  for (auto const& [words, record] : lines) {
    plans += record->plans;
    executions += record->executions;
    planning_s += record->planning_s;
    executing_s += record->executing_s;
  }
  return formatted("sixstep: %s (process %ld): %ld executions took %.6f s, %ld plans %.6f s, %s\n",
                   program_invocation_short_name, static_cast<long>(getpid()), executions,
                   executing_s, plans, planning_s,
                   sizeof(Real) == sizeof(float) ? "single precision" : "double precision");
}

/// The words of a plan of several ranks take several lines.
std::string indented(std::string words) {
  while (!words.empty() && words.back() == '\n') words.pop_back();
  std::string const margin(41, ' ');
  for (std::size_t at = 0; (at = words.find('\n', at)) != std::string::npos; at += margin.size())
    words.insert(++at, margin);
  return words;
}

/// A column with the ratio of FFTW's time to ours, if FFTW is there.
std::string ratio_to_original(Record const& record) {
  if (!original_is_there()) return "";
  return record.ratio > 0 ? formatted(" %7.2f", record.ratio.load()) : "       -";
}

/// Measures that ratio once, unless that has taken three seconds for all plans.
void compare(Record& record) {
  constexpr double most_s = 3;
  std::call_once(record.is_compared, [&] {
    if (!record.problem || book().comparing_s > most_s) return;
    double const begin = seconds_now();
    try {
      record.ratio = times_as_long(*record.problem, record.rigor).value_or(0);
    } catch (std::exception const&) {  // too little memory: it is not measured
    }
    book().comparing_s += seconds_now() - begin;
  });
}

std::string report() {
  std::vector<Line> const lines = sorted_lines();
  std::string text = heading(lines);
  text += "executions    seconds  plans    seconds";
  text += original_is_there() ? "  FFTW's  plan\n" : "  plan\n";
  for (auto const& [words, record] : lines)
    text += formatted("%10ld %10.6f %6ld %10.6f%s  %s\n", record->executions.load(),
                      record->executing_s.load(), record->plans.load(), record->planning_s.load(),
                      ratio_to_original(*record).c_str(), indented(words).c_str());
  return text;
}

void write_report() {
  std::string const text = report();
  bool const is_file = std::strcmp(destination(), "stderr") != 0;
  std::FILE* const file = is_file ? std::fopen(destination(), "a") : stderr;
  if (file == nullptr) {
    std::fprintf(stderr, "sixstep: the report for %s cannot be written: %s\n", destination(),
                 std::strerror(errno));
    return;
  }
  std::fputs(text.c_str(), file);
  if (is_file) std::fclose(file);
}

bool is_wanted() {
  static bool const wanted = [] {
    if (destination() == nullptr || *destination() == '\0') return false;
    book();
    return std::atexit(write_report) == 0;
  }();
  return wanted;
}

/// Executes a plan and takes the time. Executions inside of another one are part of that.
class Reported : public PlanObject<Real> {
 public:
  Reported(std::unique_ptr<PlanObject<Real>> plan, Record& record)
      : plan_(std::move(plan)), record_(record) {
    planned = plan_->planned;
  }

  void execute(Arrays<Real> const& arrays) const override {
    if (is_inside) return plan_->execute(arrays);
    is_inside = true;
    double const begin = seconds_now();
    plan_->execute(arrays);
    record_.executing_s += seconds_now() - begin;
    ++record_.executions;
    compare(record_);
    is_inside = false;
  }
  void flops(double* add, double* multiply, double* fused) const override {
    plan_->flops(add, multiply, fused);
  }
  std::string describe() const override { return plan_->describe(); }

 private:
  static thread_local bool is_inside;

  std::unique_ptr<PlanObject<Real>> plan_;
  Record& record_;
};

thread_local bool Reported::is_inside = false;

std::unique_ptr<PlanObject<Real>> reported(std::unique_ptr<PlanObject<Real>> plan, double seconds) {
  std::scoped_lock const lock(book().mutex);
  Record& record = book().records[plan->describe()];
  ++record.plans;
  record.planning_s += seconds;
  return std::make_unique<Reported>(std::move(plan), record);
}

}  // namespace

void remember_problem(PlanObject<Real> const& plan, Problem const& problem, unsigned flags) {
  if (!is_wanted()) return;
  std::scoped_lock const lock(book().mutex);
  Record& record = book().records[plan.describe()];
  if (record.problem) return;  // a thread may be comparing it
  record.problem = problem;
  record.rigor = flags & (FFTW_ESTIMATE | FFTW_PATIENT | FFTW_EXHAUSTIVE);
}

}  // namespace sixstep::fftw

extern "C" void* SIXSTEP_FFTW(sixstep_reported)(void* plan, double seconds) {
  using namespace sixstep::fftw;
  if (!is_wanted()) return plan;
  std::unique_ptr<PlanObject<Real>> object(static_cast<PlanObject<Real>*>(plan));
  return reported(std::move(object), seconds).release();
}
