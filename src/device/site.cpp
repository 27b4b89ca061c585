// SPDX-License-Identifier: BSD-3-Clause
// The host and the devices as sites.
#include "device/site.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/words.hpp"
#include "runtime/environment.hpp"
#include "runtime/node.hpp"
#include "sixstep/error.hpp"

namespace sixstep::device {

namespace {

class HostSite final : public Site {
 public:
  int threads(int wanted) const override { return wanted; }
  AnyMemory allocate(std::size_t bytes) const override {
    Memory memory = sixstep::allocate(bytes);
    FreeMemory const free = memory.get_deleter();
    return {memory.release(), free};
  }
  std::size_t alignment() const override { return sixstep::alignment; }
  std::unique_ptr<CommonMemory> common(Node const& node, mpi::Communicator const& comm,
                                       std::size_t bytes) const override {
    return common_on_host(node, comm, bytes);
  }
  void check(char const* name, void const* array, int) const override {
    require(is_of_host(array), name,
            ": memory of the host is needed, this is a device's; see Options::device");
  }
  void const* placed(void const* table, std::size_t) override { return table; }
  void forget(void const*) override {}
  void keep_room(std::size_t, std::size_t) override {}
  std::array<void*, 3> bring(std::array<Lent, 3> const& arrays) override {
    return {arrays[0].begin, arrays[1].begin, arrays[2].begin};
  }
  void take_back(std::array<Lent, 3> const&) override {}
  std::unique_ptr<exchange::Strategy> carried(exchange::Channels const& channels,
                                              exchange::Traffic const& traffic, std::size_t,
                                              PinnedBuffers const*) const override {
    return channels.make(traffic);
  }
  std::string words(std::string const& messages) const override { return messages; }
  void finish() override {}
  void keep_errors(bool) override {}
  void throw_kept() override {}
  void throw_kept_together() override {}
  void set_stream(void*) override {
    throw Error("stream: a plan on a GPU is needed, made with device = Device::cuda");
  }
};

}  // namespace

std::unique_ptr<Site> make_site(Options const& options, mpi::Communicator const& comm) {
  if (options.device == Device::none) return std::make_unique<HostSite>();
  return std::make_unique<DeviceSite>(options, comm);
}

DeviceSite::DeviceSite(Options const& options, mpi::Communicator const& comm)
    : comm_(comm), takes_streams_(options.device == Device::cuda) {
  int const place = Node(comm_).comm().rank();
  mpi::together(comm_, [&] {
    backend_ = &device::backend(options.device, options.gpu, place);
    guarded_ = make_guarded(*backend_, errors_);
    queue_ = guarded_->make_queue();
  });
  choose_messages(options);
}

/// Not every MPI can say whether it takes device pointers, so the user may say it. Collective.
void DeviceSite::choose_messages(Options const& options) {
  using Words = std::pair<char const*, Messages>;
  auto const wanted =
      common_variable(comm_, "SIXSTEP_DEVICE_MESSAGES", [](std::string const& word) {
        for (auto const& [name, value] : {Words{"staged", Messages::staged},
                                          {"pointers", Messages::pointers},
                                          {"nccl", Messages::queues}})
          if (word == name) return static_cast<int>(value);
        throw Error(text("SIXSTEP_DEVICE_MESSAGES: staged, pointers or nccl is needed, '",
                         shortened(word), "' was given"));
      });
  user_says_so_ = wanted != 0;
  if (user_says_so_) {
    messages_ = static_cast<Messages>(wanted);
    return;
  }
  if (options.device != Device::cuda || comm_.size() == 1) return;
  auto const all = [&](bool mine) {
    int agreed = mine;
    mpi::reduce_to_all(comm_, &agreed, 1, MPI_INT, MPI_MIN);
    return agreed != 0;
  };
  if (all(mpi::takes_cuda_pointers()))
    messages_ = Messages::pointers;
  else if (options.exchange == sixstep::Exchange::shared && all(backend_->has_peers()) &&
           have_their_own(*backend_, comm_))
    messages_ = Messages::queues;
}

void DeviceSite::throw_kept() {
  if (std::optional<Error> const error = errors_->take()) throw Error(*error);
}

void DeviceSite::throw_kept_together() {
  if (comm_.size() == 1) return throw_kept();
  std::optional<Error> const error = errors_->take();
  mpi::agree(comm_, error ? text(error->what(), " (the device of rank ", comm_.rank(), ")") : "",
             error ? error->code() : ErrorCode::argument);
}

void DeviceSite::meet_peers() {
  if (!peers_) peers_ = device::peers(*backend_, comm_);
}

DeviceSweep::Bounds DeviceSite::bounds(std::size_t array_bytes, bool has_work_arrays) const {
  std::size_t const block = backend_->cache_bytes() / 2;
  return {block, std::max(block, has_work_arrays ? block : array_bytes)};
}

std::unique_ptr<CommonMemory> DeviceSite::common(Node const& node, mpi::Communicator const&,
                                                 std::size_t bytes) const {
  return common_on_device(*backend_, node, bytes);
}

void DeviceSite::check(char const* name, void const* array, int real_bytes) const {
  require(guarded_->reaches(array), name, ": memory of the plan's device, ", backend_->name(),
          ", is needed, as allocate() returns it; this is memory of the host or another device");
  auto const unit = static_cast<std::uintptr_t>(std::min(2 * real_bytes, 16));
  require(reinterpret_cast<std::uintptr_t>(array) % unit == 0, name, ": memory aligned to ", unit,
          " bytes, those of a complex number, is needed on a device");
}

void const* DeviceSite::placed(void const* table, std::size_t bytes) {
  if (bytes == 0) return nullptr;
  AnyMemory& there = tables_[table];
  if (there) return there.get();
  there = uploaded(*backend_, *queue_, table, bytes);
  return there.get();
}

void DeviceSite::keep_room(std::size_t number, std::size_t bytes) {
  here_.resize(std::max(here_.size(), number + 1));
  if (!here_[number]) here_[number] = backend_->allocate_pinned(bytes);
}

std::array<void*, 3> DeviceSite::bring(std::array<Lent, 3> const& arrays) {
  std::array<void*, 3> brought{};
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    Lent const& array = arrays[i];
    std::size_t first = 0;
    while (arrays[first].begin != array.begin) ++first;
    brought[i] = here_[arrays[first].number].get();
    if (array.begin) queue_->copy(brought[i], array.begin, array.bytes);
  }
  finish();
  return brought;
}

