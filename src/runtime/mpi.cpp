// SPDX-License-Identifier: BSD-3-Clause
// MPI handles, time-outs, agreement between ranks, large counts.
#include "runtime/mpi.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "runtime/environment.hpp"

namespace sixstep::mpi {

namespace {

constexpr char const* timeout = "SIXSTEP_TIMEOUT";

double seconds_of(std::string_view word) {
  double seconds = 0;
  char const* const end = word.data() + word.size();
  auto const [stop, failure] = std::from_chars(word.data(), end, seconds, std::chars_format::fixed);
  require(failure == std::errc() && stop == end && std::isfinite(seconds) && seconds > 0, timeout,
          ": a positive number of seconds is needed, '", word, "' was given");
  return seconds;
}

void finish(Comm const& comm, MPI_Request collective) {
  wait_all({&collective, 1}, comm.patience(), [&] {
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    return text("all ", ranks, " ranks to come together, as they do to plan and to allocate: ",
                "MPI does not tell who is late");
  });
}

/// Processes that the launcher of another MPI has started do not find each other: each would take
/// the whole problem for its own.
void require_own_launcher() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > 1) return;
  for (char const* name : {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE"}) {
    int const launched = variable(name, [](char const* word) { return std::atoi(word); });
    if (launched <= 1) continue;
    std::string const mpi = library();
    throw Error(text("comm: ", launched, " processes were started (", name, "), but this MPI, ",
                     mpi.substr(0, mpi.find(',')),
                     ", sees one: start the program by the mpiexec of the MPI it is linked with"));
  }
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

std::string library() {
  char words[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(words, &length);
  // The first line is what it is, the others how it was configured.
  std::string line(words, static_cast<std::size_t>(length));
  line.resize(std::min(line.size(), line.find('\n')));
  std::replace(line.begin(), line.end(), '\t', ' ');
  return line;
}

namespace {

/// Whether a variable of the tools' interface is there and set: what the environment says of it
/// counts.
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
  // Not all of them have these, in whichever header.
  if (void* const asked = dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support"))
    if (reinterpret_cast<int (*)()>(asked)() != 0) return true;
  if (void* const asked = dlsym(RTLD_DEFAULT, "MPIX_GPU_query_support")) {
    constexpr int cuda = 0;  // MPIX_GPU_SUPPORT_CUDA
    int takes = 0;
    if (reinterpret_cast<int (*)(int, int*)>(asked)(cuda, &takes) == MPI_SUCCESS && takes != 0)
      return true;
  }
  // Open MPI before it had that call; Cray's and MVAPICH, which are told by their users.
  return is_set("mpi_built_with_cuda_support") || is_one("MPICH_GPU_SUPPORT_ENABLED") ||
         is_one("MV2_USE_CUDA") || is_one("MVP_USE_CUDA");
}

Communicator::Communicator(MPI_Comm owned, Patience const& patience)
    : comm_(owned), patience_(patience) {
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

Communicator::Communicator(Communicator&& other) noexcept
    : comm_(std::exchange(other.comm_, MPI_COMM_NULL)),
      rank_(other.rank_),
      size_(other.size_),
      patience_(other.patience_) {}

Communicator& Communicator::operator=(Communicator&& other) noexcept {
  std::swap(comm_, other.comm_);
  std::swap(rank_, other.rank_);
  std::swap(size_, other.size_);
  std::swap(patience_, other.patience_);
  return *this;
}

Communicator::~Communicator() {
  if (comm_ == MPI_COMM_NULL) return;
  // A plan that outlives MPI_Finalize has nothing left to free.
  if (is_running()) MPI_Comm_free(&comm_);
}

Communicator Communicator::duplicate(MPI_Comm comm) {
  require_own();
  require(is_running(), "comm: MPI must be running; call MPI_Init before making a plan");
  require(comm != MPI_COMM_NULL, "comm: a communicator is needed, MPI_COMM_NULL was given");
  require_own_launcher();
  int is_inter = 0;
  MPI_Comm_test_inter(comm, &is_inter);
  require(!is_inter, "comm: an intra-communicator is needed, an inter-communicator was given");
  meet(comm);
  MPI_Comm duplicated;
  MPI_Comm_dup(comm, &duplicated);
  Communicator made(duplicated, Comm(duplicated).patience());
  common_variable(made, timeout, seconds_of);
  return made;
}

Communicator Communicator::split(int colour) const {
  if (!patience_.is_endless()) meet(*this);
  MPI_Comm part;
  MPI_Comm_split(comm_, colour, rank_, &part);
  return Communicator(part, patience_);
}

Communicator Communicator::split_by_memory() const {
  if (!patience_.is_endless()) meet(*this);
  MPI_Comm part;
  MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &part);
  return Communicator(part, patience_);
}

Comm::Comm(MPI_Comm comm) : comm_(comm) {
  if (comm == MPI_COMM_NULL) return;
  try {
    patience_ = {variable(timeout, seconds_of), comm};
  } catch (Error const&) {
    // Not this rank's alone to tell.
  }
}

void meet(Comm const& comm) {
  require_own();
  MPI_Request request;
  MPI_Ibarrier(comm, &request);
  finish(comm, request);
}

void reduce_to_all(Comm const& comm, void* values, Index count, MPI_Datatype type, MPI_Op op) {
  require_own();
  MPI_Request request;
  MPI_Iallreduce(MPI_IN_PLACE, values, narrow(count), type, op, comm, &request);
  finish(comm, request);
}

int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

void broadcast(Comm const& comm, void* values, Index bytes, int from) {
  require_own();
  MPI_Request request;
  MPI_Ibcast(values, narrow(bytes), MPI_BYTE, from, comm, &request);
  finish(comm, request);
}

std::string broadcast(Comm const& comm, std::string text) {
  auto length = static_cast<Index>(text.size());
  broadcast(comm, &length, sizeof length);
  text.resize(static_cast<std::size_t>(length));
  broadcast(comm, text.data(), length);
  return text;
}

void gather_to_all(Comm const& comm, void const* mine, void* all, Index bytes) {
  require_own();
  MPI_Request request;
  int const count = narrow(bytes);
  MPI_Iallgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, comm, &request);
  finish(comm, request);
}

void agree(Comm const& comm, std::string const& message, ErrorCode code) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int first = message.empty() ? ranks : rank;
  reduce_to_all(comm, &first, 1, MPI_INT, MPI_MIN);
  if (first == ranks) return;
  std::string theirs = message;
  Index about[2] = {static_cast<Index>(theirs.size()), static_cast<Index>(code)};
  broadcast(comm, about, sizeof about, first);
  theirs.resize(static_cast<std::size_t>(about[0]));
  broadcast(comm, theirs.data(), about[0], first);
  throw Error(theirs, static_cast<ErrorCode>(about[1]));
}

void require_same(Comm const& comm, std::uint64_t value, std::string const& message) {
  std::uint64_t least[2] = {value, ~value};
  reduce_to_all(comm, least, 2, MPI_UINT64_T, MPI_MIN);
  require(least[0] == ~least[1], message);
}

int narrow(Index value) {
  require_internal(value >= 0 && value <= largest_count, value, " does not fit an MPI count");
  return static_cast<int>(value);
}

namespace {

/// Puts `next` in the place of a type that is no longer needed.
void replace(MPI_Datatype& type, MPI_Datatype next) {
  if (type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
  type = next;
}

/// `count` elements one behind the other.
MPI_Datatype contiguous(MPI_Datatype element, Index count, Index limit) {
  MPI_Datatype all;
  if (count <= limit) {
    MPI_Type_contiguous(narrow(count), element, &all);
    return all;
  }
  MPI_Aint lower = 0, extent = 0;
  MPI_Type_get_extent(element, &lower, &extent);
  Index const whole = count / limit;  // pieces of `limit`, then the rest
  Index const rest = count % limit;
  MPI_Datatype piece, pieces;
  MPI_Type_contiguous(narrow(limit), element, &piece);
  MPI_Type_contiguous(narrow(whole), piece, &pieces);
  int const lengths[2] = {1, narrow(rest)};
  MPI_Aint const places[2] = {0, whole * limit * extent};
  MPI_Datatype const types[2] = {pieces, element};
  MPI_Type_create_struct(2, lengths, places, types, &all);
  MPI_Type_free(&piece);
  MPI_Type_free(&pieces);
  return all;
}

}  // namespace

DerivedType::DerivedType(MPI_Datatype element, Rows const& rows, Index displacement, Index limit) {
  MPI_Aint lower = 0, extent = 0;
  MPI_Type_get_extent(element, &lower, &extent);
  bool const dense = !rows.empty() && rows.back().stride == 1;
  type_ = contiguous(element, dense ? rows.back().count : 1, limit);
  for (std::size_t i = rows.size() - (dense ? 1 : 0); i-- > 0;) {
    MPI_Datatype next;
    MPI_Type_create_hvector(narrow(rows[i].count), 1, rows[i].stride * extent, type_, &next);
    replace(type_, next);
  }
  MPI_Aint const place = displacement * extent;
  MPI_Datatype placed;
  MPI_Type_create_hindexed_block(1, 1, &place, type_, &placed);
  replace(type_, placed);
  MPI_Type_commit(&type_);
}

DerivedType DerivedType::with_gap(MPI_Datatype element, Index count, Index limit) {
  DerivedType made(element, {{count, 1}}, 0, limit);
  MPI_Aint lower = 0, extent = 0;
  MPI_Type_get_extent(element, &lower, &extent);
  MPI_Datatype spaced;
  MPI_Type_create_resized(made.type_, 0, (count + 1) * extent, &spaced);
  replace(made.type_, spaced);
  MPI_Type_commit(&made.type_);
  return made;
}

DerivedType::DerivedType(DerivedType&& other) noexcept
    : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}

DerivedType::~DerivedType() {
  if (type_ != MPI_DATATYPE_NULL && is_running()) MPI_Type_free(&type_);
}

}  // namespace sixstep::mpi
