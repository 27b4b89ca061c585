// SPDX-License-Identifier: BSD-3-Clause
// Names of datasets in HDF5 files: "u", "fields/u", "/fields/u". Pure.
#pragma once

#include <string>

namespace sixstep::files {

/// The name without a slash at its beginning, so that equal names mean the same dataset.
///
/// Errors, which begin with "dataset:": a name that is empty, ends with a slash or has an empty
/// part or one that is "."; zero bytes; bytes that are not UTF-8.
std::string canonical_dataset_name(std::string const& name);

}  // namespace sixstep::files
