// SPDX-License-Identifier: BSD-3-Clause
// Our library with FFTW's interface against FFTW, through the same calls: one process, in turn.
//
//   taskset -c 0 fftw_interface [MODE] build/mpich/fftw/sixstep-fftw/libfftw3.so.3 libfftw3.so.3
//   [SHAPE...]
//
// Small transforms, one a call, on contiguous arrays, and the geometric means of the ratios; or, by
// the mode, those of reals to reals of all kinds, large transforms by one thread and two, making
// plans without measuring, random small problems, fields side by side, or transpositions in place.
// Both libraries have the same precision.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "fftw_library.hpp"
#include "sixstep-fftw/fftw3.h"
#include "small_problems.hpp"
#include "turns.hpp"

namespace sixstep::bench {
namespace {

using Complex = std::complex<double>;

fftw_complex* numbers(Complex* values) { return reinterpret_cast<fftw_complex*>(values); }
double* reals(Complex* values) { return reinterpret_cast<double*>(values); }

using Shape = std::vector<int>;

/// "16x16x16"; empty if the word is no shape.
Shape shape_of(char const* word) {
  Shape shape;
  for (char const* at = word;; ++at) {
    char* end = nullptr;
    long const n = std::strtol(at, &end, 10);
    if (end == at || n < 1 || n > (1 << 24) || (*end != 'x' && *end != 0)) return {};
    shape.push_back(static_cast<int>(n));
    if (*end == 0) return shape;
    at = end;
  }
}

/// The kinds of transforms of reals to reals; of all of them, "r2r" stands for DCT-II.
struct RealKind {
  char const* name;
  fftw_r2r_kind kind;
};
constexpr RealKind real_kinds[] = {
    {"dct1", FFTW_REDFT00}, {"dct2", FFTW_REDFT10}, {"dct3", FFTW_REDFT01}, {"dct4", FFTW_REDFT11},
    {"dst1", FFTW_RODFT00}, {"dst2", FFTW_RODFT10}, {"dst3", FFTW_RODFT01}, {"dst4", FFTW_RODFT11},
    {"r2hc", FFTW_R2HC},    {"hc2r", FFTW_HC2R},    {"dht", FFTW_DHT}};

fftw_r2r_kind real_kind(char const* name) {
  for (RealKind const& each : real_kinds)
    if (std::strcmp(each.name, name) == 0) return each.kind;
  return FFTW_REDFT10;
}

/// A kind of transform of a shape.
struct Case {
  char const* kind;
  Shape shape;

