// SPDX-License-Identifier: BSD-3-Clause
// The kernels of src/cuda, compiled for the host: the threads of a block take turns, and meet where
// the kernel says so.
#include <cuda_runtime.h>
#include <cxxabi.h>
#include <ucontext.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include "device.hpp"

namespace {

uint3 threadIdx, blockIdx, blockDim;
ucontext_t of_block;
struct AsyncCopy {
  void* to;
  void const* from;
  std::size_t bytes;
};
struct Fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  bool is_done = false, is_waiting = false;
  std::vector<AsyncCopy> copies = {};
};
Fiber* current = nullptr;

void __syncthreads() {
  Fiber* const mine = current;
  mine->is_waiting = true;
  swapcontext(&mine->context, &of_block);
}

// Copies to the memory of a block are made when the thread waits for them.
void __pipeline_memcpy_async(void* to, void const* from, std::size_t bytes) {
  current->copies.push_back({to, from, bytes});
}
void __pipeline_commit() {}
void __pipeline_wait_prior(int) {
  for (AsyncCopy const& copy : current->copies) std::memcpy(copy.to, copy.from, copy.bytes);
  current->copies.clear();
}

}  // namespace

// One block runs at a time.
#undef __shared__
#define __shared__ static
#include "../../src/cuda/copies.cu"

namespace {

// What a block may share on GPUs of today.
alignas(16) unsigned char tile_memory[cuda_on_host::most_shared_bytes];

}  // namespace
#undef __launch_bounds__
#define __launch_bounds__(...)
#include "../../src/cuda/scattered.cu"
#include "../../src/cuda/scattered_recipe.cpp"

