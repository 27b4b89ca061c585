// SPDX-License-Identifier: BSD-3-Clause
// Names of datasets in HDF5 files: "u", "fields/u", "/fields/u". Pure.
#pragma once

#include <string>

namespace sixstep::files {

/// The name without a leading slash, so that equal names mean the same dataset.
///
/// Throws Error, beginning with "dataset:",
/// - if the name is empty, ends with a slash, or has a part that is empty or ".";
/// - if it contains a zero byte or is not UTF-8.
std::string canonical_dataset_name(std::string const& name);

}  // namespace sixstep::files
