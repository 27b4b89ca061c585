// SPDX-License-Identifier: BSD-3-Clause
// The host and the devices as sites.
#include "device/site.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/words.hpp"
#include "device/by_pointers.hpp"
#include "device/staged_bundles.hpp"
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
  std::unique_ptr<exchange::Strategy> carried(exchange::Channels const& channels,
                                              exchange::Traffic const& traffic,
                                              program::Move const&,
                                              StagingBuffers const*) const override {
    return channels.make(traffic);
  }
  std::unique_ptr<exchange::Strategy> carried_by_nodes(CommonMemory& memory,
                                                       exchange::Hops const& hops) const override {
    return exchange::make_by_nodes(memory.node(), hops);
  }
  std::string words(std::string const& messages, StagingBuffers const*) const override {
    return messages;
  }
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
                                          {"staged-apart", Messages::staged_apart},
                                          {"pointers", Messages::pointers},
                                          {"nccl", Messages::queues}})
          if (word == name) return static_cast<int>(value);
        throw Error(
            text("SIXSTEP_DEVICE_MESSAGES: staged, staged-apart, pointers or nccl is needed, '",
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

std::unique_ptr<StagingBuffers> DeviceSite::staging_buffers(
    Node const& node, std::vector<program::Program const*> const& programs, int real_bytes) const {
  bool const is_apart = messages_ == Messages::staged_apart;
  if (comm_.size() == 1 || (messages_ != Messages::staged && !is_apart)) return nullptr;
  return std::make_unique<StagingBuffers>(
      *backend_, comm_, node,
      is_apart ? StagingBuffers::Within::messages : StagingBuffers::Within::common_memory, programs,
      real_bytes);
}

std::unique_ptr<exchange::Strategy> DeviceSite::carried(exchange::Channels const& channels,
                                                        exchange::Traffic const& traffic,
                                                        program::Move const& move,
                                                        StagingBuffers const* staging) const {
  if (messages_ == Messages::pointers) return make_on_device(*guarded_, channels.make(traffic));
  StagingBuffer const& buffer = staging->of(move);
  exchange::Traffic const messages = by_messages(traffic, buffer);
  // Where no rank sends messages, none calls MPI.
  bool const has_none = channels.is_within(staging->ranks_in_common(), traffic.number);
  return make_staged(*guarded_,
                     has_none ? exchange::make_pairwise(messages) : channels.make(messages),
                     traffic, buffer);
}

std::unique_ptr<exchange::Strategy> DeviceSite::carried_by_nodes(CommonMemory& memory,
                                                                 exchange::Hops const& hops) const {
  return make_staged_by_nodes(*guarded_, memory, hops);
}

std::string DeviceSite::reason() const {
  if (user_says_so_) return "SIXSTEP_DEVICE_MESSAGES says so";
  return messages_ == Messages::pointers ? "this MPI says that it takes it"
                                         : "this MPI does not say that it takes the device's";
}

std::string DeviceSite::words(std::string const& messages, StagingBuffers const* staging) const {
  if (messages_ == Messages::queues)
    return text("exchange in the device's queue by ", backend_->peers_name(), " (", reason(), ")");
  if (messages_ == Messages::pointers)
    return text(messages, " of the device's memory (", reason(), ")");
  std::size_t const common = staging ? staging->ranks_in_common().size() : 0;
  std::string const apart = staging ? staging->why_apart() : "";
  if (common <= 1)
    return text(messages, " staged in the host's memory (", reason(), ")",
                apart.empty() ? "" : text(", which ranks do not share (", apart, ")"));
  return text(static_cast<int>(common) == comm_.size() ? "exchange" : messages,
              " staged in memory of the host that the ", common, " ranks of a node share (",
              reason(), ")");
}

void DeviceSite::set_stream(void* stream) {
  require(takes_streams_, "stream: a plan on a GPU is needed, made with device = Device::cuda");
  finish();
  queue_ = guarded_->make_queue(stream);
}

}  // namespace sixstep::device
