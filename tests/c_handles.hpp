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
  int (*sizes)(Handle const*, int64_t*, int64_t*, int64_t*) = nullptr;
  int (*element_bytes)(Handle const*, std::size_t*, std::size_t*) = nullptr;
  int (*input_part)(Handle const*, sixstep_part*) = nullptr;
  int (*output_part)(Handle const*, sixstep_part*) = nullptr;
  int (*input)(Handle const*, sixstep_layout**) = nullptr;
  int (*output)(Handle const*, sixstep_layout**) = nullptr;
  int (*allocate)(Handle*, void**) = nullptr;
  int (*describe)(Handle*, char const**) = nullptr;
  int (*counts)(Handle const*, int*, int*, int*) = nullptr;
  int (*workspace_bytes)(Handle const*, std::size_t*) = nullptr;
  int (*set_workspace)(Handle*, void*, std::size_t) = nullptr;
  int (*apply)(Handle*, void const*, void*) = nullptr;
  int (*breakdown)(Handle*, int*, sixstep_step const**) = nullptr;
  int (*communication_seconds)(Handle const*, double*) = nullptr;
  int (*predict)(Handle*, char const*, sixstep_prediction*) = nullptr;
  int (*write_trace)(Handle*) = nullptr;
  int (*verified)(Handle const*, int64_t*, int64_t*, int64_t*, int64_t*, double*) = nullptr;
  int (*on_detection)(Handle*, sixstep_detection_function*, void*) = nullptr;
};
#define SIXSTEP_CALLS_OF(name)                                  \
  inline Calls<name> calls_of(name const*) {                    \
    return {name##_sizes,         name##_element_bytes,         \
            name##_input_part,    name##_output_part,           \
            name##_input,         name##_output,                \
            name##_allocate,      name##_describe,              \
            name##_counts,        name##_workspace_bytes,       \
            name##_set_workspace, name##_apply,                 \
            name##_breakdown,     name##_communication_seconds, \
            name##_predict,       name##_write_trace,           \
            name##_verified,      name##_on_detection};         \
  }
SIXSTEP_CALLS_OF(sixstep_operator)
SIXSTEP_CALLS_OF(sixstep_map)
SIXSTEP_CALLS_OF(sixstep_convolution)
#undef SIXSTEP_CALLS_OF

/// The calls that handles of some kind share, without a handle.
template <class Handle>
void expect_null_is_refused() {
  Handle* const none = nullptr;
  Calls<Handle> const calls = calls_of(none);
  sixstep_part part;
  std::int64_t size = 0;
  std::size_t bytes = 0;
  int count = 0;
  double real = 0;
  void* array = nullptr;
  char const* words = nullptr;
  sixstep_layout* layout = nullptr;
  sixstep_step const* steps = nullptr;
  sixstep_prediction prediction;
  expect_null_is_refused(
      {[&] { return calls.sizes(none, &size, &size, &size); },
       [&] { return calls.element_bytes(none, &bytes, &bytes); },
       [&] { return calls.input_part(none, &part); },
       [&] { return calls.output_part(none, &part); }, [&] { return calls.input(none, &layout); },
       [&] { return calls.output(none, &layout); }, [&] { return calls.allocate(none, &array); },
       [&] { return calls.describe(none, &words); },
       [&] { return calls.counts(none, &count, &count, &count); },
       [&] { return calls.workspace_bytes(none, &bytes); },
       [&] { return calls.set_workspace(none, &real, 8); },
       [&] { return calls.apply(none, &real, &real); },
       [&] { return calls.breakdown(none, &count, &steps); },
       [&] { return calls.communication_seconds(none, &real); },
       [&] { return calls.predict(none, "machine.json", &prediction); },
       [&] { return calls.write_trace(none); },
       [&] { return calls.verified(none, &size, &size, &size, &size, &real); },
       [&] { return calls.on_detection(none, nullptr, nullptr); }});
}

/// Whether a handle without a workspace tells what the object of C++ does, and works in one.
template <class Handle, class Theirs>
void expect_tells(Handle* handle, Theirs& theirs) {
  Calls<Handle> const calls = calls_of(handle);
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
  ASSERT_EQ(calls.verified(handle, &in, &out, &in_place, &in_place, &seconds), SIXSTEP_OK);
  EXPECT_EQ(in + out + in_place, 0) << "nothing is verified";
  EXPECT_EQ(calls.on_detection(handle, nullptr, nullptr), SIXSTEP_OK);
  machines::MachineFile const file(machines::made_up());
  sixstep_prediction prediction{};
  ASSERT_EQ(calls.predict(handle, file.name().c_str(), &prediction), SIXSTEP_OK);
  EXPECT_EQ(prediction.seconds, theirs.predict(file.name()).seconds);
  EXPECT_EQ(calls.write_trace(handle), SIXSTEP_ERROR_ARGUMENT);
}

}  // namespace sixstep::c_handles
