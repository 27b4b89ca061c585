// SPDX-License-Identifier: BSD-3-Clause
// MPI handles that own what they hold, ranks that fail together, and the one place where counts are
// narrowed to MPI's int.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <exception>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "sixstep/layout.hpp"

namespace sixstep::mpi {

/// A communicator that is freed with the object.
class Communicator {
 public:
  Communicator() = default;
  ~Communicator();
  Communicator(Communicator&& other) noexcept;
  Communicator& operator=(Communicator&& other) noexcept;

  /// A duplicate of the user's. Collective. Errors: MPI is not running; a null or
  /// inter-communicator.
  static Communicator duplicate(MPI_Comm comm);
  /// One that is to be freed with the object from now on.
  static Communicator own(MPI_Comm comm) { return Communicator(comm); }
  /// The ranks that give the same colour, in the same order. Collective.
  Communicator split(int colour) const;

  MPI_Comm get() const { return comm_; }
  operator MPI_Comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }

 private:
  explicit Communicator(MPI_Comm owned);

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 0;
};

/// Throws Error on every rank, with the message and the code of the lowest rank whose `message` is
/// not empty; returns if there is none. Collective.
void agree(MPI_Comm comm, std::string const& message, ErrorCode code = ErrorCode::argument);

/// Runs `action` on every rank; if it throws anywhere, every rank throws Error. Collective;
/// `action` itself must not communicate before it throws.
template <class Action>
void together(MPI_Comm comm, Action const& action) {
  std::string message;
  ErrorCode code = ErrorCode::internal;
  auto const take = [&](std::exception const& error) {
    message = error.what();
    if (message.empty()) message = "an error without a message";
  };
  try {
    action();
  } catch (Error const& error) {
    take(error);
    code = error.code();
  } catch (std::bad_alloc const&) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    message = text("memory: rank ", rank, " could not get what it needs");
    code = ErrorCode::memory;
  } catch (std::exception const& error) {
    take(error);
  }
  agree(comm, message, code);
}

/// Throws Error on every rank unless all gave the same value. Collective.
void require_same(MPI_Comm comm, std::uint64_t value, std::string const& message);

/// Waits for all these requests: the only place where the library waits for messages.
void wait_all(std::span<MPI_Request> requests);

/// An MPI count or displacement; the value is known to fit.
int narrow(Index value);

/// A derived type of `count` elements that begins `displacement` elements behind the buffer's
/// address, made of pieces of at most `limit` elements, so that counts beyond an int can be sent as
/// one.
class LargeType {
 public:
  LargeType(MPI_Datatype element, Index count, Index displacement, Index limit);
  ~LargeType();
  LargeType(LargeType&& other) noexcept;
  LargeType& operator=(LargeType&&) = delete;
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// The most elements one MPI call is given.
inline constexpr Index largest_count = std::numeric_limits<int>::max();

/// The types of reals of 4 or 8 bytes, and of complex numbers made of them.
inline MPI_Datatype real_type(int real_bytes) { return real_bytes == 4 ? MPI_FLOAT : MPI_DOUBLE; }
inline MPI_Datatype complex_type(int real_bytes) {
  return real_bytes == 4 ? MPI_C_FLOAT_COMPLEX : MPI_C_DOUBLE_COMPLEX;
}

}  // namespace sixstep::mpi
