// SPDX-License-Identifier: BSD-3-Clause
// An element as a word that moves by one instruction.
#pragma once

#include <cstring>

namespace sixstep {

/// A number as the processor moves it.
template <class Element>
struct Word {
  using Bytes [[gnu::vector_size(sizeof(Element))]] = unsigned char;
  Bytes bytes;

  void load(Element const* from) { std::memcpy(&bytes, from, sizeof bytes); }
  void store(Element* to) const { std::memcpy(static_cast<void*>(to), &bytes, sizeof bytes); }
};

}  // namespace sixstep
