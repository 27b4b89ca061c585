// SPDX-License-Identifier: BSD-3-Clause
// Processes that fork: what a child must know, and the mutexes that it needs unlocked.
//
// A child has the memory of its parent and one thread, the one that called fork(). Threads that an
// object of the parent has made do not exist there, and a mutex that another thread held would
// stay locked for ever. Knows nothing about MPI.
#pragma once

#include <mutex>

namespace sixstep {

/// How many times this process and its ancestors have forked since the library was loaded: 0 in the
/// process that loaded it. An object that notes it when it is made knows later whether its threads
/// still exist.
int forks();

/// What several threads share for the whole life of the process.
enum class Shared { plans, blocks, transforms, libraries };

/// The mutex of such an object. fork() waits for all of them, so that a child finds them unlocked
/// and the objects whole. A thread that locks two does so in the order above.
std::mutex& mutex_of(Shared object);

}  // namespace sixstep
