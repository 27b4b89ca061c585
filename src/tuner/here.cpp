// SPDX-License-Identifier: BSD-3-Clause
// The names of the system's processor and of MPI.
#include "tuner/here.hpp"

#include <array>
#include <cstdio>
#include <fstream>

#include "base/words.hpp"
#include "local/transform.hpp"
#include "runtime/mpi.hpp"

namespace sixstep::tuner {

namespace {

/// The first line, up to a comma, without needless blanks.
std::string beginning(std::string const& words) {
  std::string found;
  for (char c : words.substr(0, words.find_first_of("\n,"))) {
    bool const blank = c == ' ' || c == '\t';
    if (!blank || (!found.empty() && found.back() != ' ')) found += blank ? ' ' : c;
  }
  return found;
}

/// The processor's; empty where the system does not say.
std::string model_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string fact; std::getline(file, fact);)
    if (fact.starts_with("model name")) return beginning(fact.substr(fact.find(':') + 2));
  return "";
}

}  // namespace

std::string mpi_words() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> words{};
  int length = 0;
  MPI_Get_library_version(words.data(), &length);
  return beginning(words.data());
}

std::string processor_words() {
  static std::string const model = model_name();
  return model.empty() ? local::instruction_set() : text(model, ", ", local::instruction_set());
}

void report(std::string const& words) {
  static std::string told;
  if (words.empty() || words == told) return;
  told = words;
  std::fprintf(stderr, "sixstep: %s\n", printable(words).c_str());
}

}  // namespace sixstep::tuner
