// SPDX-License-Identifier: BSD-3-Clause
// The commands: each adds itself and its options to the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace sixstep::cli {

/// The command to run after the command line has been read; it returns the exit code.
using Run = std::function<int()>;

/// Each function adds a command, which stores itself in `run` if it is chosen.
void add_fft(CLI::App& app, Run& run);
void add_solve(CLI::App& app, Run& run);
void add_convolve(CLI::App& app, Run& run);
void add_spectrum(CLI::App& app, Run& run);
void add_bench(CLI::App& app, Run& run);
void add_gfft(CLI::App& app, Run& run);
void add_plan(CLI::App& app, Run& run);
void add_model(CLI::App& app, Run& run);
void add_tune(CLI::App& app, Run& run);
void add_wisdom(CLI::App& app, Run& run);
void add_with_fftw(CLI::App& app, Run& run);
void add_info(CLI::App& app, Run& run);

}  // namespace sixstep::cli
