// SPDX-License-Identifier: BSD-3-Clause
// Sides: the form of a rank's array on one side of a plan, and the arrays that users pass for it.
#pragma once

#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core.hpp"
#include "sixstep/options.hpp"

namespace sixstep::python {

/// The type, shape and strides, in NumPy's terms, of a rank's array on one side of a plan.
struct Side {
  bool is_complex = true;
  bool is_single = false;
  Device device = Device::none;
  std::vector<std::size_t> shape = {};
  std::vector<std::int64_t> strides = {};  // in elements
  Index size = 0;                          // elements of memory
  std::string layout = {};

  nb::dlpack::dtype dtype() const;
  char const* dtype_name() const;
  std::size_t element_bytes() const { return (is_complex ? 2u : 1u) * (is_single ? 4u : 8u); }
};

/// The side of a plan with these options that has `fields` arrays in a layout.
Side side_of(Layout const& layout, Shape const& strides, int rank, int fields,
             Options const& options);

/// An array of a side in the memory of a device. The host cannot read it directly.
struct DeviceArray {
  Side side;
  std::shared_ptr<void> memory;
};

/// An array of the side in this memory: a NumPy array, or a DeviceArray.
nb::object array_over(Side const& side, std::shared_ptr<void> memory);
/// A NumPy array of the side in new memory.
nb::object private_array(Side const& side);

/// The memory of an array that a user passes for a side, to be read. Arrays of PyTorch and JAX are
/// read where they are. Errors: not an array; the array has another device, type, shape or order of
/// elements than the side; a tensor needs a gradient.
void const* source_of(char const* name, nb::handle array, Side const& side);
/// Works like source_of(), for an array that will be written. Errors: as above; the array is
/// read-only.
void* target_of(char const* name, nb::handle array, Side const& side);
/// A NumPy array as an array of the library, such as PyTorch, that `array` belongs to. The memory
/// stays the same.
nb::object as_kind_of(nb::handle array, nb::object made);

/// A new array, and the object by which it is written.
struct NewArray {
  nb::object array;
  nb::object target;
};
/// A new array of a side on a GPU, of the library that `like` belongs to. Empty if `like` is no
/// array of a library with memory on GPUs.
NewArray new_on_device(nb::handle like, Side const& side);
/// The stream of a library of arrays, and the object that keeps it.
struct StreamOfLibrary {
  std::uintptr_t address;
  nb::object owner;
};
/// The stream in which the library of an array on a GPU works now. Empty for any other array.
std::optional<StreamOfLibrary> stream_of(nb::handle array);

/// Memory that a user lends, from its first multiple of 64 bytes on.
struct Lent {
  void* first;
  std::size_t bytes;
};
/// Errors: no writable array without gaps.
Lent lent_of(nb::handle memory);

}  // namespace sixstep::python
