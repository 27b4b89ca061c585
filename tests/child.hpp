// SPDX-License-Identifier: BSD-3-Clause
// Forked processes that tests look at.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <string>

namespace child {

/// How a child ends that has done its work: at once, or as programs do, with handlers of exit() and
/// destructors of static objects.
enum class End { at_once, as_programs };

/// Runs `work` in a child, which is killed if it takes longer than two minutes. Empty if it
/// returned true and the child then ended with status 0; else what happened.
template <class Work>
std::string run(Work const& work, End end = End::at_once) {
  constexpr unsigned most_seconds = 120;
  constexpr int returned_false = 1, threw = 2;
  pid_t const process = fork();
  if (process < 0) return "there is no child";
  if (process == 0) {
    alarm(most_seconds);
    int status = EXIT_SUCCESS;
    try {
      if (!work()) status = returned_false;
    } catch (std::exception const&) {
      status = threw;
    }
    if (end == End::as_programs) std::exit(status);
    _exit(status);
  }
  int status = 0;
  if (waitpid(process, &status, 0) != process) return "the child cannot be waited for";
  if (WIFSIGNALED(status))
    return "the child was killed by signal " + std::to_string(WTERMSIG(status));
  switch (WEXITSTATUS(status)) {
    case EXIT_SUCCESS:
      return {};
    case returned_false:
      return "the child's work returned false";
    case threw:
      return "the child's work threw an exception";
    default:
      return "the child ended with status " + std::to_string(WEXITSTATUS(status));
  }
}

}  // namespace child
