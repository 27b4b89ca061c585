// SPDX-License-Identifier: BSD-3-Clause
// Wraps every call of the C interface: exceptions become codes, and their messages are kept. Checks
// pointers and numbers before C++ code uses them.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "layout/counting.hpp"
#include "sixstep.h"
#include "sixstep/error.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/named.hpp"

namespace sixstep::c {

/// The code of the exception that is being handled. Its message is kept for this thread.
int code_of_current_exception() noexcept;

/// Calls work() and returns SIXSTEP_OK, or the code of what it throws.
template <class Work>
int guarded(Work const& work) noexcept {
  try {
    work();
    return SIXSTEP_OK;
  } catch (...) {
    return code_of_current_exception();
  }
}

/// Does what guarded(work) does, but messages count axes as the maker of `handle` does. `handle`
/// may be null.
template <class Handle, class Work>
int guarded(Handle const* handle, Work const& work) noexcept {
  CountAs const as_its_maker(handle == nullptr ? counting() : handle->counts);
  return guarded(work);
}

/// The object that a pointer points to. Throws Error if it is null.
template <class T>
T& given(T* pointer, char const* name) {
  require(pointer != nullptr, name, ": a pointer is needed, NULL was given");
  return *pointer;
}

/// An array with one entry for each axis. Throws Error if it is null or `axes` is too large.
template <class T>
auto per_axis(int axes, T const* values, char const* name) {
  require(axes >= 0 && axes <= max_axes, "axes: 1 to ", max_axes, " are possible, ", axes,
          " were given");
  require(axes == 0 || values != nullptr, name, ": ", axes, " entries are needed, NULL was given");
  PerAxis<T> made;
  for (int axis = 0; axis < axes; ++axis) made.push_back(values[axis]);
  return made;
}

/// Does what per_axis() does, but NULL means an empty result.
template <class T>
auto per_axis_or_none(int axes, T const* values, char const* name) {
  return values == nullptr ? PerAxis<T>() : per_axis(axes, values, name);
}

/// A number as a member of an enumeration whose last member is `most`. Throws Error if there is no
/// such member.
template <class Enum>
Enum enumerated(int value, Enum most, char const* name) {
  require(value >= 0 && value <= static_cast<int>(most), name, ": 0 to ", static_cast<int>(most),
          " are possible, ", value, " was given");
  return static_cast<Enum>(value);
}

template <Named Enum>
Enum enumerated(int value, char const* name) {
  return enumerated(value, all_values<Enum>.back(), name);
}

/// Writes the result unless `where` is null.
template <class T>
void put(T* where, std::type_identity_t<T> const& value) {
  if (where != nullptr) *where = value;
}

/// Makes a new handle, which the user then owns.
template <class Handle, class... Parts>
void hand_out(Handle** where, Parts&&... parts) {
  *where = new Handle{std::forward<Parts>(parts)...};
}

/// Keeps `memory` until sixstep_free() is called with its address.
void* lend(std::shared_ptr<void> memory);

}  // namespace sixstep::c
