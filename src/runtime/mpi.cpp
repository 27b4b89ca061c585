// SPDX-License-Identifier: BSD-3-Clause
// Whether MPI runs, time-outs, collective calls, agreement between ranks.
#include "runtime/mpi.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/words.hpp"
#include "runtime/environment.hpp"

namespace sixstep::mpi {

namespace {

constexpr char const* timeout = "SIXSTEP_TIMEOUT";

double seconds_of(std::string_view word) {
  auto const seconds = read_number<double>(word);
  require(seconds && *seconds > 0, timeout, ": a positive number of seconds is needed, '",
          shortened(word), "' was given");
  return *seconds;
}

void finish(Comm const& comm, MPI_Request collective) {
  wait_all({&collective, 1}, comm.patience(), [&] {
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    return text("all ", ranks, " ranks to meet, as they do to plan and to allocate: ",
                "MPI does not say which rank is late");
  });
}

}  // namespace

namespace {

bool runs_anywhere() {
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  return initialized != 0 && finalized == 0;
}

std::atomic<bool> runs_at_fork = false, inherited = false;

[[maybe_unused]] int const registered =
    pthread_atfork([] { runs_at_fork = runs_anywhere(); }, nullptr,
                   [] { inherited = inherited.load() || runs_at_fork.load(); });

}  // namespace

bool is_inherited() { return inherited.load(std::memory_order_relaxed); }

bool is_running() { return !is_inherited() && runs_anywhere(); }

void require_own() {
  require(!is_inherited(),
          "comm: this process was forked from one in which MPI was running, and cannot use that "
          "MPI; make and execute plans in the process that called MPI_Init");
}

void require_running(char const* argument) {
  require_own();
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  require(initialized, argument, ": MPI must be running; call MPI_Init first");
  MPI_Finalized(&finalized);
  require(!finalized, argument, ": MPI must be running, MPI_Finalize has been called");
}

/// Otherwise each process would take the whole problem for its own.
void require_own_launcher() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > 1) return;
  for (char const* name : {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE"}) {
    int const launched =
        variable(name, [](char const* word) { return read_number<int>(word).value_or(0); });
    if (launched <= 1) continue;
    std::string const mpi = library();
    throw Error(text("comm: ", launched, " processes were started (", name, "), but this MPI, ",
                     mpi.substr(0, mpi.find(',')),
                     ", sees one: start the program by the mpiexec of the MPI it is linked with"));
  }
}

std::string library() {
  char words[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(words, &length);
  // The first line names the library, the others say how it was configured.
  std::string line(words, static_cast<std::size_t>(length));
  line.resize(std::min(line.size(), line.find('\n')));
  std::replace(line.begin(), line.end(), '\t', ' ');
  return line;
}

namespace {

/// Whether a control variable of MPI's tools interface exists and is set. The environment can set
/// it.
bool is_set(char const* control_variable) {
#ifdef MPI_T_CVAR_HANDLE_NULL
  int level = 0, index = 0, count = 0, value = 0;
  MPI_T_cvar_handle handle;
  if (MPI_T_init_thread(MPI_THREAD_SINGLE, &level) != MPI_SUCCESS) return false;
  if (MPI_T_cvar_get_index(control_variable, &index) == MPI_SUCCESS &&
      MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) == MPI_SUCCESS) {
    if (count == 1) MPI_T_cvar_read(handle, &value);
    MPI_T_cvar_handle_free(&handle);
  }
  MPI_T_finalize();
  return value != 0;
#else  // SimGrid's MPI has no such interface
  static_cast<void>(control_variable);
  return false;
#endif
}

bool is_one(char const* variable) {
  char const* const value = std::getenv(variable);
  return value && std::string_view(value) == "1";
}

}  // namespace

