// SPDX-License-Identifier: BSD-3-Clause
// Loads FFTW and MKL.
#include "local/library.hpp"

#include <dlfcn.h>

#include <array>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/fork.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

/// Opens the first of `files` that exists. It stays loaded, because its plans may outlive any plan
/// of ours.
void* open(std::vector<char const*> const& files, char const* advice) {
  std::string reason;
  for (char const* file : files) {
    // RTLD_LOCAL, because MKL and FFTW have functions with the same names.
    if (void* handle = dlopen(file, RTLD_NOW | RTLD_LOCAL)) return handle;
    char const* const failure = dlerror();
    if (reason.empty() && failure) reason = failure;
  }
  throw Error(text("local: ", files.front(), " cannot be loaded (", reason, "); ", advice),
              ErrorCode::library);
}

template <class Function>
Function find(void* handle, std::string const& name) {
  void* const symbol = dlsym(handle, name.c_str());
  require(symbol, "local: the library that was found has no ", name, "; sixstep needs FFTW 3's ",
          "interface");
  return reinterpret_cast<Function>(symbol);
}

template <class Real>
Library<Real> fftw_functions(void* handle) {
  std::string const prefix = std::is_same_v<Real, float> ? "fftwf_" : "fftw_";
  Library<Real> library;
  library.plan = find<decltype(library.plan)>(handle, prefix + "plan_guru64_dft");
  library.execute = find<decltype(library.execute)>(handle, prefix + "execute_dft");
  library.destroy = find<decltype(library.destroy)>(handle, prefix + "destroy_plan");
  return library;
}

template <class Real>
Library<Real> load_fftw() {
  constexpr bool single = std::is_same_v<Real, float>;
  void* const handle = open({single ? "libfftw3f.so.3" : "libfftw3.so.3"},
                            "install FFTW 3 (Debian: libfftw3-single3 and libfftw3-double3) or set "
                            "LD_LIBRARY_PATH to its folder");
  Library<Real> library = fftw_functions<Real>(handle);
  library.name = find<char const*>(handle, single ? "fftwf_version" : "fftw_version");
  return library;
}

/// Returns "2026.2" for "Intel(R) ... Version 2026.2-Product Build ...".
std::string number_in(std::string const& version) {
  constexpr std::string_view before = "Version ";
  std::size_t const found = version.find(before);
  if (found == std::string::npos) return version;
  std::size_t const begin = found + before.size();
  return version.substr(begin, version.find_first_of("- ", begin) - begin);
}

template <class Real>
Library<Real> load_mkl() {
  void* const handle = open({"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so.1", "libmkl_rt.so"},
                            "install MKL (from PyPI: mkl) or set LD_LIBRARY_PATH to its folder");
  // sixstep has the threads: each calls MKL for different columns.
  constexpr int sequential = 1;
  find<int (*)(int)>(handle, "MKL_Set_Threading_Layer")(sequential);
  std::array<char, 200> version{};
  find<void (*)(char*, int)>(handle, "MKL_Get_Version_String")(
      version.data(), static_cast<int>(version.size()) - 1);
  Library<Real> library = fftw_functions<Real>(handle);
  library.name = number_in(version.data());
  return library;
}

}  // namespace

template <class Real>
Library<Real> const& library(Local which) {
  require(which == Local::fftw || which == Local::mkl, "local: own, fftw or mkl is needed, value ",
          static_cast<int>(which), " was given");
  if (which == Local::fftw) {
    static Library<Real> const fftw = load_fftw<Real>();
    return fftw;
  }
  static Library<Real> const mkl = load_mkl<Real>();
  return mkl;
}

template Library<float> const& library(Local);
template Library<double> const& library(Local);

char const* name_of(Local which) {
  return which == Local::own ? "own" : which == Local::fftw ? "FFTW" : "MKL";
}

std::mutex& planner() { return mutex_of(Shared::libraries); }

}  // namespace sixstep::local
