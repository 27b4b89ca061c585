// SPDX-License-Identifier: BSD-3-Clause
// FFTW's interface for several ranks against the definitions: random problems of all kinds, in any
// blocks, transposed or not, in place and out of place.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cases.hpp"
#include "fftw3-mpi.h"
#include "mpi_arrays.hpp"
#include "ranks.hpp"
#include "real_oracle.hpp"

namespace fftw_mpi {
namespace {

using cases::Random;
using oracle::Whole;

enum class What { c2c, r2c, c2r, r2r, transpose };

struct Problem {
  What what = What::c2c;
  Shape shape;
  Index howmany = 1;
  Index in_block = 0;
  Index out_block = 0;
  bool in_transposed = false;
  bool out_transposed = false;
  bool in_place = false;
  int sign = FFTW_FORWARD;
  unsigned flags = FFTW_ESTIMATE;
  std::vector<fftw_r2r_kind> kinds = {};
};

std::ostream& operator<<(std::ostream& out, Problem const& problem) {
  char const* const names[] = {"c2c", "r2c", "c2r", "r2r", "transpose"};
  out << names[static_cast<int>(problem.what)] << ' ' << to_string(problem.shape)
      << " in tuples of " << problem.howmany << ", blocks " << problem.in_block << ' '
      << problem.out_block << (problem.in_transposed ? ", transposed in" : "")
      << (problem.out_transposed ? ", transposed out" : "")
      << (problem.in_place ? ", in place" : "") << ", sign " << problem.sign << ", kinds";
  for (fftw_r2r_kind const kind : problem.kinds) out << ' ' << kind;
  return out;
}

Index default_block(Index n) { return (n + ranks::count() - 1) / ranks::count(); }

/// Default blocks, or longer ones than needed.
Index random_block(Random& random, Index n) {
  return random.once_in(3) ? default_block(n) + random.between(Index{0}, Index{2}) : 0;
}

Index split_extent(Problem const& problem, bool transposed, bool is_half) {
  int const axis = transposed ? 1 : 0;
  Index const n = problem.shape[axis];
  return is_half && axis + 1 == problem.shape.size() ? n / 2 + 1 : n;
}

std::vector<fftw_r2r_kind> random_kinds(Random& random, Shape const& shape) {
  int const first = random.once_in(2) ? FFTW_R2HC : FFTW_REDFT00;
  std::vector<fftw_r2r_kind> kinds;
  for (Index const n : shape) do
      kinds.push_back(static_cast<fftw_r2r_kind>(random.between(first, int{FFTW_RODFT11})));
    while (n == 1 && kinds.back() == FFTW_REDFT00 && (kinds.pop_back(), true));
  return kinds;
}

Problem random_problem(std::uint64_t seed) {
  Random random(seed);
  Problem problem;
  problem.what = static_cast<What>(random.between(0, 4));
  bool const is_real = problem.what == What::r2c || problem.what == What::c2r;
  int const axes = problem.what == What::transpose ? 2 : random.between(is_real ? 2 : 1, 4);
  problem.shape = cases::random_shape(random, axes, 400);
  problem.howmany = random.once_in(3) ? random.between(Index{2}, Index{4}) : 1;
  if (axes > 1) {
    problem.in_transposed = random.once_in(3) && !(problem.what == What::r2c && axes == 2);
    problem.out_transposed = random.once_in(3) && !(problem.what == What::c2r && axes == 2);
  }
  bool const is_transpose = problem.what == What::transpose;
  problem.in_block = random_block(
      random,
      split_extent(problem, !is_transpose && problem.in_transposed, problem.what == What::c2r));
  problem.out_block = random_block(
      random,
      split_extent(problem, is_transpose || problem.out_transposed, problem.what == What::r2c));
  if (axes == 1) problem.out_block = problem.in_block;
  problem.in_place = random.once_in(2);
  problem.sign = random.once_in(2) ? FFTW_FORWARD : FFTW_BACKWARD;
  problem.kinds = random_kinds(random, problem.shape);
  if (random.once_in(3)) problem.flags |= FFTW_DESTROY_INPUT;
  if (random.once_in(3)) problem.flags |= FFTW_PRESERVE_INPUT;
  if (problem.in_transposed) problem.flags |= FFTW_MPI_TRANSPOSED_IN;
  if (problem.out_transposed) problem.flags |= FFTW_MPI_TRANSPOSED_OUT;
  if (axes == 1 && random.once_in(3)) problem.flags |= FFTW_MPI_SCRAMBLED_OUT;
  return problem;
}

Shape half(Shape shape) {
  shape[shape.size() - 1] = shape[shape.size() - 1] / 2 + 1;
  return shape;
}

Side input_of(Problem const& problem) {
  bool const is_half = problem.what == What::c2r;
  Shape const shape = is_half ? half(problem.shape) : problem.shape;
  Index const n = shape[shape.size() - 1];
  bool const is_transpose = problem.what == What::transpose;
  Side side{shape,
            problem.howmany,
            problem.in_transposed && !is_transpose,
            problem.in_transposed,
            problem.in_block,
            problem.what == What::r2c ? 2 * (n / 2 + 1) : n,
            ranks::rank()};
  if (side.block == 0) side.block = default_block(shape[side.split()]);
  return side;
}

Side output_of(Problem const& problem) {
  bool const is_half = problem.what == What::r2c;
  Shape const shape = is_half ? half(problem.shape) : problem.shape;
  Index const n = shape[shape.size() - 1];
  bool const is_transpose = problem.what == What::transpose;
  Side side{shape,
            problem.howmany,
            problem.out_transposed || is_transpose,
            problem.out_transposed != is_transpose,
            problem.out_block,
            problem.what == What::c2r ? 2 * (n / 2 + 1) : n,
            ranks::rank()};
  if (side.block == 0) side.block = default_block(shape[side.split()]);
  return side;
}

bool is_complex(Problem const& problem, bool input) {
  return problem.what == What::c2c || problem.what == (input ? What::c2r : What::r2c);
}

/// The halfcomplex formats and Hartley's transform; the others are in the oracle.
Whole by_kind(Whole const& x, int axis, fftw_r2r_kind kind) {
  using oracle::Kind;
  Index const n = x.shape[axis];
  auto const wave = [n](Index j, Index k) { return oracle::wave(j * k % n, n); };
  if (kind == FFTW_DHT)
    return summed(x, axis, n,
                  [&](Index j, Index k) { return wave(j, k).real() + wave(j, k).imag(); });
  if (kind == FFTW_R2HC)
    return summed(x, axis, n, [&](Index j, Index k) {
      return 2 * k <= n ? wave(j, k).real() : -wave(j, n - k).imag();
    });
  if (kind == FFTW_HC2R)
    return summed(x, axis, n, [&](Index k, Index j) {
      if (k == 0 || 2 * k == n) return wave(j, k).real();
      return 2 * k < n ? 2 * wave(j, k).real() : -2 * wave(j, n - k).imag();
    });
  Kind const kinds[] = {Kind::dct1, Kind::dct3, Kind::dct2, Kind::dct4,
                        Kind::dst1, Kind::dst3, Kind::dst2, Kind::dst4};
  Kind const known = kinds[kind - FFTW_REDFT00];
  return summed(x, axis, n,
                [&](Index j, Index k) { return oracle::r2r_coefficient(known, n, j, k); });
}

Whole expected(Problem const& problem, Whole x) {
  oracle::Kinds kinds;
  for (int axis = 0; axis < problem.shape.size(); ++axis)
    kinds.emplace_back(axis, oracle::Kind::c2c);
  switch (problem.what) {
    case What::c2c:
      return transformed_but_real(x, kinds, problem.sign);
    case What::r2c:
      kinds.back().second = oracle::Kind::r2c;
      return forward(x, kinds);
    case What::c2r:
      kinds.back().second = oracle::Kind::r2c;
      return backward(x, kinds, problem.shape[problem.shape.size() - 1]);
    case What::r2r:
      for (int axis = 0; axis < problem.shape.size(); ++axis)
        x = by_kind(x, axis, problem.kinds[at(axis)]);
      return x;
    case What::transpose:
      return x;
  }
  return x;
}

/// One whole input for each element of a tuple, the same on all ranks.
std::vector<Whole> random_inputs(Problem const& problem, std::uint64_t seed) {
  Random random(seed);
  Shape const shape = input_of(problem).shape;
  std::vector<Whole> inputs;
  for (Index field = 0; field < problem.howmany; ++field) {
    Whole whole{shape, {}};
    for (Index i = 0; i < oracle::points_of(shape); ++i) {
      long double const re = static_cast<long double>(random.between(-1000, 1000)) / 1000,
                        im = static_cast<long double>(random.between(-1000, 1000)) / 1000;
      whole.values.emplace_back(re, is_complex(problem, true) ? im : 0);
    }
    inputs.push_back(std::move(whole));
  }
  return inputs;
}

// The functions of both precisions.
struct Double {
  using Real = double;
  using Complex = fftw_complex;
#define MPI_TEST_FUNCTIONS(prefix)                                     \
  static constexpr auto many_dft = prefix##mpi_plan_many_dft;          \
  static constexpr auto many_r2c = prefix##mpi_plan_many_dft_r2c;      \
  static constexpr auto many_c2r = prefix##mpi_plan_many_dft_c2r;      \
  static constexpr auto many_r2r = prefix##mpi_plan_many_r2r;          \
  static constexpr auto transpose = prefix##mpi_plan_many_transpose;   \
  static constexpr auto execute = prefix##execute;                     \
  static constexpr auto destroy = prefix##destroy_plan;                \
  static constexpr auto init = prefix##mpi_init;                       \
  static constexpr auto allocate = prefix##malloc;                     \
  static constexpr auto free = prefix##free;                           \
  static constexpr auto room = prefix##mpi_local_size_many_transposed; \
  static constexpr auto room_1d = prefix##mpi_local_size_many_1d;      \
  using Plan = prefix##plan
  MPI_TEST_FUNCTIONS(fftw_);
};
struct Single {
  using Real = float;
  using Complex = fftwf_complex;
  MPI_TEST_FUNCTIONS(fftwf_);
};

/// The reals that local_size says a rank's array needs.
template <class Api>
Index reals_needed(Problem const& problem) {
  bool const is_real = problem.what == What::r2c || problem.what == What::c2r;
  Shape const shape = is_real ? half(problem.shape) : problem.shape;
  std::vector<std::ptrdiff_t> const n(shape.begin(), shape.end());
  std::ptrdiff_t a, b, c, d;
  Index const unit = problem.what == What::r2r || problem.what == What::transpose ? 1 : 2;
  Index block0 = 0, block1 = 0;
  for (Side const& side : {input_of(problem), output_of(problem)})
    (side.split() == 0 ? block0 : block1) =
        std::max(side.split() == 0 ? block0 : block1, side.block);
  if (n.size() == 1 && problem.in_block == 0)
    return unit *
           Api::room_1d(n[0], problem.howmany, MPI_COMM_WORLD, problem.sign, 0, &a, &b, &c, &d);
  return unit * Api::room(static_cast<int>(n.size()), n.data(), problem.howmany, block0, block1,
                          MPI_COMM_WORLD, &a, &b, &c, &d);
}

/// Memory of the program's own, or of fftw_malloc and long enough that ranks may share it.
template <class Api>
class Array {
 public:
  Array(Index reals, bool by_fftw) : own_(by_fftw ? 0 : at(reals)) {
    constexpr Index shared_bytes = Index{1} << 20;
    auto const bytes = std::max(shared_bytes, reals * Index{sizeof(typename Api::Real)});
    if (by_fftw) theirs_.reset(static_cast<typename Api::Real*>(Api::allocate(at(bytes))));
  }
  typename Api::Real* begin() { return theirs_ ? theirs_.get() : own_.data(); }

