// SPDX-License-Identifier: BSD-3-Clause
// Executing allocates nothing: operator new of this program counts.
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <atomic>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "ranks.hpp"
#include "runtime/trace.hpp"
#include "sixstep/plan.hpp"

namespace {

std::atomic<bool> counting{false};
std::atomic<int> allocations{0};
std::atomic<std::size_t> most_bytes{0};  // of one of them
std::atomic<std::size_t> refused_bytes{SIZE_MAX};

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes >= refused_bytes) throw std::bad_alloc();
  if (counting) {
    ++allocations;
    std::size_t most = most_bytes;
    while (most < bytes && !most_bytes.compare_exchange_weak(most, bytes)) continue;
  }
  std::size_t const rounded = (bytes + alignment) / alignment * alignment;
  if (void* memory = std::aligned_alloc(alignment, rounded)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// GCC inlines some of these and not the others, and then takes them for mismatched.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
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
    for (Options const& options :
         {Options{.exchange = Exchange::shared, .threads = 2},
          Options{.exchange = Exchange::collective, .threads = 2},
          Options{.exchange = Exchange::pairwise, .threads = 1},
          Options{.exchange = Exchange::pairwise, .threads = 2, .windows = 4},
          Options{.exchange = Exchange::persistent, .threads = 2},
          Options{.exchange = Exchange::pairwise, .threads = 2, .verify = Verify::result},
          Options{
              .exchange = Exchange::pairwise, .threads = 2, .windows = 4, .verify = Verify::all},
          Options{.exchange = Exchange::persistent,
          .threads = 1,
          .windows = 3,
          .driver = Driver::thread},
          Options{.exchange = Exchange::one_sided, .threads = 2},
          Options{.exchange = Exchange::one_sided,
          .threads = 2,
          .windows = 4,
          .driver = Driver::pipelines}}) {
      Plan<double> natural(layout, layout, MPI_COMM_WORLD, options);
      EXPECT_EQ(allocations_of(natural), 0) << natural.describe();
      Plan<float> open(layout, MPI_COMM_WORLD, options);
      EXPECT_EQ(allocations_of(open), 0) << open.describe();
    }
  }
}

/// What the largest thing made while planning takes.
std::size_t most_bytes_of_planning(Layout const& layout, Options const& options) {
  most_bytes = 0;
  counting = true;
  Plan<double> const plan(layout, MPI_COMM_WORLD, options);
  counting = false;
  return most_bytes;
}

TEST(planning, that_fails_on_one_rank_fails_on_all) {
  Layout const layout = Layout::slab({4096, 8}, ranks::count());
  for (Exchange exchange :
       {Exchange::collective, Exchange::pairwise, Exchange::persistent, Exchange::one_sided}) {
    Options const options{.exchange = exchange, .threads = 1};
    std::size_t const tables = most_bytes_of_planning(layout, options);
    if (ranks::rank() == ranks::count() - 1) refused_bytes = tables;
    EXPECT_THROW(Plan<double>(layout, MPI_COMM_WORLD, options), Error);
    refused_bytes = SIZE_MAX;
    Plan<double> plan(layout, MPI_COMM_WORLD, options);
    EXPECT_EQ(allocations_of(plan), 0);
  }
}

/// Collective.
std::string trace_file() {
  int process = getpid();
  MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return testing::TempDir() + "sixstep-allocation-" + std::to_string(process) + ".json";
}

TEST(execute, while_traced_allocates_nothing) {
  std::string const file = trace_file();
  Layout const layout = Layout::pencil({11, 13, 17}, ranks::count());
  for (Exchange exchange : {Exchange::shared, Exchange::collective, Exchange::pairwise}) {
    Plan<double> plan(layout, layout, MPI_COMM_WORLD,
                      {.exchange = exchange, .threads = 2, .trace = file});
    EXPECT_EQ(allocations_of(plan), 0) << plan.describe();
  }
  if (ranks::rank() == 0) std::remove(file.c_str());
}

TEST(planning, has_memory_for_events_only_where_it_is_traced) {
  std::string const file = trace_file();
  constexpr std::size_t event_bytes = 32;  // and more
  constexpr std::size_t buffer_bytes = Trace::most_events * event_bytes;
  Layout const layout = Layout::slab({8, 6, 5}, ranks::count());
  EXPECT_LT(most_bytes_of_planning(layout, {.threads = 2}), buffer_bytes / 4);
  EXPECT_GT(most_bytes_of_planning(layout, {.threads = 2, .trace = file}), buffer_bytes);
  if (ranks::rank() == 0) std::remove(file.c_str());
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
