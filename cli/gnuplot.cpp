// SPDX-License-Identifier: BSD-3-Clause
// Pictures: a script with its data goes to gnuplot, or to a file.
//
// gnuplot executes some words as commands: a name that begins with "|", text between backquotes
// outside of single quotes, and text after the end of a line. So it never gets the name of a user's
// file: it draws on its standard output, which is the file. In a script that is kept the name is
// quoted and begins with a folder.
#include "gnuplot.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/new_file.hpp"
#include "base/words.hpp"

namespace sixstep::cli {

namespace {

bool is_png(std::string const& file) { return file.ends_with(".png"); }

bool has_gnuplot() { return std::system("command -v gnuplot >/dev/null") == 0; }

constexpr char terminal[] = "set terminal pngcairo size 900,620\n";

/// The command that names the picture in a script that is kept.
std::string output_command(std::filesystem::path const& png) {
  std::string const name = png.is_absolute() ? png.string() : "./" + png.string();
  return "set output " + quoted_for_gnuplot(name) + '\n';
}

/// Runs gnuplot on the script. The picture is written to the file descriptor `output`.
void run_gnuplot(std::string const& script, int output) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const input(std::tmpfile(), &std::fclose);
  bool const is_written =
      input && std::fwrite(script.data(), 1, script.size(), input.get()) == script.size() &&
      std::fflush(input.get()) == 0 && std::fseek(input.get(), 0, SEEK_SET) == 0;
  require(is_written, "--plot: a temporary file cannot be written: ", std::strerror(errno));

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(input.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  char name[] = "gnuplot";
  char* const words[] = {name, nullptr};
  pid_t process = 0;
  int const failure = posix_spawnp(&process, name, &actions, nullptr, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  require(failure == 0, "--plot: gnuplot cannot be started: ", std::strerror(failure));

  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    require(errno == EINTR, "--plot: gnuplot: ", std::strerror(errno));
  require(status == 0, "--plot: gnuplot has failed");
}

}  // namespace

std::string quoted_for_gnuplot(std::string const& words) {
  std::string found = "'";
  for (char const letter : words)  // gnuplot would execute text after the end of a line
    found += letter == '\'' ? "''" : std::string(1, letter == '\n' ? ' ' : letter);
  return found + '\'';
}

void require_drawable(std::string const& file) {
  require(is_png(file) || file.ends_with(".gp"), "--plot: a file named .png or .gp is needed, ",
          file, " was given");
  require(!is_png(file) || has_gnuplot(),
          "--plot: gnuplot is needed, and was not found (Debian: gnuplot-nox); a .gp file does not "
          "need it");
  naming("--plot ", [&] { require_writable(file); });
}

void draw_script(std::string const& script, std::string const& file) {
  if (!is_png(file)) {
    std::filesystem::path const png = std::filesystem::path(file).replace_extension("png");
    naming("--plot ", [&] { replace_file(file, terminal + output_command(png) + script); });
    return;
  }
  std::optional<NewFile> picture;
  naming("--plot ", [&] { picture.emplace(file); });
  run_gnuplot(terminal + script, picture->descriptor());
  naming("--plot ", [&] { picture->keep(); });
}

}  // namespace sixstep::cli
