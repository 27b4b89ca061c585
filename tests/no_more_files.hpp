// SPDX-License-Identifier: BSD-3-Clause
// A process that can open no further file, as long as the object lives.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

class NoMoreFiles {
 public:
  NoMoreFiles() {
    getrlimit(RLIMIT_NOFILE, &before_);
    int const next = dup(0);
    close(next);
    rlimit const none{static_cast<rlim_t>(next), before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoMoreFiles() { setrlimit(RLIMIT_NOFILE, &before_); }
  NoMoreFiles(NoMoreFiles const&) = delete;
  NoMoreFiles& operator=(NoMoreFiles const&) = delete;

 private:
  rlimit before_;
};
