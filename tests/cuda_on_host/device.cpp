// SPDX-License-Identifier: BSD-3-Clause
// Memory that the host cannot touch but while streams run, and streams.
#include "device.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <random>
#include <string>
#include <utility>

#include "memories.hpp"

namespace cuda_on_host {

void stop(std::string const& what) {
  std::fprintf(stderr, "CUDA on the host: %s\n", what.c_str());
  std::abort();
}

void expect_none(char const* kind, std::size_t left) {
  if (left == 0) return;
  std::fprintf(stderr, "CUDA on the host: at the end there are %zu %s\n", left, kind);
  constexpr int failed = 70;
  _exit(failed);
}

namespace {

struct Planted {
  std::string kind;
  int left = 0;  // the call fails that finds 1
  int error = 0;
  bool is_sticky = false;
};
std::mutex& planted_mutex() {
  static auto& one = *new std::mutex;
  return one;
}
Planted planted;
std::atomic<int> sticky = 0;

}  // namespace

int failure_of(char const* kind) {
  if (sticky != 0) return sticky;
  std::lock_guard const lock(planted_mutex());
  if (planted.left == 0 || planted.kind != kind || --planted.left > 0) return 0;
  if (planted.is_sticky) sticky = planted.error;
  return planted.error;
}

int gpus() {
  static int const number = [] {
    char const* const wanted = std::getenv("CUDA_ON_HOST_GPUS");
    return wanted ? std::atoi(wanted) : 2;
  }();
  return number;
}

namespace {

/// Whoever has this may touch all memory.
class Visit {
 public:
  Visit() { memories().let_in(); }
  ~Visit() { memories().shut_out(); }
  Visit(Visit const&) = delete;
};

class Scheduler {
 public:
  Scheduler() {
    char const* const seed = std::getenv("SIXSTEP_DEVICE_SEED");
    random_.seed(seed ? static_cast<unsigned>(std::atoi(seed)) : 1u);
    for (int gpu = 0; gpu < gpus(); ++gpu)
      defaults_.push_back(all_.emplace_back(std::make_unique<Stream>(Stream{gpu, true})).get());
  }

  Stream* of(void* handle) {
    constexpr std::uintptr_t legacy = 1;
    auto const number = reinterpret_cast<std::uintptr_t>(handle);
    if (number <= legacy) return defaults_[static_cast<std::size_t>(current_gpu())];
    for (auto const& stream : all_)
      if (stream.get() == handle && !stream->is_destroyed) return stream.get();
    return nullptr;
  }
  std::size_t made() const { return all_.size() - defaults_.size(); }
  Stream* make(bool waits_for_default) {
    return all_.emplace_back(std::make_unique<Stream>(Stream{current_gpu(), waits_for_default}))
        .get();
  }

  std::shared_ptr<Moment const> put(Stream& stream, Task task) {
    if (stream.has_pageable_copy)
      stop("a copy from or to memory that is not pinned, and more behind it in the stream");
    bool const is_default = is_a_default(stream);
    for (auto const& other : all_)
      if (other->gpu == stream.gpu && other->last && other->waits_for_default &&
          stream.waits_for_default && (is_default || is_a_default(*other)))
        task.after.push_back(other->last);
    task.end = std::make_shared<Moment>();
    stream.last = task.end;
    stream.tasks.push_back(std::move(task));
    return stream.last;
  }

  void destroy(Stream* stream) {
    stream->is_destroyed = true;
    remove_destroyed();
  }

  /// What is in streams never runs.
  void drop() {
    for (auto const& stream : all_) {
      for (Task const& task : stream->tasks) *task.end = {true, Clock::now()};
      stream->tasks.clear();
    }
    remove_destroyed();
  }

  void run_until(std::function<bool()> const& reached) {
    if (reached()) return;
    Visit const visit;
    while (!reached()) {
      if (step()) continue;
      bool const waits_for_peers = std::any_of(all_.begin(), all_.end(), [](auto const& stream) {
        return !stream->tasks.empty() && stream->tasks.front().peers_have_come;
      });
      if (!waits_for_peers) stop("streams wait for each other");
      sched_yield();
    }
  }
  void run_a_little() {
    constexpr int works[] = {0, 1, 2, 4096};
    int left = works[random_() % std::size(works)];
    if (left == 0) return;
    Visit const visit;
    while (left > 0 && step()) --left;
  }

 private:
  bool is_a_default(Stream const& stream) const {
    return std::find(defaults_.begin(), defaults_.end(), &stream) != defaults_.end();
  }
  bool step() {
    std::vector<Stream*> may;
    for (auto const& stream : all_)
      if (!stream->tasks.empty() && stream->tasks.front().may_run()) may.push_back(stream.get());
    if (may.empty()) return false;
    Stream& stream = *may[random_() % may.size()];
    Task const task = std::move(stream.tasks.front());
    stream.tasks.pop_front();
    if (task.run && failure_of("work") == 0) task.run();
    *task.end = {true, Clock::now()};
    remove_destroyed();
    return true;
  }
  void remove_destroyed() {
    std::erase_if(all_, [](auto const& it) { return it->is_destroyed && it->tasks.empty(); });
  }

