// SPDX-License-Identifier: BSD-3-Clause
// Exchange by memory that the ranks of a node share: they only meet, and carry messages between
// nodes.
#include <utility>

#include "exchange/by_nodes.hpp"
#include "exchange/strategy.hpp"

namespace sixstep::exchange {

namespace {

class Shared final : public Strategy {
 public:
  Shared(NodeMemory& memory, std::string name) : memory_(memory), name_(std::move(name)) {}
  void begin(void const*, void*) override { windows_ = 0; }
  void allow(redistribution::Windows, redistribution::Windows) override { memory_.arrive(); }
  redistribution::Windows arrived() const override { return windows_; }
  redistribution::Windows sent() const override { return windows_; }
  bool sending() const override { return windows_ == 0; }
  void finish() override {
    memory_.wait(name_);
    windows_ = all_windows;
  }
  std::string waiting_for() const override {
    std::string const absent = memory_.waiting_for();
    return absent.empty() ? absent : name_ + ": " + absent;
  }

 private:
  NodeMemory& memory_;
  std::string name_;
  redistribution::Windows windows_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_shared(NodeMemory& memory, std::string name) {
  return std::make_unique<Shared>(memory, std::move(name));
}

std::unique_ptr<Strategy> make_by_nodes(NodeMemory& memory, Hops const& hops) {
  return std::make_unique<ByNodes<Bundles>>(
      memory, Bundles(hops, static_cast<Index>(memory.segment_bytes())), hops.names.name);
}

}  // namespace sixstep::exchange
