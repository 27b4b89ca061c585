// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into ranks that outnumber the cores: a rank that waits lets another one run.
//
// Open MPI does that when asked (mpi_yield_when_idle). MPICH over UCX polls without end, and a
// message then costs a time slice of the scheduler for every rank that has to see it: an all-to-all
// among 7 ranks on 2 cores takes milliseconds in place of microseconds. MPICH's wait loops poll
// UCX through this function, so here is the place to yield.
#include <dlfcn.h>
#include <sched.h>

extern "C" unsigned ucp_worker_progress(void* worker) {
  using Progress = unsigned(void*);
  // In an interpreter the library is not among those that all symbols are looked for in.
  static void* const found = dlsym(RTLD_NEXT, "ucp_worker_progress");
  static auto* const progress = reinterpret_cast<Progress*>(
      found != nullptr ? found : dlsym(dlopen("libucp.so.0", RTLD_LAZY), "ucp_worker_progress"));
  unsigned const events = progress(worker);
  if (events == 0) sched_yield();
  return events;
}
