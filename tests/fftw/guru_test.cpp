// SPDX-License-Identifier: BSD-3-Clause
// Random problems of the guru interface: every kind, any strides, in place and out of place, split
// and interleaved, against the definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <sstream>

#include "definition.hpp"

#ifdef FFTW_TEST_SINGLE
#define FFTW(name) fftwf_##name
using Real = float;
#else
#define FFTW(name) fftw_##name
using Real = double;
#endif

namespace {

using definition::Array;
using definition::Exact;
using Complex = FFTW(complex);
using Dim = FFTW(iodim64);
using Index = std::ptrdiff_t;

enum class Numbers { c2c, r2c, c2r, r2r };

struct Problem {
  Numbers numbers = Numbers::c2c;
  int sign = FFTW_FORWARD;
  std::vector<Dim> dims = {}, loops = {};
  std::vector<FFTW(r2r_kind)> kinds = {};
  bool in_place = false;
  bool split = false;
  unsigned flags = FFTW_ESTIMATE;
  int threads = 1;
};

std::ostream& operator<<(std::ostream& out, Problem const& problem) {
  out << "numbers " << static_cast<int>(problem.numbers) << " sign " << problem.sign;
  for (Dim const& dim : problem.dims) out << " axis " << dim.n << ':' << dim.is << ':' << dim.os;
  for (Dim const& dim : problem.loops) out << " loop " << dim.n << ':' << dim.is << ':' << dim.os;
  for (auto const kind : problem.kinds) out << " kind " << kind;
  return out << (problem.in_place ? " in place" : "") << (problem.split ? " split" : "")
             << " flags " << problem.flags << " threads " << problem.threads;
}

bool has_complex_input(Numbers numbers) {
  return numbers == Numbers::c2c || numbers == Numbers::c2r;
}
bool has_complex_output(Numbers numbers) {
  return numbers == Numbers::c2c || numbers == Numbers::r2c;
}

/// One side of a problem: the array's points, loops first, and their strides.
struct Side {
  std::vector<std::size_t> shape;
  std::vector<Index> strides;
  bool is_complex;

  std::size_t points() const {
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  }
  /// The element of a row-major point, from the first one in memory.
  Index place(std::size_t point) const {
    Index at = -lowest();
    for (std::size_t i = shape.size(); i-- > 0; point /= shape[i])
      at += static_cast<Index>(point % shape[i]) * strides[i];
    return at;
  }
  Index lowest() const { return reach(false); }
  Index elements() const { return reach(true) - lowest() + 1; }

 private:
  Index reach(bool highest) const {
    Index at = 0;
    for (std::size_t i = 0; i < shape.size(); ++i)
      if ((strides[i] > 0) == highest) at += static_cast<Index>(shape[i] - 1) * strides[i];
    return at;
  }
};

Side side_of(Problem const& problem, bool output) {
  Side side{
      {}, {}, output ? has_complex_output(problem.numbers) : has_complex_input(problem.numbers)};
  bool const is_half = side.is_complex && problem.numbers != Numbers::c2c;
  for (auto const* dims : {&problem.loops, &problem.dims})
    for (Dim const& dim : *dims) {
      side.shape.push_back(static_cast<std::size_t>(dim.n));
      side.strides.push_back(output ? dim.os : dim.is);
    }
  if (is_half) side.shape.back() = side.shape.back() / 2 + 1;
  return side;
}

/// Random numbers for all elements of an array, and where its points lie in it.
class Memory {
 public:
  Memory(Index elements, bool is_complex, bool split, std::mt19937& random)
      : unit_(is_complex && !split ? 2 : 1), imaginary_(split ? elements + 3 : 1) {
    std::uniform_real_distribution<Real> number(-1, 1);
    values_.resize(static_cast<std::size_t>((is_complex ? 2 : 1) * elements + (split ? 3 : 0)));
    for (Real& value : values_) value = number(random);
  }
  Real* real(Side const& side) { return values_.data() - side.lowest() * unit_; }
  Real* imaginary(Side const& side) { return real(side) + imaginary_; }
  Exact at(Side const& side, std::size_t point) const {
    Index const place = side.place(point) * unit_;
    auto const value = [&](Index i) { return values_[static_cast<std::size_t>(i)]; };
    return {value(place), side.is_complex ? value(place + imaginary_) : 0};
  }
  std::vector<Real> const& values() const { return values_; }
  /// Which reals belong to the array.
  std::vector<bool> owned(Side const& side) const {
    std::vector<bool> owned(values_.size());
    for (std::size_t point = 0; point < side.points(); ++point) {
      auto const place = static_cast<std::size_t>(side.place(point) * unit_);
      owned[place] = true;
      if (side.is_complex) owned[place + static_cast<std::size_t>(imaginary_)] = true;
    }
    return owned;
  }

