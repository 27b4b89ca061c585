// SPDX-License-Identifier: BSD-3-Clause
// Exchange by memory that the ranks of a node have in common: all that is left of it is to meet,
// and to carry messages between nodes.
#include "exchange/strategy.hpp"

namespace sixstep::exchange {

namespace {

class Shared final : public Strategy {
 public:
  explicit Shared(NodeMemory& memory) : memory_(memory) {}
  int windows() const override { return 1; }
  void begin(int, void const*, void*) override { memory_.arrive(); }
  void finish(int) override { memory_.wait(); }

 private:
  NodeMemory& memory_;
};

class ByNodes final : public Strategy {
 public:
  ByNodes(NodeMemory& memory, Traffic const& messages)
      : memory_(memory), messages_(make_pairwise(messages)) {}
  int windows() const override { return messages_->windows(); }
  void begin(int window, void const* send, void* receive) override {
    meet();
    messages_->begin(window, send, receive);
  }
  void finish(int window) override {
    messages_->finish(window);
    meet();
  }

 private:
  void meet() {
    memory_.arrive();
    memory_.wait();
  }

  NodeMemory& memory_;
  std::unique_ptr<Strategy> messages_;
};

}  // namespace

std::unique_ptr<Strategy> make_shared(NodeMemory& memory) {
  return std::make_unique<Shared>(memory);
}

std::unique_ptr<Strategy> make_by_nodes(NodeMemory& memory, Traffic const& messages) {
  return std::make_unique<ByNodes>(memory, messages);
}

}  // namespace sixstep::exchange
