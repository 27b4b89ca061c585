// SPDX-License-Identifier: BSD-3-Clause
#include "beside.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "report.hpp"
#include "serial_object.hpp"

namespace sixstep::fftw {

namespace {

#define SIXSTEP_TEXT_OF(word) #word
#define SIXSTEP_TEXT(word) SIXSTEP_TEXT_OF(word)

/// FFTW's own functions.
struct Original {
  decltype(&SIXSTEP_FFTW(plan_guru64_dft)) plan_dft;
  decltype(&SIXSTEP_FFTW(plan_guru64_dft_r2c)) plan_r2c;
  decltype(&SIXSTEP_FFTW(plan_guru64_dft_c2r)) plan_c2r;
  decltype(&SIXSTEP_FFTW(plan_guru64_r2r)) plan_r2r;
  decltype(&SIXSTEP_FFTW(execute)) execute;
  decltype(&SIXSTEP_FFTW(destroy_plan)) destroy_plan;
  decltype(&SIXSTEP_FFTW(set_timelimit)) set_timelimit;
};

/// Loads them in a namespace of the dynamic linker's of their own: in ours, their library would be
/// taken for this one, whose SONAME it has.
std::optional<Original> load_original() {
  constexpr bool is_single = sizeof(Real) == sizeof(float);
  char const* const file = std::getenv(is_single ? "SIXSTEP_FFTWF_BESIDE" : "SIXSTEP_FFTW_BESIDE");
  if (file == nullptr) return {};
  void* const library = dlmopen(LM_ID_NEWLM, file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {};
  bool all = true;
  auto const find = [&](auto& function, char const* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    all = all && function != nullptr;
  };
  Original found;
  find(found.plan_dft, SIXSTEP_TEXT(SIXSTEP_FFTW(plan_guru64_dft)));
  find(found.plan_r2c, SIXSTEP_TEXT(SIXSTEP_FFTW(plan_guru64_dft_r2c)));
  find(found.plan_c2r, SIXSTEP_TEXT(SIXSTEP_FFTW(plan_guru64_dft_c2r)));
  find(found.plan_r2r, SIXSTEP_TEXT(SIXSTEP_FFTW(plan_guru64_r2r)));
  find(found.execute, SIXSTEP_TEXT(SIXSTEP_FFTW(execute)));
  find(found.destroy_plan, SIXSTEP_TEXT(SIXSTEP_FFTW(destroy_plan)));
  find(found.set_timelimit, SIXSTEP_TEXT(SIXSTEP_FFTW(set_timelimit)));
  if (!all) return {};
  return found;
}

std::optional<Original> const& original() {
  static std::optional<Original> const loaded = load_original();
  return loaded;
}

/// The places of an array from its first element: [lo, hi).
struct Extent {
  Index lo = 0, hi = 1;

  void add(Index points, Index stride) {
    Index const last = (points - 1) * stride;
    (last < 0 ? lo : hi) += last;
  }
  Index size() const { return hi - lo; }
};

Extent extent(Problem const& problem, bool of_output) {
  Extent all;
  for (std::size_t i = 0; i < problem.axes.size(); ++i)
    all.add(of_output ? output_points(problem, i) : input_points(problem, i),
            of_output ? problem.axes[i].out : problem.axes[i].in);
  for (Axis const& loop : problem.loops) all.add(loop.n, of_output ? loop.out : loop.in);
  all.hi += 1;  // an imaginary part
  return all;
}

/// Whether all strides are positive. FFTW 3.3.10 does not return from planning some problems of
/// several axes with others.
bool has_positive_strides(Problem const& problem) {
  auto const are_positive = [](Axes const& axes) {
    return std::all_of(axes.begin(), axes.end(), [](Axis const& axis) {
      return axis.n == 1 || (axis.in > 0 && axis.out > 0);
    });
  };
  return are_positive(problem.axes) && are_positive(problem.loops);
}

/// Zeros for a problem whose complex numbers are interleaved.
class ZeroArrays {
 public:
  explicit ZeroArrays(Problem const& problem) : problem_(problem) {
    Extent in = extent(problem, false), out = extent(problem, true);
    if (problem.in_place) in = out = {std::min(in.lo, out.lo), std::max(in.hi, out.hi)};
    input_ = zeros(in.size());
    in_ = input_.get() - in.lo;
    if (!problem.in_place) output_ = zeros(out.size());
    out_ = problem.in_place ? in_ : output_.get() - out.lo;
  }

  static Index bytes(Problem const& problem) {
    return (extent(problem, false).size() + extent(problem, true).size()) * Index{sizeof(Real)};
  }

  Real* in() const { return in_; }
  Real* out() const { return out_; }
  Arrays<Real> arrays() const {
    return {in_, problem_.imaginary_in == 0 ? nullptr : in_ + 1, out_,
            problem_.imaginary_out == 0 ? nullptr : out_ + 1};
  }

 private:
  static std::unique_ptr<Real[]> zeros(Index reals) {
    return std::make_unique<Real[]>(static_cast<std::size_t>(reals));
  }

  Problem const& problem_;
  std::unique_ptr<Real[]> input_, output_;
  Real* in_;
  Real* out_;
};

using Dimension = SIXSTEP_FFTW(iodim64);

std::vector<Dimension> dimensions(Axes const& axes, Problem const& problem) {
  Index const in = problem.imaginary_in == 0 ? 1 : 2, out = problem.imaginary_out == 0 ? 1 : 2;
  std::vector<Dimension> found;
  for (Axis const& axis : axes) found.push_back({axis.n, axis.in / in, axis.out / out});
  return found;
}

SIXSTEP_FFTW(plan)
plan_of(Original const& fftw, Problem const& problem, ZeroArrays const& arrays, unsigned flags) {
  std::vector<Dimension> const axes = dimensions(problem.axes, problem);
  std::vector<Dimension> const loops = dimensions(problem.loops, problem);
  auto const rank = static_cast<int>(axes.size()), turns = static_cast<int>(loops.size());
  auto* const complex_in = reinterpret_cast<FftwComplex*>(arrays.in());
  auto* const complex_out = reinterpret_cast<FftwComplex*>(arrays.out());
  switch (problem.numbers) {
    case Numbers::c2c:
      return fftw.plan_dft(rank, axes.data(), turns, loops.data(), complex_in, complex_out,
                           problem.plus ? FFTW_BACKWARD : FFTW_FORWARD, flags);
    case Numbers::r2c:
      return fftw.plan_r2c(rank, axes.data(), turns, loops.data(), arrays.in(), complex_out, flags);
    case Numbers::c2r:
      return fftw.plan_c2r(rank, axes.data(), turns, loops.data(), complex_in, arrays.out(), flags);
    case Numbers::r2r:
      return fftw.plan_r2r(rank, axes.data(), turns, loops.data(), arrays.in(), arrays.out(),
                           problem.kinds.data(), flags);
  }
  return nullptr;
}

double seconds_of(auto const& run, long times) {
  double const begin = seconds_now();
  for (long i = 0; i < times; ++i) run();
  return seconds_now() - begin;
}

/// The median of how many times as long `theirs` takes in five rounds of half a millisecond.
double median_ratio(auto const& ours, auto const& theirs) {
  ours();
  theirs();
  double const once = std::max(seconds_of(ours, 1), 1e-9);
  auto const times = static_cast<long>(std::clamp(5e-4 / once, 1., 1e5));
  std::array<double, 5> ratios;
  for (double& ratio : ratios) {
    double const seconds = seconds_of(ours, times);
    ratio = seconds_of(theirs, times) / seconds;
  }
  std::nth_element(ratios.begin(), ratios.begin() + 2, ratios.end());
  return ratios[2];
}

}  // namespace

bool original_is_there() { return original().has_value(); }

std::optional<double> times_as_long(Problem const& problem, unsigned rigor) {
  constexpr Index most_bytes = Index{1} << 28;
  if (!original() || !has_interleaved_input(problem) || !has_interleaved_output(problem) ||
      !has_positive_strides(problem) || is_empty(problem) ||
      ZeroArrays::bytes(problem) > most_bytes)
    return {};
  ZeroArrays const arrays(problem);
  original()->set_timelimit(1);
  unsigned const input = problem.preserves_input ? FFTW_PRESERVE_INPUT : FFTW_DESTROY_INPUT;
  std::unique_ptr<PlanObject<Real>> const ours = make_object(problem, 1);
  SIXSTEP_FFTW(plan) const theirs = plan_of(*original(), problem, arrays, rigor | input);
  if (theirs == nullptr) return {};
  Arrays<Real> const given = arrays.arrays();
  double const ratio =
      median_ratio([&] { ours->execute(given); }, [&] { original()->execute(theirs); });
  original()->destroy_plan(theirs);
  return ratio;
}

}  // namespace sixstep::fftw
