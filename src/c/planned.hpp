// SPDX-License-Identifier: BSD-3-Clause
// The calls that plans, operators and maps share, for handles of any of them.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "c/guarded.hpp"
#include "c/handles.hpp"
#include "sixstep/options.hpp"

namespace sixstep::c {

inline bool has_r2c(Options const& options) {
  return std::find(options.kinds.begin(), options.kinds.end(), Kind::r2c) != options.kinds.end();
}

inline bool is_real_to_real(Options const& options) {
  return !options.kinds.empty() &&
         std::all_of(options.kinds.begin(), options.kinds.end(), [](Kind k) { return is_r2r(k); });
}

/// A plan or what is made of plans, of this precision.
template <template <class> class Made, class... Arguments>
Either<Made> made(int precision, Arguments const&... arguments) {
  if (precision == SIXSTEP_DOUBLE) return std::make_shared<Made<double>>(arguments...);
  return std::make_shared<Made<float>>(arguments...);
}

/// Calls use() with what is behind a handle, in its precision. std::visit would compile longer.
template <class Handle, class Use>
decltype(auto) with(Handle* handle, Use const& use) {
  auto const& made = given(handle, Handle::name).made;
  if (auto const* const twice = std::get_if<0>(&made)) return use(**twice);
  return use(**std::get_if<1>(&made));
}

template <class Handle>
int input(Handle const* handle, sixstep_layout** layout) {
  return guarded(handle, [&] {
    given(layout, "layout");
    hand_out(layout, with(handle, [](auto& of) { return of.input(); }));
  });
}

template <class Handle>
int output(Handle const* handle, sixstep_layout** layout) {
  return guarded(handle, [&] {
    given(layout, "layout");
    hand_out(layout, with(handle, [](auto& of) { return of.output(); }));
  });
}

template <class Handle>
int input_part(Handle const* handle, sixstep_part* part) {
  return guarded(handle, [&] {
    given(part, "part") = with(
        handle, [&](auto& of) { return part_of(of.input(), handle->rank, of.input_strides()); });
  });
}

template <class Handle>
int output_part(Handle const* handle, sixstep_part* part) {
  return guarded(handle, [&] {
    given(part, "part") = with(
        handle, [&](auto& of) { return part_of(of.output(), handle->rank, of.output_strides()); });
  });
}

template <class Handle>
int sizes(Handle const* handle, int64_t* input, int64_t* output, int64_t* in_place) {
  return guarded(handle, [&] {
    with(handle, [&](auto& of) {
      put(input, of.input_size());
      put(output, of.output_size());
      put(in_place, of.in_place_size());
    });
  });
}

template <class Handle>
int element_bytes(Handle const* handle, size_t* input, size_t* output) {
  return guarded(handle, [&] {
    std::size_t const real = with(handle, []<template <class> class Made, class Real>(
                                              Made<Real> const&) { return sizeof(Real); });
    put(input, handle->real_input ? real : 2 * real);
    put(output, handle->real_output ? real : 2 * real);
  });
}

template <class Handle>
int allocate(Handle* handle, void** array) {
  return guarded(handle, [&] {
    given(handle, Handle::name);
    given(array, "array");
    *array = with(handle, [](auto& of) { return lend(of.allocate()); });
  });
}

template <class Handle>
int workspace_bytes(Handle const* handle, size_t* bytes) {
  return guarded(handle, [&] {
    given(bytes, "bytes") = with(handle, [](auto& of) { return of.workspace_bytes(); });
  });
}

template <class Handle>
int set_workspace(Handle* handle, void* memory, size_t bytes) {
  return guarded(handle, [&] { with(handle, [&](auto& of) { of.set_workspace(memory, bytes); }); });
}

template <class Handle>
int describe(Handle* handle, char const** words) {
  return guarded(handle, [&] {
    given(words, "words");
    handle->words = with(handle, [](auto& of) { return of.describe(); });
    *words = handle->words.c_str();
  });
}

template <class Handle>
int counts(Handle const* handle, int* passes, int* exchanges, int* threads) {
  return guarded(handle, [&] {
    with(handle, [&](auto& of) {
      put(passes, of.passes());
      put(exchanges, of.exchanges());
      put(threads, of.threads());
    });
  });
}

template <class Handle>
int communication_seconds(Handle const* handle, double* seconds) {
  return guarded(handle, [&] {
    given(seconds, "seconds") = with(handle, [](auto& of) { return of.communication_seconds(); });
  });
}

/// Keeps the parts in the handle.
template <class Handle>
void keep_steps(Handle& handle, std::vector<Part> parts) {
  handle.parts = std::move(parts);
  handle.steps.clear();
  for (Part const& part : handle.parts)
    handle.steps.push_back({part.what.c_str(), part.seconds, part.bytes});
}

/// Keeps the parts that breakdown(plan) returns, and tells where they are.
template <class Handle, class Breakdown>
void tell_steps(Handle* handle, Breakdown const& breakdown, int* steps_count,
                sixstep_step const** steps) {
  given(steps_count, "steps_count");
  given(steps, "steps");
  keep_steps(given(handle, Handle::name), with(handle, breakdown));
  *steps_count = static_cast<int>(handle->steps.size());
  *steps = handle->steps.data();
}

/// The steps of what has one direction only.
template <class Handle>
int breakdown(Handle* handle, int* steps_count, sixstep_step const** steps) {
  return guarded(handle, [&] {
    tell_steps(
        handle, [](auto& of) { return of.breakdown(); }, steps_count, steps);
  });
}

template <class Handle>
int predict(Handle* handle, char const* machine_file, sixstep_prediction* prediction) {
  return guarded(handle, [&] {
    given(prediction, "prediction");
    Prediction made = with(
        handle, [&](auto& of) { return of.predict(machine_file == nullptr ? "" : machine_file); });
    keep_steps(*handle, std::move(made.steps));
    *prediction = {made.seconds, made.communication, made.computation,
                   static_cast<int>(handle->steps.size()), handle->steps.data()};
  });
}

/// Writes findings to the places that are given.
inline void tell_verified(Verified const& so_far, int64_t* checked, int64_t* unchecked,
                          int64_t* repaired, int64_t* compared, double* largest_share) {
  given(checked, "checked") = so_far.checked;
  given(unchecked, "unchecked") = so_far.unchecked;
  given(repaired, "repaired") = so_far.repaired;
  given(compared, "compared") = so_far.compared;
  given(largest_share, "largest_share") = so_far.largest_share;
}

/// Calls a function of C; null: calls nobody.
inline std::function<void(Detection const&)> told_of(sixstep_detection_function* function,
                                                     void* context) {
  if (function == nullptr) return {};
  return [function, context](Detection const& found) {
    sixstep_detection const shown{static_cast<int>(found.direction),
                                  found.repaired ? 1 : 0,
                                  found.rank,
                                  found.where.c_str(),
                                  found.difference,
                                  found.bound};
    function(context, &shown);
  };
}

template <class Handle>
int verified(Handle const* handle, int64_t* checked, int64_t* unchecked, int64_t* repaired,
             int64_t* compared, double* largest_share) {
  return guarded(handle, [&] {
    tell_verified(with(handle, [](auto& of) { return of.verified(); }), checked, unchecked,
                  repaired, compared, largest_share);
  });
}

template <class Handle>
int on_detection(Handle* handle, sixstep_detection_function* function, void* context) {
  return guarded(handle, [&] {
    with(handle, [&](auto& of) { of.on_detection(told_of(function, context)); });
  });
}

template <class Handle>
int write_trace(Handle* handle) {
  return guarded(handle, [&] { with(handle, [](auto& of) { of.write_trace(); }); });
}

}  // namespace sixstep::c

