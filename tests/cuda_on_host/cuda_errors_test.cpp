// SPDX-License-Identifier: BSD-3-Clause
// Calls to CUDA that fail in the middle of an execution, on one rank: every rank throws the same
// Error, and nothing hangs.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "device/backend.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "sixstep/sixstep.hpp"
#include "tested_device.hpp"

namespace sixstep {
namespace {

using Complex = std::complex<double>;
using Random = std::mt19937;

/// cuda_on_host_plant() of the library that stands in for CUDA's; null on a GPU.
using Plant = int (*)(char const* kind, int number, int error, int is_sticky);
Plant plant() {
  take_gpu(ranks::rank());
  return reinterpret_cast<Plant>(dlsym(RTLD_DEFAULT, "cuda_on_host_plant"));
}

constexpr int launch_failure = 719, illegal_address = 700, too_many_resources = 701,
              cufft_failure = 6;

struct Fault {
  char const* kind;
  int error;
  bool is_sticky;
  char const* call;  // in the message
};
constexpr Fault faults[] = {
    {"launch", too_many_resources, false, " of "},
    {"launch", launch_failure, true, "cuda: "},
    {"copy", too_many_resources, false, "cuda: a copy of "},
    {"copy", illegal_address, true, "cuda: a copy of "},
    {"record", too_many_resources, false, "cuda: an event"},
    {"query", illegal_address, true, "cuda: what was put into a stream"},
    {"wait", illegal_address, true, "cuda: what was put into a stream"},
    {"transform", cufft_failure, false, "cuFFT: a transform: CUFFT_EXEC_FAILED"},
    {"work", illegal_address, true, "cuda: "},
};

/// How ranks exchange.
struct Way {
  char const* name;
  char const* messages;  // SIXSTEP_DEVICE_MESSAGES; null: not set
  Exchange exchange;
  int windows;
  Driver driver;
};
constexpr Way ways[] = {
    {"opened memory", nullptr, Exchange::shared, 0, Driver::automatic},
    {"staged in turn", "staged", Exchange::pairwise, 1, Driver::automatic},
    {"staged, collective", "staged", Exchange::collective, 1, Driver::automatic},
    {"windows between passes", "staged", Exchange::pairwise, 3, Driver::between},
    {"windows by a thread", "staged", Exchange::pairwise, 4, Driver::thread},
    {"windows by a master", "staged", Exchange::collective, 3, Driver::master},
    {"in queues", "nccl", Exchange::pairwise, 1, Driver::automatic},
};

Options options_of(Way const& way) {
  Options options;
  options.device = Device::cuda;
  // Ranks on different nodes, as SIXSTEP_NODE_RANKS makes them, would take the same GPU, which NCCL
  // refuses.
  options.gpu = take_gpu(ranks::rank());
  options.exchange = way.exchange;
  options.windows = way.windows;
  options.driver = way.driver;
  return options;
}

/// An impulse has ones for its transform.
class Tried {
 public:
  Tried(Layout const& layout, Options const& options)
      : plan_(layout, MPI_COMM_WORLD, options), in_(plan_.allocate()), out_(plan_.allocate()) {
    std::vector<Complex> here(static_cast<std::size_t>(plan_.in_place_size()) + 1);
    for_each(plan_.input_box(), plan_.input_strides(), [&](Shape const& x, Index i) {
      here[static_cast<std::size_t>(i)] = is_origin(x) ? 1.0 : 0.0;
    });
    copy(Device::cuda, in_.get(), here.data(), here.size() * sizeof(Complex) - sizeof(Complex));
  }

  std::string message(bool is_async = false) {
    return message_of([&] {
      if (!is_async) return plan_.forward(in_.get(), out_.get());
      plan_.execute_async(in_.get(), out_.get());
      plan_.wait();
    });
  }
  void expect_ones() const {
    std::vector<Complex> here(static_cast<std::size_t>(plan_.output_size()) + 1);
    copy(Device::cuda, here.data(), out_.get(), here.size() * sizeof(Complex) - sizeof(Complex));
    for_each(plan_.output_box(), plan_.output_strides(), [&](Shape const&, Index i) {
      EXPECT_LT(std::abs(here[static_cast<std::size_t>(i)] - 1.0), 1e-12);
    });
  }
  std::string describe() const { return plan_.describe(); }

 private:
  static bool is_origin(Shape const& x) {
    for (int axis = 0; axis < x.size(); ++axis)
      if (x[axis] != 0) return false;
    return true;
  }

