// SPDX-License-Identifier: BSD-3-Clause
// How fast a GPU copies from and to memory of the host, by where that memory comes from. All ranks
// copy at the same time, as in a staged exchange.
#pragma once

#include <cuda_runtime.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "gpus/whole.hpp"
#include "node/rounds.hpp"
#include "ranks.hpp"
#include "sixstep/sixstep.hpp"

namespace sixstep::bench {

/// Pinned memory of the host. `from` is "cuda" (CUDA's own), "private" (a mapping that is
/// registered) or "shared" (likewise, which other processes may map); with "-huge", huge pages are
/// asked for.
inline std::shared_ptr<void> pinned_memory(std::string const& from, std::size_t bytes) {
  void* memory = nullptr;
  if (from == "cuda") {
    check(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable) == cudaSuccess, "no pinned memory");
    return {memory, cudaFreeHost};
  }
  bool const is_shared = from.starts_with("shared");
  int const file = is_shared ? memfd_create("copies", 0) : -1;
  check(!is_shared || (file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) == 0), "no memfd");
  memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                is_shared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, file, 0);
  check(memory != MAP_FAILED, "no memory");
  if (is_shared) close(file);
  if (from.ends_with("huge")) madvise(memory, bytes, MADV_HUGEPAGE);
  std::memset(memory, 1, bytes);
  check(cudaHostRegister(memory, bytes, cudaHostRegisterPortable) == cudaSuccess, "not pinned");
  return {memory, [bytes](void* mine) {
            cudaHostUnregister(mine);
            munmap(mine, bytes);
          }};
}

/// Prints GB/s a rank: out of the GPU, into it, and in each direction of both at once, for copies
/// of `part` bytes.
inline void print_copies(std::size_t bytes, std::size_t part, node::Patience const& patience,
                         MPI_Comm comm) {
  auto const there = allocate(Device::cuda, bytes), arrived = allocate(Device::cuda, bytes);
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams)
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess, "no stream");
  for (std::string const from : {"cuda", "private", "private-huge", "shared", "shared-huge"}) {
    auto const out = pinned_memory(from, bytes), in = pinned_memory(from, bytes);
    auto const at = [](std::shared_ptr<void> const& memory, std::size_t begin) {
      return static_cast<std::byte*>(memory.get()) + begin;
    };
    auto const copies = [&](bool goes_out, bool goes_in) {
      return [=, &streams] {
        for (std::size_t begin = 0; begin < bytes; begin += part) {
          std::size_t const size = std::min(part, bytes - begin);
          if (goes_out)
            cudaMemcpyAsync(at(out, begin), at(there, begin), size, cudaMemcpyDefault, streams[0]);
          if (goes_in)
            cudaMemcpyAsync(at(arrived, begin), at(in, begin), size, cudaMemcpyDefault, streams[1]);
        }
        for (cudaStream_t stream : streams)
          check(cudaStreamSynchronize(stream) == cudaSuccess, "a copy failed");
      };
    };
    Trials const trials = node::take_turns(
        {copies(true, false), copies(false, true), copies(true, true)}, patience, comm);
    if (cli::rank_of(comm) != 0) continue;
    auto const rate = [&](std::size_t i) {
      return 1e-9 * static_cast<double>(bytes) / median(trials[i]);
    };
    std::printf("%-14s copies of %4zu MiB: out %6.1f, in %6.1f, both %6.1f GB/s\n", from.c_str(),
                part >> 20, rate(0), rate(1), rate(2));
    std::fflush(stdout);
  }
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
}

}  // namespace sixstep::bench
