// SPDX-License-Identifier: BSD-3-Clause
// Transpositions in place: every element has a number of its own, and goes where it belongs.
#include <fftw3.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <string>
#include <vector>

#ifdef FFTW_TEST_SINGLE
#define FFTW(name) fftwf_##name
using Real = float;
#else
#define FFTW(name) fftw_##name
using Real = double;
#endif

namespace {

using Index = std::ptrdiff_t;
using Dim = FFTW(iodim64);
using Dims = std::vector<Dim>;

/// The reals of an array in which each has its own number, as far as the precision goes.
std::vector<Real> numbered(Index reals) {
  std::vector<Real> values(static_cast<std::size_t>(reals));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Real>(i % 8388593);
  return values;
}

/// out[sum_i k_i os_i] = in[sum_i k_i is_i] for all k, in units of `unit` reals; what is between
/// stays.
std::vector<Real> moved(std::vector<Real> const& in, Dims const& dims, Index unit) {
  std::vector<Real> out = in;
  std::vector<Index> k(dims.size(), 0);
  for (bool more = true; more;) {
    Index from = 0, to = 0;
    for (std::size_t i = 0; i < dims.size(); ++i)
      from += k[i] * dims[i].is, to += k[i] * dims[i].os;
    for (Index part = 0; part < unit; ++part)
      out[static_cast<std::size_t>(unit * to + part)] =
          in[static_cast<std::size_t>(unit * from + part)];
    more = false;
    for (std::size_t i = 0; i < dims.size() && !more; ++i) {
      more = ++k[i] < dims[i].n;
      if (!more) k[i] = 0;
    }
  }
  return out;
}

Index reach(Dims const& dims) {
  Index last = 0;
  for (Dim const& dim : dims) last += (dim.n - 1) * std::max(dim.is, dim.os);
  return last + 1;
}

enum class Numbers { reals, complex, split };

FFTW(plan) planned(Numbers numbers, Dims const& dims, Real* data, Index elements) {
  int const loops = static_cast<int>(dims.size());
  auto* const complex = reinterpret_cast<FFTW(complex)*>(data);
  unsigned const flags = FFTW_ESTIMATE;
  Dim const* const howmany = dims.data();
  if (numbers == Numbers::complex)
    return FFTW(plan_guru64_dft)(0, nullptr, loops, howmany, complex, complex, -1, flags);
  if (numbers == Numbers::reals)
    return FFTW(plan_guru64_r2r)(0, nullptr, loops, howmany, data, data, nullptr, flags);
  Real* const imaginary = data + elements + 3;
  return FFTW(plan_guru64_split_dft)(0, nullptr, loops, howmany, data, imaginary, data, imaginary,
                                     flags);
}

void check(Numbers numbers, Dims const& dims, bool without_copy, int threads) {
  Index const elements = reach(dims);
  std::vector<Real> data = numbered(2 * elements + 3);
  std::vector<Real> expected = moved(data, dims, numbers == Numbers::complex ? 2 : 1);
  if (numbers == Numbers::split) {
    std::vector<Real> const imaginary(data.begin() + elements + 3, data.end());
    std::vector<Real> const parts = moved(imaginary, dims, 1);
    std::copy(parts.begin(), parts.end(), expected.begin() + elements + 3);
  }
  FFTW(plan_with_nthreads)(threads);
  FFTW(plan) const plan = planned(numbers, dims, data.data(), elements);
  ASSERT_NE(plan, nullptr);
  char* const words = FFTW(sprint_plan)(plan);
  EXPECT_EQ(std::string(words).find("transposition") != std::string::npos, without_copy) << words;
  FFTW(free)(words);
  FFTW(execute)(plan);
  FFTW(destroy_plan)(plan);
  EXPECT_EQ(data, expected);
}

void check_all(Dims const& dims, bool without_copy) {
  std::string name;
  for (Dim const& dim : dims)
    name +=
        std::to_string(dim.n) + ':' + std::to_string(dim.is) + ':' + std::to_string(dim.os) + ' ';
  SCOPED_TRACE(name);
  for (Numbers numbers : {Numbers::reals, Numbers::complex, Numbers::split})
    for (int threads : {1, 2}) check(numbers, dims, without_copy, threads);
}

/// A dense matrix of vectors, transposed.
Dims dense(Index rows, Index columns, Index vector) {
  return {{rows, columns * vector, vector}, {columns, vector, rows * vector}, {vector, 1, 1}};
}

TEST(Transposition, dense_matrices_of_all_small_shapes) {
  for (Index rows = 2; rows < 20; ++rows)
    for (Index columns = 2; columns < 20; ++columns)
      for (Index vector : {1, 3}) check_all(dense(rows, columns, vector), true);
}

TEST(Transposition, dense_matrices_of_many_panels) {
  for (auto [rows, columns] :
       {std::pair{1000, 300}, {300, 1000}, {512, 256}, {257, 641}, {3, 40000}, {40000, 3}})
    check_all(dense(rows, columns, 1), true);
  check_all(dense(100, 60, 200), true);
}

TEST(Transposition, dense_matrices_of_random_shapes) {
  std::mt19937 random(20261128);
  auto const up_to = [&](Index most) {
    return std::uniform_int_distribution<Index>(1, most)(random);
  };
  for (int turn = 0; turn < 40; ++turn) {
    Index const vector = turn % 3 == 0 ? up_to(9) : 1, common = turn % 2 == 0 ? up_to(64) : 1;
    Index const rows = common * up_to(300 / common) + 1, columns = common * up_to(300 / common) + 1;
    check_all(dense(rows + common - 1, columns + common - 1, vector), true);
    check_all(dense(rows, rows + up_to(20), vector), true);
  }
}

TEST(Transposition, long_vectors) {
  for (auto [rows, columns] : {std::pair{2, 3}, {7, 11}, {12, 18}, {31, 64}})
    for (Index vector : {15, 16, 17, 64, 100}) check_all(dense(rows, columns, vector), true);
}

TEST(Transposition, squares_with_gaps) {
  for (Index n : {2, 7, 8, 15, 16, 17, 40, 61, 64}) {
    check_all({{n, 128, 1}, {n, 1, 128}}, true);
    check_all({{n, n + 3, 1}, {n, 1, n + 3}}, true);
    check_all({{n, 2 * n, 2}, {n, 2, 2 * n}}, true);
  }
}

TEST(Transposition, several_matrices) {
  check_all({{5, 18 * 7, 18 * 7}, {18, 7, 1}, {7, 1, 18}}, true);      // one after another
  check_all({{5, 18 * 18, 18 * 18}, {18, 18, 1}, {18, 1, 18}}, true);  // squares
  check_all({{18, 90, 5}, {18, 5, 90}, {3, 1, 1}}, true);              // parts of vectors
}

TEST(Transposition, other_copies_in_place_take_a_second_array) {
  check_all({{4, 30, 6}, {5, 6, 24}, {3, 1, 1}}, false);  // vectors with gaps
  check_all({{3, 20, 1}, {4, 5, 15}, {5, 1, 3}}, false);  // three axes change places
  check_all({{6, 36, 1}, {6, 6, 6}, {6, 1, 36}}, true);   // the outer two of three
}

}  // namespace
