// SPDX-License-Identifier: BSD-3-Clause
// Measures a device: puts several works at a time into its queue, then waits for all.
#include "measure/devices.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace sixstep::measure {

namespace {

constexpr int at_a_time = 8;  // works, so that the wait for them takes a negligible part
constexpr Index most_device_bytes = Index{1} << 28, complex_bytes = 16;

/// How often per second a rank's device does what `put(queue)` puts into a queue.
template <class Put>
double per_second(Team const& team, device::Backend& backend, double seconds, Put const& put) {
  std::unique_ptr<device::Queue> const queue = backend.make_queue();
  return at_a_time * team.per_second(seconds, Working::together, [&](int) {
    for (int i = 0; i < at_a_time; ++i) put(*queue);
    queue->finish();
  });
}

std::shared_ptr<std::byte> allocate_on(Team const& team, device::Backend& backend, Index bytes) {
  std::shared_ptr<std::byte> memory;
  mpi::together(team.comm(), [&] { memory = backend.allocate(static_cast<std::size_t>(bytes)); });
  return memory;
}

/// A copy of rows x columns complex numbers, stored by rows; with `turns` it stores columns
/// contiguously in the target.
device::Copy copy_of(Index rows, Index columns, bool turns, std::byte const* from, std::byte* to) {
  device::Copy copy;
  copy.axes = 2;
  copy.extent[0] = rows, copy.extent[1] = columns;
  copy.source = from, copy.from[0] = columns, copy.from[1] = 1;
  copy.target = to, copy.to[0] = turns ? 1 : columns, copy.to[1] = turns ? rows : 1;
  copy.from_reals = copy.to_reals = 2;
  return copy;
}

/// The number of columns of n elements that fit a quarter of the device's cache.
Index cached_columns(device::Backend const& backend, Index n, int real_bytes) {
  auto const bytes = static_cast<Index>(backend.cache_bytes() / 4);
  return std::max<Index>(1, bytes / (n * 2 * real_bytes));
}

}  // namespace

model::Memory memory(Team const& team, device::Backend& backend, double seconds) {
  auto const smallest = std::max<Index>(Index{1} << 16, static_cast<Index>(backend.cache_bytes()));
  Index largest = std::max(most_device_bytes, 4 * smallest);
  if (backend.name() == "emulated device") largest = 4 * smallest;
  auto const from = allocate_on(team, backend, largest / 2),
             to = allocate_on(team, backend, largest / 2);
  Index sizes = 0;
  for (Index bytes = smallest; bytes <= largest; bytes *= 4) ++sizes;
  model::Curve::Points copied, strips;
  for (Index bytes = smallest; bytes <= largest; bytes *= 4) {
    constexpr Index rows = 256;
    Index const columns = bytes / 2 / complex_bytes / rows;
    auto const rate = [&](bool turns) {
      device::Copy const copy = copy_of(rows, columns, turns, from.get(), to.get());
      return static_cast<double>(rows * columns * complex_bytes) *
             per_second(team, backend, seconds / static_cast<double>(2 * sizes),
                        [&](device::Queue& queue) { queue.run(copy); });
    };
    copied[bytes] = rate(false);
    strips[bytes] = std::min(1.0, rate(true) / copied[bytes]);
  }
  return {{copied, strips}, static_cast<double>(backend.cache_bytes()) / team.node_ranks()};
}

model::Rates gflops(Team const& team, device::Backend& backend, int real_bytes, double seconds) {
  constexpr Index lengths[] = {16, 64, 100, 256, 500, 512, 1000, 1024, 2048, 4096, 16384, 65536};
  double const each = seconds / static_cast<double>(3 * std::size(lengths));
  auto const rate = [&](device::Columns const& columns, double flops_a_point) {
    Index const n = columns.lengths[0];
    auto const bytes = (n + 2) * columns.columns * 2 * real_bytes;
    auto const in = allocate_on(team, backend, bytes), out = allocate_on(team, backend, bytes);
    std::unique_ptr<device::Planned> planned;
    mpi::together(team.comm(), [&] {
      planned = backend.plan(columns);
      require(planned != nullptr, "device: ", backend.name(), " has no transform of length ", n);
    });
    auto const scratch = allocate_on(
        team, backend, static_cast<Index>(std::max<std::size_t>(1, planned->scratch_bytes())));
    double const times = per_second(team, backend, each, [&](device::Queue& queue) {
      queue.run(*planned, in.get(), out.get(), false, scratch.get());
    });
    return 1e-9 * times * flops_a_point * static_cast<double>(n * columns.columns) *
           std::log2(static_cast<double>(n));
  };
  model::Curve::Points rows, strips, reals;
  for (Index n : lengths) {
    Index const columns = cached_columns(backend, n, real_bytes);
    using Kind = device::Columns::Kind;
    device::Columns one{Kind::c2c, real_bytes, {n}, {{1}, n}, {{1}, n}, columns};
    rows[n] = rate(one, 5);
    one.kind = Kind::r2c;
    one.target.distance = n / 2 + 1;
    reals[n] = rate(one, 2.5);
    strips[n] = rate({Kind::c2c, real_bytes, {n}, {{columns}, 1}, {{columns}, 1}, columns}, 5);
  }
  model::Rates found;
  found.rows = rows;
  found.strips = strips;
  found.reals = reals;
  return found;
}

double staged_bytes_per_s(Team const& team, device::Backend& backend, double seconds) {
  constexpr std::size_t bytes = std::size_t{1} << 24;
  auto const here = allocate_on(team, backend, 2 * static_cast<Index>(bytes));
  std::shared_ptr<std::byte> host;
  std::unique_ptr<device::Queue> in;
  mpi::together(team.comm(), [&] {
    host = backend.allocate_pinned(2 * bytes);
    in = backend.make_queue();
  });
  double const times = per_second(team, backend, seconds, [&](device::Queue& out) {
    out.copy(host.get(), here.get(), bytes);
    in->copy(here.get() + bytes, host.get() + bytes, bytes);
    auto const event = backend.make_event();
    in->record(*event);
    out.wait_for(*event);
  });
  return static_cast<double>(bytes) * times;
}

}  // namespace sixstep::measure
