// SPDX-License-Identifier: BSD-3-Clause
// GPUs made of the host's memory and cores, for whoever wants to run the calls to CUDA where there
// is no GPU: what the libraries that stand in for NVIDIA's are built on.
//
// Streams run when somebody waits, and a little when somebody asks, in an order drawn at random
// among those that CUDA allows. What CUDA leaves undefined ends the program with a message.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

namespace cuda_on_host {

/// Says what was wrong, and ends the program.
[[noreturn]] void stop(std::string const& what);

template <class... Parts>
std::string words(Parts const&... parts) {
  std::ostringstream all;
  (all << ... << parts);
  return all.str();
}

/// Says at the end of the program, and fails it, if so many things of a kind are left.
void expect_none(char const* kind, std::size_t left);

/// A call of this kind comes: returns the error that a test has planted there, or the sticky error
/// of an earlier call, as a number of CUDA's; 0 if there is neither. Kinds: "launch", "copy",
/// "record", "query", "wait", "transform", "work" in a stream, or "" for all other calls.
int failure_of(char const* kind);

/// CUDA_ON_HOST_GPUS, 2 if that is not set.
int gpus();
/// That which is current in this thread.
int current_gpu();
/// Whether this thread has called what makes a context current, and whether any has of that GPU's.
bool has_context();
bool is_in_use(int gpu);

using Clock = std::chrono::steady_clock;

/// Comes when a stream gets there.
struct Moment {
  bool has_come = false;
  Clock::time_point when = {};
};
using Moments = std::vector<std::shared_ptr<Moment const>>;

struct Task {
  std::function<void()> run = nullptr;
  Moments after = {};
  std::function<bool()> peers_have_come = nullptr;
  std::shared_ptr<Moment> end = nullptr;

  bool may_run() const;
};

struct Stream {
  int gpu;
  bool waits_for_default;  // and that for it
  std::deque<Task> tasks = {};
  std::shared_ptr<Moment const> last = nullptr;  // of what was put into it
  bool is_destroyed = false;
  bool has_pageable_copy = false;  // for which nobody has waited yet
};

/// What a handle of the user's means; the default stream of the current GPU if it is null. Null if
/// it means nothing.
Stream* stream_of(void* handle);
Stream* make_stream(bool waits_for_default);
/// What is in it still runs.
void destroy(Stream* stream);

std::recursive_mutex& mutex();
/// Its end.
std::shared_ptr<Moment const> put(Stream& stream, Task task);
void run_until(std::function<bool()> const& reached);
void run_a_little();

enum class Kind { device, pinned, managed, opened };
std::size_t memories_left();
std::size_t streams_left();

struct Memory {
  std::byte* begin;
  std::size_t bytes;
  Kind kind;
  int gpu;
};

/// Null if that cannot be had.
std::byte* allocate(std::size_t bytes, Kind kind);
/// False if that is none of this kind.
bool release(void* memory, bool is_of_host);
/// Memory of the program's own is pinned. False if some of it is already.
bool register_memory(void* memory, std::size_t bytes);
/// False if none begins there.
bool unregister(void* memory);
/// That in which an address lies.
Memory const* find(void const* address);
/// Ends the program if a GPU may not touch these bytes.
void expect_reach(int gpu, void const* begin, std::size_t bytes, char const* what);

/// How another process finds memory of this one.
struct Address {
  std::int64_t process, file;
  std::uint64_t bytes, gpu;
};
/// False if that is no beginning of memory of a GPU.
bool address_of(void const* memory, Address& address);
/// A second time it is the same. Null if it cannot be opened.
std::byte* open(Address const& address);
bool close(void* opened);
/// Memory without a name that several processes have, zeros at first; its file.
int make_shared_file(std::size_t bytes);
int file_of(Address const& address);
std::byte* map_shared(int file, std::size_t bytes);

/// Threads of a kernel, and what they share.
/// The bytes that a block may share, of which those above 48 KiB must be asked for.
constexpr std::size_t most_shared_bytes = 227 << 10;

struct Grid {
  unsigned blocks[3], threads[3];
};
struct Kernel {
  std::size_t argument_bytes;
  void (*run)(void const* argument, Grid const& grid);
  /// Ends the program if the kernel touches what it must not.
  void (*check)(void const* argument, int gpu);
  std::size_t most_shared = 48 << 10;
};
/// By what nvcc calls it; null if there is none.
Kernel* kernel(char const* mangled);

}  // namespace cuda_on_host
