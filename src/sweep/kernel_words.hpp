// SPDX-License-Identifier: BSD-3-Clause
// The words of describe() about the kernels that a plan uses.
#pragma once

#include <string>

#include "local/transform.hpp"
#include "sixstep/bits.hpp"
#include "sixstep/error.hpp"

namespace sixstep::sweep {

/// ", kernels: AVX-512, the same bits for any ranks".
inline std::string kernel_words(int real_bytes, Local local, Bits bits) {
  std::string kernels = real_bytes == sizeof(float) ? local::kernels_of<float>(local)
                                                    : local::kernels_of<double>(local);
  if (bits == Bits::machine) kernels += ", the same bits for any ranks";
  if (bits == Bits::everywhere) kernels += ", the same bits for any ranks and instruction sets";
#ifdef __OPTIMIZE__
  return text(", kernels: ", kernels);
#else
  return text(", kernels: ", kernels, "; the library is compiled without optimisation");
#endif
}

}  // namespace sixstep::sweep
