// SPDX-License-Identifier: BSD-3-Clause
// Devices in files of their own: they are loaded once, and a file that is missing is named.
#include "device/door.hpp"

#include <gtest/gtest.h>

#include "refuses.hpp"
#include "sixstep/version.hpp"

namespace sixstep::device {
namespace {

TEST(door, a_file_that_is_missing_is_named) {
  std::string const file = text("libsixstep_device_missing-", version, ".so");
  EXPECT_TRUE(refuses("device", {"missing", file.c_str(), "-DSIXSTEP_EMULATED=ON"},
                      [] { load("missing"); }));
}

TEST(door, a_device_is_loaded_once) { EXPECT_EQ(&load("emulated"), &load("emulated")); }

}  // namespace
}  // namespace sixstep::device
