// SPDX-License-Identifier: BSD-3-Clause
// The way through which every call of the C interface goes: exceptions become codes, and words are
// kept; pointers and numbers are looked at before C++ sees them.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "layout/counting.hpp"
#include "sixstep.h"
#include "sixstep/error.hpp"
#include "sixstep/layout.hpp"

namespace sixstep::c {

/// The code of the exception that is being handled, whose words are kept for this thread.
int code_of_current_exception() noexcept;

/// Does `work` and returns SIXSTEP_OK, or the code of what it throws.
template <class Work>
int guarded(Work const& work) noexcept {
  try {
    work();
    return SIXSTEP_OK;
  } catch (...) {
    return code_of_current_exception();
  }
}

/// The same, with messages that count as whoever made `handle` does; it may be null.
template <class Handle, class Work>
int guarded(Handle const* handle, Work const& work) noexcept {
  CountAs const as_its_maker(handle == nullptr ? counting() : handle->counts);
  return guarded(work);
}

/// What a pointer points to. Errors: it is null.
template <class T>
T& given(T* pointer, char const* name) {
  require(pointer != nullptr, name, ": a pointer is needed, NULL was given");
  return *pointer;
}

/// The entries of an array, one an axis. Errors: it is null; more than there may be axes.
template <class T>
auto per_axis(int axes, T const* values, char const* name) {
  require(axes >= 0 && axes <= max_axes, "axes: 1 to ", max_axes, " are possible, ", axes,
          " were given");
  require(axes == 0 || values != nullptr, name, ": ", axes, " entries are needed, NULL was given");
  PerAxis<T> made;
  for (int axis = 0; axis < axes; ++axis) made.push_back(values[axis]);
  return made;
}

/// The same, where NULL means none.
template <class T>
auto per_axis_or_none(int axes, T const* values, char const* name) {
  return values == nullptr ? PerAxis<T>() : per_axis(axes, values, name);
}

/// A number as the enumeration that it stands for. Errors: `most` is the last one.
template <class Enum>
Enum enumerated(int value, Enum most, char const* name) {
  require(value >= 0 && value <= static_cast<int>(most), name, ": 0 to ", static_cast<int>(most),
          " are possible, ", value, " was given");
  return static_cast<Enum>(value);
}

/// Writes where a result is wanted.
template <class T>
void put(T* where, std::type_identity_t<T> const& value) {
  if (where != nullptr) *where = value;
}

/// A new handle, which is its user's from now on.
template <class Handle, class... Parts>
void hand_out(Handle** where, Parts&&... parts) {
  *where = new Handle{std::forward<Parts>(parts)...};
}

/// Keeps memory until sixstep_free() has its address.
void* lend(std::shared_ptr<void> memory);

}  // namespace sixstep::c
