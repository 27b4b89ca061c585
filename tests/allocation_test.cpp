// SPDX-License-Identifier: BSD-3-Clause
// Executing allocates nothing: operator new of this program counts.
#include <gtest/gtest.h>
#include <mpi.h>

#include <atomic>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "ranks.hpp"
#include "sixstep/plan.hpp"

namespace {

std::atomic<bool> counting{false};
std::atomic<int> allocations{0};

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (counting) ++allocations;
  std::size_t const rounded = (bytes + alignment) / alignment * alignment;
  if (void* memory = std::aligned_alloc(alignment, rounded)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes, alignof(std::max_align_t)); }
void* operator new[](std::size_t bytes) { return allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace sixstep {
namespace {

TEST(allocation, is_counted_here) {
  allocations = 0;
  counting = true;
  auto const number = std::make_unique<int>(1);
  counting = false;
  EXPECT_EQ(allocations, 1);
}

template <class Real>
int allocations_of(Plan<Real>& plan) {
  std::vector<std::complex<Real>> in(static_cast<std::size_t>(plan.in_place_size()) + 1);
  std::vector<std::complex<Real>> out(in.size());
  plan.forward(in.data(), out.data());  // threads start with the first
  allocations = 0;
  counting = true;
  plan.forward(in.data(), out.data(), Scale::by_n);
  plan.backward(out.data(), in.data());
  plan.forward(in.data(), in.data());
  plan.backward(in.data(), in.data(), Scale::by_sqrt_n);
  counting = false;
  return allocations;
}

TEST(execute, allocates_nothing) {
  int const all = ranks::count();
  // Composite, prime and long extents take different ways through the kernels.
  std::vector<Layout> const layouts{Layout::slab({16, 12, 10}, all),
                                    Layout::pencil({11, 13, 17}, all),
                                    Layout::brick({8, 9, 10}, all),
                                    Layout::slab({4096}, all),
                                    Layout::slab({10007}, all),
                                    Layout::grid({64 * 9}, {all}, {Distribution::cyclic}),
                                    Layout::grid({6, 10}, {1, all}, {}, {1, 0})};
  for (Layout const& layout : layouts) {
    for (Options const& options : {Options{.exchange = Exchange::shared, .threads = 2},
                                   Options{.exchange = Exchange::collective, .threads = 2},
                                   Options{.exchange = Exchange::pairwise, .threads = 1}}) {
      Plan<double> natural(layout, layout, MPI_COMM_WORLD, options);
      EXPECT_EQ(allocations_of(natural), 0) << natural.describe();
      Plan<float> open(layout, MPI_COMM_WORLD, options);
      EXPECT_EQ(allocations_of(open), 0) << open.describe();
    }
  }
}

TEST(execute, of_reals_allocates_nothing) {
  for (bool padded : {false, true}) {
    Plan<double> plan(
        Layout::pencil({12, 11, 10}, ranks::count()), MPI_COMM_WORLD,
        {.axes = {1, 0, 2}, .kinds = {Kind::dct1, Kind::c2c, Kind::r2c}, .padded = padded});
    std::vector<std::complex<double>> spectrum(static_cast<std::size_t>(plan.in_place_size()) + 1);
    std::vector<double> field(static_cast<std::size_t>(plan.input_size()) + 1);
    auto* const same = reinterpret_cast<double*>(spectrum.data());
    plan.forward(field.data(), spectrum.data());
    allocations = 0;
    counting = true;
    plan.forward(field.data(), spectrum.data());
    plan.backward(spectrum.data(), field.data(), Scale::by_n);
    plan.forward(same, spectrum.data());
    plan.backward(spectrum.data(), same);
    counting = false;
    EXPECT_EQ(allocations, 0) << plan.describe();
  }
}

}  // namespace
}  // namespace sixstep
