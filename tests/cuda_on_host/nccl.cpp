// SPDX-License-Identifier: BSD-3-Clause
// NCCL, as far as sixstep calls it: ranks write on a board, which all can see, where what they send
// is, and take what is for them, when their streams get there.
#include <nccl.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <utility>
#include <vector>

#include "device.hpp"

using namespace cuda_on_host;

namespace {

/// What one rank has for another.
struct Note {
  std::atomic<std::uint64_t> posted, taken;
  Address address;
  std::uint64_t offset, bytes;
};

}  // namespace

struct ncclComm {
  int ranks, rank, gpu;
  Note* notes;
  std::shared_ptr<Moment const> last;
  std::uint64_t groups = 0, ended = 0;

  Note& note(int from, int to) const { return notes[from * ranks + to]; }
};

namespace {

struct Part {
  bool is_sent;
  std::byte* place;
  std::size_t bytes;
  int peer;
};
struct Group {
  int depth = 0;
  std::vector<Part> parts;
  ncclComm* comm = nullptr;
  cudaStream_t stream = nullptr;
};
thread_local Group group;

std::atomic<std::size_t> comms = 0;
[[gnu::destructor]] void end() { expect_none("communicators of NCCL", comms); }

std::size_t board_bytes(int ranks) {
  return static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks) * sizeof(Note);
}

void post(ncclComm const& comm, Part const& part) {
  expect_reach(comm.gpu, part.place, part.bytes, "what NCCL sends");
  Memory const* const memory = find(part.place);
  Note& mine = comm.note(comm.rank, part.peer);
  if (!address_of(memory->begin, mine.address)) stop("NCCL sends what is no memory of a GPU");
  mine.offset = static_cast<std::uint64_t>(part.place - memory->begin);
  mine.bytes = part.bytes;
  ++mine.posted;
}

void take(ncclComm const& comm, Part const& part) {
  expect_reach(comm.gpu, part.place, part.bytes, "what NCCL receives");
  Note& theirs = comm.note(part.peer, comm.rank);
  if (theirs.bytes != part.bytes)
    stop(words("NCCL: ", theirs.bytes, " bytes were sent where ", part.bytes, " are received"));
  std::byte* const memory = open(theirs.address);
  if (!memory) stop("NCCL: memory of another rank cannot be opened");
  // What was opened just now is open as long as streams run.
  std::memcpy(part.place, memory + theirs.offset, part.bytes);
  close(memory);
  ++theirs.taken;
}

/// The first parts of all pairs go at the same time, then the second ones ...
void put_group(ncclComm& comm, Stream& stream, std::vector<Part> parts) {
  put(stream, {nullptr, {}, [&comm, turn = comm.groups++] { return comm.ended == turn; }});
  while (!parts.empty()) {
    std::vector<Part> first, rest;
    for (Part const& part : parts) {
      bool has_one = false;
      for (Part const& it : first)
        has_one = has_one || (it.peer == part.peer && it.is_sent == part.is_sent);
      (has_one ? rest : first).push_back(part);
    }
    parts = rest;
    put(stream, {[&comm, first] {
          for (Part const& part : first)
            if (part.is_sent) post(comm, part);
        }});
    for (Part const& part : first)
      if (!part.is_sent) {
        Note const& theirs = comm.note(part.peer, comm.rank);
        put(stream, {[&comm, part] { take(comm, part); },
                     {},
                     [&] { return theirs.posted > theirs.taken; }});
      }
    for (Part const& part : first)
      if (part.is_sent) {
        Note const& mine = comm.note(comm.rank, part.peer);
        put(stream, {nullptr, {}, [&] { return mine.taken == mine.posted; }});
      }
  }
  comm.last = put(stream, {[&comm] { ++comm.ended; }});
}

ncclResult_t add(bool is_sent, void* place, std::size_t count, ncclDataType_t type, int peer,
                 ncclComm* comm, cudaStream_t stream) {
  if (!comm || peer < 0 || peer >= comm->ranks || type != ncclInt8) return ncclInvalidArgument;
  if (peer == comm->rank) stop("NCCL: a message of a rank to itself, which is not emulated");
  if (count > 0 && !place) return ncclInvalidArgument;
  if (group.depth == 0) stop("NCCL: a send or a receive outside of a group");
  if (group.comm && (group.comm != comm || group.stream != stream))
    stop("NCCL: a group of several communicators or streams");
  group.comm = comm, group.stream = stream;
  if (count > 0) group.parts.push_back({is_sent, static_cast<std::byte*>(place), count, peer});
  return ncclSuccess;
}

}  // namespace

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  constexpr int most_ranks = 64;
  if (!id) return ncclInvalidArgument;
  std::size_t const bytes = board_bytes(most_ranks);
  Address const address{getpid(), make_shared_file(bytes), bytes, 0};
  if (address.file < 0) return ncclSystemError;
  static_assert(sizeof address <= sizeof id->internal);
  std::memset(id, 0, sizeof *id);
  std::memcpy(id->internal, &address, sizeof address);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  if (!comm || ranks < 1 || rank < 0 || rank >= ranks) return ncclInvalidArgument;
  Address address;
  std::memcpy(&address, id.internal, sizeof address);
  if (board_bytes(ranks) > address.bytes) return ncclInternalError;
  int const file = file_of(address);
  std::byte* const board = file < 0 ? nullptr : map_shared(file, address.bytes);
  if (!board) return ncclSystemError;
  auto* const made =
      new ncclComm{ranks, rank, current_gpu(), reinterpret_cast<Note*>(board), nullptr};
  // A rank's own note says which GPU it has.
  Note& mine = made->note(rank, rank);
  mine.bytes = static_cast<std::uint64_t>(made->gpu);
  ++mine.posted;
  *comm = made;
  ++comms;
  bool has_shared_gpu = false;
  for (int peer = 0; peer < ranks; ++peer) {
    while (made->note(peer, peer).posted == 0) sched_yield();
    for (int other = 0; other < peer; ++other)
      has_shared_gpu |= made->note(peer, peer).bytes == made->note(other, other).bytes;
  }
  ::close(file);
  // Then the file is nobody's any more.
  ++mine.taken;
  for (int peer = 0; peer < ranks; ++peer)
    while (made->note(peer, peer).taken == 0) sched_yield();
  if (rank == 0) ::close(static_cast<int>(address.file));
  return has_shared_gpu ? ncclInvalidUsage : ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  if (!comm) return ncclInvalidArgument;
  if (comm->last && !comm->last->has_come)
    stop("NCCL: a communicator is destroyed while it is used");
  delete comm;
  --comms;
  return ncclSuccess;
}

ncclResult_t ncclGroupStart() {
  ++group.depth;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  if (group.depth == 0) return ncclInvalidUsage;
  if (--group.depth > 0) return ncclSuccess;
  Group const ended = std::move(group);
  group = {};
  if (ended.parts.empty()) return ncclSuccess;
  std::lock_guard const lock(mutex());
  Stream* const stream = stream_of(ended.stream);
  if (!stream || stream->gpu != ended.comm->gpu) return ncclInvalidArgument;
  put_group(*ended.comm, *stream, ended.parts);
  return ncclSuccess;
}

ncclResult_t ncclSend(void const* from, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
  return add(true, const_cast<void*>(from), count, type, peer, comm, stream);
}
ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return add(false, to, count, type, peer, comm, stream);
}

char const* ncclGetErrorString(ncclResult_t) { return "error of NCCL on the host"; }
