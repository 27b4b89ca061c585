// SPDX-License-Identifier: BSD-3-Clause
// MPI's requests that are under way, each with what it is for.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "exchange/names.hpp"
#include "runtime/mpi.hpp"

namespace sixstep::exchange {

/// Requests that are under way, in no order. Allocates nothing after reserve().
template <class Purpose>
class UnderWay {
 public:
  /// The most that are under way at a time.
  void reserve(std::size_t most) {
    requests_.reserve(most);
    purposes_.reserve(most);
    places_.resize(most);
    ended_.reserve(most);
  }

  bool empty() const { return requests_.empty(); }
  /// Adds a request, which the caller begins before the next call.
  MPI_Request* add(Purpose const& purpose, MPI_Request request = MPI_REQUEST_NULL) {
    purposes_.push_back(purpose);
    return &requests_.emplace_back(request);
  }

  /// Removes those that have ended, and returns their purposes, valid until the next call.
  std::vector<Purpose> const& take_ended() {
    ended_.clear();
    if (empty()) return ended_;
    int count = 0;
    MPI_Testsome(mpi::narrow(static_cast<Index>(requests_.size())), requests_.data(), &count,
                 places_.data(), MPI_STATUSES_IGNORE);
    if (count <= 0) return ended_;
    // The last request moves into the place of one that has ended, so go from the back.
    std::sort(places_.begin(), places_.begin() + count);
    while (count > 0) {
      auto const place = static_cast<std::size_t>(places_[static_cast<std::size_t>(--count)]);
      ended_.push_back(purposes_[place]);
      purposes_[place] = purposes_.back();
      requests_[place] = requests_.back();
      purposes_.pop_back();
      requests_.pop_back();
    }
    return ended_;
  }

  /// Waits for all of them, removes them, and returns their purposes likewise. `words` says what is
  /// waited for.
  template <class Words>
  std::vector<Purpose> const& take_all(Patience const& patience, Words const& words) {
    mpi::wait_all(requests_, patience, words);
    ended_.assign(purposes_.begin(), purposes_.end());
    requests_.clear();
    purposes_.clear();
    return ended_;
  }

  /// Calls use(purpose) for each that is not complete.
  template <class Use>
  void for_each_late(Use const& use) const {
    for (std::size_t i = 0; i < requests_.size(); ++i)
      if (!is_complete(requests_[i])) use(purposes_[i]);
  }

 private:
  std::vector<MPI_Request> requests_;
  std::vector<Purpose> purposes_;
  std::vector<int> places_;  // of those that have ended
  std::vector<Purpose> ended_;
};

}  // namespace sixstep::exchange
