// SPDX-License-Identifier: BSD-3-Clause
// Communicators that plans share: how many are made, which plan a message is for, and what becomes
// of plans when MPI has no communicator left.
//
// This program stands between the library and MPI and counts communicators (MPI's profiling
// interface).
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "exchange/strategy.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/plan.hpp"
#include "sixstep/ranks.hpp"
#include "sixstep/redistribution.hpp"

namespace {

int made = 0;     // communicators
int freed = 0;    // of these
int windows = 0;  // that there are

}  // namespace

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* other) {
  int const code = PMPI_Comm_dup(comm, other);
  made += code == MPI_SUCCESS ? 1 : 0;
  return code;
}
int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* part) {
  int const code = PMPI_Comm_split(comm, colour, key, part);
  made += code == MPI_SUCCESS ? 1 : 0;
  return code;
}
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
  int const code = PMPI_Comm_split_type(comm, type, key, info, part);
  made += code == MPI_SUCCESS ? 1 : 0;
  return code;
}
int MPI_Comm_free(MPI_Comm* comm) {
  ++freed;
  return PMPI_Comm_free(comm);
}

int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* window) {
  int const code = PMPI_Win_create_dynamic(info, comm, window);
  windows += code == MPI_SUCCESS ? 1 : 0;
  return code;
}
int MPI_Win_free(MPI_Win* window) {
  --windows;
  return PMPI_Win_free(window);
}

namespace sixstep {
namespace {

using Complex = std::complex<double>;

/// A communicator of the user's, which is freed with the object.
class Own {
 public:
  explicit Own(MPI_Comm of = MPI_COMM_WORLD) { PMPI_Comm_dup(of, &comm_); }
  ~Own() { PMPI_Comm_free(&comm_); }
  Own(Own const&) = delete;
  Own& operator=(Own const&) = delete;
  MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

Layout slab(Shape const& shape) { return Layout::slab(shape, ranks::count()); }

/// A plan and what it should compute.
struct Case {
  Case(Shape const& shape, Options const& options, MPI_Comm comm, unsigned seed)
      : layout(slab(shape)),
        plan(layout, layout, comm, options),
        whole(oracle::values(oracle::points_of(shape), seed)),
        expected(whole) {
    oracle::transform_along(expected, shape, {}, -1);
  }
  double error() {
    auto in = arrays::unset<double>(plan.input_size()),
         out = arrays::unset<double>(plan.output_size());
    arrays::fill(in, layout, ranks::rank(), whole);
    plan.forward(in.data(), out.data());
    return arrays::difference(out, layout, ranks::rank(), expected);
  }

