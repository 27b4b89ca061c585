// SPDX-License-Identifier: BSD-3-Clause
// Measures a device: puts several works at a time into its queue, then waits for all.
#include "measure/devices.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace sixstep::measure {

namespace {

constexpr Index complex_bytes = 16;

/// How often per second a rank's device does what `put(queue)` puts into a queue. It takes about
/// `seconds`, or as long as two works if that is longer. All ranks get the same number.
template <class Put>
double per_second(Team const& team, device::Backend& backend, double seconds, Put const& put) {
  constexpr int most_at_a_time = 8;  // works, so that the wait for them takes a negligible part
  constexpr int rounds = 3;
  std::unique_ptr<device::Queue> const queue = backend.make_queue();
  auto const run = [&](int times) {
    for (int i = 0; i < times; ++i) put(*queue);
    queue->finish();
  };
  run(1);  // CUDA loads kernels when they first run
  mpi::meet(team.comm());
  Clock::time_point const begin = Clock::now();
  run(1);
  double one_s = seconds_since(begin);
  mpi::reduce_to_all(team.comm(), &one_s, 1, MPI_DOUBLE, MPI_MAX);
  if (rounds * one_s > seconds) return 1 / one_s;
  int const at_a_time =
      static_cast<int>(std::min<double>(most_at_a_time, seconds / (rounds * one_s)));
  return at_a_time * team.per_second(seconds, Working::together, [&](int) { run(at_a_time); });
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
  constexpr Index rows = 256, growth = 4, usual_bytes = Index{1} << 28;
  auto const smallest = std::max<Index>(Index{1} << 16, static_cast<Index>(backend.cache_bytes()));
  Index const largest = std::max(usual_bytes, growth * smallest);
  Index sizes = 0;
  for (Index bytes = smallest; bytes <= largest; bytes *= growth) ++sizes;
  double const each_s = seconds / static_cast<double>(2 * sizes);
  model::Curve::Points copied, strips;
  for (Index bytes = smallest; bytes <= largest; bytes *= growth) {
    auto const from = allocate_on(team, backend, bytes / 2),
               to = allocate_on(team, backend, bytes / 2);
    Index const columns = bytes / 2 / complex_bytes / rows;
    auto const times = [&](bool turns) {
      device::Copy const copy = copy_of(rows, columns, turns, from.get(), to.get());
      return per_second(team, backend, each_s, [&](device::Queue& queue) { queue.run(copy); });
    };
    double const straight = times(false), turned = times(true);
    copied[bytes] = static_cast<double>(rows * columns * complex_bytes) * straight;
    strips[bytes] = std::min(1.0, turned / straight);
    if (growth / std::min(straight, turned) > each_s) break;
  }
  return {{copied, strips}, static_cast<double>(backend.cache_bytes()) / team.node_ranks()};
}

namespace {

/// Measures transforms of one precision, each in about `seconds`.
class Transforms {
 public:
  Transforms(Team const& team, device::Backend& backend, int real_bytes, double seconds)
      : team_(team), backend_(backend), real_bytes_(real_bytes), seconds_(seconds) {}

  using Kind = device::Columns::Kind;
  /// `columns` columns of n points, one behind the other, or next to each other.
  device::Columns rows(Kind kind, Index n, Index columns) const {
    return {kind, real_bytes_, {n}, {{1}, n}, {{1}, kind == Kind::r2c ? n / 2 + 1 : n}, columns};
  }
  device::Columns strips(Index n, Index columns) const {
    return {Kind::c2c, real_bytes_, {n}, {{columns}, 1}, {{columns}, 1}, columns};
  }

  /// How many of these transforms a rank's device does per second.
  double per_second(device::Columns const& columns) const {
    Index const n = columns.lengths[0];
    auto const bytes = (n + 2) * columns.columns * 2 * real_bytes_;
    auto const in = allocate_on(team_, backend_, bytes), out = allocate_on(team_, backend_, bytes);
    std::unique_ptr<device::Planned> planned;
    mpi::together(team_.comm(), [&] {
      planned = backend_.plan(columns);
      require(planned != nullptr, "device: ", backend_.name(), " has no transform of length ", n);
    });
    auto const scratch = allocate_on(
        team_, backend_, static_cast<Index>(std::max<std::size_t>(1, planned->scratch_bytes())));
    return measure::per_second(team_, backend_, seconds_, [&](device::Queue& queue) {
      queue.run(*planned, in.get(), out.get(), false, scratch.get());
    });
  }

  double gflops(device::Columns const& columns) const {
    Index const n = columns.lengths[0];
    double const flops_a_point = columns.kind == Kind::c2c ? 5 : 2.5;
    return 1e-9 * per_second(columns) * flops_a_point * static_cast<double>(n * columns.columns) *
           std::log2(static_cast<double>(n));
  }

 private:
  Team const& team_;
  device::Backend& backend_;
  int real_bytes_;
  double seconds_;
};

}  // namespace

model::Rates gflops(Team const& team, device::Backend& backend, int real_bytes, double seconds) {
  constexpr Index lengths[] = {16, 64, 100, 256, 500, 512, 1000, 1024, 2048, 4096, 16384, 65536};
  constexpr Index needed = 1024;  // shorter ones are measured, whatever that takes
  double const each_s = seconds / static_cast<double>(3 * std::size(lengths));
  Transforms const transforms(team, backend, real_bytes, each_s);
  using Kind = device::Columns::Kind;
  // A slow device transforms fewer points than fit its cache.
  constexpr Index growth = 8;
  Index most = needed;
  while (most / needed < cached_columns(backend, needed, real_bytes) &&
         growth / transforms.per_second(transforms.rows(Kind::c2c, needed, most / needed)) < each_s)
    most *= growth;
  model::Curve::Points rows, strips, reals;
  for (Index n : lengths) {
    if (n > needed && n > most) break;
    Index const columns =
        std::min(cached_columns(backend, n, real_bytes), std::max<Index>(1, most / n));
    rows[n] = transforms.gflops(transforms.rows(Kind::c2c, n, columns));
    reals[n] = transforms.gflops(transforms.rows(Kind::r2c, n, columns));
    strips[n] = transforms.gflops(transforms.strips(n, columns));
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
