// SPDX-License-Identifier: BSD-3-Clause
// The instruction sets that the kernels are compiled for, and the one that this process uses.
//
// Include it before any header of Highway's targets, which reads the macro below: a lower bit is a
// better instruction set. Those left out have nothing that the kernels need, or, as NEON with AES,
// functions that GCC 12 cannot inline. Vectors have a constant length.
#pragma once

#include "hwy/detect_compiler_arch.h"

#if HWY_ARCH_X86
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | (HWY_AVX3 - 1))
#elif HWY_ARCH_ARM && __has_include("hwy/ops/ppc_vsx-inl.h")  // Highway 1.0.4 or later
#define HWY_DISABLED_TARGETS (HWY_NEON_WITHOUT_AES - 1)
#elif HWY_ARCH_ARM
#define HWY_DISABLED_TARGETS (HWY_NEON - 1)
#else
#define HWY_DISABLED_TARGETS HWY_RVV
#endif

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hwy/targets.h"

namespace sixstep::local {

/// An instruction set as one of Highway's bits, HWY_AVX3 and so on; a lower bit is a better one.
using Target = std::int64_t;

/// The instruction sets that are compiled in and that this machine has, best first.
std::vector<Target> available_targets();

/// "AVX-512", "AVX2", "SSE4.2", "NEON": the common names instead of Highway's.
std::string name_of(Target target);

/// The best of them, or the one that the environment variable SIXSTEP_ISA names. Throws Error if it
/// names none of them.
Target chosen_target();

/// The function for `target` in one of Highway's dispatch tables.
template <class Function, std::size_t entries>
Function table_entry(Function const (&table)[entries], Target target) {
  // Like hwy::ChosenTarget::GetIndex(); the last entry is the fallback.
  if constexpr (entries == 1) return table[0];
  std::int64_t const shifted = HWY_CHOSEN_TARGET_SHIFT(target) | HWY_CHOSEN_TARGET_MASK_SCALAR;
  return table[hwy::Num0BitsBelowLS1Bit_Nonzero64(static_cast<std::uint64_t>(shifted))];
}

}  // namespace sixstep::local
