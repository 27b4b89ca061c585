// SPDX-License-Identifier: BSD-3-Clause
// Exchanges by pointers: a strategy of the host's, while the host may touch the device's memory.
#include "device/by_pointers.hpp"

#include <string>
#include <utility>

namespace sixstep::device {

namespace {

/// Lets the host touch the device's memory while MPI uses it.
class FromDeviceMemory : public exchange::Strategy {
 public:
  FromDeviceMemory(device::Backend& backend, std::unique_ptr<exchange::Strategy> inner)
      : backend_(backend), inner_(std::move(inner)) {}

  void begin(void const* send, void* receive) override {
    visit_ = backend_.let_host_in();
    inner_->begin(send, receive);
  }
  void allow(redistribution::Windows packed, redistribution::Windows vacated) override {
    inner_->allow(packed, vacated);
  }
  void progress() override { inner_->progress(); }
  redistribution::Windows arrived() const override { return inner_->arrived(); }
  redistribution::Windows sent() const override { return inner_->sent(); }
  bool sending() const override { return inner_->sending(); }
  void finish() override {
    inner_->finish();
    visit_.reset();
  }
  std::string waiting_for() const override { return inner_->waiting_for(); }
  void trace_to(Trace& trace, int step) override { inner_->trace_to(trace, step); }

 private:
  device::Backend& backend_;
  std::unique_ptr<exchange::Strategy> inner_;
  std::shared_ptr<void> visit_;
};

}  // namespace

std::unique_ptr<exchange::Strategy> make_on_device(device::Backend& backend,
                                                   std::unique_ptr<exchange::Strategy> inner) {
  return std::make_unique<FromDeviceMemory>(backend, std::move(inner));
}

}  // namespace sixstep::device
