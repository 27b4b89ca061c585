// SPDX-License-Identifier: BSD-3-Clause
// A library with FFTW's interface that is loaded by its path.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "sixstep-fftw/fftw3.h"

namespace sixstep::bench {

/// The functions of a library, by their names in double precision. Those of single precision are
/// called in the same way: they take other pointers, to arrays that are half as long.
class Library {
 public:
  explicit Library(char const* path)
      : path_(path), handle_(open(path)), is_single_(dlsym(handle_, "fftwf_execute") != nullptr) {}

  template <class Function>
  Function* find(char const* name) const {
    return reinterpret_cast<Function*>(symbol(handle_, name));
  }
  bool is_single() const { return is_single_; }
  char const* version() const { return static_cast<char const*>(symbol(handle_, "fftw_version")); }

  /// Later plans are for so many threads.
  void use_threads(int threads) const {
    void* const handle = with_threads();
    reinterpret_cast<decltype(fftw_init_threads)*>(symbol(handle, "fftw_init_threads"))();
    reinterpret_cast<decltype(fftw_plan_with_nthreads)*>(symbol(handle, "fftw_plan_with_nthreads"))(
        threads);
  }

 private:
  void* symbol(void* handle, char const* name) const {
    std::string const rest = name + std::strlen("fftw");
    return dlsym(handle, ((is_single_ ? "fftwf" : "fftw") + rest).c_str());
  }

  // FFTW has a library of its own for threads.
  void* with_threads() const {
    if (symbol(handle_, "fftw_init_threads") != nullptr) return handle_;
    std::string path = path_;
    std::string const name = is_single_ ? "fftw3f" : "fftw3";
    path.replace(path.rfind(name), name.size(), name + "_omp");
    return open(path.c_str());
  }

  static void* open(char const* path) {
    void* const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) return handle;
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }

  std::string path_;
  void* handle_;
  bool is_single_;
};

#define FIND(library, name) (library).find<decltype(name)>(#name)

}  // namespace sixstep::bench