  std::vector<std::unique_ptr<Stream>> all_;
  std::vector<Stream*> defaults_;
  std::mt19937 random_;
};

Scheduler& scheduler() {
  static Scheduler& one = *new Scheduler;
  return one;
}

}  // namespace

bool Task::may_run() const {
  return std::all_of(after.begin(), after.end(), [](auto const& it) { return it->has_come; }) &&
         (!peers_have_come || peers_have_come());
}

std::recursive_mutex& mutex() { return memories().mutex(); }
std::size_t memories_left() { return memories().count(); }
std::size_t streams_left() { return scheduler().made(); }

Stream* stream_of(void* handle) { return scheduler().of(handle); }
Stream* make_stream(bool waits_for_default) { return scheduler().make(waits_for_default); }
void destroy(Stream* stream) {
  std::lock_guard const lock(mutex());
  scheduler().destroy(stream);
}
std::shared_ptr<Moment const> put(Stream& stream, Task task) {
  std::lock_guard const lock(mutex());
  return scheduler().put(stream, std::move(task));
}
void run_until(std::function<bool()> const& reached) {
  std::lock_guard const lock(mutex());
  scheduler().run_until(reached);
}
void run_a_little() {
  std::lock_guard const lock(mutex());
  scheduler().run_a_little();
}

std::byte* allocate(std::size_t bytes, Kind kind) {
  return memories().add(bytes, kind, current_gpu(), nullptr);
}

bool release(void* memory, bool is_of_host) {
  std::lock_guard const lock(mutex());
  Block const* const block = memories().find(memory);
  if (!block || block->begin != memory || block->kind == Kind::opened || block->is_registered ||
      (block->kind == Kind::pinned) != is_of_host)
    return false;
  if (block->openers && *block->openers > 0)
    stop(words(block->bytes, " bytes are freed that another process has open"));
  memories().remove(Block(*block));
  return true;
}

bool register_memory(void* memory, std::size_t bytes) {
  return memories().add_registered(static_cast<std::byte*>(memory), bytes);
}

bool unregister(void* memory) {
  std::lock_guard const lock(mutex());
  Block const* const block = memories().find(memory);
  if (!block || block->begin != memory || !block->is_registered) return false;
  memories().remove_registered(block->begin);
  return true;
}

Memory const* find(void const* address) {
  std::lock_guard const lock(mutex());
  return memories().find(address);
}

void expect_reach(int gpu, void const* begin, std::size_t bytes, char const* what) {
  if (bytes == 0) return;
  Memory const* const memory = find(begin);
  if (!memory) stop(words(what, ": memory that was freed or is none of a GPU's: ", begin));
  auto const* const end = static_cast<std::byte const*>(begin) + bytes;
  if (end > memory->begin + memory->bytes)
    stop(words(what, ": ", end - (memory->begin + memory->bytes), " bytes beyond the end of ",
               memory->bytes));
  if (memory->kind == Kind::device && memory->gpu != gpu)
    stop(words(what, ": GPU ", gpu, " cannot reach memory of GPU ", memory->gpu));
}

bool address_of(void const* memory, Address& address) {
  std::lock_guard const lock(mutex());
  Block const* const block = memories().find(memory);
  if (!block || block->begin != memory || block->kind != Kind::device) return false;
  address = {getpid(), block->file, block->bytes, static_cast<std::uint64_t>(block->gpu)};
  return true;
}

std::byte* open(Address const& address) {
  std::lock_guard const lock(mutex());
  if (address.process == getpid()) return nullptr;
  if (Block* const block = memories().opened(address)) {
    ++block->times_opened;
    return block->begin;
  }
  return memories().add(address.bytes, Kind::opened, current_gpu(), &address);
}

bool close(void* opened) {
  std::lock_guard const lock(mutex());
  Block* const block = memories().find(opened);
  if (!block || block->begin != opened || block->kind != Kind::opened) return false;
  if (--block->times_opened > 0) return true;
  --*block->openers;
  memories().remove(Block(*block));
  return true;
}

/// Lets the call of this kind (failure_of()) fail that comes as the `number`-th from now on, and
/// all later calls if the error is sticky. An earlier fault is forgotten. Returns whether that one
/// has not come yet.
extern "C" int cuda_on_host_plant(char const* kind, int number, int error, int is_sticky) {
  std::scoped_lock const lock(mutex(), planted_mutex());
  if (sticky != 0) scheduler().drop();
  bool const is_left = planted.left > 0;
  planted = {kind, number, error, is_sticky != 0};
  sticky = 0;
  return is_left ? 1 : 0;
}

int make_shared_file(std::size_t bytes) {
  int const file = memfd_create("CUDA on the host", MFD_CLOEXEC);
  if (file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) == 0) return file;
  if (file >= 0) ::close(file);
  return -1;
}
int file_of(Address const& address) {
  std::string const path = words("/proc/", address.process, "/fd/", address.file);
  return ::open(path.c_str(), O_RDWR | O_CLOEXEC);
}
std::byte* map_shared(int file, std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

}  // namespace cuda_on_host
