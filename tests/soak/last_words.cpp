// SPDX-License-Identifier: BSD-3-Clause
// Signal handlers that write what was prepared.
#include "last_words.hpp"

#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "sixstep/error.hpp"

namespace soak {

namespace {

constexpr int exit_code = 3;
volatile sig_atomic_t has_second_chance = 0;
std::string words;  // written by handlers, changed only while nothing can raise them

void write_all(char const* text, std::size_t size) {
  while (size > 0) {
    ssize_t const written = write(STDERR_FILENO, text, size);
    if (written <= 0) return;
    text += written;
    size -= static_cast<std::size_t>(written);
  }
}

void say(char const* what) {
  write_all(what, std::strlen(what));
  write_all(words.data(), words.size());
}

extern "C" void on_alarm(int) {
  // A program that was stopped for a while hears the alarm as soon as it goes on.
  constexpr unsigned second_chance_s = 10;
  if (!has_second_chance) {
    has_second_chance = 1;
    alarm(second_chance_s);
    return;
  }
  say("HANGS ");
  _exit(exit_code);
}

extern "C" void on_crash(int signal_number) {
  if (!words.empty()) say("CRASHED ");
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

void on_mpi_error(MPI_Comm* comm, int* code, ...) {
  std::array<char, MPI_MAX_ERROR_STRING> message{};
  int length = 0;
  MPI_Error_string(*code, message.data(), &length);
  say("MPI FAILED ");
  write_all(message.data(), static_cast<std::size_t>(length));
  write_all("\n", 1);
  clear_last_words();
  MPI_Abort(*comm, exit_code);
}

}  // namespace

void set_last_words_of_mpi() {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(on_mpi_error, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Errhandler_free(&handler);
}

void set_last_words(std::string const& line, int rank, unsigned patience_s) {
  alarm(0);
  has_second_chance = 0;
  static bool const is_first = [] {
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) signal(number, on_crash);
    signal(SIGALRM, on_alarm);
    return true;
  }();
  static_cast<void>(is_first);
  words = sixstep::text("on rank ", rank, ": ", line, "\n");
  if (patience_s > 0) alarm(patience_s + static_cast<unsigned>(rank));
}

void clear_last_words() {
  alarm(0);
  words.clear();
}

}  // namespace soak