 private:
  std::vector<Real> values_;
  Index unit_;
  Index imaginary_;
};

FFTW(plan) make_plan(Problem const& p, Real* ri, Real* ii, Real* ro, Real* io) {
  int const rank = static_cast<int>(p.dims.size()), loops = static_cast<int>(p.loops.size());
  Dim const *dims = p.dims.data(), *howmany = p.loops.data();
  auto* const in = reinterpret_cast<Complex*>(ri);
  auto* const out = reinterpret_cast<Complex*>(ro);
  FFTW(plan_with_nthreads)(p.threads);
  unsigned const f = p.flags;
  switch (p.numbers) {
    case Numbers::c2c:
      if (!p.split) return FFTW(plan_guru64_dft)(rank, dims, loops, howmany, in, out, p.sign, f);
      return p.sign == FFTW_FORWARD
                 ? FFTW(plan_guru64_split_dft)(rank, dims, loops, howmany, ri, ii, ro, io, f)
                 : FFTW(plan_guru64_split_dft)(rank, dims, loops, howmany, ii, ri, io, ro, f);
    case Numbers::r2c:
      return p.split ? FFTW(plan_guru64_split_dft_r2c)(rank, dims, loops, howmany, ri, ro, io, f)
                     : FFTW(plan_guru64_dft_r2c)(rank, dims, loops, howmany, ri, out, f);
    case Numbers::c2r:
      return p.split ? FFTW(plan_guru64_split_dft_c2r)(rank, dims, loops, howmany, ri, ii, ro, f)
                     : FFTW(plan_guru64_dft_c2r)(rank, dims, loops, howmany, in, ro, f);
    case Numbers::r2r:
      return FFTW(plan_guru64_r2r)(rank, dims, loops, howmany, ri, ro, p.kinds.data(), f);
  }
  return nullptr;
}

Array expected(Problem const& problem, Array x) {
  std::size_t const loops = problem.loops.size(), rank = problem.dims.size();
  auto const n = [&](std::size_t i) { return static_cast<std::size_t>(problem.dims[i].n); };
  bool const plus = problem.numbers == Numbers::c2r ||
                    (problem.numbers == Numbers::c2c && problem.sign == FFTW_BACKWARD);
  int const c2c = plus ? definition::c2c_plus : definition::c2c_minus;
  if (problem.numbers == Numbers::r2c) x = along(x, loops + rank - 1, definition::r2c, n(rank - 1));
  bool const is_half = problem.numbers == Numbers::r2c || problem.numbers == Numbers::c2r;
  for (std::size_t i = 0; i < rank - (is_half ? 1 : 0); ++i)
    x = along(x, loops + i, problem.numbers == Numbers::r2r ? problem.kinds[i] : c2c, n(i));
  if (problem.numbers == Numbers::c2r) x = along(x, loops + rank - 1, definition::c2r, n(rank - 1));
  return x;
}

void check(Problem const& problem, std::mt19937& random) {
  std::ostringstream name;
  name << problem;
  SCOPED_TRACE(name.str());
  Side const in = side_of(problem, false), out = side_of(problem, true);
  // In place, an array has room for both sides. Reals count as half complex numbers then.
  Index const out_elements =
      problem.in_place && out.is_complex != in.is_complex
          ? std::max(out.is_complex ? out.elements() : out.elements(),
                     in.is_complex ? 2 * in.elements() : (in.elements() + 1) / 2)
          : std::max(out.elements(), problem.in_place ? in.elements() : 0);
  Memory given(in.elements(), in.is_complex, problem.split, random);
  Memory target(out_elements, out.is_complex, problem.split, random);
  Memory& source = problem.in_place ? target : given;
  Real *const ri = source.real(in), *const ii = source.imaginary(in);
  Real *const ro = target.real(out), *const io = target.imaginary(out);

  Array x{in.shape, {}};
  if (problem.in_place && in.is_complex != out.is_complex) {
    // The array's type is the output's; its elements are those of the input.
    Index const unit = in.is_complex ? 2 : 1;
    for (std::size_t p = 0; p < in.points(); ++p)
      x.values.emplace_back(ri[in.place(p) * unit], in.is_complex ? ri[in.place(p) * unit + 1] : 0);
  } else {
    for (std::size_t p = 0; p < in.points(); ++p) x.values.push_back(source.at(in, p));
  }
  std::vector<Real> const before = target.values(), input = given.values();
  FFTW(plan) const plan = make_plan(problem, ri, ii, ro, io);
  ASSERT_NE(plan, nullptr);
  EXPECT_EQ(target.values(), before) << "planning touches arrays";
  FFTW(execute)(plan);
  FFTW(destroy_plan)(plan);

  Array const y = expected(problem, x);
  long double error = 0, norm = 0;
  for (std::size_t p = 0; p < out.points(); ++p) {
    error += std::norm(target.at(out, p) - y.values[p]);
    norm += std::norm(y.values[p]);
  }
  EXPECT_LE(std::sqrt(error), 20 * std::numeric_limits<Real>::epsilon() * std::sqrt(norm) + 1e-30L);
  bool const destroys = problem.numbers == Numbers::c2r || (problem.flags & FFTW_DESTROY_INPUT);
  bool const keeps = !problem.in_place && (!destroys || (problem.flags & FFTW_PRESERVE_INPUT));
  EXPECT_TRUE(!keeps || given.values() == input) << "the input has changed";
  if (problem.in_place) return;
  std::vector<bool> const owned = target.owned(out);
  for (std::size_t i = 0; i < owned.size(); ++i)
    if (!owned[i] && target.values()[i] != before[i]) {
      ADD_FAILURE() << "memory between the points of the output has changed";
      break;
    }
}

/// Draws problems.
class Drawer {
 public:
  explicit Drawer(unsigned seed) : random(seed) {}

