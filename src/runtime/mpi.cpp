// SPDX-License-Identifier: BSD-3-Clause
// MPI handles, agreement between ranks, large counts.
#include "runtime/mpi.hpp"

#include <utility>

namespace sixstep::mpi {

Communicator::Communicator(MPI_Comm owned) : comm_(owned) {
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

Communicator::Communicator(Communicator&& other) noexcept
    : comm_(std::exchange(other.comm_, MPI_COMM_NULL)), rank_(other.rank_), size_(other.size_) {}

Communicator& Communicator::operator=(Communicator&& other) noexcept {
  std::swap(comm_, other.comm_);
  std::swap(rank_, other.rank_);
  std::swap(size_, other.size_);
  return *this;
}

Communicator::~Communicator() {
  if (comm_ == MPI_COMM_NULL) return;
  int finalized = 0;  // a plan that outlives MPI_Finalize has nothing left to free
  MPI_Finalized(&finalized);
  if (!finalized) MPI_Comm_free(&comm_);
}

Communicator Communicator::duplicate(MPI_Comm comm) {
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  require(initialized && !finalized,
          "comm: MPI must be running; call MPI_Init before making a plan");
  require(comm != MPI_COMM_NULL, "comm: a communicator is needed, MPI_COMM_NULL was given");
  int is_inter = 0;
  MPI_Comm_test_inter(comm, &is_inter);
  require(!is_inter, "comm: an intra-communicator is needed, an inter-communicator was given");
  MPI_Comm duplicated;
  MPI_Comm_dup(comm, &duplicated);
  return Communicator(duplicated);
}

Communicator Communicator::split(int colour) const {
  MPI_Comm part;
  MPI_Comm_split(comm_, colour, rank_, &part);
  return Communicator(part);
}

void agree(MPI_Comm comm, std::string const& message, ErrorCode code) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int const mine = message.empty() ? ranks : rank;
  int first = 0;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == ranks) return;
  std::string theirs = message;
  int about[2] = {narrow(static_cast<Index>(theirs.size())), static_cast<int>(code)};
  MPI_Bcast(about, 2, MPI_INT, first, comm);
  theirs.resize(static_cast<std::size_t>(about[0]));
  MPI_Bcast(theirs.data(), about[0], MPI_CHAR, first, comm);
  throw Error(theirs, static_cast<ErrorCode>(about[1]));
}

void require_same(MPI_Comm comm, std::uint64_t value, std::string const& message) {
  std::uint64_t const mine[2] = {value, ~value};
  std::uint64_t least[2];
  MPI_Allreduce(mine, least, 2, MPI_UINT64_T, MPI_MIN, comm);
  require(least[0] == ~least[1], message);
}

void wait_all(std::span<MPI_Request> requests) {
  MPI_Waitall(narrow(static_cast<Index>(requests.size())), requests.data(), MPI_STATUSES_IGNORE);
}

int narrow(Index value) {
  require_internal(value >= 0 && value <= largest_count, value, " does not fit an MPI count");
  return static_cast<int>(value);
}

LargeType::LargeType(MPI_Datatype element, Index count, Index displacement, Index limit) {
  MPI_Aint lower = 0, extent = 0;
  MPI_Type_get_extent(element, &lower, &extent);
  Index const whole = count / limit;  // pieces of `limit`, then the rest
  Index const rest = count % limit;
  MPI_Datatype piece, pieces;
  MPI_Type_contiguous(narrow(limit), element, &piece);
  MPI_Type_contiguous(narrow(whole), piece, &pieces);
  int const lengths[2] = {1, narrow(rest)};
  MPI_Aint const places[2] = {displacement * extent, (displacement + whole * limit) * extent};
  MPI_Datatype const types[2] = {pieces, element};
  MPI_Type_create_struct(2, lengths, places, types, &type_);
  MPI_Type_commit(&type_);
  MPI_Type_free(&piece);
  MPI_Type_free(&pieces);
}

LargeType::LargeType(LargeType&& other) noexcept
    : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}

LargeType::~LargeType() {
  if (type_ == MPI_DATATYPE_NULL) return;
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (!finalized) MPI_Type_free(&type_);
}

}  // namespace sixstep::mpi
