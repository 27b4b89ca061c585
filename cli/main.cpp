// SPDX-License-Identifier: BSD-3-Clause
// The command `sixstep`: reads the command line and runs the command that it names.
//
// Every rank reads the same line before MPI starts, if it starts at all, so all ranks come to the
// same result, and only rank 0 prints.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include "commands.hpp"
#include "ranks.hpp"
#include "sixstep/version.hpp"
#include "terminal.hpp"

namespace sixstep::cli {
namespace {

constexpr int usage_error = 2;

constexpr char sixstep_examples[] = R"(Examples:
  mpiexec -n 4 sixstep fft field.npy spectrum.npy     transform a NumPy file
  mpiexec -n 4 sixstep solve poisson rho.npy phi.npy  solve Poisson's equation
  mpiexec -n 4 sixstep spectrum field.npy --plot p.png   its power by wave number
  mpiexec -n 4 sixstep bench 256 256 256              measure speed
  mpiexec -n 4 sixstep gfft                           HPCC's G-FFT: a 1-D transform that fills memory
  sixstep plan 4096 4096 4096 --ranks 16384           the steps of such a transform
  sixstep model 256 256 256 --machine t2k-tsukuba     its time there, on 1 to 65536 ranks
  mpiexec -n 4 sixstep tune 256 256 256               find the fastest settings here, and keep them
  sixstep wisdom list                                 the settings that were found and kept
  mpiexec -n 4 sixstep tune --machine                 measure this machine, for --machine here
  sixstep with-fftw -- ./simulate                     run a program of FFTW's with sixstep in its place
  sixstep info                                        what this machine offers
`sixstep COMMAND --help` explains each command.)";

// CLI11 would print each description in one line, however long.
class Wrapped : public CLI::Formatter {
 public:
  std::string make_option_desc(CLI::Option const* option) const override {
    constexpr std::size_t width = 90;
    std::string words = option->get_description();
    for (std::size_t line = 0; words.size() - line > width;) {
      std::size_t const end = words.rfind(' ', line + width);
      if (end == std::string::npos || end <= line) break;
      words[end] = '\n';
      line = end + 1;
    }
    return words;
  }
};

// Replaces two messages of CLI11: "--ranks: 1 required INT missing", and one about the words after
// an unknown option.
std::string complaint(CLI::App const& app, CLI::ParseError const& error) {
  for (std::string const& word : app.remaining(true))
    if (word.starts_with('-')) return text("there is no option '", shortened(word), "'");
  std::string const words = error.what();
  auto const missing = words.find(": 1 required ");
  if (missing == std::string::npos) return words;
  return words.substr(0, missing) + ": a value is needed, none was given";
}

// Prints the help of the named command, if there is one: on stdout if the user asked for it, on
// stderr after a complaint.
int explain(CLI::App const& app, CLI::ParseError const& error) {
  bool const asked = error.get_exit_code() == EXIT_SUCCESS;
  if (launched_rank() == 0) {
    std::string const& name = error.get_name();
    if (name == "CallForVersion")
      std::printf("sixstep %s\n", version);
    else if (asked)
      std::printf("%s", app.help().c_str());
    else {
      complain(complaint(app, error));
      std::fprintf(stderr, "\n%s", app.help().c_str());
    }
  } else if (!asked) {
    // Some launchers end the whole job when a rank fails: rank 0 should have printed before that.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  return asked ? EXIT_SUCCESS : usage_error;
}

// CLI11 would report a misspelt command as a missing one.
void require_known_command(CLI::App const& app, char const* const* words) {
  auto const commands = app.get_subcommands({});
  if (commands.empty() || !*words || **words == '-') return;
  for (CLI::App const* command : commands)
    if (command->get_name() == *words) return require_known_command(*command, words + 1);
  throw CLI::ParseError(text("there is no command '", shortened(*words), "'"), usage_error);
}

int run(int argc, char** argv) {
  CLI::App app("Fourier transforms of arrays that are spread over many MPI ranks", "sixstep");
  Run command;
  app.formatter(std::make_shared<Wrapped>());
  app.set_version_flag("--version", version, "Print the version");
  app.require_subcommand(1);
  app.footer(sixstep_examples);
  add_fft(app, command);
  add_solve(app, command);
  add_convolve(app, command);
  add_spectrum(app, command);
  add_bench(app, command);
  add_gfft(app, command);
  add_plan(app, command);
  add_model(app, command);
  add_tune(app, command);
  add_wisdom(app, command);
  add_with_fftw(app, command);
  add_info(app, command);
  try {
    require_known_command(app, argv + 1);
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    return explain(app, error);
  }
  return command();
}

}  // namespace
}  // namespace sixstep::cli

int main(int argc, char** argv) {
  try {
    int const exit_code = sixstep::cli::run(argc, argv);
    if (exit_code == EXIT_SUCCESS) sixstep::cli::require_printed();
    return exit_code;
  } catch (std::exception const& error) {
    if (sixstep::cli::launched_rank() == 0) sixstep::cli::complain(error.what());
    return EXIT_FAILURE;
  }
}
