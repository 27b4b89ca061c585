// SPDX-License-Identifier: BSD-3-Clause
// What random tests of our kernels on GPUs share.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

#include "cuda/copies.hpp"
#include "device/backend.hpp"
#include "sixstep/sixstep.hpp"

namespace sixstep::kernels {

using Random = std::mt19937;
inline Index one_of(Random& random, std::vector<Index> const& all) {
  return all[random() % all.size()];
}

/// exp(-2 pi i k / n) in tables as a phase has them.
inline std::shared_ptr<std::byte> set_roots(device::Phase& phase, Index n) {
  phase.n = n;
  while ((Index{1} << (2 * phase.shift)) < n) ++phase.shift;
  Index const fine = Index{1} << phase.shift, coarse = (n + fine - 1) / fine;
  std::vector<device::Pair<double>> all;
  auto const add = [&](Index k) {
    double const angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    all.push_back({std::cos(angle), std::sin(angle)});
  };
  for (Index k = 0; k < fine; ++k) add(k);
  for (Index k = 0; k < coarse; ++k) add(k * fine);
  std::size_t const bytes = all.size() * sizeof all[0];
  std::shared_ptr<std::byte> const memory = device::cuda_backend(0).allocate(bytes);
  copy(Device::cuda, memory.get(), all.data(), bytes);
  phase.fine = reinterpret_cast<device::Pair<double> const*>(memory.get());
  phase.coarse = phase.fine + fine;
  return memory;
}

}  // namespace sixstep::kernels
