// SPDX-License-Identifier: BSD-3-Clause
// Ranks that fork: what their children inherit of MPI and of plans is neither used nor freed there.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "child.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "sixstep/ranks.hpp"

namespace sixstep {
namespace {

using arrays::difference;
using arrays::fill;
using arrays::rounding;
using oracle::Exact;
using Complex = std::complex<double>;

/// A plan of a small array with memory that ranks of a node share, and what it should compute.
class Kept {
 public:
  explicit Kept(Options const& options)
      : layout_(Layout::slab({12, 10, 6}, ranks::count())),
        plan_(layout_, layout_, MPI_COMM_WORLD, options),
        in_(plan_.allocate()),
        out_(plan_.allocate()),
        whole_(oracle::values(oracle::points_of(layout_.shape()), 1)),
        expected_(whole_) {
    oracle::transform_along(expected_, layout_.shape(), {}, -1);
    std::vector<Complex> part(static_cast<std::size_t>(plan_.input_size()));
    fill(part, layout_, ranks::rank(), whole_);
    std::ranges::copy(part, in_.get());
  }

  Plan<double>& plan() { return plan_; }
  Complex* in() { return in_.get(); }
  Complex* out() { return out_.get(); }

  /// Collective.
  void expect_that_it_works() {
    plan_.forward(in(), out());
    std::vector<Complex> const found(out(), out() + plan_.output_size());
    EXPECT_LT(difference(found, layout_, ranks::rank(), expected_),
              rounding<double>(oracle::points_of(layout_.shape())));
  }

 private:
  Layout layout_;
  Plan<double> plan_;
  std::shared_ptr<Complex[]> in_, out_;
  std::vector<Exact> whole_, expected_;
};

/// Plans that are destroyed by exit(), in children too.
std::vector<std::unique_ptr<Kept>>& kept() {
  static std::vector<std::unique_ptr<Kept>> all;
  return all;
}

std::string trace_file() {
  return (std::filesystem::temp_directory_path() /
          ("fork_test_" + std::to_string(ranks::count()) + ".json"))
      .string();
}

/// One for each way to exchange; one with a thread that drives messages; one with a trace.
/// Collective.
void keep_plans() {
  if (!kept().empty()) return;
  for (Exchange exchange : all_exchanges)
    kept().push_back(std::make_unique<Kept>(Options{.exchange = exchange, .threads = 2}));
  kept().push_back(std::make_unique<Kept>(Options{
      .exchange = Exchange::pairwise, .threads = 2, .windows = 2, .driver = Driver::thread}));
  kept().push_back(std::make_unique<Kept>(Options{.threads = 1, .trace = trace_file()}));
  for (auto const& each : kept()) each->expect_that_it_works();
}

TEST(forked_child, ends_without_touching_what_its_parent_shares_with_other_ranks) {
  keep_plans();
  for (int round = 0; round < 3; ++round) {
    if (ranks::rank() == 0) {
      EXPECT_EQ(child::run([] { return true; }, child::End::as_programs), "");
    }
    for (auto const& each : kept()) each->expect_that_it_works();
  }
}

TEST(forked_child, does_not_write_its_parents_trace) {
  keep_plans();
  std::string const before = "what was there before";
  if (ranks::rank() == 0) {
    std::ofstream(trace_file()) << before;
    EXPECT_EQ(child::run([] { return true; }, child::End::as_programs), "");
    std::ifstream file(trace_file());
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), before);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(forked_child, is_refused_what_needs_mpi) {
  keep_plans();
  Ranks const all(MPI_COMM_WORLD);
  if (ranks::rank() != 0) return;
  auto const is_refused = [](auto const& action) {
    return message_of(action).find("was forked from one in which MPI was running") !=
           std::string::npos;
  };
  EXPECT_EQ(child::run([&] {
              bool refused = true;
              for (auto const& each : kept()) {
                auto const forward = [&] { each->plan().forward(each->in(), each->out()); };
                if (ranks::count() > 1) refused = refused && is_refused(forward);
                refused = refused && is_refused([&] { each->plan().allocate(); });
              }
              Layout const layout = Layout::slab({8}, 1);
              return refused && is_refused([&] { Plan<double>(layout, MPI_COMM_SELF); }) &&
                     is_refused([&] { all.allocate(layout, 8, true); }) &&
                     is_refused([&] { Ranks{MPI_COMM_SELF}; });
            }),
            "");
}

}  // namespace
}  // namespace sixstep
