// SPDX-License-Identifier: BSD-3-Clause
// The commands: each adds itself and its options to the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace sixstep::cli {

/// What is to be run once the command line has been read; gives the exit code.
using Run = std::function<int()>;

/// Where the command is chosen, it leaves itself in `run`.
void add_fft(CLI::App& app, Run& run);
void add_spectrum(CLI::App& app, Run& run);
void add_bench(CLI::App& app, Run& run);
void add_gfft(CLI::App& app, Run& run);
void add_plan(CLI::App& app, Run& run);
void add_model(CLI::App& app, Run& run);
void add_tune(CLI::App& app, Run& run);
void add_wisdom(CLI::App& app, Run& run);
void add_info(CLI::App& app, Run& run);

}  // namespace sixstep::cli
