// SPDX-License-Identifier: BSD-3-Clause
// A process whose files may have so many bytes, as long as the object lives: to its calls it is as
// if the disk were full.
#pragma once

#include <sys/resource.h>

#include <csignal>

class MostBytes {
 public:
  explicit MostBytes(rlim_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit const limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~MostBytes() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }
  MostBytes(MostBytes const&) = delete;
  MostBytes& operator=(MostBytes const&) = delete;

 private:
  rlimit before_;
  void (*signal_)(int);
};