  std::mt19937 random;

  Index below(Index n) { return static_cast<Index>(random() % static_cast<std::uint64_t>(n)); }
  bool coin() { return below(2) == 0; }

  /// Strides of dense or padded axes in a random order of memory, some of them negative.
  std::vector<Index> strides(std::vector<std::size_t> const& shape, bool may_be_negative) {
    std::vector<std::size_t> order(shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (coin()) std::shuffle(order.begin(), order.end(), random);
    std::vector<Index> result(shape.size());
    Index stride = below(4) == 0 ? 2 : 1;
    for (std::size_t i = order.size(); i-- > 0;) {
      result[order[i]] = may_be_negative && below(8) == 0 ? -stride : stride;
      stride *= static_cast<Index>(shape[order[i]]) + (below(3) == 0 ? below(4) : 0);
    }
    return result;
  }

  std::vector<Dim> dims(std::size_t count, Index most) {
    std::vector<Dim> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back({1 + below(most), 0, 0});
    return result;
  }

  Problem problem(Index most_points) {
    Problem p;
    p.numbers = static_cast<Numbers>(below(4));
    p.sign = coin() ? FFTW_FORWARD : FFTW_BACKWARD;
    bool const is_half = p.numbers == Numbers::r2c || p.numbers == Numbers::c2r;
    auto const rank = static_cast<std::size_t>(below(4) + (is_half ? 1 : 0));
    auto const loops = static_cast<std::size_t>(below(3));
    auto const each = static_cast<Index>(
        std::pow(static_cast<double>(most_points), 1.0 / static_cast<double>(rank + loops + 1)));
    p.dims = dims(rank, 3 * each);
    p.loops = dims(loops, 2 * each);
    for (std::size_t i = 0; p.numbers == Numbers::r2r && i < rank; ++i) {
      p.kinds.push_back(static_cast<FFTW(r2r_kind)>(below(11)));
      if (p.kinds[i] == FFTW_REDFT00) p.dims[i].n += 1;
    }
    p.in_place = below(3) == 0;
    p.split = p.numbers != Numbers::r2r && !(p.in_place && is_half) && below(3) == 0;
    unsigned const flags[] = {FFTW_ESTIMATE, FFTW_MEASURE, FFTW_PATIENT,
                              FFTW_ESTIMATE | FFTW_DESTROY_INPUT, FFTW_ESTIMATE | FFTW_UNALIGNED};
    p.flags = flags[below(5)];
    if (p.numbers == Numbers::c2r && rank == 1 && coin()) p.flags |= FFTW_PRESERVE_INPUT;
    p.threads = static_cast<int>(1 + below(2));
    set_strides(p);
    return p;
  }

 private:
  void set_strides(Problem& p) {
    std::vector<std::size_t> const in = side_of(p, false).shape, out = side_of(p, true).shape;
    std::vector<Index> const os = strides(out, true);
    std::vector<Index> is = strides(in, true);
    bool const is_half = p.numbers == Numbers::r2c || p.numbers == Numbers::c2r;
    if (p.in_place) is = os;
    std::vector<Dim*> all;
    for (auto* dims : {&p.loops, &p.dims})
      for (Dim& dim : *dims) all.push_back(&dim);
    for (std::size_t i = 0; i < all.size(); ++i) all[i]->is = is[i], all[i]->os = os[i];
    if (p.in_place && is_half) padded_rows(p, all);
    if (!p.in_place && !p.loops.empty() && below(6) == 0) p.loops[0].is = below(3);  // overlap
    if (p.in_place && p.loops.size() == 2 && p.loops[0].n == p.loops[1].n)
      std::swap(p.loops[0].is, p.loops[1].is);
  }

  /// Rows in which reals and their coefficients begin at the same place.
  void padded_rows(Problem& p, std::vector<Dim*> const& all) {
    Index half = p.dims.back().n / 2 + 1;
    bool const is_apart = coin();  // otherwise real rows are dense, too
    Index reals = is_apart ? 2 * half : p.dims.back().n;
    for (std::size_t i = all.size() - 1; i-- > 0;) {
      (p.numbers == Numbers::r2c ? all[i]->is : all[i]->os) = reals;
      (p.numbers == Numbers::r2c ? all[i]->os : all[i]->is) = half;
      reals *= all[i]->n;
      half *= all[i]->n;
    }
    p.dims.back().is = p.dims.back().os = 1;
  }
};

TEST(Guru, random_problems_follow_the_definition) {
  for (unsigned seed = 1; seed <= 1500; ++seed) {
    Drawer draw(seed);
    Problem const problem = draw.problem(300);
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    check(problem, draw.random);
    if (HasFailure()) return;
  }
}

// Short ones have code of their own.
TEST(Guru, single_contiguous_columns_follow_the_definition) {
  std::mt19937 random(1);
  std::vector<int> lengths(64);
  std::iota(lengths.begin(), lengths.end(), 2);
  lengths.insert(lengths.end(), {100, 125, 128, 243, 360, 500});
  for (int n : lengths) {
    SCOPED_TRACE(testing::Message() << n << " points");
    for (bool in_place : {false, true}) {
      for (int sign : {FFTW_FORWARD, FFTW_BACKWARD})
        check({.numbers = Numbers::c2c, .sign = sign, .dims = {{n, 1, 1}}, .in_place = in_place},
              random);
      check({.numbers = Numbers::r2c, .dims = {{n, 1, 1}}, .in_place = in_place}, random);
      check({.numbers = Numbers::c2r, .dims = {{n, 1, 1}}, .in_place = in_place}, random);
      for (int kind = FFTW_R2HC; kind <= FFTW_RODFT11; ++kind)
        check({.numbers = Numbers::r2r,
               .dims = {{n, 1, 1}},
               .kinds = {static_cast<FFTW(r2r_kind)>(kind)},
               .in_place = in_place},
              random);
    }
  }
}

/// The axes of contiguous arrays. In place, rows of reals have room for their coefficients.
std::vector<Dim> contiguous(Numbers numbers, std::vector<int> const& shape, bool in_place) {
  Index const half = shape.back() / 2 + 1;
  std::vector<Dim> dims = {{shape.back(), 1, 1}};
  auto const row = [&](bool is_complex) {
    if (numbers == Numbers::c2c) return Index{shape.back()};
    return is_complex ? half : in_place ? 2 * half : Index{shape.back()};
  };
  Index in = row(has_complex_input(numbers)), out = row(has_complex_output(numbers));
  for (std::size_t i = shape.size() - 1; i-- > 0; in *= shape[i], out *= shape[i])
    dims.insert(dims.begin(), Dim{shape[i], in, out});
  return dims;
}

// These have code of their own, too.
TEST(Guru, small_contiguous_boxes_follow_the_definition) {
  std::mt19937 random(1);
  std::vector<std::vector<int>> const shapes = {
      {2, 2},  {4, 4},  {5, 7},      {8, 8},    {9, 16},    {12, 10},     {6, 100},        {7, 11},
      {8, 13}, {13, 8}, {3, 4, 5},   {8, 8, 8}, {10, 9, 2}, {2, 3, 4, 5}, {2, 2, 2, 2, 2}, {16, 16},
      {15, 7}, {24, 5}, {20, 18, 9}, {32, 32},  {100, 10},  {16, 16, 16}};
  for (auto const& shape : shapes)
    for (bool in_place : {false, true})
      for (Numbers numbers : {Numbers::c2c, Numbers::r2c, Numbers::c2r})
        for (int sign : {FFTW_FORWARD, FFTW_BACKWARD})
          check({.numbers = numbers,
                 .sign = sign,
                 .dims = contiguous(numbers, shape, in_place),
                 .in_place = in_place},
                random);
}

TEST(Guru, large_problems_follow_the_definition) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    Drawer draw(seed);
    Problem const problem = draw.problem(30000);
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    check(problem, draw.random);
    if (HasFailure()) return;
  }
}

}  // namespace
