// SPDX-License-Identifier: BSD-3-Clause
// Calls to NCCL. The sends and receives of a group happen at the same time.
#include "cuda/nccl_peers.hpp"

#include "sixstep/error.hpp"

#ifdef SIXSTEP_HAVE_NCCL

#include <nccl.h>

#include <cstring>

#include "base/loaded_library.hpp"

namespace sixstep::device {

namespace {

/// NCCL's functions, as nccl.h declares them.
struct NcclLibrary {
  decltype(&ncclGetUniqueId) get_unique_id;
  decltype(&ncclCommInitRank) init_rank;
  decltype(&ncclCommDestroy) destroy;
  decltype(&ncclGroupStart) group_start;
  decltype(&ncclGroupEnd) group_end;
  decltype(&ncclSend) send;
  decltype(&ncclRecv) receive;
  decltype(&ncclGetErrorString) error_string;
};

NcclLibrary load() {
  LoadedLibrary const library(text("libnccl.so.", NCCL_MAJOR), SIXSTEP_CUDA_LIBRARY_DIR);
  NcclLibrary found{};
  library.find(found.get_unique_id, "ncclGetUniqueId");
  library.find(found.init_rank, "ncclCommInitRank");
  library.find(found.destroy, "ncclCommDestroy");
  library.find(found.group_start, "ncclGroupStart");
  library.find(found.group_end, "ncclGroupEnd");
  library.find(found.send, "ncclSend");
  library.find(found.receive, "ncclRecv");
  library.find(found.error_string, "ncclGetErrorString");
  return found;
}

/// Loads NCCL when ranks first exchange by it.
NcclLibrary const& nccl() {
  static NcclLibrary const loaded = load();
  return loaded;
}

void check(ncclResult_t status, char const* what) {
  if (status == ncclSuccess) return;
  throw Error(text("NCCL: ", what, ": ", nccl().error_string(status)), ErrorCode::library);
}

class NcclPeers : public Peers {
 public:
  NcclPeers(ncclUniqueId const& id, int peers, int number) : Peers(number) {
    check(nccl().init_rank(&comm_, peers, id, number), "ranks that exchange by it");
  }
  ~NcclPeers() override { nccl().destroy(comm_); }
  NcclPeers(NcclPeers const&) = delete;

  ncclComm_t get() const { return comm_; }

 private:
  ncclComm_t comm_ = nullptr;
};

}  // namespace

bool has_nccl() {
  try {
    nccl();
    return true;
  } catch (Error const&) {
    return false;
  }
}

Invitation nccl_invitation() {
  ncclUniqueId id;
  check(nccl().get_unique_id(&id), "an id");
  Invitation invitation;
  static_assert(sizeof id == sizeof invitation);
  std::memcpy(&invitation, &id, sizeof id);
  return invitation;
}

std::unique_ptr<Peers> join_by_nccl(Invitation const& invitation, int peers, int number) {
  ncclUniqueId id;
  std::memcpy(&id, &invitation, sizeof id);
  return std::make_unique<NcclPeers>(id, peers, number);
}

void exchange_by_nccl(Peers& peers, Parcels const& sends, std::byte* source,
                      Parcels const& receives, std::byte* target, cudaStream_t stream) {
  ncclComm_t const comm = static_cast<NcclPeers&>(peers).get();
  check(nccl().group_start(), "a group");
  for (Parcel const& parcel : sends)
    check(nccl().send(source + parcel.offset, parcel.bytes, ncclInt8, parcel.peer, comm, stream),
          "a send");
  for (Parcel const& parcel : receives)
    check(nccl().receive(target + parcel.offset, parcel.bytes, ncclInt8, parcel.peer, comm, stream),
          "a receive");
  check(nccl().group_end(), "sends and receives");
}

}  // namespace sixstep::device

#else

namespace sixstep::device {

namespace {

[[noreturn]] void refuse() {
  throw Error("device: this library was built without NCCL (nccl.h was not found)",
              ErrorCode::library);
}

}  // namespace

bool has_nccl() { return false; }
Invitation nccl_invitation() { refuse(); }
std::unique_ptr<Peers> join_by_nccl(Invitation const&, int, int) { refuse(); }
void exchange_by_nccl(Peers&, Parcels const&, std::byte*, Parcels const&, std::byte*,
                      cudaStream_t) {
  refuse();
}

}  // namespace sixstep::device

#endif
