// SPDX-License-Identifier: BSD-3-Clause
// The cases of the comparison on a node.
#pragma once

#include <vector>

#include "node/distributed.hpp"

namespace sixstep::bench::node {

inline std::vector<Case> const& cases() {
  auto const line = [](int log2_n) {
    return Case{
        .name = text("2^", log2_n), .shape = {1, 1, Index{1} << log2_n}, .output = Output::natural};
  };
  static std::vector<Case> const all = {
      {.name = "64^3", .shape = {64, 64, 64}},
      {.name = "100^3", .shape = {100, 100, 100}},
      {.name = "128^3", .shape = {128, 128, 128}},
      {.name = "240x250x270", .shape = {240, 250, 270}},
      {.name = "256^3", .shape = {256, 256, 256}},
      {.name = "256^3-natural", .shape = {256, 256, 256}, .output = Output::natural},
      {.name = "256^3-single", .shape = {256, 256, 256}, .single = true},
      {.name = "256^3-r2c", .shape = {256, 256, 256}, .kind = Kind::r2c},
      {.name = "257^3", .shape = {257, 257, 257}},
      {.name = "343^3", .shape = {343, 343, 343}},
      {.name = "512^3", .shape = {512, 512, 512}},
      line(20),
      line(22),
      line(24),
      line(26),
  };
  return all;
}

/// By the count of a radix-2 transform, 5 N log2 N, as is usual; half of it for real ones.
inline double flops(Case const& c) {
  auto const points = static_cast<double>(c.points());
  return (c.kind == Kind::c2c ? 5 : 2.5) * points * std::log2(points);
}

}  // namespace sixstep::bench::node
