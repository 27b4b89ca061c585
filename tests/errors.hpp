// SPDX-License-Identifier: BSD-3-Clause
// The same Error on every rank, after which the library and MPI are as usable as before.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include "ranks.hpp"
#include "refuses.hpp"
#include "sixstep/plan.hpp"

namespace sixstep::refused {

using Complex = std::complex<double>;

inline int mine() { return ranks::rank(); }
inline int all() { return ranks::count(); }

/// Whether a plan can be made and transforms an impulse into ones.
inline void expect_good_plan(MPI_Comm comm = MPI_COMM_WORLD) {
  Layout const layout = Layout::slab({8, 6}, ranks::size_of(comm));
  Plan<double> plan(layout, layout, comm);
  std::vector<Complex> array(static_cast<std::size_t>(plan.in_place_size()));
  if (ranks::rank_in(comm) == 0) array[0] = 1;
  plan.forward(array.data(), array.data());
  for (Index i = 0; i < plan.output_size(); ++i)
    EXPECT_EQ(array[static_cast<std::size_t>(i)], Complex(1));
}

/// After each test the library and MPI are as usable as before.
class Errors : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
    expect_good_plan();
  }
};

/// Every rank throws the same Error, it begins with `argument` and holds all of `parts`.
template <class Action>
void expect_refusal(std::string const& argument, std::initializer_list<char const*> parts,
                    Action const& action) {
  std::string message;
  EXPECT_TRUE(refuses(argument, parts, [&] {
    message = message_of(action);
    if (!message.empty()) throw Error(message);
  }));
  std::vector<std::string> const messages = ranks::gather(message);
  for (std::string const& other : messages) EXPECT_EQ(other, messages[0]);
}

inline Layout slab(Shape const& shape = {8, 6}) { return Layout::slab(shape, all()); }

inline Plan<double> plan(Options const& options) {
  return {slab(), slab(), MPI_COMM_WORLD, options};
}

}  // namespace sixstep::refused
