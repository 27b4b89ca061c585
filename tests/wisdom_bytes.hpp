// SPDX-License-Identifier: BSD-3-Clause
// Wisdom files by their format's definition.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace wisdom_bytes {

/// A file of these lines, with the checksum that they need.
inline std::string framed(std::string const& lines) {
  std::uint64_t hash = 14695981039346656037u;
  for (unsigned char byte : lines) hash = (hash ^ byte) * 1099511628211u;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016lx", static_cast<unsigned long>(hash));
  return "{\"sixstep_wisdom\": 1,\n\"checksum\": \"" + std::string(digits) +
         "\",\n\"entries\": [\n" + lines + "\n]}\n";
}

/// A valid entry.
inline std::string const a_line =
    "{\"key\":{\"problem\":\"a\",\"ranks\":\"4\"},"
    "\"found\":{\"exchange\":\"pairwise\",\"windows\":\"8\"},\"level\":\"quick\","
    "\"seconds\":0.0125,\"default_seconds\":0.1,\"when\":\"2026-11-22T21:45:00Z\"}";

}  // namespace wisdom_bytes