void DeviceSite::take_back(std::array<Lent, 3> const& arrays) {
  Lent const& last = arrays.back();
  std::size_t first = 0;
  while (arrays[first].begin != last.begin) ++first;
  queue_->copy(last.begin, here_[arrays[first].number].get(), last.bytes);
  finish();
}

std::vector<PinnedBuffers> DeviceSite::stages(std::vector<program::Program const*> const& programs,
                                              int real_bytes) const {
  if (messages_ != Messages::staged) return {};
  std::vector<std::array<std::size_t, 2>> bytes;
  for (program::Program const* program : programs) {
    std::size_t number = 0;
    for (program::Step const& step : program->steps) {
      auto const* const move = std::get_if<program::Move>(&step.work);
      if (!move || move->way.medium != redistribution::Medium::messages) continue;
      if (bytes.size() <= number) bytes.push_back({0, 0});
      auto const of = [&](redistribution::Side const& side) {
        return static_cast<std::size_t>(side.size * layout::reals_of(move->number()) * real_bytes);
      };
      auto& [sends, receives] = bytes[number++];
      sends = std::max(sends, of(move->moves->send));
      receives = std::max(receives, of(move->moves->receive));
    }
  }
  std::vector<PinnedBuffers> made;
  for (auto const& [sends, receives] : bytes)
    made.push_back({backend_->allocate_pinned(sends), backend_->allocate_pinned(receives)});
  return made;
}

std::unique_ptr<exchange::Strategy> DeviceSite::carried(exchange::Channels const& channels,
                                                        exchange::Traffic const& traffic,
                                                        std::size_t element_bytes,
                                                        PinnedBuffers const* stage) const {
  if (messages_ == Messages::pointers) return make_on_device(*guarded_, channels.make(traffic));
  return make_staged(*guarded_, channels.make(among_others(traffic)), traffic, *stage,
                     element_bytes);
}

std::string DeviceSite::words(std::string const& messages) const {
  char const* const user = "SIXSTEP_DEVICE_MESSAGES says so";
  char const* const refusal = "this MPI does not say that it takes the device's";
  switch (messages_) {
    case Messages::queues:
      return text("exchange in the device's queue by ", backend_->peers_name(), " (",
                  user_says_so_ ? user : refusal, ")");
    case Messages::pointers:
      return text(messages, " of the device's memory (",
                  user_says_so_ ? user : "this MPI says that it takes it", ")");
    case Messages::staged:
      break;
  }
  return text(messages, " staged in the host's memory (", user_says_so_ ? user : refusal, ")");
}

void DeviceSite::set_stream(void* stream) {
  require(takes_streams_, "stream: a plan on a GPU is needed, made with device = Device::cuda");
  finish();
  queue_ = guarded_->make_queue(stream);
}

}  // namespace sixstep::device
