// SPDX-License-Identifier: BSD-3-Clause
// Exchange by memory that the ranks of a node share: they only meet, and carry messages between
// nodes.
#include <utility>

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

/// Runs the hops. The ranks of the node meet before the first and after each.
class ByNodes final : public Strategy {
 public:
  ByNodes(NodeMemory& memory, Hops const& hops)
      : memory_(memory),
        bundles_(hops, static_cast<Index>(memory.segment_bytes())),
        name_(hops.names.name) {}
  void begin(void const*, void* buffer) override {
    buffer_ = buffer;
    windows_ = 0;
  }
  void allow(redistribution::Windows, redistribution::Windows) override {
    meet();
    if (bundles_.hops() > 0) bundles_.begin(0, buffer_);
  }
  redistribution::Windows arrived() const override { return windows_; }
  redistribution::Windows sent() const override { return windows_; }
  bool sending() const override { return windows_ == 0; }
  void finish() override {
    for (int hop = 0; hop < bundles_.hops(); ++hop) {
      bundles_.finish();
      meet();
      if (hop + 1 < bundles_.hops()) bundles_.begin(hop + 1, buffer_);
    }
    windows_ = all_windows;
  }
  std::string waiting_for() const override {
    std::string const absent = memory_.waiting_for();
    return absent.empty() ? bundles_.waiting_for() : name_ + ": " + absent;
  }

 private:
  void meet() {
    memory_.arrive();
    memory_.wait(name_);
  }

  NodeMemory& memory_;
  Bundles bundles_;
  void* buffer_ = nullptr;
  std::string name_;
  redistribution::Windows windows_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_shared(NodeMemory& memory, std::string name) {
  return std::make_unique<Shared>(memory, std::move(name));
}

std::unique_ptr<Strategy> make_by_nodes(NodeMemory& memory, Hops const& hops) {
  return std::make_unique<ByNodes>(memory, hops);
}

}  // namespace sixstep::exchange
