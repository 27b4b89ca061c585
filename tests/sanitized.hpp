// SPDX-License-Identifier: BSD-3-Clause
// Whether the address sanitizer watches the library. Knows nothing about what tests make of it.
#pragma once

/// A function of the address sanitizer, which only programs with it have.
extern "C" [[gnu::weak]] void __asan_init();

namespace sixstep {

/// True under the address sanitizer, which finds bad accesses. Many problems make the same
/// accesses, and each takes several times as long, so tests solve fewer. The tests themselves are
/// compiled without it, so only the linked program tells.
inline bool sanitized() { return __asan_init != nullptr; }

}  // namespace sixstep