  Layout layout;
  Plan<double> plan;
  std::vector<oracle::Exact> whole, expected;
};

constexpr double most_error = 1e-11;

TEST(plans, of_one_communicator_share_a_duplicate_and_a_node) {
  int const before = made;
  Own const comm;
  Layout const layout = slab({8, 8});
  std::vector<Plan<double>> plans;
  plans.emplace_back(layout, layout, comm.get(), Options{.exchange = Exchange::pairwise});
  plans.emplace_back(layout, layout, comm.get());
  int const first = made - before;
  EXPECT_GE(first, 1);
  EXPECT_LE(first, 2 + (ranks::count() > 2 ? 1 : 0));  // the duplicate, the node, a part of it
  for (int i = 0; i < 20; ++i) {
    plans.emplace_back(layout, layout, comm.get(),
                       Options{.exchange = i % 2 == 0 ? Exchange::shared : Exchange::persistent});
    Redistribution<int>(layout, Layout::slab({8, 8}, ranks::count(), 1), comm.get());
    Ranks{comm.get()};
  }
  EXPECT_EQ(made - before, first);
}

TEST(plans, share_communicators_of_groups) {
  if (ranks::count() < 4 || mpi::has_threads()) return;
  Own const comm;
  Layout const layout = Layout::pencil({8, 8, 8}, ranks::count());
  Options const options{.exchange = Exchange::collective};
  Plan<double> const first(layout, layout, comm.get(), options);
  int const before = made;
  Plan<double> const second(layout, layout, comm.get(), options);
  EXPECT_EQ(made, before);
}

TEST(plans, free_what_they_share_with_the_last_of_them_and_the_users_communicator) {
  for (bool plan_first : {false, true}) {
    int const before = made - freed;
    MPI_Comm comm = MPI_COMM_NULL;
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    // A communicator of windows that outlive the user's stays until MPI_Finalize.
    Exchange const exchange = plan_first ? Exchange::one_sided : Exchange::pairwise;
    std::optional<Case> a(std::in_place, Shape{6, 5}, Options{.exchange = exchange}, comm, 1u);
    std::optional<Case> b(std::in_place, Shape{5, 6}, Options{}, comm, 2u);
    b.reset();
    EXPECT_GT(made - freed, before);
    if (plan_first) a.reset();
    PMPI_Comm_free(&comm);
    if (!plan_first) {
      EXPECT_GT(made - freed, before);
      EXPECT_LT(a->error(), most_error);
      a.reset();
    }
    EXPECT_EQ(made - freed, before);
  }
}

// MPICH has 2,048 communicators. Most are taken here, so that fewer are left than there are plans.
TEST(plans, may_outnumber_the_communicators_of_mpi) {
#ifdef MPICH_VERSION
  std::vector<Own> const taken(1800);
#endif
  for (Exchange exchange : {Exchange::pairwise, Exchange::one_sided}) {
    Own const comm;
    Layout const layout = slab({4, 4});
    std::vector<Plan<double>> plans;
    std::size_t const count = 300;
    for (std::size_t i = 0; i < count; ++i)
      plans.emplace_back(layout, layout, comm.get(), Options{.exchange = exchange, .threads = 1});
    std::vector<Complex> array(16, 1);
    for (std::size_t i : {count - 1, std::size_t{0}, count / 2}) {
      std::fill(array.begin(), array.end(), 1);
      plans[i].forward(array.data(), array.data());
      EXPECT_TRUE(ranks::rank() != 0 || array[0] == Complex(16)) << array[0];
    }
  }
}

TEST(plans, of_one_sided_exchanges_share_windows) {
  Own const comm;
  Options const options{.exchange = Exchange::one_sided};
  std::optional<Case> first(std::in_place, Shape{6, 5}, options, comm.get(), 1u);
  int const alone = windows;
  EXPECT_EQ(alone > 0, ranks::count() > 1 && exchange::puts_arrive);
  std::optional<Case> second(std::in_place, Shape{6, 5, 4}, options, comm.get(), 2u);
  EXPECT_EQ(windows, alone);
  for (Case* each : {&*second, &*first, &*second}) EXPECT_LT(each->error(), most_error);
  first.reset();
  EXPECT_LT(second->error(), most_error);
  second.reset();
  Case({5, 6}, {.exchange = Exchange::pairwise}, comm.get(), 4u);  // ranks free windows together
  EXPECT_EQ(windows, 0);
  Case again({5, 6}, options, comm.get(), 3u);
  EXPECT_LT(again.error(), most_error);
}

TEST(plans, of_all_exchanges_take_turns_on_one_communicator) {
  Own const one, two;
  std::vector<std::unique_ptr<Case>> cases;
  unsigned seed = 0;
  for (Exchange exchange : all_exchanges)
    for (Shape const& shape : {Shape{6, 5, 4}, Shape{8, 9}, Shape{7, 3, 4}})
      for (int windows : {1, 3})
        cases.push_back(std::make_unique<Case>(
            shape, Options{.exchange = exchange, .threads = 1, .windows = windows},
            ++seed % 3 == 0 ? two.get() : one.get(), seed));
  std::size_t next = 1;  // the same numbers on all ranks
  for (int i = 0; i < 200; ++i) {
    next = (next * 1103515245 + 12345) % 2147483648;
    ASSERT_LT(cases[next / 65536 % cases.size()]->error(), most_error) << i;
    if (i % 20 == 19) {  // planning between executions
      std::size_t const place = next % cases.size();
      cases[place] = std::make_unique<Case>(Shape{6, 7}, Options{.exchange = Exchange::pairwise},
                                            one.get(), seed + static_cast<unsigned>(i));
    }
  }
}

/// Takes all communicators that MPI has, as the program's own.
class Exhausted {
 public:
  Exhausted() {
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    // Each rank takes them alone, which needs no messages.
    for (MPI_Comm other; PMPI_Comm_dup(MPI_COMM_SELF, &other) == MPI_SUCCESS;)
      comms_.push_back(other);
  }
  ~Exhausted() {
    while (!comms_.empty()) free_one();
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  }
  Exhausted(Exhausted const&) = delete;
  Exhausted& operator=(Exhausted const&) = delete;
  void free_one() {
    PMPI_Comm_free(&comms_.back());
    comms_.pop_back();
  }