  Plan<double> plan_;
  std::shared_ptr<Complex[]> in_, out_;
};

class errors : public testing::TestWithParam<Way> {
 protected:
  /// Peers wait in their queues for a device that has failed for good.
  static bool exchanges_in_queue() { return GetParam().name == std::string("in queues"); }
  void SetUp() override {
    if (!plant()) GTEST_SKIP() << "a GPU";
    if (GetParam().messages) setenv("SIXSTEP_DEVICE_MESSAGES", GetParam().messages, 1);
    if (!device::cuda_backend(0).has_peers() && exchanges_in_queue()) GTEST_SKIP() << "no NCCL";
  }
  void TearDown() override {
    if (GetParam().messages) unsetenv("SIXSTEP_DEVICE_MESSAGES");
  }
};

Layout layout_of(Random& random) {
  std::vector<Shape> const shapes{{6, 5, 4}, {8, 12, 10}, {7, 11, 13}, {1, 9, 8}, {26, 30}, {1009}};
  return Layout::slab(shapes[random() % shapes.size()], ranks::count());
}

/// Plants a fault on one rank, executes, and expects what there must be. Returns whether the fault
/// came to pass.
bool expect_error(Way const& way, Fault const& fault, int number, int failing, Random& random) {
  std::string const what = text(way.name, ", ", fault.kind, " ", number, " of rank ", failing,
                                fault.is_sticky ? ", sticky" : "");
  auto tried = std::make_unique<Tried>(layout_of(random), options_of(way));
  EXPECT_EQ(tried->message(), "") << what;
  if (ranks::rank() == failing) plant()(fault.kind, number, fault.error, fault.is_sticky);
  std::vector<std::string> const messages = ranks::gather(tried->message());
  int left = 0;
  if (ranks::rank() == failing && !fault.is_sticky) left = plant()("", 0, 0, 0);
  std::string const& message = messages[0];
  bool const has_failed = !message.empty();
  for (std::string const& other : messages) EXPECT_EQ(other, message) << what;
  if (has_failed) {
    std::string const rank =
        ranks::count() > 1 ? text("(the device of rank ", failing, ")") : std::string();
    EXPECT_NE(message.find(rank), std::string::npos) << message;
    // Of two threads that find an error that stays, either may tell it first.
    bool const is_any_call = fault.is_sticky && way.driver == Driver::thread;
    std::string const reason =
        fault.error != cufft_failure ? text("error ", fault.error) : text("(6)");
    for (std::string const& part : {std::string(fault.call), reason})
      EXPECT_TRUE(is_any_call || message.find(part) != std::string::npos)
          << what << ": " << message;
  }
  if (has_failed && fault.is_sticky) {
    // All later calls fail, too.
    std::vector<std::string> const again = ranks::gather(tried->message());
    for (std::string const& other : again) {
      EXPECT_NE(other, "") << what;
      EXPECT_EQ(other, again[0]) << what;
    }
    tried.reset();
  }
  if (ranks::rank() == failing && fault.is_sticky) left = plant()("", 0, 0, 0);
  bool const is_left = ranks::largest(left) > 0;
  EXPECT_NE(is_left, has_failed) << what;
  if (tried) {
    EXPECT_EQ(tried->message(), "") << what;
    tried->expect_ones();
  }
  return has_failed;
}

TEST_P(errors, are_thrown_on_every_rank) {
  Random random(5);
  for (Fault const& fault : faults) {
    if (fault.is_sticky && exchanges_in_queue() && ranks::count() > 1) continue;
    int came = 0;
    for (int round = 0; round < 8; ++round) {
      int const number = 1 + (round < 5 ? round % 3 : static_cast<int>(random() % 30));
      came +=
          expect_error(GetParam(), fault, number,
                       static_cast<int>(random() % static_cast<unsigned>(ranks::count())), random);
      if (testing::Test::HasFailure()) return;
    }
    std::string const kind = fault.kind;
    bool const may_lack = ranks::count() == 1 || kind == "query" || kind == "copy";
    EXPECT_TRUE(came > 0 || may_lack) << kind;
  }
}

/// An execution that has returned early reports the error when somebody waits.
TEST_P(errors, are_thrown_by_waits) {
  if (exchanges_in_queue() && ranks::count() > 1) GTEST_SKIP();
  Tried tried(Layout::slab({8, 12, 10}, ranks::count()), options_of(GetParam()));
  for (int failing = 0; failing < ranks::count(); ++failing) {
    if (ranks::rank() == failing) plant()("work", 1, illegal_address, 1);
    std::string const message = tried.message(true);
    if (ranks::rank() == failing) {
      EXPECT_NE(message.find("cuda: "), std::string::npos) << message;
    }
    std::vector<std::string> const again = ranks::gather(tried.message());
    for (std::string const& other : again) {
      EXPECT_NE(other, "");
      EXPECT_EQ(other, again[0]);
    }
    if (ranks::rank() == failing) plant()("", 0, 0, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(tried.message(true), "");
    tried.expect_ones();
  }
}

INSTANTIATE_TEST_SUITE_P(all, errors, testing::ValuesIn(ways), [](auto const& way) {
  std::string name = way.param.name;
  for (char& letter : name)
    if (letter < 'a' || letter > 'z') letter = '_';
  return name;
});

}  // namespace
}  // namespace sixstep
