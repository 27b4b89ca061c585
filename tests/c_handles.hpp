// SPDX-License-Identifier: BSD-3-Clause
// What the tests of the C interface share: handles that free themselves, and what each call of some
// kind must do.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "machines.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "sixstep.h"
#include "sixstep/options.hpp"
#include "sixstep/plan.hpp"

namespace sixstep::c_handles {

inline int all() { return ranks::count(); }

struct Free {
  void operator()(sixstep_layout* layout) const { sixstep_layout_free(layout); }
  void operator()(sixstep_plan* plan) const { sixstep_plan_free(plan); }
  void operator()(sixstep_redistribution* moves) const { sixstep_redistribution_free(moves); }
  void operator()(sixstep_symbol* symbol) const { sixstep_symbol_free(symbol); }
  void operator()(sixstep_operator* op) const { sixstep_operator_free(op); }
  void operator()(sixstep_map* map) const { sixstep_map_free(map); }
  void operator()(sixstep_poisson* poisson) const { sixstep_poisson_free(poisson); }
  void operator()(sixstep_convolution* convolution) const { sixstep_convolution_free(convolution); }
};
template <class Handle>
using Owned = std::unique_ptr<Handle, Free>;

/// The handle that create(args..., &handle) makes.
template <class Handle, class Create, class... Args>
Owned<Handle> made(Create create, Args... args) {
  Handle* handle = nullptr;
  EXPECT_EQ(create(args..., &handle), SIXSTEP_OK) << sixstep_error_message();
  return Owned<Handle>(handle);
}

/// Options with these kinds along these axes.
inline sixstep_options with_kinds(std::vector<int> const& kinds,
                                  std::vector<int> const& axes = {}) {
  sixstep_options options = SIXSTEP_OPTIONS;
  options.kinds_count = static_cast<int>(kinds.size());
  std::copy(kinds.begin(), kinds.end(), options.kinds);
  options.axes_count = static_cast<int>(axes.size());
  std::copy(axes.begin(), axes.end(), options.axes);
  return options;
}

/// Calls visit(point, offset) for each element that a rank holds.
template <class Visit>
void for_each_element(sixstep_part const& part, Visit const& visit) {
  Box box;
  for (int axis = 0; axis < part.axes; ++axis)
    box.ranges.push_back({part.lo[axis], part.hi[axis], part.step[axis]});
  oracle::for_each_point(box, [&](Shape const& point) {
    Index offset = part.offset;
    for (int axis = 0; axis < part.axes; ++axis)
      offset += (point[axis] - part.lo[axis]) / part.step[axis] * part.stride[axis];
    visit(point, offset);
  });
}

inline std::vector<std::string> words_of(int count, sixstep_step const* steps) {
  std::vector<std::string> words;
  for (int i = 0; i < count; ++i) words.push_back(steps[i].what);
  return words;
}
inline std::vector<std::string> words_of(std::vector<Part> const& steps) {
  std::vector<std::string> words;
  for (Part const& step : steps) words.push_back(step.what);
  return words;
}

/// Each call must return that an argument is wrong, and name the null pointer.
inline void expect_null_is_refused(std::vector<std::function<int()>> const& calls) {
  for (std::size_t i = 0; i < calls.size(); ++i) {
    EXPECT_EQ(calls[i](), SIXSTEP_ERROR_ARGUMENT) << "call " << i;
    EXPECT_NE(std::string(sixstep_error_message()).find("NULL was given"), std::string::npos)
        << "call " << i << ": " << sixstep_error_message();
  }
}

/// The calls that operators, maps and convolutions share.
template <class Handle>
struct Calls {
  int (*sizes)(Handle const*, int64_t*, int64_t*, int64_t*);
  int (*describe)(Handle*, char const**);
  int (*counts)(Handle const*, int*, int*, int*);
  int (*workspace_bytes)(Handle const*, std::size_t*);
  int (*set_workspace)(Handle*, void*, std::size_t);
  int (*apply)(Handle*, void const*, void*);
  int (*breakdown)(Handle*, int*, sixstep_step const**);
  int (*communication_seconds)(Handle const*, double*);
  int (*predict)(Handle*, char const*, sixstep_prediction*);
  int (*write_trace)(Handle*);
};

/// Whether a handle without a workspace tells what the object of C++ does, and works in one.
template <class Handle, class Theirs>
void expect_tells(Handle* handle, Theirs& theirs, Calls<Handle> const& calls) {
  char const* words = nullptr;
  ASSERT_EQ(calls.describe(handle, &words), SIXSTEP_OK);
  EXPECT_EQ(words, theirs.describe());
  int passes = 0, exchanges = 0, threads = 0, count = 0;
  ASSERT_EQ(calls.counts(handle, &passes, &exchanges, &threads), SIXSTEP_OK);
  EXPECT_EQ(passes, theirs.passes());
  EXPECT_EQ(exchanges, theirs.exchanges());
  EXPECT_EQ(threads, theirs.threads());
  std::int64_t in = 0, out = 0, in_place = 0;
  ASSERT_EQ(calls.sizes(handle, &in, &out, &in_place), SIXSTEP_OK);
  EXPECT_EQ(in, theirs.input_size());
  EXPECT_EQ(out, theirs.output_size());
  EXPECT_EQ(in_place, theirs.in_place_size());

  std::vector<std::complex<double>> array(oracle::at(in_place));
  std::size_t bytes = 0;
  ASSERT_EQ(calls.workspace_bytes(handle, &bytes), SIXSTEP_OK);
  EXPECT_EQ(bytes, theirs.workspace_bytes());
  std::vector<std::complex<double>> work(bytes / 16 + 8);
  auto const address = (reinterpret_cast<std::uintptr_t>(work.data()) + 63) / 64 * 64;
  ASSERT_EQ(calls.set_workspace(handle, reinterpret_cast<void*>(address), bytes), SIXSTEP_OK);
  ASSERT_EQ(calls.apply(handle, array.data(), array.data()), SIXSTEP_OK) << sixstep_error_message();

  sixstep_step const* steps = nullptr;
  ASSERT_EQ(calls.breakdown(handle, &count, &steps), SIXSTEP_OK);
  EXPECT_EQ(words_of(count, steps), words_of(theirs.breakdown()));
  double seconds = -1;
  ASSERT_EQ(calls.communication_seconds(handle, &seconds), SIXSTEP_OK);
  EXPECT_GE(seconds, 0);
  machines::MachineFile const file(machines::made_up());
  sixstep_prediction prediction{};
  ASSERT_EQ(calls.predict(handle, file.name().c_str(), &prediction), SIXSTEP_OK);
  EXPECT_EQ(prediction.seconds, theirs.predict(file.name()).seconds);
  EXPECT_EQ(calls.write_trace(handle), SIXSTEP_ERROR_ARGUMENT);
}

}  // namespace sixstep::c_handles
