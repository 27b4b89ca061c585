// SPDX-License-Identifier: BSD-3-Clause
// `sixstep with-fftw`: starts a program that then finds sixstep's libraries in the place of FFTW's.
// It needs no MPI; the program takes the place of this process.
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "ranks.hpp"
#include "terminal.hpp"

namespace sixstep::cli {
namespace {

namespace paths = std::filesystem;

constexpr char with_fftw_examples[] = R"(Examples:
  sixstep with-fftw -- ./simulate input.txt
      the program finds libfftw3.so.3, libfftw3f.so.3 and their kin by LD_LIBRARY_PATH, and computes with sixstep
  mpiexec -n 4 sixstep with-fftw -- ./simulate input.txt
      the same on four ranks: libfftw3_mpi.so.3 too; the program has to use the MPI that sixstep was built for
  sixstep with-fftw --preload -- ./simulate input.txt
      for a program that was linked with a fixed path to FFTW, which the dynamic linker takes before LD_LIBRARY_PATH
  sixstep with-fftw --report -- ./simulate input.txt
      at the end, on stderr: how many plans the program made, how each is solved, its executions and their seconds,
      and how many times as long FFTW's own plan takes, if the system has FFTW
  mpiexec -n 4 sixstep with-fftw --report-to fft.txt -- ./simulate input.txt
      the same on four ranks, in fft.txt.0 to fft.txt.3
  sixstep with-fftw --print
      the folder with the libraries, for a job script: export LD_LIBRARY_PATH=$(sixstep with-fftw --print)
`ldd ./simulate | grep fftw` shows whether a program loads FFTW at all: one that contains it is not changed.)";

struct WithFftw {
  std::vector<std::string> program;
  bool preload = false;
  bool print = false;
  bool report = false;
  std::string report_to;
};

/// The folder whose libraries have FFTW's names: beside this command in the build folder, or where
/// it was installed.
paths::path folder_of_libraries() {
  std::error_code none;
  paths::path const here = paths::read_symlink("/proc/self/exe", none).parent_path();
  for (paths::path const& folder : {here / "fftw" / "sixstep-fftw", here / SIXSTEP_FFTW_FOLDER})
    if (paths::exists(folder / "libfftw3.so.3", none)) return folder.lexically_normal();
  throw Error(text("the libraries with FFTW's names are not installed beside ", here.string(),
                   "; build sixstep with -DSIXSTEP_BUILD_FFTW=ON"));
}

/// Puts `words` before what the variable already has.
void put_before(char const* variable, std::string const& words) {
  char const* const present = std::getenv(variable);
  bool const is_empty = present == nullptr || *present == '\0';
  setenv(variable, (is_empty ? words : words + ":" + present).c_str(), 1);
}

/// The libraries in `folder`, as LD_PRELOAD takes them.
std::string to_preload(paths::path const& folder) {
  std::string all;
  for (char const* name :
       {"libfftw3.so.3", "libfftw3f.so.3", "libfftw3_mpi.so.3", "libfftw3f_mpi.so.3"})
    all += (all.empty() ? "" : ":") + (folder / name).string();
  return all;
}

/// Tells a report where FFTW's own libraries are, if the system finds them and not those in
/// `folder`.
void name_original(paths::path const& folder) {
  for (auto const& [variable, name] : {std::pair{"SIXSTEP_FFTW_BESIDE", "libfftw3.so.3"},
                                       std::pair{"SIXSTEP_FFTWF_BESIDE", "libfftw3f.so.3"}}) {
    void* const library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    link_map const* found = nullptr;
    if (library == nullptr || dlinfo(library, RTLD_DI_LINKMAP, &found) != 0) continue;
    std::error_code none;
    if (!paths::equivalent(paths::path(found->l_name).parent_path(), folder, none))
      setenv(variable, found->l_name, 0);
  }
}

/// Asks the libraries for a report, which each process writes at its end.
void ask_for_report(WithFftw const& given) {
  if (given.report) setenv("SIXSTEP_FFTW_REPORT", "stderr", 1);
  if (given.report_to.empty()) return;
  std::string const file = text(given.report_to, ".", launched_rank());
  std::error_code none;
  paths::remove(file, none);  // reports are appended to it
  setenv("SIXSTEP_FFTW_REPORT", paths::absolute(file).c_str(), 1);
}

/// Becomes the program. Returns only if it cannot be started.
int start(WithFftw const& given) {
  paths::path const folder = folder_of_libraries();
  if (given.print) {
    print(folder.string() + "\n");
    return EXIT_SUCCESS;
  }
  require(!given.program.empty(), "a program is needed: sixstep with-fftw -- PROGRAM ARGUMENTS");
  if (given.report || !given.report_to.empty()) name_original(folder);
  put_before("LD_LIBRARY_PATH", folder.string());
  if (given.preload) put_before("LD_PRELOAD", to_preload(folder));
  ask_for_report(given);
  std::vector<char*> words;
  for (std::string const& word : given.program) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words.front(), words.data());
  constexpr int not_started = 127;  // as shells have it
  if (launched_rank() == 0)
    complain(text(given.program.front(), ": cannot be started: ", std::strerror(errno)));
  return not_started;
}

}  // namespace

void add_with_fftw(CLI::App& app, Run& run) {
  auto const given = std::make_shared<WithFftw>();
  CLI::App& command = *app.add_subcommand(
      "with-fftw", "Start a program that uses FFTW, with sixstep's libraries in FFTW's place");
  command.add_flag(
      "--preload", given->preload,
      "Load the libraries before all others (LD_PRELOAD), for programs with a fixed path to FFTW");
  command.add_flag("--print", given->print, "Print the folder of the libraries and start nothing");
  CLI::Option* const report =
      command.add_flag("--report", given->report,
                       "Write at the end, on stderr, which plans were made, how often each was "
                       "executed, how long that took, and how many times as long FFTW's own would");
  command
      .add_option("--report-to", given->report_to,
                  "The same in a file per rank: this name, a dot, the rank (0 without a launcher)")
      ->excludes(report);
  command.add_option("program", given->program, "The program and its arguments, after --");
  command.footer(with_fftw_examples);
  command.callback([given, &run] { run = [given] { return start(*given); }; });
}

}  // namespace sixstep::cli
