// SPDX-License-Identifier: BSD-3-Clause
// Bundles: the messages between nodes that a rank carries, hop by hop.
//
// A bundle is sent and received where its blocks lie in the memory of the node, as a derived type.
// Knows nothing about when the memory may be read or written.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "exchange/names.hpp"
#include "redistribution/redistribution.hpp"
#include "runtime/mpi.hpp"

namespace sixstep::exchange {

/// The hops of an exchange on one rank.
struct Hops {
  mpi::Comm comm = MPI_COMM_NULL;  // outlives the exchange
  MPI_Datatype element = MPI_DATATYPE_NULL;
  std::vector<redistribution::HopMessages> messages;
  Names names = {};
  int first_tag = 0;                       // each hop has a tag
  Index count_limit = mpi::largest_count;  // per block; lower in tests of large counts
};

/// The messages of all hops. One hop is under way at a time.
class Bundles {
 public:
  /// Segments are `segment_bytes` apart. Local.
  Bundles(Hops const& hops, Index segment_bytes);

  int hops() const { return static_cast<int>(hops_.size()); }
  /// Starts a hop. Its blocks lie relative to `buffer`, which is in this rank's segment. No other
  /// hop may be under way, and all ranks take the hops in the same order.
  void begin(int hop, void* buffer);
  /// Returns when the hop's messages have come and gone.
  void finish();
  /// The messages of the hop that have not come or gone, in words.
  std::string waiting_for() const;

 private:
  /// A derived type of the blocks of a bundle.
  class Type {
   public:
    Type(redistribution::Bundle const& bundle, Hops const& hops, Index segment_bytes);
    ~Type();
    Type(Type&& other) noexcept;
    Type& operator=(Type&&) = delete;
    MPI_Datatype get() const { return type_; }

   private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
  };
  struct Call {
    int rank;
    Type type;
  };
  struct Calls {
    std::vector<Call> sends;
    std::vector<Call> receives;
  };

  mpi::Comm comm_;
  Names names_;
  int first_tag_;
  std::vector<Calls> hops_;
  int hop_ = 0;                        // the hop under way
  std::vector<MPI_Request> requests_;  // its receives, then its sends
};

}  // namespace sixstep::exchange
