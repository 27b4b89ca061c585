// SPDX-License-Identifier: BSD-3-Clause
// Memory of devices for C.
#include "sixstep/device.hpp"

#include "c/guarded.hpp"

using namespace sixstep;
using c::given;
using c::guarded;

int sixstep_device_allocate(int device, size_t bytes, void** array) {
  return guarded([&] {
    Device const of = c::enumerated<Device>(device, "device");
    given(array, "array") = c::lend(allocate(of, bytes));
  });
}

int sixstep_device_copy(int device, void* to, void const* from, size_t bytes) {
  return guarded([&] {
    Device const of = c::enumerated<Device>(device, "device");
    require(bytes == 0 || (to != nullptr && from != nullptr),
            "to, from: memory is needed, null was given");
    copy(of, to, from, bytes);
  });
}
