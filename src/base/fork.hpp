// SPDX-License-Identifier: BSD-3-Clause
// Processes that fork: what a child must know, and mutexes that it finds unlocked.
//
// A child has the memory of its parent and one thread, the one that called fork(). The threads of
// the parent's objects do not exist in it, and a mutex that another thread held would stay locked
// for ever. Knows nothing about MPI.
#pragma once

#include <mutex>

namespace sixstep {

/// How many times this process and its ancestors have forked since the library was loaded: 0 in the
/// process that loaded it. An object that stores the number when it is made can tell later whether
/// its threads still exist.
int forks();

/// Objects that threads share during the whole life of the process.
enum class Shared { plans, blocks, transforms, libraries };

/// The mutex of such an object. fork() locks all of them first, so that a child finds them unlocked
/// and the objects consistent. A thread that locks two does so in the order above.
std::mutex& mutex_of(Shared object);

}  // namespace sixstep
