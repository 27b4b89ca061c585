// SPDX-License-Identifier: BSD-3-Clause
// Sides: how a rank's array of one side of a plan lies, and the arrays that are given for it.
#pragma once

#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core.hpp"
#include "sixstep/options.hpp"

namespace sixstep::python {

/// How a rank's array of one side of a plan lies, as NumPy has it.
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

/// Memory of a device that lies as a side says. The host cannot look into it.
struct DeviceArray {
  Side side;
  std::shared_ptr<void> memory;
};

/// The side's array over this memory: NumPy's, or a DeviceArray.
nb::object array_over(Side const& side, std::shared_ptr<void> memory);
/// A NumPy array of memory of its own that lies as the side says.
nb::object private_array(Side const& side);

/// Where the elements of an array are that is given for a side, to be read. Errors: not an array,
/// or one of another device, type, shape or order of elements than the side's.
void const* source_of(char const* name, nb::handle array, Side const& side);
/// The same to be written to. Errors: also an array that is read-only.
void* target_of(char const* name, nb::handle array, Side const& side);

}  // namespace sixstep::python
