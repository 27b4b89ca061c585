// SPDX-License-Identifier: BSD-3-Clause
// Adoption: ranks tell each other where their arrays lie, the first reserves room in the arena, and
// all map the arrays there.
#include "runtime/adoption.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <exception>
#include <optional>
#include <vector>

#include "runtime/openable.hpp"

namespace sixstep {

namespace {

using Held = std::shared_ptr<std::byte>;
constexpr char const* adoption_name = "the sharing of new arrays";
constexpr std::uint64_t no_room = UINT64_MAX;

/// An array of this rank, and what is known of it in an arena.
struct ArrayHere {
  Held memory;                         // where it is reached, or the program's own address
  std::shared_ptr<Openable> openable;  // null if this rank did not allocate it alone
  bool is_offered = false;             // nothing has been tried yet
  std::uint64_t number = 0;            // in the arena
};

ArrayHere array_here(NodeMemory const& memory, NodeMemory::Array const& array) {
  ArrayHere found{borrowed(array.memory), find_openable(array.memory)};
  if (found.openable && found.openable->bytes() < array.bytes) found.openable = nullptr;
  if (found.openable) {
    auto const adopted = found.openable->adopted_by(memory.arena());
    found.is_offered = !adopted;
    if (adopted && adopted->memory) found.memory = adopted->memory;
    if (adopted && !adopted->memory) found.openable = nullptr;
  }
  found.number = memory.arena().number_of(found.memory.get(), array.bytes);
  return found;
}

/// The facts that a rank tells the others about one array, and about both.
struct Told {
  std::uint64_t number;
  OpenableRange range;  // of no bytes: the array cannot be adopted
};
struct Message {
  std::array<Told, 2> arrays;
  std::uint64_t in_place;
  std::uint64_t room[2];  // offsets in the arena; told by the first rank
};
static_assert(sizeof(Message) <= sizeof(NodeMemory::Note));

void tell(NodeMemory& memory, Message const& message) {
  NodeMemory::Note note{};
  std::memcpy(note.data(), &message, sizeof message);
  memory.arrive(offered, note);
  memory.wait(adoption_name);
}

std::vector<Message> told(NodeMemory const& memory) {
  std::vector<Message> all(static_cast<std::size_t>(memory.places()));
  for (int place = 0; place < memory.places(); ++place) {
    void* const message = &all[static_cast<std::size_t>(place)];
    std::memcpy(message, memory.note_of(place).data(), sizeof(Message));
  }
  return all;
}

/// One array on all ranks.
struct Joint {
  bool is_alike = true;     // the arena has it already
  bool is_openable = true;  // it can be adopted
  std::size_t most_bytes = 0;
  std::vector<OpenableRange> ranges;
};

Joint joint(std::vector<Message> const& all, std::size_t i) {
  Joint found;
  for (Message const& message : all) {
    Told const& array = message.arrays[i];
    found.is_alike =
        found.is_alike && array.number != 0 && array.number == all.front().arrays[i].number;
    found.is_openable = found.is_openable && array.range.bytes > 0;
    found.most_bytes = std::max<std::size_t>(found.most_bytes, array.range.bytes);
    found.ranges.push_back(array.range);
  }
  return found;
}

/// One adoption, as one rank sees it.
class Adoption {
 public:
  Adoption(NodeMemory& memory, NodeMemory::Array const& in, NodeMemory::Array const& out)
      : memory_(memory), arrays_{array_here(memory, in), array_here(memory, out)} {
    message_.in_place = in.memory == out.memory ? 1 : 0;
    for (std::size_t i = 0; i < 2; ++i) {
      message_.arrays[i].number = arrays_[i].number;
      if (arrays_[i].openable) message_.arrays[i].range = arrays_[i].openable->range();
    }
  }

  /// Adopts the arrays, and returns where this rank reaches them.
  Reached run() {
    bool const done = agree();
    for (std::size_t i = 0; i < count(); ++i)
      if (arrays_[i].openable && !joint_[i].is_alike)
        arrays_[i].openable->adopt({memory_.arena().weak_from_this(), done ? mapped_[i] : nullptr});
    return done ? Reached{memory_of(0), memory_of(count() - 1), offered} : Reached{};
  }

 private:
  static constexpr std::uint64_t all_done = 2;

  /// Whether all ranks have mapped what they had to.
  bool agree() {
    tell(memory_, message_);
    std::vector<Message> const all = told(memory_);
    joint_ = {joint(all, 0), joint(all, 1)};
    auto const is_alike = [&](Message const& one) { return one.in_place == message_.in_place; };
    if (!std::ranges::all_of(all, is_alike) || !std::ranges::all_of(joint_, is_possible))
      return false;
    reserve();
    tell(memory_, message_);
    bool const done = map(told(memory_).front());
    memory_.arrive(done ? all_done : 0);
    return memory_.wait(adoption_name) && done;
  }

  static bool is_possible(Joint const& array) { return array.is_alike || array.is_openable; }
  /// Input and output may be one array.
  std::size_t count() const { return message_.in_place ? 1 : 2; }

  /// Where this rank reaches the array after all have succeeded.
  Held const& memory_of(std::size_t i) const {
    return joint_[i].is_alike ? arrays_[i].memory : mapped_[i];
  }

  void reserve() {
    for (std::size_t i = 0; i < count() && memory_.place() == 0; ++i)
      if (!joint_[i].is_alike)
        message_.room[i] = memory_.arena().reserve_here(joint_[i].most_bytes).value_or(no_room);
  }

  bool map(Message const& first) {
    bool done = true;
    for (std::size_t i = 0; i < count(); ++i)
      if (!joint_[i].is_alike) done = map_one(i, first.room[i]) && done;
    return done;
  }

  bool map_one(std::size_t i, std::uint64_t offset) try {
    if (offset == no_room) return false;
    mapped_[i] = memory_.arena().adopt(offset, joint_[i].ranges);
    return true;
  } catch (std::exception const&) {
    return false;
  }

  NodeMemory& memory_;
  std::array<ArrayHere, 2> arrays_;
  Message message_{};
  std::array<Joint, 2> joint_;
  std::array<Held, 2> mapped_;
};

}  // namespace

std::shared_ptr<std::byte> borrowed(void const* array) {
  return {Held(), static_cast<std::byte*>(const_cast<void*>(array))};
}

Reached reach(NodeMemory const& memory, NodeMemory::Array const& in, NodeMemory::Array const& out) {
  ArrayHere const first = array_here(memory, in), second = array_here(memory, out);
  Reached found{first.memory, second.memory,
                memory.word_for({first.memory.get(), in.bytes}, {second.memory.get(), out.bytes})};
  bool const is_possible =
      (first.number != 0 || first.is_offered) && (second.number != 0 || second.is_offered);
  if (found.word == 0 && is_possible) found.word = offered;
  return found;
}

bool is_offered(NodeMemory const& memory) {
  bool one_offers = false;
  for (int place = 0; place < memory.places(); ++place) {
    std::uint64_t const word = memory.word_of(place);
    if (word == 0) return false;
    one_offers = one_offers || word == offered;
  }
  return one_offers;
}

Reached adopt(NodeMemory& memory, NodeMemory::Array const& in, NodeMemory::Array const& out) {
  return Adoption(memory, in, out).run();
}

}  // namespace sixstep
