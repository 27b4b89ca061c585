// SPDX-License-Identifier: BSD-3-Clause
// Converts between the element types of the public headers and those of .npy files.
#pragma once

#include "files/npy.hpp"
#include "sixstep/files.hpp"

namespace sixstep::files {

npy::Type npy_type_of(ElementType type);
/// Ignores the byte order.
ElementType element_type_of(npy::Type type);

}  // namespace sixstep::files
