// SPDX-License-Identifier: BSD-3-Clause
// What is transformed to see how exchanges hide, and by which names.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "node/cases.hpp"
#include "sixstep/sixstep.hpp"

namespace sixstep::bench::overlap {

using node::Case;
using node::Output;

template <class Value>
using Names = std::vector<std::pair<std::string, Value>>;

template <class Value>
std::vector<std::string> names_of(Names<Value> const& list) {
  std::vector<std::string> names;
  for (auto const& [name, value] : list) names.push_back(name);
  return names;
}

template <class Value>
Value named(Names<Value> const& list, std::string const& name) {
  auto const same = [&](auto const& each) { return each.first == name; };
  return std::find_if(list.begin(), list.end(), same)->second;
}

inline Names<Driver> const drivers = {{"automatic", Driver::automatic},
                                      {"between", Driver::between},
                                      {"master", Driver::master},
                                      {"pipelines", Driver::pipelines},
                                      {"thread", Driver::thread}};
inline Names<Exchange> const exchanges = {{"shared", Exchange::shared},
                                          {"collective", Exchange::collective},
                                          {"pairwise", Exchange::pairwise}};
inline Names<int> const levels = {{"single", MPI_THREAD_SINGLE},
                                  {"funneled", MPI_THREAD_FUNNELED},
                                  {"serialized", MPI_THREAD_SERIALIZED},
                                  {"multiple", MPI_THREAD_MULTIPLE}};

/// A case, how its input is split, and its limit: so many all-to-alls one after another, of pencils
/// in both directions of the grid.
struct Job {
  Case field;
  bool pencils;
  int all_to_alls;
};

inline std::vector<Job> const& jobs() {
  auto const line = [](int power) {
    Index const n = Index{1} << power;
    return Job{
        {.name = text("2^", power), .shape = {1, 1, n}, .output = Output::natural}, false, 3};
  };
  auto const cube = [](Index n, std::string const& split, Output output) {
    bool const natural = output == Output::natural;
    std::string const name = text(n, "^3-", split, natural ? "-natural" : "");
    return Job{
        {.name = name, .shape = {n, n, n}, .output = output}, split == "pencils", natural ? 2 : 1};
  };
  static std::vector<Job> const all = {line(20),
                                       line(22),
                                       cube(128, "pencils", Output::transposed),
                                       cube(128, "slabs", Output::transposed),
                                       cube(128, "pencils", Output::natural),
                                       cube(128, "slabs", Output::natural),
                                       line(18),
                                       cube(64, "pencils", Output::transposed),
                                       cube(64, "slabs", Output::transposed)};
  return all;
}

struct Arguments {
  std::vector<std::string> cases = {"2^20", "2^22", "128^3-pencils", "128^3-slabs"};
  std::vector<std::string> drivers = names_of(overlap::drivers);
  std::vector<std::string> exchanges = names_of(overlap::exchanges);
  std::vector<double> ratios = {0.5, 0.7, 1};
  std::vector<int> windows = {16};
  int threads = 2;
  int rounds = 3;
  double planning_s = 5;
  std::string level = "multiple";
  std::string json;
};

}  // namespace sixstep::bench::overlap