/// The calls of handles of one kind that only hand on what they are given.
#define SIXSTEP_CALLS_OF_PLANNED(handle)                                                       \
  int handle##_input(handle const* of, sixstep_layout** layout) {                              \
    return sixstep::c::input(of, layout);                                                      \
  }                                                                                            \
  int handle##_output(handle const* of, sixstep_layout** layout) {                             \
    return sixstep::c::output(of, layout);                                                     \
  }                                                                                            \
  int handle##_input_part(handle const* of, sixstep_part* part) {                              \
    return sixstep::c::input_part(of, part);                                                   \
  }                                                                                            \
  int handle##_output_part(handle const* of, sixstep_part* part) {                             \
    return sixstep::c::output_part(of, part);                                                  \
  }                                                                                            \
  int handle##_sizes(handle const* of, int64_t* input, int64_t* output, int64_t* in_place) {   \
    return sixstep::c::sizes(of, input, output, in_place);                                     \
  }                                                                                            \
  int handle##_element_bytes(handle const* of, size_t* input, size_t* output) {                \
    return sixstep::c::element_bytes(of, input, output);                                       \
  }                                                                                            \
  int handle##_allocate(handle* of, void** array) { return sixstep::c::allocate(of, array); }  \
  int handle##_workspace_bytes(handle const* of, size_t* bytes) {                              \
    return sixstep::c::workspace_bytes(of, bytes);                                             \
  }                                                                                            \
  int handle##_set_workspace(handle* of, void* memory, size_t bytes) {                         \
    return sixstep::c::set_workspace(of, memory, bytes);                                       \
  }                                                                                            \
  int handle##_describe(handle* of, char const** words) {                                      \
    return sixstep::c::describe(of, words);                                                    \
  }                                                                                            \
  int handle##_counts(handle const* of, int* passes, int* exchanges, int* threads) {           \
    return sixstep::c::counts(of, passes, exchanges, threads);                                 \
  }                                                                                            \
  int handle##_communication_seconds(handle const* of, double* seconds) {                      \
    return sixstep::c::communication_seconds(of, seconds);                                     \
  }                                                                                            \
  int handle##_predict(handle* of, char const* machine_file, sixstep_prediction* prediction) { \
    return sixstep::c::predict(of, machine_file, prediction);                                  \
  }                                                                                            \
  int handle##_write_trace(handle* of) { return sixstep::c::write_trace(of); }