namespace cuda_on_host {

namespace {

using sixstep::Index;
using sixstep::device::Copy;
using sixstep::device::Fold;
using sixstep::device::HermitianPart;
using sixstep::device::Launch;
using sixstep::device::Pair;
using sixstep::device::Scattered;
using sixstep::device::ScatteredSide;
using sixstep::device::Tiles;
using sixstep::device::Turn;

/// From the first to the last byte that one side of a copy touches.
void expect_side(int gpu, void const* begin, Copy const& copy, Index const* strides,
                 Index element_bytes, char const* what) {
  if (!begin) return;
  Index first = 0, last = 0;
  for (int axis = 0; axis < copy.axes; ++axis) {
    Index const far = (copy.extent[axis] - 1) * strides[axis];
    (far < 0 ? first : last) += far;
  }
  auto const bytes = static_cast<std::size_t>((last - first + 1) * element_bytes);
  expect_reach(gpu, static_cast<char const*>(begin) + first * element_bytes, bytes, what);
}

void expect_copy(Copy const& copy, int gpu) {
  expect_side(gpu, copy.source, copy, copy.from, Index{copy.from_reals} * copy.real_bytes,
              "what a kernel reads");
  expect_side(gpu, copy.target, copy, copy.to, Index{copy.to_reals} * copy.real_bytes,
              "what a kernel writes");
  if (copy.changes && copy.phase.fine)
    expect_reach(gpu, copy.phase.fine, sizeof *copy.phase.fine, "a table");
  if (copy.changes)
    expect_side(gpu, copy.table.numbers, copy, copy.in_table,
                Index{copy.table.reals} * copy.real_bytes, "a table of factors");
}

/// With the two axes that tiles are of.
void expect(Turn const& turn, int gpu) {
  Copy copy = turn.others.copy;
  for (bool const is_row : {false, true}) {
    copy.extent[copy.axes] = is_row ? turn.rows : turn.columns;
    copy.from[copy.axes] = is_row ? turn.from_rows : turn.from_columns;
    copy.to[copy.axes] = is_row ? turn.to_rows : turn.to_columns;
    ++copy.axes;
  }
  expect_copy(copy, gpu);
}
void expect(Launch const& launch, int gpu) { expect_copy(launch.copy, gpu); }

/// All columns and rows of one side. A table of rows names places in other ranks' memory too, which
/// this process may have open or not.
void expect_scattered(Scattered const& columns, ScatteredSide const& side, int reals, int gpu,
                      char const* what) {
  if (side.rows) {
    expect_reach(gpu, side.rows, static_cast<std::size_t>(columns.n) * sizeof *side.rows,
                 "a table of rows");
    return;
  }
  Copy copy;
  copy.axes = ScatteredSide::most_axes + 1;
  Index strides[Copy::most_axes] = {};
  for (int axis = 0; axis < ScatteredSide::most_axes; ++axis) {
    copy.extent[axis] = columns.extents[axis];
    strides[axis] = side.strides[axis];
  }
  copy.extent[ScatteredSide::most_axes] = columns.n;
  strides[ScatteredSide::most_axes] = side.row_stride;
  expect_side(gpu, side.memory, copy, strides, Index{reals} * columns.real_bytes, what);
}
void expect(Tiles const& tiles, int gpu) {
  Scattered const& columns = tiles.columns;
  expect_scattered(columns, columns.source, 2, gpu, "what a kernel reads");
  expect_scattered(columns, columns.target, 2, gpu, "what a kernel writes");
  if (!columns.table.numbers) return;
  ScatteredSide table = columns.in_table;
  table.memory = const_cast<void*>(columns.table.numbers);
  expect_scattered(columns, table, columns.table.reals, gpu, "a table of factors");
}
void expect(HermitianPart const& part, int gpu) {
  Copy copy;
  copy.axes = part.axes;
  std::copy_n(part.extent, part.axes, copy.extent);
  expect_side(gpu, part.memory, copy, part.stride, Index{2} * part.real_bytes,
              "what is made Hermitian");
}
void expect(Fold const& fold, int gpu) {
  Copy copy;
  copy.axes = fold.axes + 1;
  std::copy_n(fold.extent, fold.axes, copy.extent);
  Index const bytes = Index{2} * fold.real_bytes;
  auto const expect_rows = [&](void const* memory, Index const* columns, Index stride, Index rows,
                               char const* what) {
    Index strides[Copy::most_axes] = {};
    std::copy_n(columns, fold.axes, strides);
    strides[fold.axes] = stride;
    copy.extent[fold.axes] = rows;
    expect_side(gpu, memory, copy, strides, bytes, what);
  };
  expect_rows(fold.source, fold.from, fold.row_from, fold.m + 1, "what is folded");
  expect_rows(fold.target, fold.to, fold.row_to, fold.m, "where it is folded to");
}

/// body() for each block and thread, one after the other.
template <class Body>
void for_each_block(Grid const& grid, Body const& body) {
  blockDim = {grid.threads[0], grid.threads[1], grid.threads[2]};
  for (blockIdx.z = 0; blockIdx.z < grid.blocks[2]; ++blockIdx.z)
    for (blockIdx.y = 0; blockIdx.y < grid.blocks[1]; ++blockIdx.y)
      for (blockIdx.x = 0; blockIdx.x < grid.blocks[0]; ++blockIdx.x) body();
}
uint3 place(unsigned thread, Grid const& grid) {
  return {thread % grid.threads[0], thread / grid.threads[0] % grid.threads[1],
          thread / grid.threads[0] / grid.threads[1]};
}

template <auto kernel, class Argument>
void run_in_turn(void const* argument, Grid const& grid) {
  Argument copied;
  std::memcpy(&copied, argument, sizeof copied);
  unsigned const threads = grid.threads[0] * grid.threads[1] * grid.threads[2];
  for_each_block(grid, [&] {
    for (unsigned thread = 0; thread < threads; ++thread) {
      threadIdx = place(thread, grid);
      kernel(copied);
    }
  });
}

template <auto kernel, class Argument>
Argument const* of_fibers = nullptr;
template <auto kernel, class Argument>
void run_fiber() {
  kernel(*of_fibers<kernel, Argument>);
  current->is_done = true;
}

[[gnu::noinline]] void begin(Fiber& fiber, void (*run)()) {
  constexpr std::size_t stack_bytes = 1 << 15;
  if (!fiber.stack) fiber.stack.reset(new char[stack_bytes]);
  fiber.is_done = false;
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack.get();
  fiber.context.uc_stack.ss_size = stack_bytes;
  fiber.context.uc_link = &of_block;
  makecontext(&fiber.context, run, 0);
}

/// With threads that wait for each other.
template <auto kernel, class Argument>
void run_together(void const* argument, Grid const& grid) {
  Argument copied;
  std::memcpy(&copied, argument, sizeof copied);
  of_fibers<kernel, Argument> = &copied;
  static std::vector<Fiber> fibers;
  fibers.resize(grid.threads[0] * grid.threads[1] * grid.threads[2]);
  for_each_block(grid, [&] {
    bool is_first = true;
    for (;;) {
      std::size_t done = 0, waiting = 0;
      for (std::size_t thread = 0; thread < fibers.size(); ++thread) {
        Fiber& fiber = fibers[thread];
        if (is_first) begin(fiber, run_fiber<kernel, Argument>);
        fiber.is_waiting = false;
        if (!fiber.is_done) {
          current = &fiber;
          threadIdx = place(static_cast<unsigned>(thread), grid);
          swapcontext(&of_block, &fiber.context);
        }
        done += fiber.is_done ? 1 : 0;
        waiting += fiber.is_waiting ? 1 : 0;
      }
      is_first = false;
      if (done == fibers.size()) return;
      if (waiting != fibers.size()) stop("threads of a block have ended, others wait for them");
    }
  });
}

template <class Argument>
void check(void const* argument, int gpu) {
  Argument copied;
  std::memcpy(&copied, argument, sizeof copied);
  expect(copied, gpu);
}

template <auto kernel>
struct Named {};

std::string demangled(char const* mangled) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> const text(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
  std::string name = text ? text.get() : mangled;
  for (std::string const part : {"sixstep::", "device::", "(anonymous namespace)::", "void ", " "})
    for (std::size_t at = 0; (at = name.find(part)) != std::string::npos;)
      name.erase(at, part.size());
  return name;
}

using Kernels = std::map<std::string, Kernel>;

template <auto kernel, class Argument, bool has_meetings>
void add(Kernels& all) {
  // Named<&each<Move<uint4> > >, or with more brackets around it
  std::string name = demangled(typeid(Named<kernel>).name());
  std::size_t const from = name.find_first_of("et", name.find('<'));
  std::size_t to = std::string::npos;
  for (char const* argument : {"(Launch)", "(Turn)", "(Tiles)", "(HermitianPart)", "(Fold)"})
    to = std::min(to, name.rfind(argument));
  name = name.substr(from, to - from);
  if constexpr (has_meetings)
    all[name] = {sizeof(Argument), run_together<kernel, Argument>, check<Argument>};
  else
    all[name] = {sizeof(Argument), run_in_turn<kernel, Argument>, check<Argument>};
}

template <class Word>
void add_moves(Kernels& all) {
  using namespace sixstep::device;
  add<&each<Move<Word>>, Launch, false>(all);
  add<&turn<Word>, Turn, true>(all);
}

Kernels make_kernels() {
  using namespace sixstep::device;
  Kernels all;
  add<&each<Change<float>>, Launch, false>(all);
  add<&each<Change<double>>, Launch, false>(all);
  add<&each_of<float, HermitianPart>, HermitianPart, false>(all);
  add<&each_of<double, HermitianPart>, HermitianPart, false>(all);
  add<&each_of<float, Fold>, Fold, false>(all);
  add<&each_of<double, Fold>, Fold, false>(all);
  add_moves<std::uint8_t>(all);
  add_moves<std::uint16_t>(all);
  add_moves<std::uint32_t>(all);
  add_moves<std::uint64_t>(all);
  add_moves<uint4>(all);
  add_moves<TwoWords>(all);
  add<&transform_tiles<float>, Tiles, true>(all);
  add<&transform_tiles<double>, Tiles, true>(all);
  add<&transform_tiles_and_back<float>, Tiles, true>(all);
  add<&transform_tiles_and_back<double>, Tiles, true>(all);
  return all;
}

}  // namespace

Kernel* kernel(char const* mangled) {
  static Kernels& all = *new Kernels(make_kernels());
  std::string const name = demangled(mangled);
  auto const found = all.find(name.substr(0, name.rfind('(')));
  return found == all.end() ? nullptr : &found->second;
}

}  // namespace cuda_on_host
