// SPDX-License-Identifier: BSD-3-Clause
// Processes that fork: the handlers that fork() calls.
#include "base/fork.hpp"

#include <pthread.h>

#include <array>
#include <atomic>
#include <cstddef>

namespace sixstep {

namespace {

std::atomic<int> forks_so_far = 0;
// Static, so that they outlive all objects that lock them.
std::array<std::mutex, static_cast<std::size_t>(Shared::libraries) + 1> mutexes;

void lock_all() {
  for (std::mutex& mutex : mutexes) mutex.lock();
}
void unlock_all() {
  for (std::mutex& mutex : mutexes) mutex.unlock();
}
void begin_child() {
  ++forks_so_far;
  unlock_all();
}

[[maybe_unused]] int const registered = pthread_atfork(lock_all, unlock_all, begin_child);

}  // namespace

int forks() { return forks_so_far.load(std::memory_order_relaxed); }

std::mutex& mutex_of(Shared object) { return mutexes[static_cast<std::size_t>(object)]; }

}  // namespace sixstep
