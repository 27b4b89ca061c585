// SPDX-License-Identifier: BSD-3-Clause
// Exchange by memory that the ranks of a node have in common: all that is left of it is to meet,
// and to carry messages between nodes.
#include "exchange/exchange.hpp"

namespace sixstep::exchange {

namespace {

class Shared final : public Exchange {
 public:
  explicit Shared(NodeMemory& memory) : memory_(memory) {}
  int chunks() const override { return 1; }
  void begin(int, void const*, void*) override { memory_.arrive(); }
  void finish(int) override { memory_.wait(); }

 private:
  NodeMemory& memory_;
};

class ByNodes final : public Exchange {
 public:
  ByNodes(NodeMemory& memory, Traffic const& messages)
      : memory_(memory), messages_(make_pairwise(messages)) {}
  int chunks() const override { return messages_->chunks(); }
  void begin(int chunk, void const* send, void* receive) override {
    meet();
    messages_->begin(chunk, send, receive);
  }
  void finish(int chunk) override {
    messages_->finish(chunk);
    meet();
  }

 private:
  void meet() {
    memory_.arrive();
    memory_.wait();
  }

  NodeMemory& memory_;
  std::unique_ptr<Exchange> messages_;
};

}  // namespace

std::unique_ptr<Exchange> make_shared(NodeMemory& memory) {
  return std::make_unique<Shared>(memory);
}

std::unique_ptr<Exchange> make_by_nodes(NodeMemory& memory, Traffic const& messages) {
  return std::make_unique<ByNodes>(memory, messages);
}

}  // namespace sixstep::exchange
