// SPDX-License-Identifier: BSD-3-Clause
// Staged exchanges among ranks of a node, in which a test plays the other ranks: it reads and
// writes their messages in the stage when it likes.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "cases.hpp"
#include "device/backend.hpp"
#include "device/staged.hpp"
#include "exchange/strategy.hpp"
#include "ranks.hpp"
#include "tested_device.hpp"

namespace sixstep::on_devices {
namespace {

using cases::Random;
using device::Note;
using device::StagedMessage;
using redistribution::Message;
using redistribution::Windows;
using Element = std::uint64_t;
using Elements = std::vector<Element>;

/// Messages that a rank sends, or that it receives, one behind the other in its buffer and in the
/// stage.
struct Played {
  device::Backend& backend;
  int windows;
  std::deque<Note> notes = {};
  device::StagingBuffer stage = {};
  exchange::Traffic traffic = {};
  Index size = 0;
  std::shared_ptr<std::byte> on_host = {}, on_device = {};
  std::unique_ptr<exchange::Strategy> strategy = {};

  Played(device::Backend& of, Random& random, bool sends)
      : backend(of), windows(random.between(1, 3)) {
    std::vector<Message> messages;
    for (int rank = 1; rank < 4; ++rank)
      for (int window = 0; window < windows; ++window) {
        if (random.once_in(3)) continue;
        Index const count = random.between(Index{1}, Index{400});
        messages.push_back({.rank = rank, .offset = size, .count = count, .behind = window});
        size += count;
      }
    on_host = backend.allocate_pinned(at(size + 1));
    on_device = backend.allocate(at(size + 1));
    stage.element_bytes = sizeof(Element);
    for (Message const& message : messages) {
      Note& note = notes.emplace_back();
      note.bytes = at(message.count);
      note.behind = message.behind;
      (sends ? stage.sends : stage.receives)
          .push_back({message, on_host.get() + at(message.offset), &note});
    }
    traffic.comm = MPI_COMM_SELF;
    traffic.element = MPI_UINT64_T;
    traffic.cuts.before.windows = traffic.cuts.behind.windows = windows;
    strategy = device::make_staged(
        backend, exchange::make_pairwise(device::by_messages(traffic, stage)), traffic, stage);
  }

  static std::size_t at(Index element) {
    return static_cast<std::size_t>(element) * sizeof(Element);
  }
  std::uint64_t chunks(StagedMessage const& staged) const {
    return (staged.note->bytes + backend.copy_bytes() - 1) / backend.copy_bytes();
  }
  void copy(void* to, void const* from) const {
    auto const queue = backend.make_queue();
    queue->copy(to, from, at(size));
    queue->finish();
  }
  void put(Elements const& elements) const {
    auto const pinned = backend.allocate_pinned(at(size + 1));
    std::memcpy(pinned.get(), elements.data(), at(size));
    copy(on_device.get(), pinned.get());
  }
  Elements got() const {
    auto const pinned = backend.allocate_pinned(at(size + 1));
    copy(pinned.get(), on_device.get());
    Elements elements(static_cast<std::size_t>(size));
    std::memcpy(elements.data(), pinned.get(), at(size));
    return elements;
  }
  void begin() const {
    strategy->begin(on_device.get(), on_device.get());
    strategy->allow(exchange::all_windows, exchange::all_windows);
  }
  /// Calls progress() until this holds, and some times more.
  template <class Holds>
  void progress_until(Holds const& holds) const {
    while (!holds()) strategy->progress();
    for (int i = 0; i < 20; ++i) strategy->progress();
  }
};

Elements random_elements(Random& random, Index count) {
  Elements elements;
  for (Index i = 0; i < count; ++i)
    elements.push_back(static_cast<Element>(random.between(Index{0}, Index{1} << 62)));
  return elements;
}

/// The backend of the tested device, if there is one for this rank.
device::Backend& tested_backend() {
  int const gpu = take_gpu(ranks::rank());
  return device::backend(tested_device(), std::max(gpu, 0));
}

// The next exchange writes there, so this one may not end before.
TEST(device_staged, messages_stay_in_the_stage_until_each_has_been_read) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    Played played(tested_backend(), random, true);
    if (played.stage.sends.empty()) continue;
    Windows const last = redistribution::bit(played.windows - 1);
    for (std::uint64_t execution = 1; execution <= 3; ++execution) {
      Elements const elements = random_elements(random, played.size);
      played.put(elements);
      played.begin();
      std::vector<StagedMessage> unread = played.stage.sends;
      random.shuffle(unread);
      played.progress_until([&] {
        return std::ranges::all_of(unread, [&](StagedMessage const& staged) {
          return staged.note->written == execution * played.chunks(staged);
        });
      });
      while (!unread.empty()) {
        EXPECT_EQ(played.strategy->sent() & last, 0u) << "seed " << seed;
        auto const& [message, on_host, note] = unread.back();
        EXPECT_EQ(std::memcmp(on_host, elements.data() + message.offset, note->bytes), 0)
            << "seed " << seed;
        note->read.store(note->written);
        unread.pop_back();
        played.progress_until([] { return true; });
      }
      EXPECT_EQ(played.strategy->sent(), exchange::all_windows) << "seed " << seed;
      played.strategy->finish();
    }
  }
}

TEST(device_staged, a_chunk_is_read_when_it_has_been_written) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    Played played(tested_backend(), random, false);
    std::size_t const chunk_bytes = played.backend.copy_bytes();
    for (int execution = 1; execution <= 3; ++execution) {
      Elements const elements = random_elements(random, played.size);
      std::memset(played.on_host.get(), 0, Played::at(played.size));
      played.begin();
      std::vector<StagedMessage> unwritten = played.stage.receives;
      std::vector<std::size_t> begins(unwritten.size(), 0);
      random.shuffle(unwritten);
      while (!unwritten.empty()) {
        std::size_t const i =
            static_cast<std::size_t>(random.between(0, static_cast<int>(unwritten.size()) - 1));
        StagedMessage const staged = unwritten[i];
        Note* const note = staged.note;
        std::size_t const bytes = std::min(chunk_bytes, note->bytes - begins[i]);
        auto const* const from =
            reinterpret_cast<std::byte const*>(elements.data() + staged.message.offset);
        std::memcpy(staged.on_host + begins[i], from + begins[i], bytes);
        note->written.fetch_add(1);
        begins[i] += bytes;
        played.progress_until([&] { return note->read >= note->written; });
        EXPECT_EQ(note->read, note->written) << "seed " << seed;
        bool const is_last = unwritten.size() == 1 && begins[i] == note->bytes;
        EXPECT_EQ(played.strategy->arrived() == exchange::all_windows, is_last) << "seed " << seed;
        if (begins[i] < note->bytes) continue;
        unwritten.erase(unwritten.begin() + static_cast<std::ptrdiff_t>(i));
        begins.erase(begins.begin() + static_cast<std::ptrdiff_t>(i));
      }
      played.strategy->finish();
      EXPECT_EQ(played.got(), elements) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace sixstep::on_devices
