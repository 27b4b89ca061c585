// SPDX-License-Identifier: BSD-3-Clause
// main() of every test that runs on several ranks.
//
// Rank 0 reports as GoogleTest does; the others report failures only, each line with the rank. The
// exit code is the same on all ranks: a test that fails on one rank fails the run. The number of
// ranks is checked against SIXSTEP_TEST_RANKS, because an mpiexec that belongs to another MPI would
// start so many runs of one rank each, and all of them might pass.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace {

class FailuresWithRank : public testing::EmptyTestEventListener {
 public:
  explicit FailuresWithRank(int rank) : rank_(rank) {}

  void OnTestPartResult(testing::TestPartResult const& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "[rank %d] %s:%d: %s\n", rank_,
                 result.file_name() ? result.file_name() : "?", result.line_number(),
                 result.message());
    std::fflush(stderr);
  }
  void OnTestEnd(testing::TestInfo const& info) override {
    if (!info.result()->Failed()) return;
    std::fprintf(stderr, "[rank %d] FAILED %s.%s\n", rank_, info.test_suite_name(), info.name());
    std::fflush(stderr);
  }

 private:
  int rank_;
};

// 0 if the run has as many ranks as the test asks for, and any tests at all.
int check_run(int rank, int ranks) {
  char const* wanted = std::getenv("SIXSTEP_TEST_RANKS");
  if (wanted && std::to_string(ranks) != wanted) {
    std::fprintf(stderr, "[rank %d] this run has %d ranks, the test needs %s\n", rank, ranks,
                 wanted);
    return 1;
  }
  if (testing::UnitTest::GetInstance()->test_to_run_count() == 0) {
    std::fprintf(stderr, "[rank %d] there is no test to run\n", rank);
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  bool const one_thread = std::getenv("SIXSTEP_TEST_ONE_THREAD") != nullptr;
  MPI_Init_thread(&argc, &argv, one_thread ? MPI_THREAD_FUNNELED : MPI_THREAD_MULTIPLE, &provided);
  testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  if (rank != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(std::make_unique<FailuresWithRank>(rank).release());
  }

  int failed = RUN_ALL_TESTS();
  failed |= check_run(rank, ranks);
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