  std::size_t points() const {
    std::size_t all = 1;
    for (int n : shape) all *= static_cast<std::size_t>(n);
    return all;
  }
};

fftw_plan planned(Library const& library, Case const& which, Complex* in, Complex* out,
                  unsigned flags) {
  int const rank = static_cast<int>(which.shape.size());
  int const* const n = which.shape.data();
  if (std::strcmp(which.kind, "c2c") == 0)
    return FIND(library, fftw_plan_dft)(rank, n, numbers(in), numbers(out), FFTW_FORWARD, flags);
  if (std::strcmp(which.kind, "r2c") == 0)
    return FIND(library, fftw_plan_dft_r2c)(rank, n, reals(in), numbers(out), flags);
  if (std::strcmp(which.kind, "c2r") == 0)
    return FIND(library, fftw_plan_dft_c2r)(rank, n, numbers(in), reals(out), flags);
  std::vector<fftw_r2r_kind> const kinds(which.shape.size(), real_kind(which.kind));
  return FIND(library, fftw_plan_r2r)(rank, n, reals(in), reals(out), kinds.data(), flags);
}

/// Ours, theirs, and theirs in times of ours, in ns. Returns the last.
double print(char const* what, Case const& which, Trials const& trials) {
  std::string shape;
  for (int n : which.shape) shape.append(shape.empty() ? "" : "x").append(std::to_string(n));
  std::printf("%-8s %-4s %-10s %12.1f %12.1f %8.2f\n", what, which.kind, shape.c_str(),
              1e9 * median(trials[0]), 1e9 * median(trials[1]), median_ratio(trials[0], trials[1]));
  std::fflush(stdout);
  return median_ratio(trials[0], trials[1]);
}

double compare_executions(std::array<Library, 2> const& libraries, Case const& which,
                          double seconds = 0.1) {
  std::vector<Complex> in(2 * which.points() + 64, Complex(0, 0)), out(2 * which.points() + 64);
  std::vector<std::function<void()>> runs;
  std::vector<std::pair<Library const*, fftw_plan>> plans;
  for (Library const& library : libraries) {
    fftw_plan const plan = planned(library, which, in.data(), out.data(), FFTW_MEASURE);
    auto* const execute = FIND(library, fftw_execute);
    plans.emplace_back(&library, plan);
    runs.push_back([=] { execute(plan); });
  }
  std::fill(in.begin(), in.end(), Complex(0, 0));  // zeros stay zeros, whoever transforms them
  double const ratio = print("execute", which, take_turns(runs, seconds));
  for (auto const& [library, plan] : plans) FIND(*library, fftw_destroy_plan)(plan);
  return ratio;
}

void compare_planning(std::array<Library, 2> const& libraries, Case const& which) {
  std::vector<Complex> in(which.points() + 64), out(which.points() + 64);
  std::vector<std::function<void()>> runs;
  for (Library const& library : libraries) {
    auto* const destroy = FIND(library, fftw_destroy_plan);
    auto* const forget = FIND(library, fftw_forget_wisdom);
    runs.push_back([&library, &which, &in, &out, destroy, forget] {
      destroy(planned(library, which, in.data(), out.data(), FFTW_ESTIMATE));
      forget();  // FFTW would keep what it found
    });
  }
  print("plan", which, take_turns(runs, 0.1));
}

/// In place, of complex numbers: n0 x n1, or n0 x n1 vectors of n2.
fftw_plan transposition(Library const& library, Shape const& n, Complex* data) {
  std::ptrdiff_t const n0 = n[0], n1 = n[1], n2 = n.size() > 2 ? n[2] : 1;
  fftw_iodim64 const loops[] = {{n0, n1 * n2, n2}, {n1, n2, n0 * n2}, {n2, 1, 1}};
  return FIND(library, fftw_plan_guru64_dft)(0, nullptr, n2 > 1 ? 3 : 2, loops, numbers(data),
                                             numbers(data), FFTW_FORWARD, FFTW_PATIENT);
}

void compare_transpositions(std::array<Library, 2> const& libraries, Shape const& shape) {
  Case const which{"-", shape};
  std::vector<Complex> data(which.points());
  std::vector<std::function<void()>> runs;
  std::vector<fftw_plan> plans;
  for (Library const& library : libraries) {
    plans.push_back(transposition(library, shape, data.data()));
    auto* const execute = FIND(library, fftw_execute);
    runs.push_back([execute, plan = plans.back()] { execute(plan); });
  }
  print("move", which, take_turns(runs, 0.1));
  for (std::size_t i = 0; i < plans.size(); ++i) FIND(libraries[i], fftw_destroy_plan)(plans[i]);
}

void compare_kind(std::array<Library, 2> const& libraries, char const* kind,
                  std::vector<Shape> const& shapes) {
  double logarithms = 0;
  for (Shape const& shape : shapes)
    logarithms += std::log(compare_executions(libraries, {kind, shape}));
  std::printf("%-8s %-4s %-10s %34.2f\n", "mean", kind, "",
              std::exp(logarithms / static_cast<double>(shapes.size())));
}

void compare_transforms(std::array<Library, 2> const& libraries, std::vector<Shape> const& shapes) {
  for (char const* kind : {"c2c", "r2c", "c2r", "r2r"}) compare_kind(libraries, kind, shapes);
}

void compare_large_transforms(std::array<Library, 2> const& libraries,
                              std::vector<Shape> const& shapes) {
  for (int threads : {1, 2}) {
    std::printf("threads  %d\n", threads);
    for (Library const& library : libraries) library.use_threads(threads);
    for (char const* kind : {"c2c", "r2c"})
      for (Shape const& shape : shapes) compare_executions(libraries, {kind, shape}, 2);
  }
}

void compare_plans(std::array<Library, 2> const& libraries, std::vector<Shape> const& shapes) {
  for (char const* kind : {"c2c", "r2c"})
    for (Shape const& shape : shapes) compare_planning(libraries, {kind, shape});
}

fftw_plan planned(Library const& library, SmallProblem const& which, Complex* in, Complex* out) {
  int const rank = static_cast<int>(which.axes.size());
  int const loops = static_cast<int>(which.loops.size());
  fftw_iodim const *const axes = which.axes.data(), *const over = which.loops.data();
  switch (which.numbers) {
    case Numbers::c2c:
      return FIND(library, fftw_plan_guru_dft)(rank, axes, loops, over, numbers(in), numbers(out),
                                               FFTW_FORWARD, FFTW_MEASURE);
    case Numbers::r2c:
      return FIND(library, fftw_plan_guru_dft_r2c)(rank, axes, loops, over, reals(in), numbers(out),
                                                   FFTW_MEASURE);
    case Numbers::c2r:
      return FIND(library, fftw_plan_guru_dft_c2r)(rank, axes, loops, over, numbers(in), reals(out),
                                                   FFTW_MEASURE);
  }
  return nullptr;
}

/// The first element at the beginning of a cache line, where fftw_malloc() puts arrays.
constexpr std::size_t line = 64 / sizeof(Complex);
Complex* at_a_line(std::vector<Complex>& elements) {
  std::size_t const past =
      reinterpret_cast<std::uintptr_t>(elements.data()) / sizeof(Complex) % line;
  return elements.data() + (line - past) % line;
}

double ratio_of(std::array<Library, 2> const& libraries, SmallProblem const& which,
                double seconds = 0.02) {
  std::size_t const elements = static_cast<std::size_t>(which.elements);
  std::vector<Complex> given(elements + line), other(elements + line);
  Complex* const in = at_a_line(given);
  Complex* const out = which.arrangement == Arrangement::in_place ? in : at_a_line(other);
  std::vector<std::function<void()>> runs;
  std::vector<fftw_plan> plans;
  for (Library const& library : libraries) {
    plans.push_back(planned(library, which, in, out));
    auto* const execute = FIND(library, fftw_execute);
    runs.push_back([execute, plan = plans.back()] { execute(plan); });
  }
  std::fill_n(in, elements, Complex(0, 0));
  Trials const trials = take_turns(runs, seconds);
  for (std::size_t i = 0; i < plans.size(); ++i) FIND(libraries[i], fftw_destroy_plan)(plans[i]);
  return median_ratio(trials[0], trials[1]);
}

/// 40 random small problems of each arrangement and kind.
void compare_small_problems(std::array<Library, 2> const& libraries) {
  constexpr int rounds = 40;
  SmallProblems problems(1);
  double all = 0;
  for (std::size_t arrangement = 0; arrangement < arrangement_names.size(); ++arrangement)
    for (std::size_t kind = 0; kind < number_names.size(); ++kind) {
      double logarithms = 0;
      for (int round = 0; round < rounds; ++round)
        logarithms +=
            std::log(ratio_of(libraries, problems.draw(static_cast<Arrangement>(arrangement),
                                                       static_cast<Numbers>(kind))));
      all += logarithms;
      std::printf("%-15s %-4s %42.2f\n", arrangement_names[arrangement], number_names[kind],
                  std::exp(logarithms / rounds));
      std::fflush(stdout);
    }
  double const cases = rounds * static_cast<double>(arrangement_names.size() * number_names.size());
  std::printf("%-20s %42.2f\n", "mean", std::exp(all / cases));
}

/// The last extent counts fields that lie side by side.
void compare_fields(std::array<Library, 2> const& libraries, Shape const& shape) {
  std::string name;
  for (int n : shape) name.append(name.empty() ? "" : "x").append(std::to_string(n));
  Shape const axes(shape.begin(), shape.end() - 1);
  for (Arrangement arrangement : {Arrangement::fields, Arrangement::in_place})
    for (Numbers numbers : {Numbers::c2c, Numbers::r2c, Numbers::c2r}) {
      SmallProblem const problem =
          SmallProblems(1).make({arrangement, numbers}, axes, 1, shape.back());
      std::printf("%-8s %-4s %-14s %30.2f\n",
                  arrangement_names[static_cast<std::size_t>(arrangement)],
                  number_names[static_cast<std::size_t>(numbers)], name.c_str(),
                  ratio_of(libraries, problem, 0.2));
      std::fflush(stdout);
    }
}

enum class Mode { transforms, reals, large, planning, small, fields, transpositions };

/// What is compared where no shapes are given.
std::vector<Shape> usual_shapes(Mode mode) {
  switch (mode) {
    case Mode::transforms:
      return {{8},   {9},   {12},  {15},  {16},  {25},  {32},  {60},   {64},  {100},
              {125}, {128}, {243}, {256}, {360}, {500}, {512}, {1000}, {1024}};
    case Mode::reals:
      return {{9},   {16},  {25},  {32},   {60},   {64},   {65},   {100},  {125},  {128},
              {243}, {256}, {257}, {1000}, {1024}, {1025}, {2047}, {2048}, {2187}, {65536}};
    case Mode::large:
      return {{1 << 20}, {1 << 24}, {256, 256, 256}, {1000, 1000}};
    case Mode::planning:
      return {{64},      {1000},   {1009},     {1024},       {65536},
              {1 << 20}, {32, 32}, {512, 512}, {64, 64, 64}, {256, 256, 256}};
    case Mode::small:
      return {};
    case Mode::fields:
      return {{32, 32, 32, 15}, {32, 32, 32, 30}, {16, 16, 16, 6}, {20, 20, 20, 6}, {24, 24, 24, 5},
              {40, 40, 40, 2},  {64, 64, 64, 3},  {36, 36, 36, 1}, {48, 48, 48, 1}, {1000, 3}};
    case Mode::transpositions:
      return {{1000, 1000}, {1024, 1024}, {2048, 2048}, {1000, 600},
              {1024, 512},  {2000, 3000}, {997, 1009},  {300, 400, 4}};
  }
  return {};
}

void compare(Mode mode, char const* ours, char const* theirs, std::vector<Shape> const& shapes) {
  std::array<Library, 2> const libraries = {Library(ours), Library(theirs)};
  if (libraries[0].is_single() != libraries[1].is_single()) {
    std::fprintf(stderr, "%s and %s have different precisions\n", ours, theirs);
    std::exit(2);
  }
  std::printf("a is %s, b is %s\n", libraries[0].version(), libraries[1].version());
  std::printf("%-8s %-4s %-10s %12s %12s %8s\n", "what", "kind", "shape", "a, ns", "b, ns", "b/a");
  switch (mode) {
    case Mode::transforms:
      return compare_transforms(libraries, shapes);
    case Mode::reals:
      for (RealKind const& each : real_kinds) compare_kind(libraries, each.name, shapes);
      return;
    case Mode::large:
      return compare_large_transforms(libraries, shapes);
    case Mode::planning:
      return compare_plans(libraries, shapes);
    case Mode::small:
      return compare_small_problems(libraries);
    case Mode::fields:
      for (Shape const& shape : shapes) compare_fields(libraries, shape);
      return;
    case Mode::transpositions:
      for (Shape const& shape : shapes) compare_transpositions(libraries, shape);
  }
}

/// The mode that a word names; transforms if it is none.
Mode mode_of(char const* word) {
  if (std::strcmp(word, "--reals") == 0) return Mode::reals;
  if (std::strcmp(word, "--large") == 0) return Mode::large;
  if (std::strcmp(word, "--planning") == 0) return Mode::planning;
  if (std::strcmp(word, "--small") == 0) return Mode::small;
  if (std::strcmp(word, "--fields") == 0) return Mode::fields;
  if (std::strcmp(word, "--transpositions") == 0) return Mode::transpositions;
  return Mode::transforms;
}

bool is_possible(Mode mode, Shape const& shape) {
  return mode != Mode::small && !shape.empty() && (mode != Mode::fields || shape.size() > 1) &&
         (mode != Mode::transpositions || shape.size() == 2 || shape.size() == 3);
}

int usage() {
  std::fprintf(stderr,
               "Usage: fftw_interface [--reals | --large | --planning | --small | --fields |\n"
               "                       --transpositions] OURS FFTW [SHAPE...]\n"
               "Compares two libraries with FFTW's interface in one precision, such as\n"
               "build/mpich/fftw/sixstep-fftw/libfftw3.so.3 and FFTW's, by transforms of shapes\n"
               "such as 100 or 16x16x16, by those of reals to reals of all kinds, by large ones\n"
               "with one thread and with two, by making their plans without measuring, by\n"
               "random small problems of several axes or batches, by those of fields side by\n"
               "side, which the last extent of a shape counts, or by\n"
               "transpositions in place of n0 x n1 complex numbers or vectors of n2.\n");
  return 2;
}

}  // namespace
}  // namespace sixstep::bench

int main(int arguments, char** words) {
  using namespace sixstep::bench;
  Mode const mode = arguments > 1 ? mode_of(words[1]) : Mode::transforms;
  int const first = mode == Mode::transforms ? 1 : 2;
  std::vector<Shape> shapes;
  for (int i = first + 2; i < arguments; ++i) {
    shapes.push_back(shape_of(words[i]));
    if (!is_possible(mode, shapes.back())) return usage();
  }
  if (arguments < first + 2) return usage();
  if (shapes.empty()) shapes = usual_shapes(mode);
  compare(mode, words[first], words[first + 1], shapes);
  return 0;
}
