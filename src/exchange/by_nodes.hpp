// SPDX-License-Identifier: BSD-3-Clause
// Exchange among nodes: meetings of a node, and hops between them. Knows nothing about how the
// messages of a hop are sent.
#pragma once

#include <string>
#include <utility>

#include "exchange/strategy.hpp"

namespace sixstep::exchange {

/// Runs the hops. The ranks of the node meet before the first and after each. `Carrier` carries the
/// messages of a hop at a time, as Bundles does.
template <class Carrier>
class ByNodes final : public Strategy {
 public:
  ByNodes(NodeMemory& memory, Carrier carrier, std::string name)
      : memory_(memory), carrier_(std::move(carrier)), name_(std::move(name)) {}
  void begin(void const*, void* buffer) override {
    buffer_ = buffer;
    windows_ = 0;
  }
  void allow(redistribution::Windows, redistribution::Windows) override {
    meet();
    if (carrier_.hops() > 0) carrier_.begin(0, buffer_);
  }
  redistribution::Windows arrived() const override { return windows_; }
  redistribution::Windows sent() const override { return windows_; }
  bool sending() const override { return windows_ == 0; }
  void finish() override {
    for (int hop = 0; hop < carrier_.hops(); ++hop) {
      carrier_.finish();
      meet();
      if (hop + 1 < carrier_.hops()) carrier_.begin(hop + 1, buffer_);
    }
    windows_ = all_windows;
  }
  std::string waiting_for() const override {
    std::string const absent = memory_.waiting_for();
    return absent.empty() ? carrier_.waiting_for() : name_ + ": " + absent;
  }
  SumsOfHops rounding() const override {
    if constexpr (requires { carrier_.rounding(); }) return carrier_.rounding();
    return {};
  }

 private:
  void meet() {
    memory_.arrive();
    memory_.wait(name_);
  }

  NodeMemory& memory_;
  Carrier carrier_;
  void* buffer_ = nullptr;
  std::string name_;
  redistribution::Windows windows_ = 0;
};

}  // namespace sixstep::exchange
