// SPDX-License-Identifier: BSD-3-Clause
// The two arithmetics that kernels are compiled for: the fastest, and the reproducible one.
//
// A .cpp file that defines SIXSTEP_REPRODUCIBLE compiles the kernels that it includes in a
// namespace of their own. There no result depends on the instruction set or on the function that
// computes it: the compiler joins no multiplication with an addition (-ffp-contract=off), and each
// mul_add() has one rounding, if need be in software.
#pragma once

// NOLINTBEGIN(cppcoreguidelines-macro-usage): it is the name of a namespace
#ifdef SIXSTEP_REPRODUCIBLE
#define SIXSTEP_KERNELS reproducible::HWY_NAMESPACE
namespace sixstep::local::reproducible {
inline constexpr bool reproduces = true;
}
#else
#define SIXSTEP_KERNELS HWY_NAMESPACE
namespace sixstep::local {
inline constexpr bool reproduces = false;
}
#endif
// NOLINTEND(cppcoreguidelines-macro-usage)