 private:
  struct Free {
    void operator()(void* memory) const { Api::free(memory); }
  };
  std::vector<typename Api::Real> own_;
  std::unique_ptr<typename Api::Real, Free> theirs_;
};

/// Whether this rank takes an array of fftw_malloc: on all ranks alike in two of three problems.
bool takes_fftws(std::uint64_t seed) {
  return seed % 3 == 0 ||
         (seed % 3 == 1 && (static_cast<std::uint64_t>(ranks::rank()) + seed / 3) % 2 == 0);
}

template <class Api>
typename Api::Plan planned(Problem const& problem, typename Api::Real* in,
                           typename Api::Real* out) {
  using Complex = typename Api::Complex;
  std::vector<std::ptrdiff_t> const n(problem.shape.begin(), problem.shape.end());
  int const axes = problem.shape.size();
  auto* const complex_in = reinterpret_cast<Complex*>(in);
  auto* const complex_out = reinterpret_cast<Complex*>(out);
  switch (problem.what) {
    case What::c2c:
      return Api::many_dft(axes, n.data(), problem.howmany, problem.in_block, problem.out_block,
                           complex_in, complex_out, MPI_COMM_WORLD, problem.sign, problem.flags);
    case What::r2c:
      return Api::many_r2c(axes, n.data(), problem.howmany, problem.in_block, problem.out_block, in,
                           complex_out, MPI_COMM_WORLD, problem.flags);
    case What::c2r:
      return Api::many_c2r(axes, n.data(), problem.howmany, problem.in_block, problem.out_block,
                           complex_in, out, MPI_COMM_WORLD, problem.flags);
    case What::r2r:
      return Api::many_r2r(axes, n.data(), problem.howmany, problem.in_block, problem.out_block, in,
                           out, MPI_COMM_WORLD, problem.kinds.data(), problem.flags);
    case What::transpose:
      return Api::transpose(n[0], n[1], problem.howmany, problem.in_block, problem.out_block, in,
                            out, MPI_COMM_WORLD, problem.flags);
  }
  return nullptr;
}

template <class Real>
void fill(Side const& side, bool is_complex, std::vector<Whole> const& wholes, Real* array) {
  Index const unit = is_complex ? 2 : 1;
  side.for_each([&](Index point, Index place) {
    for (Index field = 0; field < side.howmany; ++field) {
      Exact const value = wholes[at(field)].values[at(point)];
      Real* const element = array + unit * (place + field);
      element[0] = static_cast<Real>(value.real());
      if (is_complex) element[1] = static_cast<Real>(value.imag());
    }
  });
}

/// The largest difference, in units of the largest value.
template <class Real>
double error_of(Side const& side, bool is_complex, std::vector<Whole> const& wholes,
                Real const* array) {
  Index const unit = is_complex ? 2 : 1;
  double worst = 0, largest = 1e-300;
  for (Whole const& whole : wholes)
    for (Exact const& value : whole.values)
      largest = std::max(largest, static_cast<double>(std::abs(value)));
  side.for_each([&](Index point, Index place) {
    for (Index field = 0; field < side.howmany; ++field) {
      Real const* const element = array + unit * (place + field);
      Exact const found(element[0], is_complex ? element[1] : 0);
      Exact const wanted = wholes[at(field)].values[at(point)];
      worst = ranks::worse(worst, static_cast<double>(std::abs(found - wanted)) / largest);
    }
  });
  return worst;
}

template <class Api>
void check(Problem const& problem, std::uint64_t seed) {
  using Real = typename Api::Real;
  std::vector<Whole> const inputs = random_inputs(problem, seed);
  std::vector<Whole> outputs;
  for (Whole const& input : inputs) outputs.push_back(expected(problem, input));
  Index const room = reals_needed<Api>(problem);
  Side const in = input_of(problem), out = output_of(problem);
  Array<Api> in_array(room, takes_fftws(seed)), out_array(room, takes_fftws(seed / 2));
  Real* const first = in_array.begin();
  Real* const result = problem.in_place ? first : out_array.begin();
  ASSERT_LE(in.elements() * (is_complex(problem, true) ? 2 : 1), room) << problem;
  ASSERT_LE(out.elements() * (is_complex(problem, false) ? 2 : 1), room) << problem;
  typename Api::Plan const plan = planned<Api>(problem, first, result);
  ASSERT_TRUE(ranks::everywhere(plan != nullptr)) << problem;
  for (int round = 0; round < 2; ++round) {
    fill(in, is_complex(problem, true), inputs, first);
    Api::execute(plan);
    double const bound = std::is_same_v<Real, float> ? 2e-6 : 4e-15;
    EXPECT_LT(error_of(out, is_complex(problem, false), outputs, result), bound) << problem;
    bool const may_destroy = (problem.flags & FFTW_DESTROY_INPUT) != 0 ||
                             (problem.what == What::c2r && !(problem.flags & FFTW_PRESERVE_INPUT));
    if (problem.in_place || may_destroy) continue;
    EXPECT_LT(error_of(in, is_complex(problem, true), inputs, first), 1e-7) << problem;
  }
  Api::destroy(plan);
}

TEST(FftwMpi, random_problems_follow_the_definitions) {
  Double::init();
  Single::init();
  for (int round = 0; round < ranks::rounds(120); ++round) {
    auto const seed = static_cast<std::uint64_t>(round + 1);
    Problem const problem = random_problem(seed);
    if (round % 3 == 0)
      check<Single>(problem, seed);
    else
      check<Double>(problem, seed);
    if (!ranks::everywhere(!testing::Test::HasFailure())) return;
  }
}

}  // namespace
}  // namespace fftw_mpi
