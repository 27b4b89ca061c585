// SPDX-License-Identifier: BSD-3-Clause
// Memory for users' arrays.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "base/memory.hpp"
#include "names.hpp"

namespace {

constexpr std::uintptr_t simd_bytes = 16;  // alignments that FFTW tells apart

std::atomic<void* (*)(std::size_t)> allocate_first = nullptr;
std::atomic<int (*)(void*)> release_first = nullptr;

template <class Element>
Element* allocate_elements(std::size_t n) {
  if (n > SIZE_MAX / sizeof(Element)) return nullptr;
  return static_cast<Element*>(SIXSTEP_FFTW(malloc)(n * sizeof(Element)));
}

}  // namespace

extern "C" {

void SIXSTEP_FFTW(sixstep_allocation)(void* (*allocate)(std::size_t), int (*release)(void*)) {
  release_first = release;
  allocate_first = allocate;
}

void* SIXSTEP_FFTW(malloc)(std::size_t n) {
  if (auto const allocate = allocate_first.load())
    if (void* const memory = allocate(n)) return memory;
  try {
    return sixstep::allocate(n).release();
  } catch (std::bad_alloc const&) {
    return nullptr;
  }
}

sixstep::fftw::Real* SIXSTEP_FFTW(alloc_real)(std::size_t n) {
  return allocate_elements<sixstep::fftw::Real>(n);
}

sixstep::fftw::FftwComplex* SIXSTEP_FFTW(alloc_complex)(std::size_t n) {
  return allocate_elements<sixstep::fftw::FftwComplex>(n);
}

void SIXSTEP_FFTW(free)(void* memory) {
  if (memory == nullptr) return;
  if (auto const release = release_first.load())
    if (release(memory) != 0) return;
  std::free(memory);
}

int SIXSTEP_FFTW(alignment_of)(sixstep::fftw::Real* memory) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(memory) % simd_bytes);
}

}  // extern "C"
