// SPDX-License-Identifier: BSD-3-Clause
// The command lines of programs that measure: the options that they share, their start, on all
// ranks or in one process, and their errors.
#pragma once

#include <mpi.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <thread>

#include "numbers.hpp"
#include "ranks.hpp"

namespace sixstep::bench {

inline CLI::Option* add_rounds(CLI::App& app, int& rounds, std::string const& words,
                               std::string const& name = "--rounds") {
  return app.add_option(name, rounds, words)->transform(cli::number_in(1, cli::most_repeats));
}

inline CLI::Option* add_seconds(CLI::App& app, double& seconds, std::string const& words,
                                std::string const& name = "--seconds") {
  return app.add_option(name, seconds, words)->transform(cli::number_in(0.0, 3600.0));
}

inline CLI::Option* add_threads(CLI::App& app, int& threads, std::string const& words) {
  return app.add_option("--threads", threads, words)
      ->transform(cli::number_in(1, cli::most_threads))
      ->option_text("T");
}

inline CLI::Option* add_json(CLI::App& app, std::string& file) {
  return app.add_option("--json", file, "Write the figures to a file, after each case anew")
      ->option_text("FILE");
}

/// Reads the command line, and runs `command` on all ranks. Rank 0 alone prints errors, after the
/// program's name. Returns the exit code.
inline int run_on_ranks(
    CLI::App& app, int argc, char** argv, std::function<void(MPI_Comm)> const& command,
    std::function<int()> const& level = [] { return MPI_THREAD_SERIALIZED; }) try {
  app.parse(argc, argv);
  return cli::with_mpi(command, app.get_name().c_str(), level());
} catch (CLI::ParseError const& error) {
  if (cli::launched_rank() == 0) return app.exit(error);
  // Some launchers end the whole job when a rank fails: rank 0 should have spoken by then.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  return error.get_exit_code();
} catch (std::exception const& error) {
  if (cli::launched_rank() == 0)
    std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), error.what());
  return EXIT_FAILURE;
}

/// The same in one process, which needs no MPI.
inline int run_alone(CLI::App& app, int argc, char** argv,
                     std::function<void()> const& command) try {
  CLI11_PARSE(app, argc, argv);
  command();
  return EXIT_SUCCESS;
} catch (std::exception const& error) {
  std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), error.what());
  return EXIT_FAILURE;
}

}  // namespace sixstep::bench
