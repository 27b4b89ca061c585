// SPDX-License-Identifier: BSD-3-Clause
// The cases of the comparison on a node.
#pragma once

#include <string>
#include <vector>

#include "node/distributed.hpp"

namespace sixstep::bench::node {

inline std::vector<Case> const& cases() {
  auto const line = [](std::string const& name, Index n, Output output = Output::natural) {
    return Case{.name = name, .shape = {1, 1, n}, .output = output};
  };
  auto const square = [](std::string const& name, Index n) {
    return Case{.name = name, .shape = {1, n, n}};
  };
  static std::vector<Case> const all = {
      {.name = "32^3", .shape = {32, 32, 32}},
      {.name = "64^3", .shape = {64, 64, 64}},
      {.name = "100^3", .shape = {100, 100, 100}},
      {.name = "128^3", .shape = {128, 128, 128}},
      {.name = "192^3", .shape = {192, 192, 192}},
      {.name = "240x250x270", .shape = {240, 250, 270}},
      {.name = "256^3", .shape = {256, 256, 256}},
      {.name = "256^3-natural", .shape = {256, 256, 256}, .output = Output::natural},
      {.name = "256^3-single", .shape = {256, 256, 256}, .single = true},
      {.name = "64^3-r2c", .shape = {64, 64, 64}, .kind = Kind::r2c},
      {.name = "100^3-r2c", .shape = {100, 100, 100}, .kind = Kind::r2c},
      {.name = "128^3-r2c", .shape = {128, 128, 128}, .kind = Kind::r2c},
      {.name = "256^3-r2c", .shape = {256, 256, 256}, .kind = Kind::r2c},
      {.name = "257^3", .shape = {257, 257, 257}},
      {.name = "343^3", .shape = {343, 343, 343}},
      {.name = "512^3", .shape = {512, 512, 512}},
      square("256^2", 256),
      square("512^2", 512),
      square("1000^2", 1000),
      square("1024^2", 1024),
      line("2^20", 1 << 20),
      line("2^21", 1 << 21),
      line("2^22", 1 << 22),
      line("2^23", 1 << 23),
      line("2^24", 1 << 24),
      line("2^25", 1 << 25),
      line("2^26", 1 << 26),
      line("10^7", 10'000'000),
      line("3^15", 14'348'907),
      line("1048573", 1'048'573),  // a prime: one rank does it, in all libraries that can
      line("2^20-transposed", 1 << 20, Output::transposed),
      line("2^22-transposed", 1 << 22, Output::transposed),
      line("2^24-transposed", 1 << 24, Output::transposed),
  };
  return all;
}

/// By the count of a radix-2 transform, 5 N log2 N, as is usual; half of it for real ones.
inline double flops(Case const& c) {
  auto const points = static_cast<double>(c.points());
  return (c.kind == Kind::c2c ? 5 : 2.5) * points * std::log2(points);
}

}  // namespace sixstep::bench::node
