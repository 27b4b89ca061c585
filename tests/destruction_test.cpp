// SPDX-License-Identifier: BSD-3-Clause
// Ranks may destroy plans at different times and in different orders, as Python's ranks do after an
// exception on one of them.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <filesystem>
#include <string>
#include <vector>

#include "own_file.hpp"
#include "ranks.hpp"
#include "sixstep/plan.hpp"

namespace sixstep {
namespace {

using Complex = std::complex<double>;

constexpr Index points = 120;
Plan<double> planned(Options const& options, MPI_Comm comm) {
  Layout const layout = Layout::slab({6, 5, 4}, ranks::count());
  return {layout, layout, comm, options};
}

/// The sum over all points is the first element of the first rank; all others are zero.
bool transforms(Plan<double>& plan) {
  auto const elements = static_cast<std::size_t>(plan.input_size());
  std::vector<Complex> in(elements, 1), out(elements), expected(elements);
  if (ranks::rank() == 0) expected[0] = points;
  plan.forward(in.data(), out.data());
  return out == expected;
}

/// Options with which plans have something that only all ranks together can destroy, and others.
std::vector<Options> all_options(std::string const& trace) {
  std::vector<Options> all;
  for (Exchange exchange : all_exchanges) all.push_back({.exchange = exchange});
  all.push_back({.exchange = Exchange::one_sided, .windows = 3});
  all.push_back({.exchange = Exchange::one_sided, .trace = trace});
  all.push_back({.trace = trace});
  all.push_back({.device = Device::emulated});
  return all;
}

TEST(destruction, may_differ_in_time_and_order) {
  OwnFile const trace("destruction");
  bool const is_first = ranks::rank() == 0;
  for (Options const& options : all_options(trace.name())) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    auto const works = [&](Plan<double>& plan) {
      return options.device != Device::none || transforms(plan);
    };
    Plan<double> a = planned(options, comm), b = planned(options, comm);
    EXPECT_TRUE(works(a) && works(b));
    if (is_first) a = {};
    if (is_first) b = {};
    Plan<double> c = planned(options, comm);
    EXPECT_TRUE(works(c));
    if (!is_first) b = {};
    if (!is_first) a = {};
    if (!is_first) c = {};
    Plan<double> d = planned(options, comm);
    EXPECT_TRUE(works(d));
    MPI_Comm_free(&comm);
    if (is_first) c = {};
    EXPECT_TRUE(works(d));
  }
}

TEST(destruction, of_a_plan_on_some_ranks_leaves_its_communicator_to_the_others) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  Plan<double> a = planned({.exchange = Exchange::one_sided}, comm);
  EXPECT_TRUE(transforms(a));
  if (ranks::rank() == 0) a = {};
  MPI_Comm_free(&comm);
  MPI_Barrier(MPI_COMM_WORLD);  // now the others destroy theirs
}

TEST(destruction, of_a_traced_plan_writes_the_trace_when_all_have_destroyed_it) {
  OwnFile const trace("destruction");
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  Plan<double> a = planned({.trace = trace.name()}, comm);
  EXPECT_TRUE(transforms(a));
  bool const is_last = ranks::rank() + 1 == ranks::count();
  if (!is_last) a = {};
  planned({}, comm);
  EXPECT_FALSE(std::filesystem::exists(trace.name()));
  MPI_Barrier(MPI_COMM_WORLD);
  a = {};
  planned({}, comm);
  EXPECT_TRUE(ranks::rank() != 0 || std::filesystem::exists(trace.name()));
  MPI_Comm_free(&comm);
}

}  // namespace
}  // namespace sixstep
