// SPDX-License-Identifier: BSD-3-Clause
// What the tests on several ranks share: who they are, and agreement on results.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cases.hpp"

namespace ranks {

inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}
inline int rank() { return rank_in(MPI_COMM_WORLD); }

inline int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}
inline int count() { return size_of(MPI_COMM_WORLD); }

/// The larger of two errors; infinite if `error` is no number.
inline double worse(double worst, double error) {
  return std::isnan(error) ? HUGE_VAL : std::max(worst, error);
}

/// The largest of all ranks' values. Collective.
inline double largest(double value, MPI_Comm comm = MPI_COMM_WORLD) {
  double all = 0;
  MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_MAX, comm);
  return all;
}

/// Whether it holds on every rank. Collective.
inline bool everywhere(bool holds, MPI_Comm comm = MPI_COMM_WORLD) {
  int const mine = holds ? 1 : 0;
  int all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm);
  return all == 1;
}

/// All ranks' texts, by rank. Collective.
inline std::vector<std::string> gather(std::string const& text, MPI_Comm comm = MPI_COMM_WORLD) {
  int const length = static_cast<int>(text.size());
  int longest = 0;
  MPI_Allreduce(&length, &longest, 1, MPI_INT, MPI_MAX, comm);
  int const ranks = size_of(comm);
  std::string mine = text;
  mine.resize(static_cast<std::size_t>(longest) + 1, '\0');
  std::string all(mine.size() * static_cast<std::size_t>(ranks), '\0');
  MPI_Allgather(mine.data(), longest + 1, MPI_CHAR, all.data(), longest + 1, MPI_CHAR, comm);
  std::vector<std::string> texts;
  for (std::size_t start = 0; start < all.size(); start += mine.size())
    texts.emplace_back(all.c_str() + start);
  return texts;
}

/// An array that rank 0 computes for all ranks: each alone would take as long, on cores that they
/// share. Collective.
template <class Value, class Compute>
void compute_once(std::vector<Value>& array, Compute const& compute) {
  if (rank() == 0) compute();
  MPI_Bcast(array.data(), static_cast<int>(array.size() * sizeof array[0]), MPI_BYTE, 0,
            MPI_COMM_WORLD);
}

/// Fewer rounds on many ranks, which take turns on few cores.
inline int rounds(int usual) {
  return cases::rounds(count() <= 2 ? usual : count() <= 4 ? usual / 3 : usual / 6);
}

/// Says which cases of a list a test runs. On more than 2 ranks, which take turns on few cores, it
/// is one of three: 3, 4 and 7 ranks take different ones, together all. Of nested loops each value
/// meets each other one somewhere. With SIXSTEP_TEST_ROUNDS=3 it is all of them.
class OneOfThree {
 public:
  bool takes_next() {
    int digits = 0;  // their sum, with base 3
    for (int number = next_++; number > 0; number /= 3) digits += number % 3;
    return count() <= 2 || cases::rounds(3) >= 3 || digits % 3 == count() / 2 % 3;
  }

 private:
  int next_ = 0;
};

/// Whether the test has failed on any rank: one that stops then keeps the ranks together.
/// Collective.
inline bool failed_anywhere() { return !everywhere(!testing::Test::HasFailure()); }

}  // namespace ranks