bool takes_cuda_pointers() {
  // Some MPIs lack these functions, and their headers differ.
  if (void* const asked = dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support"))
    if (reinterpret_cast<int (*)()>(asked)() != 0) return true;
  if (void* const asked = dlsym(RTLD_DEFAULT, "MPIX_GPU_query_support")) {
    constexpr int cuda = 0;  // MPIX_GPU_SUPPORT_CUDA
    int takes = 0;
    if (reinterpret_cast<int (*)(int, int*)>(asked)(cuda, &takes) == MPI_SUCCESS && takes != 0)
      return true;
  }
  // Older Open MPI has no such call; Cray's MPI and MVAPICH have variables that users set.
  return is_set("mpi_built_with_cuda_support") || is_one("MPICH_GPU_SUPPORT_ENABLED") ||
         is_one("MV2_USE_CUDA") || is_one("MVP_USE_CUDA");
}

Comm::Comm(MPI_Comm comm) : comm_(comm) {
  if (comm == MPI_COMM_NULL) return;
  try {
    patience_ = {variable(timeout, seconds_of), comm};
  } catch (Error const&) {
    // All ranks report it together later.
  }
}

void require_common_timeout(Comm const& comm) { common_variable(comm, timeout, seconds_of); }

void meet(Comm const& comm) {
  require_running("comm");
  MPI_Request request;
  MPI_Ibarrier(comm, &request);
  finish(comm, request);
}

void reduce_to_all(Comm const& comm, void* values, Index count, MPI_Datatype type, MPI_Op op,
                   Index limit) {
  require_running("comm");
  auto* const first = static_cast<std::byte*>(values);
  Index const extent = extent_of(type);
  for (Index done = 0; done < count; done += limit) {
    MPI_Request request;
    int const piece = narrow(std::min(limit, count - done));
    MPI_Iallreduce(MPI_IN_PLACE, first + done * extent, piece, type, op, comm, &request);
    finish(comm, request);
  }
}

int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

void broadcast(Comm const& comm, void* values, Index bytes, int from, Index limit) {
  require_running("comm");
  auto* const first = static_cast<std::byte*>(values);
  for (Index done = 0; done < bytes; done += limit) {
    MPI_Request request;
    MPI_Ibcast(first + done, narrow(std::min(limit, bytes - done)), MPI_BYTE, from, comm, &request);
    finish(comm, request);
  }
}

std::string broadcast(Comm const& comm, std::string text, int from) {
  auto length = static_cast<Index>(text.size());
  broadcast(comm, &length, sizeof length, from);
  text.resize(static_cast<std::size_t>(length));
  broadcast(comm, text.data(), length, from);
  return text;
}

void gather_to_all(Comm const& comm, void const* mine, void* all, Index bytes, Index limit) {
  require_running("comm");
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  Index const most = std::max<Index>(limit / ranks, 1);
  for (Index done = 0; done < bytes; done += most) {
    Index const piece = std::min(most, bytes - done);
    std::optional<DerivedType> spaced;  // the pieces of two ranks lie `bytes` apart
    if (piece < bytes) spaced.emplace(DerivedType::spaced(MPI_BYTE, piece, bytes));
    MPI_Request request;
    MPI_Iallgather(static_cast<std::byte const*>(mine) + done, narrow(piece), MPI_BYTE,
                   static_cast<std::byte*>(all) + done, spaced ? 1 : narrow(piece),
                   spaced ? spaced->get() : MPI_BYTE, comm, &request);
    finish(comm, request);
  }
}

void all_to_all(Comm const& comm, void const* from, void* to, Counted const& part) {
  require_running("comm");
  int const count = part.count();
  if (comm.patience().is_endless()) {
    MPI_Alltoall(from, count, part.type(), to, count, part.type(), comm);
    return;
  }
  MPI_Request request;
  MPI_Ialltoall(from, count, part.type(), to, count, part.type(), comm, &request);
  finish(comm, request);
}

Arrivals begin(Comm const& comm, Arrival const& mine) {
  require_running("comm");
  int rank = 0, ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  // The lowest rank that refuses, then minima. Complements turn a minimum into a maximum.
  Index least[] = {mine.refused.empty() ? ranks : rank, std::bit_cast<Index>(mine.fingerprint),
                   std::bit_cast<Index>(~mine.fingerprint), ~mine.number};
  reduce_to_all(comm, least, 4, MPI_INT64_T, MPI_MIN);
  if (least[0] == ranks) return {least[1] == ~least[2], ~least[3]};
  auto const first = static_cast<int>(least[0]);
  auto code = static_cast<Index>(mine.code);
  broadcast(comm, &code, sizeof code, first);
  throw AgreedError(broadcast(comm, mine.refused, first), static_cast<ErrorCode>(code));
}

void agree(Comm const& comm, std::string const& message, ErrorCode code) {
  if (begin(comm, {message, code}).are_alike) return;
  find_difference(comm, {{"call", "", 0, [] { return std::string("another one"); }}});
}

void fail(MPI_Comm comm, std::string const& message, ErrorCode code) {
  Communicator const all = Communicator::duplicate(comm);
  agree(all, message.empty() ? "an error without a message" : message, code);
  throw Error(message, code);  // not reached: agree() has thrown
}

namespace {

/// Two values of an entry, and the ranks that gave them. Collective.
std::string difference(Comm const& comm, Alike const& entry) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  std::vector<std::uint64_t> all(static_cast<std::size_t>(ranks));
  gather_to_all(comm, &entry.fingerprint, all.data(), sizeof entry.fingerprint);
  auto const other = std::find_if(all.begin(), all.end(), [&](auto v) { return v != all[0]; });
  std::vector<int> of_first, of_other, of_more;
  for (int rank = 0; rank < ranks; ++rank) {
    std::uint64_t const value = all[static_cast<std::size_t>(rank)];
    (value == all[0] ? of_first : value == *other ? of_other : of_more).push_back(rank);
  }
  constexpr std::size_t most = 200;  // characters of a value
  std::string mine = entry.words();
  if (mine.size() > most) mine = mine.substr(0, most) + "...";
  std::string const first = broadcast(comm, mine, 0);
  std::string const second = broadcast(comm, mine, of_other.front());
  return text(entry.argument, ": all ranks must give the same", entry.part.empty() ? "" : " ",
              entry.part, "; ", first, " was given on ", ranks_in_words(of_first), ", ",
              second == first ? "another" : second, " on ", ranks_in_words(of_other),
              of_more.empty() ? "" : ", others on " + ranks_in_words(of_more));
}

}  // namespace

void require_alike(Comm const& comm, std::vector<Alike> const& entries) {
  std::uint64_t all = entries.size();
  for (Alike const& entry : entries) all = all * 0x100000001b3ull ^ entry.fingerprint;
  if (begin(comm, {.fingerprint = all}).are_alike) return;
  find_difference(comm, entries);
  throw AgreedError("internal: the ranks' arguments differ", ErrorCode::internal);
}

void find_difference(Comm const& comm, std::vector<Alike> const& entries) {
  auto count = static_cast<Index>(entries.size());
  reduce_to_all(comm, &count, 1, MPI_INT64_T, MPI_MIN);
  std::vector<std::uint64_t> each;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
    each.insert(each.end(), {entries[i].fingerprint, ~entries[i].fingerprint});
  reduce_to_all(comm, each.data(), 2 * count, MPI_UINT64_T, MPI_MIN);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
    if (each[2 * i] != ~each[2 * i + 1]) throw AgreedError(difference(comm, entries[i]));
}

}  // namespace sixstep::mpi
