// SPDX-License-Identifier: BSD-3-Clause
// Transforms and tables on a device, each made once for a plan.
#include "device/kernels.hpp"

#include <cstring>

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

device::Phase DeviceKernels::roots(Index n) {
  Table& table = roots_[n];
  if (table.memory) return table.phase;
  int shift = 0;
  while ((Index{1} << (2 * shift)) < n) ++shift;
  Index const fine = Index{1} << shift, coarse = (n + fine - 1) / fine;
  using Root = device::Pair<double>;
  std::size_t const bytes = static_cast<std::size_t>(fine + coarse) * sizeof(Root);
  std::shared_ptr<std::byte> const pinned = backend_.allocate_pinned(bytes);
  auto* const roots = reinterpret_cast<Root*>(pinned.get());
  auto const root = [&](Index k) -> Root {
    std::complex<double> const value = local::root<double>(k % n, n);
    return {value.real(), value.imag()};
  };
  for (Index k = 0; k < fine; ++k) roots[k] = root(k);
  for (Index k = 0; k < coarse; ++k) roots[fine + k] = root(k * fine);
  table.memory = backend_.allocate(bytes);
  uploads_->copy(table.memory.get(), pinned.get(), bytes);
  uploads_->finish();
  auto const* const there = reinterpret_cast<Root const*>(table.memory.get());
  table.phase.fine = there;
  table.phase.coarse = there + fine;
  table.phase.shift = shift;
  table.phase.n = n;
  return table.phase;
}

}  // namespace sixstep::device
