// SPDX-License-Identifier: BSD-3-Clause
// Types of elements as the public headers and as .npy files name them.
#pragma once

#include "files/npy.hpp"
#include "sixstep/files.hpp"

namespace sixstep::files {

npy::Type npy_type_of(ElementType type);
/// Whatever the order of bytes.
ElementType element_type_of(npy::Type type);

}  // namespace sixstep::files
