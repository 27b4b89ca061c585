// SPDX-License-Identifier: BSD-3-Clause
// Transforms and tables on a device, each made once for a plan.
#include "device/kernels.hpp"

#include "local/numbers/roots.hpp"
#include "sixstep/error.hpp"

namespace sixstep::device {

device::Planned const* DeviceKernels::plan(device::Columns const& columns,
                                           std::size_t most_scratch) {
  auto found = std::find_if(planned_.begin(), planned_.end(),
                            [&](auto const& made) { return made.first == columns; });
  if (found == planned_.end()) {
    planned_.emplace_back(columns, backend_.plan(columns));
    found = std::prev(planned_.end());
  }
  device::Planned const* const planned = found->second.get();
  if (!planned || planned->scratch_bytes() > most_scratch) return nullptr;
  scratch_bytes_ = std::max(scratch_bytes_, planned->scratch_bytes());
  return planned;
}

device::Planned const& DeviceKernels::planned(device::Columns const& columns) const {
  auto const found = std::find_if(planned_.begin(), planned_.end(),
                                  [&](auto const& made) { return made.first == columns; });
  require_internal(found != planned_.end(), "columns that were not planned");
  return *found->second;
}

device::Planned const* DeviceKernels::plan_scattered(Index n, int real_bytes) {
  auto const [found, is_new] = scattered_.try_emplace({n, real_bytes});
  if (is_new) found->second = backend_.plan_scattered(n, real_bytes);
  return found->second.get();
}

RowCode const* DeviceKernels::rows(std::vector<RowCode> const& rows) {
  rows_.push_back(uploaded(backend_, *uploads_, rows.data(), rows.size() * sizeof(RowCode)));
  return reinterpret_cast<RowCode const*>(rows_.back().get());
}

device::Phase DeviceKernels::roots(Index n) {
  Table& table = roots_[n];
  if (table.memory) return table.phase;
  int shift = 0;
  while ((Index{1} << (2 * shift)) < n) ++shift;
  Index const fine = Index{1} << shift, coarse = (n + fine - 1) / fine;
  using Root = device::Pair<double>;
  std::vector<Root> roots(static_cast<std::size_t>(fine + coarse));
  auto const root = [&](Index k) -> Root {
    std::complex<double> const value = local::root<double>(k % n, n);
    return {value.real(), value.imag()};
  };
  for (Index k = 0; k < fine; ++k) roots[static_cast<std::size_t>(k)] = root(k);
  for (Index k = 0; k < coarse; ++k) roots[static_cast<std::size_t>(fine + k)] = root(k * fine);
  table.memory = uploaded(backend_, *uploads_, roots.data(), roots.size() * sizeof(Root));
  auto const* const there = reinterpret_cast<Root const*>(table.memory.get());
  table.phase.fine = there;
  table.phase.coarse = there + fine;
  table.phase.shift = shift;
  table.phase.n = n;
  return table.phase;
}

}  // namespace sixstep::device
