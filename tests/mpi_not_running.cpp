// SPDX-License-Identifier: BSD-3-Clause
// What is asked for before MPI_Init and after MPI_Finalize is refused, in C++ and in C; plans that
// are left over are destroyed.
#include <mpi.h>
#include <sixstep.h>

#include <complex>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sixstep/sixstep.hpp"

namespace {

using namespace sixstep;

int failures = 0;

void expect(std::string const& what, std::string const& found, std::string const& wanted) {
  if (found.find(wanted) != std::string::npos) return;
  std::printf("FAILED: %s: '%s' should say '%s'\n", what.c_str(), found.c_str(), wanted.c_str());
  ++failures;
}

template <class Action>
std::string message_of(Action const& action) {
  try {
    action();
  } catch (Error const& error) {
    return error.what();
  }
  return "nothing";
}

/// All collective calls by which something is made, and what each should say.
void expect_refusals(std::string const& wanted) {
  Layout const layout = Layout::slab({4, 4}, 1);
  auto const refused = [&](char const* what, auto const& action) {
    expect(what, message_of(action), "comm: MPI must be running" + wanted);
  };
  std::vector<double> array(16);
  for (MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    refused("plan", [&] { Plan<double>(layout, comm); });
    refused("tuned layout", [&] { Plan<float>::tuned_layout({4, 4}, comm); });
    refused("redistribution", [&] { Redistribution<int>(layout, layout, comm); });
    refused("ranks", [&] { Ranks{comm}; });
    refused("gather_boxes", [&] { gather_boxes({4, 4}, layout.box(0), comm); });
    refused("save", [&] {
      save_npy("/nonexistent/x.npy", layout, comm, array.data(), ElementType::float64);
    });
    refused("load", [&] {
      load_npy("/nonexistent/x.npy", layout, comm, array.data(), ElementType::float64);
    });
  }
  int64_t const shape[1] = {16};
  sixstep_layout* made = nullptr;
  sixstep_plan* plan = nullptr;
  sixstep_layout_slab(1, shape, 1, 0, &made);
  int const code =
      sixstep_plan_create(SIXSTEP_DOUBLE, made, nullptr, MPI_COMM_WORLD, nullptr, &plan);
  expect("C", code == SIXSTEP_OK ? "nothing" : sixstep_error_message(),
         "comm: MPI must be running");
  sixstep_layout_free(made);
}

}  // namespace

int main(int argc, char** argv) {
  expect_refusals("; call MPI_Init first");
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Layout const layout = Layout::slab({8, 8}, ranks);
  std::vector<std::optional<Plan<double>>> plans(5);
  std::vector<std::complex<double>> array(64, 1);
  std::size_t i = 0;
  for (Exchange exchange : all_exchanges) {
    plans[i].emplace(layout, layout, MPI_COMM_WORLD, Options{.exchange = exchange, .threads = 1});
    plans[i++]->forward(array.data(), array.data());
  }
  Ranks const kept(MPI_COMM_WORLD);
  std::optional<Redistribution<int>> moves;
  moves.emplace(layout, layout, MPI_COMM_WORLD);
  std::shared_ptr<void> const memory = kept.allocate(layout, 1, true);
  MPI_Finalize();
  expect_refusals(", MPI_Finalize has been called");
  for (auto& plan : plans) {
    if (ranks > 1)
      expect("execution", message_of([&] { plan->forward(array.data(), array.data()); }),
             "plan: MPI must be running, MPI_Finalize has been called");
    plan.reset();
  }
  expect("allocation", message_of([&] { kept.allocate(layout, 1, false); }), "MPI must be running");
  double value = 0;
  expect("sum", message_of([&] { kept.sum(std::span(&value, 1)); }), "MPI must be running");
  moves.reset();
  return failures;
}