 private:
  std::vector<MPI_Comm> comms_;
};

#ifdef MPICH_VERSION  // others have room for more than memory holds

TEST(no_communicator_left, is_an_error_on_all_ranks) {
  Own const comm;
  Layout const layout = slab({8, 8});
  auto const refused = [&](MPI_Comm on, Options const& options) {
    std::string const message = message_of([&] { Plan<double>(layout, layout, on, options); });
    for (std::string const& each : ranks::gather(message)) EXPECT_EQ(each, message);
    EXPECT_NE(message.find("comm: MPI has no communicator left"), std::string::npos) << message;
    EXPECT_NE(message.find("Too many communicators"), std::string::npos) << message;
  };
  {
    Exhausted all;
    MPI_Comm_set_errhandler(comm.get(), MPI_ERRORS_ARE_FATAL);
    refused(comm.get(), {});
    // The duplicate and the ranks of the node need few.
    std::string message = "none";
    for (int i = 0; i < 8 && !message.empty(); ++i) {
      all.free_one();
      message = message_of([&] {
        Plan<double>(layout, layout, comm.get(), {.exchange = Exchange::pairwise, .threads = 1});
      });
    }
    EXPECT_EQ(message, "");
  }
  Case after({6, 5}, {}, comm.get(), 7);
  EXPECT_LT(after.error(), most_error);
  MPI_Errhandler handler;
  MPI_Comm_get_errhandler(comm.get(), &handler);
  EXPECT_EQ(handler, MPI_ERRORS_ARE_FATAL);
}

#endif

TEST(tags, are_ranges_apart_from_each_other_as_long_as_they_live) {
  auto const comm = mpi::Communicator::duplicate(Own().get());
  constexpr int most = 100;
  mpi::Tags const first = comm.take_tags(10, most);
  std::vector<mpi::Tags> some;
  for (int i = 0; i < 8; ++i) some.push_back(comm.take_tags(10, most));
  if (!mpi::has_threads()) return;
  for (std::size_t i = 0; i < some.size(); ++i)
    EXPECT_EQ(some[i].first(), first.first() + 10 * (static_cast<int>(i) + 1));
  mpi::Tags const last = comm.take_tags(10, most);
  EXPECT_TRUE(refuses("comm", {"no tags left"}, [&] { comm.take_tags(1, most); }));
  // Ranks may let go of others: what is free on all of them is found.
  some[ranks::rank() == 0 ? 2 : 4] = {};
  if (ranks::count() > 1) {
    EXPECT_TRUE(refuses("comm", {"no tags left"}, [&] { comm.take_tags(1, most); }));
  }
  some[ranks::rank() == 0 ? 4 : 2] = {};
  int const found = comm.take_tags(10, most).first();
  EXPECT_TRUE(found == first.first() + 30 || found == first.first() + 50) << found;
  EXPECT_EQ(ranks::largest(found), found);
}

}  // namespace
}  // namespace sixstep
